/* Which values a legend labels. Pure functions.
 * Thread: any. */
#ifndef RENDER_PANEL_TICKS_H
#define RENDER_PANEL_TICKS_H

#include <stdbool.h>

typedef struct tick {
    double value; /* pixels of disparity, or metres */
    double place; /* on the legend: 0 at its lower end, 1 at its upper end */
} tick;

enum { TICKS_MOST = 64 };

/* Disparities that are a round number of pixels apart, from `min` at the lower end to `max`, with places at least
 * `spacing` > 0 apart. Returns how many. */
int ticks_of_pixels(double min, double max, double spacing, tick ticks[TICKS_MOST]);

/* Where a legend shows a disparity, in (0, 1) from its lower to its upper end. */
typedef struct tick_scale {
    double min, max;     /* disparities of its ends, pixels */
    double product;      /* focal length times baseline, pixels times metres: depth is product / (disparity + doffs) */
    double doffs;        /* pixels */
    bool even_in_ratios; /* equal steps are equal ratios of depth; false: equal steps of disparity */
} tick_scale;

/* The place of a disparity on the legend, at one of its ends if it lies beyond. */
double ticks_place(const tick_scale *scale, double disparity);

/* Round depths with places at least `spacing` apart, from near to far: at least two if there are two depths in the
 * range, and `spacing` is below 1/8. Returns how many. */
int ticks_of_metres(const tick_scale *scale, double spacing, tick ticks[TICKS_MOST]);

#endif
