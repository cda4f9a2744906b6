/* Measures the row offset of a stereo pair on any scene with texture, without a calibration board. */
#ifndef RIG_ROW_OFFSET_H
#define RIG_ROW_OFFSET_H

#include "stereo/rig.h"

/* What was measured on one pair, after rectification and row_shift. */
typedef struct row_offset {
    int points;    /* corners found in both pictures */
    bool known;    /* there are enough points for the result to be reliable */
    float offset;  /* pixels: median of y_right - y_left; positive: the right picture lies lower */
    float spread;  /* pixels: median deviation from `offset`; if large, no row shift would help */
    int row_shift; /* the row_shift during the measurement */
} row_offset;

/* The limits in pixels above which a warning is due. A larger offset harms the matching. A larger spread cannot be due
 * to a few corners of a repetitive pattern that were confused with each other. */
#define ROW_OFFSET_LIMIT  1.0f
#define ROW_OFFSET_SPREAD 2.0f

/* Searches for corners of the left picture in the right one, over the disparities that `params` searches and the usual
 * ones, and up to 24 rows up and down. `pair`: grey, in host memory. `rectification`: NULL for none. Takes tens of
 * milliseconds.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status row_offset_measure(const sv_pair *pair, const sv_rectification *rectification, const sv_params *params,
                             row_offset *result, sv_error *error);

/* A corner of the scene in both pictures, pixels. */
typedef struct row_offset_point {
    float left[2], right[2];
} row_offset_point;

enum { ROW_OFFSET_MOST_POINTS = 108 };

/* Finds corners of the left picture in the right one, up to an eighth of the height up and down and for disparities
 * from minus an eighth to half of the width, which allows for cameras that were pointed by hand. It stores up to
 * ROW_OFFSET_MOST_POINTS points, some of them wrong. Large pictures are searched at a resolution that bounds the time:
 * some tenths of a second.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status row_offset_find_points(const sv_pair *pair, row_offset_point *points, int *count, sv_error *error);

/* True if the offset or the spread is known and exceeds its limit. */
bool row_offset_is_large(const row_offset *rows);

#endif
