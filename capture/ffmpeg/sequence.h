/* Pictures in files: a printf pattern and the matching files of its folder, or a list of files
 * (capture/ffmpeg/folder.h). */
#ifndef CAPTURE_FFMPEG_SEQUENCE_H
#define CAPTURE_FFMPEG_SEQUENCE_H

#include "stereo/stereo.h"

/* The files `before`NUMBER`after` for first <= NUMBER < first + count, or the single file `before`, or `files`. */
typedef struct sequence {
    char *before, *after; /* owned */
    bool numbered;
    int width;  /* minimum number of digits */
    bool zeros; /* padded with zeros, else with spaces */
    int64_t first, count;
    char **files;     /* owned: a list of `count` files; NULL: none */
    int64_t *numbers; /* owned: the last numbers in their names, ascending; NULL: some have none, or they repeat */
    int64_t *stamps;  /* owned: the time stamps in their names, nanoseconds since 1970, ascending; NULL: none */
} sequence;

/* True if the last part of `name` holds one integer conversion (%d, %4d, %06d; %% is a per cent sign). */
bool sequence_is_pattern(const char *name);

/* Finds the files from the smallest number to the first gap; the log warns if others follow.
 * Errors: SV_FAILED if no file matches or the folder cannot be read; SV_USAGE for a pattern without exactly one number.
 * Lifetime: the caller frees the sequence with sequence_free, also if this fails. */
sv_status sequence_find(sequence *out, const char *pattern, sv_error *error);

/* A sequence of one file.
 * Lifetime: the caller frees the sequence with sequence_free. */
sequence sequence_of_one(const char *name);

/* The file name of picture `index` (from 0), which the caller frees. */
char *sequence_file(const sequence *sequence, int64_t index);

/* The time of picture `index`, seconds after the first one; beyond the last, at the rate of the pictures. Without time
 * stamps: the index. */
double sequence_time(const sequence *sequence, int64_t index);

/* The first picture at or after a time, as above; `count` if there is none. */
int64_t sequence_at(const sequence *sequence, double seconds);

/* Pictures a second: the median of the intervals decides. 0 without time stamps. */
double sequence_rate(const sequence *sequence);

void sequence_free(sequence *sequence);

#endif
