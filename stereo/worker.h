/* A thread that runs alongside the others until it is stopped, with the lock of what it shares with them. */
#ifndef STEREO_WORKER_H
#define STEREO_WORKER_H

#include "stereo/stereo.h"

#include <pthread.h>

typedef struct sv_worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* of what the lock guards; its timed waits are sv_condition_wait */
    bool stops;             /* the thread must end; guarded by the lock */
} sv_worker;

/* Starts `run`, which gets `of` and returns soon after `stops` has become true. */
void sv_worker_start(sv_worker *worker, void *(*run)(void *of), void *of);

/* True if the thread must end. Without the lock. */
bool sv_worker_stops(sv_worker *worker);

/* Lets threads of lower `nice` go first: on Linux the value is the calling thread's own, and those that it starts
 * inherit it. If it is refused, nothing changes. */
void sv_thread_yield(int nice);

/* Asks the thread to end, and waits for it. */
void sv_worker_stop(sv_worker *worker);

/* Asks the thread to end, and does not wait for it: from now on the worker and everything that the thread uses belong
 * to the thread, which releases them when it ends. */
void sv_worker_abandon(sv_worker *worker);

/* Releases a worker whose thread was abandoned. That thread calls it, without the lock. */
void sv_worker_free(sv_worker *worker);

#endif
