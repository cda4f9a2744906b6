/* Calibrates with a board, without a window; and what this shares with the window's calibration,
 * app/calibrate/board_finder.h. */
#ifndef APP_CALIBRATE_CALIBRATE_H
#define APP_CALIBRATE_CALIBRATE_H

#include "app/options/options.h"

/* Looks for the board in the pairs that the options name, solves for both cameras, prints the result on standard output
 * and writes the files of --save-calibration. With pictures, every pair counts; with videos and cameras, those in which
 * the board is still and in a new place.
 * Errors: SV_FAILED, SV_USAGE or SV_NO_DEVICE, with what could not be opened, found, solved or written. */
sv_status calibrate_run(const options *options, sv_error *error);

/* Writes one line on where the rig comes from, for a calibration file. Returns `text`. */
char *calibrate_note(const rig_options *options, const board_result *result, char *text, size_t size);

#endif
