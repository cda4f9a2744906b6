/* An alignment of two cameras without a board, and without a window. */
#ifndef APP_ALIGN_H
#define APP_ALIGN_H

#include "app/options.h"

/* Gathers points from the pairs that the options name, estimates how the cameras are turned against each other, prints
 * that on standard output and writes the files of --save-calibration.
 * Errors: SV_FAILED, SV_USAGE or SV_NO_DEVICE, with what could not be opened or written, or why the pairs do not
 * determine the cameras. */
sv_status align_run(const options *options, sv_error *error);

#endif
