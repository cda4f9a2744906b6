/* The strip above the views: the state of each item of the rig and of the speed, how to fix it, and its history over
 * the last minutes. Main thread. */
#ifndef APP_VIEWER_VIEWER_STRIP_H
#define APP_VIEWER_VIEWER_STRIP_H

#include "app/play/session.h"
#include "app/viewer/cures.h"
#include "app/viewer/viewer_notice.h"
#include "render/view/view.h"

typedef struct viewer_strip {
    panel_strip *shown; /* borrowed, as is the other pointer */
    viewer_notice *notice;
    rig_case of; /* as last described */
    cell cells[CELL_COUNT];
    panel_history histories[CELL_COUNT];
    view_row_errors rows; /* of parts of the picture, if */
    bool rows_known;
    double added; /* the last values of the histories, by sv_seconds */
    char logged[CELL_COUNT][160];
} viewer_strip;

void viewer_strip_init(viewer_strip *strip, viewer_notice *notice, panel_strip *shown);
void viewer_strip_begin(viewer_strip *strip); /* of a session, whose state is not known yet */

/* Judges the newest pair with these parameters, and writes what is shown. `of`: without the state. `calibrates`: a
 * calibration is about to fix the rows; `swapped`: the sides are, according to one. */
void viewer_strip_update(viewer_strip *strip, const session *session, const sv_params *params, const rig_case *of,
                         bool calibrates, bool swapped);

void viewer_strip_toggle(viewer_strip *strip); /* opens the next cell that is not good, closes the last */
bool viewer_strip_close(viewer_strip *strip);  /* false if none was open */

/* What button 0 or 1 of the open cell fixes, or else the first of a cell that has one; `of`: the case of it. */
cure viewer_strip_cure(const viewer_strip *strip, int button, const rig_case **of);

#endif
