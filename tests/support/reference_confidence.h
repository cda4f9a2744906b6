/* The confidence by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_CONFIDENCE_H
#define TESTS_SUPPORT_REFERENCE_CONFIDENCE_H

#include "stereo/stereo.h"

/* Judges all matches before refinement. `winner`: of the left and the right map, height x width, a candidate or -1.
 * `best` and `second`: for sgm, height x width: the winner's sum and the least of those that do not neighbour it,
 * infinity if there is none; NULL for the other methods. `confidence`: height x width, dense. */
void reference_confidence(const sv_params *params, int width, int height, int *const winner[2], const double *best,
                          const double *second, uint8_t *confidence);

#endif
