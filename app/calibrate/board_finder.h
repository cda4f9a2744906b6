/* Calibrates with a board while pairs are played: looks for the board in the newest pairs, takes views, and solves for
 * the cameras, in a thread of its own. */
#ifndef APP_CALIBRATE_BOARD_FINDER_H
#define APP_CALIBRATE_BOARD_FINDER_H

#include "app/options/rig_options.h"
#include "capture/pair.h"
#include "rig/board_views.h"
#include "stereo/rig.h"

typedef struct board_finder board_finder;

/* A view of the last solution. */
typedef struct board_finder_view {
    int64_t frame;          /* left frame */
    const char *dropped;    /* why it does not count, or NULL; static */
    double errors[2], rows; /* pixels by which it is off: each picture, the rectified rows */
} board_finder_view;

/* How far it has come. */
typedef struct board_finder_state {
    int64_t pairs; /* that were searched, */
    int64_t frame; /* and the left frame of the last one */
    int views;
    board_verdict verdict;                               /* on the newest pair */
    board_sight seen[2];                                 /* in it */
    bool cells[2][BOARD_CELLS_DOWN][BOARD_CELLS_ACROSS]; /* as by board_cover */
    unsigned missing;                                    /* bit 1 << board_need */
    bool solving, solved;                                /* `solved`: what follows describes the last solution */
    board_result result;
    board_finder_view each[BOARD_MOST_VIEWS];
    int solved_views;
    sv_error refusal; /* why the last attempt to search or to solve failed, or "" */
} board_finder_state;

/* Starts the thread, for pictures of width x height. `pictures`: as in board_views. `on_news` is called by the thread
 * when the state has changed.
 * Errors: SV_FAILED without OpenCV.
 * Lifetime: `options` is borrowed until board_finder_close, which the caller calls. */
sv_status board_finder_open(board_finder **out, const rig_options *options, int width, int height, bool pictures,
                            void (*on_news)(void), sv_error *error);

/* Offers a pair. The newest one is searched when those before it have been. Never waits. The same pair again does not
 * count.
 * Thread: one at a time.
 * Lifetime: the pair's frames are retained until then. */
void board_finder_offer(board_finder *finder, const frame_pair *pair);

/* True while an offered pair has not been searched.
 * Thread: any. */
bool board_finder_is_busy(board_finder *finder);

/* Requests a solution from the views taken so far.
 * Thread: any. */
void board_finder_solve(board_finder *finder);

/* Copies the state.
 * Thread: any. */
void board_finder_get_state(board_finder *finder, board_finder_state *state);

/* True once for each solution: the rig, its rectification, and one line on where it comes from.
 * Lifetime: the caller frees the rectification. */
bool board_finder_take(board_finder *finder, sv_rig *rig, sv_rectification *rectification, char *note, size_t size);

void board_finder_close(board_finder *finder); /* accepts NULL */

#endif
