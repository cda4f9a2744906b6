/* Corners of a pair that its disparity map relates to each other, located to a few hundredths of a pixel. */
#ifndef RIG_ROW_POINTS_H
#define RIG_ROW_POINTS_H

#include "stereo/rig.h"

/* A corner of the left picture, found in the right one. */
typedef struct row_point {
    float x, y; /* pixels, in the rectified right picture: where rows without error would have it */
    float off;  /* pixels: how much lower it is there */
    float left; /* pixels: its column in the rectified left picture, where its row is y less the row shift */
} row_point;

enum { ROW_POINTS_MOST = 3000 };

/* Tracks up to ROW_POINTS_MOST corners, spread over the left picture, in the right one, from where the map places them.
 * Some are wrong. `pair`: grey, in host memory. `rectification`: NULL for none. `disparity`: the map of the rectified
 * pair, in host memory, matched with this row_shift, right to 2 pixels. Takes tens of milliseconds.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status row_points_find(const sv_pair *pair, const sv_rectification *rectification, const sv_image *disparity,
                          int row_shift, row_point points[ROW_POINTS_MOST], int *count, sv_error *error);

#endif
