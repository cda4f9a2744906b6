/* The automatic colour range: finds the range of the disparities in a map on the GPU, without waiting for the GPU.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_RANGE_H
#define RENDER_VIEW_RANGE_H

#include "stereo/stereo.h"

typedef struct range_finder range_finder;

/* Errors: SV_FAILED if OpenGL or the memory fails.
 * Lifetime: the caller destroys it with range_destroy. */
sv_status range_create(range_finder **out, sv_error *error);
void range_destroy(range_finder *range); /* accepts NULL */

/* Examines the map in colour attachment 0 (R32F, width x height) of `framebuffer`, a few times a second, independently
 * of the rate of calls. Once the range is known, writes it, pixels, and returns true: from the 2nd to the 98th
 * percentile, at least one pixel wide, smoothed over time. */
bool range_follow(range_finder *range, unsigned framebuffer, int width, int height, float *min, float *max);

/* Writes the 2nd and the 98th percentile of `count` values, at least one, which it sorts. */
void range_of_values(float *values, int count, float *min, float *max);

#endif
