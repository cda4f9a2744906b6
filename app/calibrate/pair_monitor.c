/* Measures the current pairs at intervals, in a thread of its own. */
#include "app/calibrate/pair_monitor.h"

#include "app/media/media.h"
#include "rig/pair_meter.h"
#include "rig/row_meter.h"
#include "stereo/alloc.h"
#include "stereo/clock.h"
#include "stereo/worker.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Seconds between measurements: short enough to follow a lens that is being adjusted. */
static const double interval = 1;

/* Seconds between comparisons of moments; longer once both sides are known to be of the same moment. */
static const double comparison_interval = 5, calm_interval = 20;

/* Measuring takes at most this part of a core. */
static const double core_share = 0.05;

/* Seconds without another pair after which moments are not waited for: a short file has ended. */
static const double longest_pause = 5;

/* Frames that may be missing between two moments of one comparison. */
static const double longest_gap = 3;

enum { QUEUE = 4 }; /* pairs that wait to be compared; one more is left out */

struct pair_monitor {
    pair_monitor_options options;

    /* Used only by the thread. */
    pair_meter *pairs;     /* NULL before the first measurement */
    row_meter *meter;      /* NULL: nothing is left to be measured, or nothing was yet */
    int row_pairs;         /* that the row correction is still to be measured on */
    int row_shift;         /* of the first of them: pairs with another one do not count */
    int64_t measured_pair; /* the number of the latest of them */
    double first, last;    /* the moments that are compared next: their first and last frame; NAN: none yet */
    double middle;         /* NAN: it is still to come */
    int moments_shift;     /* their row shift */
    double compared;       /* when the next comparison begins, by sv_seconds */

    sv_worker worker; /* its lock guards all that follows */
    bool busy;
    frame_pair next; /* to be measured */
    sv_params params;
    frame_pair queue[QUEUE]; /* to be compared */
    int queued;
    bool collects;   /* pairs are queued */
    bool anew;       /* those that were collected do not count any more */
    double offered;  /* when the latest pair was, by sv_seconds */
    double relation; /* frames by which the right picture's time is after the left one's; NAN at first */
    bool measured;
    rig_facts facts;            /* of the latest pair */
    rig_moments moments;        /* of the latest useful comparison; reach 0: there was none */
    bool compares;              /* none has been completed yet */
    bool taken;                 /* pair_monitor_take_probe has returned the probe of `facts` */
    bool rows_known, rows_anew; /* anew: other moments are paired than those it was measured on */
    row_fit rows;
};

/* Seconds of processor time of this thread. */
static double thread_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Measures the row correction on a pair that shows the rows; true if it was the last one. */
static bool measure_rows(pair_monitor *a, const frame_pair *pair, const rig_facts *facts, row_fit *fit,
                         sv_error *error) {
    const sv_pair pictures = media_host_pictures(pair);
    const sv_params *params = &facts->params;
    sv_status status = SV_OK;
    if (!a->row_pairs || !rig_shows_rows(facts)) return false;
    if (!a->meter) {
        status = row_meter_open(&a->meter, pictures.left.width, pictures.left.height, a->options.rectification, params,
                                1, error);
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

/* Measures the row correction again. */
static void forget_rows(pair_monitor *a) {
    row_meter_close(a->meter);
    a->meter = NULL;
    a->row_pairs = a->options.row_pairs < ROW_METER_PAIRS ? a->options.row_pairs : ROW_METER_PAIRS;
    a->rows_anew = false;
}

static sv_status open_meter(pair_monitor *a, sv_error *error) {
    return a->pairs ? SV_OK : pair_meter_create(&a->pairs, a->options.rectification, 1, error);
}

/* Called with the lock held, which it releases while it measures. */
static void measure_next(pair_monitor *a) {
    frame_pair pair = a->next;
    const sv_params params = a->params;
    const sv_pair pictures = media_host_pictures(&pair);
    rig_facts facts;
    row_fit rows;
    sv_error error;
    a->next = (frame_pair){0};
    a->busy = true;
    if (a->rows_anew) forget_rows(a);
    pthread_mutex_unlock(&a->worker.lock);
    sv_status status = open_meter(a, &error);
    if (status == SV_OK) status = pair_meter_measure(a->pairs, &pictures, &params, &facts, &error);
    if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error.text);
    const bool rows_known = status == SV_OK && measure_rows(a, &pair, &facts, &rows, &error);
    frame_pair_release(&pair);
    pthread_mutex_lock(&a->worker.lock);
    a->busy = false;
    a->rows_known |= rows_known;
    if (rows_known) a->rows = rows;
    a->measured |= status == SV_OK;
    if (status == SV_OK) a->facts = facts;
    a->taken &= status != SV_OK;
    pthread_cond_broadcast(&a->worker.changed);
}

/* ---- Moments ---------------------------------------------------------------------------------- */

static void begin_moments(pair_monitor *a) {
    pair_meter_begin_moments(a->pairs);
    a->first = a->last = a->middle = NAN;
}

/* Compares what was collected. Called without the lock. */
static void compare_moments(pair_monitor *a, const rig_facts *facts) {
    rig_moments moments;
    sv_error error;
    const sv_status status = pair_meter_compare_moments(a->pairs, a->options.reach, facts, &moments, &error);
    if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error.text);
    begin_moments(a);
    pthread_mutex_lock(&a->worker.lock);
    const double offset = status == SV_OK ? rig_find_offset(&moments) : NAN;
    /* What was known stays known while nothing moves. */
    if (status == SV_OK && !a->anew && (!isnan(offset) || isnan(rig_find_offset(&a->moments)))) a->moments = moments;
    a->compares = a->anew;
    a->collects = false;
    a->compared = sv_seconds() + (offset == 0 ? calm_interval : comparison_interval);
    pthread_mutex_unlock(&a->worker.lock);
}

/* Called with the lock held, which it releases meanwhile. */
static void add_moment(pair_monitor *a) {
    frame_pair pair = a->queue[0];
    const rig_facts facts = a->facts;
    const int shift = a->params.row_shift;
    const double frame = pair.left->time * a->options.rate;
    const bool anew = a->anew;
    sv_error error;
    a->anew = false;
    a->queued--;
    for (int i = 0; i < a->queued; i++) a->queue[i] = a->queue[i + 1];
    pthread_mutex_unlock(&a->worker.lock);
    const sv_pair pictures = media_host_pictures(&pair);
    sv_status status = open_meter(a, &error);
    const bool back = frame <= a->last, jumps = back || frame > a->last + longest_gap + 0.5;
    if (status == SV_OK && back && !anew && !isnan(a->middle) && frame != a->last) {
        compare_moments(a, &facts); /* a loop that is shorter than the reach */
    } else if (status == SV_OK && frame != a->last) {
        if (anew || isnan(a->first) || jumps || shift != a->moments_shift) {
            begin_moments(a);
            a->first = frame;
            a->moments_shift = shift;
        }
        const bool middle = isnan(a->middle) && frame >= a->first + a->options.reach - 0.5;
        if (middle) a->middle = frame;
        a->last = frame;
        status = pair_meter_add_moment(a->pairs, &pictures, shift, frame, middle, &error);
        if (status == SV_OK && frame >= a->middle + a->options.reach - 0.5) compare_moments(a, &facts);
    }
    if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error.text);
    frame_pair_release(&pair);
    pthread_mutex_lock(&a->worker.lock);
}

/* Notices that other moments are paired than before. Called with the lock held. */
static void follow_relation(pair_monitor *a, const frame_pair *pair) {
    const double relation = round((pair->right->time - pair->left->time) * a->options.rate);
    if (relation == a->relation) return;
    a->rows_anew = !isnan(a->relation);
    a->rows_known = false;
    a->relation = relation;
    a->moments = (rig_moments){0};
    a->anew = a->compares = a->collects = true;
}

static void *run(void *argument) {
    pair_monitor *a = argument;
    double due = 0;
    sv_thread_yield(10);
    pthread_mutex_lock(&a->worker.lock);
    while (!a->worker.stops) {
        const double before = thread_seconds(), now = sv_seconds();
        /* The first pair is measured first, as moments are compared by what it shows. */
        if (a->queued && a->measured) {
            add_moment(a);
            due += (thread_seconds() - before) / core_share;
        } else if (!a->next.left) {
            pthread_cond_wait(&a->worker.changed, &a->worker.lock);
        } else if (now < due) {
            sv_condition_wait(&a->worker.changed, &a->worker.lock, due);
        } else {
            measure_next(a);
            due = now + fmax(interval, (thread_seconds() - before) / core_share);
            a->collects |= a->options.reach && now >= a->compared;
        }
    }
    pthread_mutex_unlock(&a->worker.lock);
    return NULL;
}

/* ---- The interface ---------------------------------------------------------------------------- */

pair_monitor *pair_monitor_open(const pair_monitor_options *options) {
    pair_monitor *a = sv_alloc(1, sizeof *a);
    a->options = *options;
    a->taken = true;
    a->row_pairs = options->row_pairs < ROW_METER_PAIRS ? options->row_pairs : ROW_METER_PAIRS;
    a->first = a->last = a->middle = a->relation = NAN;
    a->moments = options->moments;
    sv_worker_start(&a->worker, run, a);
    return a;
}

void pair_monitor_offer(pair_monitor *a, const frame_pair *pair, const sv_params *params) {
    pthread_mutex_lock(&a->worker.lock);
    frame_pair_release(&a->next);
    a->next = frame_pair_retain(pair);
    a->params = *params;
    a->offered = sv_seconds();
    if (a->options.reach) follow_relation(a, pair);
    if (a->collects && a->queued < QUEUE) a->queue[a->queued++] = frame_pair_retain(pair);
    pthread_cond_broadcast(&a->worker.changed);
    pthread_mutex_unlock(&a->worker.lock);
}

bool pair_monitor_judge(pair_monitor *a, const sv_params *params, rig_facts *facts, sv_rig_state *state) {
    pthread_mutex_lock(&a->worker.lock);
    const bool measured = a->measured;
    *facts = a->facts;
    facts->moments = a->moments;
    facts->waits = a->compares && sv_seconds() < a->offered + longest_pause;
    pthread_mutex_unlock(&a->worker.lock);
    if (facts->params.min_disparity != params->min_disparity || facts->params.max_disparity != params->max_disparity)
        facts->outside = NAN;
    if (facts->params.row_shift != params->row_shift) facts->rows.points = 0;
    facts->params = *params;
    facts->half = a->options.half;
    rig_judge(facts, state);
    return measured;
}

bool pair_monitor_judge_last(pair_monitor *a, const sv_params *params, rig_facts *facts, sv_rig_state *state) {
    pthread_mutex_lock(&a->worker.lock);
    while (a->busy || (a->next.left && !a->measured)) pthread_cond_wait(&a->worker.changed, &a->worker.lock);
    pthread_mutex_unlock(&a->worker.lock);
    return pair_monitor_judge(a, params, facts, state);
}

bool pair_monitor_take_probe(pair_monitor *a, probe_result *result) {
    pthread_mutex_lock(&a->worker.lock);
    const bool any = !a->taken;
    if (any) *result = a->facts.probe;
    a->taken = true;
    pthread_mutex_unlock(&a->worker.lock);
    return any;
}

bool pair_monitor_rows(pair_monitor *a, row_fit *fit) {
    pthread_mutex_lock(&a->worker.lock);
    const double late = rig_find_offset(&a->moments);
    const bool known = a->rows_known && !(late < 0 || late > 0);
    if (known) *fit = a->rows;
    pthread_mutex_unlock(&a->worker.lock);
    return known;
}

void pair_monitor_close(pair_monitor *a) {
    if (!a) return;
    sv_worker_stop(&a->worker);
    frame_pair_release(&a->next);
    while (a->queued) frame_pair_release(&a->queue[--a->queued]);
    pair_meter_free(a->pairs);
    row_meter_close(a->meter);
    free(a);
}
