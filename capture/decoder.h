/* The decoder of a stream, opened so that its pictures can become frames. Files and cameras share it. */
#ifndef CAPTURE_DECODER_H
#define CAPTURE_DECODER_H

#include "capture/picture.h"

/* Opens a decoder for `parameters` whose pictures `maker` (borrowed until the decoder is freed) gives memory to.
 * `tick`: of the packets' time stamps, seconds. `at_once`: each picture comes out before the next packet goes in, where
 * the codec allows it; otherwise threads work on several pictures, which is faster and later. `name`: of the file or
 * device, for messages. The caller frees it with avcodec_free_context. */
sv_status decoder_open(AVCodecContext **out, const AVCodecParameters *parameters, AVRational tick, picture_maker *maker,
                       bool at_once, const char *name, sv_error *error);

/* Whether decoding can begin at the picture, with all that are shown after it. */
bool decoder_is_key(const AVCodecContext *codec, const AVFrame *picture);

/* Whether the decoder says that the picture is damaged, or it may be predicted from one that is. `doubtful`: what is
 * predicted from the pictures before is; kept by the caller from picture to picture, in the order in which they are
 * shown, and set where one was lost. A key picture ends it. */
bool decoder_is_damaged(const AVCodecContext *codec, const AVFrame *picture, bool *doubtful);

#endif
