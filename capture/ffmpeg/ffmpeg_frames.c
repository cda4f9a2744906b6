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

int64_t ffmpeg_stamp_of(const AVFrame *picture) {
    return picture->pts != AV_NOPTS_VALUE ? picture->pts : picture->best_effort_timestamp;
}

/* ---- Times -------------------------------------------------------------------------------------- */

/* The nominal time between two pictures, seconds. */
static double step_of(const file_source *self) { return 1 / self->base.info.rate; }

double ffmpeg_least_step(const file_source *self) { return fmin(0.1 * step_of(self), 5 * av_q2d(self->tick)); }

/* The time that a picture's stamp gives it, given that it is later than `last`, seconds; NAN if it has no stamp. */
static double stamped_time(const file_source *self, const AVFrame *picture, double last) {
    const int64_t stamp = ffmpeg_stamp_of(picture);
    if (stamp == AV_NOPTS_VALUE || self->origin == AV_NOPTS_VALUE || self->untimed) return NAN;
    const double time = (double)(stamp - self->origin) * av_q2d(self->tick);
    return time > last + ffmpeg_least_step(self) ? time : time + self->shift;
}

/* True if one of the next pictures has a time between those of the last one and of this one: the stamp of this one is
 * wrong. */
static bool is_contradicted(file_source *self, double time) {
    const double least = ffmpeg_least_step(self), last = self->last_time;
    const AVFrame *next;
    for (int n = 0; (next = ffmpeg_look_ahead(self, n)); n++) {
        const double then = stamped_time(self, next, last);
        if (then > last + least && then <= time + least) return true;
    }
    return false;
}

/* Gives self->decoded a time between that of the picture before it and the next stamp, by counting. False if there is
 * no further stamp. `fits`: there is room for exactly the pictures between these two. */
static bool count_to_next_stamp(file_source *self, bool *fits) {
    const double step = step_of(self), last = self->last_time;
    const AVFrame *next;
    for (int n = 0; (next = ffmpeg_look_ahead(self, n)); n++) {
        const double room = stamped_time(self, next, last) - last;
        if (!(room > ffmpeg_least_step(self))) continue;
        *fits = fabs(room - (n + 2) * step) < 0.5 * step;
        self->time = last + fmin(step, room / (n + 2));
        return true;
    }
    return false;
}

/* Determines self->time, which is later than self->last_time, whatever a damaged file contains. Time stamps are trusted
 * where they fit their neighbours, and pictures are counted between them. False if the time is doubtful. */
static bool determine_time(file_source *self) {
    const double step = step_of(self), least = ffmpeg_least_step(self), last = self->last_time;
    const double time = stamped_time(self, self->decoded, last);
    const bool first = !isfinite(last), moves_on = time > last + least && !(fabs(time - self->last_stamped) <= least);
    const bool gap = !first && time > last + 1.5 * step;
    bool fits;
    self->last_stamped = time;
    if (moves_on && !(gap && is_contradicted(self, time))) {
        /* Stamps that go on evenly behind a gap were not too late. */
        self->since_gap = gap ? 0 : self->since_gap + 1;
        if (gap) self->before_gap = last;
        if (self->since_gap > FFMPEG_AHEAD) self->before_gap = INFINITY;
        self->time = time;
        return true;
    }
    if (first || self->untimed) {
        self->time = self->next_index > 0 ? (double)self->next_index * step : fmax(0, last + step);
        return true;
    }
    if (!isnan(time) && !self->said_unfit)
        sv_log(SV_LOG_WARNING,
               "%s: the time stamp of frame %" PRId64 " does not fit those around it; such frames are counted",
               self->base.name, self->next_index);
    self->said_unfit |= !isnan(time);
    if (count_to_next_stamp(self, &fits)) return isnan(time) && fits;
    self->time = last + step;
    if (isnan(time)) return true;
    if (time > self->before_gap) { /* the stamps before were too late; no picture has these times */
        self->time = last + 1e-6 * step;
        return false;
    }
    self->shift += self->time - time;
    self->last_stamped = self->time;
    return true;
}

sv_status ffmpeg_stamp(file_source *self, sv_error *error) {
    const AVFrame *picture = self->decoded;
    sv_status status = ffmpeg_scan_to_stamp(self, picture->pts, error);
    if (status != SV_OK) return status;
    if (self->pictures.count > 0) {
        self->index = picture->best_effort_timestamp;
        self->time = sequence_time(&self->pictures, self->index);
        self->lost_now += (int)(self->losses_here - self->losses_seen);
        self->losses_seen = self->losses_here;
        self->damaged = damage_of_picture(&self->damage, self->codec, picture);
        return SV_OK;
    }
    const bool sure = determine_time(self);
    int64_t number = -1;
    if (ffmpeg_is_numbered(self)) {
        if (sure && timeline_has(&self->timeline, picture->pts)) number = ffmpeg_number_of(self, picture->pts);
        if (number < self->next_index) number = -1;
        if (number < 0) self->timeline.irregular = true;
    }
    self->index = number >= 0 ? number : self->next_index >= 0 ? self->next_index : llround(self->time / step_of(self));
    self->lost |= self->losses_here > self->losses_seen;
    self->lost_now += (int)(self->losses_here - self->losses_seen);
    self->losses_seen = self->losses_here;
    /* The decoder reports a lost picture before it outputs those that are shown earlier. */
    if (self->lost && (number < 0 || (self->next_index >= 0 && number > self->next_index))) {
        self->damage.reported = true;
        self->lost = false;
    }
    self->damaged = damage_of_picture(&self->damage, self->codec, picture) || !sure;
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
