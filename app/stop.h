/* How signals end the program: in order where that is possible, and without leaving half a file in any case. */
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
 *
 * SV_FAILED when there is no thread left. */
sv_status stop_catch_signals(void (*give_up)(int status), void (*tidy_up)(void), sv_error *error);

/* From then on a request lets the program end in order: stop_requested becomes true, then `interrupt` (NULL: nothing)
 * is called with `of` in another thread, to wake whatever waits. After the call the one before is not called again. */
void stop_in_order(void (*interrupt)(void *of), void *of);

/* True once the program has been asked to end. Any thread. */
bool stop_requested(void);

/* The exit status that tells of the request: 128 + the signal's number, 0 without one. Any thread. */
int stop_status(void);

#endif
