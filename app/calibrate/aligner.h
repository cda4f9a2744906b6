/* Measures the row offset and the brightness of the current pairs at intervals, in a thread of its own. */
#ifndef APP_CALIBRATE_ALIGNER_H
#define APP_CALIBRATE_ALIGNER_H

#include "app/calibrate/alignment.h"
#include "app/calibrate/brightness.h"
#include "capture/pair.h"

typedef struct aligner aligner;

/* Starts the thread. `rectification` may be NULL.
 * Errors: SV_FAILED when out of memory or threads.
 * Lifetime: `rectification` must stay valid until aligner_close, which the caller calls. */
sv_status aligner_open(aligner **out, const sv_rectification *rectification, sv_error *error);

/* Offers a pair. The newest one is measured when a second has passed since the last measurement began. Never waits.
 * Thread: one at a time.
 * Lifetime: the pair's frames are retained until then. */
void aligner_offer(aligner *aligner, const frame_pair *pair, const sv_params *params);

/* The latest result; false if there is none yet.
 * Thread: any. */
bool aligner_latest(aligner *aligner, alignment *figure);

/* The same, but waits for a measurement in progress, or for the first one.
 * Thread: the one that offers pairs. */
bool aligner_last(aligner *aligner, alignment *figure);

/* The brightness of the pictures that the latest result is from; false if there is none yet.
 * Thread: any. */
bool aligner_brightness(aligner *aligner, brightness *brightness);

/* True if the latest measurement found too few points, and enough of them with the sides swapped. Not measured with a
 * rectification, which determines the sides.
 * Thread: any. */
bool aligner_swapped(aligner *aligner);

void aligner_close(aligner *aligner); /* accepts NULL */

#endif
