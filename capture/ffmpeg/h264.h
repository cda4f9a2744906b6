/* Whether reference pictures are missing from a stream of H.264 (ITU-T H.264), by the numbers of its pictures. FFmpeg's
 * decoder puts others in their place without a word. */
#ifndef CAPTURE_FFMPEG_H264_H
#define CAPTURE_FFMPEG_H264_H

#include <libavcodec/packet.h>
#include <stdbool.h>
#include <stdint.h>

/* What a slice header needs of a sequence parameter set, and of a picture parameter set. */
typedef struct h264_sequence {
    bool known, gaps_allowed, frames_only, delta_zero, separate_planes, grey;
    uint8_t number_bits, order_type, order_bits;
} h264_sequence;

typedef struct h264_picture {
    bool known, order_present, redundant_present, weighted;
    uint8_t sequence, weighted_b, references[2];
} h264_picture;

/* Zero before the first packet. */
typedef struct h264_numbers {
    h264_sequence sequences[32];
    h264_picture pictures[256];
    int length_bytes; /* of a NAL unit's length; 0: start codes separate them */
    bool follows;     /* the two numbers below are known */
    uint32_t reference,
        last; /* frame_num: of the last reference picture, as the next one sees it, and of the last slice */
} h264_numbers;

/* Begins a stream, of whose `extra` data (AVCodecParameters) the format of its packets follows. */
void h264_begin(h264_numbers *self, const uint8_t *extra, int size);

/* True if reference pictures are missing before the packet, which is the next one in decoding order. */
bool h264_is_gap(h264_numbers *self, const AVPacket *packet);

/* The next packet does not follow the last one. */
void h264_restart(h264_numbers *self);

#endif
