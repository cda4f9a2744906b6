/* See clip.h. */
#include <stdbool.h>

#include "tests/support/clip.h"
#include "tests/support/test.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <math.h>
#include <string.h>

#define must(call)                                                                                                     \
    do {                                                                                                               \
        int result_ = (call);                                                                                          \
        if (result_ < 0) fail_msg("%s: %s", #call, av_err2str(result_));                                               \
    } while (0)

static AVCodecContext *open_encoder(const clip *clip, const AVOutputFormat *container) {
    const AVCodec *encoder = avcodec_find_encoder_by_name(clip->codec);
    assert_non_null(encoder);
    AVCodecContext *codec = avcodec_alloc_context3(encoder);
    assert_non_null(codec);
    codec->width = clip->width;
    codec->height = clip->height;
    codec->pix_fmt = clip->format;
    codec->color_range = clip->range;
    if (clip->space) codec->colorspace = clip->space;
    codec->time_base = (AVRational){1, clip->rate};
    codec->framerate = (AVRational){clip->rate, 1};
    codec->thread_count = 1;
    codec->gop_size = clip->group ? clip->group : 10;
    codec->max_b_frames = clip->between;
    codec->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL; /* MJPEG of limited range */
    codec->flags |= AV_CODEC_FLAG_QSCALE;
    if (container->flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    codec->global_quality = (clip->quality ? clip->quality : 2) * FF_QP2LAMBDA;
    av_opt_set_double(codec->priv_data, "crf", clip->quality, 0);
    av_opt_set(codec->priv_data, "x265-params", "log-level=none", 0);
    must(avcodec_open2(codec, encoder, NULL));
    return codec;
}

typedef struct muxing {
    const clip *clip;
    AVFormatContext *file;
    int packets;
    int64_t last_dts;
} muxing;

/* Applies the clip's stall to the time stamps of the next packet. */
static void stall(muxing *muxing, AVPacket *packet) {
    const clip *clip = muxing->clip;
    const AVStream *stream = muxing->file->streams[0];
    const bool strict = !(muxing->file->oformat->flags & AVFMT_TS_NONSTRICT);
    if (clip->stall && muxing->packets == clip->stall_at) {
        const int64_t late = av_rescale_q(clip->stall, (AVRational){1, clip->rate}, stream->time_base);
        packet->pts += late;
        packet->dts += late;
    }
    if (clip->stall && muxing->packets++ && packet->dts < muxing->last_dts + strict)
        packet->dts = muxing->last_dts + strict;
    if (packet->pts < packet->dts) packet->pts = packet->dts;
    muxing->last_dts = packet->dts;
}

static void encode(AVCodecContext *codec, muxing *muxing, const AVFrame *picture) {
    AVFormatContext *file = muxing->file;
    AVPacket *packet = av_packet_alloc();
    must(avcodec_send_frame(codec, picture));
    for (;;) {
        int result = avcodec_receive_packet(codec, packet);
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) break;
        must(result);
        if (packet->duration == 0) packet->duration = 1;
        av_packet_rescale_ts(packet, codec->time_base, file->streams[0]->time_base);
        packet->stream_index = 0;
        stall(muxing, packet);
        must(av_interleaved_write_frame(file, packet));
    }
    av_packet_free(&packet);
}

void clip_write(const char *path, const clip *clip, void (*paint)(AVFrame *picture, int index)) {
    AVFormatContext *file = NULL;
    must(avformat_alloc_output_context2(&file, NULL, NULL, path));
    AVCodecContext *codec = open_encoder(clip, file->oformat);
    AVStream *stream = avformat_new_stream(file, NULL);
    assert_non_null(stream);
    stream->time_base = codec->time_base;
    stream->avg_frame_rate = codec->framerate;
    must(avcodec_parameters_from_context(stream->codecpar, codec));
    if (!(file->oformat->flags & AVFMT_NOFILE)) must(avio_open(&file->pb, path, AVIO_FLAG_WRITE));
    AVDictionary *options = NULL;
    av_dict_set(&options, "update", "1", 0); /* image2: the name is no pattern */
    if (clip->muxing) must(av_dict_parse_string(&options, clip->muxing, "=", ":", 0));
    must(avformat_write_header(file, &options));
    av_dict_free(&options);

    muxing muxing = {clip, file, 0, 0};
    AVFrame *picture = av_frame_alloc();
    for (int i = 0; i < clip->frames; i++) {
        if (clip->missing && i >= clip->missing && i <= clip->missing + clip->more_missing) continue;
        picture->format = clip->format;
        picture->width = clip->width;
        picture->height = clip->height;
        picture->color_range = clip->range;
        picture->quality = codec->global_quality;
        picture->pts = clip->late + i;
        must(av_frame_get_buffer(picture, 0));
        for (int p = 0; p < AV_NUM_DATA_POINTERS && picture->buf[p]; p++)
            memset(picture->buf[p]->data, 128, picture->buf[p]->size);
        paint(picture, i);
        encode(codec, &muxing, picture);
        av_frame_unref(picture);
    }
    encode(codec, &muxing, NULL);
    must(av_write_trailer(file));
    if (!(file->oformat->flags & AVFMT_NOFILE)) must(avio_closep(&file->pb));
    av_frame_free(&picture);
    avformat_free_context(file);
    avcodec_free_context(&codec);
}

void clip_paint_number(AVFrame *picture, int index) {
    for (int y = 0; y < picture->height; y++)
        memset(picture->data[0] + y * picture->linesize[0], 40 + 6 * index, picture->width);
}

int clip_number(const uint8_t *grey, size_t stride, int width, int height, bool full_range) {
    double value = grey[height / 2 * stride + width / 2];
    if (!full_range) value = 16 + value * 219 / 255;
    return (int)lround((value - 40) / 6);
}

enum { CODE_BITS = 12, CODE_BLOCK = 16 };

/* The number that stands below another, so that what is left of a damaged picture is not read as a number. */
static int check_of(int number) { return number * 2741 & ((1 << CODE_BITS) - 1); }

void clip_paint_coded(AVFrame *picture, int index) {
    const int numbers[] = {index, check_of(index)};
    uint32_t noise = 1 + (uint32_t)index;
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = picture->data[0] + (ptrdiff_t)y * picture->linesize[0];
        for (int x = 0; x < picture->width; x++) {
            const int bit = x / CODE_BLOCK, line = y / CODE_BLOCK;
            noise = noise * 1664525 + 1013904223;
            if (bit < CODE_BITS && line < 4) /* each bit stands below its inverse */
                row[x] = (numbers[line / 2] >> bit & 1) == line % 2 ? 208 : 48;
            else
                row[x] = (uint8_t)(96 + (noise >> 26));
        }
    }
}

/* The sum of the pixels in the middle of a block. */
static int sum_of_block(const uint8_t *grey, size_t stride, int column, int line) {
    int sum = 0;
    for (int y = 4; y < CODE_BLOCK - 4; y++)
        for (int x = 4; x < CODE_BLOCK - 4; x++)
            sum += grey[(size_t)(line * CODE_BLOCK + y) * stride + (size_t)(column * CODE_BLOCK + x)];
    return sum;
}

int clip_coded_number(const uint8_t *grey, size_t stride) {
    int numbers[] = {0, 0};
    for (int i = 0; i < 2 * CODE_BITS; i++) {
        const int bit = i / 2, which = i % 2;
        const int inverse = sum_of_block(grey, stride, bit, 2 * which);
        const int difference = (sum_of_block(grey, stride, bit, 2 * which + 1) - inverse) / 64;
        if (difference > -100 && difference < 100) return -1;
        numbers[which] |= (difference > 0) << bit;
    }
    return numbers[1] == check_of(numbers[0]) ? numbers[0] : -1;
}
