/* The run with a window: its window, session and loop are viewer.c's, and viewer_actions.c passes to its units what the
 * user does. Nothing else knows the whole. Main thread. */
#ifndef APP_VIEWER_VIEWER_STATE_H
#define APP_VIEWER_VIEWER_STATE_H

#include "app/viewer/snapshot.h"
#include "app/viewer/viewer_advice.h"
#include "app/viewer/viewer_board.h"
#include "app/viewer/viewer_cameras.h"
#include "app/viewer/viewer_compare.h"
#include "app/viewer/viewer_costs.h"
#include "app/viewer/viewer_figures.h"
#include "app/viewer/viewer_inputs.h"
#include "app/viewer/viewer_map.h"
#include "app/viewer/viewer_notice.h"
#include "app/viewer/viewer_playback.h"
#include "app/viewer/viewer_rig.h"
#include "app/viewer/viewer_settings.h"
#include "app/viewer/viewer_source.h"
#include "app/viewer/viewer_tuner.h"
#include "app/viewer/viewer_views.h"
#include "render/panel/panel.h"

typedef struct viewer {
    const sv_backend *backend; /* of the next session */
    stats *stats;
    window *window;
    panel *panel;
    panel_state state;
    session session; /* {0} while no input is open, and then there are no view and player */
    view *view;
    player *player;
    view_settings drawn; /* what is drawn of state.view, see pictures_show */
    bool quit;
    viewer_notice notice;
    viewer_tuner tuner;
    viewer_inputs inputs;
    viewer_source source;
    viewer_playback playback;
    viewer_views views;
    viewer_map map;
    viewer_compare compare;
    viewer_costs costs;
    viewer_cameras cameras;
    viewer_rig rig;
    viewer_board *board; /* NULL: not calibrating */
    viewer_figures figures;
    viewer_advice advice;
    viewer_settings settings;
    snapshots *snapshots;
    bool snapshot_due; /* when a map is drawn */
} viewer;

/* Does what the user asks for. True if that is another input: `wanted`. */
bool viewer_act(viewer *viewer, const input_event *event, viewer_wanted *wanted);

#endif
