/* A run with a window. */
#ifndef APP_VIEWER_VIEWER_H
#define APP_VIEWER_VIEWER_H

#include "app/options/options.h"
#include "base/stats.h"

/* Opens the window and plays until the user quits, or in a benchmark until the last frame.
 * Errors: SV_NO_DEVICE without a display; SV_USAGE or SV_FAILED, with the name, if the input of the command line cannot
 * be opened; SV_FAILED if OpenGL, the device or memory fails.
 * Thread: main. */
sv_status viewer_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error);

#endif
