/* The parameters in the window: the one owner of both sets, A and B. The panel, the keys and the settings change the
 * one that is edited; viewer.c takes what has changed to the player. Main thread. */
#ifndef APP_VIEWER_VIEWER_TUNER_H
#define APP_VIEWER_VIEWER_TUNER_H

#include "app/options/tuning.h"
#include "render/panel/panel_run.h"

typedef struct viewer_tuner {
    panel_params *shown; /* what the panel shows; borrowed */
    tuning sets[2];      /* A, B */
    int edited;          /* 0 A, 1 B */
    bool compares;       /* B is in use, */
    bool begun;          /* or has been */
    sv_params taken[2];  /* by viewer_tuner_take_change */
    bool again;          /* they are to be taken again, though they are the same */
} viewer_tuner;

void viewer_tuner_start(viewer_tuner *tuner, const sv_params *a, panel_params *shown);

/* The parameters A (0) or B (1), and those that are edited. The pointers stay valid, and show every change. */
const sv_params *viewer_tuner_of(const viewer_tuner *tuner, int which);
const sv_params *viewer_tuner_edited(const viewer_tuner *tuner);

/* Change the set that is edited, as tuning.h says. */
void viewer_tuner_set(viewer_tuner *tuner, const sv_params *params);
void viewer_tuner_set_method(viewer_tuner *tuner, int method);
int viewer_tuner_next_method(const viewer_tuner *tuner);
void viewer_tuner_reset(viewer_tuner *tuner);
bool viewer_tuner_step(viewer_tuner *tuner, bool back); /* undoes or redoes; false if there is nothing */

/* Takes what the user has changed in the panel; the method that was chosen there. */
void viewer_tuner_follow_panel(viewer_tuner *tuner);
int viewer_tuner_chosen(const viewer_tuner *tuner);

/* Sets the range that was found in the pictures, which is not a step, in both sets. */
void viewer_tuner_set_range(viewer_tuner *tuner, const sv_params *found);

/* Takes all of A from settings, which are then edited. */
void viewer_tuner_replace(viewer_tuner *tuner, const sv_params *a);

/* Begins to compare with B: `b`, or NULL: B as it was left or, at first, the same as A. Ends it. */
void viewer_tuner_begin_second(viewer_tuner *tuner, const sv_params *b);
void viewer_tuner_end_second(viewer_tuner *tuner);
bool viewer_tuner_compares(const viewer_tuner *tuner);

void viewer_tuner_edit(viewer_tuner *tuner, int which);

/* True, once, after a change. What belongs to the scene is the same in both sets from then on. */
bool viewer_tuner_take_change(viewer_tuner *tuner);

#endif
