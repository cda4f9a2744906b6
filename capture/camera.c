/* Cameras as sources: see camera.h.
 *
 * The demuxer is opened without blocking, so that an interruption and a camera that stalls are noticed. */
#include "capture/camera.h"

#include "capture/container.h"
#include "capture/decoder.h"
#include "capture/v4l2.h"

#include <libavdevice/avdevice.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Without a picture for that long a camera has stalled, seconds; after it was opened it may take its time. */
static const double stall_limit = 1.5, start_limit = 5;

/* A time stamp that is further than this from now is not of the clock of sv_seconds. */
static const double largest_lag = 10;

typedef struct camera_source {
    source base;
    atomic_bool interrupted;
    camera_options asked;
    char *pixel_format; /* owns asked.pixel_format */
    picture_maker maker;
    AVFormatContext *container; /* NULL while it is not connected */
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    frame *pending; /* read when it was opened, and not yet asked for */
    int64_t next_index;
    bool started; /* a picture came since it was connected */
    bool said_broken, said_clock;
} camera_source;

static void disconnect(camera_source *self) {
    avcodec_free_context(&self->codec);
    avformat_close_input(&self->container);
}

/* ---- Connecting ------------------------------------------------------------------------------- */

static int set_options(const camera_options *asked, AVDictionary **options) {
    char text[32];
    int result = 0;
    if (asked->width > 0) {
        snprintf(text, sizeof text, "%dx%d", asked->width, asked->height);
        result = av_dict_set(options, "video_size", text, 0);
    }
    if (result >= 0 && asked->rate > 0) {
        snprintf(text, sizeof text, "%.6g", asked->rate);
        result = av_dict_set(options, "framerate", text, 0);
    }
    if (result >= 0 && asked->pixel_format)
        result = av_dict_set(options, "input_format", v4l2_ffmpeg_name(asked->pixel_format), 0);
    return result;
}

/* Devices take what is nearest to a size and rate that they do not have. */
static sv_status check_answer(const camera_source *self, sv_error *error) {
    const char *name = self->base.name;
    const AVStream *stream = self->container->streams[0];
    const int width = stream->codecpar->width, height = stream->codecpar->height;
    const camera_options *asked = &self->asked;
    const source_info *info = &self->base.info;
    if (asked->width > 0 && (width != asked->width || height != asked->height)) {
        char sizes[320];
        v4l2_sizes(name, asked->pixel_format, sizes, sizeof sizes);
        return sv_fail(error, SV_USAGE, "%s: the camera has no size %dx%d%s%s; it has %s", name, asked->width,
                       asked->height, asked->pixel_format ? " for " : "",
                       asked->pixel_format ? asked->pixel_format : "", sizes[0] ? sizes : "others");
    }
    if (info->width > 0 && (width != info->width || height != info->height))
        return sv_fail(error, SV_FAILED, "%s: the camera came back with %dx%d pixels, it had %dx%d; start again", name,
                       width, height, info->width, info->height);
    const double rate = av_q2d(stream->avg_frame_rate);
    if (asked->rate > 0 && info->width == 0 && isfinite(rate) && fabs(rate - asked->rate) > 0.01 * asked->rate)
        sv_log(SV_LOG_WARNING, "%s: sends %.4g frames a second, not the %.4g that were asked for", name, rate,
               asked->rate);
    return SV_OK;
}

static sv_status connect_camera(camera_source *self, sv_error *error) {
    const char *name = self->base.name;
    sv_status status = v4l2_check(name, self->asked.pixel_format, error);
    if (status != SV_OK) return status;
    const AVInputFormat *format = av_find_input_format("v4l2");
    if (!format) return sv_fail(error, SV_NO_DEVICE, "%s: this FFmpeg cannot read cameras (v4l2)", name);
    AVDictionary *options = NULL;
    self->container = avformat_alloc_context();
    int result = self->container ? set_options(&self->asked, &options) : AVERROR(ENOMEM);
    if (result >= 0) {
        self->container->flags |= AVFMT_FLAG_NONBLOCK;
        result = avformat_open_input(&self->container, name, format, &options);
    }
    av_dict_free(&options);
    if (result < 0) {
        avformat_free_context(self->container); /* NULL if it was the opening that failed */
        self->container = NULL;
        return v4l2_fail(name, AVUNERROR(result), error);
    }
    self->started = false;
    status = check_answer(self, error);
    const AVStream *stream = self->container->streams[0];
    if (status == SV_OK)
        status = decoder_open(&self->codec, stream->codecpar, stream->time_base, &self->maker, true, name, error);
    if (status != SV_OK) disconnect(self);
    return status;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static void note_broken(camera_source *self, const char *reason) {
    if (!self->said_broken)
        sv_log(SV_LOG_WARNING, "%s: a broken picture is skipped, and any further ones (%s)", self->base.name, reason);
    self->said_broken = true;
    atomic_fetch_add(&self->base.broken, 1);
}

/* When self->decoded was taken. */
static double time_taken(camera_source *self) {
    const double now = sv_seconds();
    const int64_t stamp = self->decoded->best_effort_timestamp;
    const double time = stamp == AV_NOPTS_VALUE ? -INFINITY : (double)stamp * av_q2d(self->codec->pkt_timebase);
    if (fabs(now - time) <= largest_lag) return time;
    if (!self->said_clock)
        sv_log(SV_LOG_WARNING, "%s: its time stamps are of another clock; pictures are paired by when they come in",
               self->base.name);
    self->said_clock = true;
    return now;
}

static sv_status make_frame(camera_source *self, double start, frame **out, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const source_info *info = &self->base.info;
    const double time = time_taken(self);
    sv_status status;
    if (info->width > 0 && (picture->width != info->width || picture->height != info->height))
        status = sv_fail(error, SV_FAILED, "%s: its pictures change from %dx%d to %dx%d pixels; start again",
                         self->base.name, info->width, info->height, picture->width, picture->height);
    else
        status = picture_to_frame(&self->maker, picture, self->base.name, out, error);
    av_frame_unref(self->decoded);
    if (status != SV_OK) return status;
    self->started = true;
    (*out)->time = time;
    (*out)->index = self->next_index++;
    (*out)->decoded = sv_seconds();
    (*out)->decode_ms = (float)(1e3 * ((*out)->decoded - start));
    return SV_OK;
}

/* One step of decoding: SV_OK with self->decoded filled in; SV_END if nothing has come yet. */
static sv_status decode(camera_source *self, double *start, sv_error *error) {
    int result = avcodec_receive_frame(self->codec, self->decoded);
    if (result >= 0) return SV_OK;
    result = av_read_frame(self->container, self->packet);
    *start = sv_seconds();
    if (result >= 0) {
        /* A buffer that the driver marks as broken comes without a byte, which would tell the decoder to end. */
        result = self->packet->size > 0 ? avcodec_send_packet(self->codec, self->packet) : AVERROR_INVALIDDATA;
        av_packet_unref(self->packet);
        if (result == AVERROR(ENOMEM)) return sv_fail(error, SV_FAILED, "%s: no memory left", self->base.name);
        if (result < 0) note_broken(self, av_err2str(result));
        return avcodec_receive_frame(self->codec, self->decoded) >= 0 ? SV_OK : SV_END;
    }
    if (result == AVERROR(EAGAIN)) return SV_END;
    return v4l2_fail(self->base.name, AVUNERROR(result), error);
}

/* Waits for the next picture. */
static sv_status wait_for_picture(camera_source *self, frame **out, sv_error *error) {
    /* The demuxer keeps its file to itself, so there is nothing to poll; a picture comes that much late at most. */
    const struct timespec nap = {.tv_nsec = 1000000};
    const double rate = self->base.info.rate, begin = sv_seconds();
    const double limit = !self->started ? start_limit : rate > 0 ? fmax(stall_limit, 3 / rate) : stall_limit;
    while (!atomic_load(&self->interrupted)) {
        double start = sv_seconds();
        const sv_status status = decode(self, &start, error);
        if (status == SV_OK) return make_frame(self, start, out, error);
        if (status != SV_END) return status;
        if (start - begin > limit)
            return sv_fail(error, SV_FAILED, "%s: the camera has sent no picture for %.1f s", self->base.name, limit);
        nanosleep(&nap, NULL);
    }
    return SV_END;
}

static sv_status camera_read(source *base, frame **out, sv_error *error) {
    camera_source *self = (camera_source *)base;
    if (atomic_load(&self->interrupted)) return SV_END;
    if (self->pending) {
        *out = self->pending;
        self->pending = NULL;
        return SV_OK;
    }
    sv_status status = self->container ? SV_OK : connect_camera(self, error);
    if (status == SV_OK) status = wait_for_picture(self, out, error);
    if (status == SV_OK || status == SV_END) return status;
    disconnect(self);
    return SV_FAILED;
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static void camera_interrupt(source *base) { atomic_store(&((camera_source *)base)->interrupted, true); }

static void camera_close(source *base) {
    camera_source *self = (camera_source *)base;
    frame_release(self->pending);
    disconnect(self);
    av_packet_free(&self->packet);
    av_frame_free(&self->decoded);
    picture_maker_destroy(&self->maker);
    free(self->pixel_format);
    free(base->name);
    free(self);
}

/* Nobody seeks a source that says it is not seekable. */
static const source_operations camera_operations = {camera_read, NULL, camera_interrupt, camera_close};

static sv_status open_first(camera_source *self, sv_error *error) {
    source_info *info = &self->base.info;
    sv_status status = connect_camera(self, error);
    if (status == SV_OK) status = wait_for_picture(self, &self->pending, error);
    if (status != SV_OK) return status;
    const double rate = av_q2d(self->container->streams[0]->avg_frame_rate);
    const bool raw = self->codec->codec_id == AV_CODEC_ID_RAWVIDEO;
    info->live = true;
    info->frames = -1;
    info->rate = isfinite(rate) && rate > 0 ? rate : 30; /* a guess, where the driver does not tell */
    info->width = self->pending->grey.width;
    info->height = self->pending->grey.height;
    snprintf(info->description, sizeof info->description, "camera %s %dx%d %.4g fps",
             raw ? av_get_pix_fmt_name(self->codec->pix_fmt) : avcodec_get_name(self->codec->codec_id), info->width,
             info->height, info->rate);
    return SV_OK;
}

sv_status source_open_camera(source **out, const char *device, const camera_options *camera,
                             const source_options *options, sv_error *error) {
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    pthread_once(&registered, avdevice_register_all);
    container_take_over_log();
    camera_source *self = calloc(1, sizeof *self);
    if (!self) return sv_fail(error, SV_FAILED, "%s: no memory left to open it", device);
    self->base.operations = &camera_operations;
    self->base.name = strdup(device);
    self->asked = *camera;
    self->asked.pixel_format = self->pixel_format = camera->pixel_format ? strdup(camera->pixel_format) : NULL;
    self->packet = av_packet_alloc();
    self->decoded = av_frame_alloc();
    sv_status status = SV_OK;
    if (!self->base.name || !self->packet || !self->decoded || (camera->pixel_format && !self->pixel_format))
        status = sv_fail(error, SV_FAILED, "%s: no memory left to open it", device);
    if (status == SV_OK) status = picture_maker_create(&self->maker, options->memory, options->colour, error);
    if (status == SV_OK) status = open_first(self, error);
    if (status != SV_OK) {
        camera_close(&self->base);
        return status;
    }
    *out = &self->base;
    return SV_OK;
}
