/* When the pictures of a video are shown: by their time stamps, where these fit. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <inttypes.h>
#include <math.h>

int64_t ffmpeg_stamp_of(const AVFrame *picture) {
    return picture->pts != AV_NOPTS_VALUE ? picture->pts : picture->best_effort_timestamp;
}

/* The nominal time between two pictures, seconds. */
static double step_of(const file_source *self) { return 1 / self->base.info.rate; }

double ffmpeg_least_step(const file_source *self) { return fmin(0.1 * step_of(self), 5 * av_q2d(self->tick)); }

/* The time that a picture's stamp gives it, given that it is later than `last`, seconds; NAN if it has no stamp. */
static double stamped_time(const file_source *self, const AVFrame *picture, double last) {
    const int64_t stamp = ffmpeg_stamp_of(picture);
    if (stamp == AV_NOPTS_VALUE || self->origin == AV_NOPTS_VALUE || self->untimed) return NAN;
    const double time = (double)(stamp - self->origin) * av_q2d(self->tick);
    return time > last + ffmpeg_least_step(self) ? time : time + self->times.shift;
}

/* True if one of the next pictures has a time between those of the last one and of this one: the stamp of this one is
 * wrong. */
static bool is_contradicted(file_source *self, double time) {
    const double least = ffmpeg_least_step(self), last = self->times.last;
    const AVFrame *next;
    for (int n = 0; (next = ffmpeg_look_ahead(self, n)); n++) {
        const double then = stamped_time(self, next, last);
        if (then > last + least && then <= time + least) return true;
    }
    return false;
}

/* Gives self->decoded a time between the picture before it and the next stamp, by counting. False if there is no
 * further stamp. `fits`: there is room for exactly the pictures in between. */
static bool count_to_next_stamp(file_source *self, bool *fits) {
    const double step = step_of(self), last = self->times.last;
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

/* Determines self->time. */
static bool determine(file_source *self) {
    const double step = step_of(self), least = ffmpeg_least_step(self), last = self->times.last;
    const double time = stamped_time(self, self->decoded, last);
    const bool first = !isfinite(last),
               moves_on = time > last + least && !(fabs(time - self->times.last_stamped) <= least);
    const bool gap = !first && time > last + 1.5 * step;
    bool fits;
    self->times.last_stamped = time;
    if (moves_on && !(gap && is_contradicted(self, time))) {
        /* Stamps that go on evenly behind a gap were not too late. */
        self->times.since_gap = gap ? 0 : self->times.since_gap + 1;
        if (gap) self->times.before_gap = last;
        if (self->times.since_gap > FFMPEG_AHEAD) self->times.before_gap = INFINITY;
        self->time = time;
        return true;
    }
    if (first || self->untimed) {
        self->time = self->next_index > 0 ? (double)self->next_index * step : fmax(0, last + step);
        return true;
    }
    if (!isnan(time) && !self->times.reported_unfit)
        sv_log(SV_LOG_WARNING,
               "%s: the time stamp of frame %" PRId64 " does not fit those around it; such frames are counted",
               self->base.name, self->next_index);
    self->times.reported_unfit |= !isnan(time);
    if (count_to_next_stamp(self, &fits)) return isnan(time) && fits;
    self->time = last + step;
    if (isnan(time)) return true;
    if (time > self->times.before_gap) { /* the stamps before were too late; no picture has these times */
        self->time = last + 1e-6 * step;
        return false;
    }
    self->times.shift += self->time - time;
    self->times.last_stamped = self->time;
    return true;
}

bool ffmpeg_determine_time(file_source *self) {
    const bool sure = determine(self);
    self->times.last = self->time;
    return sure;
}

void ffmpeg_restart_times(file_source *self) {
    self->times.last = -INFINITY;
    self->times.last_stamped = NAN;
    self->times.before_gap = INFINITY;
    self->times.shift = 0;
}
