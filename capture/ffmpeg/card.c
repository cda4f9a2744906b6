/* Decoders that run on a graphics card: see card.h. */
#include "capture/ffmpeg/card.h"

#include "stereo/alloc.h"

#include <libavutil/hwcontext.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>

/* FFmpeg's header includes CUDA's, which a build without CUDA lacks, for these two types alone. */
#define CUDA_VERSION 0
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
#include <libavutil/hwcontext_cuda.h>

static bool runs_on_card(const AVCodec *decoder) {
    const AVCodecHWConfig *config;
    for (int i = 0; (config = avcodec_get_hw_config(decoder, i)); i++)
        if (config->device_type == AV_HWDEVICE_TYPE_CUDA && config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX &&
            config->pix_fmt == AV_PIX_FMT_CUDA)
            return true;
    return false;
}

/* True if a codec's standard says to the bit what a decoder makes of a stream: otherwise the card's pictures are not
 * those of the CPU. */
static bool is_exact(enum AVCodecID id) {
    return id == AV_CODEC_ID_H264 || id == AV_CODEC_ID_HEVC || id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9 ||
           id == AV_CODEC_ID_AV1;
}

/* The next one after `state`, which is NULL at first. */
static const AVCodec *next_decoder(void **state) {
    const AVCodec *decoder;
    while ((decoder = av_codec_iterate(state)))
        /* Decoders with NVIDIA's own parser (h264_cuvid) extract less from a stream. */
        if (av_codec_is_decoder(decoder) && !(decoder->capabilities & AV_CODEC_CAP_HARDWARE) && is_exact(decoder->id) &&
            runs_on_card(decoder))
            return decoder;
    return NULL;
}

const char *card_name_codecs(char *text, size_t size) {
    const AVCodec *decoder;
    void *state = NULL;
    size_t length = 0;
    snprintf(text, size, "none");
    while ((decoder = next_decoder(&state)) && length < size)
        length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "", decoder->name);
    return text;
}

const AVCodec *card_find_decoder(enum AVCodecID id) {
    const AVCodec *decoder;
    void *state = NULL;
    while ((decoder = next_decoder(&state)) && decoder->id != id) {
    }
    return decoder;
}

/* `formats` ends with the format of the CPU's decoder. */
static enum AVPixelFormat choose_format(AVCodecContext *codec, const enum AVPixelFormat *formats) {
    const enum AVPixelFormat *last = formats;
    bool offered = false;
    (void)codec;
    for (; last[1] != AV_PIX_FMT_NONE; last++) offered |= *last == AV_PIX_FMT_CUDA;
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(*last);
    const int depth = description->comp[0].depth;
    const bool fits = (depth == 8 || depth == 10) && description->log2_chroma_w == 1 && description->log2_chroma_h == 1;
    return offered && fits ? AV_PIX_FMT_CUDA : *last;
}

static void free_stream(AVHWDeviceContext *device) {
    const AVCUDADeviceContext *cuda = device->hwctx;
    ((const sv_backend *)device->user_opaque)->free_stream(cuda->stream);
}

sv_status card_prepare(AVCodecContext *codec, const pool_card *card, int held, sv_error *error) {
    AVBufferRef *device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_CUDA);
    if (!device) return sv_fail(error, SV_NO_DEVICE, "this FFmpeg was built without CUDA");
    AVHWDeviceContext *of = (void *)device->data;
    AVCUDADeviceContext *cuda = of->hwctx;
    cuda->cuda_ctx = card->backend->decoder_context(card->number);
    cuda->stream = card->backend->decoder_stream(card->number);
    of->user_opaque = (void *)card->backend;
    of->free = free_stream;
    const int result = cuda->cuda_ctx ? av_hwdevice_ctx_init(device) : AVERROR(ENODEV);
    if (result < 0) {
        av_buffer_unref(&device);
        return sv_fail(error, SV_NO_DEVICE, "FFmpeg cannot use the graphics card: %s", av_err2str(result));
    }
    codec->hw_device_ctx = device;
    codec->get_format = choose_format;
    codec->extra_hw_frames = held;
    codec->thread_count = 1; /* more would wait for each other */
    return SV_OK;
}

bool card_has(const AVFrame *picture) { return picture->format == AV_PIX_FMT_CUDA; }

bool card_is_whole(const AVFrame *picture) { return !picture->crop_left && !picture->crop_top; }

sv_luma card_luma(const AVFrame *picture) {
    const AVHWFramesContext *frames = (const AVHWFramesContext *)(const void *)picture->hw_frames_ctx->data;
    const AVCUDADeviceContext *cuda = frames->device_ctx->hwctx;
    return (sv_luma){.data = picture->data[0],
                     .stride = (size_t)picture->linesize[0],
                     .width = picture->width,
                     .height = picture->height,
                     .depth = av_pix_fmt_desc_get(frames->sw_format)->comp[0].depth,
                     .full_range = picture->color_range == AVCOL_RANGE_JPEG,
                     .stream = cuda->stream};
}

sv_status card_copy(const AVFrame *picture, AVFrame **copy, sv_error *error) {
    *copy = sv_must(av_frame_alloc());
    int result = av_hwframe_transfer_data(*copy, picture, 0);
    if (result >= 0) result = av_frame_copy_props(*copy, picture);
    if (result >= 0) return SV_OK;
    av_frame_free(copy);
    return sv_fail(error, SV_FAILED, "a picture cannot be copied from the graphics card: %s", av_err2str(result));
}
