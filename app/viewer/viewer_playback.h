/* Playback in the window: seeking, speed, the frames that are repeated, the offset of the right side, recording. Main
 * thread. */
#ifndef APP_VIEWER_VIEWER_PLAYBACK_H
#define APP_VIEWER_VIEWER_PLAYBACK_H

#include "app/play/marks.h"
#include "app/play/player.h"
#include "app/play/session.h"
#include "app/viewer/viewer_notice.h"
#include "render/panel/panel_run.h"
#include "render/window/window.h"

typedef struct viewer_playback {
    viewer_notice *notice; /* borrowed, as are the other pointers */
    window *window;
    session *session;
    options *options; /* of the session */
    player *player;
    panel_playback *shown;
    panel_offset *offset;
    frame_range range; /* of the frames that are played, without the marks */
    marks marks;
    double speed;   /* 1: as recorded */
    bool real_time; /* late pairs are left out */
    double moved;   /* the offset of the right side, frames */
    bool has_frame; /* one has been shown */
    bool was_ended;
    int passed;        /* frames shown since the last seek was ordered */
    double resume;     /* the position that the next session begins at, as in player_seek; negative: none */
    bool stays_paused; /* there */
    char recorded[512];
} viewer_playback;

void viewer_playback_init(viewer_playback *playback, viewer_notice *notice, panel_playback *shown,
                          panel_offset *offset);

/* For a session whose pairing is open. `options`: of it; the offset is kept there, for when its input is opened again.
 * `same`: its input is that of the previous one, opened otherwise. */
void viewer_playback_begin(viewer_playback *playback, session *session, options *options, bool same);
frame_range viewer_playback_range(const viewer_playback *playback);

/* Its player is open: continues where the previous session ended, if its input is the same, and paces it unless it is a
 * benchmark. */
void viewer_playback_play(viewer_playback *playback, player *player, window *window, bool paced);

void viewer_playback_end(viewer_playback *playback); /* before the player is closed */

void viewer_playback_act(viewer_playback *playback, input_action action);

/* Leaves out late pairs from now on. */
void viewer_playback_play_in_real_time(viewer_playback *playback);

void viewer_playback_show_frame(viewer_playback *playback, const frame *left); /* that is on the screen */

/* What the panel shows. Returns a line about the recording, NULL if there is none. */
const char *viewer_playback_update(viewer_playback *playback, const player_state *player);

/* Takes what the user has changed in the panel. */
void viewer_playback_follow_panel(viewer_playback *playback);

bool viewer_playback_is_paused(const viewer_playback *playback);
/* Pairs each left picture with the right one that is this many frames later than its present partner. */
void viewer_playback_move_right(viewer_playback *playback, int frames);
bool viewer_playback_moves(const viewer_playback *playback); /* the offset can be changed */

#endif
