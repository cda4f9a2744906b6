/* Files that appear whole or not at all, and file names with a frame number in them. */
#ifndef APP_FILE_H
#define APP_FILE_H

#include "stereo/stereo.h"

#include <stdio.h>

/* A file being written. It has a temporary name beside `path` until file_commit gives it its own, so
 * that a failure leaves whatever was there before. Plain data; {0} is closed. */
typedef struct file_writer {
    FILE *stream;    /* to write to; after an error on it, go on to file_commit before errno changes */
    char *path;      /* where it will be, symbolic links followed */
    char *temporary; /* where it is; NULL for a device or a pipe, which is written in place */
} file_writer;

/* SV_FAILED with a message if there can be no file of that name: its folder is not there, or it is one itself. */
sv_status file_check_place(const char *path, sv_error *error);

/* Starts on the file. SV_FAILED with a message that names it: no such folder, no permission. A named pipe is waited for
 * until it has a reader or stop_requested. */
sv_status file_create(file_writer *writer, const char *path, sv_error *error);

/* Writes what is left and gives the file its name. Closes the writer either way; when it fails
 * (a full disk) nothing new is left. */
sv_status file_commit(file_writer *writer, sv_error *error);

/* Gives up and removes what was written. Fine on a closed writer. */
void file_discard(file_writer *writer);

/* Removes the temporary files of all writers, which are not to be used again. Async-signal-safe, for the end of the
 * program. */
void file_discard_all(void);

/* SV_USAGE unless `pattern` is a file name with at most one conversion of a whole number (%d, %06d; %% is
 * a percent sign). */
sv_status file_check_pattern(const char *pattern, sv_error *error);

/* True if the pattern has a conversion, so that every frame has a file of its own. */
bool file_is_numbered(const char *pattern);

/* Writes the name of the frame's file. SV_USAGE as above, SV_FAILED if it does not fit into `size` bytes. */
sv_status file_name(const char *pattern, int64_t frame, char *name, size_t size, sv_error *error);

/* A message about the file and errno, with what to try: sv_fail(error, SV_FAILED, "cannot VERB PATH: ..."). */
sv_status file_failed(const char *verb, const char *path, sv_error *error);

#endif
