/* The weights of the weighted median, which follows the edges of the left picture: exp(-|difference| / SV_GREY_SCALE),
 * as in a bilateral filter. Integers, so that both backends choose the same value. */
#ifndef STEREO_WEIGHTS_H
#define STEREO_WEIGHTS_H

#include <math.h>
#include <stdint.h>

enum { SV_WEIGHTS = 256, SV_GREY_SCALE = 12 /* above noise, below most edges */ };

/* Fills in the weight of a neighbour by the difference of its grey value from the pixel's: 255 for 0, falling to 1.
 * Called on the host for both backends. */
static inline void sv_make_weights(uint8_t weights[SV_WEIGHTS]) {
    for (int i = 0; i < SV_WEIGHTS; i++) {
        const long weight = lround(255 * exp((double)-i / SV_GREY_SCALE));
        weights[i] = (uint8_t)(weight > 1 ? weight : 1);
    }
}

#endif
