/* Measures the rows of a rig over several of its pairs: matches each at half size and fits a row correction to the
 * corners of all. */
#ifndef RIG_ROW_METER_H
#define RIG_ROW_METER_H

#include "rig/row_fit.h"

typedef struct row_meter row_meter;

enum { ROW_METER_PAIRS = 5 }; /* enough for scenes that fill the picture together */

/* For pictures of width x height. `rectification`: NULL for none; what is measured is what it leaves. `scene`: the
 * disparities that are searched, and the row shift. `threads`: of the matching, 0 for one per core.
 * Errors: SV_FAILED when out of memory; SV_USAGE for a size that cannot be matched.
 * Lifetime: `rectification` is borrowed until row_meter_close, which the caller calls. */
sv_status row_meter_open(row_meter **out, int width, int height, const sv_rectification *rectification,
                         const sv_params *scene, int threads, sv_error *error);

/* Adds a pair: grey, in host memory. Those after ROW_METER_PAIRS are ignored. Takes as long as a match at half size and
 * some tens of milliseconds.
 * Errors: SV_FAILED when out of memory. */
sv_status row_meter_add(row_meter *meter, const sv_pair *pair, sv_error *error);

/* The same, but leaves a pair out that does not show the rows, see rig_shows_rows (rig/state.h). Takes a measurement
 * (rig/pair_meter.h) longer. */
sv_status row_meter_add_if_shown(row_meter *meter, const sv_pair *pair, sv_error *error);

/* How many pairs were added. */
int row_meter_pairs(const row_meter *meter);

/* The points of all pairs that were added.
 * Lifetime: they are the meter's, until it is closed or the next pair is added. */
const row_point *row_meter_points(const row_meter *meter, int *count);

/* Fits the correction to what was added, see row_fit_points. */
sv_status row_meter_fit(const row_meter *meter, row_fit *result, sv_error *error);

void row_meter_close(row_meter *meter); /* accepts NULL */

#endif
