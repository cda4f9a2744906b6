/* Converts FFmpeg's decoded pictures to frames. */
#ifndef CAPTURE_FFMPEG_PICTURE_H
#define CAPTURE_FFMPEG_PICTURE_H

#include "capture/source.h"

#include <libavcodec/avcodec.h>
#include <libswscale/swscale.h>
#include <stdatomic.h>

typedef struct picture_maker {
    pool *pool;
    pool_card card; /* where decoders may leave pictures; none unless it is set */
    bool colour;
    uint8_t *to_grey; /* luma sample -> grey, for table_key's depth and range */
    int table_key;
    struct SwsContext *grey_scaler, *colour_scaler;
    /* The pool had no memory for a decoded picture: later ones cannot be relied on, even if the decoder reports
     * nothing. Set to false for a new decoder. */
    atomic_bool out_of_memory;
    atomic_int refused_width, refused_height; /* pixels, of a picture that was larger than SV_MAX_SIDE */
} picture_maker;

/* Prepares a maker whose frames are blocks of a pool with this memory. `colour`: they get frame.colour too.
 * Lifetime: the caller destroys it with picture_maker_destroy. */
void picture_maker_create(picture_maker *maker, pool_memory memory, bool colour);
void picture_maker_destroy(picture_maker *maker); /* frames may outlive it */

/* A decoder's get_buffer2, with the maker as its `opaque`: if the luma plane can serve as grey, the picture is
 * allocated in one block of the pool.
 * Thread: the decoder's. */
int picture_get_buffer(AVCodecContext *codec, AVFrame *picture, int flags);

/* Warns in the log if a picture's values use at most 12 of 16 bits. `name`: of the file. */
void picture_check_values(const AVFrame *picture, const char *name);

/* Makes a frame from `picture`, without its index and times. `name`: of the file, for messages.
 * Errors: SV_FAILED if memory runs out or the pixel format cannot be converted.
 * Lifetime: the caller releases the frame, which may outlive the maker. */
sv_status picture_to_frame(picture_maker *maker, const AVFrame *picture, const char *name, frame **out,
                           sv_error *error);

#endif
