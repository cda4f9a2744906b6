/* Opens decoders whose pictures can become frames. Files and cameras share it. */
#ifndef CAPTURE_FFMPEG_DECODER_H
#define CAPTURE_FFMPEG_DECODER_H

#include "capture/ffmpeg/picture.h"

/* Pictures that may be in use outside a decoder at a time. */
enum { DECODER_HELD = 9 };

/* Opens a decoder for `parameters`; `maker` allocates the memory of its pictures, or has the card that decodes unless
 * `at_once` is set: codec->hw_device_ctx is then not NULL, but the first picture shows whether the card takes the
 * stream (card_has). `tick`: unit of the packets' time stamps, seconds. `at_once`: each picture is output before the
 * next packet is needed, if the codec permits; otherwise several threads decode in parallel, with a higher throughput
 * and delay. `name`: of the file or device, for messages.
 * Errors: SV_FAILED if the codec is unknown, the pictures are too large, or memory runs out.
 * Lifetime: `maker` must outlive the decoder, which the caller frees with avcodec_free_context. */
sv_status decoder_open(AVCodecContext **out, const AVCodecParameters *parameters, AVRational tick, picture_maker *maker,
                       bool at_once, const char *name, sv_error *error);

/* True if decoding can begin at this picture, including all pictures that are shown after it. */
bool decoder_is_key(const AVCodecContext *codec, const AVFrame *picture);

/* True if each picture is coded by itself. */
bool decoder_is_intra_only(const AVCodecContext *codec);

#endif
