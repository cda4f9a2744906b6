/* --list: the pairs of a run, in a table. */
#ifndef APP_OPTIONS_PAIR_LIST_H
#define APP_OPTIONS_PAIR_LIST_H

#include "stereo/stereo.h"

/* One line: -f LEFT RIGHT -o OUTPUT --calibration CALIBRATION. */
typedef struct listed_pair {
    const char *left, *right, *output;
    const char *calibration; /* NULL: none */
    int line;                /* in the file, from 1 */
} listed_pair;

typedef struct pair_list {
    listed_pair *pairs;
    int64_t count;
    char *text; /* the file; the names point into it */
} pair_list;

/* Reads a file of lines LEFT tab RIGHT tab OUTPUT, and optionally tab CALIBRATION. Empty lines and those that begin
 * with # are ignored.
 * Errors: SV_FAILED, with the line, for a file that cannot be read or is wrong, and if it has no pair.
 * Lifetime: the caller frees the list with pair_list_free, also after an error. */
sv_status pair_list_read(pair_list *list, const char *path, sv_error *error);

void pair_list_free(pair_list *list);

#endif
