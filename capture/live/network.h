/* Sources on the network: live streams, and recordings on a web server. */
#ifndef CAPTURE_LIVE_NETWORK_H
#define CAPTURE_LIVE_NETWORK_H

#include "capture/source.h"

/* True if `name` is an address, scheme://..., and not a file name.
 * Thread: any. */
bool network_is_address(const char *name);

/* Writes the supported schemes, separated by spaces: "http https rtsp ...". Returns `text`.
 * Thread: any. */
char *network_schemes(char *text, size_t size);

/* Opens an address of one of these schemes, and nothing else that it may refer to. `timeout`: seconds without an answer
 * or a picture after which it has failed, above 0.
 *
 * A recording on a web server (http, https, of known length) is read like a file. Everything else is live: frame.time
 * is the time of arrival, smoothed by the picture's time stamp, and after a failure the next read reconnects. The first
 * frame is decoded so that `info` is valid.
 * Errors: SV_FAILED, with the address and what to do.
 * Lifetime: the caller closes the source with source_close. */
sv_status source_open_network(source **out, const char *address, double timeout, const source_options *options,
                              sv_error *error);

#endif
