/* Pictures in files: those of a folder, of a pattern such as 'left_*.png' that no shell has expanded, or of a pattern
 * with a number such as left_%06d.png. */
#ifndef CAPTURE_FFMPEG_SEQUENCE_H
#define CAPTURE_FFMPEG_SEQUENCE_H

#include "stereo/stereo.h"

typedef struct sequence {
    int64_t count;
    char **files;     /* owned */
    int64_t *numbers; /* owned: the last numbers in their names, ascending; NULL: some have none, or they repeat */
    int64_t *stamps;  /* owned: the time stamps in their names, nanoseconds since 1970, ascending; NULL: none */
} sequence;

/* True if `name` is a folder, or a pattern and not the name of a file.
 * Thread: any. */
bool sequence_is_named(const char *name);

/* Finds the pictures.
 *
 * A folder has its own or, without any, those of a folder `data` in it (EuRoC's cam0). They and those of a pattern are
 * in the order of their names, with numbers in them compared as numbers. If all names are time stamps since 1970 (whole
 * nanoseconds, as EuRoC's, microseconds or milliseconds; or seconds with decimals), they are in the order of time, and
 * `stamps` is filled in; if all have other numbers, `numbers` is. A pattern that matches a single file, of any kind,
 * gives that file.
 *
 * A pattern with a number (see base/file_name.h) gives the files from the smallest number to the first gap; the log
 * warns if others follow.
 * Errors: SV_FAILED if there is none, if there are pictures of several kinds, or if the folder cannot be read.
 * Thread: any.
 * Lifetime: the caller frees the sequence with sequence_free, also if this fails. */
sv_status sequence_find(sequence *out, const char *name, sv_error *error);

/* A sequence of one file.
 * Lifetime: the caller frees the sequence with sequence_free. */
sequence sequence_of_one(const char *name);

/* The time that a file's name stands for, nanoseconds since 1970; -1 if it is no time stamp. */
int64_t sequence_stamp(const char *file);

/* The time of picture `index`, seconds after the first one; beyond the last, at the rate of the pictures. Without time
 * stamps: the index. */
double sequence_time(const sequence *sequence, int64_t index);

/* The first picture at or after a time, as above; `count` if there is none. */
int64_t sequence_at(const sequence *sequence, double seconds);

/* Pictures a second: the median of the intervals decides. 0 without time stamps. */
double sequence_rate(const sequence *sequence);

void sequence_free(sequence *sequence); /* accepts {0} */

#endif
