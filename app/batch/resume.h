/* --resume: a run of numbered files that was interrupted goes on. Beside the files of each pattern, a settings
 * file (the pattern's name with .yaml added) says what they are made of, so that no files of different settings mix. */
#ifndef APP_BATCH_RESUME_H
#define APP_BATCH_RESUME_H

#include "app/options/options.h"
#include "app/options/pair_list.h"

/* Compares these options with the settings files that are there, for any run. With --resume, writes those that are not.
 * Errors: SV_FAILED if they differ; with --resume, also if there are files of a pattern and no settings file. */
sv_status resume_begin(const options *options, sv_error *error);

/* The same for the outputs of a list that have no number in their names. One settings file beside the list says what
 * they are made of. */
sv_status resume_begin_list(const options *options, const pair_list *list, sv_error *error);

/* True if every file of the frame is there; files appear complete or not at all. */
bool resume_has(const options *options, int64_t frame);

#endif
