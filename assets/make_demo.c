/* Makes the demo pair: renders the synthetic scene and encodes both sides as H.264 with FFmpeg's libx264.
 *
 *     make_demo FOLDER                         writes FOLDER/demo_left.mp4 and FOLDER/demo_right.mp4
 *     make_demo --truth PATTERN --frames A:B   writes the exact disparities of frames A to B - 1, as truth_%06d.pfm
 *
 * Luma has full range, so that the decoder's luma plane is the grey picture. Nothing depends on the time or the
 * machine: the same libraries write the same bytes. */
#include "capture/synthetic/synthetic.h"
#include "map/export.h"

#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    AVFormatContext *file;
    AVCodecContext *codec;
    AVStream *stream;
    AVFrame *picture;
    AVPacket *packet;
    struct SwsContext *scaler;
} writer;

/* Returns `result`, or prints the error and exits: a tool has nothing to save. */
static int must(int result, const char *what) {
    if (result >= 0) return result;
    fprintf(stderr, "make_demo: %s: %s\n", what, av_err2str(result));
    exit(1);
}

static void open_codec(writer *w, const scene *scene) {
    const AVCodec *codec = avcodec_find_encoder_by_name("libx264");
    if (!codec) must(AVERROR_ENCODER_NOT_FOUND, "this FFmpeg has no libx264");
    w->codec = avcodec_alloc_context3(codec);
    w->codec->width = scene->width;
    w->codec->height = scene->height;
    w->codec->pix_fmt = AV_PIX_FMT_YUV420P;
    w->codec->color_range = AVCOL_RANGE_JPEG;
    w->codec->colorspace = AVCOL_SPC_SMPTE170M;
    w->codec->time_base = (AVRational){1, (int)scene->rate};
    w->codec->framerate = (AVRational){(int)scene->rate, 1};
    w->codec->gop_size = (int)scene->rate; /* one key frame per second, for seeking */
    w->codec->thread_count = 1;            /* the number of threads changes the result */
    w->codec->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER;
    must(av_opt_set(w->codec->priv_data, "preset", "slow", 0), "preset");
    must(av_opt_set(w->codec->priv_data, "crf", "19", 0), "quality");
    must(avcodec_open2(w->codec, codec, NULL), "libx264");
}

static void open_file(writer *w, const char *name) {
    must(avformat_alloc_output_context2(&w->file, NULL, "mp4", name), name);
    w->file->flags |= AVFMT_FLAG_BITEXACT;
    w->stream = avformat_new_stream(w->file, NULL);
    w->stream->time_base = w->codec->time_base;
    w->stream->avg_frame_rate = w->codec->framerate;
    must(avcodec_parameters_from_context(w->stream->codecpar, w->codec), name);
    must(avio_open(&w->file->pb, name, AVIO_FLAG_WRITE), name);
    AVDictionary *options = NULL;
    av_dict_set(&options, "movflags", "+faststart", 0);
    must(avformat_write_header(w->file, &options), name);
    av_dict_free(&options);
}

/* Encodes a picture; NULL ends the stream. */
static void encode(writer *w, const AVFrame *picture) {
    must(avcodec_send_frame(w->codec, picture), "encoding");
    for (;;) {
        int result = avcodec_receive_packet(w->codec, w->packet);
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
        must(result, "encoding");
        w->packet->duration = 1;
        av_packet_rescale_ts(w->packet, w->codec->time_base, w->stream->time_base);
        w->packet->stream_index = w->stream->index;
        must(av_interleaved_write_frame(w->file, w->packet), "writing");
    }
}

static void make_side(const scene *scene, scene_side side, const char *name) {
    writer w = {.picture = av_frame_alloc(), .packet = av_packet_alloc()};
    open_codec(&w, scene);
    open_file(&w, name);
    w.picture->format = w.codec->pix_fmt;
    w.picture->width = scene->width;
    w.picture->height = scene->height;
    w.picture->color_range = w.codec->color_range;
    must(av_frame_get_buffer(w.picture, 0), "a frame");
    w.scaler = sws_getContext(scene->width, scene->height, AV_PIX_FMT_RGB0, scene->width, scene->height,
                              w.codec->pix_fmt, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    const int *matrix = sws_getCoefficients(SWS_CS_ITU601);
    must(sws_setColorspaceDetails(w.scaler, matrix, 1, matrix, 1, 0, 1 << 16, 1 << 16), "conversion");

    size_t stride = 4 * (size_t)scene->width;
    sv_image colour = {malloc(stride * scene->height), stride, scene->width, scene->height, SV_COLOUR8, SV_HOST};
    if (!colour.data) must(AVERROR(ENOMEM), "a frame");
    for (int64_t i = 0; i < scene->frames; i++) {
        scene_render(scene, i, side, colour);
        must(av_frame_make_writable(w.picture), "a frame");
        sws_scale(w.scaler, (const uint8_t *const[]){colour.data}, (const int[]){(int)stride}, 0, scene->height,
                  w.picture->data, w.picture->linesize);
        w.picture->pts = i;
        encode(&w, w.picture);
    }
    encode(&w, NULL);
    must(av_write_trailer(w.file), name);
    must(avio_closep(&w.file->pb), name);
    free(colour.data);
    sws_freeContext(w.scaler);
    avformat_free_context(w.file);
    avcodec_free_context(&w.codec);
    av_frame_free(&w.picture);
    av_packet_free(&w.packet);
}

/* Writes the disparities; points that the right camera does not see are unknown, as in the "nonocc" figures of the
 * benchmarks. */
static void make_truth(const scene *scene, const char *pattern, int64_t first, int64_t end) {
    const size_t pixels = (size_t)scene->width * scene->height;
    float *disparity = malloc(pixels * sizeof *disparity);
    uint8_t *hidden = malloc(pixels);
    if (!disparity || !hidden) must(AVERROR(ENOMEM), "a frame");
    const sv_image map = {disparity, 4 * (size_t)scene->width, scene->width, scene->height, SV_FLOAT32, SV_HOST};
    const sv_image mask = {hidden, scene->width, scene->width, scene->height, SV_REASON8, SV_HOST};
    for (int64_t i = first; i < end; i++) {
        int64_t unfit = 0;
        sv_error error;
        scene_truth(scene, i, map, mask);
        for (size_t p = 0; p < pixels; p++)
            if (hidden[p]) disparity[p] = INFINITY;
        if (export_map(pattern, i, &map, &mask, NULL, &unfit, &error) != SV_OK) {
            fprintf(stderr, "make_demo: %s\n", error.text);
            exit(1);
        }
    }
    free(disparity);
    free(hidden);
}

int main(int count, char **arguments) {
    const scene scene = scene_demo();
    int64_t first, end;
    if (count == 5 && !strcmp(arguments[1], "--truth") && !strcmp(arguments[3], "--frames") &&
        sscanf(arguments[4], "%" SCNd64 ":%" SCNd64, &first, &end) == 2) {
        make_truth(&scene, arguments[2], first, end);
        return 0;
    }
    if (count != 2) {
        fprintf(stderr, "usage: make_demo FOLDER, or make_demo --truth PATTERN.pfm --frames A:B\n");
        return 2;
    }
    static const char *const names[] = {"demo_left.mp4", "demo_right.mp4"};
    av_log_set_level(AV_LOG_ERROR);
    for (int side = SCENE_LEFT; side <= SCENE_RIGHT; side++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", arguments[1], names[side]);
        make_side(&scene, side, name);
    }
    return 0;
}
