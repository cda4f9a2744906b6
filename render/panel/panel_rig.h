/* What the panel shows of the cameras: whether their rows agree, and what aligns or calibrates them. Strings are
 * borrowed for the call that draws; NULL: not shown. */
#ifndef RENDER_PANEL_PANEL_RIG_H
#define RENDER_PANEL_PANEL_RIG_H

#include <stdbool.h>

/* What both pictures have in common. */
typedef struct panel_alignment {
    const char *rows;        /* their row offset, in a sentence */
    const char *brightness;  /* that one is darker, in a sentence */
    bool misaligned, darker; /* these are warnings */
} panel_alignment;

/* What aligns the cameras without a board. */
typedef struct panel_rig {
    bool can_align, aligns; /* the cameras can be, are being aligned */
    const char *text;       /* what that has found, in sentences */
    bool is_wrong;          /* `text` says why it has found nothing */
    const char *drift;      /* of the cameras since, in a few words */
    bool moved;             /* `drift` is a warning */
    bool can_save;          /* there is something to be saved */
} panel_rig;

/* A calibration with a board. Places are in framebuffer pixels, as in window.h. */
typedef struct panel_mark {
    float x, y;
} panel_mark;
typedef struct panel_box {
    float left, right, top, bottom;
} panel_box;
typedef struct panel_board_view {
    long long frame;
    const char *dropped;    /* why it does not count, or NULL */
    double errors[2], rows; /* pixels */
} panel_board_view;
typedef struct panel_board {
    const char *text;              /* how far it has come, and what to do */
    const char *result;            /* in lines; NULL before there is one */
    const char *refusal;           /* why there is none, or NULL */
    const panel_mark *marks;       /* the points of the board */
    const panel_box *boxes;        /* parts of the pictures where no view has had the board */
    const panel_board_view *views; /* of the result */
    int mark_count, box_count, view_count;
    bool can_solve;
} panel_board;

#endif
