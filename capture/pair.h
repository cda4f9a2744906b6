/* Two sources read side by side, each decoding in its own thread, and their frames paired: by time
 * stamp within half a frame of the faster side, by index where both are pictures.
 *
 * Where the time stamps of a file jump forward though no pictures are missing, which its length tells, its times go on
 * as if they did not: frame.time is without the jump, and so is a place that is sought. Where pictures are missing,
 * those of the other side are dropped.
 *
 * Live sources (source_info.live) are read without a pause: the newest pair wins, whatever was not asked for in time is
 * dropped and counted, and a side that fails is told of (pairing_trouble) and tried again every half second. */
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
    int64_t dropped_late;                /* live: pairs that a newer one overtook before they were asked for */
    int64_t broken;                      /* pictures of either side that came broken */
    double skew_last, skew_mean; /* right minus left, seconds: of the last pair, and the mean size of all, without the
                                  * offset */
} pairing_counts;

typedef struct pairing pairing;

/* Takes over both sources (closes them, also when it fails) and starts their threads. Pictures of
 * different size are refused, naming both, and a live source beside one that is not. `queue`: frames decoded ahead on
 * each side, at least 1; live: that may wait for a partner. */
sv_status pairing_open(pairing **out, source *left, source *right, int queue, sv_error *error);

/* The left source's description and the smaller of both lengths. */
const source_info *pairing_info(const pairing *pairing);

/* The largest difference in time of a pair, seconds; pictures: in index. Setting it is for the time before the first
 * pair. More than half of the time between frames pairs some with the wrong neighbour. */
double pairing_tolerance(pairing *pairing);
void pairing_set_tolerance(pairing *pairing, double seconds);

/* How far the right side is moved: the left frame of time t is paired with the right one of time t + offset, seconds;
 * pictures: in index. 0 at first. Not for live sources. What is decoded ahead may be past the new partners: once a pair
 * was taken, seek after it was set. Any thread. */
double pairing_offset(pairing *pairing);
void pairing_set_offset(pairing *pairing, double offset);

/* Sets the offset of two files by their own time stamps where these can be compared, and tells in one line of the log
 * what the pairing assumes. Before the first pair. */
void pairing_follow_clocks(pairing *pairing);

/* Waits for the next pair. SV_END when either side has ended; if only one has, one log line says which
 * file is how much longer, once. SV_FAILED when a side failed. One thread at a time.
 * Live: the newest pair; `index` of both frames becomes the number of the pair, counted from 0. */
sv_status pairing_next(pairing *pairing, frame_pair *pair, sv_error *error);

/* Waits at most `seconds` for a pair of live sources: true if pairing_next has something to return now. Files, which
 * come without waiting: true at once. The thread that calls pairing_next. */
bool pairing_wait(pairing *pairing, double seconds);

/* True, with the reason in `text`, while a live side sends nothing. Each trouble and its end are logged too. Any
 * thread. */
bool pairing_trouble(pairing *pairing, char *text, size_t size);
/* Whether pairing_next has what it needs and need not wait; it may still have to where frames lack their partners. */
bool pairing_ready(pairing *pairing);

/* Goes on from the first pair at or after `seconds` (pictures: index). The thread that calls
 * pairing_next. Also brings a pairing that has ended back to life. SV_USAGE for live sources. */
sv_status pairing_seek(pairing *pairing, double seconds, sv_error *error);

/* The same from the left frame `index` on, or from the first behind it that has a partner. */
sv_status pairing_seek_frame(pairing *pairing, int64_t index, sv_error *error);

/* Makes pairing_next return SV_END now and from then on. Any thread. */
void pairing_interrupt(pairing *pairing);

pairing_counts pairing_count(pairing *pairing); /* any thread */

void pairing_close(pairing *pairing); /* NULL is fine */

#endif
