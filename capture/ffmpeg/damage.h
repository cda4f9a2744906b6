/* Which pictures of a stream are doubtful: damaged, or perhaps predicted from what is damaged or missing, which
 * decoders conceal without reporting it. */
#ifndef CAPTURE_FFMPEG_DAMAGE_H
#define CAPTURE_FFMPEG_DAMAGE_H

#include <libavcodec/avcodec.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero before the first packet. */
typedef struct damage {
    bool reported;      /* pictures shown from now to the next key picture are doubtful; set it when one is lost */
    bool after_damaged; /* the packet before was marked as damaged */
    int64_t places;     /* damaged places in the packets so far */
    int64_t before_key; /* those before the key picture that was shown last */
} damage;

/* Prepares the next packet that is sent to the decoder, or `codec`, for damage_of_picture. */
void damage_of_packet(damage *self, AVCodecContext *codec, AVPacket *packet);

/* True if the picture is doubtful. Pass all pictures in the order in which they are shown. */
bool damage_of_picture(damage *self, const AVCodecContext *codec, const AVFrame *picture);

/* The next packet does not follow the last one, because the source has jumped. */
void damage_restart(damage *self);

/* The pictures that a file has lost, and what is damaged therefore. Zero before the first packet. */
typedef struct losses {
    int64_t all;  /* lost so far, by the demuxer or the decoder; the owner counts them */
    int64_t here; /* those before the picture that is checked next; the owner sets it */
    int64_t seen; /* those before the picture that was checked last */
    bool open;    /* one is lost, and its hole was not seen yet; those predicted from it are doubtful */
    int untaken;  /* see losses_take */
    damage damage;
} losses;

/* Checks the next picture in the order in which they are shown. `hole`: its number does not follow that of the picture
 * before it. True if it is doubtful. */
bool losses_check(losses *losses, bool hole, const AVCodecContext *codec, const AVFrame *picture);

/* How many were lost since the last call. */
int losses_take(losses *losses);

/* The next packet does not follow the last one, because the source has jumped. */
void losses_restart(losses *losses);

#endif
