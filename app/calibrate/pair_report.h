/* Reports the state of a rig (rig/state.h) in words with the options that fix what is wrong, and in --stats. */
#ifndef APP_CALIBRATE_PAIR_REPORT_H
#define APP_CALIBRATE_PAIR_REPORT_H

#include "base/stats.h"
#include "rig/state.h"

/* Writes "vertical_offset_px" and its number of points into the statistics, and for each item of the state its figure
 * and its grade (0 unknown, 1 good, 2 doubtful, 3 bad): "rig_input" and "rig_input_grade" to "rig_range_grade". */
void pair_report_count(const rig_facts *facts, const sv_rig_state *state, stats *stats);

/* The value to two decimals, which is never "-0.00". */
double pair_report_value(double value);

/* Describes the row offset in one line, with advice if it is too large. Returns `text`. */
char *pair_report_rows(const rig_facts *facts, const sv_rig_state *state, char *text, size_t size);

/* Writes one line: how much darker one picture is and, if that degrades matching, which prefilter helps. NULL if both
 * are equally bright; otherwise returns `text`. */
const char *pair_report_brightness(const brightness *brightness, const sv_params *params, char *text, size_t size);

/* Writes one line about an item that is doubtful or bad, with the option that fixes it. NULL about others, and about
 * rows and brightness, which have lines of their own. `offset`: frames, of --offset as it is. */
const char *pair_report_describe(const sv_rig_state *state, sv_rig_item item, double offset, char *text, size_t size);

#endif
