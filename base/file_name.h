/* File names with a frame number. A pattern has at most one integer conversion (%d, %06d); %% is a percent sign. */
#ifndef BASE_FILE_NAME_H
#define BASE_FILE_NAME_H

#include "stereo/stereo.h"

/* Checks that `pattern` is a file name with at most one integer conversion (%d, %06d; %% is a percent sign).
 * Errors: SV_USAGE. */
sv_status file_check_pattern(const char *pattern, sv_error *error);

/* True if the pattern has a conversion, so every frame gets its own file. */
bool file_is_numbered(const char *pattern);

/* Writes the file name for a frame.
 * Errors: SV_USAGE as above; SV_FAILED if it does not fit into `size` bytes. */
sv_status file_name(const char *pattern, int64_t frame, char *name, size_t size, sv_error *error);

/* A pattern in parts: the text in front of its number and behind it, with %% as %. `after` is NULL without a number. */
typedef struct file_parts {
    char *before, *after; /* owned */
} file_parts;

#define FILE_NUMBER " 0123456789" /* the characters of a frame number in a name */

/* Splits a pattern that file_check_pattern accepts.
 * Lifetime: the caller frees the parts with file_free_parts. */
file_parts file_split(const char *pattern);
void file_free_parts(file_parts *parts);

/* True if the name has these parts with any number of digits in between. */
bool file_fits(const file_parts *parts, const char *name);

/* The names of all existing files that match the pattern, in no particular order.
 * Lifetime: the caller frees them with file_free_names. */
char **file_find(const char *pattern, size_t *count);
void file_free_names(char **names, size_t count);

#endif
