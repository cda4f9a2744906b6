/* Writes what sources send into a Matroska file. */
#include "video/recorder.h"

#include "stereo/alloc.h"
#include "stereo/worker.h"
#include "video/output.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PACKETS = 1024,           /* that may wait */
    MOST_BYTES = 256 * 1024 * 1024 /* of all that wait */
};

static const AVRational tick = {1, 1000}; /* Matroska's, seconds */
static const double settling = 1;         /* seconds that wait, until the delays of streams are known */

typedef struct waiting {
    AVPacket *packet;
    int track;
    double time, decoding_time; /* seconds, by the common clock */
} waiting;

typedef struct track {
    AVCodecParameters *parameters;     /* of what is sent; NULL before the first packet */
    AVRational rate;                   /* pictures per second, 0/1 if unknown */
    bool dropping;                     /* up to the next key picture */
    AVStream *stream;                  /* in the file */
    AVCodecContext *decoder, *encoder; /* of uncompressed pictures, NULL for others */
    struct SwsContext *scaler;
    AVFrame *sent, *picture; /* as it is sent, as it is encoded */
    int64_t last;            /* decoding time of the last packet, ticks */
    double stamp, lead;      /* of the last packet that was queued, seconds: its decoding time; see follow */
} track;

struct recorder {
    char *name;
    AVFormatContext *muxer;
    track track[2];   /* the lock guards parameters, rate, dropping, stamp and lead; the thread owns the rest */
    bool begun;       /* the header is written */
    double start;     /* time 0 of the file */
    sv_worker worker; /* its lock guards all that follows */
    waiting queue[MOST_PACKETS];
    int first, count;
    int64_t queued_bytes;
    recorder_counts counts;
    double first_time, last_time;
    int tracks;                     /* 0 until it is released */
    double shift;                   /* of the second track */
    bool released, started, failed; /* started: `start` is set */
    sv_error error;
};

/* ---- Uncompressed pictures -------------------------------------------------------------------- */

/* The FFV1 format that stores a camera's format without loss. */
static enum AVPixelFormat stored_format(enum AVPixelFormat sent) {
    switch (sent) {
    case AV_PIX_FMT_YUYV422:
    case AV_PIX_FMT_UYVY422: return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_NV12: return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_RGB24:
    case AV_PIX_FMT_BGR24: return AV_PIX_FMT_BGR0;
    default: return sent;
    }
}

/* Uncompressed pictures are decoded, too: some files pad their rows, or store the bottom row first. */
static sv_status open_decoder(recorder *r, track *t, sv_error *error) {
    const AVCodec *codec = avcodec_find_decoder(t->parameters->codec_id);
    t->decoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!t->decoder || avcodec_parameters_to_context(t->decoder, t->parameters) < 0 ||
        avcodec_open2(t->decoder, codec, NULL) < 0)
        return sv_fail(error, SV_FAILED, "cannot write %s: the uncompressed pictures cannot be read", r->name);
    return SV_OK;
}

static sv_status open_encoder(recorder *r, track *t, sv_error *error) {
    const AVCodecContext *p = t->decoder;
    const enum AVPixelFormat stored = stored_format(p->pix_fmt);
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_FFV1);
    t->encoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!t->encoder) return sv_fail(error, SV_FAILED, "cannot write %s: this FFmpeg has no encoder for FFV1", r->name);
    t->encoder->width = p->width;
    t->encoder->height = p->height;
    t->encoder->pix_fmt = stored;
    t->encoder->color_range = p->color_range;
    t->encoder->colorspace = p->colorspace;
    t->encoder->time_base = tick;
    t->encoder->gop_size = 1;
    t->encoder->level = 3;
    t->encoder->slices = 4;
    if (avcodec_open2(t->encoder, codec, NULL) < 0)
        return sv_fail(error, SV_FAILED, "cannot write %s: FFV1 cannot store the camera's format %s; choose another",
                       r->name, av_get_pix_fmt_name(p->pix_fmt));
    t->sent = sv_must(av_frame_alloc());
    t->picture = sv_must(av_frame_alloc());
    t->picture->format = stored;
    t->picture->width = p->width;
    t->picture->height = p->height;
    if (av_frame_get_buffer(t->picture, 0) < 0) return sv_fail(error, SV_FAILED, "out of memory for %s", r->name);
    if (stored == p->pix_fmt) return SV_OK;
    t->scaler =
        sws_getContext(p->width, p->height, p->pix_fmt, p->width, p->height, stored, SWS_POINT, NULL, NULL, NULL);
    return t->scaler ? SV_OK : sv_fail(error, SV_FAILED, "out of memory for %s", r->name);
}

/* Decodes the packet of an uncompressed picture into t->sent. False if it is broken: it may be cut short. */
static bool decode(track *t, const AVPacket *packet) {
    return packet->size && avcodec_send_packet(t->decoder, packet) >= 0 &&
           avcodec_receive_frame(t->decoder, t->sent) >= 0;
}

/* Replaces the packet of t->sent by an encoded one. */
static int encode(track *t, AVPacket *packet) {
    const AVFrame *sent = t->sent;
    int result = av_frame_make_writable(t->picture);
    if (result < 0) return result;
    if (t->scaler)
        sws_scale(t->scaler, (const uint8_t *const *)sent->data, sent->linesize, 0, sent->height, t->picture->data,
                  t->picture->linesize);
    else
        av_image_copy(t->picture->data, t->picture->linesize, (const uint8_t **)sent->data, sent->linesize,
                      sent->format, sent->width, sent->height);
    av_frame_unref(t->sent);
    t->picture->pts = packet->pts;
    const int64_t pts = packet->pts, dts = packet->dts;
    av_packet_unref(packet);
    result = avcodec_send_frame(t->encoder, t->picture);
    if (result >= 0) result = avcodec_receive_packet(t->encoder, packet);
    packet->pts = pts;
    packet->dts = dts;
    return result;
}

/* ---- The file --------------------------------------------------------------------------------- */

static sv_status begin(recorder *r, sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; i < r->tracks && status == SV_OK; i++) {
        track *t = &r->track[i];
        if (t->parameters->codec_id == AV_CODEC_ID_RAWVIDEO) {
            status = open_decoder(r, t, error);
            if (status == SV_OK) status = open_encoder(r, t, error);
        }
        if (status != SV_OK) break;
        t->stream = sv_must(avformat_new_stream(r->muxer, NULL));
        const int result = t->encoder ? avcodec_parameters_from_context(t->stream->codecpar, t->encoder)
                                      : avcodec_parameters_copy(t->stream->codecpar, t->parameters);
        if (result < 0) sv_must(NULL);
        t->stream->codecpar->codec_tag = 0;
        t->stream->time_base = tick;
        /* Otherwise readers, which pair pictures by this rate, would guess it from irregular time stamps. */
        t->stream->avg_frame_rate = t->rate;
        if (r->tracks == 2) av_dict_set(&t->stream->metadata, "title", i ? "right" : "left", 0);
    }
    if (status != SV_OK) return status;
    /* The most that is lost if writing fails, milliseconds. */
    av_opt_set_int(r->muxer->priv_data, "cluster_time_limit", 500, 0);
    const int result = avformat_write_header(r->muxer, NULL);
    if (result < 0) return output_failed(r->muxer, r->name, result, error);
    r->begun = true;
    return SV_OK;
}

static sv_status write_packet(recorder *r, waiting *w, sv_error *error) {
    track *t = &r->track[w->track];
    AVPacket *packet = w->packet;
    packet->pts = llround((w->time - r->start) / av_q2d(tick));
    packet->dts = llround((w->decoding_time - r->start) / av_q2d(tick));
    if (packet->dts <= t->last) packet->dts = t->last + 1;
    if (packet->pts < packet->dts) packet->pts = packet->dts;
    t->last = packet->dts;
    packet->duration = 0;
    int result = t->encoder ? encode(t, packet) : 0;
    if (result >= 0) {
        packet->stream_index = w->track;
        av_packet_rescale_ts(packet, tick, t->stream->time_base);
        result = av_interleaved_write_frame(r->muxer, packet);
    }
    if (result >= 0 && r->muxer->pb->error < 0) result = r->muxer->pb->error;
    return result < 0 ? output_failed(r->muxer, r->name, result, error) : SV_OK;
}

/* ---- The thread ------------------------------------------------------------------------------- */

/* True if packets can be written: every track is known, and the times have settled. Called with the lock held. */
static bool is_ready(const recorder *r) {
    if (!r->released) return false;
    for (int i = 0; i < r->tracks; i++)
        if (!r->track[i].parameters) return false;
    return r->started || r->worker.stops || r->counts.seconds >= settling || r->count > MOST_PACKETS / 2 ||
           r->queued_bytes > MOST_BYTES / 2;
}

static void *run(void *argument) {
    recorder *r = argument;
    pthread_mutex_lock(&r->worker.lock);
    while (!r->failed) {
        if ((!r->count || !is_ready(r)) && r->worker.stops) break;
        if (!r->count || !is_ready(r)) {
            pthread_cond_wait(&r->worker.changed, &r->worker.lock);
            continue;
        }
        waiting w = r->queue[r->first];
        const int64_t size = w.packet->size;
        if (!r->started) r->start = r->first_time + fmin(0, r->shift);
        r->started = true;
        const double shift = w.track ? r->shift : 0;
        w.time += shift;
        w.decoding_time += shift;
        pthread_mutex_unlock(&r->worker.lock);
        sv_error error = {""};
        sv_status status = r->begun ? SV_OK : begin(r, &error);
        const bool broken = status == SV_OK && r->track[w.track].decoder && !decode(&r->track[w.track], w.packet);
        if (status == SV_OK && !broken) status = write_packet(r, &w, &error);
        av_packet_free(&w.packet);
        pthread_mutex_lock(&r->worker.lock);
        r->first = (r->first + 1) % MOST_PACKETS;
        r->count--;
        r->queued_bytes -= size;
        r->counts.written[w.track] += status == SV_OK && !broken;
        r->counts.dropped[w.track] += broken;
        r->counts.bytes = r->muxer->pb->pos;
        r->failed = status != SV_OK;
        if (r->failed) {
            r->error = error;
            sv_log(SV_LOG_ERROR, "the recording has ended: %s", error.text);
        }
    }
    pthread_mutex_unlock(&r->worker.lock);
    return NULL;
}

sv_status recorder_open(recorder **out, FILE *stream, const char *name, sv_error *error) {
    recorder *r = *out = sv_alloc(1, sizeof *r);
    r->name = sv_strdup(name);
    for (int i = 0; i < 2; i++) {
        r->track[i].last = INT64_MIN / 2;
        r->track[i].dropping = true;
        r->track[i].lead = INFINITY;
    }
    const sv_status status = output_open(&r->muxer, stream, "matroska", name, error);
    if (status == SV_OK) {
        sv_worker_start(&r->worker, run, r);
        return SV_OK;
    }
    free(r->name);
    free(r);
    *out = NULL;
    return status;
}

/* Returns the lead that the next packet is written with. A stream's first packets often wait until it is open, and
 * those after them show how late they were: packets that are not written yet are corrected. Later changes are followed
 * slowly, so that pictures keep the rhythm of their stream. Called with the lock held. */
static double follow(recorder *r, int index, double stamp, double lead) {
    track *t = &r->track[index];
    const double change = lead - t->lead, most = 0.1 * fmax(0, stamp - t->stamp);
    const bool jump = !(fabs(change) < 1); /* of the stream; or it is its first packet */
    const bool corrects = !jump && !r->started && change < 0;
    for (int i = 0; i < r->count && corrects; i++) {
        waiting *w = &r->queue[(r->first + i) % MOST_PACKETS];
        if (w->track == index) w->time += change;
        if (w->track == index) w->decoding_time += change;
    }
    t->lead = jump || corrects ? lead : t->lead + fmin(fmax(change, -most), most);
    t->stamp = stamp;
    return t->lead;
}

/* From the first to the last time of the packets that wait, whose times may have been corrected. */
static void find_span(recorder *r) {
    r->first_time = INFINITY;
    r->last_time = -INFINITY;
    for (int i = 0; i < r->count; i++) {
        const waiting *w = &r->queue[(r->first + i) % MOST_PACKETS];
        r->first_time = fmin(r->first_time, w->decoding_time);
        r->last_time = fmax(r->last_time, w->time);
    }
}

/* Queues a packet, or counts it as dropped. Called with the lock held. */
static void add(recorder *r, int index, const AVStream *stream, const AVPacket *packet, double lead) {
    track *t = &r->track[index];
    const bool key = packet->flags & AV_PKT_FLAG_KEY || stream->codecpar->codec_id == AV_CODEC_ID_RAWVIDEO;
    const bool first = !t->parameters;
    if (first && !key) return;
    const bool full = r->count == MOST_PACKETS || r->queued_bytes + packet->size > MOST_BYTES;
    if (full || (t->dropping && !key)) {
        /* The packets that follow are predicted from it. */
        t->dropping = true;
        r->counts.dropped[index]++;
        return;
    }
    /* A camera frees the memory of its packets. The source holds a reference, too, so making ours writable copies it.
     */
    AVPacket *kept = av_packet_clone(packet);
    if (kept && av_packet_make_writable(kept) < 0) av_packet_free(&kept);
    if (first) t->parameters = avcodec_parameters_alloc();
    if (first) t->rate = stream->avg_frame_rate;
    if (!kept || !t->parameters || (first && avcodec_parameters_copy(t->parameters, stream->codecpar) < 0)) {
        if (first) avcodec_parameters_free(&t->parameters);
        av_packet_free(&kept);
        r->counts.dropped[index]++;
        return;
    }
    t->dropping = false;
    const double unit = av_q2d(stream->time_base);
    const int64_t pts = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    const int64_t dts = packet->dts != AV_NOPTS_VALUE ? packet->dts : pts;
    const bool timed = pts != AV_NOPTS_VALUE;
    const double late = timed ? follow(r, index, (double)dts * unit, lead) : lead;
    const double time = timed ? (double)pts * unit + late : late, decoding = timed ? (double)dts * unit + late : late;
    r->queue[(r->first + r->count++) % MOST_PACKETS] = (waiting){kept, index, time, decoding};
    r->queued_bytes += kept->size;
    if (r->started)
        r->last_time = fmax(r->last_time, time);
    else
        find_span(r);
    r->counts.seconds = r->last_time - r->first_time;
    pthread_cond_signal(&r->worker.changed);
}

void recorder_add(recorder *r, int index, const AVStream *stream, const AVPacket *packet, double lead) {
    pthread_mutex_lock(&r->worker.lock);
    if (!r->worker.stops && !r->failed) add(r, index, stream, packet, lead);
    pthread_mutex_unlock(&r->worker.lock);
}

void recorder_release(recorder *r, int tracks, double shift) {
    pthread_mutex_lock(&r->worker.lock);
    r->tracks = tracks;
    r->shift = shift;
    r->released = true;
    pthread_cond_signal(&r->worker.changed);
    pthread_mutex_unlock(&r->worker.lock);
}

recorder_counts recorder_count(recorder *r) {
    pthread_mutex_lock(&r->worker.lock);
    const recorder_counts counts = r->counts;
    pthread_mutex_unlock(&r->worker.lock);
    return counts;
}

bool recorder_failed(recorder *r, sv_error *error) {
    pthread_mutex_lock(&r->worker.lock);
    const bool failed = r->failed;
    if (failed && error) *error = r->error;
    pthread_mutex_unlock(&r->worker.lock);
    return failed;
}

sv_status recorder_close(recorder *r, bool *begun, recorder_counts *counts, sv_error *error) {
    sv_worker_stop(&r->worker);
    sv_status status = SV_OK;
    if (r->begun) {
        const int result = av_write_trailer(r->muxer);
        if (!r->failed && result < 0) status = output_failed(r->muxer, r->name, result, error);
    } else if (!r->failed) {
        status = sv_fail(error, SV_FAILED, "%s: the %s side has sent nothing, so nothing was recorded", r->name,
                         r->tracks == 2 && r->track[0].parameters ? "right" : "left");
    }
    if (r->failed) {
        status = SV_FAILED;
        if (error) *error = r->error;
    }
    *begun = r->begun;
    *counts = r->counts;
    while (r->count) {
        av_packet_free(&r->queue[r->first].packet);
        r->first = (r->first + 1) % MOST_PACKETS;
        r->count--;
    }
    for (int i = 0; i < 2; i++) {
        track *t = &r->track[i];
        avcodec_parameters_free(&t->parameters);
        avcodec_free_context(&t->decoder);
        avcodec_free_context(&t->encoder);
        sws_freeContext(t->scaler);
        av_frame_free(&t->sent);
        av_frame_free(&t->picture);
    }
    output_close(&r->muxer);
    free(r->name);
    free(r);
    return status;
}
