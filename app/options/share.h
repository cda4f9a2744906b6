/* --shard: a part of a run, so that several programs, on as many machines, do all of it. */
#ifndef APP_OPTIONS_SHARE_H
#define APP_OPTIONS_SHARE_H

#include "stereo/stereo.h"

/* Part `number` of `count`, counted from 1 as in --shard 1/4; {0}: there is one part. */
typedef struct share {
    int number, count;
} share;

/* Reads "I/N" with 1 <= I <= N.
 * Errors: SV_USAGE. */
sv_status share_parse(share *share, const char *text, sv_error *error);

/* Narrows first..end - 1, a finite range, to the part: parts are consecutive, differ in length by at most one, and
 * together make up the range. A part may be empty if there are more parts than items. */
void share_narrow(const share *share, int64_t *first, int64_t *end);

#endif
