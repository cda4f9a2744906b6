/* Splits one stream that carries both views into two sources: see split.h.
 *
 * The half that runs out of frames reads the whole and queues the other half's part. */
#include "capture/split.h"

#include "stereo/alloc.h"

#include <libswscale/swscale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames that one half may be ahead of the other: more than a pairing decodes ahead, so that it never waits for a side
 * that cannot continue. */
enum { AHEAD = 16 };

typedef struct splitter splitter;

typedef struct half {
    source source;
    splitter *splitter;
    frame *queue[AHEAD];
    int head, count;
    bool open;
    bool sought; /* the other half has done a seek, and that of this half is about to follow */
} half;

struct splitter {
    pthread_mutex_t mutex;
    pthread_cond_t news; /* a frame was queued or taken, a read or a seek is done, or an interruption */
    half halves[2];      /* left, right */
    source *whole;
    bool busy; /* a thread is reading or seeking the whole, without the lock */
    bool interrupted;
    sv_status status; /* SV_OK while the whole continues, then the reason of its end */
    sv_error error;
    split_options options;
    pool *pool;
    struct SwsContext *grey_scaler, *colour_scaler; /* used by the busy thread */
};

static const char *const layout_names[SPLIT_LAYOUT_COUNT] = {"sbs", "sbs-half", "top-bottom", "top-bottom-half"};

const char *split_layout_name(int layout) {
    return layout >= 0 && layout < SPLIT_LAYOUT_COUNT ? layout_names[layout] : "?";
}

bool split_is_beside(split_layout layout) { return layout == SPLIT_SIDE_BY_SIDE || layout == SPLIT_SIDE_BY_SIDE_HALF; }

static bool is_squeezed(split_layout layout) {
    return layout == SPLIT_SIDE_BY_SIDE_HALF || layout == SPLIT_TOP_BOTTOM_HALF;
}

sv_image split_part(const sv_image *whole, split_layout layout, int which) {
    sv_image part = *whole;
    if (!whole->data) return part;
    if (split_is_beside(layout)) {
        part.width = whole->width / 2;
        if (which) part.data = (char *)whole->data + (size_t)(whole->width - part.width) * sv_pixel_size(whole->format);
    } else {
        part.height = whole->height / 2;
        if (which) part.data = sv_row(whole, whole->height - part.height);
    }
    return part;
}

static void release_whole(void *whole) { frame_release(whole); }

static bool scale(struct SwsContext **scaler, enum AVPixelFormat format, const sv_image *from, const sv_image *to) {
    *scaler = sws_getCachedContext(*scaler, from->width, from->height, format, to->width, to->height, format,
                                   SWS_BILINEAR, NULL, NULL, NULL);
    if (!*scaler) return false;
    const uint8_t *from_planes[] = {from->data, NULL, NULL, NULL};
    uint8_t *to_planes[] = {to->data, NULL, NULL, NULL};
    const int from_strides[] = {(int)from->stride, 0, 0, 0}, to_strides[] = {(int)to->stride, 0, 0, 0};
    return sws_scale(*scaler, from_planes, from_strides, 0, from->height, to_planes, to_strides) == to->height;
}

/* The first or second view of `whole`, as a frame; NULL when out of memory. */
static frame *cut(splitter *s, frame *whole, int which) {
    const split_layout layout = s->options.layout;
    const sv_image grey = split_part(is_squeezed(layout) ? frame_grey(whole) : &whole->grey, layout, which);
    const sv_image colour = split_part(&whole->colour, layout, which);
    frame *part;
    if (is_squeezed(layout)) {
        const int width = split_is_beside(layout) ? 2 * grey.width : grey.width;
        const int height = split_is_beside(layout) ? grey.height : 2 * grey.height;
        part = frame_create(s->pool, width, height, true, colour.data != NULL);
        if (!part) return NULL;
        if (!scale(&s->grey_scaler, AV_PIX_FMT_GRAY8, &grey, &part->grey) ||
            (colour.data && !scale(&s->colour_scaler, AV_PIX_FMT_RGBA, &colour, &part->colour))) {
            frame_release(part);
            return NULL;
        }
    } else {
        part = frame_create(s->pool, grey.width, grey.height, false, false);
        part->grey = grey;
        part->host = split_part(&whole->host, layout, which);
        part->card = whole->card;
        part->colour = colour;
        part->owner = frame_retain(whole);
        part->release_owner = release_whole;
    }
    part->index = whole->index;
    part->time = whole->time;
    part->damaged = whole->damaged;
    part->mistimed = whole->mistimed;
    part->lost = which ? 0 : whole->lost; /* once for both */
    part->decoded = whole->decoded;
    part->decode_ms = whole->decode_ms;
    return part;
}

static void flush(half *half) {
    for (; half->count > 0; half->count--) {
        frame_release(half->queue[half->head]);
        half->head = (half->head + 1) % AHEAD;
    }
}

static void push(half *half, frame *frame) { half->queue[(half->head + half->count++) % AHEAD] = frame; }

/* Reads the whole and gives each half its part. Called with the lock held, while no thread is busy. Only this reader
 * gets the failure of a live source; the other half tries again. */
static sv_status read_whole(splitter *s, sv_error *failure) {
    frame *whole = NULL, *parts[2] = {NULL, NULL};
    sv_error error = {""};
    s->busy = true;
    pthread_mutex_unlock(&s->mutex);
    sv_status status = SV_OK;
    if (s->options.first) {
        whole = s->options.first;
        s->options.first = NULL;
    } else {
        status = source_read(s->whole, &whole, &error);
    }
    for (int which = 0; which < 2 && status == SV_OK; which++) {
        parts[which] = cut(s, whole, which);
        if (!parts[which]) status = sv_fail(&error, SV_FAILED, "out of memory for %s", s->whole->name);
    }
    if (whole) frame_release(whole);
    pthread_mutex_lock(&s->mutex);
    s->busy = false;
    if (status != SV_FAILED || !s->whole->info.live) s->status = status;
    s->error = error;
    if (status == SV_FAILED) sv_fail(failure, status, "%s", error.text);
    atomic_store(&s->halves[0].source.broken, atomic_load(&s->whole->broken)); /* once for both */
    for (int which = 0; which < 2; which++) {
        half *half = &s->halves[s->options.swap ? 1 - which : which];
        if (status == SV_OK && half->open)
            push(half, parts[which]);
        else
            frame_release(parts[which]);
    }
    pthread_cond_broadcast(&s->news);
    return status;
}

static half *other_of(half *h) {
    return h == &h->splitter->halves[0] ? &h->splitter->halves[1] : &h->splitter->halves[0];
}

static sv_status read_half(source *source, frame **out, sv_error *error) {
    half *h = (half *)source;
    splitter *s = h->splitter;
    sv_status status = SV_END;
    *out = NULL;
    pthread_mutex_lock(&s->mutex);
    /* Between the seek of the other half and its own, a half returns no frames: its caller would discard them. */
    while (!s->interrupted && !h->sought) {
        if (h->count > 0) {
            *out = h->queue[h->head];
            h->head = (h->head + 1) % AHEAD;
            h->count--;
            pthread_cond_broadcast(&s->news);
            status = SV_OK;
            break;
        }
        if (s->status != SV_OK) {
            status = s->status == SV_FAILED ? sv_fail(error, SV_FAILED, "%s", s->error.text) : s->status;
            break;
        }
        if (s->busy || other_of(h)->count == AHEAD) {
            pthread_cond_wait(&s->news, &s->mutex);
        } else if (read_whole(s, error) == SV_FAILED) {
            status = SV_FAILED;
            break;
        }
    }
    pthread_mutex_unlock(&s->mutex);
    return status;
}

/* Seeks the whole, unless the other half has done so: to frame `index` if it is not negative, with its time returned in
 * `seconds`, else to `seconds`. */
static sv_status seek_whole(half *h, int64_t index, double *seconds, sv_error *error) {
    splitter *s = h->splitter;
    pthread_mutex_lock(&s->mutex);
    while (s->busy && !s->interrupted) pthread_cond_wait(&s->news, &s->mutex);
    if (!h->sought && !s->interrupted) {
        s->busy = true;
        if (s->options.first) frame_release(s->options.first);
        s->options.first = NULL;
        other_of(h)->sought = other_of(h)->open;
        pthread_mutex_unlock(&s->mutex);
        sv_error failure = {""};
        const sv_status result = index >= 0 ? source_seek_frame(s->whole, index, seconds, &failure)
                                            : source_seek(s->whole, *seconds, &failure);
        pthread_mutex_lock(&s->mutex);
        s->busy = false;
        s->status = result;
        s->error = failure;
        flush(&s->halves[0]);
        flush(&s->halves[1]);
    }
    h->sought = false;
    const sv_status status = s->status == SV_FAILED ? sv_fail(error, SV_FAILED, "%s", s->error.text) : SV_OK;
    pthread_cond_broadcast(&s->news);
    pthread_mutex_unlock(&s->mutex);
    return status;
}

static sv_status seek_half(source *source, double seconds, sv_error *error) {
    return seek_whole((half *)source, -1, &seconds, error);
}

static sv_status seek_half_to_frame(source *source, int64_t index, double *seconds, sv_error *error) {
    return seek_whole((half *)source, index, seconds, error);
}

static void interrupt_half(source *source) {
    splitter *s = ((half *)source)->splitter;
    pthread_mutex_lock(&s->mutex);
    s->interrupted = true;
    source_interrupt(s->whole);
    pthread_cond_broadcast(&s->news);
    pthread_mutex_unlock(&s->mutex);
}

static void destroy(splitter *s) {
    if (s->options.first) frame_release(s->options.first);
    source_close(s->whole);
    sws_freeContext(s->grey_scaler);
    sws_freeContext(s->colour_scaler);
    pool_close(s->pool);
    pthread_cond_destroy(&s->news);
    pthread_mutex_destroy(&s->mutex);
    for (int i = 0; i < 2; i++) free(s->halves[i].source.name);
    free(s);
}

static void close_half(source *source) {
    half *h = (half *)source;
    splitter *s = h->splitter;
    pthread_mutex_lock(&s->mutex);
    h->open = h->sought = false;
    flush(h);
    const bool last = !other_of(h)->open;
    pthread_cond_broadcast(&s->news);
    pthread_mutex_unlock(&s->mutex);
    if (last) destroy(s);
}

static const source_operations operations = {read_half, seek_half, seek_half_to_frame, interrupt_half, close_half};

static char *picture_file_of_half(const source *source, int64_t index) {
    return source_picture_file(((const half *)source)->splitter->whole, index);
}

static void describe(source_info *info, split_layout layout) {
    char whole[sizeof info->description];
    if (split_is_beside(layout)) {
        info->width /= 2;
        if (is_squeezed(layout)) info->width *= 2;
    } else {
        info->height /= 2;
        if (is_squeezed(layout)) info->height *= 2;
    }
    info->half = true;
    memcpy(whole, info->description, sizeof whole);
    snprintf(info->description, sizeof info->description, "%.100s, %s", whole, split_layout_name(layout));
}

sv_status sources_split(source *whole, const split_options *options, source *halves[2], sv_error *error) {
    halves[0] = halves[1] = NULL;
    const bool beside = split_is_beside(options->layout);
    if ((beside ? whole->info.width : whole->info.height) < 2) {
        sv_fail(error, SV_FAILED, "%s has %dx%d pixels: too small for two pictures %s", whole->name, whole->info.width,
                whole->info.height, beside ? "side by side" : "one above the other");
        if (options->first) frame_release(options->first);
        source_close(whole);
        return SV_FAILED;
    }
    splitter *s = sv_alloc(1, sizeof *s);
    s->pool = pool_create(options->memory);
    s->whole = whole;
    s->options = *options;
    if ((beside ? whole->info.width : whole->info.height) % 2)
        sv_log(SV_LOG_WARNING, "%s has %dx%d pixels, which two pictures %s cannot share: the middle %s is left out",
               whole->name, whole->info.width, whole->info.height, beside ? "side by side" : "one above the other",
               beside ? "column" : "row");
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->news, NULL);
    for (int i = 0; i < 2; i++) {
        half *h = &s->halves[i];
        h->source = (source){.operations = &operations,
                             .info = whole->info,
                             .name = sv_asprintf("%s (%s picture)", whole->name, i ? "right" : "left"),
                             .stream = whole->name,
                             .picture_file = picture_file_of_half};
        describe(&h->source.info, options->layout);
        h->splitter = s;
        h->open = true;
        halves[i] = &h->source;
    }
    return SV_OK;
}
