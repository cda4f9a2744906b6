/* Plays a pairing through a matcher in a thread of its own: paces the pairs by their time stamps, and
 * matches the one that stands again when a parameter is turned.
 *
 * Results go into slots that the caller lends (a mapped pixel buffer, or host memory) and gets back
 * with the result. All functions are the caller's thread's, the one that made the player. */
#ifndef APP_PLAYER_H
#define APP_PLAYER_H

#include "app/stats.h"
#include "capture/pair.h"

enum { PLAYER_SLOTS = 3 }; /* at most */

typedef struct player_options {
    pairing *pairing; /* borrowed, as is the matcher; both are the player's until player_close */
    sv_matcher *matcher;
    stats *stats;       /* decode, wait, upload, match, ... and the captured and matched pairs are added to it */
    sv_params params;   /* to begin with */
    int64_t first, end; /* frames first..end - 1 are played */
    bool loop;
    bool paced;            /* false: as fast as it goes */
    void (*on_news)(void); /* called by the player\'s thread when there is a result or its state has changed */
} player_options;

typedef struct player_result {
    int slot;
    frame_pair pair; /* the receiver releases both frames */
    sv_times times;
    sv_params params; /* that it was matched with */
} player_result;

/* What the player is doing now. */
typedef struct player_state {
    bool paused;
    bool ended; /* stands at the last frame */
    double speed;
    sv_status failure; /* SV_OK, or why it went no further; `error` has the message */
    sv_error error;
} player_state;

typedef struct player player;

/* Starts paused = false, without a slot. */
sv_status player_open(player **out, const player_options *options, sv_error *error);

/* Lends a slot, 0 <= slot < PLAYER_SLOTS, to write the next result into. */
void player_lend(player *player, int slot, const sv_output *output);

/* The oldest result that has not been taken; false if there is none. */
bool player_take(player *player, player_result *result);

void player_set_params(player *player, const sv_params *params);
void player_pause(player *player, bool pause);       /* going on at the end starts again */
void player_set_speed(player *player, double speed); /* 1: as recorded */
void player_seek(player *player, double seconds);    /* pictures: index */
void player_step(player *player, int frames);        /* 1 or -1; pauses */

player_state player_get_state(player *player);

/* Ends the thread; lent slots are the caller's again. NULL is fine. */
void player_close(player *player);

#endif
