/* Opens, reads and closes video files, pictures and sequences of pictures, through FFmpeg: see source.h. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include "capture/ffmpeg/card.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <libavutil/opt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---------------------------------------------------------------------------------- */

static sv_status file_read(source *base, frame **out, sv_error *error) {
    file_source *self = (file_source *)base;
    if (atomic_load(&self->base.interrupted)) return SV_END;
    if (self->pending) {
        *out = self->pending;
        self->pending = NULL;
        return SV_OK;
    }
    if (self->ended && !self->ahead.count && self->ahead.status == SV_OK) return SV_END;
    double start = sv_seconds();
    sv_status status = ffmpeg_decode_and_stamp(self, error);
    ffmpeg_note_count(self);
    return status == SV_OK ? ffmpeg_make_frame(self, start, out, error) : status;
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static void file_close(source *base) {
    file_source *self = (file_source *)base;
    frame_release(self->pending);
    avcodec_free_context(&self->codec);
    avformat_close_input(&self->demuxer.container);
    avformat_close_input(&self->numbers.scanned);
    timeline_free(&self->numbers.timeline);
    av_packet_free(&self->packet);
    av_frame_free(&self->decoded);
    for (int i = 0; i < FFMPEG_AHEAD; i++) av_frame_free(&self->ahead.pictures[i].picture);
    sequence_free(&self->pictures);
    picture_maker_destroy(&self->maker);
    free(base->name);
    free(self);
}

/* FFmpeg stamps the pictures by the rate that was guessed. */
static void file_set_rate(source *base, double rate) {
    file_source *self = (file_source *)base;
    const double ratio = base->info.rate / rate;
    self->tick = av_d2q(av_q2d(self->tick) * ratio, INT_MAX);
    base->info.duration *= ratio;
    base->info.rate = rate;
}

/* Thread: any. The sequence does not change once the source is open. */
static char *picture_file(const source *base, int64_t index) {
    const sequence *pictures = &((const file_source *)base)->pictures;
    if (index < 0 || index >= pictures->count) return NULL;
    const char *path = pictures->files[index], *slash = strrchr(path, '/');
    return sv_strdup(slash ? slash + 1 : path);
}

static const source_operations file_operations = {file_read, ffmpeg_seek, ffmpeg_seek_frame, NULL, file_close};

static sv_status open_codec(file_source *self, const AVCodecParameters *parameters, sv_error *error) {
    self->packet = sv_must(av_packet_alloc());
    self->decoded = sv_must(av_frame_alloc());
    /* A broken picture can be named only if each is output at once. */
    const bool at_once = self->pictures.count > 0;
    return decoder_open(&self->codec, parameters, self->tick, &self->maker, at_once, self->base.name, error);
}

/* Finds the pictures of a sequence, a folder or a pattern. A single file is opened by its own name. */
static sv_status find_pictures(file_source *self, sv_error *error) {
    if (self->demuxer.protocols || !sequence_is_named(self->base.name)) return SV_OK;
    sv_status status = sequence_find(&self->pictures, self->base.name, error);
    if (status != SV_OK || self->pictures.count > 1) return status;
    free(self->base.name);
    self->base.name = sv_strdup(self->pictures.files[0]);
    sequence_free(&self->pictures);
    return SV_OK;
}

static double find_rate(const file_source *self) {
    const double rate = av_q2d(
        av_guess_frame_rate(self->demuxer.container, self->demuxer.container->streams[self->demuxer.stream], NULL));
    return isfinite(rate) && rate > 0 ? rate : 25; /* a guess, used if time stamps are missing */
}

/* Opens the file, or the first of the sequence, up to its codec. */
static sv_status open_streams(file_source *self, sv_error *error) {
    sv_status status = find_pictures(self, error);
    const char *name = self->base.name;
    const bool numbered = self->pictures.count > 0;
    const char *first = numbered ? self->pictures.files[0] : name;
    if (status == SV_OK) status = ffmpeg_open_container(self, &self->demuxer.container, first, error);
    if (status == SV_OK && container_is_picture(self->demuxer.container)) {
        const AVCodecParameters *parameters = self->demuxer.container->streams[0]->codecpar;
        self->tick = (AVRational){1, 1};
        if (!numbered) self->pictures = sequence_of_one(name);
        status = open_codec(self, parameters, error);
        avformat_close_input(&self->demuxer.container);
    } else if (status == SV_OK && numbered) {
        status = sv_fail(error, SV_FAILED, "%s: its files are not pictures but %s; name one of them", name,
                         self->demuxer.container->iformat->long_name);
    } else if (status == SV_OK) {
        status = container_find_video(self->demuxer.container, name, self->options.track, &self->demuxer.stream, error);
        if (status == SV_OK) {
            const AVStream *stream = self->demuxer.container->streams[self->demuxer.stream];
            if (container_count_tracks(self->demuxer.container) == 2) self->base.info.track = self->options.track;
            self->tick = stream->time_base;
            self->base.info.rate = find_rate(self);
            self->numbers.timeline.least = (int64_t)(ffmpeg_least_step(self) / av_q2d(self->tick));
            self->numbers.timeline.irregular = container_may_halve_pictures(self->demuxer.container, stream);
            status = open_codec(self, stream->codecpar, error);
        }
    }
    return status;
}

static void describe_video(file_source *self, source_info *info) {
    AVStream *stream = self->demuxer.container->streams[self->demuxer.stream];
    info->views = container_views(stream, &info->right_first);
    /* Demuxers of raw video take an option for the rate, and 25 without it. */
    if (self->codec->framerate.num == 0 && self->demuxer.container->priv_data &&
        av_opt_find(self->demuxer.container->priv_data, "framerate", NULL, 0, 0))
        self->base.set_rate = file_set_rate;
    const int64_t left_out = container_count_left_out(self->demuxer.container, stream);
    info->frames = stream->nb_frames > left_out ? stream->nb_frames - left_out : -1;
    if (left_out > 0)
        sv_log(SV_LOG_INFO, "%s: its edit list excludes %" PRId64 " of %" PRId64 " pictures; they have no number",
               self->base.name, left_out, stream->nb_frames);
    if (stream->duration > 0)
        info->duration = stream->duration * av_q2d(stream->time_base);
    else if (self->demuxer.container->duration > 0)
        info->duration = self->demuxer.container->duration / (double)AV_TIME_BASE;
}

/* Fills in the start of the file by its own time stamps, of which only those of one muxer and encoder can be compared.
 */
static void describe_clock(const file_source *self, source_info *info) {
    const double year_2001 = 1e9;
    const AVFrame *picture = self->decoded;
    const bool has_delay = picture->pts != AV_NOPTS_VALUE && picture->pkt_dts != AV_NOPTS_VALUE;
    /* Some muxers let decoding begin at 0, so that all pictures are late by the delay; others make up for it. */
    const bool delayed = self->numbers.first_dts == 0 && self->origin > 0;
    if (self->origin == AV_NOPTS_VALUE) return;
    info->start = (double)self->origin * av_q2d(self->tick);
    if (info->track)
        snprintf(info->clock, sizeof info->clock, SOURCE_TRACK_CLOCK);
    else if (info->start > year_2001)
        snprintf(info->clock, sizeof info->clock, SOURCE_WALL_CLOCK);
    else
        snprintf(info->clock, sizeof info->clock, "%.16s %d/%d %.12s %" PRId64 "%s",
                 self->demuxer.container->iformat->name, self->tick.num, self->tick.den,
                 avcodec_get_name(self->codec->codec_id), has_delay ? picture->pts - picture->pkt_dts : 0,
                 delayed ? " late" : "");
}

static void describe_pictures(const sequence *pictures, source_info *info) {
    info->frames = pictures->count;
    info->numbers = pictures->numbers;
    if (!pictures->stamps) return;
    info->rate = sequence_rate(pictures);
    info->duration = sequence_time(pictures, pictures->count);
    info->start = 1e-9 * (double)pictures->stamps[0];
    snprintf(info->clock, sizeof info->clock, SOURCE_WALL_CLOCK);
}

/* The 35 mm equivalent focal length, millimetres, from the tags of EXIF (FocalLengthIn35mmFilm) or of Apple's
 * QuickTime; 0 if there is none, or none that a lens can have. `tags` may be NULL. */
static double focal_of_tags(const AVDictionary *tags) {
    static const char *const names[] = {"FocalLengthIn35mmFilm",
                                        "com.apple.quicktime.camera.focal_length.35mm_equivalent"};
    const double least = 5, most = 2000;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const AVDictionaryEntry *tag = av_dict_get(tags, names[i], NULL, 0);
        const double focal = tag ? strtod(tag->value, NULL) : 0;
        if (focal >= least && focal <= most) return focal;
    }
    return 0;
}

/* The focal length of the first picture's own tags (EXIF), of its track's or of the file's. */
static double find_focal(const file_source *self) {
    double focal = focal_of_tags(self->decoded->metadata);
    if (focal == 0 && self->demuxer.container)
        focal = focal_of_tags(self->demuxer.container->streams[self->demuxer.stream]->metadata);
    if (focal == 0 && self->demuxer.container) focal = focal_of_tags(self->demuxer.container->metadata);
    return focal;
}

/* Warns of EXIF's orientation, as container_warn_of_rotation does of a video's. */
static void warn_of_orientation(const AVFrame *picture, const char *name) {
    const AVDictionaryEntry *tag = av_dict_get(picture->metadata, "Orientation", NULL, 0);
    const long orientation = tag ? strtol(tag->value, NULL, 10) : 1;
    if (orientation > 1 && orientation <= 8)
        sv_log(SV_LOG_WARNING, "%s: asks to be turned or mirrored (EXIF orientation %ld), which is ignored", name,
               orientation);
}

/* Decodes the first picture, so that `info` is valid. */
static sv_status open_first(file_source *self, sv_error *error) {
    source_info *info = &self->base.info;
    const char *name = self->base.name, *codec = avcodec_get_name(self->codec->codec_id);
    double start = sv_seconds();
    sv_status status = ffmpeg_decode(self, error);
    if (status == SV_END)
        return sv_fail(
            error, SV_FAILED,
            "%s: no picture of its %s data can be decoded; the file may be damaged, or of a kind that FFmpeg cannot "
            "decode (animated WebP, floating-point TIFF): convert it",
            name, codec);
    if (status != SV_OK) return status;
    if (self->codec->hw_device_ctx && !(card_has(self->decoded) && card_is_whole(self->decoded)))
        return sv_fail(error, SV_FAILED, "%s: the graphics card does not decode it", name);
    info->on_card = self->codec->hw_device_ctx;
    self->origin = ffmpeg_find_origin(self);
    info->focal_35mm = find_focal(self);
    warn_of_orientation(self->decoded, name);
    if (self->pictures.count > 0) picture_check_values(self->decoded, name);
    info->pictures = self->pictures.count > 0 && !self->pictures.stamps;
    info->seekable = true;
    if (self->pictures.count > 0) {
        describe_pictures(&self->pictures, info);
    } else {
        describe_video(self, info);
        describe_clock(self, info);
    }
    status = ffmpeg_stamp(self, error);
    info->jumps = self->pictures.count > 0 || (ffmpeg_is_numbered(self) && !self->demuxer.protocols);
    if (status == SV_OK) status = ffmpeg_make_frame(self, start, &self->pending, error);
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
    if (self->demuxer.container)
        container_warn_of_rotation(self->demuxer.container->streams[self->demuxer.stream], name);
    return SV_OK;
}

static sv_status open_any(source **out, const char *name, const char *protocols, double timeout,
                          const source_options *options, sv_error *error) {
    file_source *self = sv_alloc(1, sizeof *self);
    self->base.operations = &file_operations;
    self->base.picture_file = picture_file;
    self->demuxer.protocols = protocols;
    self->demuxer.timeout = timeout;
    self->options = *options;
    self->numbers.first_dts = self->numbers.first_stamp = self->origin = AV_NOPTS_VALUE;
    self->next_index = -1;
    self->numbers.last_dts = AV_NOPTS_VALUE;
    ffmpeg_restart_times(self);
    self->numbers.feeding = self->started = true;
    self->base.name = sv_strdup(name);
    picture_maker_create(&self->maker, options->memory, options->colour);
    if (options->card.backend && options->card.backend->alloc == options->memory.alloc)
        self->maker.card = options->card;
    sv_status status = open_streams(self, error);
    if (status == SV_OK) status = open_first(self, error);
    if (status != SV_OK) {
        const bool on_card = self->codec && self->codec->hw_device_ctx;
        file_close(&self->base);
        if (!on_card || source_is_abandoned(options)) return status;
        source_options on_cpu = *options;
        on_cpu.card = (pool_card){0};
        sv_log(SV_LOG_INFO, "%s: the graphics card does not decode it; the CPU does", name);
        return open_any(out, name, protocols, timeout, &on_cpu, error);
    }
    *out = &self->base;
    return SV_OK;
}

sv_status source_open_file(source **out, const char *name, const source_options *options, sv_error *error) {
    return open_any(out, name, NULL, 0, options, error);
}

sv_status source_open_recording(source **out, const char *address, const char *protocols, double timeout,
                                const source_options *options, sv_error *error) {
    return open_any(out, address, protocols, timeout, options, error);
}

bool source_is_pair(const char *name) {
    AVFormatContext *container = NULL;
    const bool video = container_open(&container, name, NULL, (AVIOInterruptCB){0}, NULL) == SV_OK &&
                       !container_is_picture(container) && avformat_find_stream_info(container, NULL) >= 0;
    const bool pair = video && container_count_tracks(container) == 2;
    avformat_close_input(&container);
    return pair;
}
