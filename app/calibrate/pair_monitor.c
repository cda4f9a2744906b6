/* Measures rows, brightness and disparities of the current pairs at intervals, in a thread of its own. */
#include "app/calibrate/pair_monitor.h"

#include "rig/row_meter.h"
#include "stereo/alloc.h"
#include "stereo/clock.h"
#include "stereo/worker.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* Seconds between measurements: short enough to follow the adjustment of a lens, long enough not to slow the
 * program. */
static const double interval = 1;

/* The probe takes at most this part of a core. */
static const double probe_share = 0.05;

struct pair_monitor {
    const sv_rectification *rectification;

    /* Used only by the thread. */
    probe *probe;          /* NULL before the first measurement */
    row_meter *meter;      /* NULL: nothing is left to be measured, or nothing was yet */
    int row_pairs;         /* that the row correction is still to be measured on */
    int row_shift;         /* of the first of them: pairs with another one do not count */
    int64_t measured_pair; /* the number of the latest of them */

    sv_worker worker; /* its lock guards all that follows */
    bool busy;
    frame_pair next; /* to be measured */
    sv_params params;
    bool measured;
    row_offset latest;
    brightness brightness; /* of the same pair */
    probe_result probed;   /* of the same pair, */
    bool taken;            /* which pair_monitor_take_probe has returned */
    bool swapped;          /* the sides of that pair are */
    bool rows_known;
    row_fit rows;
};

/* Seconds of processor time of this thread. */
static double thread_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Probes the pair and, if it does not go together as it is, with the sides swapped. A rectification determines the
 * sides. */
static sv_status probe_sides(pair_monitor *a, const sv_pair *pictures, int row_shift, probe_result *result,
                             bool *swapped, sv_error *error) {
    const sv_pair swapped_pictures = {.left = pictures->right, .right = pictures->left};
    probe_result other = {0};
    sv_status status = a->probe ? SV_OK : probe_create(&a->probe, a->rectification, 1, error);
    if (status == SV_OK) status = probe_pair(a->probe, pictures, row_shift, result, error);
    if (status == SV_OK && result->share < PROBE_KNOWN && !sv_is_calibrated(a->rectification))
        status = probe_pair(a->probe, &swapped_pictures, -row_shift, &other, error);
    *swapped = !sv_is_calibrated(a->rectification) && probe_is_swapped(result, &other);
    return status;
}

/* Adds a pair to what the row correction is measured on; true if it was the last of them. */
static bool measure_rows(pair_monitor *a, const frame_pair *pair, const sv_params *params, row_fit *fit,
                         sv_error *error) {
    const sv_pair pictures = {.left = pair->left->grey, .right = pair->right->grey};
    sv_status status = SV_OK;
    if (!a->row_pairs) return false;
    if (!a->meter) {
        status =
            row_meter_open(&a->meter, pictures.left.width, pictures.left.height, a->rectification, params, 1, error);
        a->row_shift = params->row_shift;
        a->measured_pair = -1;
    }
    if (status == SV_OK && (pair->left->index == a->measured_pair || params->row_shift != a->row_shift)) return false;
    a->measured_pair = pair->left->index;
    if (status == SV_OK) status = row_meter_add(a->meter, &pictures, error);
    if (status == SV_OK && --a->row_pairs) return false;
    if (status == SV_OK) status = row_meter_fit(a->meter, fit, error);
    if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error->text);
    row_meter_close(a->meter);
    a->meter = NULL;
    a->row_pairs = 0;
    return status == SV_OK;
}

/* Called with the lock held, which it releases while it measures. Returns how long the probe has taken, in seconds of
 * the processor. */
static double measure_next(pair_monitor *a) {
    frame_pair pair = a->next;
    const sv_params params = a->params;
    row_offset figure;
    sv_error error;
    a->next = (frame_pair){0};
    a->busy = true;
    pthread_mutex_unlock(&a->worker.lock);
    const sv_pair pictures = {.left = pair.left->grey, .right = pair.right->grey};
    sv_status status = row_offset_measure(&pictures, a->rectification, &params, &figure, &error);
    const brightness bright = brightness_measure(&pictures);
    bool swapped = false;
    probe_result probed = {0};
    const double before = thread_seconds();
    if (status == SV_OK) status = probe_sides(a, &pictures, params.row_shift, &probed, &swapped, &error);
    const double took = thread_seconds() - before;
    if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error.text);
    row_fit rows;
    const bool rows_known = status == SV_OK && measure_rows(a, &pair, &params, &rows, &error);
    frame_pair_release(&pair);
    pthread_mutex_lock(&a->worker.lock);
    a->busy = false;
    a->rows_known |= rows_known;
    if (rows_known) a->rows = rows;
    a->measured |= status == SV_OK;
    if (status == SV_OK) a->latest = figure;
    if (status == SV_OK) a->brightness = bright;
    if (status == SV_OK) a->swapped = swapped;
    if (status == SV_OK) a->probed = probed;
    a->taken &= status != SV_OK;
    pthread_cond_broadcast(&a->worker.changed);
    return took;
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
            const double began = sv_seconds(), took = measure_next(a);
            due = began + fmax(interval, took / probe_share);
        }
    }
    pthread_mutex_unlock(&a->worker.lock);
    return NULL;
}

pair_monitor *pair_monitor_open(const sv_rectification *rectification, int row_pairs) {
    pair_monitor *a = sv_alloc(1, sizeof *a);
    a->rectification = rectification;
    a->taken = true;
    a->row_pairs = row_pairs < ROW_METER_PAIRS ? row_pairs : ROW_METER_PAIRS;
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

bool pair_monitor_take_probe(pair_monitor *a, probe_result *result) {
    pthread_mutex_lock(&a->worker.lock);
    const bool any = !a->taken;
    if (any) *result = a->probed;
    a->taken = true;
    pthread_mutex_unlock(&a->worker.lock);
    return any;
}

bool pair_monitor_rows(pair_monitor *a, row_fit *fit) {
    pthread_mutex_lock(&a->worker.lock);
    const bool known = a->rows_known;
    if (known) *fit = a->rows;
    pthread_mutex_unlock(&a->worker.lock);
    return known;
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
    probe_free(a->probe);
    row_meter_close(a->meter);
    free(a);
}
