/* The weights of the weighted median, which follows the edges of the left picture. */
#ifndef STEREO_WEIGHTS_H
#define STEREO_WEIGHTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SV_WEIGHTS = 256 };

/* Fills in the weight of a neighbour, by the difference of its grey value from the pixel's: 255 for a difference of 0,
 * falling to 1. Integers that the host computes once for both backends, so that both choose the same value. */
void sv_make_weights(uint8_t weights[SV_WEIGHTS]);

#ifdef __cplusplus
}
#endif

#endif
