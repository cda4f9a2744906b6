/* Sinks: what is done with each finished pair besides showing it, such as writing a file or scoring the map. Each sink
 * works in threads of its own, so the thread that submits pairs does not wait for a disk. The maps are those that the
 * matcher writes into: some for the pairs in flight, and at least SINKS_DEPTH for those that wait for the slowest sink;
 * if all are in use, sinks_take waits. No pair is ever left out.
 * Thread: any for sinks_take and sinks_give, one at a time for the other functions. */
#ifndef APP_PLAY_SINKS_H
#define APP_PLAY_SINKS_H

#include "capture/pool.h"

enum { SINKS_MAX = 16, SINKS_THREADS = 16, SINKS_DEPTH = 4, SINKS_IN_FLIGHT = 128 };

/* Uses the maps of a pair, whose left frame is `left`; `of` is the argument of sinks_add. Called once for each pair, by
 * the sink's threads. After an error it is not called again. */
typedef sv_status sink_use(void *of, const frame *left, const sv_output *maps, sv_error *error);

typedef struct sinks sinks;

/* `has_confidence`: the maps have confidences. `in_flight`: how many maps are taken and not yet given at a time,
 * at most SINKS_IN_FLIGHT.
 * Lifetime: the caller closes them with sinks_close. */
sinks *sinks_open(const sv_backend *backend, int width, int height, bool has_confidence, int in_flight);

/* Adds a sink, before the first pair; at most SINKS_MAX. It uses the pairs in their order, or `at_once` as many of them
 * at a time as there are processors, at most SINKS_THREADS.
 * Lifetime: `of` must stay valid until sinks_finish. */
void sinks_add(sinks *sinks, sink_use *use, void *of, bool at_once);

/* Waits for maps that nobody uses, in the backend's host memory.
 * Errors: the first error of a sink, which concerns an earlier pair; SV_FAILED when out of memory.
 * Lifetime: until sinks_give, which follows, or sinks_close. */
sv_status sinks_take(sinks *sinks, sv_output *maps, sv_error *error);

/* Passes maps that were taken to every sink; to none if `left` is NULL.
 * Lifetime: the frame is retained until it has been used. */
void sinks_give(sinks *sinks, frame *left, const sv_output *maps);

/* Waits until every sink has used what it was given, or has failed. Accepts NULL.
 * Errors: the first error of a sink. */
sv_status sinks_finish(sinks *sinks, sv_error *error);

/* Frees the sinks, which have finished, and all maps. Accepts NULL. */
void sinks_close(sinks *sinks);

#endif
