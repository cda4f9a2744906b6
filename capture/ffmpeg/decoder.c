/* The decoder of a stream: see decoder.h. */
#include "capture/ffmpeg/decoder.h"

#include "capture/ffmpeg/card.h"
#include "stereo/alloc.h"

/* Lets the decoder of `codec` run on the maker's card; the log says why it cannot. */
static void use_card(AVCodecContext *codec, const picture_maker *maker, const char *name) {
    sv_error why;
    if (card_prepare(codec, &maker->card, DECODER_HELD, &why) != SV_OK)
        sv_log(SV_LOG_INFO, "%s: decoded on the CPU: %s", name, why.text);
}

sv_status decoder_open(AVCodecContext **out, const AVCodecParameters *parameters, AVRational tick, picture_maker *maker,
                       bool at_once, const char *name, sv_error *error) {
    if (parameters->codec_id == AV_CODEC_ID_NONE)
        return sv_fail(error, SV_FAILED, "%s: FFmpeg does not know its codec; it may be damaged or cut short", name);
    const AVCodec *of_card = maker->card.backend && !at_once ? card_find_decoder(parameters->codec_id) : NULL;
    const AVCodec *decoder = of_card ? of_card : avcodec_find_decoder(parameters->codec_id);
    if (!decoder)
        return sv_fail(error, SV_FAILED, "%s: this FFmpeg has no decoder for its codec (%s); convert the file", name,
                       avcodec_get_name(parameters->codec_id));
    if (parameters->width > SV_MAX_SIDE || parameters->height > SV_MAX_SIDE)
        return sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels; at most %d per side are supported", name,
                       parameters->width, parameters->height, SV_MAX_SIDE);
    AVCodecContext *codec = sv_must(avcodec_alloc_context3(decoder));
    int result = avcodec_parameters_to_context(codec, parameters);
    if (result >= 0) {
        codec->opaque = maker;
        codec->get_buffer2 = picture_get_buffer;
        codec->thread_count = 0; /* FFmpeg chooses */
#if LIBAVCODEC_VERSION_MAJOR < 60
        /* Later versions always do this. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        codec->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
        codec->pkt_timebase = tick;
#if LIBAVCODEC_VERSION_MAJOR >= 60
        codec->flags |= AV_CODEC_FLAG_COPY_OPAQUE; /* for damage_of_picture; earlier versions need no flag */
#endif
        if (at_once) codec->thread_type = FF_THREAD_SLICE;
        if (of_card) use_card(codec, maker, name);
        result = avcodec_open2(codec, decoder, NULL);
    }
    if (result < 0) {
        avcodec_free_context(&codec);
        if (result == AVERROR(EAGAIN))
            return sv_fail(error, SV_FAILED,
                           "%s: its %s decoder cannot be opened: the system cannot start another thread", name,
                           decoder->name);
        return sv_fail(error, SV_FAILED, "%s: its %s decoder cannot be opened: %s", name, decoder->name,
                       av_err2str(result));
    }
    *out = codec;
    return SV_OK;
}

bool decoder_is_intra_only(const AVCodecContext *codec) {
    const AVCodecDescriptor *description = avcodec_descriptor_get(codec->codec_id);
    return description && description->props & AV_CODEC_PROP_INTRA_ONLY;
}

bool decoder_is_key(const AVCodecContext *codec, const AVFrame *picture) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    const bool key = picture->flags & AV_FRAME_FLAG_KEY;
#else
    const bool key = picture->key_frame;
#endif
    return key || decoder_is_intra_only(codec);
}
