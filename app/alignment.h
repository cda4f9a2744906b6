/* How the rows of two pictures are aligned, in words and in --stats. */
#ifndef APP_ALIGNMENT_H
#define APP_ALIGNMENT_H

#include "app/stats.h"
#include "rig/alignment.h"

/* Into --stats: "vertical_offset_px" and from how many points. */
void alignment_count(const alignment *alignment, stats *stats);

/* The figure in one line, and what to do if it is off. `calibrated`: a calibration is in use. Returns `text`. */
char *alignment_describe(const alignment *alignment, bool calibrated, char *text, size_t size);

#endif
