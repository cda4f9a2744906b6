/* Two sources read side by side, each decoding in its own thread, and their frames paired: by time
 * stamp within half a frame of the faster side, by index where both are pictures. */
#ifndef CAPTURE_PAIR_H
#define CAPTURE_PAIR_H

#include "capture/source.h"

/* A pair; the receiver releases it. */
typedef struct frame_pair {
    frame *left, *right;
} frame_pair;

/* Releases both frames and makes it {0}, which is fine to release too. Any thread. */
void frame_pair_release(frame_pair *pair);

typedef struct pairing_counts {
    int64_t pairs;
    int64_t dropped_left, dropped_right; /* frames without a partner in time */
} pairing_counts;

typedef struct pairing pairing;

/* Takes over both sources (closes them, also when it fails) and starts their threads. Pictures of
 * different size are refused, naming both. `queue`: frames decoded ahead on each side, at least 1. */
sv_status pairing_open(pairing **out, source *left, source *right, int queue, sv_error *error);

/* The left source's description and the smaller of both lengths. */
const source_info *pairing_info(const pairing *pairing);

/* Waits for the next pair. SV_END when either side has ended; if only one has, one log line says which
 * file is how much longer, once. SV_FAILED when a side failed. One thread at a time. */
sv_status pairing_next(pairing *pairing, frame_pair *pair, sv_error *error);

/* Whether pairing_next has what it needs and need not wait; it may still have to where frames lack their partners. */
bool pairing_ready(pairing *pairing);

/* Goes on from the first pair at or after `seconds` (pictures: index). The thread that calls
 * pairing_next. Also brings a pairing that has ended back to life. */
sv_status pairing_seek(pairing *pairing, double seconds, sv_error *error);

/* Makes pairing_next return SV_END now and from then on. Any thread. */
void pairing_interrupt(pairing *pairing);

pairing_counts pairing_count(pairing *pairing); /* any thread */

void pairing_close(pairing *pairing); /* NULL is fine */

#endif
