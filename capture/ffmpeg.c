/* Reads video files, pictures and sequences of pictures through FFmpeg: see source.h.
 *
 * A video goes through a demuxer and a decoder. Pictures need no demuxer: each file is one packet for the decoder, and
 * its time stamp is its number, so a broken file leaves a hole and does not shift those after it. Pictures whose names
 * are time stamps have the times of these.
 *
 * A picture of a video is numbered by its position in the timeline, which holds the time stamps of all packets from the
 * beginning of the file. While the file is read from its beginning, its packets fill the timeline. After a seek a
 * second demuxer, the scanner, reads ahead, without decoding, as far as a number requires. If time stamps do not
 * identify the pictures, a seek decodes from the beginning and counts. Recordings on the network are not read twice:
 * there the number after a seek follows from the time. */
#include "capture/container.h"
#include "capture/decoder.h"
#include "capture/folder.h"
#include "capture/packets.h"
#include "capture/recording.h"
#include "capture/sequence.h"
#include "capture/source.h"
#include "capture/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct file_source {
    source base;
    source_options options;
    atomic_bool interrupted;
    const char *protocols; /* of an address; NULL: it is a file */
    double timeout;        /* seconds, of an address */
    double deadline;       /* of what FFmpeg is doing now, by sv_seconds */
    picture_maker maker;
    AVFormatContext *container; /* NULL for pictures */
    int stream;                 /* in the container */
    packet_reader packets;      /* of the container */
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    sequence pictures;        /* count is 0 for a video */
    int64_t next_picture;     /* the next one to send to the decoder */
    frame *pending;           /* decoded when the file was opened or by a seek, and not yet returned */
    AVRational tick;          /* of the time stamps, seconds */
    timeline timeline;        /* in ticks, as are first_stamp and origin */
    int64_t packets_seen;     /* how many packets from the beginning of the file on are in the timeline */
    AVFormatContext *scanned; /* the scanner's container; NULL before it is needed */
    packet_reader scanner;
    bool untimed;        /* packets have no time stamps: the file's nominal rate gives the times */
    bool feeding;        /* packets that are read fill the timeline */
    int64_t first_stamp; /* of the first packet that is shown; AV_NOPTS_VALUE before */
    int64_t origin;      /* the time stamp of time 0, AV_NOPTS_VALUE if the first picture has none */
    double time;         /* of self->decoded, seconds, */
    int64_t index;       /* its number */
    bool damaged;        /* and whether it is */
    int64_t next_index;  /* of the picture after it; -1 after a seek */
    double last_time;    /* of the picture before, seconds; -INFINITY if there is none */
    int64_t read;        /* pictures decoded since the file was opened or rewound */
    bool contiguous;     /* no seek since then */
    bool started;        /* a picture from which decoding can begin has arrived */
    bool lost;           /* the decoder has lost a picture; those that are predicted from it are doubtful */
    int lost_now;        /* pictures lost since the last frame */
    bool doubtful;       /* all pictures up to the next key picture are doubtful */
    bool ended, said_broken, said_counting;
} file_source;

/* FFmpeg asks this while it waits. */
static int must_stop(void *argument) {
    const file_source *self = argument;
    return atomic_load(&self->interrupted) || (self->protocols && sv_seconds() > self->deadline);
}

static sv_status open_container(file_source *self, AVFormatContext **out, const char *name, sv_error *error) {
    self->deadline = sv_seconds() + self->timeout;
    return container_open(out, name, self->protocols, self->options.playlists, (AVIOInterruptCB){must_stop, self},
                          error);
}

static bool file_exists(const char *name) {
    struct stat status;
    return stat(name, &status) == 0;
}

static sv_status open_codec(file_source *self, const AVCodecParameters *parameters, sv_error *error) {
    self->packet = av_packet_alloc();
    self->decoded = av_frame_alloc();
    if (!self->packet || !self->decoded)
        return sv_fail(error, SV_FAILED, "%s: out of memory to open it", self->base.name);
    /* A broken picture can be named only if each is output at once. */
    const bool at_once = self->pictures.count > 0;
    return decoder_open(&self->codec, parameters, self->tick, &self->maker, at_once, self->base.name, error);
}

/* ---- Decoding --------------------------------------------------------------------------------- */

static void note_broken(file_source *self, const char *name, const char *reason) {
    if (!self->said_broken)
        sv_log(SV_LOG_WARNING, "%s: a broken place at frame %" PRId64 " is skipped, and any further ones (%s)", name,
               self->read, reason);
    self->said_broken = true;
    self->lost = true;
    self->lost_now++;
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
    else /* A file that shrinks meanwhile gives a shorter packet. */
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

/* Puts the next packet, counted from the beginning of the file, into the timeline. */
static sv_status note_packet(file_source *self, const AVFormatContext *container, const AVPacket *packet,
                             sv_error *error) {
    self->packets_seen++;
    self->untimed |= packet->pts == AV_NOPTS_VALUE && packet->dts == AV_NOPTS_VALUE;
    if (!packet_is_shown(container->streams[self->stream], packet)) return SV_OK;
    if (self->first_stamp == AV_NOPTS_VALUE) self->first_stamp = packet->pts;
    if (timeline_add(&self->timeline, packet->pts)) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s: out of memory", self->base.name);
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
        if (result >= 0) return self->feeding ? note_packet(self, self->container, self->packet, error) : SV_OK;
        if (result == AVERROR_EOF) break;
        if (result == AVERROR(ENOMEM)) return sv_fail(error, SV_FAILED, "%s: out of memory", self->base.name);
        if (result != AVERROR_INVALIDDATA)
            return sv_fail(error, SV_FAILED, "%s: cannot be read after frame %" PRId64 ": %s", self->base.name,
                           self->read, container_reason(result));
        note_broken(self, self->base.name, av_err2str(result));
        broken++;
    }
    self->timeline.complete |= self->feeding;
    return SV_END;
}

/* Warns at the end of a file that was played from its start if it is shorter than it should be. */
static void check_length(const file_source *self) {
    const source_info *info = &self->base.info;
    if (self->pictures.count > 0 || !self->contiguous || self->container->nb_streams > 1) return;
    double missing = info->duration - self->read / info->rate;
    if (missing > 0.5 && missing > 0.05 * info->duration)
        sv_log(SV_LOG_WARNING, "%s: ends after %.1f s of the %.1f s it should have; it may be cut short",
               self->base.name, self->read / info->rate, info->duration);
}

/* Reports the failures that the decoder's threads have recorded, whatever the decoder returned. */
static sv_status check_buffers(file_source *self, sv_error *error) {
    if (atomic_load(&self->maker.refused_width) > 0)
        return sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels, at most %d per side are supported",
                       self->base.name, self->maker.refused_width, self->maker.refused_height, SV_MAX_SIDE);
    if (picture_out_of_memory(&self->maker))
        return sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
    return SV_OK;
}

/* Decodes the next picture into self->decoded. */
static sv_status decode(file_source *self, sv_error *error) {
    while (!self->ended) {
        if (atomic_load(&self->interrupted)) return SV_END;
        int result = avcodec_receive_frame(self->codec, self->decoded);
        sv_status status = check_buffers(self, error);
        if (result >= 0 && status == SV_OK) {
            /* Pictures before the first key picture after a seek are predicted from pictures that were not decoded. */
            self->started |= decoder_is_key(self->codec, self->decoded);
            if (!self->started || self->decoded->flags & AV_FRAME_FLAG_DISCARD) continue;
            self->read++;
            return SV_OK;
        }
        if (result == AVERROR_EOF) {
            self->ended = true;
            break;
        }
        if (result == AVERROR(EAGAIN) && status == SV_OK) {
            status = read_packet(self, error);
            if (status != SV_FAILED) result = avcodec_send_packet(self->codec, status == SV_END ? NULL : self->packet);
            av_packet_unref(self->packet);
            if (status != SV_FAILED) status = check_buffers(self, error);
        }
        if (result == AVERROR(ENOMEM) && status == SV_OK)
            status = sv_fail(error, SV_FAILED, "%s: out of memory to decode it", self->base.name);
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

/* ---- Numbers ---------------------------------------------------------------------------------- */

/* True if the timeline gives the numbers of pictures. */
static bool is_numbered(const file_source *self) {
    return self->pictures.count == 0 && !self->timeline.irregular &&
           (!self->protocols || self->feeding || self->timeline.complete);
}

/* A picture's position in the timeline, without those that would be shown before time 0. */
static int64_t number_of(const file_source *self, int64_t stamp) {
    return timeline_find(&self->timeline, stamp) - timeline_find(&self->timeline, self->origin);
}

/* Opens the file once more, at the packet where the timeline ends. */
static sv_status open_scanner(file_source *self, sv_error *error) {
    int stream, result = 0;
    sv_status status = open_container(self, &self->scanned, self->base.name, error);
    if (status == SV_OK)
        status = container_find_video(self->scanned, self->base.name, self->options.track, &stream, error);
    if (status == SV_OK && stream != self->stream)
        status = sv_fail(error, SV_FAILED, "%s: the file has changed; open it again", self->base.name);
    if (status != SV_OK) return status;
    sv_log(SV_LOG_DEBUG, "%s: its packets are read again to number its frames", self->base.name);
    self->scanner = (packet_reader){.container = self->scanned, .stream = stream};
    for (int64_t i = 0; i < self->packets_seen && result >= 0 && !atomic_load(&self->interrupted); i++) {
        result = packets_next(&self->scanner, self->packet);
        av_packet_unref(self->packet);
    }
    return SV_OK;
}

/* Adds a packet to the timeline. */
static sv_status scan(file_source *self, sv_error *error) {
    sv_status status = self->scanned ? SV_OK : open_scanner(self, error);
    if (status != SV_OK) return status;
    if (atomic_load(&self->interrupted)) return SV_END;
    const int result = packets_next(&self->scanner, self->packet);
    if (result == AVERROR(ENOMEM)) return sv_fail(error, SV_FAILED, "%s: out of memory", self->base.name);
    if (result >= 0)
        status = note_packet(self, self->scanned, self->packet, error);
    else if (result != AVERROR_INVALIDDATA)
        self->timeline.complete = true;
    av_packet_unref(self->packet);
    return status;
}

/* Fills the timeline until no further packet can be shown before `stamp`. */
static sv_status scan_to_stamp(file_source *self, int64_t stamp, sv_error *error) {
    sv_status status = SV_OK;
    while (status == SV_OK && !self->feeding && is_numbered(self) &&
           !timeline_is_sure(&self->timeline, timeline_find(&self->timeline, stamp)))
        status = scan(self, error);
    return status;
}

/* The same up to picture `number`. */
static sv_status scan_to_number(file_source *self, int64_t number, sv_error *error) {
    sv_status status = SV_OK;
    while (status == SV_OK && is_numbered(self) &&
           !timeline_is_sure(&self->timeline, timeline_find(&self->timeline, self->origin) + number))
        status = scan(self, error);
    return status;
}

/* Determines the time and the number of self->decoded, and whether it is damaged. */
static sv_status stamp(file_source *self, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const double rate = self->base.info.rate;
    sv_status status = scan_to_stamp(self, picture->pts, error);
    if (status != SV_OK) return status;
    int64_t number = -1;
    if (is_numbered(self)) {
        number = timeline_has(&self->timeline, picture->pts) ? number_of(self, picture->pts) : -1;
        if (number < self->next_index) number = -1;
        if (number < 0) self->timeline.irregular = true;
    }
    const int64_t at = number >= 0 ? picture->pts : picture->best_effort_timestamp;
    if (at != AV_NOPTS_VALUE && self->origin != AV_NOPTS_VALUE && !self->untimed)
        self->time = (at - self->origin) * av_q2d(self->tick);
    else
        self->time = self->next_index > 0 ? self->next_index / rate : fmax(0, self->last_time + 1 / rate);
    if (self->pictures.count > 0) {
        self->index = at;
        self->time = sequence_time(&self->pictures, at);
        self->damaged = decoder_is_damaged(self->codec, picture, &self->doubtful);
        return SV_OK;
    }
    /* Pairing needs increasing times, whatever a damaged file says. */
    if (self->time <= self->last_time) self->time = self->last_time + 1 / rate;
    self->index = number >= 0 ? number : self->next_index >= 0 ? self->next_index : llround(self->time * rate);
    /* The decoder reports a lost picture before it outputs those that are shown earlier. */
    if (self->lost && (number < 0 || (self->next_index >= 0 && number > self->next_index))) {
        self->doubtful = true;
        self->lost = false;
    }
    self->damaged = decoder_is_damaged(self->codec, picture, &self->doubtful);
    self->next_index = self->index + 1;
    self->last_time = self->time;
    return SV_OK;
}

/* Decodes the next picture and determines its time and number. */
static sv_status decode_and_stamp(file_source *self, sv_error *error) {
    sv_status status = decode(self, error);
    return status == SV_OK ? stamp(self, error) : status;
}

/* Makes the frame of self->decoded, which is stamped; `start`: when decoding it began. */
static sv_status make_frame(file_source *self, double start, frame **out, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const source_info *info = &self->base.info;
    self->maker.colour = source_wants_colour(&self->options);
    sv_status status;
    if (info->width > 0 && (picture->width != info->width || picture->height != info->height))
        status = sv_fail(error, SV_FAILED,
                         "%s: its pictures change from %dx%d to %dx%d pixels at frame %" PRId64 "; split it there",
                         self->base.name, info->width, info->height, picture->width, picture->height, self->index);
    else if (picture->width > SV_MAX_SIDE || picture->height > SV_MAX_SIDE)
        status = sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels, at most %d per side are supported",
                         self->base.name, picture->width, picture->height, SV_MAX_SIDE);
    else
        status = picture_to_frame(&self->maker, picture, self->base.name, out, error);
    av_frame_unref(self->decoded);
    if (status != SV_OK) {
        self->ended = true;
        return status;
    }
    (*out)->time = self->time;
    (*out)->index = self->index;
    (*out)->damaged = self->damaged;
    (*out)->lost = self->lost_now;
    self->lost_now = 0;
    (*out)->decoded = sv_seconds();
    (*out)->decode_ms = (float)(1e3 * ((*out)->decoded - start));
    return SV_OK;
}

/* Notes how many frames there are once all packets have been seen. */
static void note_count(file_source *self) {
    if (self->timeline.complete && self->origin != AV_NOPTS_VALUE && !self->timeline.irregular)
        atomic_store(&self->base.counted, number_of(self, INT64_MAX));
}

static sv_status file_read(source *base, frame **out, sv_error *error) {
    file_source *self = (file_source *)base;
    if (atomic_load(&self->interrupted)) return SV_END;
    if (self->pending) {
        *out = self->pending;
        self->pending = NULL;
        return SV_OK;
    }
    if (self->ended) return SV_END;
    double start = sv_seconds();
    sv_status status = decode_and_stamp(self, error);
    if (status == SV_END && self->ended) check_length(self);
    note_count(self);
    return status == SV_OK ? make_frame(self, start, out, error) : status;
}

/* ---- Seeking ---------------------------------------------------------------------------------- */

static sv_status rewind_file(file_source *self, sv_error *error) {
    int stream = self->stream;
    container_close(&self->container);
    sv_status status = open_container(self, &self->container, self->base.name, error);
    if (status == SV_OK)
        status = container_find_video(self->container, self->base.name, self->options.track, &self->stream, error);
    if (status == SV_OK && self->stream != stream)
        status = sv_fail(error, SV_FAILED, "%s: the file has changed; open it again", self->base.name);
    self->packets.container = self->container;
    self->read = 0;
    self->contiguous = true;
    return status;
}

/* Not every web server can send parts of a file, and demuxers notice that too late. */
static bool can_jump(const file_source *self) {
    return self->container && self->origin != AV_NOPTS_VALUE &&
           (self->protocols ? self->container->pb && self->container->pb->seekable & AVIO_SEEKABLE_NORMAL
                            : is_numbered(self));
}

/* Starts at a key frame at or before `seconds`. If `anew` is set or the file cannot seek, opens it again and reads from
 * its beginning; `anew` is then true. */
static sv_status jump(file_source *self, double seconds, bool *anew, sv_error *error) {
    sv_status status = SV_OK;
    self->feeding = false;
    packets_flush(&self->packets);
    if (!*anew && can_jump(self)) {
        int64_t stamp_there = self->origin + (int64_t)floor(seconds / av_q2d(self->tick));
        self->deadline = sv_seconds() + self->timeout;
        *anew = av_seek_frame(self->container, self->stream, stamp_there, AVSEEK_FLAG_BACKWARD) < 0;
    } else {
        *anew = true;
    }
    if (*anew) status = rewind_file(self, error);
    avcodec_flush_buffers(self->codec);
    picture_forget_refusals(&self->maker);
    self->ended = status != SV_OK;
    self->last_time = -INFINITY;
    self->next_index = *anew && self->timeline.irregular ? 0 : -1;
    self->started = *anew;
    self->lost = self->doubtful = false;
    self->lost_now = 0;
    if (!*anew) self->contiguous = false;
    return status;
}

static void drop_pending(file_source *self) {
    frame_release(self->pending);
    self->pending = NULL;
}

/* Makes the first picture pending that is at or after `target`, in seconds, or whose number is `number` or higher if
 * that is not negative. */
static sv_status go_to(file_source *self, double target, int64_t number, sv_error *error) {
    const source_info *info = &self->base.info;
    /* Containers round time stamps to their tick, so a time that was computed from a frame's number may lie that
     * much behind the frame. */
    double slack = fmin(1.01 * av_q2d(self->tick), 0.25 / info->rate);
    double start = sv_seconds();
    bool anew = false;
    if (self->timeline.irregular && !self->protocols && !self->said_counting)
        sv_log(SV_LOG_INFO, "%s: its time stamps do not identify the frames; seeking decodes from the beginning",
               self->base.name);
    self->said_counting |= self->timeline.irregular;
    /* An index may lead to a key frame after the target, or to none. Then try from earlier positions, and finally
     * from the start. */
    for (double back = 0;; back = back > 0 ? 4 * back : 1) {
        double from = fmax(target - back, 0);
        sv_status status = jump(self, from, &anew, error);
        for (bool first = true; status == SV_OK; first = false) {
            status = decode_and_stamp(self, error);
            if (status != SV_OK) break;
            if (self->timeline.irregular && !self->protocols && !anew) break; /* only counting helps */
            if (number >= 0 ? self->index < number : self->time < target - slack) continue;
            if (first && !anew && (number >= 0 ? self->index > number : self->time > target + slack)) break;
            return make_frame(self, start, &self->pending, error);
        }
        av_frame_unref(self->decoded);
        if (status == SV_FAILED) return status;
        if (atomic_load(&self->interrupted)) return SV_OK;
        /* After the end: the next read reports it. */
        if (status == SV_END && (anew || (number < 0 && info->duration > 0 && target > info->duration))) return SV_OK;
        anew = anew || from <= 0 || (self->timeline.irregular && !self->protocols);
    }
}

static sv_status file_seek(source *base, double seconds, sv_error *error) {
    file_source *self = (file_source *)base;
    const double target = fmax(seconds, 0), tick = av_q2d(self->tick);
    drop_pending(self);
    if (self->pictures.count > 0) {
        avcodec_flush_buffers(self->codec);
        picture_forget_refusals(&self->maker);
        self->ended = false;
        self->next_picture = sequence_at(&self->pictures, target);
        return SV_OK;
    }
    if (!is_numbered(self) || self->origin == AV_NOPTS_VALUE || self->protocols) return go_to(self, target, -1, error);
    const double slack = fmin(1.01 * tick, 0.25 / base->info.rate);
    const double farthest = 1e15; /* ticks: eleven days where they are nanoseconds */
    const int64_t stamp = self->origin + (int64_t)fmin(ceil((target - slack) / tick), farthest);
    self->feeding = false;
    sv_status status = scan_to_stamp(self, stamp, error);
    if (status != SV_OK) return status == SV_END ? SV_OK : status;
    if (!is_numbered(self)) return go_to(self, target, -1, error);
    if (timeline_find(&self->timeline, stamp) == self->timeline.count) {
        self->ended = true;
        return SV_OK;
    }
    const int64_t number = number_of(self, stamp);
    return go_to(self, target, number > 0 ? number : 0, error);
}

static sv_status file_seek_frame(source *base, int64_t index, double *seconds, sv_error *error) {
    file_source *self = (file_source *)base;
    const double estimate =
        self->pictures.count > 0 ? sequence_time(&self->pictures, index) : (index - 0.25) / base->info.rate;
    *seconds = fmax(0, estimate);
    if (self->pictures.count > 0 || self->protocols) return file_seek(base, *seconds, error);
    drop_pending(self);
    self->feeding = false;
    sv_status status = scan_to_number(self, index, error);
    if (status != SV_OK) return status == SV_END ? SV_OK : status;
    if (is_numbered(self)) {
        const int64_t place = timeline_find(&self->timeline, self->origin) + index;
        if (place >= self->timeline.count) {
            self->ended = true;
            *seconds = fmax(*seconds, base->info.duration);
            return SV_OK;
        }
        *seconds = (self->timeline.stamps[place] - self->origin) * av_q2d(self->tick);
    }
    status = go_to(self, *seconds, index, error);
    if (status == SV_OK && self->pending) *seconds = self->pending->time;
    return status;
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static void file_interrupt(source *base) { atomic_store(&((file_source *)base)->interrupted, true); }

static void file_close(source *base) {
    file_source *self = (file_source *)base;
    frame_release(self->pending);
    avcodec_free_context(&self->codec);
    packets_flush(&self->packets);
    packets_flush(&self->scanner);
    container_close(&self->container);
    container_close(&self->scanned);
    timeline_free(&self->timeline);
    av_packet_free(&self->packet);
    av_frame_free(&self->decoded);
    sequence_free(&self->pictures);
    picture_maker_destroy(&self->maker);
    free(base->name);
    free(self);
}

static const source_operations file_operations = {file_read, file_seek, file_seek_frame, file_interrupt, file_close};

/* Finds the pictures of a sequence, a folder or a pattern. A single file is opened by its own name. */
static sv_status find_pictures(file_source *self, sv_error *error) {
    const char *name = self->base.name;
    if (self->protocols) return SV_OK;
    if (sequence_is_pattern(name) && !file_exists(name)) return sequence_find(&self->pictures, name, error);
    if (!folder_is_named(name)) return SV_OK;
    sv_status status = folder_find(&self->pictures, name, error);
    if (status != SV_OK || self->pictures.count > 1) return status;
    char *file = sequence_file(&self->pictures, 0);
    if (!file) return sv_fail(error, SV_FAILED, "%s: out of memory", name);
    sequence_free(&self->pictures);
    self->pictures.count = 0;
    free(self->base.name);
    self->base.name = file;
    return SV_OK;
}

/* Opens the file, or the first of the sequence, as far as its codec. */
static sv_status open_streams(file_source *self, sv_error *error) {
    char *first = NULL;
    sv_status status = find_pictures(self, error);
    const char *name = self->base.name;
    const bool numbered = self->pictures.count > 0;
    if (status == SV_OK) {
        first = numbered ? sequence_file(&self->pictures, 0) : strdup(name);
        if (!first) status = sv_fail(error, SV_FAILED, "%s: out of memory", name);
    }
    if (status == SV_OK) status = open_container(self, &self->container, first, error);
    if (status == SV_OK && container_is_picture(self->container)) {
        const AVCodecParameters *parameters = self->container->streams[0]->codecpar;
        self->tick = (AVRational){1, 1};
        if (!numbered) status = sequence_of_one(&self->pictures, name, error);
        if (status == SV_OK) status = open_codec(self, parameters, error);
        container_close(&self->container);
    } else if (status == SV_OK && numbered) {
        status = sv_fail(error, SV_FAILED, "%s: its files are not pictures but %s; name one of them", name,
                         self->container->iformat->long_name);
    } else if (status == SV_OK) {
        status = container_find_video(self->container, name, self->options.track, &self->stream, error);
        if (status == SV_OK) {
            const AVStream *stream = self->container->streams[self->stream];
            self->tick = stream->time_base;
            self->packets = (packet_reader){.container = self->container, .stream = self->stream};
            self->timeline.irregular = container_may_halve_pictures(self->container, stream);
            status = open_codec(self, stream->codecpar, error);
        }
    }
    free(first);
    return status;
}

static void describe_video(file_source *self, source_info *info) {
    AVStream *stream = self->container->streams[self->stream];
    double rate = av_q2d(av_guess_frame_rate(self->container, stream, NULL));
    info->rate = isfinite(rate) && rate > 0 ? rate : 25; /* a guess, used if time stamps are missing */
    const int64_t left_out = container_count_left_out(stream);
    info->frames = stream->nb_frames > left_out ? stream->nb_frames - left_out : -1;
    if (left_out > 0)
        sv_log(SV_LOG_INFO, "%s: its edit list excludes %" PRId64 " of %" PRId64 " pictures; they have no number",
               self->base.name, left_out, stream->nb_frames);
    if (stream->duration > 0)
        info->duration = stream->duration * av_q2d(stream->time_base);
    else if (self->container->duration > 0)
        info->duration = self->container->duration / (double)AV_TIME_BASE;
}

/* The time stamp of time 0: the first packet's, even if its picture is broken. Pictures that are shown before it, which
 * occur in live streams that were cut, count if they can be decoded. */
static int64_t find_origin(const file_source *self) {
    if (self->pictures.count > 0) return 0;
    const AVFrame *picture = self->decoded;
    if (!is_numbered(self) || !timeline_has(&self->timeline, picture->pts)) return picture->best_effort_timestamp;
    return self->first_stamp < picture->pts ? self->first_stamp : picture->pts;
}

/* Fills in the start of the file by its own time stamps. Muxers and encoders choose their zero in different ways, so
 * only those of one kind are compared. */
static void describe_clock(const file_source *self, source_info *info) {
    const double year_2001 = 1e9;
    const AVFrame *picture = self->decoded;
    const bool has_delay = picture->pts != AV_NOPTS_VALUE && picture->pkt_dts != AV_NOPTS_VALUE;
    if (self->origin == AV_NOPTS_VALUE) return;
    info->start = (double)self->origin * av_q2d(self->tick);
    if (self->options.track)
        snprintf(info->clock, sizeof info->clock, SOURCE_TRACK_CLOCK);
    else if (info->start > year_2001)
        snprintf(info->clock, sizeof info->clock, SOURCE_WALL_CLOCK);
    else
        snprintf(info->clock, sizeof info->clock, "%.16s %d/%d %.12s %" PRId64, self->container->iformat->name,
                 self->tick.num, self->tick.den, avcodec_get_name(self->codec->codec_id),
                 has_delay ? picture->pts - picture->pkt_dts : 0);
}

static void describe_pictures(const sequence *pictures, source_info *info) {
    info->frames = pictures->count;
    info->start = (double)pictures->first;
    if (!pictures->stamps) return;
    info->rate = sequence_rate(pictures);
    info->duration = sequence_time(pictures, pictures->count);
    info->start = 1e-9 * (double)pictures->stamps[0];
    snprintf(info->clock, sizeof info->clock, SOURCE_WALL_CLOCK);
}

/* Decodes the first picture, so that `info` is valid. */
static sv_status open_first(file_source *self, sv_error *error) {
    source_info *info = &self->base.info;
    const char *name = self->base.name, *codec = avcodec_get_name(self->codec->codec_id);
    double start = sv_seconds();
    sv_status status = decode(self, error);
    if (status == SV_END)
        return sv_fail(error, SV_FAILED, "%s: no picture of its %s data can be decoded; the file may be damaged", name,
                       codec);
    if (status != SV_OK) return status;
    self->origin = find_origin(self);
    info->pictures = self->pictures.count > 0 && !self->pictures.stamps;
    info->seekable = true;
    if (self->pictures.count > 0) {
        describe_pictures(&self->pictures, info);
    } else {
        describe_video(self, info);
        describe_clock(self, info);
    }
    status = stamp(self, error);
    if (status == SV_OK) status = make_frame(self, start, &self->pending, error);
    if (status != SV_OK) return status;
    info->width = self->pending->grey.width;
    info->height = self->pending->grey.height;
    if (!info->pictures)
        snprintf(info->description, sizeof info->description, "%s %dx%d %.4g fps", codec, info->width, info->height,
                 info->rate);
    else if (info->frames > 1)
        snprintf(info->description, sizeof info->description, "%s %dx%d %" PRId64 " pictures", codec, info->width,
                 info->height, info->frames);
    else
        snprintf(info->description, sizeof info->description, "%s %dx%d", codec, info->width, info->height);
    if (self->container) container_say_rotation(self->container->streams[self->stream], name);
    return SV_OK;
}

static sv_status open_any(source **out, const char *name, const char *protocols, double timeout,
                          const source_options *options, sv_error *error) {
    file_source *self = calloc(1, sizeof *self);
    if (!self) return sv_fail(error, SV_FAILED, "%s: out of memory to open it", name);
    self->base.operations = &file_operations;
    self->protocols = protocols;
    self->timeout = timeout;
    self->options = *options;
    self->first_stamp = self->origin = AV_NOPTS_VALUE;
    self->next_index = -1;
    self->last_time = -INFINITY;
    self->contiguous = self->feeding = self->started = true;
    self->base.name = strdup(name);
    sv_status status = self->base.name ? SV_OK : sv_fail(error, SV_FAILED, "%s: out of memory to open it", name);
    if (status == SV_OK) status = picture_maker_create(&self->maker, options->memory, options->colour, error);
    if (status == SV_OK) status = open_streams(self, error);
    if (status == SV_OK) status = open_first(self, error);
    if (status != SV_OK) {
        file_close(&self->base);
        return status;
    }
    *out = &self->base;
    return SV_OK;
}

sv_status source_open_file(source **out, const char *name, const source_options *options, sv_error *error) {
    return open_any(out, name, NULL, 0, options, error);
}

sv_status recording_open(source **out, const char *address, const char *protocols, double timeout,
                         const source_options *options, sv_error *error) {
    return open_any(out, address, protocols, timeout, options, error);
}

bool source_is_pair(const char *name) {
    AVFormatContext *container = NULL;
    const bool video = container_open(&container, name, NULL, false, (AVIOInterruptCB){0}, NULL) == SV_OK &&
                       !container_is_picture(container) && avformat_find_stream_info(container, NULL) >= 0;
    const bool pair = video && container_count_tracks(container) == 2;
    container_close(&container);
    return pair;
}
