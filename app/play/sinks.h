/* Sinks: what is done with each finished pair besides showing it, such as writing a file or scoring the map. Each sink
 * works in a thread of its own, so the thread that submits pairs does not wait for a disk. At most SINKS_DEPTH pairs
 * wait for the slowest sink; then sinks_give waits, too. No pair is ever left out.
 * Thread: one at a time, for all functions. */
#ifndef APP_PLAY_SINKS_H
#define APP_PLAY_SINKS_H

#include "capture/pool.h"

enum { SINKS_MAX = 16, SINKS_DEPTH = 4 };

/* Uses the maps of a pair, whose left frame is `left`; `of` is the argument of sinks_add. Called once for each pair, in
 * the order of the pairs, by the sink's thread. After an error it is not called again. */
typedef sv_status sink_use(void *of, const frame *left, const sv_output *maps, sv_error *error);

typedef struct sinks sinks;

/* Lifetime: the caller closes them with sinks_close. */
sinks *sinks_open(void);

/* Adds a sink, before the first pair; at most SINKS_MAX.
 * Lifetime: `of` must stay valid until sinks_close. */
void sinks_add(sinks *sinks, sink_use *use, void *of);

/* Passes the maps of a pair, in host memory, to every sink. NULL: there are no sinks.
 * Errors: the first error of a sink, which concerns an earlier pair; SV_FAILED when out of memory.
 * Lifetime: the maps are copied, the frame is retained until it has been used. */
sv_status sinks_give(sinks *sinks, frame *left, const sv_output *maps, sv_error *error);

/* Waits until every sink has used what it was given, or has failed, and frees the sinks. Accepts NULL.
 * Errors: the first error of a sink. */
sv_status sinks_close(sinks *sinks, sv_error *error);

#endif
