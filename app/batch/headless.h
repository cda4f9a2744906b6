/* A run without a window: matches the frames, and writes and scores what was requested. */
#ifndef APP_BATCH_HEADLESS_H
#define APP_BATCH_HEADLESS_H

#include "app/options/options.h"
#include "base/stats.h"
#include "capture/pair.h"

/* What several runs did in total. */
typedef struct headless_totals {
    int64_t frames, files;    /* matched, written */
    int64_t there;            /* frames whose files already existed */
    int64_t values, pixels;   /* pixels of the maps that were looked at: those with a value, and all */
    pairing_counts counts;    /* only of frames that were skipped */
    double prepared, seconds; /* before the first frame, and from then on */
} headless_totals;

/* Opens the session, matches its frames until the last one or until stop_requested, and completes every output; adds to
 * `totals`.
 * Errors: SV_USAGE, SV_FAILED or SV_NO_DEVICE, with what could not be opened, matched or written; what was matched
 * before is written.
 * Thread: main, and for pairs of a list others at the same time, with totals of their own. */
sv_status headless_match(const options *options, const sv_backend *backend, stats *stats, headless_totals *totals,
                         sv_error *error);

void headless_add(headless_totals *to, const headless_totals *totals);

/* Logs what was damaged, if anything was, and what was done, in a line each. */
void headless_report(const headless_totals *totals, stats *stats);

/* headless_match and headless_report. Errors, thread: as headless_match. */
sv_status headless_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error);

#endif
