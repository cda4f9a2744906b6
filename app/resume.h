/* --resume: a run of numbered files that was interrupted goes on. Beside the files of the first pattern, a settings
 * file (the pattern's name with .yaml added) says what they are made of, so that no files of different settings mix. */
#ifndef APP_RESUME_H
#define APP_RESUME_H

#include "app/options.h"

/* Checks that the files that are there were made with these options, or writes the settings file of a new run.
 * Errors: SV_FAILED if they were made with others, or if there are files and no settings file. */
sv_status resume_begin(const options *options, sv_error *error);

/* True if every file of the frame is there; files appear complete or not at all. */
bool resume_has(const options *options, int64_t frame);

#endif
