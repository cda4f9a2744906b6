/* Cameras as sources: see camera.h.
 *
 * The demuxer is opened without blocking, so that an interruption and a camera that stalls are noticed. */
#include "capture/live/camera.h"

#include "capture/ffmpeg/container.h"
#include "capture/live/controls.h"
#include "capture/live/live.h"
#include "capture/live/v4l2.h"
#include "stereo/alloc.h"

#include <libavdevice/avdevice.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds without a picture after which a camera counts as stalled, and for its first picture. */
static const double stall_limit = 1.5, start_limit = 5;

/* The frame rate that is sufficient if none was requested. */
static const double usual_rate = 30;

/* A time stamp that is further than this from the present, in seconds, does not belong to the clock of sv_seconds. */
static const double largest_lag = 10;

typedef struct camera_source {
    live_source live;
    camera_options asked; /* owns its pixel_format */
    bool reported_clock;
} camera_source;

/* ---- Connecting ------------------------------------------------------------------------------- */

static void set_options(const char *device, const camera_options *asked, AVDictionary **options) {
    const char *format = asked->pixel_format;
    char text[32];
    if (!format && asked->width > 0)
        format = v4l2_fastest_format(device, asked->width, asked->height, asked->rate > 0 ? asked->rate : usual_rate);
    if (asked->width > 0) {
        snprintf(text, sizeof text, "%dx%d", asked->width, asked->height);
        av_dict_set(options, "video_size", text, 0);
    }
    if (asked->rate > 0) {
        snprintf(text, sizeof text, "%.6g", asked->rate);
        av_dict_set(options, "framerate", text, 0);
    }
    if (format) av_dict_set(options, "input_format", v4l2_ffmpeg_name(format), 0);
}

/* Checks what was set: a driver replaces an unsupported size or rate by the nearest supported one. */
static sv_status check_answer(const camera_source *self, sv_error *error) {
    const char *name = self->live.base.name;
    const AVStream *stream = self->live.container->streams[0];
    const int width = stream->codecpar->width, height = stream->codecpar->height;
    const camera_options *asked = &self->asked;
    const source_info *info = &self->live.base.info;
    if (asked->width > 0 && (width != asked->width || height != asked->height))
        return sv_fail(error, SV_USAGE,
                       "%s: the camera does not support the size %dx%d%s%s; --list-cameras lists its sizes", name,
                       asked->width, asked->height, asked->pixel_format ? " for " : "",
                       asked->pixel_format ? asked->pixel_format : "");
    if (info->width > 0 && (width != info->width || height != info->height))
        return sv_fail(error, SV_FAILED, "%s: the camera came back with %dx%d pixels instead of %dx%d; start again",
                       name, width, height, info->width, info->height);
    const double rate = av_q2d(stream->avg_frame_rate);
    if (asked->rate > 0 && info->width == 0 && isfinite(rate) && fabs(rate - asked->rate) > 0.01 * asked->rate)
        sv_log(SV_LOG_WARNING, "%s: sends %.4g frames per second, not the requested %.4g", name, rate, asked->rate);
    return SV_OK;
}

static sv_status connect_camera(live_source *live, sv_error *error) {
    camera_source *self = (camera_source *)live;
    const char *name = live->base.name;
    sv_status status = v4l2_check(name, self->asked.pixel_format, error);
    for (int i = 0; i < self->asked.control_count && status == SV_OK; i++)
        status = controls_set(name, self->asked.controls[i], error);
    const bool back = live->base.info.width > 0;
    if (back && self->asked.equal_to && status == SV_OK)
        status = controls_make_equal(self->asked.equal_to, name, error);
    if (status != SV_OK) return status;
    const AVInputFormat *format = av_find_input_format("v4l2");
    if (!format) return sv_fail(error, SV_NO_DEVICE, "%s: this FFmpeg cannot read cameras (v4l2)", name);
    AVDictionary *options = NULL;
    live->container = sv_must(avformat_alloc_context());
    live->container->flags |= AVFMT_FLAG_NONBLOCK;
    set_options(name, &self->asked, &options);
    const int result = avformat_open_input(&live->container, name, format, &options);
    av_dict_free(&options);
    if (result < 0) return v4l2_fail(name, AVUNERROR(result), error);
    live->started = false;
    status = check_answer(self, error);
    if (status == SV_OK) status = live_open_decoder(live, error);
    if (status != SV_OK) live_disconnect(live);
    return status;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* The time at which the last decoded picture was taken. */
static double time_taken(camera_source *self) {
    const live_source *live = &self->live;
    const double now = sv_seconds();
    const int64_t stamp = live->decoded->best_effort_timestamp;
    const double time = stamp == AV_NOPTS_VALUE ? -INFINITY : (double)stamp * av_q2d(live->codec->pkt_timebase);
    if (fabs(now - time) <= largest_lag) return time;
    if (!self->reported_clock)
        sv_log(SV_LOG_WARNING,
               "%s: its time stamps are from another clock; pictures are paired by their time of arrival",
               live->base.name);
    self->reported_clock = true;
    return now;
}

static double lead(const live_source *live, double time, double now) {
    (void)live;
    return fabs(now - time) <= largest_lag ? 0 : now - time;
}

/* Waits for the next picture. */
static sv_status wait_for_picture(live_source *live, frame **out, sv_error *error) {
    /* The demuxer has no file descriptor to poll. A picture is delayed by at most one nap. */
    const struct timespec nap = {.tv_nsec = 1000000};
    const double rate = live->base.info.rate, begin = sv_seconds();
    const double limit = !live->started ? start_limit : rate > 0 ? fmax(stall_limit, 3 / rate) : stall_limit;
    while (!atomic_load(&live->base.interrupted)) {
        double start = sv_seconds();
        const int result = live_decode(live, &start);
        if (result == 0) return live_make_frame(live, time_taken((camera_source *)live), start, out, error);
        if (result != AVERROR(EAGAIN)) return v4l2_fail(live->base.name, AVUNERROR(result), error);
        if (start - begin > limit)
            return sv_fail(error, SV_FAILED, "%s: the camera has sent no picture for %.1f s", live->base.name, limit);
        nanosleep(&nap, NULL);
    }
    return SV_END;
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static void camera_close(source *base) {
    free((char *)((camera_source *)base)->asked.pixel_format);
    live_destroy(&((camera_source *)base)->live);
}

/* The NULLs are never called: the source reports that it cannot seek. */
static const source_operations camera_operations = {live_read, NULL, NULL, NULL, camera_close};

sv_status source_open_camera(source **out, const char *device, const camera_options *camera,
                             const source_options *options, sv_error *error) {
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    pthread_once(&registered, avdevice_register_all);
    container_take_over_log();
    camera_source *self = sv_alloc(1, sizeof *self);
    self->live.base.operations = &camera_operations;
    self->live.connect = connect_camera;
    self->live.wait = wait_for_picture;
    self->live.lead = lead;
    self->asked = *camera;
    if (camera->pixel_format) self->asked.pixel_format = sv_strdup(camera->pixel_format);
    live_create(&self->live, device, options);
    sv_status status = connect_camera(&self->live, error);
    if (status == SV_OK) status = wait_for_picture(&self->live, &self->live.pending, error);
    if (status != SV_OK) {
        camera_close(&self->live.base);
        return status;
    }
    live_describe(&self->live, "camera");
    sv_log(SV_LOG_INFO, "%s: %s", device, self->live.base.info.description);
    *out = &self->live.base;
    return SV_OK;
}
