/* Whether reference pictures are missing from a stream of MPEG-1 or MPEG-2, by their temporal references (ISO/IEC
 * 13818-2, 6.3.9). FFmpeg's decoder predicts from older ones without a word. */
#ifndef CAPTURE_MPEG2_H
#define CAPTURE_MPEG2_H

#include <libavcodec/packet.h>
#include <stdbool.h>

/* Zero before the first packet. */
typedef struct mpeg2_order {
    bool follows; /* the reference picture before is known */
    int last;     /* its temporal_reference: its place in display order, modulo 1024, in its group of pictures */
} mpeg2_order;

/* True if a reference picture is missing before or in the packet, which is the next one in decoding order. */
bool mpeg2_is_gap(mpeg2_order *self, const AVPacket *packet);

/* The next packet does not follow the last one. */
void mpeg2_restart(mpeg2_order *self);

#endif
