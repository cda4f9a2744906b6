/* Numbered pictures: a printf pattern and the files of its folder that fit. */
#ifndef CAPTURE_SEQUENCE_H
#define CAPTURE_SEQUENCE_H

#include "stereo/stereo.h"

/* The files `before`NUMBER`after` for first <= NUMBER < first + count; or the one file `before`. */
typedef struct sequence {
    char *before, *after; /* owned */
    bool numbered;
    int width;  /* digits, at least, */
    bool zeros; /* filled up with zeros, else with spaces */
    int64_t first, count;
} sequence;

/* True if the last part of `name` holds one integer conversion (%d, %4d, %06d; %% is a per cent sign). */
bool sequence_is_pattern(const char *name);

/* Finds the numbers that exist, from the smallest to the first gap; a log line says if others follow. The caller
 * frees it with sequence_free, also when it fails. */
sv_status sequence_find(sequence *out, const char *pattern, sv_error *error);

/* Makes a sequence of one file. The caller frees it, also when it fails. */
sv_status sequence_of_one(sequence *out, const char *name, sv_error *error);

/* The file of picture `index` (from 0), which the caller frees; NULL when there is no memory left. */
char *sequence_file(const sequence *sequence, int64_t index);

void sequence_free(sequence *sequence);

#endif
