/* The rig in the window: aligns it without a board, switches to what is found while the map is shown, reports how good
 * it is, and saves it. Main thread. */
#ifndef APP_VIEWER_VIEWER_RIG_H
#define APP_VIEWER_VIEWER_RIG_H

#include "app/calibrate/live_align.h"
#include "app/play/session.h"
#include "app/viewer/viewer_notice.h"
#include "app/viewer/viewer_tuner.h"
#include "render/panel/panel_map.h"
#include "render/panel/panel_rig.h"

typedef struct viewer_rig {
    viewer_notice *notice; /* borrowed, as are the other pointers */
    viewer_tuner *tuner;
    session *session;
    options *options; /* of the session */
    player *player;
    live_align *live_align; /* NULL: not aligning */
    bool known;             /* `rig` is in use, and did not come from a file */
    sv_rig rig, next;       /* `next`: of session.next_matcher, */
    bool prepared;          /* which the player does not have yet */
    bool only_rows;         /* session.next_matcher has the same rig, with a row correction */
    bool rows_known;        /* the rows were measured: they are corrected if that helps, and not measured again */
    char note[160], next_note[160];
    char saved_as[2048];
    bool saved, saved_any; /* this rig was; any was, since the program was started */
    bool swapped;          /* the sides are swapped, according to the alignment */
    int reported_moves;
    bool reported_refusal;
    char text[640], drift[64];
} viewer_rig;

/* For a session that is open, whose options keep what the user chooses; then, with its player, aligns it if the options
 * say so. */
void viewer_rig_begin(viewer_rig *rig, session *session, options *options);
void viewer_rig_play(viewer_rig *rig, player *player);
void viewer_rig_end(viewer_rig *rig); /* saves what --save-calibration asks for */

/* Prepares another rig: session.next_matcher is made. viewer_rig_pass passes it to the player, after the parameters
 * that go with it, and it is used from the first of its results on, see viewer_rig_switch. Not while there is one, or a
 * second set of parameters: viewer_rig_can_change.
 * Lifetime: `rectification` becomes {0}. */
bool viewer_rig_can_change(const viewer_rig *rig);
void viewer_rig_pass(viewer_rig *rig);
sv_status viewer_rig_use(viewer_rig *rig, const sv_rig *next, sv_rectification *rectification, const char *note,
                         sv_error *error);

/* After a result of session.next_matcher has been taken: makes that the session's matcher. Nothing may use the former
 * rectification. */
void viewer_rig_switch(viewer_rig *rig);

void viewer_rig_offer(viewer_rig *rig, const frame_pair *pair); /* each pair that is shown, to what aligns */
void viewer_rig_align(viewer_rig *rig);                         /* begins or ends aligning */
void viewer_rig_save(viewer_rig *rig);                          /* writes a calibration file */

/* What the panel shows; takes what was found. */
void viewer_rig_update(viewer_rig *rig, panel_rig *shown, panel_status *status);

/* Fails if --save-calibration had nothing to save. */
sv_status viewer_rig_check_saved(const viewer_rig *rig, const rig_options *options, sv_error *error);

const char *viewer_rig_saved(const viewer_rig *rig); /* the file that has the rig that is in use; NULL: none */
bool viewer_rig_calibrates(const viewer_rig *rig);   /* with a board, and there is no result yet */

/* The rig that is in use and no file has, and on where it comes from; NULL if there is none. */
const sv_rig *viewer_rig_known(const viewer_rig *rig, const char **note);

#endif
