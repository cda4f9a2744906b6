/* Aligns two cameras without a board and without a window; and what this shares with the window's alignment,
 * app/calibrate/live_align.h. */
#ifndef APP_CALIBRATE_ALIGN_H
#define APP_CALIBRATE_ALIGN_H

#include "app/options/options.h"
#include "capture/pair.h"
#include "rig/align_points.h"

/* Gathers points from the pairs that the options name, estimates the rotation between the cameras, prints it on
 * standard output and writes the files of --save-calibration.
 * Errors: SV_FAILED, SV_USAGE or SV_NO_DEVICE, with what could not be opened or written, or why the pairs do not
 * determine the cameras. */
sv_status align_run(const options *options, sv_error *error);

/* The same for the pairs of an open pairing, which then starts again from its first pair; computes the rectification,
 * too.
 * Errors: SV_FAILED, as above.
 * Lifetime: the caller frees the rectification. */
sv_status align_pairing(const options *options, pairing *pairing, sv_rectification *rectification, sv_error *error);

/* The largest number of pairs from which points are gathered. */
enum { ALIGN_MOST_PAIRS = 20 };

/* Finds the points of a pair: grey, in host memory; see align_points_find. */
sv_status align_find_points(const rig_options *options, const source_info *info, const sv_pair *pair, int threads,
                            selfalign_point points[ALIGN_POINTS_MOST], int *count, sv_error *error);

/* Estimates the rig, see selfalign, with that field of view and the baseline that the options name. `rig` is that of
 * the result, in metres if the baseline is known.
 * Errors: those of selfalign. */
sv_status align_estimate(const rig_options *options, const source_info *info, const selfalign_point *points, int count,
                         selfalign_result *result, sv_rig *rig, sv_error *error);

/* Writes one line on where the rig comes from, for a calibration file. Returns `text`. */
char *align_note(const rig_options *options, const source_info *info, const selfalign_result *result, char *text,
                 size_t size);

#endif
