/* What cameras and live streams share: a live source that is read through FFmpeg. */
#ifndef CAPTURE_LIVE_LIVE_H
#define CAPTURE_LIVE_LIVE_H

#include "capture/ffmpeg/damage.h"
#include "capture/ffmpeg/picture.h"
#include "capture/source.h"

#include <libavformat/avformat.h>

typedef struct live_source live_source;

struct live_source {
    source base;
    /* Opens the container and the decoder; nothing is left of them after an error. */
    sv_status (*connect)(live_source *self, sv_error *error);
    /* Waits for the next picture, and makes a frame of it.
     * Errors: SV_END after an interruption; any other one if the connection has failed. */
    sv_status (*wait)(live_source *self, frame **out, sv_error *error);
    /* What to add to a time stamp of the stream, seconds, to get the time of its frame; for the tap. */
    double (*lead)(const live_source *self, double time, double now);
    source_options options;
    picture_maker maker;
    AVFormatContext *container; /* NULL while it is not connected */
    int stream;                 /* in the container */
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    frame *pending; /* read when the source was opened, and not yet returned */
    int64_t next_index;
    bool started; /* a picture has arrived since it was connected */
    damage damage;
    bool reported_broken;
};

/* The `read` of its operations: reconnects after a failure. */
sv_status live_read(source *base, frame **out, sv_error *error);

/* Initialises all of `self`, which is zero, except its functions and the connection. */
void live_create(live_source *self, const char *name, const source_options *options);

/* Frees what live_create and the connection allocated, and the source itself. */
void live_destroy(live_source *self);

/* Opens the decoder of the container's stream.
 * Errors: SV_FAILED, see decoder_open. */
sv_status live_open_decoder(live_source *self, sv_error *error);

/* Closes the container and the decoder, if there are any; the source stays. */
void live_disconnect(live_source *self);

/* Performs one step of decoding. Returns 0 with self->decoded filled in, AVERROR(EAGAIN) if another step is needed, or
 * the error of the container. `start` is set when a packet arrives. Broken pictures are counted and reported once. */
int live_decode(live_source *self, double *start);

/* Makes a frame from self->decoded, which was taken at `time`. `start`: when its decoding began. Both by sv_seconds.
 * Errors: SV_FAILED if the size of the pictures has changed, or memory runs out.
 * Lifetime: the caller releases the frame. */
sv_status live_make_frame(live_source *self, double time, double start, frame **out, sv_error *error);

/* Fills in the source_info of a live source: `kind` ("camera"), the size of the pending frame, and the rate. */
void live_describe(live_source *self, const char *kind);

#endif
