/* The packets of a container's video stream, each with the time at which its picture is shown. */
#ifndef CAPTURE_PACKETS_H
#define CAPTURE_PACKETS_H

#include <libavformat/avformat.h>
#include <stdbool.h>

enum { PACKETS_HELD = 32 }; /* more than any codec puts between two reference pictures */

typedef struct packet_reader {
    AVFormatContext *container; /* borrowed */
    int stream;
    AVPacket *held[PACKETS_HELD]; /* in decoding order; all but the first are stamped */
    int count;
    int64_t newest; /* decoding time after the last packet, ticks */
    bool ended;
} packet_reader;

/* The next packet of the stream into `packet`, which is empty: 0, or FFmpeg's error.
 *
 * AVI gives each packet the time at which it is decoded, and MPEG program streams leave time stamps out. MPEG-1, -2 and
 * -4 show a reference picture when the next one is decoded, and any other picture at once. So their reference pictures
 * are held back until that time is known (ISO/IEC 13818-1, 2.7.4 and the definition of DTS). What still lacks a time
 * stamp has pts AV_NOPTS_VALUE. */
int packets_next(packet_reader *reader, AVPacket *packet);

/* Forgets what is held back, after the container was sought, and before it is closed. */
void packets_flush(packet_reader *reader);

/* Whether the packet is shown as a picture: not if an edit list leaves it out, and not if it is only there to predict
 * others from. */
bool packet_is_shown(const AVStream *stream, const AVPacket *packet);

#endif
