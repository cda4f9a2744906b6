/* From decoded pictures to frames with a time and a number. Pictures whose names are time stamps have the times of
 * these. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <inttypes.h>
#include <math.h>

int64_t ffmpeg_find_origin(const file_source *self) {
    if (self->pictures.count > 0) return 0;
    const AVFrame *picture = self->decoded;
    if (!ffmpeg_is_numbered(self) || !timeline_has(&self->numbers.timeline, picture->pts))
        return ffmpeg_stamp_of(picture);
    return self->numbers.first_stamp < picture->pts ? self->numbers.first_stamp : picture->pts;
}

sv_status ffmpeg_stamp(file_source *self, sv_error *error) {
    const AVFrame *picture = self->decoded;
    sv_status status = ffmpeg_scan_to_stamp(self, picture->pts, error);
    if (status != SV_OK) return status;
    if (self->pictures.count > 0) {
        self->index = picture->best_effort_timestamp;
        self->time = sequence_time(&self->pictures, self->index);
        self->damaged = losses_check(&self->losses, false, self->codec, picture);
        return SV_OK;
    }
    const bool sure = ffmpeg_determine_time(self);
    int64_t number = -1;
    if (ffmpeg_is_numbered(self)) {
        if (sure && timeline_has(&self->numbers.timeline, picture->pts)) number = ffmpeg_number_of(self, picture->pts);
        if (number < self->next_index) number = -1;
        if (number < 0) self->numbers.timeline.irregular = true;
    }
    self->index = number >= 0             ? number
                  : self->next_index >= 0 ? self->next_index
                                          : llround(self->time * self->base.info.rate);
    const bool hole = number < 0 || (self->next_index >= 0 && number > self->next_index);
    self->damaged = losses_check(&self->losses, hole, self->codec, picture);
    self->mistimed = !sure;
    self->next_index = self->index + 1;
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
    (*out)->mistimed = self->mistimed;
    (*out)->lost = losses_take(&self->losses);
    (*out)->decoded = sv_seconds();
    (*out)->decode_ms = (float)(1e3 * ((*out)->decoded - start));
    return SV_OK;
}
