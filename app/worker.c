/* Starts and stops the threads that work beside the others. */
#include "app/worker.h"

#include "stereo/clock.h"

sv_status worker_start(worker *w, void *(*run)(void *of), void *of, const char *task, sv_error *error) {
    w->stops = false;
    sv_condition_init(&w->changed);
    pthread_mutex_init(&w->lock, NULL);
    if (!pthread_create(&w->thread, NULL, run, of)) return SV_OK;
    worker_free(w);
    return sv_fail(error, SV_FAILED, "cannot start the thread that %s: the system has no more threads", task);
}

static void tell_to_end(worker *w) {
    pthread_mutex_lock(&w->lock);
    w->stops = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void worker_stop(worker *w) {
    tell_to_end(w);
    pthread_join(w->thread, NULL);
    worker_free(w);
}

void worker_abandon(worker *w) {
    pthread_detach(w->thread); /* first: what is told to end may be gone at once */
    tell_to_end(w);
}

void worker_free(worker *w) {
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
