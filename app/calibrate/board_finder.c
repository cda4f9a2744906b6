/* Calibrates with a board while pairs are played. */
#include "app/calibrate/board_finder.h"

#include "app/calibrate/calibrate.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"
#include "stereo/worker.h"

#include <stdlib.h>
#include <string.h>

struct board_finder {
    const rig_options *options;
    int width, height;
    void (*on_news)(void);
    board_views views; /* used only by the thread */

    sv_worker worker; /* its lock guards all that follows */
    bool asked, searching;
    frame_pair next;
    int64_t offered; /* the number of the last pair offered */
    board_finder_state state;
    bool ready; /* `state.result` was not taken yet; its maps: */
    sv_rectification rectified;
};

static void search(board_finder *f, frame_pair *pair) {
    board_verdict verdict = BOARD_NOT_BOTH;
    sv_error error = {""};
    const int64_t frame = pair->left->index;
    const board_pair of = {{frame_grey(pair->left), frame_grey(pair->right)}, frame, pair->left->time};
    const sv_status status = board_views_look(&f->views, &of, &verdict, &error);
    frame_pair_release(pair);
    const unsigned missing = board_views_missing(&f->views);
    pthread_mutex_lock(&f->worker.lock);
    board_finder_state *s = &f->state;
    s->pairs++;
    s->frame = frame;
    s->views = f->views.count;
    s->verdict = verdict;
    s->missing = missing;
    for (int side = 0; side < 2; side++) {
        s->seen[side] = f->views.seen[side];
        board_cover(f->views.views, f->views.count, side, f->width, f->height, s->cells[side]);
    }
    if (status != SV_OK) s->refusal = error;
    pthread_mutex_unlock(&f->worker.lock);
}

static bool quits(void *of) { return sv_worker_stops(&((board_finder *)of)->worker); }

/* Works on a copy of the views: those that it drops may fit a later solution. */
static void solve(board_finder *f) {
    const int count = f->views.count;
    board_view *views = sv_alloc((size_t)count, sizeof *views);
    board_result result = {.used = 0};
    sv_rectification rectified = {0};
    sv_error error = {""};
    memcpy(views, f->views.views, sizeof *views * (size_t)count);
    sv_status status = board_calibrate(&f->options->board, f->options->lens, f->width, f->height, views, count, quits,
                                       f, &result, &error);
    if (status == SV_OK)
        status = sv_rectify(&result.rig, f->width, f->height, f->options->rectify_alpha, &rectified, &error);
    pthread_mutex_lock(&f->worker.lock);
    board_finder_state *s = &f->state;
    s->solving = false;
    s->refusal = error;
    s->solved = status == SV_OK;
    s->result = result;
    s->solved_views = count;
    for (int i = 0; i < s->solved_views; i++)
        s->each[i] = (board_finder_view){.frame = views[i].frame,
                                         .dropped = views[i].dropped,
                                         .errors = {views[i].errors[0], views[i].errors[1]},
                                         .rows = views[i].rows};
    if (status == SV_OK) {
        sv_rectification_free(&f->rectified);
        f->rectified = rectified;
        f->ready = true;
    }
    pthread_mutex_unlock(&f->worker.lock);
    free(views);
}

static void *run(void *argument) {
    board_finder *f = argument;
    sv_thread_yield(5);
    pthread_mutex_lock(&f->worker.lock);
    while (!f->worker.stops) {
        if (f->asked) {
            f->asked = false;
            pthread_mutex_unlock(&f->worker.lock);
            solve(f);
        } else if (f->next.left) {
            frame_pair pair = f->next;
            f->next = (frame_pair){0};
            f->searching = true;
            pthread_mutex_unlock(&f->worker.lock);
            search(f, &pair);
        } else {
            pthread_cond_wait(&f->worker.changed, &f->worker.lock);
            continue;
        }
        pthread_mutex_lock(&f->worker.lock);
        f->searching = false;
        pthread_mutex_unlock(&f->worker.lock);
        f->on_news();
        pthread_mutex_lock(&f->worker.lock);
    }
    pthread_mutex_unlock(&f->worker.lock);
    return NULL;
}

sv_status board_finder_open(board_finder **out, const rig_options *options, int width, int height, bool pictures,
                            void (*on_news)(void), sv_error *error) {
    *out = NULL;
    board_finder *f = sv_alloc(1, sizeof *f);
    f->options = options;
    f->width = width;
    f->height = height;
    f->on_news = on_news;
    f->offered = f->state.frame = -1;
    f->state.missing = (1u << BOARD_NEED_COUNT) - 1;
    f->state.verdict = BOARD_NOT_LEFT;
    const sv_status status = board_views_open(&f->views, &options->board, width, height, pictures, error);
    if (status != SV_OK) {
        board_views_close(&f->views);
        free(f);
        return status;
    }
    sv_worker_start(&f->worker, run, f);
    *out = f;
    return SV_OK;
}

void board_finder_offer(board_finder *f, const frame_pair *pair) {
    pthread_mutex_lock(&f->worker.lock);
    if (pair->left->index != f->offered) {
        frame_pair_release(&f->next);
        f->next = frame_pair_retain(pair);
        f->offered = pair->left->index;
        pthread_cond_signal(&f->worker.changed);
    }
    pthread_mutex_unlock(&f->worker.lock);
}

bool board_finder_is_busy(board_finder *f) {
    pthread_mutex_lock(&f->worker.lock);
    const bool busy = f->searching || f->next.left;
    pthread_mutex_unlock(&f->worker.lock);
    return busy;
}

void board_finder_solve(board_finder *f) {
    pthread_mutex_lock(&f->worker.lock);
    f->asked = f->state.solving = true;
    pthread_cond_signal(&f->worker.changed);
    pthread_mutex_unlock(&f->worker.lock);
}

void board_finder_get_state(board_finder *f, board_finder_state *state) {
    pthread_mutex_lock(&f->worker.lock);
    *state = f->state;
    pthread_mutex_unlock(&f->worker.lock);
}

bool board_finder_take(board_finder *f, sv_rig *rig, sv_rectification *rectification, char *note, size_t size) {
    pthread_mutex_lock(&f->worker.lock);
    const bool ready = f->ready;
    if (ready) {
        *rig = f->state.result.rig;
        *rectification = f->rectified;
        calibrate_note(f->options, &f->state.result, note, size);
        f->rectified = (sv_rectification){0};
        f->ready = false;
    }
    pthread_mutex_unlock(&f->worker.lock);
    return ready;
}

void board_finder_close(board_finder *f) {
    if (!f) return;
    sv_worker_stop(&f->worker);
    frame_pair_release(&f->next);
    sv_rectification_free(&f->rectified);
    board_views_close(&f->views);
    free(f);
}
