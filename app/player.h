/* Plays a pairing through a matcher in a thread of its own: paces the pairs by their time stamps, keeps as many with
 * the matcher as it works on at once, and matches the one that stands again when a parameter is turned.
 *
 * Results go into slots that the caller lends (a mapped pixel buffer, or host memory) and gets back with the result.
 * Every pair is matched, but where slots run out, of the results that the caller has not taken only the newest waits
 * for it. All functions are the caller's thread's, the one that made the player. */
#ifndef APP_PLAYER_H
#define APP_PLAYER_H

#include "app/media.h"

typedef struct player_options {
    pairing *pairing; /* borrowed, as is the matcher; both are the player's until player_close */
    sv_matcher *matcher;
    const media_colour *colour; /* borrowed: that the pairing was opened with */
    stats *stats;          /* decode, wait, upload, match, ... and the captured and matched pairs are added to it */
    sv_params params;      /* to begin with */
    const options *range;  /* borrowed: frames first..end - 1 are played, and again if loop */
    bool paced;            /* false: as fast as it goes */
    void (*on_news)(void); /* called by the player's thread when there is a result or its state has changed */
} player_options;

typedef struct player_result {
    int slot;
    frame_pair pair; /* the receiver releases both frames */
    sv_times times;
    sv_params params; /* that it was matched with */
} player_result;

/* What the player is doing now. */
typedef struct player_state {
    bool paused; /* by the user, or because there is nothing more to play */
    bool ended;  /* stands at the last frame, and its result was taken */
    bool failed; /* the files or the matcher failed, which `error` tells; turned parameters try again */
    sv_error error;
} player_state;

typedef struct player player;

/* Begins to play as soon as it has a slot. */
sv_status player_open(player **out, const player_options *options, sv_error *error);

/* Lends a slot, 0 <= slot < SV_OUTPUTS, to write the next result into. */
void player_lend(player *player, int slot, const sv_output *output);

/* The oldest result that has not been taken; false if there is none. */
bool player_take(player *player, player_result *result);

void player_set_params(player *player, const sv_params *params);
void player_toggle_pause(player *player);            /* going on at the end starts again */
void player_set_speed(player *player, double speed); /* 1: as recorded */

/* Positions are seconds; pictures: indices. One beyond the last frame becomes the last frame's. */
void player_seek(player *player, double position);
void player_seek_by(player *player, double distance);  /* from a seek that is under way, or from what is shown */
void player_step(player *player, int frames);          /* on or back, added up; pauses */
void player_set_offset(player *player, double offset); /* see pairing_offset; what is shown is paired anew */

player_state player_get_state(player *player);

/* Ends the thread; lent slots are the caller's again. NULL is fine. */
void player_close(player *player);

#endif
