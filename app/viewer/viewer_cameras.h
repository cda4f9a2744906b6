/* What the window measures of both pictures: the state of the rig, above all its rows and brightness. Main thread. */
#ifndef APP_VIEWER_VIEWER_CAMERAS_H
#define APP_VIEWER_VIEWER_CAMERAS_H

#include "app/play/session.h"
#include "render/panel/panel_map.h"
#include "render/panel/panel_rig.h"

/* {0} at the beginning of a session. */
typedef struct viewer_cameras {
    sv_rig_state state;                /* as last judged */
    char rows[320], brightness[256];   /* in words */
    bool warned, warned_of_brightness; /* of misaligned rows; of a picture so dark that matching degrades */
    bool reported_brightness;          /* that one picture is darker, at all */
} viewer_cameras;

/* Updates what the panel shows, and returns the state, NULL while there is none. `params`: that are edited;
 * `calibrates`: a calibration is about to cure the rows; `swapped`: the sides are, according to a calibration.
 * Lifetime: valid until the next call. */
const sv_rig_state *viewer_cameras_update(viewer_cameras *cameras, const session *session, const sv_params *params,
                                          bool calibrates, bool swapped, panel_alignment *shown, panel_status *status);

/* What was measured is of a rectification that is not used any more. */
void viewer_cameras_forget_rows(viewer_cameras *cameras, panel_alignment *shown, panel_status *status);

#endif
