/* Pins and the rectangle as rows of a table.
 * Thread: any. */
#ifndef RENDER_VIEW_MEASURE_TABLE_H
#define RENDER_VIEW_MEASURE_TABLE_H

#include "render/view/measure.h"

/* A pin, or the rectangle with the plane that fits it. What is not known is NAN. Distances are metres along the optical
 * axis. "Over time" is over the last hundred frames that were measured. */
typedef struct measure_row {
    int number;       /* of the pin, from 1 on; 0: the rectangle */
    measure_box box;  /* of a pin one pixel */
    int reason;       /* of a pin's value */
    double disparity; /* of the pin, or the mean of the rectangle; pixels */
    double nearest;   /* of the rectangle, see measure_region; pixels */
    double closest;   /* its depth, metres */
    int nearest_x, nearest_y;
    double spread;    /* standard deviation of the rectangle's values, pixels */
    double depth;     /* of the pin, or of the plane at the centre of the rectangle */
    double residual;  /* root mean square of the distances from the plane, pixels of disparity */
    double flatness;  /* the same in space, metres perpendicular to the plane */
    double distance;  /* from the previous pin, metres */
    int frames;       /* over time: how many frames there are, */
    double mean;      /* the mean of `depth`, or of `disparity` without metres, */
    double deviation; /* its standard deviation, */
    double noise;     /* the median over the rectangle's pixels of their standard deviation, pixels, */
    double fill;      /* and the share of the pixels that have a value, 0 to 1 */
    double known;     /* the distance that the user has typed */
    double accuracy;  /* (median over time of `depth` - known) / known */
    double precision; /* flatness / depth, or of a pin deviation / mean; NAN without metres */
} measure_row;

/* Sixteen pins and the rectangle. */
enum { MEASURE_PINS = 16, MEASURE_ROWS = MEASURE_PINS + 1 };

/* The columns: their names, and the text of a row in each of them, "" where nothing is known. In the text a minus is
 * "-"; units are in the names. Returns `text`. */
enum { MEASURE_COLUMNS = 20 };
const char *measure_column_name(int column); /* "disparity px" */
const char *measure_column_help(int column); /* what it is, in a sentence */
char *measure_cell(const measure_row *row, int column, char *text, size_t size);

/* Writes the table with `separator` between columns and a line for each row, the first one the names. Returns `text`,
 * cut off at its size. */
char *measure_print_table(const measure_row *rows, int count, char separator, char *text, size_t size);

#endif
