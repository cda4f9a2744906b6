/* Encodes pictures into a video file: FFV1 in Matroska, or H.264 in MP4. */
#include "video/writer.h"

#include "stereo/alloc.h"
#include "video/output.h"

#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct video_writer {
    char *name;
    video_kind kind;
    AVFormatContext *muxer;
    AVStream *stream;
    AVCodecContext *codec;
    AVFrame *picture; /* as the encoder takes it */
    AVFrame *colour;  /* VIDEO_COLOUR: RGBA, of an even size */
    struct SwsContext *scaler;
    AVPacket *packet;
    int64_t last; /* time stamp of the last picture */
};

/* ---- Encoders --------------------------------------------------------------------------------- */

static AVCodecContext *make_encoder(const AVCodec *encoder, video_kind kind, int width, int height, double rate) {
    AVCodecContext *c = avcodec_alloc_context3(encoder);
    if (!c) return NULL;
    const bool colour = kind == VIDEO_COLOUR;
    c->width = colour ? (width + 1) & ~1 : width;
    c->height = colour ? (height + 1) & ~1 : height;
    c->pix_fmt = colour ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_GRAY16;
    c->time_base = colour ? (AVRational){1, 90000} : (AVRational){1, 1000};
    c->framerate = av_d2q(rate, 1000000);
    c->max_b_frames = 0;
    c->color_range = colour ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG;
    if (colour) {
        c->colorspace = AVCOL_SPC_BT709;
        c->color_primaries = AVCOL_PRI_BT709;
        c->color_trc = AVCOL_TRC_BT709;
        c->bit_rate = (int64_t)(0.3 * width * height * rate); /* for encoders without crf */
        if (av_opt_set(c->priv_data, "crf", "18", 0) >= 0) c->bit_rate = 0;
        av_opt_set(c->priv_data, "preset", "veryfast", 0);
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    } else {
        const bool slices = width > 1 && height > 1; /* two across, two down */
        c->level = slices ? 3 : 1;
        c->gop_size = 1;
        if (slices) c->slices = 4;
        if (slices) av_opt_set(c->priv_data, "slicecrc", "1", 0);
    }
    return c;
}

/* Opens the first encoder of the kind that works here: FFmpeg also lists encoders whose hardware is missing. */
static sv_status open_encoder(video_writer *w, int width, int height, double rate, sv_error *error) {
    const bool colour = w->kind == VIDEO_COLOUR;
    const enum AVCodecID id = colour ? AV_CODEC_ID_H264 : AV_CODEC_ID_FFV1;
    void *at = NULL;
    const AVCodec *encoder;
    while ((encoder = av_codec_iterate(&at))) {
        if (!av_codec_is_encoder(encoder) || encoder->id != id) continue;
        w->codec = make_encoder(encoder, w->kind, width, height, rate);
        if (w->codec && avcodec_open2(w->codec, encoder, NULL) >= 0) return SV_OK;
        avcodec_free_context(&w->codec);
    }
    return sv_fail(error, SV_FAILED, "cannot write %s: this FFmpeg has no encoder for %s", w->name,
                   colour ? "H.264; install one with libx264, or write .mkv" : "FFV1 with 16-bit grey");
}

/* ---- Opening ---------------------------------------------------------------------------------- */

static AVFrame *make_picture(const AVCodecContext *c, enum AVPixelFormat format) {
    AVFrame *f = av_frame_alloc();
    if (!f) return NULL;
    f->format = format;
    f->width = c->width;
    f->height = c->height;
    if (av_frame_get_buffer(f, 0) < 0) av_frame_free(&f);
    return f;
}

static sv_status open_conversion(video_writer *w, sv_error *error) {
    const AVCodecContext *c = w->codec;
    w->packet = sv_must(av_packet_alloc());
    w->picture = make_picture(c, c->pix_fmt);
    if (w->picture) w->picture->color_range = c->color_range;
    if (w->kind == VIDEO_COLOUR) {
        w->colour = make_picture(c, AV_PIX_FMT_RGBA);
        w->scaler = sws_getContext(c->width, c->height, AV_PIX_FMT_RGBA, c->width, c->height, c->pix_fmt, SWS_POINT,
                                   NULL, NULL, NULL);
        if (w->scaler)
            sws_setColorspaceDetails(w->scaler, sws_getCoefficients(SWS_CS_ITU709), 1,
                                     sws_getCoefficients(SWS_CS_ITU709), 0, 0, 1 << 16, 1 << 16);
    }
    const bool all = w->picture && (w->kind == VIDEO_GREY16 || (w->colour && w->scaler));
    return all ? SV_OK : sv_fail(error, SV_FAILED, "out of memory for %s", w->name);
}

static sv_status open_stream(video_writer *w, FILE *stream, sv_error *error) {
    sv_status status = output_open(&w->muxer, stream, w->kind == VIDEO_COLOUR ? "mp4" : "matroska", w->name, error);
    if (status != SV_OK) return status;
    if (w->kind == VIDEO_COLOUR && !w->muxer->pb->seekable)
        return sv_fail(error, SV_FAILED, "cannot write %s: MP4 needs a file, not a pipe; write .mkv instead", w->name);
    w->stream = sv_must(avformat_new_stream(w->muxer, NULL));
    if (avcodec_parameters_from_context(w->stream->codecpar, w->codec) < 0) sv_must(NULL);
    w->stream->time_base = w->codec->time_base;
    w->stream->avg_frame_rate = w->codec->framerate;
    const int result = avformat_write_header(w->muxer, NULL);
    return result >= 0 ? SV_OK : output_failed(w->muxer, w->name, result, error);
}

sv_status video_open(video_writer **out, FILE *stream, const char *name, video_kind kind, int width, int height,
                     double rate, sv_error *error) {
    video_writer *w = *out = sv_alloc(1, sizeof *w);
    w->name = sv_strdup(name);
    w->kind = kind;
    w->last = INT64_MIN;
    sv_status status = open_encoder(w, width, height, rate, error);
    if (status == SV_OK) status = open_conversion(w, error);
    if (status == SV_OK) status = open_stream(w, stream, error);
    if (status == SV_OK) return SV_OK;
    video_close(w);
    *out = NULL;
    return status;
}

void video_close(video_writer *w) {
    if (!w) return;
    sws_freeContext(w->scaler);
    av_frame_free(&w->colour);
    av_frame_free(&w->picture);
    av_packet_free(&w->packet);
    avcodec_free_context(&w->codec);
    output_close(&w->muxer);
    free(w->name);
    free(w);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Encodes w->picture, or with `last` what the encoder still holds, and writes the packets that come out. */
static sv_status encode(video_writer *w, bool last, sv_error *error) {
    int result = avcodec_send_frame(w->codec, last ? NULL : w->picture);
    while (result >= 0) {
        result = avcodec_receive_packet(w->codec, w->packet);
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return SV_OK;
        if (result < 0) break;
        w->packet->stream_index = 0;
        av_packet_rescale_ts(w->packet, w->codec->time_base, w->stream->time_base);
        result = av_interleaved_write_frame(w->muxer, w->packet);
    }
    return output_failed(w->muxer, w->name, result, error);
}

static void copy_rows(const sv_image *from, AVFrame *to, size_t bytes) {
    for (int y = 0; y < from->height; y++)
        memcpy(to->data[0] + y * to->linesize[0], sv_row(from, y), (size_t)from->width * bytes);
}

/* Copies a colour picture. Where an even size needs one more row or column, the last one is repeated. */
static void copy_colour(const sv_image *from, AVFrame *to) {
    copy_rows(from, to, 4);
    for (int y = 0; y < from->height && to->width > from->width; y++)
        memcpy(to->data[0] + y * to->linesize[0] + 4 * from->width,
               to->data[0] + y * to->linesize[0] + 4 * (from->width - 1), 4);
    if (to->height > from->height)
        memcpy(to->data[0] + from->height * to->linesize[0], to->data[0] + (from->height - 1) * to->linesize[0],
               (size_t)to->width * 4);
}

sv_status video_write(video_writer *w, const sv_image *picture, double time, sv_error *error) {
    if (av_frame_make_writable(w->picture) < 0) return sv_fail(error, SV_FAILED, "out of memory for %s", w->name);
    if (w->kind == VIDEO_GREY16) {
        copy_rows(picture, w->picture, 2);
    } else {
        copy_colour(picture, w->colour);
        sws_scale(w->scaler, (const uint8_t *const *)w->colour->data, w->colour->linesize, 0, w->colour->height,
                  w->picture->data, w->picture->linesize);
    }
    const int64_t stamp = llround(time / av_q2d(w->codec->time_base));
    w->last = w->picture->pts = stamp > w->last ? stamp : w->last + 1;
    return encode(w, false, error);
}

sv_status video_finish(video_writer *w, sv_error *error) {
    sv_status status = encode(w, true, error);
    const int result = av_write_trailer(w->muxer);
    if (status == SV_OK && result < 0) status = output_failed(w->muxer, w->name, result, error);
    return status;
}
