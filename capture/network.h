/* Sources that come over the network: broadcasts, and recordings on a web server. */
#ifndef CAPTURE_NETWORK_H
#define CAPTURE_NETWORK_H

#include "capture/source.h"

/* True if `name` is an address, scheme://..., and not the name of a file. */
bool network_is_address(const char *name);

/* The schemes that are opened, with spaces between: "http https rtsp ...". */
const char *network_schemes(void);

/* Opens an address of one of these schemes and nothing else that it may refer to. `timeout`: seconds without an answer
 * or a picture after which it has failed, above 0.
 *
 * A recording on a web server (http, https; its length is known) is read as a file is. All else is live: frame.time is
 * when the picture came in, smoothed by its time stamp, and when it fails, the next read connects again. The first
 * frame is decoded so that `info` is true. */
sv_status source_open_network(source **out, const char *address, double timeout, const source_options *options,
                              sv_error *error);

#endif
