/* Recordings that are read over the network as files are. Only capture/network.c uses this. */
#ifndef CAPTURE_RECORDING_H
#define CAPTURE_RECORDING_H

#include "capture/source.h"

/* As source_open_file, for an address whose `protocols` (FFmpeg's names with commas between, not copied) are allowed,
 * and no others. It fails after `timeout` seconds without an answer. */
sv_status recording_open(source **out, const char *address, const char *protocols, double timeout,
                         const source_options *options, sv_error *error);

#endif
