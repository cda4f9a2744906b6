/* Starts and stops threads that run alongside the others. */
#include "stereo/worker.h"

#include "stereo/alloc.h"
#include "stereo/clock.h"

#include <sys/resource.h>

void sv_worker_start(sv_worker *w, void *(*run)(void *of), void *of) {
    w->stops = false;
    sv_condition_init(&w->changed);
    pthread_mutex_init(&w->lock, NULL);
    sv_thread_start(&w->thread, run, of);
}

bool sv_worker_stops(sv_worker *w) {
    pthread_mutex_lock(&w->lock);
    const bool stops = w->stops;
    pthread_mutex_unlock(&w->lock);
    return stops;
}

void sv_thread_yield(int nice) { (void)setpriority(PRIO_PROCESS, 0, nice); }

static void ask_to_end(sv_worker *w) {
    pthread_mutex_lock(&w->lock);
    w->stops = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void sv_worker_stop(sv_worker *w) {
    ask_to_end(w);
    pthread_join(w->thread, NULL);
    sv_worker_free(w);
}

void sv_worker_abandon(sv_worker *w) {
    pthread_detach(w->thread); /* first: a thread that is asked to end may release the worker at once */
    ask_to_end(w);
}

void sv_worker_free(sv_worker *w) {
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
