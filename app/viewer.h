/* A run with a window. */
#ifndef APP_VIEWER_H
#define APP_VIEWER_H

#include "app/options.h"
#include "app/stats.h"

/* Opens the window and plays until the user quits. Main thread. */
sv_status viewer_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error);

#endif
