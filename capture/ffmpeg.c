/* Video files, pictures and numbered sequences, through FFmpeg: see source.h.
 *
 * A video goes demuxer -> decoder. Pictures need no demuxer: each file is one packet for the decoder, numbered by
 * its time stamp, so that a broken one leaves a hole and does not shift those behind it. */
#include "capture/container.h"
#include "capture/decoder.h"
#include "capture/recording.h"
#include "capture/sequence.h"
#include "capture/source.h"

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
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    sequence pictures;    /* count is 0 for a video */
    int64_t next_picture; /* the next to be sent to the decoder */
    frame *pending;       /* decoded when it was opened or by a seek, and not yet asked for */
    AVRational tick;      /* of the time stamps, seconds */
    int64_t first_stamp;  /* of the packets, in ticks; AV_NOPTS_VALUE before the first that has one */
    int64_t origin;       /* the time stamp of time 0, AV_NOPTS_VALUE if the first picture has none */
    int64_t next_index;   /* -1 at the start and after a seek: follows from the time */
    double last_time;     /* of the picture before, seconds; -INFINITY if there is none */
    int64_t read;         /* pictures decoded since the file was opened or rewound */
    bool contiguous;      /* no seek since then */
    bool ended, said_broken;
} file_source;

/* FFmpeg asks this while it waits. */
static int must_stop(void *argument) {
    const file_source *self = argument;
    return atomic_load(&self->interrupted) || (self->protocols && sv_seconds() > self->deadline);
}

static sv_status open_container(file_source *self, const char *name, sv_error *error) {
    self->deadline = sv_seconds() + self->timeout;
    return container_open(&self->container, name, self->protocols, self->options.playlists,
                          (AVIOInterruptCB){must_stop, self}, error);
}

static bool file_exists(const char *name) {
    struct stat status;
    return stat(name, &status) == 0;
}

static sv_status open_codec(file_source *self, const AVCodecParameters *parameters, sv_error *error) {
    self->packet = av_packet_alloc();
    self->decoded = av_frame_alloc();
    if (!self->packet || !self->decoded)
        return sv_fail(error, SV_FAILED, "%s: no memory left to open it", self->base.name);
    /* A broken picture can be named if each comes out at once. */
    const bool at_once = self->pictures.count > 0;
    return decoder_open(&self->codec, parameters, self->tick, &self->maker, at_once, self->base.name, error);
}

/* ---- Decoding --------------------------------------------------------------------------------- */

static void note_broken(file_source *self, const char *name, const char *reason) {
    if (!self->said_broken)
        sv_log(SV_LOG_WARNING, "%s: a broken place at frame %" PRId64 " is skipped, and any further ones (%s)", name,
               self->read, reason);
    self->said_broken = true;
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
        status = sv_fail(error, SV_FAILED, "%s: no memory left to read it", name);
    else /* A file that shrinks meanwhile gives a shorter packet. */
        av_shrink_packet(packet, (int)fread(packet->data, 1, packet->size, file));
    if (file) fclose(file);
    return status;
}

static sv_status read_picture(file_source *self, sv_error *error) {
    char *name = sequence_file(&self->pictures, self->next_picture);
    sv_status status = name ? read_file(self->packet, name, error)
                            : sv_fail(error, SV_FAILED, "%s: no memory left to read it", self->base.name);
    free(name);
    if (status != SV_OK) return status;
    self->packet->pts = self->packet->dts = self->next_picture++;
    self->packet->flags |= AV_PKT_FLAG_KEY;
    return SV_OK;
}

/* The next packet of the stream. */
static sv_status read_packet(file_source *self, sv_error *error) {
    enum { PATIENCE = 1000 }; /* broken places in a row, before it counts as the end */
    if (self->pictures.count > 0) return self->next_picture < self->pictures.count ? read_picture(self, error) : SV_END;
    for (int broken = 0;;) {
        self->deadline = sv_seconds() + self->timeout;
        int result = av_read_frame(self->container, self->packet);
        if (atomic_load(&self->interrupted)) return SV_END;
        if (result >= 0 && self->packet->stream_index == self->stream) {
            const AVPacket *packet = self->packet;
            if (self->first_stamp == AV_NOPTS_VALUE)
                self->first_stamp = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
            return SV_OK;
        }
        if (result >= 0) {
            av_packet_unref(self->packet);
        } else if (result == AVERROR_EOF) {
            return SV_END;
        } else if (result != AVERROR_INVALIDDATA) {
            return sv_fail(error, SV_FAILED, "%s: cannot be read behind frame %" PRId64 ": %s", self->base.name,
                           self->read, container_reason(result));
        } else {
            note_broken(self, self->base.name, av_err2str(result));
            if (++broken == PATIENCE) return SV_END;
        }
    }
}

/* Said at the end of a file that was played from its start. */
static void check_length(const file_source *self) {
    const source_info *info = &self->base.info;
    if (self->pictures.count > 0 || !self->contiguous || self->container->nb_streams > 1) return;
    double missing = info->duration - self->read / info->rate;
    if (missing > 0.5 && missing > 0.05 * info->duration)
        sv_log(SV_LOG_WARNING, "%s: ends after %.1f s of the %.1f s it should have; it may be cut short",
               self->base.name, self->read / info->rate, info->duration);
}

/* Decodes the next picture into self->decoded. */
static sv_status decode(file_source *self, sv_error *error) {
    while (!self->ended) {
        if (atomic_load(&self->interrupted)) return SV_END;
        int result = avcodec_receive_frame(self->codec, self->decoded);
        if (result >= 0) {
            self->read++;
            return SV_OK;
        }
        if (result == AVERROR_EOF) {
            self->ended = true;
            break;
        }
        if (result == AVERROR(EAGAIN)) {
            sv_status status = read_packet(self, error);
            if (status == SV_FAILED) {
                self->ended = true;
                return status;
            }
            result = avcodec_send_packet(self->codec, status == SV_END ? NULL : self->packet);
            av_packet_unref(self->packet);
        }
        if (atomic_load(&self->maker.refused_width) > 0) {
            self->ended = true;
            return sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels, at most %d on a side are possible",
                           self->base.name, self->maker.refused_width, self->maker.refused_height, MAX_PICTURE_SIDE);
        }
        if (result == AVERROR(ENOMEM)) {
            self->ended = true;
            return sv_fail(error, SV_FAILED, "%s: no memory left to decode it", self->base.name);
        }
        if (result < 0) {
            char *name = self->pictures.count > 0 ? sequence_file(&self->pictures, self->next_picture - 1) : NULL;
            note_broken(self, name ? name : self->base.name, av_err2str(result));
            free(name);
        }
    }
    return SV_END;
}

/* Tells the time and the number of self->decoded. */
static void stamp(file_source *self, double *time, int64_t *index) {
    double rate = self->base.info.rate;
    int64_t pts = self->decoded->best_effort_timestamp;
    bool known = pts != AV_NOPTS_VALUE && self->origin != AV_NOPTS_VALUE;
    if (known)
        *time = (pts - self->origin) * av_q2d(self->tick);
    else
        *time = self->next_index > 0 ? self->next_index / rate : fmax(0, self->last_time + 1 / rate);
    if (self->pictures.count > 0) {
        *index = pts;
        return;
    }
    /* Pairing needs times that go forward, whatever a damaged file says. */
    if (*time <= self->last_time) *time = self->last_time + 1 / rate;
    *index = self->next_index >= 0 ? self->next_index : llround(*time * rate);
    self->next_index = *index + 1;
    self->last_time = *time;
}

/* Makes the frame of self->decoded; `start`: when decoding it began. */
static sv_status make_frame(file_source *self, double start, frame **out, sv_error *error) {
    const AVFrame *picture = self->decoded;
    const source_info *info = &self->base.info;
    double time;
    int64_t index;
    stamp(self, &time, &index);
    self->maker.colour = source_wants_colour(&self->options);
    sv_status status;
    if (info->width > 0 && (picture->width != info->width || picture->height != info->height))
        status = sv_fail(error, SV_FAILED,
                         "%s: its pictures change from %dx%d to %dx%d pixels at frame %" PRId64 "; split it there",
                         self->base.name, info->width, info->height, picture->width, picture->height, index);
    else if (picture->width > MAX_PICTURE_SIDE || picture->height > MAX_PICTURE_SIDE)
        status = sv_fail(error, SV_FAILED, "%s: its pictures have %dx%d pixels, at most %d on a side are possible",
                         self->base.name, picture->width, picture->height, MAX_PICTURE_SIDE);
    else
        status = picture_to_frame(&self->maker, picture, self->base.name, out, error);
    av_frame_unref(self->decoded);
    if (status != SV_OK) {
        self->ended = true;
        return status;
    }
    (*out)->time = time;
    (*out)->index = index;
    (*out)->decoded = sv_seconds();
    (*out)->decode_ms = (float)(1e3 * ((*out)->decoded - start));
    return SV_OK;
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
    sv_status status = decode(self, error);
    if (status == SV_END && self->ended) check_length(self);
    return status == SV_OK ? make_frame(self, start, out, error) : status;
}

/* ---- Seeking ---------------------------------------------------------------------------------- */

static sv_status rewind_file(file_source *self, sv_error *error) {
    int stream = self->stream;
    avformat_close_input(&self->container);
    sv_status status = open_container(self, self->base.name, error);
    if (status == SV_OK) status = container_find_video(self->container, self->base.name, &self->stream, error);
    if (status == SV_OK && self->stream != stream)
        status = sv_fail(error, SV_FAILED, "%s: the file has changed; open it again", self->base.name);
    self->read = 0;
    self->contiguous = true;
    return status;
}

/* Not every web server sends parts of a file, and demuxers find that out too late. */
static bool can_jump(const file_source *self) {
    return self->container && self->origin != AV_NOPTS_VALUE &&
           (!self->protocols || (self->container->pb && self->container->pb->seekable & AVIO_SEEKABLE_NORMAL));
}

/* Starts at a key frame at or before `seconds`, or with the file opened anew if it cannot do that. */
static sv_status jump(file_source *self, double seconds, bool anew, sv_error *error) {
    sv_status status = SV_OK;
    if (!anew && can_jump(self)) {
        int64_t stamp_there = self->origin + (int64_t)floor(seconds / av_q2d(self->tick));
        self->deadline = sv_seconds() + self->timeout;
        anew = av_seek_frame(self->container, self->stream, stamp_there, AVSEEK_FLAG_BACKWARD) < 0;
    } else {
        anew = true;
    }
    if (anew) status = rewind_file(self, error);
    avcodec_flush_buffers(self->codec);
    self->ended = status != SV_OK;
    self->last_time = -INFINITY;
    self->next_index = -1;
    if (!anew) self->contiguous = false;
    return status;
}

static sv_status file_seek(source *base, double seconds, sv_error *error) {
    file_source *self = (file_source *)base;
    double target = fmax(seconds, 0);
    frame_release(self->pending);
    self->pending = NULL;
    if (self->pictures.count > 0) {
        avcodec_flush_buffers(self->codec);
        self->ended = false;
        self->next_picture = (int64_t)fmin(ceil(target), (double)self->pictures.count);
        return SV_OK;
    }
    /* Containers round time stamps to their tick, so a time that was computed from a frame's number may lie that
     * much behind the frame. */
    double slack = fmin(1.01 * av_q2d(self->tick), 0.25 / base->info.rate);
    double start = sv_seconds();
    bool anew = false;
    /* An index may lead to a key frame behind the target; then try from farther before it, at last from the start. */
    for (double back = 0;; back = back > 0 ? 4 * back : 1) {
        double from = fmax(target - back, 0);
        sv_status status = jump(self, from, anew, error);
        for (bool first = true; status == SV_OK; first = false) {
            status = decode(self, error);
            if (status != SV_OK) break;
            double last_time = self->last_time, time;
            int64_t next_index = self->next_index, index;
            stamp(self, &time, &index);
            if (time < target - slack) {
                av_frame_unref(self->decoded);
                continue;
            }
            if (first && time > target + slack && !anew) {
                av_frame_unref(self->decoded);
                break;
            }
            self->last_time = last_time; /* make_frame will stamp it again */
            self->next_index = next_index;
            return make_frame(self, start, &self->pending, error);
        }
        if (status != SV_OK) return status == SV_END ? SV_OK : status; /* behind the end: the next read says so */
        anew = from <= 0;
    }
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static void file_interrupt(source *base) { atomic_store(&((file_source *)base)->interrupted, true); }

static void file_close(source *base) {
    file_source *self = (file_source *)base;
    frame_release(self->pending);
    avcodec_free_context(&self->codec);
    avformat_close_input(&self->container);
    av_packet_free(&self->packet);
    av_frame_free(&self->decoded);
    sequence_free(&self->pictures);
    picture_maker_destroy(&self->maker);
    free(base->name);
    free(self);
}

static const source_operations file_operations = {file_read, file_seek, file_interrupt, file_close};

/* Opens the file, or the first of the sequence, as far as its codec. */
static sv_status open_streams(file_source *self, sv_error *error) {
    const char *name = self->base.name;
    char *first = NULL;
    sv_status status = SV_OK;
    bool numbered = !self->protocols && sequence_is_pattern(name) && !file_exists(name);
    if (numbered) status = sequence_find(&self->pictures, name, error);
    if (status == SV_OK) {
        first = numbered ? sequence_file(&self->pictures, 0) : strdup(name);
        if (!first) status = sv_fail(error, SV_FAILED, "%s: no memory left", name);
    }
    if (status == SV_OK) status = open_container(self, first, error);
    if (status == SV_OK && container_is_picture(self->container)) {
        const AVCodecParameters *parameters = self->container->streams[0]->codecpar;
        self->tick = (AVRational){1, 1};
        if (!numbered) status = sequence_of_one(&self->pictures, name, error);
        if (status == SV_OK) status = open_codec(self, parameters, error);
        avformat_close_input(&self->container);
    } else if (status == SV_OK && numbered) {
        status = sv_fail(error, SV_FAILED, "%s: its files are no pictures but %s; give one of them by its name", name,
                         self->container->iformat->long_name);
    } else if (status == SV_OK) {
        status = container_find_video(self->container, name, &self->stream, error);
        if (status == SV_OK) {
            const AVStream *stream = self->container->streams[self->stream];
            self->tick = stream->time_base;
            status = open_codec(self, stream->codecpar, error);
        }
    }
    free(first);
    return status;
}

static void describe_video(file_source *self, source_info *info) {
    AVStream *stream = self->container->streams[self->stream];
    double rate = av_q2d(av_guess_frame_rate(self->container, stream, NULL));
    info->rate = isfinite(rate) && rate > 0 ? rate : 25; /* a guess, used where time stamps are missing */
    info->frames = stream->nb_frames > 0 ? stream->nb_frames : -1;
    if (stream->duration > 0)
        info->duration = stream->duration * av_q2d(stream->time_base);
    else if (self->container->duration > 0)
        info->duration = self->container->duration / (double)AV_TIME_BASE;
}

/* The time stamp of time 0: where the stream starts, even if its first pictures are broken. */
static int64_t find_origin(const file_source *self) {
    if (self->pictures.count > 0) return 0;
    int64_t picture = self->decoded->best_effort_timestamp;
    int64_t start = self->container->streams[self->stream]->start_time;
    if (start == AV_NOPTS_VALUE) start = self->first_stamp;
    return start != AV_NOPTS_VALUE && start < picture ? start : picture;
}

/* What the file's own time stamps say of its start. Muxers and encoders set their zero each in their own way, so only
 * those of one kind are compared. */
static void describe_clock(const file_source *self, source_info *info) {
    const double year_2001 = 1e9;
    const AVFrame *picture = self->decoded;
    const bool has_delay = picture->pts != AV_NOPTS_VALUE && picture->pkt_dts != AV_NOPTS_VALUE;
    if (self->origin == AV_NOPTS_VALUE) return;
    info->start = (double)self->origin * av_q2d(self->tick);
    if (info->start > year_2001)
        snprintf(info->clock, sizeof info->clock, SOURCE_WALL_CLOCK);
    else
        snprintf(info->clock, sizeof info->clock, "%.16s %d/%d %.12s %" PRId64, self->container->iformat->name,
                 self->tick.num, self->tick.den, avcodec_get_name(self->codec->codec_id),
                 has_delay ? picture->pts - picture->pkt_dts : 0);
}

/* Decodes the first picture, so that `info` is true. */
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
    info->pictures = self->pictures.count > 0;
    info->seekable = true;
    if (info->pictures) {
        info->frames = self->pictures.count;
        info->start = (double)self->pictures.first;
    } else {
        describe_video(self, info);
        describe_clock(self, info);
    }
    status = make_frame(self, start, &self->pending, error);
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
    if (!self) return sv_fail(error, SV_FAILED, "%s: no memory left to open it", name);
    self->base.operations = &file_operations;
    self->protocols = protocols;
    self->timeout = timeout;
    self->options = *options;
    self->first_stamp = self->origin = AV_NOPTS_VALUE;
    self->next_index = -1;
    self->last_time = -INFINITY;
    self->contiguous = true;
    self->base.name = strdup(name);
    sv_status status = self->base.name ? SV_OK : sv_fail(error, SV_FAILED, "%s: no memory left to open it", name);
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
