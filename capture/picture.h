/* From FFmpeg's decoded pictures to frames. Only capture/ffmpeg.c uses this. */
#ifndef CAPTURE_PICTURE_H
#define CAPTURE_PICTURE_H

#include "capture/pool.h"

#include <libavcodec/avcodec.h>
#include <libswscale/swscale.h>
#include <stdatomic.h>

enum { MAX_PICTURE_SIDE = 16384 }; /* pixels; what the stereo backends can index, with room to spare */

typedef struct picture_maker {
    pool *pool;
    bool colour;
    uint8_t *to_grey; /* luma sample -> grey, for table_key's depth and range */
    int table_key;
    struct SwsContext *grey_scaler, *colour_scaler;
    atomic_bool out_of_memory;                /* a decoder did not get memory for a picture */
    atomic_int refused_width, refused_height; /* pixels, when a picture larger than MAX_PICTURE_SIDE came */
} picture_maker;

sv_status picture_maker_create(picture_maker *maker, pool_memory memory, bool colour, sv_error *error);
void picture_maker_destroy(picture_maker *maker); /* frames may outlive it */

/* A decoder's get_buffer2, with the maker as its `opaque`: the picture lies in one block of the pool where its luma
 * plane will do as grey. The decoder's threads call it. */
int picture_get_buffer(AVCodecContext *codec, AVFrame *picture, int flags);

/* Makes a frame of `picture` (`name`: of the file, for messages), without its index and times. */
sv_status picture_to_frame(picture_maker *maker, const AVFrame *picture, const char *name, frame **out,
                           sv_error *error);

#endif
