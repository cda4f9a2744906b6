/* The text of --compare: the second set of parameters, B, which is compared with the first, A. Both share what belongs
 * to the scene: the disparity range and the row shift. */
#ifndef APP_OPTIONS_SECOND_SET_H
#define APP_OPTIONS_SECOND_SET_H

#include "stereo/stereo.h"

/* Reads "METHOD", "METHOD,NAME=VALUE,..." or "NAME=VALUE,...": changes of the parameters `a`. A quality or a model may
 * stand for the method.
 * Errors: SV_USAGE; the message names --compare and what is wrong. */
sv_status second_set_parse(const char *text, const sv_params *a, sv_params *b, sv_error *error);

/* Writes `b` as second_set_parse reads it. Returns `text`. */
char *second_set_print(const sv_params *a, const sv_params *b, char *text, size_t size);

/* Enough for every text of second_set_print. */
enum { SECOND_SET_BYTES = 1024 };

#endif
