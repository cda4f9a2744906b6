/* The disparity maps by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_H

#include "stereo/stereo.h"

/* Matches a pair with `params`, by any method but gfd. `disparity`, `reason` and `confidence`: height x width, dense.
 */
void reference_match(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason,
                     uint8_t *confidence);

/* The costs of all candidates of the left map, in the units of stereo/costs.h, by any method but gfd, without --scale.
 * `costs`: height x width x candidates; NAN where a candidate has none. ncc does not try all of them. */
void reference_costs(const sv_pair *pair, const sv_params *params, double *costs);

#endif
