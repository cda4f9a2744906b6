/* Sources that come over the network: see network.h. */
#include "capture/live/network.h"

#include "capture/ffmpeg/container.h"
#include "capture/live/live.h"
#include "stereo/alloc.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scheme, and the protocols that its streams may use and refer to. None of them is "file": a stream from the network
 * must not read local files. */
static const struct {
    const char *scheme, *protocols;
    bool web; /* may serve recordings */
} schemes[] = {
    {"http", "http,https,tcp,tls,httpproxy", true},
    {"https", "http,https,tcp,tls,httpproxy", true},
    {"rtsp", "rtsp,rtp,udp,tcp", false},
    {"rtsps", "rtsp,rtsps,rtp,srtp,udp,tcp,tls", false},
    {"rtp", "rtp,udp", false},
    {"udp", "udp", false},
    {"srt", "srt", false},
    {"rtmp", "rtmp,tcp", false},
    {"rtmps", "rtmps,tcp,tls", false},
    {"tcp", "tcp", false},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

typedef struct network_source {
    live_source live;
    const char *protocols;
    double timeout;  /* seconds */
    double deadline; /* of what FFmpeg is doing now, by sv_seconds */
    double lead;     /* our clock minus the stream's, at the picture with the least delay; INFINITY before the first */
    double last;     /* when the previous picture arrived, by sv_seconds */
    bool sender;     /* the stamps are by the sender's clock, not by the time since we connected */
} network_source;

bool network_is_address(const char *name) {
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
    return length > 0 && strncmp(name + length, "://", 3) == 0;
}

char *network_schemes(char *text, size_t size) {
    text[0] = 0;
    for (int i = 0; i < SCHEMES; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? " " : "", schemes[i].scheme);
    return text;
}

static int find_scheme(const char *address) {
    for (int i = 0; i < SCHEMES; i++) {
        const size_t length = strlen(schemes[i].scheme);
        if (!strncasecmp(address, schemes[i].scheme, length) && !strncmp(address + length, "://", 3)) return i;
    }
    return -1;
}

/* FFmpeg calls this while it waits. */
static int must_stop(void *argument) {
    const network_source *self = argument;
    return atomic_load(&self->live.base.interrupted) || source_is_abandoned(&self->live.options) ||
           sv_seconds() > self->deadline;
}

/* ---- Connecting ------------------------------------------------------------------------------- */

/* True if the host's name has no address, with the reason in `why`; FFmpeg's error for this is a general one. */
static bool is_unknown_host(const char *address, char *host, int size, const char **why) {
    struct addrinfo *found = NULL;
    av_url_split(NULL, 0, NULL, 0, host, size, NULL, NULL, 0, address);
    const int result = host[0] ? getaddrinfo(host, NULL, NULL, &found) : 0;
    if (found) freeaddrinfo(found);
    *why = gai_strerror(result);
    return result != 0;
}

static sv_status fail(const network_source *self, const char *what, int result, sv_error *error) {
    char host[256] = "";
    const char *why;
    if (result == AVERROR(EIO) && is_unknown_host(self->live.base.name, host, sizeof host, &why))
        return sv_fail(error, SV_FAILED, "%s: %s: the host %s is not found: %s; check its name", self->live.base.name,
                       what, host, why);
    if (result == AVERROR_EXIT)
        return sv_fail(error, SV_FAILED,
                       "%s: %s: no answer for %.4g s; check that it is running, or wait longer with --timeout",
                       self->live.base.name, what, self->timeout);
    return sv_fail(error, SV_FAILED, "%s: %s: %s", self->live.base.name, what,
                   result == AVERROR_EOF ? "the sender has ended it" : container_reason(result));
}

static sv_status connect_stream(live_source *live, sv_error *error) {
    network_source *self = (network_source *)live;
    AVDictionary *options = NULL;
    live->container = sv_must(avformat_alloc_context());
    /* Without the list, streams from the network could read local files. */
    if (av_dict_set(&options, "protocol_whitelist", self->protocols, 0) < 0) sv_must(NULL);
    /* Nothing is lost over TCP. Servers without TCP are tried again over UDP. */
    av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0);
    /* Packets that are not read in time are lost, and the stream continues. */
    av_dict_set(&options, "overrun_nonfatal", "1", 0);
    live->container->interrupt_callback = (AVIOInterruptCB){must_stop, self};
    live->container->max_analyze_duration = AV_TIME_BASE;
    live->container->flags |= AVFMT_FLAG_NOBUFFER;
    self->deadline = sv_seconds() + self->timeout;
    const int result = avformat_open_input(&live->container, live->base.name, NULL, &options);
    av_dict_free(&options);
    if (result < 0) return fail(self, "cannot be opened", result, error);
    self->deadline = sv_seconds() + self->timeout;
    sv_status status = container_find_video(live->container, live->base.name, 0, &live->stream, error);
    if (status == SV_OK) status = live_open_decoder(live, error);
    live->started = false;
    self->sender = strcmp(live->container->iformat->name, "mpegts") == 0;
    self->lead = INFINITY;
    if (status != SV_OK) live_disconnect(live);
    return status;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* When the last decoded picture arrived. The picture with the least delay relates the stream's clock to ours; its
 * weight fades, because no two clocks run at the same rate. */
static double time_of_arrival(network_source *self) {
    const double fading = 1e-3; /* seconds per second: faster than two clocks drift apart */
    const live_source *live = &self->live;
    const double now = sv_seconds();
    const int64_t stamp = live->decoded->best_effort_timestamp;
    if (stamp == AV_NOPTS_VALUE) return now;
    const double time = (double)stamp * av_q2d(live->codec->pkt_timebase);
    if (!(fabs(now - time - self->lead) < 1)) self->lead = now - time; /* the first, or the stream has jumped */
    self->lead = fmin(self->lead + fading * (now - self->last), now - time);
    self->last = now;
    return time + self->lead;
}

static double lead(const live_source *live, double time, double now) {
    const network_source *self = (const network_source *)live;
    return fabs(now - time - self->lead) < 1 ? self->lead : now - time;
}

static sv_status wait_for_picture(live_source *live, frame **out, sv_error *error) {
    network_source *self = (network_source *)live;
    self->deadline = sv_seconds() + self->timeout;
    while (!atomic_load(&live->base.interrupted)) {
        double start = sv_seconds();
        const int result = live_decode(live, &start);
        if (result == 0) {
            const sv_status status = live_make_frame(live, time_of_arrival(self), start, out, error);
            if (status == SV_OK && self->sender && isfinite(self->lead)) (*out)->lead = self->lead;
            return status;
        }
        if (result == AVERROR(EAGAIN) && sv_seconds() <= self->deadline) continue;
        return fail(self, "the stream stopped", result == AVERROR(EAGAIN) ? AVERROR_EXIT : result, error);
    }
    return SV_END;
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static void network_close(source *base) { live_destroy((live_source *)base); }

/* The NULLs are never called: the source reports that it cannot seek. */
static const source_operations network_operations = {live_read, NULL, NULL, NULL, network_close};

/* A live stream cannot know how long it will be. */
static bool is_recording(const AVFormatContext *container) { return container->duration > 0; }

sv_status source_open_network(source **out, const char *address, double timeout, const source_options *options,
                              sv_error *error) {
    char text[128];
    container_take_over_log();
    const int scheme = find_scheme(address);
    if (scheme < 0)
        return sv_fail(error, SV_USAGE, "%s: URLs of this kind are not supported; supported are: %s", address,
                       network_schemes(text, sizeof text));
    network_source *self = sv_alloc(1, sizeof *self);
    self->live.base.operations = &network_operations;
    self->live.connect = connect_stream;
    self->live.wait = wait_for_picture;
    self->live.lead = lead;
    self->protocols = schemes[scheme].protocols;
    self->timeout = timeout;
    live_create(&self->live, address, options);
    sv_status status = connect_stream(&self->live, error);
    if (status == SV_OK && container_is_picture(self->live.container))
        status = sv_fail(error, SV_FAILED, "%s: is a single picture; download it and name the file", address);
    if (status == SV_OK && schemes[scheme].web && is_recording(self->live.container)) {
        network_close(&self->live.base);
        return source_open_recording(out, address, schemes[scheme].protocols, timeout, options, error);
    }
    if (status == SV_OK) status = wait_for_picture(&self->live, &self->live.pending, error);
    if (status != SV_OK) {
        network_close(&self->live.base);
        return status;
    }
    live_describe(&self->live, "live");
    *out = &self->live.base;
    return SV_OK;
}
