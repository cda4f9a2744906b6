/* What cameras and live streams share: a live source that is read through FFmpeg and reconnects after a failure. */
#ifndef CAPTURE_LIVE_LIVE_H
#define CAPTURE_LIVE_LIVE_H

#include "capture/ffmpeg/damage.h"
#include "capture/ffmpeg/packets.h"
#include "capture/ffmpeg/picture.h"
#include "capture/source.h"

#include <libavformat/avformat.h>

typedef struct live_source live_source;

struct live_source {
    source base;
    /* What has to be added to a time stamp of the stream, seconds, to get the time of its frame. Only the tap needs
     * it. */
    double (*lead)(const live_source *self, double time, double now);
    source_options options;
    atomic_bool interrupted;
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
    packet_pace pace;
    bool said_broken;
};

/* Initialises all of `self`, which is zero, except `operations`, `lead` and the connection. */
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
