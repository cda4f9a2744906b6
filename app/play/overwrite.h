/* Protects the files of a run: what it reads is not overwritten, and no two outputs are one file. */
#ifndef APP_PLAY_OVERWRITE_H
#define APP_PLAY_OVERWRITE_H

#include "app/options/options.h"
#include "app/options/pair_list.h"

/* Adds the files that these options read to the inputs of the run (base/inputs.h), which file_create refuses to
 * replace. A window may replace the file of --settings. */
void overwrite_add_inputs(const options *options);

/* Adds the inputs of the options, and those of the list if there is one (NULL: none). Refuses an output that is one of
 * them, or has the path of another output. The number of a pattern stands for any number of an input; two patterns are
 * compared as texts.
 * Errors: SV_USAGE, naming both options; SV_FAILED for a file that cannot be written there, without the list's. */
sv_status overwrite_check(const options *options, const pair_list *list, sv_error *error);

/* Refuses the pattern of an output whose file of that frame cannot be written where it is to be.
 * Errors: SV_FAILED with the file. */
sv_status overwrite_check_place(const char *pattern, int64_t frame, sv_error *error);

#endif
