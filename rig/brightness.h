/* The brightness of the two pictures of a pair: cameras that control their exposure separately differ. */
#ifndef RIG_BRIGHTNESS_H
#define RIG_BRIGHTNESS_H

#include "stereo/stereo.h"

/* Mean grey values of a pair. */
typedef struct brightness {
    double left, right; /* 0..255 */
} brightness;

/* `pair`: grey, in host memory. */
brightness brightness_measure(const sv_pair *pair);

/* Whether one picture is darker than the method of `params` tolerates. */
bool brightness_harms(const brightness *brightness, const sv_params *params);

/* How much darker one picture is, as a fraction of the brighter one; 0: not enough to matter. */
double brightness_difference(const brightness *brightness);

#endif
