/* Which pictures are doubtful: see damage.h.
 *
 * Damage spreads in decoding order, from a packet to its picture and to all that are decoded after it, up to the next
 * key picture; but pictures come out in the order in which they are shown, and many packets later. So damaged places
 * are counted, and each packet takes a number through the decoder: twice the places before it, plus 1 if it is one
 * itself. A picture is doubtful if there are places between the last key picture shown and its own packet. So a key
 * frame clears the pictures after it, but not those decoded after and shown before it (open groups of pictures). */
#include "capture/ffmpeg/damage.h"

#include "capture/ffmpeg/decoder.h"

void damage_of_packet(damage *self, AVCodecContext *codec, AVPacket *packet) {
    /* FFmpeg's parsers mark a picture for the data in which they find its end, which belong to the next one. */
    const bool marked = packet->flags & AV_PKT_FLAG_CORRUPT, damaged = marked || self->after_damaged;
    const int64_t number = 2 * self->places + damaged;
    self->after_damaged = marked;
    self->places += damaged;
#if LIBAVCODEC_VERSION_MAJOR >= 60
    (void)codec;
    packet->opaque = (void *)(intptr_t)number;
#else
    codec->reordered_opaque = number;
#endif
}

static int64_t number_of(const AVFrame *picture) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
    return (intptr_t)picture->opaque;
#else
    return picture->reordered_opaque;
#endif
}

bool damage_of_picture(damage *self, const AVCodecContext *codec, const AVFrame *picture) {
    const int64_t number = number_of(picture);
    const bool damaged = picture->decode_error_flags || picture->flags & AV_FRAME_FLAG_CORRUPT;
    if (decoder_is_key(codec, picture)) {
        self->reported = false;
        self->before_key = number / 2;
    }
    if (damaged && !decoder_is_intra_only(codec)) self->reported = true;
    return damaged || self->reported || (number + 1) / 2 > self->before_key;
}

void damage_restart(damage *self) {
    self->reported = self->after_damaged = false;
    self->before_key = self->places;
}

bool losses_check(losses *l, bool hole, const AVCodecContext *codec, const AVFrame *picture) {
    l->open |= l->here > l->seen;
    l->untaken += (int)(l->here - l->seen);
    l->seen = l->here;
    /* The decoder reports a lost picture before it outputs those that are shown earlier. */
    if (l->open && hole) {
        l->damage.reported = true;
        l->open = false;
    }
    return damage_of_picture(&l->damage, codec, picture);
}

int losses_take(losses *l) {
    const int count = l->untaken;
    l->untaken = 0;
    return count;
}

void losses_restart(losses *l) {
    l->open = false;
    l->seen = l->all;
    l->untaken = 0;
    damage_restart(&l->damage);
}
