/* Handles the signals that end the program: cleanly if possible, and never with an incomplete file. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include "stereo/stereo.h"

/* Catches signals from then on. Call it first of all: threads that are started before are not covered.
 *
 * SIGINT, SIGTERM and, unless it is ignored already, SIGHUP request the program to end. If it cannot end cleanly, a
 * thread calls `give_up` with 128 + the signal's number: before stop_in_order, at the second request, after a
 * minute, after five seconds in which nothing was computed, or sooner (see stop_wait_begin). It must end the program no
 * matter what other threads are blocked on.
 *
 * SIGPIPE and SIGXFSZ are ignored, so that writing fails with EPIPE or EFBIG.
 * Thread: main, before any other is started. */
void stop_catch_signals(void (*give_up)(int status));

/* From this call on, a request ends the program cleanly: stop_requested becomes true, and another thread interrupts
 * all waits registered with stop_wait_begin.
 * Thread: any. */
void stop_in_order(void);

/* What a thread may wait for. */
typedef struct stop_wait {
    void (*interrupt)(void *of);
    void *of;
    struct stop_wait *next;
} stop_wait;

/* Until stop_wait_end, the thread may wait. A request, even an earlier one, ends the wait by calling `interrupt` with
 * `of`, in any thread. NULL: nothing can end it, such as opening a file; if there are no other waits, `give_up` is
 * called half a second after the request.
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
