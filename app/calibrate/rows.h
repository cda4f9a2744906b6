/* --rows: corrects what the rows of the right picture are still off by after rectification (rig/row_meter.h). */
#ifndef APP_CALIBRATE_ROWS_H
#define APP_CALIBRATE_ROWS_H

#include "app/options/options.h"
#include "base/stats.h"
#include "capture/pair.h"
#include "rig/row_fit.h"

/* True if the rows of this source may be measured: --rows is auto, and the pictures are neither level by construction
 * nor part of a benchmark. */
bool rows_are_wanted(const options *options);

/* Measures the rows before a run without a window, on pairs spread over all of --frames, and corrects the rectification
 * where that helps; the pairing then starts again from its first pair. Sources that are live, cannot seek or are
 * recorded stay as they are. Logs a correction, or that the cameras need an alignment.
 * Errors: SV_FAILED when a side failed or out of memory. */
sv_status rows_correct(const options *options, pairing *pairing, sv_rectification *rectification, sv_error *error);

/* Adds what was measured to the correction that the rectification has; see sv_rectify_rows.
 * Errors: SV_FAILED when out of memory. */
sv_status rows_add(const row_fit *fit, int width, int height, sv_rectification *rectification, sv_error *error);

/* Describes, in one line, a correction that is made, or rows that need an alignment. Returns `text`. */
char *rows_describe(const row_fit *fit, char *text, size_t size);

/* Writes the terms into the statistics: "row_correction_0" to "row_correction_5". */
void rows_count(const double terms[SV_ROW_TERMS], stats *stats);

/* True if any of the terms is not 0. */
bool rows_are_corrected(const double terms[SV_ROW_TERMS]);

#endif
