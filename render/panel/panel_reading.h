/* The values at the pixel under the mouse, in columns with fixed decimals. */
#ifndef RENDER_PANEL_PANEL_READING_H
#define RENDER_PANEL_PANEL_READING_H

#include "render/view/measure.h"
#include "stereo/rig.h"

/* Everything that is known about a pixel; the pointers are borrowed for the call that draws. */
typedef struct panel_reading {
    const view_pixel *pixel;        /* NULL: none is under the mouse */
    const sv_rectification *metric; /* that gives metres; NULL: none does */
    const sv_params *params[2];     /* of A, B; the second is NULL without one */
    int channels;                   /* of the pictures: 1 grey, 3 colour; 0: they are not known */
    uint8_t left[3], right[2][3];   /* what they show; the right one where A and B match */
    bool matches[2];                /* there is such a place */
    double truth;                   /* disparity, pixels; NAN: not known */
} panel_reading;

/* A value: "Disparity", "d", "px", "19.81". */
typedef struct panel_value {
    const char *name, *brief, *unit;
    const char *widest; /* a text that is as wide as the value usually gets */
    char text[2][40];   /* of A, or of both, and of B; "": it has none */
    bool is_error[2];   /* that the map is off by more than a pixel */
} panel_value;

/* Writes the values that are known, each one always with as many decimals, and Z, X and Y with those that the deviation
 * of Z justifies; a minus is U+2212. Returns how many. */
enum { PANEL_MAX_VALUES = 12 };
int panel_read(const panel_reading *reading, panel_value values[PANEL_MAX_VALUES]);

/* The true disparity of the pixel; NAN: not known. */
double panel_truth(const panel_reading *reading);

/* Writes those of A, or of both, into one line: "x 168, y 199, d 6.55 px"; "" if no pixel is under the mouse. */
void panel_describe(const panel_reading *reading, char *text, size_t size);

/* The deviation of a disparity that the method finds where it is right, in pixels: as measured of the method
 * (sv_method_traits), times the scale; that of even rounding, 0.29, without subpixel values or a measurement. */
double panel_deviation(const sv_params *params);

/* The decimals of a depth, 0 to 4: the last one is not above its deviation, depth^2 / product * deviation, with the
 * product of focal length and baseline in pixels times metres. */
int panel_depth_decimals(double depth, double product, double deviation);

#endif
