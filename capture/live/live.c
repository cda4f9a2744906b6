/* What cameras and live streams share: see live.h. */
#include "capture/live/live.h"

#include "capture/ffmpeg/decoder.h"
#include "stereo/alloc.h"

#include <libavutil/pixdesc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void live_create(live_source *self, const char *name, const source_options *options) {
    self->base.name = sv_strdup(name);
    self->options = *options;
    self->packet = sv_must(av_packet_alloc());
    self->decoded = sv_must(av_frame_alloc());
    picture_maker_create(&self->maker, options->memory, options->colour);
}

void live_destroy(live_source *self) {
    frame_release(self->pending);
    live_disconnect(self);
    av_packet_free(&self->packet);
    av_frame_free(&self->decoded);
    picture_maker_destroy(&self->maker);
    free(self->base.name);
    free(self);
}

sv_status live_open_decoder(live_source *self, sv_error *error) {
    const AVStream *stream = self->container->streams[self->stream];
    self->damage = (damage){0};
    return decoder_open(&self->codec, stream->codecpar, stream->time_base, &self->maker, true, self->base.name, error);
}

void live_disconnect(live_source *self) {
    avcodec_free_context(&self->codec);
    avformat_close_input(&self->container);
    atomic_store(&self->maker.out_of_memory, false);
}

static void note_broken(live_source *self, const char *reason) {
    if (!self->reported_broken) sv_log(SV_LOG_WARNING, "%s: skipping broken pictures: %s", self->base.name, reason);
    self->reported_broken = self->damage.reported = true;
    atomic_fetch_add(&self->base.broken, 1);
}

/* Passes the packet to the tap, with nearly the time that its frame will have. */
static void tap_packet(live_source *self, double now) {
    const AVStream *stream = self->container->streams[self->stream];
    const int64_t stamp = self->packet->pts != AV_NOPTS_VALUE ? self->packet->pts : self->packet->dts;
    if (!self->options.tap || self->packet->size == 0) return;
    const double time = stamp == AV_NOPTS_VALUE ? -INFINITY : (double)stamp * av_q2d(stream->time_base);
    const double lead = isfinite(time) ? self->lead(self, time, now) : now;
    self->options.tap(self->options.tap_of, self->options.tap_side, stream, self->packet, lead);
}

int live_decode(live_source *self, double *start) {
    int result = avcodec_receive_frame(self->codec, self->decoded);
    if (atomic_load(&self->maker.out_of_memory)) return AVERROR(ENOMEM);
    if (result >= 0) return 0;
    result = av_read_frame(self->container, self->packet);
    *start = sv_seconds();
    if (result < 0) return result;
    if (self->packet->stream_index != self->stream) {
        av_packet_unref(self->packet);
        return AVERROR(EAGAIN);
    }
    tap_packet(self, *start);
    damage_of_packet(&self->damage, self->codec, self->packet);
    /* A buffer that the driver marks as broken arrives empty. An empty packet would make the decoder flush. */
    result = self->packet->size > 0 ? avcodec_send_packet(self->codec, self->packet) : AVERROR_INVALIDDATA;
    av_packet_unref(self->packet);
    if (result == AVERROR(ENOMEM)) return result;
    if (result < 0) note_broken(self, av_err2str(result));
    result = avcodec_receive_frame(self->codec, self->decoded);
    if (atomic_load(&self->maker.out_of_memory)) return AVERROR(ENOMEM);
    return result >= 0 ? 0 : AVERROR(EAGAIN);
}

sv_status live_read(source *base, frame **out, sv_error *error) {
    live_source *self = (live_source *)base;
    if (atomic_load(&base->interrupted)) return SV_END;
    if (self->pending) {
        *out = self->pending;
        self->pending = NULL;
        return SV_OK;
    }
    sv_status status = self->container ? SV_OK : self->connect(self, error);
    if (status == SV_OK) status = self->wait(self, out, error);
    if (status == SV_OK) return status;
    if (atomic_load(&base->interrupted)) return SV_END;
    live_disconnect(self);
    return SV_FAILED;
}

sv_status live_make_frame(live_source *self, double time, double start, frame **out, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const source_info *info = &self->base.info;
    const bool damaged = damage_of_picture(&self->damage, self->codec, picture);
    sv_status status;
    self->maker.colour = source_wants_colour(&self->options);
    if (info->width > 0 && (picture->width != info->width || picture->height != info->height))
        status = sv_fail(error, SV_FAILED, "%s: its pictures change from %dx%d to %dx%d pixels; start again",
                         self->base.name, info->width, info->height, picture->width, picture->height);
    else
        status = picture_to_frame(&self->maker, picture, self->base.name, out, error);
    av_frame_unref(self->decoded);
    if (status != SV_OK) return status;
    self->started = true;
    (*out)->time = time;
    (*out)->damaged = damaged;
    (*out)->index = self->next_index++;
    (*out)->decoded = sv_seconds();
    (*out)->decode_ms = (float)(1e3 * ((*out)->decoded - start));
    return SV_OK;
}

void live_describe(live_source *self, const char *kind) {
    source_info *info = &self->base.info;
    const double rate = av_q2d(self->container->streams[self->stream]->avg_frame_rate);
    const bool raw = self->codec->codec_id == AV_CODEC_ID_RAWVIDEO;
    info->live = true;
    info->frames = -1;
    info->rate = rate > 0 && rate <= 1000 ? rate : 30; /* a guess, if the rate is missing or implausible */
    info->width = self->pending->grey.width;
    info->height = self->pending->grey.height;
    snprintf(info->description, sizeof info->description, "%s %s %dx%d %.4g fps", kind,
             raw ? av_get_pix_fmt_name(self->codec->pix_fmt) : avcodec_get_name(self->codec->codec_id), info->width,
             info->height, info->rate);
}
