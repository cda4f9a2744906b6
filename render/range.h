/* The automatic colour range: which disparities a map on the GPU really has, found without waiting.
 *
 * Main thread, context current. */
#ifndef RENDER_RANGE_H
#define RENDER_RANGE_H

#include "stereo/stereo.h"

typedef struct range_finder range_finder;

sv_status range_create(range_finder **out, sv_error *error);
void range_destroy(range_finder *range); /* NULL is fine */

/* Looks at the map that is the colour attachment 0 (R32F, width x height) of `framebuffer`, a few times a
 * second whatever the rate of calls. Writes the range, pixels, and returns true once it is known: from
 * the 2nd to the 98th percentile, at least one pixel wide, moved smoothly towards each new answer. */
bool range_follow(range_finder *range, unsigned framebuffer, int width, int height, float *min, float *max);

#endif
