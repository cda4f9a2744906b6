/* The weights of the weighted median: exp(-|difference| / GREY_SCALE), as in a bilateral filter. */
#include "stereo/weights.h"

#include <math.h>

enum { GREY_SCALE = 12 }; /* grey levels over which a weight falls to 1/e: above noise, below most edges */

void sv_make_weights(uint8_t weights[SV_WEIGHTS]) {
    for (int i = 0; i < SV_WEIGHTS; i++) {
        const long weight = lround(255 * exp((double)-i / GREY_SCALE));
        weights[i] = (uint8_t)(weight > 1 ? weight : 1);
    }
}
