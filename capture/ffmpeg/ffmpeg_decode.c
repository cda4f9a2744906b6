/* From a file to decoded pictures. A video goes through a demuxer and a decoder. Pictures need no demuxer: each file is
 * one packet for the decoder, and its time stamp is its number, so a broken file leaves a hole and does not shift those
 * after it. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* FFmpeg calls this while it waits. */
static int must_stop(void *argument) {
    const file_source *self = argument;
    return atomic_load(&self->interrupted) || source_is_abandoned(&self->options) ||
           (self->protocols && sv_seconds() > self->deadline);
}

sv_status ffmpeg_open_container(file_source *self, AVFormatContext **out, const char *name, sv_error *error) {
    self->deadline = sv_seconds() + self->timeout;
    return container_open(out, name, self->protocols, self->options.playlists, (AVIOInterruptCB){must_stop, self},
                          error);
}

sv_status ffmpeg_open_again(file_source *self, AVFormatContext **out, sv_error *error) {
    int stream;
    sv_status status = ffmpeg_open_container(self, out, self->base.name, error);
    if (status == SV_OK) status = container_find_video(*out, self->base.name, self->options.track, &stream, error);
    if (status == SV_OK && stream != self->stream)
        status = sv_fail(error, SV_FAILED, "%s: the file has changed; open it again", self->base.name);
    return status;
}

static void note_broken(file_source *self, const char *name, const char *reason) {
    if (!self->said_broken)
        sv_log(SV_LOG_WARNING, "%s: damaged data at frame %" PRId64 " (%s); further damage is not reported", name,
               self->read, reason);
    self->said_broken = true;
    self->losses++;
    atomic_fetch_add(&self->base.broken, 1);
}

/* Reads the whole file into the packet. */
static sv_status read_file(AVPacket *packet, const char *name, sv_error *error) {
    FILE *file = fopen(name, "rb");
    struct stat info;
    sv_status status = SV_OK;
    if (!file || fstat(fileno(file), &info) != 0)
        status = sv_fail(error, SV_FAILED, "%s: cannot be read: %s", name, strerror(errno));
    else if (info.st_size >= INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE)
        status = sv_fail(error, SV_FAILED, "%s: has 2 GiB or more, which is too much for a picture", name);
    else if (av_new_packet(packet, (int)info.st_size) < 0)
        status = sv_fail(error, SV_FAILED, "%s: out of memory to read it", name);
    else /* A file that shrinks in the meantime gives a shorter packet. */
        av_shrink_packet(packet, (int)fread(packet->data, 1, packet->size, file));
    if (file) fclose(file);
    return status;
}

static sv_status read_picture(file_source *self, sv_error *error) {
    char *name = sequence_file(&self->pictures, self->next_picture);
    sv_status status = name ? read_file(self->packet, name, error)
                            : sv_fail(error, SV_FAILED, "%s: out of memory to read it", self->base.name);
    free(name);
    if (status != SV_OK) return status;
    self->packet->pts = self->packet->dts = self->next_picture++;
    self->packet->flags |= AV_PKT_FLAG_KEY;
    return SV_OK;
}

sv_status ffmpeg_note_packet(file_source *self, const AVFormatContext *container, const AVPacket *packet,
                             sv_error *error) {
    const AVStream *stream = container->streams[self->stream];
    if (self->packets_seen == 0) self->first_dts = packet->dts;
    const bool stamped = packet->pts != AV_NOPTS_VALUE || packet->dts != AV_NOPTS_VALUE;
    if (!self->packets_seen++ && (!stamped || container_stamps_decoding(container, stream, packet)))
        self->untimed = self->timeline.irregular = true;
    /* Decoding times that go back show that time stamps are wrong. */
    if (packet->dts != AV_NOPTS_VALUE && self->last_dts != AV_NOPTS_VALUE && packet->dts <= self->last_dts)
        self->timeline.irregular = true;
    self->last_dts = packet->dts;
    if (!packet_is_shown(stream, packet)) return SV_OK;
    if (self->first_stamp == AV_NOPTS_VALUE) self->first_stamp = packet->pts;
    if (timeline_add(&self->timeline, packet->pts)) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
}

static void tap_packet(file_source *self) {
    const AVPacket *packet = self->packet;
    const int64_t stamp = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (!self->options.tap || stamp == AV_NOPTS_VALUE) return;
    const int64_t first = self->first_stamp != AV_NOPTS_VALUE ? self->first_stamp : stamp;
    self->options.tap(self->options.tap_of, self->options.tap_side, self->container->streams[self->stream], packet,
                      -(double)first * av_q2d(self->tick));
}

/* The next packet of the stream. */
static sv_status read_packet(file_source *self, sv_error *error) {
    enum { PATIENCE = 1000 }; /* consecutive broken places that count as the end */
    if (self->pictures.count > 0) return self->next_picture < self->pictures.count ? read_picture(self, error) : SV_END;
    for (int broken = 0; broken < PATIENCE;) {
        self->deadline = sv_seconds() + self->timeout;
        int result = packets_next(&self->packets, self->packet);
        if (atomic_load(&self->interrupted)) return SV_END;
        if (result >= 0) tap_packet(self);
        if (result >= 0) return self->feeding ? ffmpeg_note_packet(self, self->container, self->packet, error) : SV_OK;
        if (result == AVERROR_EOF) break;
        if (result == AVERROR(ENOMEM))
            return sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
        if (result != AVERROR_INVALIDDATA)
            return sv_fail(error, SV_FAILED, "%s: cannot be read after frame %" PRId64 ": %s", self->base.name,
                           self->read, container_reason(result));
        note_broken(self, self->base.name, av_err2str(result));
        broken++;
    }
    self->timeline.complete |= self->feeding;
    return SV_END;
}

/* Reports the failures that the decoder's threads have recorded, whatever the decoder returned. */
static sv_status check_buffers(file_source *self, sv_error *error) {
    if (atomic_load(&self->maker.refused_width) > 0)
        return sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels; at most %d per side are supported",
                       self->base.name, self->maker.refused_width, self->maker.refused_height, SV_MAX_SIDE);
    if (picture_out_of_memory(&self->maker))
        return sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
    return SV_OK;
}

/* After this many failures without a packet in between, the decoder is abandoned. With threads, there may be one
 * failure for each. After some kinds of damage, the decoder for JPEG XL of FFmpeg 6.1 and 7.1 never takes another
 * packet. */
static const int most_failures = 1000;

/* Decodes the next picture into `into`. */
static sv_status decode_into(file_source *self, AVFrame *into, sv_error *error) {
    int failures = 0;
    while (!self->ended) {
        if (atomic_load(&self->interrupted)) return SV_END;
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
            status = read_packet(self, error);
            if (status == SV_OK) damage_of_packet(&self->damage, self->codec, self->packet);
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
        if (result < 0) {
            char *name = self->pictures.count > 0 ? sequence_file(&self->pictures, self->next_picture - 1) : NULL;
            note_broken(self, name ? name : self->base.name, av_err2str(result));
            free(name);
        }
    }
    return SV_END;
}

sv_status ffmpeg_decode(file_source *self, sv_error *error) {
    sv_status status = SV_OK;
    if (self->ahead_count > 0) {
        const decoded_picture next = self->ahead[0];
        av_frame_unref(self->decoded); /* a seek passes over pictures without taking them */
        av_frame_move_ref(self->decoded, next.picture);
        self->losses_here = next.losses;
        self->ahead_count--;
        for (int i = 0; i < self->ahead_count; i++) self->ahead[i] = self->ahead[i + 1];
        self->ahead[self->ahead_count].picture = next.picture;
    } else if (self->ahead_status != SV_OK) {
        status = self->ahead_status;
        if (error) *error = self->ahead_error;
        self->ahead_status = SV_OK;
    } else {
        status = decode_into(self, self->decoded, error);
        self->losses_here = self->losses;
    }
    return status;
}

const AVFrame *ffmpeg_look_ahead(file_source *self, int n) {
    while (n < FFMPEG_AHEAD && self->ahead_count <= n && self->ahead_status == SV_OK) {
        decoded_picture *next = &self->ahead[self->ahead_count];
        if (!next->picture) next->picture = av_frame_alloc();
        self->ahead_status =
            next->picture ? decode_into(self, next->picture, &self->ahead_error)
                          : sv_fail(&self->ahead_error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
        next->losses = self->losses;
        self->ahead_count += self->ahead_status == SV_OK;
    }
    return n < self->ahead_count ? self->ahead[n].picture : NULL;
}

void ffmpeg_forget_ahead(file_source *self) {
    for (int i = 0; i < self->ahead_count; i++) av_frame_unref(self->ahead[i].picture);
    self->ahead_count = 0;
    self->ahead_status = SV_OK;
}
