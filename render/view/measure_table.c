/* Pins and the rectangle as rows of a table: see measure_table.h. */
#include "render/view/measure_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum column {
    WHAT,
    PLACE_X,
    PLACE_Y,
    SIZE,
    DISPARITY,
    DEPTH,
    KNOWN,
    ACCURACY,
    PRECISION,
    FILL,
    NEAREST_DEPTH,
    NEAREST,
    NEAREST_PLACE,
    MEAN,
    DEVIATION,
    NOISE,
    SPREAD,
    RESIDUAL,
    FLATNESS,
    DISTANCE
} column;

static const struct {
    const char *name, *help;
} columns[MEASURE_COLUMNS] = {
    [WHAT] = {"what", "the number of the pin, or the rectangle"},
    [PLACE_X] = {"x", "column of the left picture; of the rectangle its left one"},
    [PLACE_Y] = {"y", "row of the left picture; of the rectangle its upper one"},
    [SIZE] = {"size", "width and height of the rectangle in pixels"},
    [DISPARITY] = {"disparity px", "of the pin; the mean of the rectangle's values"},
    [SPREAD] = {"spread px", "standard deviation of the rectangle's values"},
    [DEPTH] = {"Z m", "depth of the pin; of the plane at the centre of the rectangle"},
    [RESIDUAL] = {"plane px", "root mean square distance of the values from the best-fitting plane"},
    [FLATNESS] = {"plane mm", "the same in space, perpendicular to the plane"},
    [DISTANCE] = {"from previous m", "distance from the previous pin"},
    [NEAREST_DEPTH] = {"nearest m", "depth of the rectangle's nearest value, ignoring the nearest 1 %"},
    [NEAREST] = {"nearest px", "the disparity of that value"},
    [NEAREST_PLACE] = {"nearest at", "column and row of the left picture where it is"},
    [MEAN] = {"mean", "of Z in m, or of the disparity in px, over the last hundred frames"},
    [DEVIATION] = {"deviation", "standard deviation of the same"},
    [NOISE] = {"noise px",
               "median over the rectangle's pixels of their standard deviation over the last hundred frames"},
    [FILL] = {"fill %", "share of the pixels with a value over the last hundred frames"},
    [KNOWN] = {"known m", "the true distance along the optical axis, as you type it"},
    [ACCURACY] = {"accuracy %", "median Z over the last hundred frames minus the known distance, in percent of it"},
    [PRECISION] = {"precision %",
                   "of a rectangle: plane mm in percent of Z; of a pin: the deviation in percent of the mean"},
};

const char *measure_column_name(int i) { return columns[i].name; }

const char *measure_column_help(int i) { return columns[i].help; }

static void print(double value, double factor, int decimals, char *text, size_t size) {
    if (isfinite(value)) snprintf(text, size, "%.*f", decimals, factor * value);
}

char *measure_cell(const measure_row *r, int which, char *text, size_t size) {
    const bool metres = isfinite(r->depth);
    *text = 0;
    switch ((column)which) {
    case WHAT:
        if (r->number)
            snprintf(text, size, "pin %d", r->number);
        else
            snprintf(text, size, "rectangle");
        break;
    case PLACE_X: snprintf(text, size, "%d", r->box.x); break;
    case PLACE_Y: snprintf(text, size, "%d", r->box.y); break;
    case SIZE:
        if (!r->number) snprintf(text, size, "%d x %d", r->box.width, r->box.height);
        break;
    case DISPARITY:
        print(r->disparity, 1, 2, text, size);
        if (!*text && r->number) snprintf(text, size, "none: %s", sv_reason_name(r->reason));
        break;
    case SPREAD: print(r->spread, 1, 3, text, size); break;
    case DEPTH: print(r->depth, 1, 4, text, size); break;
    case RESIDUAL: print(r->residual, 1, 3, text, size); break;
    case FLATNESS: print(r->flatness, 1e3, 2, text, size); break;
    case DISTANCE: print(r->distance, 1, 4, text, size); break;
    case NEAREST_DEPTH: print(r->closest, 1, 4, text, size); break;
    case NEAREST: print(r->nearest, 1, 2, text, size); break;
    case NEAREST_PLACE:
        if (isfinite(r->nearest)) snprintf(text, size, "%d %d", r->nearest_x, r->nearest_y);
        break;
    case MEAN: print(r->mean, 1, metres ? 4 : 3, text, size); break;
    case DEVIATION:
        if (r->frames > 1) print(r->deviation, 1, metres ? 5 : 4, text, size);
        break;
    case NOISE: print(r->noise, 1, 3, text, size); break;
    case FILL: print(r->fill, 100, 1, text, size); break;
    case KNOWN: print(r->known, 1, 4, text, size); break;
    case ACCURACY: print(r->accuracy, 100, 2, text, size); break;
    case PRECISION: print(r->precision, 100, 2, text, size); break;
    }
    return text;
}

char *measure_print_table(const measure_row *rows, int count, char separator, char *text, size_t size) {
    size_t used = 0;
    *text = 0;
    for (int i = -1; i < count; i++)
        for (int k = 0; k < MEASURE_COLUMNS && used < size; k++) {
            char cell[64];
            const char *words = i < 0 ? columns[k].name : measure_cell(&rows[i], k, cell, sizeof cell);
            used +=
                (size_t)snprintf(text + used, size - used, "%s%c", words, k + 1 < MEASURE_COLUMNS ? separator : '\n');
        }
    return text;
}
