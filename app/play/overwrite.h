/* Protects files that are read from being overwritten. */
#ifndef APP_PLAY_OVERWRITE_H
#define APP_PLAY_OVERWRITE_H

#include "app/options/options.h"
#include "app/options/pair_list.h"

/* Compares every file that a run writes by itself (-o, --stats) with every file that it reads, by device and inode. A
 * pattern stands for all existing files that match it, with any number.
 * Errors: SV_USAGE, naming both files. */
sv_status overwrite_check(const options *options, sv_error *error);

/* The same for one file or pattern. `writer`: what would write it, for the message. options->settings may replace the
 * file that it names, because nothing else reads a settings file. */
sv_status overwrite_check_one(const options *options, const char *writer, const char *pattern, sv_error *error);

/* The same for a list, all of whose outputs are compared with all of its inputs, and with each other.
 * Errors: SV_USAGE, naming the lines; SV_FAILED when out of memory. */
sv_status overwrite_check_list(const options *options, const pair_list *pairs, sv_error *error);

/* Writes the name of a file that matches the pattern of an output to `name`, "" if there is none.
 * Errors: SV_FAILED when out of memory. */
sv_status overwrite_find(const char *pattern, char *name, size_t size, sv_error *error);

#endif
