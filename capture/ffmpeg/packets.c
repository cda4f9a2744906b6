/* The packets of a video stream: see packets.h. */
#include "capture/ffmpeg/packets.h"

#include <stdlib.h>
#include <string.h>

/* Codecs whose decoder outputs a reference picture when it receives the next one. */
static bool delays_references(enum AVCodecID codec) {
    return codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_MPEG4;
}

static AVPacket *unstamped(packet_reader *reader) {
    AVPacket *first = reader->count > 0 ? reader->held[0] : NULL;
    return first && first->pts == AV_NOPTS_VALUE ? first : NULL;
}

static bool is_transport(const AVFormatContext *container) { return strcmp(container->iformat->name, "mpegts") == 0; }

bool packets_are_lost(packet_pace *pace, const AVFormatContext *container, const AVPacket *packet) {
    const int least_even = 8;
    if (!is_transport(container)) return false;
    const bool known = packet->dts != AV_NOPTS_VALUE && pace->last != 0;
    const int64_t step = known ? packet->dts + 1 - pace->last : 0;
    pace->last = packet->dts != AV_NOPTS_VALUE ? packet->dts + 1 : 0;
    if (step <= 0) return false;
    const int64_t count = pace->step > 0 ? (step + pace->step / 2) / pace->step : 0;
    const bool fits = count > 0 && llabs(step - count * pace->step) <= count;
    const bool lost = fits && count > 1 && pace->even >= least_even;
    pace->even = fits && count == 1 ? pace->even + 1 : 0;
    if (pace->even == 0 && !lost) pace->step = step;
    return lost;
}

/* Reads one more packet after those that are held. */
static int hold(packet_reader *reader) {
    AVPacket *packet = av_packet_alloc();
    int result = packet ? 0 : AVERROR(ENOMEM);
    /* An empty packet stands for an omitted picture; the decoder would take it as the end of the stream. */
    while (result >= 0 && (packet->stream_index != reader->stream || packet->size == 0)) {
        av_packet_unref(packet);
        result = av_read_frame(reader->container, packet);
    }
    if (result < 0) {
        av_packet_free(&packet);
        return result;
    }
    /* FFmpeg gives the first picture of raw MPEG-1 video the time at which it is decoded, and the others none. */
    if (strcmp(reader->container->iformat->name, "mpegvideo") == 0 && packet->flags & AV_PKT_FLAG_KEY)
        packet->pts = AV_NOPTS_VALUE;
    const bool reference = packet->pts == AV_NOPTS_VALUE || packet->pts != packet->dts;
    if (reference && unstamped(reader)) unstamped(reader)->pts = packet->dts;
    if (packet->dts != AV_NOPTS_VALUE) reader->newest = packet->dts + packet->duration;
    if (packets_are_lost(&reader->pace, reader->container, packet)) {
        packet->flags |= AV_PKT_FLAG_CORRUPT;
        if (reader->count > 0) reader->held[reader->count - 1]->flags |= AV_PKT_FLAG_CORRUPT;
    }
    reader->held[reader->count++] = packet;
    return 0;
}

int packets_next(packet_reader *reader, AVPacket *packet) {
    const enum AVCodecID codec = reader->container->streams[reader->stream]->codecpar->codec_id;
    while (!reader->ended && reader->count < PACKETS_HELD &&
           (reader->count < 1 + is_transport(reader->container) ||
            (delays_references(codec) && unstamped(reader) && unstamped(reader)->dts != AV_NOPTS_VALUE))) {
        const int result = hold(reader);
        reader->ended = result == AVERROR_EOF;
        if (result < 0 && !reader->ended) return result;
    }
    if (!reader->count) return AVERROR_EOF;
    /* The last reference picture is shown after all others. */
    if (reader->ended && delays_references(codec) && unstamped(reader) && unstamped(reader)->dts != AV_NOPTS_VALUE)
        unstamped(reader)->pts = reader->newest;
    av_packet_move_ref(packet, reader->held[0]);
    av_packet_free(&reader->held[0]);
    reader->count--;
    for (int i = 0; i < reader->count; i++) reader->held[i] = reader->held[i + 1];
    return 0;
}

void packets_flush(packet_reader *reader) {
    for (int i = 0; i < reader->count; i++) av_packet_free(&reader->held[i]);
    reader->count = 0;
    reader->ended = false;
    reader->pace = (packet_pace){0};
}

bool packet_is_shown(const AVStream *stream, const AVPacket *packet) {
    if (packet->flags & AV_PKT_FLAG_DISCARD) return false;
    /* RFC 6386, 9.1: the bit show_frame of the frame tag. */
    return stream->codecpar->codec_id != AV_CODEC_ID_VP8 || (packet->data[0] & 0x10);
}
