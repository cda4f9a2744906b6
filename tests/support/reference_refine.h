/* Refinement by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_REFINE_H
#define TESTS_SUPPORT_REFERENCE_REFINE_H

#include "stereo/stereo.h"

/* Does the steps after the left-right check that `params` asks for. `left`: the picture of the map, unfiltered.
 * `disparity` and `reason`: the map, height x width, dense. `confirmed`: not 0 where the right map has the same
 * candidate at the match; NULL without a left-right check. */
void reference_refine(const sv_image *left, const sv_params *params, const uint8_t *confirmed, float *disparity,
                      uint8_t *reason);

#endif
