/* Measures the row offset and the brightness of the current pairs at intervals, in a thread of its own. */
#include "app/calibrate/pair_monitor.h"

#include "stereo/alloc.h"
#include "stereo/clock.h"
#include "stereo/worker.h"

#include <stdlib.h>
#include <sys/resource.h>

/* Seconds between measurements: short enough to follow the adjustment of a lens, long enough not to slow the
 * program. */
static const double interval = 1;

struct pair_monitor {
    const sv_rectification *rectification;
    sv_worker worker; /* its lock guards all that follows */
    bool busy;
    frame_pair next; /* to be measured */
    sv_params params;
    bool measured;
    row_offset latest;
    brightness brightness; /* of the same pair */
    bool swapped;          /* the sides of that pair are */
};

/* Called with the lock held, which it releases while it measures. */
static void measure_next(pair_monitor *a) {
    frame_pair pair = a->next;
    const sv_params params = a->params;
    row_offset figure;
    sv_error error;
    a->next = (frame_pair){0};
    a->busy = true;
    pthread_mutex_unlock(&a->worker.lock);
    const sv_pair pictures = {.left = pair.left->grey, .right = pair.right->grey};
    const sv_status status = row_offset_measure(&pictures, a->rectification, &params, &figure, &error);
    if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error.text);
    const brightness bright = brightness_measure(&pictures);
    bool swapped = false;
    if (status == SV_OK && !figure.known && !sv_is_calibrated(a->rectification)) {
        const sv_pair other_way = {.left = pictures.right, .right = pictures.left};
        row_offset other;
        swapped = row_offset_measure(&other_way, NULL, &params, &other, &error) == SV_OK && other.known;
    }
    frame_pair_release(&pair);
    pthread_mutex_lock(&a->worker.lock);
    a->busy = false;
    a->measured |= status == SV_OK;
    if (status == SV_OK) a->latest = figure;
    if (status == SV_OK) a->brightness = bright;
    if (status == SV_OK) a->swapped = swapped;
    pthread_cond_broadcast(&a->worker.changed);
}

static void *run(void *argument) {
    pair_monitor *a = argument;
    double due = 0;
    setpriority(PRIO_PROCESS, 0, 10); /* on Linux this applies to the thread; matching and drawing have priority */
    pthread_mutex_lock(&a->worker.lock);
    while (!a->worker.stops) {
        if (!a->next.left) {
            pthread_cond_wait(&a->worker.changed, &a->worker.lock);
        } else if (sv_seconds() < due) {
            sv_condition_wait(&a->worker.changed, &a->worker.lock, due);
        } else {
            due = sv_seconds() + interval;
            measure_next(a);
        }
    }
    pthread_mutex_unlock(&a->worker.lock);
    return NULL;
}

pair_monitor *pair_monitor_open(const sv_rectification *rectification) {
    pair_monitor *a = sv_alloc(1, sizeof *a);
    a->rectification = rectification;
    sv_worker_start(&a->worker, run, a);
    return a;
}

void pair_monitor_offer(pair_monitor *a, const frame_pair *pair, const sv_params *params) {
    pthread_mutex_lock(&a->worker.lock);
    frame_pair_release(&a->next);
    a->next = (frame_pair){frame_retain(pair->left), frame_retain(pair->right)};
    a->params = *params;
    pthread_cond_broadcast(&a->worker.changed);
    pthread_mutex_unlock(&a->worker.lock);
}

bool pair_monitor_latest(pair_monitor *a, row_offset *figure) {
    pthread_mutex_lock(&a->worker.lock);
    const bool measured = a->measured;
    if (measured) *figure = a->latest;
    pthread_mutex_unlock(&a->worker.lock);
    return measured;
}

bool pair_monitor_brightness(pair_monitor *a, brightness *brightness) {
    pthread_mutex_lock(&a->worker.lock);
    const bool measured = a->measured;
    if (measured) *brightness = a->brightness;
    pthread_mutex_unlock(&a->worker.lock);
    return measured;
}

bool pair_monitor_swapped(pair_monitor *a) {
    pthread_mutex_lock(&a->worker.lock);
    const bool swapped = a->swapped;
    pthread_mutex_unlock(&a->worker.lock);
    return swapped;
}

bool pair_monitor_last(pair_monitor *a, row_offset *figure) {
    pthread_mutex_lock(&a->worker.lock);
    while (a->busy || (a->next.left && !a->measured)) pthread_cond_wait(&a->worker.changed, &a->worker.lock);
    pthread_mutex_unlock(&a->worker.lock);
    return pair_monitor_latest(a, figure);
}

void pair_monitor_close(pair_monitor *a) {
    if (!a) return;
    sv_worker_stop(&a->worker);
    frame_pair_release(&a->next);
    free(a);
}
