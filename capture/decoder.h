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

#endif
