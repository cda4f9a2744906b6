/* Reports the row offset of two pictures, in words and in --stats. */
#ifndef APP_CALIBRATE_ALIGNMENT_H
#define APP_CALIBRATE_ALIGNMENT_H

#include "base/stats.h"
#include "rig/alignment.h"

/* Writes "vertical_offset_px" and its number of points into the statistics. */
void alignment_count(const alignment *alignment, stats *stats);

/* The value to two decimals, which is never "-0.00". */
double alignment_shown(double value);

/* Describes the offset in one line, with advice if it is too large. `calibrated`: a calibration is in use. `half`: as
 * in source_info. Returns `text`. */
char *alignment_describe(const alignment *alignment, bool calibrated, bool half, char *text, size_t size);

#endif
