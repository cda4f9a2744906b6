/* What the files of the player share: its state, and what each does for the others. */
#ifndef APP_PLAY_PLAYER_PARTS_H
#define APP_PLAY_PLAYER_PARTS_H

#include "app/play/player.h"
#include "stereo/worker.h"

/* What the caller has asked for. */
typedef struct orders {
    bool pause;
    bool seek;
    double seek_to;     /* negative: to the first frame of the range */
    double latest;      /* latest acceptable result; otherwise use the pair before it */
    int64_t seek_frame; /* instead, if not negative: the number of a frame */
    bool ranged;        /* `range` is new */
    frame_range range;
    int step; /* frames, added up */
    bool rematch;
    double since; /* when that, or another matcher, was first ordered, by sv_seconds */
    bool real_time;
    double speed;
    sv_params params;
    bool wants_confidence;
    bool compares;
    sv_params second_params;
    sv_matcher *matcher; /* to switch to; NULL: none; */
    sv_matcher *second;  /* with it, for B; NULL: none */
} orders;

/* A pair that is being matched. */
typedef struct flight {
    player_result result;
    double begun;    /* when it was submitted, by sv_seconds */
    bool leads;      /* it is matched only for the pair after it: its result is dropped */
    bool first_done; /* A has been waited for */
} flight;

/* The pairs that were read last, in their order and with none left out, for the temporal filter. */
typedef struct recent_pairs {
    frame_pair pairs[SV_MAX_TEMPORAL]; /* oldest first; references */
    int count;
    int64_t from; /* the source has no other pairs from this frame on up to the newest */
} recent_pairs;

struct player {
    player_options options;
    sv_worker worker; /* its lock guards all that follows up to `current`; the thread waits for orders and slots */
    orders orders;
    sv_output outputs[SV_OUTPUTS], second_outputs[SV_OUTPUTS];
    int free_slots[SV_OUTPUTS], free_count;
    flight in_flight[SV_IN_FLIGHT]; /* oldest first */
    int in_flight_count;
    double last_ms; /* what the last match took; infinite before there is one */
    player_result results[SV_OUTPUTS];
    int first_result, result_count;
    double position; /* of the last matched pair, as in player_seek */
    bool ended, source_failed, match_failed;
    sv_error error;      /* of what failed */
    bool compare_failed; /* and the caller has not fetched the error: */
    sv_error compare_error;
    sv_matcher *second; /* of B; NULL before the first player_compare */
    bool based;         /* the schedule is valid: the pair of base_time is due at base_clock */
    double base_clock, base_time;
    double last_time; /* of the pair read before `next` */
    bool skipping;    /* pairs have been left out since the last match, from this time on: */
    double skips_since;
    int64_t skipped;

    /* Used only by the thread: the pair submitted last, and the pair to submit when it is due. */
    frame_pair current, next;
    recent_pairs recent;  /* `current` among them */
    int64_t matched_from; /* from this frame on all pairs up to `current` were matched in their order, as it was */
    bool breaks;          /* the next one will be the first of them */
    int row;              /* how many frames, without a gap in their numbers, were matched one after the other */
    int64_t last_index;   /* of the last of them */
    int lead;             /* of player_settle: the next one of `recent` to match; -1: it has not begun */
    bool rests;           /* it has done what it can */
    double settles_at;    /* when it may begin, by sv_seconds */
};

/* ---- player_flights.c: the thread's ------------------------------------------------------------ */

/* Where a frame is, as in player_seek. */
double player_position_of(const player *player, const frame *frame);

/* How many frames the temporal filter looks back over, and which is the first of them for the current pair. */
int player_look_back(const orders *orders);
int64_t player_first_before(const player *player, const orders *orders);

/* True if it looks back over all that there are. */
bool player_is_settled(const player *player, const orders *orders);

/* Starts matching the current pair into a free slot, or another one that leads to it.
 * Errors: those of sv_submit. */
sv_status player_submit(player *player, const orders *orders, sv_error *error);
sv_status player_submit_lead(player *player, const orders *orders, const frame_pair *pair, sv_error *error);

/* Waits for the oldest pair in flight and passes its result on. True if the caller has to be notified. */
bool player_finish(player *player);

/* Reclaims the slot of the oldest result if no slot is free and a newer result exists: the view shows only the newest,
 * so old ones must not block the matcher. Called with the lock held. */
void player_reclaim_slot(player *player);

/* ---- player_settle.c: the thread's -------------------------------------------------------------- */

/* Notes a pair that was read after those noted before; if its number is not higher, or after player_forget, it is the
 * first one. */
void player_note(player *player, const orders *orders, const frame_pair *pair);
void player_forget(player *player);

/* Does the next step towards the map of the current pair that looks back over all frames: reads those before it unless
 * they are still there, or matches one of them, or at last the current pair.
 * Errors: those of the source in `source`, those of sv_submit. */
sv_status player_settle(player *player, const orders *orders, sv_status *source, sv_error *error);

/* ---- player_orders.c --------------------------------------------------------------------------- */

/* Asks the matcher to cancel the match under way. Called with the lock held. */
void player_give_up(player *player);

/* True if the match under way is to be cancelled because other parameters wait for it. It is not if it can be expected
 * to end soon, so that quick ones are shown while a slider moves. `last`: how long the match before it took, infinite
 * if there was none; `begun`: how long ago it began; `waits`: how long the parameters have waited. All in seconds.
 * Thread: any. */
bool player_cancel_is_due(double last, double begun, double waits);

#endif
