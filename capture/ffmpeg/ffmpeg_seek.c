/* Seeks in videos, to a time or to a numbered picture, and in sequences of pictures. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <math.h>

/* Not every web server can send parts of a file, and demuxers notice that too late. */
static bool can_jump(const file_source *self) {
    return self->demuxer.container && self->origin != AV_NOPTS_VALUE &&
           (self->demuxer.protocols
                ? self->demuxer.container->pb && self->demuxer.container->pb->seekable & AVIO_SEEKABLE_NORMAL
                : ffmpeg_is_numbered(self));
}

/* Jumps to a key frame at or before `seconds`. False if the file cannot do that. */
static bool jump_to_key(file_source *self, double seconds) {
    if (!can_jump(self)) return false;
    const int64_t stamp = self->origin + (int64_t)floor(seconds / av_q2d(self->tick));
    self->demuxer.deadline = sv_seconds() + self->demuxer.timeout;
    return av_seek_frame(self->demuxer.container, self->demuxer.stream, stamp, AVSEEK_FLAG_BACKWARD) >= 0;
}

/* Starts at a key frame at or before `seconds`. If `reopen` is set or the file cannot seek, opens it again and reads
 * from its beginning; `reopen` is then true. */
static sv_status jump(file_source *self, double seconds, bool *reopen, sv_error *error) {
    sv_status status = SV_OK;
    self->numbers.feeding = false;
    ffmpeg_forget_ahead(self);
    *reopen = *reopen || !jump_to_key(self, seconds);
    if (*reopen) status = ffmpeg_rewind(self, error);
    avcodec_flush_buffers(self->codec);
    atomic_store(&self->maker.out_of_memory, false);
    self->ended = status != SV_OK;
    ffmpeg_restart_times(self);
    self->next_index = *reopen && self->numbers.timeline.irregular ? 0 : -1;
    self->started = *reopen;
    losses_restart(&self->losses);
    return status;
}

static void drop_pending(file_source *self) {
    frame_release(self->pending);
    self->pending = NULL;
    ffmpeg_forget_ahead(self);
}

/* Makes the first picture pending that is at or after `target`, in seconds, or whose number is `number` or higher if
 * that is not negative. */
static sv_status go_to(file_source *self, double target, int64_t number, sv_error *error) {
    const source_info *info = &self->base.info;
    /* Containers round time stamps to their tick, so a time computed from a number may be that much later. */
    double slack = fmin(1.01 * av_q2d(self->tick), 0.25 / info->rate);
    double start = sv_seconds();
    bool reopen = false;
    if (self->numbers.timeline.irregular && !self->demuxer.protocols && !self->reported_counting)
        sv_log(SV_LOG_INFO, "%s: its time stamps do not identify the frames; seeking decodes from the beginning",
               self->base.name);
    self->reported_counting |= self->numbers.timeline.irregular;
    /* An index may lead to a key frame after the target, or to none: try earlier positions, and finally the start. */
    for (double back = 0;; back = back > 0 ? 4 * back : 1) {
        double from = fmax(target - back, 0);
        sv_status status = jump(self, from, &reopen, error);
        for (bool first = true; status == SV_OK; first = false) {
            status = ffmpeg_decode_and_stamp(self, error);
            if (status != SV_OK) break;
            if (self->numbers.timeline.irregular && !self->demuxer.protocols && !reopen)
                break; /* only counting helps */
            if (number >= 0 ? self->index < number : self->time < target - slack) {
                losses_take(&self->losses); /* they are not those of the target */
                continue;
            }
            if (first && !reopen && (number >= 0 ? self->index > number : self->time > target + slack)) break;
            return ffmpeg_make_frame(self, start, &self->pending, error);
        }
        av_frame_unref(self->decoded);
        if (status == SV_FAILED) return status;
        if (atomic_load(&self->base.interrupted)) return SV_OK;
        /* After the end: the next read reports it. */
        if (status == SV_END && (reopen || (number < 0 && info->duration > 0 && target > info->duration))) return SV_OK;
        reopen = reopen || from <= 0 || (self->numbers.timeline.irregular && !self->demuxer.protocols);
    }
}

sv_status ffmpeg_seek(source *base, double seconds, sv_error *error) {
    file_source *self = (file_source *)base;
    const double target = fmax(seconds, 0), tick = av_q2d(self->tick);
    drop_pending(self);
    if (self->pictures.count > 0) {
        avcodec_flush_buffers(self->codec);
        atomic_store(&self->maker.out_of_memory, false);
        self->ended = false;
        self->next_picture = sequence_at(&self->pictures, target);
        return SV_OK;
    }
    if (!ffmpeg_is_numbered(self) || self->origin == AV_NOPTS_VALUE || self->demuxer.protocols)
        return go_to(self, target, -1, error);
    const double slack = fmin(1.01 * tick, 0.25 / base->info.rate);
    const double farthest = 1e15; /* ticks: eleven days where they are nanoseconds */
    const int64_t stamp = self->origin + (int64_t)fmin(ceil((target - slack) / tick), farthest);
    self->numbers.feeding = false;
    sv_status status = ffmpeg_scan_to_stamp(self, stamp, error);
    if (status != SV_OK) return status == SV_END ? SV_OK : status;
    if (!ffmpeg_is_numbered(self)) return go_to(self, target, -1, error);
    if (timeline_find(&self->numbers.timeline, stamp) == self->numbers.timeline.count) {
        self->ended = true;
        return SV_OK;
    }
    const int64_t number = ffmpeg_number_of(self, stamp);
    return go_to(self, target, number > 0 ? number : 0, error);
}

sv_status ffmpeg_seek_frame(source *base, int64_t index, double *seconds, sv_error *error) {
    file_source *self = (file_source *)base;
    const double estimate =
        self->pictures.count > 0 ? sequence_time(&self->pictures, index) : (index - 0.25) / base->info.rate;
    *seconds = fmax(0, estimate);
    if (self->pictures.count > 0 || self->demuxer.protocols) return ffmpeg_seek(base, *seconds, error);
    drop_pending(self);
    self->numbers.feeding = false;
    sv_status status = ffmpeg_scan_to_number(self, index, error);
    if (status != SV_OK) return status == SV_END ? SV_OK : status;
    if (ffmpeg_is_numbered(self)) {
        const int64_t place = timeline_find(&self->numbers.timeline, self->origin) + index;
        if (place >= self->numbers.timeline.count) {
            self->ended = true;
            *seconds = fmax(*seconds, base->info.duration);
            return SV_OK;
        }
        *seconds = (self->numbers.timeline.stamps[place] - self->origin) * av_q2d(self->tick);
    }
    status = go_to(self, *seconds, index, error);
    if (status == SV_OK && self->pending) *seconds = self->pending->time;
    return status;
}
