/* The weights of the weighted median, which follows the edges of the left picture. */
#ifndef STEREO_WEIGHTS_H
#define STEREO_WEIGHTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SV_WEIGHTS = 256 };

/* Fills in how much a neighbour counts whose grey value differs by 0..255 from the pixel's: 255 for the same
 * grey, falling to 1. Whole numbers, made once and used by both backends, so that both choose the same value. */
void sv_make_weights(uint8_t weights[SV_WEIGHTS]);

#ifdef __cplusplus
}
#endif

#endif
