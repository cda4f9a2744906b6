/* What the panel shows about the cameras: whether their rows agree, alignment and calibration. Strings are borrowed for
 * the call that draws; NULL: not shown. */
#ifndef RENDER_PANEL_PANEL_RIG_H
#define RENDER_PANEL_PANEL_RIG_H

#include "render/panel/panel_cells.h"

/* What the user enters about the board; written together with INPUT_CALIBRATE. */
typedef struct panel_board_choice {
    int kind; /* index of `kinds` */
    int columns, rows;
    float square, marker;     /* mm; marker 0: the usual one */
    const char *const *kinds; /* their names, NULL after the last */
    const char *const *sizes; /* of each: what columns and rows count */
    const char *refusal;      /* why none can be used; NULL: one can */
} panel_board_choice;

/* The alignment of the cameras without a board. */
typedef struct panel_rig {
    bool can_align, aligns; /* the cameras can be, are being aligned */
    const char *text;       /* what that has found, in sentences */
    bool is_wrong;          /* `text` says why it has found nothing */
    const char *drift;      /* of the cameras since, in a few words */
    bool moved;             /* `drift` is a warning */
    bool can_save;          /* there is something to be saved */
} panel_rig;

/* The controls of the cameras: exposure, gain, white balance and the like. */
enum { PANEL_MAX_CONTROLS = 24 };
typedef struct panel_control {
    const char *name;
    int min, max, value;
    bool is_switch, is_fixed; /* 0 or 1; it cannot be set now */
} panel_control;
typedef struct panel_controls {
    bool has_cameras, has_two;
    bool shown; /* the section is open; read and written */
    int side; /* whose they are, and which is set; written: 0 both, with the values of the left one, 1 left, 2 right */
    int changed; /* a control; written together with INPUT_CAMERA_CONTROL, with */
    int wanted;  /* its value */
    int count;
    panel_control each[PANEL_MAX_CONTROLS];
} panel_controls;

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
/* A line of the result: "baseline", "120.21 ± 0.02 mm". */
enum { PANEL_RESULT_LINES = 16 };
typedef struct panel_result_line {
    const char *name, *value;
    panel_grade grade;
} panel_result_line;
typedef struct panel_board {
    const char *text;          /* how far it has come, and what to do */
    const char *now, *missing; /* large, over the pictures: what to do now, what is missing; NULL: nothing */
    panel_grade progress;      /* of `now` */
    panel_result_line lines[PANEL_RESULT_LINES];
    int line_count;                /* 0 before there is a result */
    const char *refusal;           /* why there is none, or NULL */
    const panel_mark *marks;       /* the points of the board */
    const panel_box *boxes;        /* parts of the pictures where no view has had the board */
    const panel_board_view *views; /* of the result */
    int mark_count, box_count, view_count;
    bool can_solve, can_end;
} panel_board;

#endif
