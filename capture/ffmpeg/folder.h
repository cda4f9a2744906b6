/* The pictures of a folder, or of a pattern such as 'left_*.png' that no shell has expanded. */
#ifndef CAPTURE_FFMPEG_FOLDER_H
#define CAPTURE_FFMPEG_FOLDER_H

#include "capture/ffmpeg/sequence.h"

/* True if `name` is a folder, or contains *, ? or [ and is not the name of a file.
 * Thread: any. */
bool folder_is_named(const char *name);

/* Finds the pictures of the folder, or of a folder `data` in it if it has none itself (EuRoC's cam0), in the order of
 * their names, with numbers in them compared as numbers. If all names are time stamps since 1970 (whole nanoseconds, as
 * EuRoC's, microseconds or milliseconds; or seconds with decimals), they are in the order of time, and `stamps` is
 * filled in; if all have other numbers, `numbers` is. A pattern that matches a single file, of any kind, gives that
 * file.
 * Errors: SV_FAILED if there is none, if there are pictures of several kinds, or if the folder cannot be read.
 * Thread: any.
 * Lifetime: the caller frees the sequence with sequence_free, also if this fails. */
sv_status folder_find(sequence *out, const char *name, sv_error *error);

/* The time that a file's name stands for, nanoseconds since 1970; -1 if it is no time stamp. */
int64_t folder_stamp(const char *file);

#endif
