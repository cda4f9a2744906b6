/* Measures the pictures of a rig, for its state (rig/state.h): how well a pair matches as it is, with the sides
 * swapped, with rows shifted, or at another moment. */
#ifndef RIG_PAIR_METER_H
#define RIG_PAIR_METER_H

#include "rig/state.h"

/* Probes with their memory. It belongs to one thread at a time. */
typedef struct pair_meter pair_meter;

/* `rectification`: NULL for none. `threads`: of the CPU, 0 for all cores.
 * Errors: SV_FAILED when out of memory.
 * Lifetime: `rectification` is borrowed until pair_meter_free, which the caller calls. */
sv_status pair_meter_create(pair_meter **out, const sv_rectification *rectification, int threads, sv_error *error);
void pair_meter_free(pair_meter *meter); /* accepts NULL */

/* Measures all facts but the moments. `pair`: grey, in host memory. Takes tens of milliseconds, more if the pair does
 * not match as it is.
 * Errors: as of probe_pair. */
sv_status pair_meter_measure(pair_meter *meter, const sv_pair *pair, const sv_params *params, rig_facts *facts,
                             sv_error *error);

/* ---- Moments ---------------------------------------------------------------------------------- */

/* Forgets those that were added. */
void pair_meter_begin_moments(pair_meter *meter);

/* Keeps a reduced copy of a pair of the same size. `frame`: when it was taken, in frames. `middle`: the right pictures
 * of all are compared with its left one. Those after 2 RIG_MOMENTS_MOST + 1 are ignored.
 * Errors: SV_FAILED when out of memory. */
sv_status pair_meter_add_moment(pair_meter *meter, const sv_pair *pair, int row_shift, double frame, bool middle,
                                sv_error *error);

/* Compares them. `facts`: of a pair of the same rig; they decide what else is tried. Takes about two milliseconds for
 * each moment. Without a middle one `moments` becomes {0}.
 * Errors: as of probe_pair. */
sv_status pair_meter_compare_moments(pair_meter *meter, int reach, const rig_facts *facts, rig_moments *moments,
                                     sv_error *error);

#endif
