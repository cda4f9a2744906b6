/* From decoded pictures to frames with a time and a number.
 *
 * A picture of a video is numbered by its position in the timeline, which holds the time stamps of all packets from the
 * beginning of the file. While the file is read from its beginning, its packets fill the timeline. After a seek a
 * second demuxer, the scanner, reads ahead, without decoding, as far as a number requires. If time stamps do not
 * identify the pictures, a seek decodes from the beginning and counts. Recordings on the network are not read twice:
 * there the number after a seek follows from the time. Pictures whose names are time stamps have the times of these. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <inttypes.h>
#include <math.h>

bool ffmpeg_is_numbered(const file_source *self) {
    return self->pictures.count == 0 && !self->timeline.irregular &&
           (!self->protocols || self->feeding || self->timeline.complete);
}

int64_t ffmpeg_number_of(const file_source *self, int64_t stamp) {
    return timeline_find(&self->timeline, stamp) - timeline_find(&self->timeline, self->origin);
}

/* Opens the file once more, at the packet where the timeline ends. */
static sv_status open_scanner(file_source *self, sv_error *error) {
    int result = 0;
    sv_status status = ffmpeg_open_again(self, &self->scanned, error);
    if (status != SV_OK) return status;
    sv_log(SV_LOG_DEBUG, "%s: its packets are read again to number its frames", self->base.name);
    self->scanner = (packet_reader){.container = self->scanned, .stream = self->stream};
    for (int64_t i = 0; i < self->packets_seen && result >= 0 && !atomic_load(&self->interrupted); i++) {
        result = packets_next(&self->scanner, self->packet);
        av_packet_unref(self->packet);
    }
    return SV_OK;
}

/* Adds a packet to the timeline. */
static sv_status scan(file_source *self, sv_error *error) {
    sv_status status = self->scanned ? SV_OK : open_scanner(self, error);
    if (status != SV_OK) return status;
    if (atomic_load(&self->interrupted)) return SV_END;
    const int result = packets_next(&self->scanner, self->packet);
    if (result == AVERROR(ENOMEM)) return sv_fail(error, SV_FAILED, "%s: out of memory to read it", self->base.name);
    if (result >= 0)
        status = ffmpeg_note_packet(self, self->scanned, self->packet, error);
    else if (result != AVERROR_INVALIDDATA)
        self->timeline.complete = true;
    av_packet_unref(self->packet);
    return status;
}

sv_status ffmpeg_scan_to_stamp(file_source *self, int64_t stamp, sv_error *error) {
    sv_status status = SV_OK;
    while (status == SV_OK && !self->feeding && ffmpeg_is_numbered(self) &&
           !timeline_is_sure(&self->timeline, timeline_find(&self->timeline, stamp)))
        status = scan(self, error);
    return status;
}

sv_status ffmpeg_scan_to_number(file_source *self, int64_t number, sv_error *error) {
    sv_status status = SV_OK;
    while (status == SV_OK && ffmpeg_is_numbered(self) &&
           !timeline_is_sure(&self->timeline, timeline_find(&self->timeline, self->origin) + number))
        status = scan(self, error);
    return status;
}

sv_status ffmpeg_stamp(file_source *self, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const double rate = self->base.info.rate;
    sv_status status = ffmpeg_scan_to_stamp(self, picture->pts, error);
    if (status != SV_OK) return status;
    int64_t number = -1;
    bool late = false;
    if (ffmpeg_is_numbered(self)) {
        number = timeline_has(&self->timeline, picture->pts) ? ffmpeg_number_of(self, picture->pts) : -1;
        late = number >= 0 && number < self->next_index;
        if (late) number = -1;
        if (number < 0) self->timeline.irregular = true;
    }
    const int64_t at = number >= 0 ? picture->pts : picture->best_effort_timestamp;
    if (at != AV_NOPTS_VALUE && self->origin != AV_NOPTS_VALUE && !self->untimed)
        self->time = (at - self->origin) * av_q2d(self->tick);
    else
        self->time = self->next_index > 0 ? self->next_index / rate : fmax(0, self->last_time + 1 / rate);
    if (self->pictures.count > 0) {
        self->index = at;
        self->time = sequence_time(&self->pictures, at);
        self->damaged = doubt_of_picture(&self->doubt, self->codec, picture);
        return SV_OK;
    }
    /* Pairing needs increasing times, whatever a damaged file says. */
    if (self->time <= self->last_time) self->time = self->last_time + 1 / rate;
    self->index = number >= 0 ? number : self->next_index >= 0 ? self->next_index : llround(self->time * rate);
    /* The decoder reports a lost picture before it outputs those that are shown earlier. */
    if (self->lost && (number < 0 || (self->next_index >= 0 && number > self->next_index))) {
        self->doubt.reported = true;
        self->lost = false;
    }
    /* If a reference picture of MPEG-2 is missing, the one before it comes after those that are shown behind it. */
    self->damaged = doubt_of_picture(&self->doubt, self->codec, picture) || (late && self->damaged);
    self->next_index = self->index + 1;
    self->last_time = self->time;
    return SV_OK;
}

sv_status ffmpeg_decode_and_stamp(file_source *self, sv_error *error) {
    sv_status status = ffmpeg_decode(self, error);
    return status == SV_OK ? ffmpeg_stamp(self, error) : status;
}

sv_status ffmpeg_make_frame(file_source *self, double start, frame **out, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const source_info *info = &self->base.info;
    self->maker.colour = source_wants_colour(&self->options);
    sv_status status;
    if (info->width > 0 && (picture->width != info->width || picture->height != info->height))
        status = sv_fail(error, SV_FAILED,
                         "%s: its pictures change from %dx%d to %dx%d pixels at frame %" PRId64 "%s; split it there",
                         self->base.name, info->width, info->height, picture->width, picture->height, self->index,
                         self->index == self->made_to ? "" : " or before it");
    else if (picture->width > SV_MAX_SIDE || picture->height > SV_MAX_SIDE)
        status = sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels; at most %d per side are supported",
                         self->base.name, picture->width, picture->height, SV_MAX_SIDE);
    else
        status = picture_to_frame(&self->maker, picture, self->base.name, out, error);
    av_frame_unref(self->decoded);
    if (status != SV_OK) {
        self->ended = true;
        return status;
    }
    (*out)->time = self->time;
    (*out)->index = self->index;
    self->made_to = self->index + 1;
    (*out)->damaged = self->damaged;
    (*out)->lost = self->lost_now;
    self->lost_now = 0;
    (*out)->decoded = sv_seconds();
    (*out)->decode_ms = (float)(1e3 * ((*out)->decoded - start));
    return SV_OK;
}
