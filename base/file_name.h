/* File names with a frame number, and names for new files. A pattern has at most one integer conversion (%d, %06d); %%
 * is a percent sign. */
#ifndef BASE_FILE_NAME_H
#define BASE_FILE_NAME_H

#include "stereo/stereo.h"

/* Checks that `pattern` is one.
 * Errors: SV_USAGE. */
sv_status file_check_pattern(const char *pattern, sv_error *error);

/* True if it has a conversion, so that every frame has its own file. */
bool file_is_numbered(const char *pattern);

/* Writes the file name for a frame.
 * Errors: SV_USAGE as above; SV_FAILED if it does not fit into `size` bytes. */
sv_status file_name(const char *pattern, int64_t frame, char *name, size_t size, sv_error *error);

/* The names of all existing files that match the pattern, in no particular order.
 * Lifetime: the caller frees them with file_free_names. */
char **file_find(const char *pattern, size_t *count);
int64_t file_number(const char *pattern, const char *name); /* that of such a name */
void file_free_names(char **names, size_t count);

/* Finds a name for new files in a folder, which is created (NULL: the current one): `name` or, if that is taken,
 * NAME_2, NAME_3 and so on. It is taken if it names a file with one of the `endings`, of which the last is NULL. Writes
 * the path without an ending.
 * Errors: SV_FAILED if the folder cannot be made, or the path does not fit. */
sv_status file_find_free(const char *folder, const char *name, const char *const *endings, char *path, size_t size,
                         sv_error *error);

#endif
