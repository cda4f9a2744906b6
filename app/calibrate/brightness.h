/* The brightness of the two pictures of a pair: cameras that control their exposure separately differ. */
#ifndef APP_CALIBRATE_BRIGHTNESS_H
#define APP_CALIBRATE_BRIGHTNESS_H

#include "stereo/stereo.h"

/* Mean grey values of a pair. */
typedef struct brightness {
    double left, right; /* 0..255 */
} brightness;

/* `pair`: grey, in host memory. */
brightness brightness_measure(const sv_pair *pair);

/* Whether one picture is darker than the method of `params` tolerates. */
bool brightness_harms(const brightness *brightness, const sv_params *params);

/* Writes one line: how much darker one picture is and, if that degrades matching, which prefilter helps. NULL if both
 * are equally bright; otherwise returns `text`. */
const char *brightness_describe(const brightness *brightness, const sv_params *params, char *text, size_t size);

#endif
