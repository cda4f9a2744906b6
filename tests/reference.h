/* The disparity maps by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "stereo/stereo.h"

/* Matches a pair with `params`, by any method but gfd. `disparity` and `reason`: height x width, dense. */
void reference_match(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason);

#endif
