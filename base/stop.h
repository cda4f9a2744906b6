/* Handles the signals that end the program: in order if possible, and never with an incomplete file. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "stereo/stereo.h"

/* Catches signals from then on. Call it first of all: threads that are started before are not covered.
 *
 * SIGINT, SIGTERM and SIGHUP ask the program to end; SIGHUP does not if it is ignored already, as under nohup.
 * `give_up` is called in a thread of its own, with 128 + the signal's number, where the program cannot end in order:
 * before stop_in_order, at the second request, five seconds after the first, or sooner if only waits that cannot be
 * interrupted are left (see stop_wait_begin). It must end the program no matter what other threads are blocked on.
 *
 * SIGPIPE and SIGXFSZ are ignored, so that writing fails with EPIPE or EFBIG.
 * Thread: main, before any other is started. */
void stop_catch_signals(void (*give_up)(int status));

/* From this call on, a request ends the program in order: stop_requested becomes true, and another thread interrupts
 * all waits registered with stop_wait_begin.
 * Thread: any. */
void stop_in_order(void);

/* What a thread may wait for. */
typedef struct stop_wait {
    void (*interrupt)(void *of);
    void *of;
    struct stop_wait *next;
} stop_wait;

/* Until stop_wait_end, the thread may wait for something, and a request, also one that came before, calls `interrupt`
 * with `of` in another thread or in this one, to end that. NULL: nothing can end it, as where a file is opened; once
 * there are no other waits, `give_up` is called half a second after the request. Several threads may wait.
 * Thread: any.
 * Lifetime: `wait`, which need not be initialised, and `of` must stay valid until stop_wait_end. */
void stop_wait_begin(stop_wait *wait, void (*interrupt)(void *of), void *of);

/* The wait has ended, and `interrupt` is not running and will not be called.
 * Thread: any. */
void stop_wait_end(stop_wait *wait);

/* True once the program has been requested to end.
 * Thread: any. */
bool stop_requested(void);

/* The exit status for the request: 128 + the signal's number, 0 without one.
 * Thread: any. */
int stop_status(void);

#endif
