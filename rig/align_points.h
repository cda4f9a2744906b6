/* Finds corners of the left picture in the right one, for cameras that were pointed by hand. */
#ifndef RIG_ALIGN_POINTS_H
#define RIG_ALIGN_POINTS_H

#include "rig/selfalign.h"

enum { ALIGN_POINTS_MOST = 500 };

/* Stores up to ALIGN_POINTS_MOST points, located to some hundredths of a pixel; a few are wrong. A coarse search, up to
 * an eighth of the height up and down and for disparities from minus an eighth to half of the width, gives a rough rig,
 * by which the pair is rectified for tracking (rig/row_points.h). Poor pictures give the points of the coarse search.
 * `pair`: grey, in host memory. `focal`, `lens`: see selfalign. `threads`: of the CPU, 0 for all. Takes about a second.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status align_points_find(const sv_pair *pair, double focal, bool lens, int threads,
                            selfalign_point points[ALIGN_POINTS_MOST], int *count, sv_error *error);

#endif
