/* A calibration with a board in the window: shows where the board is and what is missing, calibrates the cameras on
 * request, and prepares the result, so that the user sees the map before saving. Main thread. */
#ifndef APP_VIEWER_VIEWER_BOARD_H
#define APP_VIEWER_VIEWER_BOARD_H

#include "app/viewer/viewer_rig.h"
#include "render/view/view.h"

typedef struct viewer_board viewer_board;

/* Starts calibrating in an open session whose options request it, with the rig of its window, and shows both pictures.
 * Errors: those of board_finder_open.
 * Lifetime: the caller frees it with viewer_board_end, also after an error. */
sv_status viewer_board_begin(viewer_board **out, const session *session, viewer_rig *rig, viewer_notice *notice,
                             viewer_tuner *tuner, view_settings *settings, sv_error *error);
/* The boards that the panel offers, and the one that was chosen, as board_parse reads it.
 * Errors: SV_USAGE: its size. */
void viewer_board_offer_choice(panel_board_choice *choice);
sv_status viewer_board_choose(const panel_board_choice *choice, char *board, size_t size, sv_error *error);
void viewer_board_print(const panel_board_choice *choice, const options *options); /* as a PDF, to the snapshots */

void viewer_board_end(viewer_board *board); /* accepts NULL, as do all that follow */

void viewer_board_offer(viewer_board *board, const frame_pair *pair); /* passes a pair to the search for the board */
bool viewer_board_waits(const viewer_board *board); /* each pair of a recording is searched before there is a result */
void viewer_board_solve(viewer_board *board);       /* with the views that there are */
bool viewer_board_is_swapped(const viewer_board *board); /* the sides are, according to it */

/* What the panel shows over the views that are drawn in `area`, of which `frame` is the map; prepares what was found,
 * and shows the map then. NULL without a board. */
const panel_board *viewer_board_update(viewer_board *board, view_settings *settings, const view_settings *drawn,
                                       view_rect area, int64_t frame);

#endif
