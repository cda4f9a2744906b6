/* Whether reference pictures are missing from a stream of MPEG-1 or MPEG-2, by their temporal references (ISO/IEC
 * 13818-2, 6.3.9). FFmpeg's decoder predicts from older ones without a word. */
#ifndef CAPTURE_FFMPEG_MPEG2_H
#define CAPTURE_FFMPEG_MPEG2_H

#include <libavcodec/packet.h>
#include <stdbool.h>

/* Zero before the first packet. Of a reference picture, temporal_reference is known: its place in display order, modulo
 * 1024, in its group of pictures. */
typedef struct mpeg2_order {
    int references;   /* of the group, decoded one after the other and known: 0, 1 or 2 */
    int last, before; /* their temporal_reference */
    bool begins;      /* a group begins, of which no picture has come */
} mpeg2_order;

/* True if a reference picture is missing before or in the packet, which is the next one in decoding order. */
bool mpeg2_is_gap(mpeg2_order *self, const AVPacket *packet);

/* The next packet does not follow the last one. */
void mpeg2_restart(mpeg2_order *self);

#endif
