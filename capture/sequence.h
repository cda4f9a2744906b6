/* Numbered pictures: a printf pattern and the files of its folder that fit. */
#ifndef CAPTURE_SEQUENCE_H
#define CAPTURE_SEQUENCE_H

#include "stereo/stereo.h"

typedef struct sequence {
    char *pattern; /* owned; without a number if it is one picture alone */
    bool numbered;
    int64_t first, count; /* the files first .. first + count - 1 exist */
} sequence;

/* True if the last part of `name` holds one integer conversion (%d, %4d, %06d). */
bool sequence_is_pattern(const char *name);

/* Finds the numbers that exist, from the smallest to the first gap; a log line says if others follow. The caller
 * frees it with sequence_free. */
sv_status sequence_find(sequence *out, const char *pattern, sv_error *error);

/* The file of picture `index` (from 0), which the caller frees; NULL when there is no memory left. */
char *sequence_file(const sequence *sequence, int64_t index);

void sequence_free(sequence *sequence);

#endif
