/* A run without a window: matches the frames, and writes and scores what was requested. */
#ifndef APP_HEADLESS_H
#define APP_HEADLESS_H

#include "app/options.h"
#include "app/stats.h"

/* Opens the session, matches its frames until the last one or until stop_requested, and completes every output.
 * Errors: SV_USAGE, SV_FAILED or SV_NO_DEVICE, with what could not be opened, matched or written; what was matched
 * before is written. Thread: main. */
sv_status headless_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error);

#endif
