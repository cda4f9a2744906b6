/* --resume: continues an interrupted run of numbered files. Beside the files of each pattern, a settings file (the
 * pattern's name with .yaml added) records what they were made with, so that files of different settings do not mix. */
#ifndef APP_BATCH_RESUME_H
#define APP_BATCH_RESUME_H

#include "app/options/options.h"
#include "app/options/pair_list.h"

/* With --resume and --rows auto, takes the row correction, or none, of the files which exist: measured anew it would be
 * another one.
 * Errors: SV_FAILED if their settings file cannot be read. */
sv_status resume_rows(options *options, sv_error *error);

/* Compares these options, with the row correction in use, with the settings files that exist, for any run. With
 * --resume, writes those that are missing. Errors: SV_FAILED if they differ; with --resume, also if there are files of
 * a pattern and no settings file. */
sv_status resume_begin(const options *options, const double rows[SV_ROW_TERMS], sv_error *error);

/* As resume_begin for the outputs of a list that have no number in their names. One settings file beside the list
 * records what they were made with. */
sv_status resume_begin_list(const options *options, const pair_list *list, sv_error *error);

/* True if every file of the frame exists; files appear complete or not at all. */
bool resume_has(const options *options, int64_t frame);

/* With --resume, leaves out the first frames of the range whose files exist. Returns how many. */
int64_t resume_skip(const options *options, frame_range *range);

#endif
