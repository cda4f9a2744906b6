/* Exports a range of frames while the window keeps running. */
#include "app/play/export_job.h"

#include "app/play/exporter.h"
#include "app/play/maps.h"
#include "app/play/session.h"
#include "app/play/sinks.h"
#include "base/file_name.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"
#include "stereo/worker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct export_job {
    export_order order;
    void (*news)(void);
    media_colour colour;
    session session;
    exporter exporter;

    sv_worker worker; /* its lock guards all that follows */
    pairing *pairing; /* that is read */
    export_progress progress;
};

/* Makes what is read known to export_job_cancel, or not any more. */
static void set_pairing(export_job *j, pairing *pairing) {
    pthread_mutex_lock(&j->worker.lock);
    j->pairing = pairing;
    if (j->worker.stops && pairing) pairing_interrupt(pairing);
    pthread_mutex_unlock(&j->worker.lock);
}

/* ---- Opening ------------------------------------------------------------------------------------ */

/* Nothing that is there is replaced. */
static sv_status refuse_existing(const char *pattern, sv_error *error) {
    size_t count;
    char **names = file_find(pattern, &count), first[512] = "";
    if (count) snprintf(first, sizeof first, "%s", names[0]);
    file_free_names(names, count);
    return count ? sv_fail(error, SV_USAGE, "%s already exists; choose another name", first) : SV_OK;
}

static sv_status open_session(export_job *j, sv_error *error) {
    const export_order *order = &j->order;
    session *s = &j->session;
    const pool_memory memory = {order->backend->alloc, order->backend->free};
    sv_status status = media_open(&j->order.options, memory, &j->colour, &s->pairing, error);
    if (status != SV_OK) return status;
    set_pairing(j, s->pairing);
    const source_info *info = pairing_info(s->pairing);
    status = order->has_rig ? sv_rectify(&order->rig, info->width, info->height, order->options.rig.rectify_alpha,
                                         &s->rectifications[0], error)
                            : media_rectify(&order->options, s->pairing, &s->rectifications[0], error);
    return status == SV_OK ? session_open(s, error) : status;
}

/* ---- Matching ----------------------------------------------------------------------------------- */

static void count_one(export_job *j) {
    pthread_mutex_lock(&j->worker.lock);
    j->progress.done++;
    pthread_mutex_unlock(&j->worker.lock);
    j->news();
}

static sv_status match_all(export_job *j, sinks *sinks, sv_error *error) {
    const sv_params *params = &j->order.options.match.params;
    const int64_t lead = params->temporal - 1; /* frames before the first one that its map depends on */
    session *s = &j->session;
    frame_range range = j->order.options.input.frames;
    const source_info *info = pairing_info(s->pairing);
    const space space = space_of(session_rectification(s), info->width, info->height);
    sv_status status = SV_OK;
    range.first = j->order.first > lead ? j->order.first - lead : 0;
    range.end = j->order.last < INT64_MAX ? j->order.last + 1 : INT64_MAX;
    if (range.first && info->seekable) status = pairing_seek_frame(s->pairing, range.first, error);
    while (status == SV_OK && !sv_worker_stops(&j->worker)) {
        frame_pair pair;
        sv_output maps;
        status = media_next(s->pairing, &range, s->stats, &pair, error);
        if (status != SV_OK) break;
        const sv_pair pictures = media_pictures(&pair);
        const bool wanted = pair.left->index >= j->order.first;
        status = sinks_take(sinks, &maps, error);
        if (status == SV_OK) status = sv_submit(s->matcher, &pictures, params, &maps, error);
        if (status == SV_OK) status = sv_wait(s->matcher, NULL, error);
        if (status == SV_OK && wanted) space_limit_maps(&space, &j->order.limits, &maps);
        if (status == SV_OK) sinks_give(sinks, wanted ? pair.left : NULL, &maps);
        if (status == SV_OK && wanted) count_one(j);
        frame_pair_release(&pair);
    }
    return status == SV_END ? SV_OK : status;
}

static sv_status write_all(export_job *j, sv_error *error) {
    const source_info *info = pairing_info(j->session.pairing);
    const char *pattern = j->order.pattern;
    sv_error later;
    sinks *sinks = sinks_open(j->order.backend, info->width, info->height, exporter_needs_confidence(pattern), 1);
    j->exporter = (exporter){.pattern = pattern,
                             .colours = j->order.colours,
                             .rectification = session_rectification(&j->session),
                             .rate = info->pictures ? 0 : info->rate};
    sinks_add(sinks, exporter_use, &j->exporter, !export_is_video(pattern));
    sv_status status = match_all(j, sinks, error);
    const sv_status written = sinks_finish(sinks, status == SV_OK ? error : &later);
    session_end_matching(&j->session); /* which may still use the maps after a failure */
    sinks_close(sinks);
    if (status == SV_OK) status = written;
    const sv_status finished = exporter_finish(&j->exporter, status != SV_OK, status == SV_OK ? error : &later);
    return status == SV_OK ? finished : status;
}

static void expect(export_job *j) {
    const int64_t frames = pairing_frames(j->session.pairing);
    const int64_t end = j->order.last < INT64_MAX ? j->order.last + 1 : frames;
    pthread_mutex_lock(&j->worker.lock);
    j->progress.all = end > j->order.first ? end - j->order.first : 0;
    pthread_mutex_unlock(&j->worker.lock);
}

static sv_status export_all(export_job *j, sv_error *error) {
    const char *pattern = j->order.pattern;
    sv_status status = export_check(pattern, error);
    if (status == SV_OK) status = refuse_existing(pattern, error);
    if (status == SV_OK) status = open_session(j, error);
    if (status == SV_OK) {
        expect(j);
        status = write_all(j, error);
    }
    set_pairing(j, NULL);
    session_close(&j->session);
    return status;
}

static void *run(void *argument) {
    export_job *j = argument;
    sv_error error = {""};
    sv_thread_yield(5);
    stats *const own = j->session.stats;
    const sv_status status = export_all(j, &error);
    stats_destroy(own);
    pthread_mutex_lock(&j->worker.lock);
    j->progress.files = j->exporter.files;
    j->progress.status = status;
    j->progress.error = error;
    j->progress.ended = true;
    pthread_mutex_unlock(&j->worker.lock);
    j->news();
    return NULL;
}

export_job *export_job_open(const export_order *order, void (*news)(void)) {
    export_job *j = sv_alloc(1, sizeof *j);
    options *o = &j->order.options;
    j->order = *order;
    j->news = news;
    o->input.recording = NULL;
    o->output.record = o->output.truth = NULL;
    o->match.compare = NULL;
    o->match.all_devices = false;
    o->input.frames.loop = false;
    const bool coloured = sv_methods[o->match.params.method].uses_colour;
    j->colour = (media_colour){coloured || export_is_cloud(order->pattern), coloured};
    j->session = (session){.options = o, .backend = order->backend, .stats = stats_create(), .colour = &j->colour};
    sv_worker_start(&j->worker, run, j);
    return j;
}

export_progress export_job_progress(export_job *j) {
    pthread_mutex_lock(&j->worker.lock);
    const export_progress progress = j->progress;
    pthread_mutex_unlock(&j->worker.lock);
    return progress;
}

void export_job_cancel(export_job *j) {
    pthread_mutex_lock(&j->worker.lock);
    j->worker.stops = true;
    if (j->pairing) pairing_interrupt(j->pairing);
    pthread_mutex_unlock(&j->worker.lock);
}

void export_job_close(export_job *j) {
    if (!j) return;
    export_job_cancel(j);
    sv_worker_stop(&j->worker);
    free(j);
}
