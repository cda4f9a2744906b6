/* The run with a window: the units that it is made of, and the files that connect them, which alone know the whole.
 * Main thread. */
#ifndef APP_VIEWER_VIEWER_STATE_H
#define APP_VIEWER_VIEWER_STATE_H

#include "app/viewer/snapshot.h"
#include "app/viewer/viewer_board.h"
#include "app/viewer/viewer_controls.h"
#include "app/viewer/viewer_costs.h"
#include "app/viewer/viewer_export.h"
#include "app/viewer/viewer_figures.h"
#include "app/viewer/viewer_inputs.h"
#include "app/viewer/viewer_map.h"
#include "app/viewer/viewer_pace.h"
#include "app/viewer/viewer_playback.h"
#include "app/viewer/viewer_settings.h"
#include "app/viewer/viewer_source.h"
#include "app/viewer/viewer_strip.h"
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
    view_settings drawn; /* what is drawn of state.view, see viewer_map_show_pictures */
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
    viewer_controls controls;
    viewer_rig rig;
    viewer_board *board; /* NULL: not calibrating */
    viewer_figures figures;
    viewer_pace pace;
    viewer_strip strip;
    auto_range range; /* while none is chosen */
    viewer_settings settings;
    viewer_export exported;
    snapshots *snapshots;
    bool snapshot_due; /* when a map is drawn */
} viewer;

/* viewer_actions.c: does what the user asks for. True if that is another input: `wanted`. */
bool viewer_act(viewer *viewer, const input_event *event, viewer_wanted *wanted);

/* viewer_session.c: shows and plays the session, which is open; ends it, and all that shows it. */
sv_status viewer_begin(viewer *viewer, sv_error *error);
void viewer_end(viewer *viewer);
void viewer_open_input(viewer *viewer, const viewer_wanted *wanted);
void viewer_follow_inputs(viewer *viewer);                   /* switches to the input that has been opened */
void viewer_follow_drops(viewer *viewer);                    /* uses what was dropped onto the window */
bool viewer_change_backend(viewer *viewer, const char *why); /* false if there is nothing else to match with */
void viewer_want_colour(viewer *viewer);
void viewer_lend(viewer *viewer, int slot); /* to the player */
void viewer_follow_tuner(viewer *viewer);   /* passes changed parameters on to the player */

/* viewer_draw.c: draws one frame of the window, or the empty window. */
void viewer_draw(viewer *viewer, double captured, player_state *player);
void viewer_draw_empty(viewer *viewer);

#endif
