/* Starts and stops the threads that work beside the others. */
#include "app/worker.h"

#include "stereo/clock.h"

sv_status worker_start(worker *w, void *(*run)(void *of), void *of, const char *task, sv_error *error) {
    w->stops = false;
    sv_condition_init(&w->changed);
    pthread_mutex_init(&w->lock, NULL);
    if (!pthread_create(&w->thread, NULL, run, of)) return SV_OK;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    return sv_fail(error, SV_FAILED, "cannot start the thread that %s: the system has no more threads", task);
}

void worker_stop(worker *w) {
    pthread_mutex_lock(&w->lock);
    w->stops = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
