/* Aligns two cameras without a board while their pairs are played: gathers points from the newest pairs, keeps
 * estimating the rig, and checks whether it moves, in a thread of its own. */
#ifndef APP_CALIBRATE_LIVE_ALIGN_H
#define APP_CALIBRATE_LIVE_ALIGN_H

#include "app/calibrate/align.h"
#include "stereo/rig.h"

typedef struct live_align live_align;

/* How far it has come. */
typedef struct live_align_state {
    int searched;            /* pairs, since it was opened */
    int pairs, points;       /* that it has points of; points of those */
    bool estimated;          /* the latest estimate was good: */
    selfalign_result result; /* it; otherwise why it was refused, if that is known */
    sv_error refusal;        /* "" before the first estimate */
    double rows;  /* median of |y_right - y_left| in the newest pairs, with the rig that was taken last; pixels,
                   * NAN while it is unknown */
    double drift; /* by how much that has grown since that rig was estimated; not below 0; NAN: unknown */
    bool moved;   /* the drift shows that the rig has moved, and no other rig was found since; only newer points count
                     from then on */
    int moves;    /* how often it has moved */
    double moved_by; /* `rows` when it moved last */
} live_align_state;

/* Starts the thread, for pictures of a pairing with this `info`.
 * Lifetime: `options` is borrowed until live_align_close, which the caller calls. */
live_align *live_align_open(const rig_options *options, const source_info *info);

/* Offers a pair. The newest one is searched for points when those before it have been. Never waits. The same pair again
 * does not count.
 * Thread: one at a time.
 * Lifetime: the pair's frames are retained until then. */
void live_align_offer(live_align *align, const frame_pair *pair);

/* Copies the state.
 * Thread: any. */
live_align_state live_align_get_state(live_align *align);

/* True if there is a rig that is better than the one that was taken last: it, its rectification, and its align_note.
 * Drift is measured with it from then on.
 * Lifetime: the caller frees the rectification. */
bool live_align_take(live_align *align, sv_rig *rig, sv_rectification *rectification, char *note, size_t size);

void live_align_close(live_align *align); /* accepts NULL */

#endif
