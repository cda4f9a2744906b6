/* Lets OpenMP's threads wait for each other for microseconds. */
#include "app/viewer/short_waits.h"

#include <omp.h>
#include <stdlib.h>

static void *hold_team(void *of) {
    sv_worker *worker = of;
#pragma omp parallel num_threads(2)
    sv_log(SV_LOG_DEBUG, "thread %d of OpenMP only shortens how long others wait", omp_get_thread_num());
    pthread_mutex_lock(&worker->lock);
    while (!worker->stops) pthread_cond_wait(&worker->changed, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

void short_waits_begin(short_waits *w) {
    w->on = !getenv("OMP_WAIT_POLICY");
    if (w->on) sv_worker_start(&w->worker, hold_team, &w->worker);
}

void short_waits_end(short_waits *w) {
    if (w->on) sv_worker_stop(&w->worker);
}
