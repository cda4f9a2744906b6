/* Measures now and then, in a thread of its own, how the rows of the pairs that go by are aligned. */
#include "app/aligner.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Seconds from one measurement to the next: often enough to see a lens being turned, seldom enough not to be felt. */
static const double interval = 1;

struct aligner {
    const sv_rectification *rectification;
    pthread_t thread;
    double last_begun; /* the offering thread's */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool quit, busy;
    frame_pair pair; /* to be measured, while busy */
    sv_params params;
    bool measured;
    alignment latest;
};

static void *run(void *argument) {
    aligner *a = argument;
    setpriority(PRIO_PROCESS, 0, 10); /* on Linux a thread's own; matching and drawing go first */
    pthread_mutex_lock(&a->lock);
    while (!a->quit) {
        if (!a->busy) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        const sv_pair pictures = {.left = a->pair.left->grey, .right = a->pair.right->grey};
        const sv_params params = a->params;
        alignment figure;
        sv_error error;
        pthread_mutex_unlock(&a->lock);
        const sv_status status = alignment_measure(&pictures, a->rectification, &params, &figure, &error);
        if (status != SV_OK) sv_log(SV_LOG_WARNING, "%s", error.text);
        pthread_mutex_lock(&a->lock);
        frame_pair_release(&a->pair);
        a->busy = false;
        a->measured |= status == SV_OK;
        if (status == SV_OK) a->latest = figure;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

sv_status aligner_open(aligner **out, const sv_rectification *rectification, sv_error *error) {
    *out = NULL;
    aligner *a = calloc(1, sizeof *a);
    if (!a) return sv_fail(error, SV_FAILED, "out of memory");
    a->rectification = rectification;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    if (pthread_create(&a->thread, NULL, run, a)) {
        pthread_cond_destroy(&a->changed);
        pthread_mutex_destroy(&a->lock);
        free(a);
        return sv_fail(error, SV_FAILED, "cannot start the thread that measures alignment: the system has no more");
    }
    *out = a;
    return SV_OK;
}

void aligner_offer(aligner *a, const frame_pair *pair, const sv_params *params) {
    const double now = sv_seconds();
    if (a->last_begun > 0 && now < a->last_begun + interval) return;
    pthread_mutex_lock(&a->lock);
    if (!a->busy) {
        a->busy = true;
        a->pair = (frame_pair){frame_retain(pair->left), frame_retain(pair->right)};
        a->params = *params;
        a->last_begun = now;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
}

bool aligner_latest(aligner *a, alignment *figure) {
    pthread_mutex_lock(&a->lock);
    const bool measured = a->measured;
    if (measured) *figure = a->latest;
    pthread_mutex_unlock(&a->lock);
    return measured;
}

bool aligner_last(aligner *a, alignment *figure) {
    pthread_mutex_lock(&a->lock);
    while (a->busy) pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    return aligner_latest(a, figure);
}

void aligner_close(aligner *a) {
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->quit = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    frame_pair_release(&a->pair);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}
