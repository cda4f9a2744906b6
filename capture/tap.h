/* A tap receives what a source sends before it is decoded, to record it. */
#ifndef CAPTURE_TAP_H
#define CAPTURE_TAP_H

struct AVStream;
struct AVPacket;

/* Called by the source's thread for each packet of the stream, which has its time stamps. `of` and `side` are those of
 * source_options. `lead`: to be added to the time stamps, in seconds, to get the times of frames; for a file, these
 * count from its first picture. It must return soon.
 * Lifetime: the packet and its bytes are valid during the call; a tap that keeps them must copy them, because those of
 * a camera lie in memory that is freed when it is closed. */
typedef void source_tap(void *of, int side, const struct AVStream *stream, const struct AVPacket *packet, double lead);

#endif
