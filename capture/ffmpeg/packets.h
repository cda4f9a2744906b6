/* Reads the packets of a container's video stream, each with its presentation time. */
#ifndef CAPTURE_FFMPEG_PACKETS_H
#define CAPTURE_FFMPEG_PACKETS_H

#include <libavformat/avformat.h>
#include <stdbool.h>

enum { PACKETS_HELD = 32 }; /* more than any codec puts between two reference pictures */

/* The decoding times of a stream; zero before its first packet. */
typedef struct packet_pace {
    int64_t last; /* that of the packet before, plus 1; 0: unknown */
    int64_t step; /* from one packet to the next, ticks; 0: unknown */
    int even;     /* how many packets have followed at this step */
} packet_pace;

/* True if a transport stream lacks pictures before this packet: the decoding times were even so far, and some are left
 * out. Such streams count their packets from 0 to 15, so a loss of 16 shows nowhere else. */
bool packets_are_lost(packet_pace *pace, const AVFormatContext *container, const AVPacket *packet);

typedef struct packet_reader {
    AVFormatContext *container; /* borrowed */
    int stream;
    AVPacket *held[PACKETS_HELD]; /* in decoding order; all but the first have their time */
    int count;
    packet_pace pace;
    int64_t newest; /* decoding time after the last packet, ticks */
    bool ended;
} packet_reader;

/* Reads the next packet of the stream into `packet`, which is empty. Returns 0 or FFmpeg's error.
 *
 * AVI stores decoding times, and MPEG program streams omit time stamps. MPEG-1, -2 and -4 show a reference picture when
 * the next one is decoded, and any other picture at once. So reference pictures are held back until that time is known
 * (ISO/IEC 13818-1, 2.7.4 and the definition of DTS). A packet that still lacks a time stamp has pts AV_NOPTS_VALUE.
 *
 * The packets before and after a place where packets_are_lost have AV_PKT_FLAG_CORRUPT: the first one may lack its end,
 * or have that of a lost one instead. */
int packets_next(packet_reader *reader, AVPacket *packet);

/* Discards the packets that are held back. Call it after a seek in the container, and before closing it. */
void packets_flush(packet_reader *reader);

/* True if the packet is shown as a picture: an edit list does not exclude it, and it is not only a reference for
 * others. */
bool packet_is_shown(const AVStream *stream, const AVPacket *packet);

#endif
