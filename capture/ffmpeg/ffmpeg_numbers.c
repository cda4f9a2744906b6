/* The numbers of the pictures of a video: their positions in the timeline, the time stamps of all packets from the
 * beginning of the file.
 *
 * Packets fill the timeline while the file is read from its beginning. After a seek a second demuxer, the scanner,
 * reads ahead, without decoding, as far as a number requires. If time stamps do not identify the pictures, a seek
 * decodes from the beginning and counts. Recordings on the network are not read twice: there the number follows from
 * the time. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <string.h>

/* False if an edit list excludes the picture, or it is only a reference for others. */
static bool is_shown(const AVStream *stream, const AVPacket *packet) {
    if (packet->flags & AV_PKT_FLAG_DISCARD) return false;
    /* RFC 6386, 9.1: the bit show_frame of the frame tag. */
    return stream->codecpar->codec_id != AV_CODEC_ID_VP8 || (packet->data[0] & 0x10);
}

void ffmpeg_note_packet(file_source *self, const AVFormatContext *container, const AVPacket *packet) {
    const AVStream *stream = container->streams[self->demuxer.stream];
    if (self->numbers.packets_seen == 0) self->numbers.first_dts = packet->dts;
    /* Raw MPEG-1 and MPEG-2 have stamps, of which the first is wrong. */
    const bool stamped = (packet->pts != AV_NOPTS_VALUE || packet->dts != AV_NOPTS_VALUE) &&
                         strcmp(container->iformat->name, "mpegvideo");
    if (!self->numbers.packets_seen++ && !stamped) self->untimed = self->numbers.timeline.irregular = true;
    /* Decoding times that go back show that time stamps are wrong. */
    if (packet->dts != AV_NOPTS_VALUE && self->numbers.last_dts != AV_NOPTS_VALUE &&
        packet->dts <= self->numbers.last_dts)
        self->numbers.timeline.irregular = true;
    self->numbers.last_dts = packet->dts;
    if (!is_shown(stream, packet)) return;
    if (self->numbers.first_stamp == AV_NOPTS_VALUE) self->numbers.first_stamp = packet->pts;
    timeline_add(&self->numbers.timeline, packet->pts);
}

bool ffmpeg_is_numbered(const file_source *self) {
    return self->pictures.count == 0 && !self->numbers.timeline.irregular &&
           (!self->demuxer.protocols || self->numbers.feeding || self->numbers.timeline.complete);
}

int64_t ffmpeg_number_of(const file_source *self, int64_t stamp) {
    return timeline_find(&self->numbers.timeline, stamp) - timeline_find(&self->numbers.timeline, self->origin);
}

/* Opens the file once more, at the packet where the timeline ends. */
static sv_status open_scanner(file_source *self, sv_error *error) {
    int result = 0;
    sv_status status = ffmpeg_open_again(self, &self->numbers.scanned, error);
    if (status != SV_OK) return status;
    sv_log(SV_LOG_DEBUG, "%s: its packets are read again to number its frames", self->base.name);
    for (int64_t i = 0; i < self->numbers.packets_seen && result >= 0 && !atomic_load(&self->base.interrupted); i++) {
        result = container_read(self->numbers.scanned, self->demuxer.stream, self->packet);
        av_packet_unref(self->packet);
    }
    return SV_OK;
}

/* Adds a packet to the timeline. */
static sv_status scan(file_source *self, sv_error *error) {
    sv_status status = self->numbers.scanned ? SV_OK : open_scanner(self, error);
    if (status != SV_OK) return status;
    if (atomic_load(&self->base.interrupted)) return SV_END;
    const int result = container_read(self->numbers.scanned, self->demuxer.stream, self->packet);
    if (result >= 0)
        ffmpeg_note_packet(self, self->numbers.scanned, self->packet);
    else if (result != AVERROR_INVALIDDATA)
        self->numbers.timeline.complete = true;
    av_packet_unref(self->packet);
    return status;
}

sv_status ffmpeg_scan_to_stamp(file_source *self, int64_t stamp, sv_error *error) {
    sv_status status = SV_OK;
    while (status == SV_OK && !self->numbers.feeding && ffmpeg_is_numbered(self) &&
           !timeline_is_sure(&self->numbers.timeline, timeline_find(&self->numbers.timeline, stamp)))
        status = scan(self, error);
    return status;
}

sv_status ffmpeg_scan_to_number(file_source *self, int64_t number, sv_error *error) {
    sv_status status = SV_OK;
    while (status == SV_OK && ffmpeg_is_numbered(self) &&
           !timeline_is_sure(&self->numbers.timeline, timeline_find(&self->numbers.timeline, self->origin) + number))
        status = scan(self, error);
    return status;
}

void ffmpeg_note_count(file_source *self) {
    if (self->numbers.timeline.complete && self->origin != AV_NOPTS_VALUE && !self->numbers.timeline.irregular)
        atomic_store(&self->base.counted, ffmpeg_number_of(self, INT64_MAX));
}
