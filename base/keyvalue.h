/* Files that are lines of "key: value", read as YAML. All other YAML is refused, with its place, rather than guessed
 * at. */
#ifndef BASE_KEYVALUE_H
#define BASE_KEYVALUE_H

#include "stereo/stereo.h"

/* Takes one line of the file, number `line`, from 1. An error needs no place: the reader adds it. */
typedef sv_status keyvalue_take(void *to, const char *key, const char *value, int line, sv_error *error);

/* Reads a file and passes on each of its lines. `what`: the contents, for messages ("the settings"). `example`: of a
 * line.
 * Errors: SV_FAILED, with file and line, for anything but such lines, for a key that appears twice, and for what `take`
 * refuses. */
sv_status keyvalue_read(const char *path, const char *what, const char *example, keyvalue_take *take, void *to,
                        sv_error *error);

#endif
