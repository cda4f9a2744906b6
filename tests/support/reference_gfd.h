/* The disparity maps of gfd by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_GFD_H
#define TESTS_SUPPORT_REFERENCE_GFD_H

#include "stereo/stereo.h"

/* One picture: its three channels and its gradient magnitude, height x width each, and what follows from them. */
typedef struct reference_gfd_side {
    int width, height;
    float *planes[4];
    int *descriptors; /* height x width x 4 x (rho + 1), 1/16 grey level */
} reference_gfd_side;

/* Describes a picture. Without data in `colour` the channels are those of `grey`.
 * Lifetime: the caller frees the result with reference_gfd_free. */
reference_gfd_side reference_gfd_describe(const sv_image *grey, const sv_image *colour, int rho);
void reference_gfd_free(reference_gfd_side *side);

/* Matches a pair, up to and including the left-right check. `disparity`, `reason` and `confidence`: height x width,
 * dense. */
void reference_gfd_match(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason,
                         uint8_t *confidence);

#endif
