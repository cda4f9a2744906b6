/* Nothing that is read is written over. */
#ifndef APP_OVERWRITE_H
#define APP_OVERWRITE_H

#include "app/options.h"

/* Compares every file that a run writes by itself (-o, --stats) with every file that it reads, by device and inode. A
 * pattern stands for all existing files that fit it, whatever their number. SV_USAGE names both. */
sv_status overwrite_check(const options *options, sv_error *error);

/* The same for one file or pattern. `writer`: what would write it, for the message. options->settings itself may
 * replace the file that it names: no other reader takes a settings file. */
sv_status overwrite_check_one(const options *options, const char *writer, const char *pattern, sv_error *error);

#endif
