/* A run without a window: matches the frames, and writes and scores what was requested. */
#ifndef APP_HEADLESS_H
#define APP_HEADLESS_H

#include "app/options.h"
#include "app/stats.h"

sv_status headless_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error);

#endif
