/* Measures rows, brightness and disparities of the current pairs at intervals, in a thread of its own. */
#ifndef APP_CALIBRATE_PAIR_MONITOR_H
#define APP_CALIBRATE_PAIR_MONITOR_H

#include "rig/brightness.h"
#include "app/calibrate/pair_report.h"
#include "capture/pair.h"
#include "rig/probe.h"
#include "rig/row_fit.h"

typedef struct pair_monitor pair_monitor;

/* Starts the thread. `rectification` may be NULL. `row_pairs`: on how many different pairs the row correction is
 * measured, at most ROW_METER_PAIRS; 0: it is not.
 * Lifetime: `rectification` must stay valid until pair_monitor_close, which the caller calls. */
pair_monitor *pair_monitor_open(const sv_rectification *rectification, int row_pairs);

/* Offers a pair. The newest one is measured when a second has passed since the last measurement began, or longer
 * if that took much of the processor. Never waits.
 * Thread: one at a time.
 * Lifetime: the pair's frames are retained until then. */
void pair_monitor_offer(pair_monitor *monitor, const frame_pair *pair, const sv_params *params);

/* The latest result; false if there is none yet.
 * Thread: any. */
bool pair_monitor_latest(pair_monitor *monitor, row_offset *figure);

/* The same, but waits for a measurement in progress, or for the first one.
 * Thread: the one that offers pairs. */
bool pair_monitor_last(pair_monitor *monitor, row_offset *figure);

/* The brightness of the pictures that the latest result is from; false if there is none yet.
 * Thread: any. */
bool pair_monitor_brightness(pair_monitor *monitor, brightness *brightness);

/* What the probe found in the latest pair; true once for each measurement.
 * Thread: any. */
bool pair_monitor_take_probe(pair_monitor *monitor, probe_result *result);

/* True if the sides of the latest pair are swapped, see probe_is_swapped. Not measured with a rectification, which
 * determines the sides.
 * Thread: any. */
bool pair_monitor_swapped(pair_monitor *monitor);

/* True once the row correction has been measured on all pairs that it is measured on.
 * Thread: any. */
bool pair_monitor_rows(pair_monitor *monitor, row_fit *fit);

void pair_monitor_close(pair_monitor *monitor); /* accepts NULL */

#endif
