/* Refinement by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_REFINE_H
#define TESTS_SUPPORT_REFERENCE_REFINE_H

#include "stereo/stereo.h"

/* Removes the matches around which the picture is flat. */
void reference_remove_flat(const sv_image *left, float *disparity, uint8_t *reason);

/* Does the steps after the left-right check that `params` asks for. `left`: the picture of the map, unfiltered.
 * `disparity` and `reason`: the map, height x width, dense. `right`: the right map as it was matched,
 * INFINITY where there is none, and `confirmed`: not 0 where it has the same candidate at the match; both NULL without
 * a left-right check. */
void reference_refine(const sv_image *left, const sv_params *params, const float *right, const uint8_t *confirmed,
                      float *disparity, uint8_t *reason);

#endif
