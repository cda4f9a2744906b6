/* From packets to decoded pictures, some of which are decoded ahead. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include "stereo/alloc.h"

#include <inttypes.h>

/* Reports failures that the decoder's threads recorded, even if the decoder returned none. */
static sv_status check_buffers(file_source *self, sv_error *error) {
    if (atomic_load(&self->maker.refused_width) > 0)
        return sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels; at most %d per side are supported",
                       self->base.name, self->maker.refused_width, self->maker.refused_height, SV_MAX_SIDE);
    if (atomic_load(&self->maker.out_of_memory))
        return sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
    return SV_OK;
}

/* Failures without a packet in between after which the decoder is abandoned. Each thread may have one, and a damaged
 * decoder for JPEG XL never takes another packet (FFmpeg 6.1, 7.1). */
static const int most_failures = 1000;

/* Decodes the next picture into `into`. */
static sv_status decode_into(file_source *self, AVFrame *into, sv_error *error) {
    int failures = 0;
    while (!self->ended) {
        if (atomic_load(&self->base.interrupted)) return SV_END;
        int result = avcodec_receive_frame(self->codec, into);
        sv_status status = check_buffers(self, error);
        if (result >= 0 && status == SV_OK) {
            /* Pictures before the first key picture after a seek are predicted from pictures that were not decoded. */
            self->started |= decoder_is_key(self->codec, into);
            if (!self->started || into->flags & AV_FRAME_FLAG_DISCARD) continue;
            self->read++;
            return SV_OK;
        }
        if (result == AVERROR_EOF) {
            self->ended = true;
            break;
        }
        if (result == AVERROR(EAGAIN) && status == SV_OK) {
            failures = 0;
            status = ffmpeg_read_packet(self, error);
            if (status == SV_OK) damage_of_packet(&self->losses.damage, self->codec, self->packet);
            if (status != SV_FAILED) result = avcodec_send_packet(self->codec, status == SV_END ? NULL : self->packet);
            av_packet_unref(self->packet);
            if (status != SV_FAILED) status = check_buffers(self, error);
        }
        if (result == AVERROR(ENOMEM) && status == SV_OK)
            status = sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
        if (result < 0 && ++failures == most_failures && status == SV_OK)
            status = sv_fail(error, SV_FAILED, "%s: cannot be decoded after %" PRId64 " pictures: %s", self->base.name,
                             self->read, av_err2str(result));
        if (status != SV_OK) {
            self->ended = true;
            return status;
        }
        const bool picture = self->pictures.count > 0;
        const char *name = picture ? self->pictures.files[self->next_picture - 1] : self->base.name;
        if (result < 0) ffmpeg_note_broken(self, name, av_err2str(result));
    }
    return SV_END;
}

sv_status ffmpeg_decode(file_source *self, sv_error *error) {
    sv_status status = SV_OK;
    if (self->ahead.count > 0) {
        const decoded_picture next = self->ahead.pictures[0];
        av_frame_unref(self->decoded); /* a seek passes over pictures without taking them */
        av_frame_move_ref(self->decoded, next.picture);
        self->losses.here = next.losses;
        self->ahead.count--;
        for (int i = 0; i < self->ahead.count; i++) self->ahead.pictures[i] = self->ahead.pictures[i + 1];
        self->ahead.pictures[self->ahead.count].picture = next.picture;
    } else if (self->ahead.status != SV_OK) {
        status = self->ahead.status;
        if (error) *error = self->ahead.error;
        self->ahead.status = SV_OK;
    } else {
        status = decode_into(self, self->decoded, error);
        self->losses.here = self->losses.all;
    }
    return status;
}

const AVFrame *ffmpeg_look_ahead(file_source *self, int n) {
    while (n < FFMPEG_AHEAD && self->ahead.count <= n && self->ahead.status == SV_OK) {
        decoded_picture *next = &self->ahead.pictures[self->ahead.count];
        if (!next->picture) next->picture = sv_must(av_frame_alloc());
        self->ahead.status = decode_into(self, next->picture, &self->ahead.error);
        next->losses = self->losses.all;
        self->ahead.count += self->ahead.status == SV_OK;
    }
    return n < self->ahead.count ? self->ahead.pictures[n].picture : NULL;
}

void ffmpeg_forget_ahead(file_source *self) {
    for (int i = 0; i < self->ahead.count; i++) av_frame_unref(self->ahead.pictures[i].picture);
    self->ahead.count = 0;
    self->ahead.status = SV_OK;
}
