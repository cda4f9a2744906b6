/* Small pictures of both sides of an input: see preview.h. */
#include "app/media/preview.h"

#include "app/media/drop.h"
#include "app/media/media.h"
#include "app/media/views.h"
#include "base/places.h"
#include "stereo/alloc.h"
#include "stereo/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct preview {
    request request;
    options options;
    void (*news)(void);
    atomic_bool abandoned;
    preview_result result;

    sv_worker worker; /* its lock guards all that follows */
    source *source;   /* that is read */
    bool done;        /* `result` does not change any more */
};

/* ---- Making it small ---------------------------------------------------------------------------- */

static void mean_of(const sv_image *from, const int x[2], const int y[2], int channels, uint8_t *mean) {
    unsigned sums[4] = {0};
    const unsigned count = (unsigned)((x[1] - x[0]) * (y[1] - y[0]));
    for (int row = y[0]; row < y[1]; row++) {
        const uint8_t *pixels = (const uint8_t *)sv_row(from, row);
        for (int i = x[0] * channels; i < x[1] * channels; i++) sums[i % channels] += pixels[i];
    }
    for (int c = 0; c < 3; c++) mean[c] = (uint8_t)(sums[channels == 4 ? c : 0] / count);
    mean[3] = 255;
}

/* Each pixel is the mean of those that it stands for. */
static void shrink(const sv_image *from, sv_image *to) {
    const int most = from->width > from->height ? from->width : from->height;
    const int scale = (most + PREVIEW_WIDTH - 1) / PREVIEW_WIDTH;
    const int width = (from->width + scale - 1) / scale, height = (from->height + scale - 1) / scale;
    *to = (sv_image){.width = width,
                     .height = height,
                     .stride = 4 * (size_t)width,
                     .format = SV_COLOUR8,
                     .data = sv_alloc((size_t)height, 4 * (size_t)width)};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int columns[2] = {x * scale, (x + 1) * scale < from->width ? (x + 1) * scale : from->width};
            const int rows[2] = {y * scale, (y + 1) * scale < from->height ? (y + 1) * scale : from->height};
            mean_of(from, columns, rows, from->format == SV_COLOUR8 ? 4 : 1, (uint8_t *)sv_row(to, y) + 4 * x);
        }
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* Makes the source that is read known to preview_close, or not any more. */
static void set_read(preview *p, source *source) {
    pthread_mutex_lock(&p->worker.lock);
    p->source = source;
    if (p->worker.stops && source) source_interrupt(source);
    pthread_mutex_unlock(&p->worker.lock);
}

static void describe(preview *p, const source_info *info, const char *layout) {
    char frames[48] = "";
    if (info->frames > 1)
        snprintf(frames, sizeof frames, ", %lld frames", (long long)info->frames);
    else if (info->duration > 0)
        snprintf(frames, sizeof frames, ", %.1f s", info->duration);
    snprintf(p->result.text, sizeof p->result.text, "%d x %d%s%s", info->width, info->height, frames, layout);
}

static sv_status read_first(preview *p, source *source, frame **picture, sv_error *error) {
    set_read(p, source);
    const sv_status status = source_read(source, picture, error);
    set_read(p, NULL);
    return status;
}

/* One of two sources. `track`: as in source_options. */
static sv_status read_side(preview *p, int side, const char *name, int track, sv_error *error) {
    const source_options how = {.colour = true, .track = track, .abandoned = &p->abandoned};
    source *source;
    frame *picture;
    sv_status status = media_open_one(&p->options, name, &how, &source, error);
    if (status != SV_OK) return status;
    status = read_first(p, source, &picture, error);
    if (status == SV_OK) {
        shrink(frame_picture(picture), &p->result.pictures[side]);
        p->result.aspect = (float)source->info.width / (float)source->info.height;
        if (side == 0) describe(p, &source->info, "");
        frame_release(picture);
    }
    source_close(source);
    return status;
}

static sv_status read_sides(preview *p, const char *left, const char *right, bool tracks, sv_error *error) {
    const bool swap = p->request.swap;
    const sv_status status = read_side(p, swap, left, tracks ? 1 : 0, error);
    return status == SV_OK ? read_side(p, !swap, right, tracks ? 2 : 0, error) : status;
}

static void show_views(preview *p, const source_info *info, const frame *picture) {
    const split_options *how = &p->options.input.split;
    const bool beside = split_is_beside(how->layout);
    const bool full = how->layout == SPLIT_SIDE_BY_SIDE || how->layout == SPLIT_TOP_BOTTOM;
    char layout[96];
    for (int i = 0; i < 2; i++) {
        const sv_image view = split_part(frame_picture(picture), how->layout, i);
        shrink(&view, &p->result.pictures[i ^ how->swap]);
    }
    p->result.aspect = (float)info->width / (float)info->height * (!full ? 1 : beside ? 0.5f : 2);
    snprintf(layout, sizeof layout, "; %s%s%s", split_layout_name((int)how->layout),
             how->swap ? ", the right one first" : "", p->request.layout ? "" : " (found)");
    describe(p, info, layout);
}

/* One name: one stream of both views, or one side. */
static sv_status read_whole(preview *p, sv_error *error) {
    const source_options how = {.colour = true, .abandoned = &p->abandoned};
    source *whole;
    frame *picture = NULL;
    sv_status status = media_open_one(&p->options, p->request.names[0], &how, &whole, error);
    if (status != SV_OK) return status;
    p->options.input.only_if_sure = !p->request.layout; /* without a warning about one side */
    const bool both = views_find(&p->options, whole, &picture, NULL) == SV_OK;
    if (!picture) status = read_first(p, whole, &picture, error);
    if (status == SV_OK && both) show_views(p, &whole->info, picture);
    if (status == SV_OK && !both) {
        shrink(frame_picture(picture), &p->result.pictures[0]);
        p->result.aspect = (float)whole->info.width / (float)whole->info.height;
        describe(p, &whole->info, "; not two views: name the other side, or choose a layout");
    }
    frame_release(picture);
    source_close(whole);
    return status;
}

static sv_status read_sources(preview *p, sv_error *error) {
    const char *const *names = (const char *[]){p->request.names[0], p->request.names[1]};
    char left[PLACES_BYTES], right[PLACES_BYTES];
    if (*names[1]) return read_sides(p, names[0], names[1], false, error);
    if (places_find_sides(names[0], left, right, sizeof left)) return read_sides(p, left, right, false, error);
    if (!places_is_device(names[0]) && !p->request.layout && source_is_pair(names[0]))
        return read_sides(p, names[0], names[0], true, error);
    return read_whole(p, error);
}

static void read_all(preview *p) {
    const drop_kind kind = drop_kind_of(p->request.names[0]);
    sv_error error;
    if (kind != DROP_SOURCE)
        snprintf(p->result.text, sizeof p->result.text, "%s",
                 kind == DROP_SETTINGS ? "settings, and the input that they name" : "a calibration of this input");
    else if (read_sources(p, &error) != SV_OK)
        snprintf(p->result.text, sizeof p->result.text, "%s", error.text);
}

static void *run(void *argument) {
    preview *p = argument;
    sv_thread_yield(5);
    read_all(p);
    pthread_mutex_lock(&p->worker.lock);
    p->done = true;
    if (!p->worker.stops) p->news();
    while (!p->worker.stops) pthread_cond_wait(&p->worker.changed, &p->worker.lock);
    pthread_mutex_unlock(&p->worker.lock);
    sv_worker_free(&p->worker);
    for (int i = 0; i < 2; i++) free(p->result.pictures[i].data);
    free(p);
    return NULL;
}

preview *preview_open(const request *request, const options *from, void (*news)(void)) {
    preview *p = sv_alloc(1, sizeof *p);
    p->request = *request;
    /* Nothing else that `from` names: a thread that is blocked may outlive it. */
    const options own = {.input = from->input, .match.threads = from->match.threads};
    p->options = request_options(&p->request, &own, false);
    p->options.input.abandoned = &p->abandoned;
    p->options.input.recording = NULL;
    p->options.rig.calibration = NULL; /* the pictures as they come */
    p->news = news;
    sv_worker_start(&p->worker, run, p);
    return p;
}

const preview_result *preview_get(preview *p) {
    pthread_mutex_lock(&p->worker.lock);
    const bool done = p->done;
    pthread_mutex_unlock(&p->worker.lock);
    return done ? &p->result : NULL;
}

void preview_close(preview *p) {
    if (!p) return;
    atomic_store(&p->abandoned, true);
    pthread_mutex_lock(&p->worker.lock);
    if (p->source) source_interrupt(p->source);
    pthread_mutex_unlock(&p->worker.lock);
    sv_worker_abandon(&p->worker);
}
