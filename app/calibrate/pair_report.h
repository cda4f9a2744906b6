/* Reports the row offset and the brightness of two pictures, in words and in --stats. */
#ifndef APP_CALIBRATE_PAIR_REPORT_H
#define APP_CALIBRATE_PAIR_REPORT_H

#include "base/stats.h"
#include "rig/brightness.h"
#include "rig/row_offset.h"

/* Writes "vertical_offset_px" and its number of points into the statistics. */
void row_report_count(const row_offset *rows, stats *stats);

/* The value to two decimals, which is never "-0.00". */
double row_report_value(double value);

/* Describes the offset in one line, with advice if it is too large. `calibrated`: a calibration is in use. `half`: as
 * in source_info. Returns `text`. */
char *row_report_describe(const row_offset *rows, bool calibrated, bool half, char *text, size_t size);

/* Writes one line: how much darker one picture is and, if that degrades matching, which prefilter helps. NULL if both
 * are equally bright; otherwise returns `text`. */
const char *brightness_describe(const brightness *brightness, const sv_params *params, char *text, size_t size);

#endif
