/* The disparity range that is found in the pictures: -d auto. */
#ifndef APP_CALIBRATE_AUTO_RANGE_H
#define APP_CALIBRATE_AUTO_RANGE_H

#include "app/media/media.h"
#include "app/options/options.h"
#include "rig/probe.h"

/* Finds the range of the frames that the options name, unless it was chosen, and sets it in both sets of
 * options->match. Two files whose pairs show that the sides are swapped are opened again in the other order, unless the
 * user has determined it. Logs both. A file that can seek is measured at five places, and then continues from the first
 * frame; of other sources the first pair is measured, and put back. Where the pictures do not show the range, the
 * default stays. Nothing happens in a benchmark, and where the pictures are not rectified yet: with --calibrate, and
 * with --align in a window. `rectification`: of the pairing, with a width of 0 for none. Errors: SV_FAILED when out of
 * memory; those of media_open, after which `pairing` is NULL. */
sv_status auto_range_find(options *options, pool_memory memory, const media_colour *colour, pairing **pairing,
                          const sv_rectification *rectification, sv_error *error);

/* Finds the range again with level rows, unless it was chosen: from rows that are a few pixels off, the probe takes
 * disparities that are not there. Logs a line if it changes.
 * Errors: SV_FAILED when out of memory, or if the pairing cannot begin again. */
sv_status auto_range_find_again(options *options, pairing *pairing, const sv_rectification *rectification,
                                sv_error *error);

/* The range of an input that plays. {0} at first. */
typedef struct auto_range {
    double since;    /* by sv_seconds; 0: nothing was measured yet */
    int least, most; /* disparities that were needed since then */
} auto_range;

/* Widens the range, which was not chosen, at once if a measurement needs it. After ten seconds that needed less, both
 * ends go back to what they needed, by at most a quarter, so that colours do not jump. Returns whether `params`
 * changed. `now`: by sv_seconds. */
bool auto_range_follow(auto_range *range, const probe_result *result, double now, sv_params *params);

#endif
