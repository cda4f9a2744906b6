/* Plays a pairing through a matcher in a thread of its own: paces the pairs by their time stamps, keeps as many in
 * flight as the matcher works on at once, and matches the current pair again when a parameter changes. On request it
 * matches each pair a second time, with a second set of parameters: A is the first set, B the second.
 *
 * With the temporal filter a map depends on the frames before its own. While the player plays, they have been matched
 * already. After a seek, a step back or a change of parameters it shows the map of the pair alone first, so that it
 * reacts at once; when it rests, it matches the frames before and then the pair again, which gives the map that a run
 * from the beginning gives (player_settle.c).
 *
 * Results go into slots (mapped pixel buffers, or host memory) that the caller lends and gets back with the result.
 * Every pair is matched, but if the slots run out, only the newest of the results that the caller has not taken is
 * kept.
 * Thread: the one that opened the player, for all functions. */
#ifndef APP_PLAY_PLAYER_H
#define APP_PLAY_PLAYER_H

#include "app/media/media.h"
#include "stereo/cancel.h"

typedef struct player_options {
    pairing *pairing; /* borrowed, as is the matcher; only the player may use both until player_close */
    sv_matcher *matcher;
    const media_colour *colour; /* borrowed: that the pairing was opened with */
    stats *stats;          /* receives the times of decode, wait, upload, match, ... and counts the captured and matched
                            * pairs */
    sv_params params;      /* initial parameters */
    frame_range range;     /* of the frames that are played */
    bool paced;            /* false: as fast as possible */
    sv_cancel *cancel;     /* borrowed: that the matcher was created with; NULL: no match is cancelled */
    void (*on_news)(void); /* called by the player's thread when there is a result or its state has changed */
} player_options;

typedef struct player_result {
    int slot;
    frame_pair pair; /* the receiver releases both frames */
    sv_times times;
    sv_params params;    /* the parameters of the match */
    bool has_confidence; /* see player_want_confidence */
    int averaged;        /* with this `temporal`, or that of the parameters if it is less, any run makes the same map */
    bool compared;       /* it was matched with B, too, into the second output of the slot: */
    sv_times second_times;
    sv_params second_params;
    const sv_matcher *matcher; /* that made it */
} player_result;

/* The state of the player. */
typedef struct player_state {
    bool paused;       /* by the user, or because there is nothing more to play */
    bool ended;        /* at the last frame, and its result was taken */
    bool failed;       /* the files or the matcher failed, see `error`; changing a parameter tries again */
    bool match_failed; /* the matcher did */
    sv_error error;
    int64_t skipped; /* pairs that were left out to keep up, see player_set_pace */
    bool matching;   /* a match is under way, or more than one; of the oldest: */
    double since;    /* when it began, by sv_seconds */
    sv_params params;
    bool compares; /* it is matched with B, too: */
    sv_params second_params;
} player_state;

typedef struct player player;

/* Starts the thread, which plays as soon as it has a slot.
 * Errors: those of pairing_seek_frame, if the range does not begin at the first frame.
 * Lifetime: the caller closes the player with player_close. */
sv_status player_open(player **out, const player_options *options, sv_error *error);

/* Lends a slot, 0 <= slot < SV_OUTPUTS, for one of the next results. */
void player_lend(player *player, int slot, const sv_output *output);

/* Lends the second output of a slot, for B: before player_lend while pairs are compared, and before player_compare that
 * of each slot. */
void player_lend_second(player *player, int slot, const sv_output *output);

/* The oldest result that has not been taken; false if there is none. */
bool player_take(player *player, player_result *result);

/* Matches with these parameters from now on, beginning with the current pair again. A match under way is cancelled
 * unless it will soon end (player_cancel_is_due): results of quick ones are shown while a slider moves. */
void player_set_params(player *player, const sv_params *params);

/* From now on, results have a confidence or not, which saves time. If it is new, the current pair is matched again. The
 * outputs that are lent have memory for it. */
void player_want_confidence(player *player, bool wants_confidence);

/* Cancels a match that takes longer than was expected when the parameters changed. Call it for each frame that is
 * drawn. */
void player_hurry(player *player);

/* Matches each pair with `params`, too, from now on, as player_set_params does: B follows A, so that neither takes time
 * from the other. If B cannot be matched, A still is, and player_compare_failed returns the cause. All slots have a
 * second output.
 * `matcher`: of B; borrowed until player_close or until player_set_matcher replaces it, and always the same; it must
 * have the same `cancel`. */
void player_compare(player *player, sv_matcher *matcher, const sv_params *params);
void player_stop_comparing(player *player);

/* True, once, if B could not be matched; comparing has stopped then. */
bool player_compare_failed(player *player, sv_error *error);

/* Matches with this matcher from now on, and B with `second` (NULL: as before), beginning with the current pair again.
 * Results name the first: once one of them has been taken, or the player is closed, the matchers before them are not
 * used any more. Until then, do not set others.
 * Lifetime: borrowed until player_close. */
void player_set_matcher(player *player, sv_matcher *matcher, sv_matcher *second);

void player_toggle_pause(player *player); /* resuming at the end starts again */

/* Plays at `speed`, 1: as recorded, and, with `real_time`, leaves out the pairs that come too late, and counts them.
 * Without `real_time`, the default, every pair is matched, however long that takes. Only for a player that is paced. */
void player_set_pace(player *player, double speed, bool real_time);

/* Seeks. Positions are in seconds, those of pictures are indices. A position beyond the last pair leads to the last
 * pair. */
void player_seek(player *player, double position);
void player_seek_frame(player *player, int64_t index); /* the left frame of that number */

/* Relative to a pending seek, or to the frame that is shown. A seek backwards from just after a gap longer than half
 * the distance leads to the frame before the gap. */
void player_seek_by(player *player, double distance);
void player_step(player *player, int frames);          /* forward or back; steps add up; pauses */
void player_set_offset(player *player, double offset); /* see pairing_offset; the current frame is paired again */

/* Plays these frames from now on, as player_options.range; the frame that is shown may lie outside. */
void player_set_range(player *player, const frame_range *range);

player_state player_get_state(player *player);

/* The oldest pair that is being matched, {0} if none is.
 * Lifetime: the caller releases it. */
frame_pair player_matched_pair(player *player);

/* Cancels the match under way and ends the thread; lent slots belong to the caller again. Accepts NULL. */
void player_close(player *player);

#endif
