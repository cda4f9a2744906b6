/* Finds corners of the left picture in the right one, for cameras that were pointed by hand. */
#ifndef RIG_ALIGN_POINTS_H
#define RIG_ALIGN_POINTS_H

#include "rig/selfalign.h"

enum { ALIGN_POINTS_MOST = 500 };

/* Stores up to ALIGN_POINTS_MOST points, located to some hundredths of a pixel; a few are wrong. A coarse search, up to
 * an eighth of the height up and down and for disparities from minus an eighth to half of the width, gives a rough rig;
 * with the pair rectified by it, many corners are tracked (rig/row_points.h). Where the pictures are too poor for that,
 * the points of the coarse search are stored. `pair`: grey, in host memory. `focal` and `lens`: see selfalign.
 * `threads`: of the CPU, 0 for all cores. Takes about a second.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status align_points_find(const sv_pair *pair, double focal, bool lens, int threads,
                            selfalign_point points[ALIGN_POINTS_MOST], int *count, sv_error *error);

#endif
