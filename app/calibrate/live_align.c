/* Aligns two cameras without a board while their pairs are played. */
#include "app/calibrate/live_align.h"

#include "app/media/fov.h"
#include "app/media/media.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"
#include "stereo/sort.h"
#include "stereo/worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECENT = 3,       /* pairs from which the drift is measured: a single one may show something that moves */
    LEAST_RECENT = 30 /* points of them */
};

/* A new rig is worth switching to if its rows are better by this many pixels, or if its yaw, which moves no rows,
 * differs by more than its deviation and by this many degrees. */
static const double better_rows = 0.03, better_yaw = 0.05;

/* The rig counts as moved if the rows are worse by this many pixels and have doubled. */
static const double least_drift = 0.5;

/* The fraction of the height beyond which points count as wrong when the drift is measured. */
static const double farthest = 0.05;

/* A rig that is in use, or is ready to be. */
typedef struct solution {
    bool known;
    sv_rig rig;
    sv_rectification frame; /* without maps */
    selfalign_result result;
    double rows; /* median of |y_right - y_left| over all points then, as measure_rows counts them */
} solution;

struct live_align {
    const rig_options *options;
    source_info info;

    /* Used only by the thread. */
    selfalign_point *points;      /* a ring of pairs: ALIGN_MOST_PAIRS x ALIGN_POINTS_MOST */
    int counts[ALIGN_MOST_PAIRS]; /* points of each */
    int pairs, last;              /* how many there are, and the newest one */
    selfalign_point *gathered;    /* of all pairs, one after the other */
    double *rows;                 /* of those */
    int since_estimate;           /* pairs since the last estimate */
    int worse;                    /* consecutive pairs that show that the rig has moved */

    sv_worker worker; /* its lock guards all that follows */
    frame_pair next;
    int64_t offered; /* the number of the pair that was offered last */
    live_align_state state;
    solution ready;             /* the best so far, if it was not taken yet */
    sv_rectification rectified; /* its maps */
    solution taken;
};

/* ---- Rows ------------------------------------------------------------------------------------- */

/* The median of |y_right - y_left| of the points after rectification; NAN if too few of them have one. */
static double measure_rows(const live_align *a, const sv_rectification *r, const selfalign_point *points, int count) {
    int known = 0;
    for (int i = 0; i < count; i++) {
        const float *left = points[i].left, *right = points[i].right;
        double at[2][2];
        if (!sv_rectify_point(r, 0, (const double[]){(double)left[0], (double)left[1]}, at[0]) ||
            !sv_rectify_point(r, 1, (const double[]){(double)right[0], (double)right[1]}, at[1]))
            continue;
        const double off = fabs(at[1][1] - at[0][1]);
        if (off <= farthest * a->info.height) a->rows[known++] = off;
    }
    if (known < LEAST_RECENT) return NAN;
    sv_sort_doubles(a->rows, (size_t)known);
    return a->rows[known / 2];
}

/* Copies the points of the newest pairs, at most `most` of them, and returns how many points. */
static int gather(live_align *a, int most) {
    int count = 0;
    for (int i = 0; i < a->pairs && i < most; i++) {
        const int pair = (a->last + ALIGN_MOST_PAIRS - i) % ALIGN_MOST_PAIRS;
        memcpy(a->gathered + count, a->points + pair * ALIGN_POINTS_MOST, sizeof *a->points * (size_t)a->counts[pair]);
        count += a->counts[pair];
    }
    return count;
}

/* Measures the drift with the newest pairs. If the rig has moved, drops the older ones. */
static void watch(live_align *a) {
    pthread_mutex_lock(&a->worker.lock);
    const solution in_use = a->taken;
    pthread_mutex_unlock(&a->worker.lock);
    if (!in_use.known) return;
    const double rows = measure_rows(a, &in_use.frame, a->gathered, gather(a, RECENT));
    const double drift = fmax(0, rows - in_use.rows);
    a->worse = drift > fmax(least_drift, in_use.rows) ? a->worse + 1 : 0;
    const bool moved = a->worse >= RECENT;
    if (moved) {
        a->pairs = RECENT;
        a->worse = 0;
    }
    pthread_mutex_lock(&a->worker.lock);
    a->state.rows = rows;
    a->state.drift = isnan(rows) ? NAN : drift;
    a->state.moved |= moved;
    a->state.moves += moved;
    if (moved) a->state.moved_by = rows;
    pthread_mutex_unlock(&a->worker.lock);
}

/* ---- The estimate ----------------------------------------------------------------------------- */

/* True if `next` is worth switching to from `used`, for these points. */
static bool is_better(const live_align *a, const solution *used, const solution *next, int count) {
    if (!used->known) return true;
    const double yaw = fabs(next->result.rotation[1].value - used->result.rotation[1].value);
    const double rows = measure_rows(a, &used->frame, a->gathered, count);
    return !(rows - next->rows <= better_rows) || yaw > fmax(better_yaw, next->result.rotation[1].deviation);
}

/* Estimates the rig from all points, and offers it if it is better than the one in use. */
static void estimate(live_align *a) {
    const int count = gather(a, ALIGN_MOST_PAIRS);
    solution next = {.known = false};
    sv_rectification rectified = {0};
    sv_error refusal = {""};
    sv_status status = align_estimate(a->options, &a->info, a->gathered, count, &next.result, &next.rig, &refusal);
    if (status == SV_OK) status = sv_rectify_frame(&next.rig, a->info.width, a->info.height, 0, &next.frame, &refusal);
    pthread_mutex_lock(&a->worker.lock);
    const solution used = a->ready.known ? a->ready : a->taken;
    const bool moved = a->state.moved;
    pthread_mutex_unlock(&a->worker.lock);
    if (status == SV_OK) {
        next.rows = measure_rows(a, &next.frame, a->gathered, count);
        next.known = moved || is_better(a, &used, &next, count);
        if (next.known)
            status =
                sv_rectify(&next.rig, a->info.width, a->info.height, a->options->rectify_alpha, &rectified, &refusal);
    }
    pthread_mutex_lock(&a->worker.lock);
    a->state.estimated = status == SV_OK;
    a->state.result = next.result;
    a->state.refusal = refusal;
    if (status == SV_OK && next.known) {
        sv_rectification_free(&a->rectified);
        a->rectified = rectified;
        a->ready = next;
        a->state.moved = false;
    }
    pthread_mutex_unlock(&a->worker.lock);
}

/* Finds the points of a pair, which it releases. */
static void search(live_align *a, frame_pair *pair) {
    const sv_pair pictures = media_host_pictures(pair);
    const int place = a->pairs ? (a->last + 1) % ALIGN_MOST_PAIRS : 0;
    sv_error error;
    int count;
    const sv_status status =
        align_find_points(a->options, &a->info, &pictures, 1, a->points + place * ALIGN_POINTS_MOST, &count, &error);
    frame_pair_release(pair);
    if (status != SV_OK) {
        sv_log(SV_LOG_WARNING, "%s", error.text);
        return;
    }
    a->counts[place] = count;
    a->last = place;
    if (a->pairs < ALIGN_MOST_PAIRS) a->pairs++;
    a->since_estimate++;
    watch(a);
    int points = 0;
    for (int i = 0; i < a->pairs; i++) points += a->counts[(a->last + ALIGN_MOST_PAIRS - i) % ALIGN_MOST_PAIRS];
    pthread_mutex_lock(&a->worker.lock);
    a->state.pairs = a->pairs;
    a->state.points = points;
    pthread_mutex_unlock(&a->worker.lock);
    /* Often at first, when each pair adds much. */
    if (a->since_estimate < a->pairs / 4 && a->since_estimate < ALIGN_MOST_PAIRS / 8) return;
    a->since_estimate = 0;
    estimate(a);
}

/* ---- The thread ------------------------------------------------------------------------------- */

static void *run(void *argument) {
    live_align *a = argument;
    sv_thread_yield(5);
    pthread_mutex_lock(&a->worker.lock);
    while (!a->worker.stops) {
        if (!a->next.left) {
            pthread_cond_wait(&a->worker.changed, &a->worker.lock);
            continue;
        }
        frame_pair pair = a->next;
        a->next = (frame_pair){0};
        pthread_mutex_unlock(&a->worker.lock);
        search(a, &pair);
        pthread_mutex_lock(&a->worker.lock);
        a->state.searched++;
    }
    pthread_mutex_unlock(&a->worker.lock);
    return NULL;
}

live_align *live_align_open(const rig_options *options, const source_info *info) {
    const size_t most = (size_t)ALIGN_MOST_PAIRS * ALIGN_POINTS_MOST;
    live_align *a = sv_alloc(1, sizeof *a);
    a->options = options;
    a->info = *info;
    a->points = sv_alloc(most, sizeof *a->points);
    a->gathered = sv_alloc(most, sizeof *a->gathered);
    a->rows = sv_alloc(most, sizeof *a->rows);
    a->offered = -1;
    a->state.rows = a->state.drift = NAN;
    sv_worker_start(&a->worker, run, a);
    fov_log(options, info);
    return a;
}

void live_align_offer(live_align *a, const frame_pair *pair) {
    pthread_mutex_lock(&a->worker.lock);
    if (pair->left->index != a->offered) {
        frame_pair_release(&a->next);
        a->next = frame_pair_retain(pair);
        a->offered = pair->left->index;
        pthread_cond_signal(&a->worker.changed);
    }
    pthread_mutex_unlock(&a->worker.lock);
}

live_align_state live_align_get_state(live_align *a) {
    pthread_mutex_lock(&a->worker.lock);
    const live_align_state state = a->state;
    pthread_mutex_unlock(&a->worker.lock);
    return state;
}

bool live_align_take(live_align *a, sv_rig *rig, sv_rectification *rectification, char *note, size_t size) {
    pthread_mutex_lock(&a->worker.lock);
    const bool known = a->ready.known;
    if (known) {
        *rig = a->ready.rig;
        *rectification = a->rectified;
        align_note(a->options, &a->info, &a->ready.result, note, size);
        a->taken = a->ready;
        a->ready.known = false;
        a->rectified = (sv_rectification){0};
    }
    pthread_mutex_unlock(&a->worker.lock);
    return known;
}

void live_align_close(live_align *a) {
    if (!a) return;
    sv_worker_stop(&a->worker);
    frame_pair_release(&a->next);
    sv_rectification_free(&a->rectified);
    free(a->points);
    free(a->gathered);
    free(a->rows);
    free(a);
}
