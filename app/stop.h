/* Handles the signals that end the program: in order if possible, and never with an incomplete file. */
#ifndef APP_STOP_H
#define APP_STOP_H

#include "stereo/stereo.h"

/* Catches signals from then on. Call it first of all: threads that are started before are not covered.
 *
 * SIGINT, SIGTERM and SIGHUP ask the program to end; SIGHUP does not if it is ignored already, as under nohup.
 * `give_up` is called in a thread of its own, with 128 + the signal's number, where the program cannot end in order:
 * before stop_in_order, at the second request, or five seconds after the first. It must end the program whatever other
 * threads wait for.
 *
 * Every other signal that ends the program calls `tidy_up` before it does so, in any thread; only what is
 * async-signal-safe may be done there. SIGPIPE and SIGXFSZ are ignored, so that writing fails with EPIPE or EFBIG.
 * Errors: SV_FAILED when out of threads.
 * Thread: main, before any other is started. */
sv_status stop_catch_signals(void (*give_up)(int status), void (*tidy_up)(void), sv_error *error);

/* From this call on, a request ends the program in order: stop_requested becomes true, then another thread calls
 * `interrupt` (NULL: nothing) with `of`, to wake waiting threads. It replaces the `interrupt` of the previous call. */
void stop_in_order(void (*interrupt)(void *of), void *of);

/* True once the program has been requested to end.
 * Thread: any. */
bool stop_requested(void);

/* The exit status for the request: 128 + the signal's number, 0 without one.
 * Thread: any. */
int stop_status(void);

#endif
