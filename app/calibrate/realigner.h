/* Aligns two cameras without a board while their pairs are played: gathers points from the newest pairs, keeps
 * estimating the rig, and checks whether it moves, in a thread of its own. */
#ifndef APP_CALIBRATE_REALIGNER_H
#define APP_CALIBRATE_REALIGNER_H

#include "app/calibrate/align.h"
#include "stereo/rig.h"

typedef struct realigner realigner;

/* How far it has come. */
typedef struct realigner_state {
    int searched;            /* pairs, since it was opened */
    int pairs, points;       /* that it has points of; points of those */
    bool estimated;          /* the latest estimate was good: */
    selfalign_result result; /* it; otherwise why it was refused, as far as that is known */
    sv_error refusal;        /* "" before the first estimate */
    double rows;  /* median of |y_right - y_left| in the newest pairs, with the rig that was taken last; pixels,
                   * NAN while it is unknown */
    double drift; /* by how much that has grown since that rig was estimated; not below 0; NAN: unknown */
    bool moved;   /* the drift shows that the rig has moved, and no other rig was found since; only newer points count
                     from then on */
    int moves;    /* how often it has moved */
    double moved_by; /* `rows` when it moved last */
} realigner_state;

/* Starts the thread, for pictures of a pairing with this `info`.
 * Errors: SV_FAILED when out of memory or threads.
 * Lifetime: `options` is borrowed until realigner_close, which the caller calls. */
sv_status realigner_open(realigner **out, const options *options, const source_info *info, sv_error *error);

/* Offers a pair. The newest one is searched for points when those before it have been. Never waits. The same pair again
 * does not count.
 * Thread: one at a time.
 * Lifetime: the pair's frames are retained until then. */
void realigner_offer(realigner *realigner, const frame_pair *pair);

/* Copies the state.
 * Thread: any. */
realigner_state realigner_get_state(realigner *realigner);

/* True if there is a rig that is better than the one that was taken last: it, its rectification, and its align_note.
 * Drift is measured with it from then on.
 * Lifetime: the caller frees the rectification. */
bool realigner_take(realigner *realigner, sv_rig *rig, sv_rectification *rectification, char *note, size_t size);

void realigner_close(realigner *realigner); /* accepts NULL */

#endif
