/* Recordings on a web server, which are read like files. Only capture/live/network.c uses this. */
#ifndef CAPTURE_FFMPEG_WEB_SOURCE_H
#define CAPTURE_FFMPEG_WEB_SOURCE_H

#include "capture/source.h"

/* As source_open_file, for an address. Only its `protocols` (FFmpeg's names, separated by commas) are allowed. It fails
 * after `timeout` seconds without an answer.
 * Lifetime: `protocols` must outlive the source. */
sv_status web_source_open(source **out, const char *address, const char *protocols, double timeout,
                          const source_options *options, sv_error *error);

#endif
