/* Measures the current pairs at intervals, in a thread of its own, for the state of the rig (rig/state.h), the range of
 * disparities and the row correction. */
#ifndef APP_CALIBRATE_PAIR_MONITOR_H
#define APP_CALIBRATE_PAIR_MONITOR_H

#include "capture/pair.h"
#include "rig/row_fit.h"
#include "rig/state.h"

typedef struct pair_monitor pair_monitor;

typedef struct pair_monitor_options {
    const sv_rectification *rectification; /* NULL for none; borrowed until pair_monitor_close */
    int row_pairs; /* different pairs to measure the row correction on, at most ROW_METER_PAIRS; 0: not measured */
    bool half;     /* both pictures are parts of one */
    int reach;     /* frames to either side, of which right pictures are compared, see moments_reach; 0: none are */
    double rate;   /* frames a second; 1 for pictures, whose time is their index */
    rig_moments moments; /* without a reach: those that were compared before, or {0} */
} pair_monitor_options;

/* Starts the thread.
 * Lifetime: the caller calls pair_monitor_close. */
pair_monitor *pair_monitor_open(const pair_monitor_options *options);

/* Offers a pair, without waiting. About every second the newest one is measured, and every few seconds those of a
 * second are compared. Thread: one at a time. Lifetime: the pair's frames are retained until then. */
void pair_monitor_offer(pair_monitor *monitor, const frame_pair *pair, const sv_params *params);

/* The latest facts and the state of the rig with `params`; false if there are none yet. What was measured with another
 * range or row shift is unknown.
 * Thread: any. */
bool pair_monitor_judge(pair_monitor *monitor, const sv_params *params, rig_facts *facts, sv_rig_state *state);

/* The same, but waits for a measurement in progress, or for the first one.
 * Thread: the one that offers pairs. */
bool pair_monitor_judge_last(pair_monitor *monitor, const sv_params *params, rig_facts *facts, sv_rig_state *state);

/* What the probe found in the latest pair; true once for each measurement.
 * Thread: any. */
bool pair_monitor_take_probe(pair_monitor *monitor, probe_result *result);

/* True once the row correction has been measured on all pairs that it is measured on, unless these are of different
 * moments.
 * Thread: any. */
bool pair_monitor_rows(pair_monitor *monitor, row_fit *fit);

void pair_monitor_close(pair_monitor *monitor); /* accepts NULL */

#endif
