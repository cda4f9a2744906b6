/* Decoders that run on a graphics card: FFmpeg's for NVIDIA's, whose pictures stay in the card's memory. Of these, they
 * decode what has 4:2:0 chroma and 8 or 10 bits, in codecs whose pictures do not depend on the decoder; everything else
 * is left to FFmpeg's decoders for the CPU. */
#ifndef CAPTURE_FFMPEG_CARD_H
#define CAPTURE_FFMPEG_CARD_H

#include "capture/source.h"

#include <libavcodec/avcodec.h>

/* Names the codecs for which FFmpeg has such decoders, "h264, hevc, ...", whether or not there is a card; "none"
 * without. Returns `text`. */
const char *card_name_codecs(char *text, size_t size);

/* FFmpeg's decoder for a codec that can run on a card; NULL if it has none. */
const AVCodec *card_find_decoder(enum AVCodecID id);

/* Makes a codec context that is not open yet decode on a card. `held`: pictures that may be in use outside the decoder
 * at a time.
 * Errors: SV_NO_DEVICE, with the reason, without the name of the file. */
sv_status card_prepare(AVCodecContext *codec, const pool_card *card, int held, sv_error *error);

/* True if the picture is in a card's memory. */
bool card_has(const AVFrame *picture);

/* True if the picture can become a frame as the CPU's decoders would make it: they remove edges that the stream marks
 * as superfluous at the left and the top in their own way. */
bool card_is_whole(const AVFrame *picture);

/* The luma of a picture in a card's memory.
 * Lifetime: that of the picture. */
sv_luma card_luma(const AVFrame *picture);

/* Copies a picture from a card's memory to the host's.
 * Errors: SV_FAILED, without the name of the file.
 * Lifetime: the caller frees the picture. */
sv_status card_copy(const AVFrame *picture, AVFrame **copy, sv_error *error);

#endif
