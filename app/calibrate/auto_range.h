/* The range of disparities that is found in the pictures: -d auto. */
#ifndef APP_CALIBRATE_AUTO_RANGE_H
#define APP_CALIBRATE_AUTO_RANGE_H

#include "app/media/media.h"
#include "app/options/options.h"
#include "rig/probe.h"

/* Finds the range for the frames that the options name, unless it was chosen, and sets it in options->match, in the
 * second set, too; logs one line. Where the
 * pairs show that the sides of two files are swapped, opens these again in the other order, and says so, unless the
 * user has determined the order. A file that can seek is measured at five places spread over these frames, and then
 * continues from the first of them; of other sources the first pair is measured, and put back. Where the pictures do
 * not show it, the default stays. Nothing happens in a benchmark, whose times are to be compared with those of others,
 * and where the pictures are not rectified yet: with --calibrate, and with --align in a window. `rectification`: of the
 * pairing, with a width of 0 for none.
 * Errors: SV_FAILED when out of memory; those of media_open, after which `pairing` is NULL. */
sv_status auto_range_find(options *options, pool_memory memory, const media_colour *colour, pairing **pairing,
                          const sv_rectification *rectification, sv_error *error);

/* Finds the range again, with another rectification, whose rows are level: the probe takes some disparities that are
 * not there from rows that are a few pixels off. Nothing happens if the range was chosen. Logs a line if it changes.
 * Errors: SV_FAILED when out of memory, or if the pairing cannot begin again. */
sv_status auto_range_find_again(options *options, pairing *pairing, const sv_rectification *rectification,
                                sv_error *error);

/* The range of an input that plays. {0} at first. */
typedef struct auto_range {
    double since; /* by sv_seconds; 0: nothing was measured yet */
    int most;     /* the largest disparity that was needed since then */
} auto_range;

/* Widens the range, which was not chosen, at once if a measurement needs it. After ten seconds that needed less, the
 * largest disparity is lowered to what they needed, but by at most a quarter, so that colours do not jump; the smallest
 * one stays. Returns whether `params` changed. `now`: by sv_seconds. */
bool auto_range_follow(auto_range *range, const probe_result *result, double now, sv_params *params);

#endif
