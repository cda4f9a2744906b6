/* The controls of the cameras in the window. Main thread. */
#ifndef APP_VIEWER_VIEWER_CONTROLS_H
#define APP_VIEWER_VIEWER_CONTROLS_H

#include "app/options/options.h"
#include "capture/live/controls.h"
#include "render/panel/panel_rig.h"
#include "render/window/input.h"

typedef struct viewer_controls {
    panel_controls *shown;  /* borrowed */
    const char *devices[2]; /* of the session, left first; NULL: there is none */
    camera_control each[CONTROLS_MOST];
    int side;     /* that they are of */
    double asked; /* when, by sv_seconds; 0: never */
} viewer_controls;

void viewer_controls_begin(viewer_controls *controls, const options *options, panel_controls *shown);
void viewer_controls_act(viewer_controls *controls, input_action action); /* errors are logged */
void viewer_controls_update(viewer_controls *controls); /* once a second, while they are shown: asks the camera */

#endif
