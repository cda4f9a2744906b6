/* The views from which cameras are calibrated with a board: which pairs are taken, and what is still missing. */
#ifndef RIG_BOARD_VIEWS_H
#define RIG_BOARD_VIEWS_H

#include "rig/board.h"

enum { BOARD_MOST_VIEWS = 80 }; /* the solver's time grows with their cube */

/* What became of a pair. */
typedef enum board_verdict {
    BOARD_TAKEN,
    BOARD_NOT_LEFT, /* the board is not in the left picture */
    BOARD_NOT_RIGHT,
    BOARD_NOT_BOTH, /* it is in both, but too little of it */
    BOARD_MOVES,
    BOARD_BLURRED,
    BOARD_KNOWN, /* an earlier view shows it in that place */
    BOARD_FULL,  /* there are BOARD_MOST_VIEWS */
} board_verdict;

/* What the views should show. */
typedef enum board_need {
    BOARD_NEED_NEAR,
    BOARD_NEED_FAR,
    BOARD_NEED_LEFT, /* tilted: its left end is nearer */
    BOARD_NEED_RIGHT,
    BOARD_NEED_UPPER,
    BOARD_NEED_LOWER,
    BOARD_NEED_COVERAGE, /* of both pictures */
    BOARD_NEED_COUNT
} board_need;

/* The fraction of the picture that the board should have covered. */
#define BOARD_ENOUGH_COVERAGE 0.6

/* A pair of pictures in which the board is looked for. */
typedef struct board_pair {
    const sv_image *pictures[2]; /* left, right: SV_GREY8 in host memory, of the size of the views */
    int64_t frame;               /* the pair's number */
    double time;                 /* seconds */
} board_pair;

typedef struct board_views {
    const board *board;
    int width, height;
    bool pictures; /* no video: each pair counts, wherever the board is */
    board_view *views;
    board_posture *postures; /* of the views, in the left picture; size 0: unknown */
    int count;
    int64_t pairs;      /* looked at */
    bool full;          /* a view was not taken because there was no room */
    unsigned shown;     /* bit 1 << board_need */
    double sharpest[2]; /* of each side so far */
    board_sight *seen;  /* where the board is in the newest pair; 2, of both sides */
    board_sight *rest;  /* where it came to rest; 2 */
    double rests_since; /* the time of that pair */
} board_views;

/* `board` is borrowed until board_views_close.
 * Errors: SV_FAILED without OpenCV.
 * Lifetime: the caller closes it with board_views_close, even after an error. */
sv_status board_views_open(board_views *views, const board *board, int width, int height, bool pictures,
                           sv_error *error);

/* Looks for the board in a pair, and takes a view if it adds one: of a video, the board must be still for a moment,
 * sharp, and in a new place, in both pictures.
 * Errors: SV_FAILED without OpenCV, or out of memory. */
sv_status board_views_look(board_views *views, const board_pair *pair, board_verdict *verdict, sv_error *error);

/* The same without searching: `seen` gives the board's place in the pair. */
board_verdict board_views_add(board_views *views, const board_pair *pair);

/* What no view has shown yet: bit 1 << board_need. */
unsigned board_views_missing(const board_views *views);

void board_views_close(board_views *views); /* accepts {0} */

#endif
