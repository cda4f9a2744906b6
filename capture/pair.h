/* Decodes two sources, each in its own thread, and pairs their frames: by time stamp, within half a frame interval of
 * the faster side, or by index if both are pictures. A file without times takes the other one's rate.
 * If pictures are missing, the corresponding frames of the other side are dropped; the log names the first long gap.
 *
 * Live sources (source_info.live) are read without a pause. Two streams whose senders share a clock are paired by their
 * stamps, others by their arrival. The newest pair is returned; pairs that were not requested in time are dropped and
 * counted. A side that fails is reported (pairing_trouble) and tried again after half a second, then after pauses that
 * double, up to three seconds. */
#ifndef CAPTURE_PAIR_H
#define CAPTURE_PAIR_H

#include "capture/source.h"

/* A stereo pair of frames; the receiver releases it. */
typedef struct frame_pair {
    frame *left, *right;
} frame_pair;

/* The same pair with a reference of its own to each frame.
 * Thread: any. */
frame_pair frame_pair_retain(const frame_pair *pair);

/* Releases both frames and sets the pair to {0}, which may be released again.
 * Thread: any. */
void frame_pair_release(frame_pair *pair);

typedef struct pairing_counts {
    int64_t pairs;
    int64_t dropped_left, dropped_right; /* frames without a partner in time */
    int64_t dropped_late;                /* live: pairs that a newer one replaced before they were requested */
    int64_t broken;                      /* broken pictures of either side */
    double skew_last, skew_mean; /* right minus left time, seconds: of the last pair, and the mean absolute value of all
                                  * pairs; without the offset */
} pairing_counts;

typedef struct pairing pairing;

/* Starts a thread for each source. `queue`: frames decoded ahead on each side, at least 1; live: frames that may wait
 * for a partner.
 * Errors: SV_FAILED, naming both sources, for pictures of different size, and for a live source with a recording.
 * Lifetime: the pairing owns both sources, also if this fails; the caller closes it with pairing_close. */
sv_status pairing_open(pairing **out, source *left, source *right, int queue, sv_error *error);

/* The left source's description, with the smaller length of both.
 * Lifetime: valid until pairing_close. */
const source_info *pairing_info(const pairing *pairing);

/* source_picture_file of a side. */
char *pairing_picture_file(const pairing *pairing, bool right, int64_t index);

/* The number of frames of the shorter side; -1 while it is unknown, as for many containers before their end was read.
 * Thread: any. */
int64_t pairing_frames(pairing *pairing);

/* The largest time difference within a pair, seconds; pictures: in index. Unless it was set, it is half of the frame
 * interval, and a right frame may be 1.25 ms later, or a quarter of the tolerance if that is less, and must not be as
 * much earlier. A tolerance above half of the frame interval pairs some frames with the wrong neighbour.
 * Thread: set it before the first pair. */
double pairing_tolerance(pairing *pairing);
void pairing_set_tolerance(pairing *pairing, double seconds);

/* The offset of the right side: the left frame of time t is paired with the right frame of time t + offset, seconds;
 * pictures: in index. Initially 0. Not for live sources. Frames that are decoded ahead may be later than their new
 * partners, so once a pair has been taken, seek after setting it.
 * Thread: any. */
double pairing_offset(pairing *pairing);
void pairing_set_offset(pairing *pairing, double offset);

/* Sets the offset of two files by their own time stamps if these can be compared, and logs one line that reports what
 * the pairing assumes.
 * Thread: call it before the first pair. */
void pairing_follow_clocks(pairing *pairing);

/* Waits for the next pair. Live: the newest pair; `index` of both frames becomes the number of the pair, from 0.
 * Errors: SV_END when either side has ended; if only one has, the log reports once how much longer the other is.
 * SV_FAILED when a side failed.
 * Thread: one at a time.
 * Lifetime: the caller releases the pair. */
sv_status pairing_next(pairing *pairing, frame_pair *pair, sv_error *error);

/* Returns a pair that pairing_next gave and nobody has used, for the next call; a seek drops it. At most one.
 * Thread: the one that calls pairing_next.
 * Lifetime: the pairing owns the pair then, and sets it to {0}. */
void pairing_put_back(pairing *pairing, frame_pair *pair);

/* Waits at most `seconds` for a pair of live sources; true if pairing_next has something to return. True at once for
 * files.
 * Thread: the one that calls pairing_next. */
bool pairing_wait(pairing *pairing, double seconds);

/* True, with the reason in `text`, while a live side sends nothing: from about a second after its last picture on, or
 * since reading has failed. The log also reports the start and the end of each failure.
 * Thread: any. */
bool pairing_trouble(pairing *pairing, char *text, size_t size);

/* True if frames are available and pairing_next will probably not wait; it still may if they lack their partners. */
bool pairing_ready(pairing *pairing);

/* Continues from the first pair at or after `seconds` (pictures: index), also after the end.
 * Errors: SV_USAGE for live sources; SV_FAILED when a side failed.
 * Thread: the one that calls pairing_next. */
sv_status pairing_seek(pairing *pairing, double seconds, sv_error *error);

/* Continues from the left frame `index`, or from the first one after it that has a partner. Otherwise as
 * pairing_seek. */
sv_status pairing_seek_frame(pairing *pairing, int64_t index, sv_error *error);

/* Live: makes the next pair number 0. The frames of files keep their numbers.
 * Thread: the one that calls pairing_next. */
void pairing_number_anew(pairing *pairing);

/* Makes pairing_next return SV_END, immediately and from then on.
 * Thread: any. */
void pairing_interrupt(pairing *pairing);

pairing_counts pairing_count(pairing *pairing); /* Thread: any. */

void pairing_close(pairing *pairing); /* accepts NULL */

#endif
