/* A thread that works beside the others until it is stopped, with the lock of what it shares with them. */
#ifndef APP_WORKER_H
#define APP_WORKER_H

#include "stereo/stereo.h"

#include <pthread.h>

typedef struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* of what the lock guards; its timed waits are sv_condition_wait */
    bool stops;             /* the thread is to end. Under the lock */
} worker;

/* Starts `run`, which gets `of` and returns soon after `stops` has become true. `task` completes the message "cannot
 * start the thread that ...".
 * Errors: SV_FAILED if the system has no more threads; then there is nothing to stop. */
sv_status worker_start(worker *worker, void *(*run)(void *of), void *of, const char *task, sv_error *error);

/* Tells the thread to end, and waits for it. */
void worker_stop(worker *worker);

/* Tells the thread to end, and does not wait for what it is doing: from now on the worker and all that the thread uses
 * belong to the thread, which ends by releasing them. */
void worker_abandon(worker *worker);

/* Releases a worker whose thread was abandoned. That thread calls it, without the lock. */
void worker_free(worker *worker);

#endif
