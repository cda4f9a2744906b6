/* Files that appear complete or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "stereo/stereo.h"

#include <stdio.h>

/* A file being written. It has no name until file_commit gives it `path`, so a failure leaves the previous file
 * unchanged, and a kill leaves nothing; on some file systems (NFS, FAT) it leaves a temporary file next to `path`.
 * Plain data; {0} is closed. */
typedef struct file_writer {
    FILE *stream;    /* to write to; after a write error, call file_commit before errno changes */
    char *path;      /* the final path, symbolic links followed */
    char *temporary; /* the current path; NULL: it has none */
    bool in_place;   /* a device or a pipe, which is written directly */
} file_writer;

/* Checks that a file of that name can be created.
 * Errors: SV_FAILED if its folder does not exist, or it is a folder itself. */
sv_status file_check_place(const char *path, sv_error *error);

/* Starts writing a file. Waits until a named pipe has a reader or stop_requested, and logs that.
 * Errors: SV_FAILED, with the path: no such folder, no permission, or a file that the run reads.
 * Lifetime: the caller ends it with file_commit or file_discard. */
sv_status file_create(file_writer *writer, const char *path, sv_error *error);

/* The same for a file that a kill must leave behind: until it is complete, it is `path`.part (or `path`.2.part, if an
 * earlier run has left that). */
sv_status file_create_lasting(file_writer *writer, const char *path, sv_error *error);

/* Flushes the file and gives it its final name. Closes the writer in any case.
 * Errors: SV_FAILED (a full disk); no new file is left then. */
sv_status file_commit(file_writer *writer, sv_error *error);

/* As file_commit, but with `failed` an incomplete file gets its name, too: a recording up to where the disk was full.
 */
sv_status file_keep(file_writer *writer, bool failed, sv_error *error);

/* Closes the writer and removes what was written. Accepts a closed writer. */
void file_discard(file_writer *writer);

/* Makes an error from errno, with what to try: "cannot VERB PATH: ...".
 * Errors: SV_FAILED, always. */
sv_status file_failed(const char *verb, const char *path, sv_error *error);

#endif
