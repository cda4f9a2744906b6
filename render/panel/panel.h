/* The user interface around the picture, made with Dear ImGui: the panel with every parameter on the right, the bar
 * with playback and status below the picture, the legend next to it, and, on request, statistics and the list of keys
 * above it.
 * Thread: main, with the window's context current. */
#ifndef RENDER_PANEL_PANEL_H
#define RENDER_PANEL_PANEL_H

#include "render/panel/panel_state.h"
#include "render/window/window.h"

typedef struct panel panel;

/* Creates the panel of a window.
 * Errors: SV_FAILED if memory runs out or Dear ImGui cannot use the window's OpenGL.
 * Thread: that of the OpenGL context, for all functions of a panel.
 * Lifetime: the caller destroys it with panel_destroy, before the window. */
sv_status panel_create(panel **out, window *window, sv_error *error);
void panel_destroy(panel *panel); /* accepts NULL; before window_close */

/* The part of the framebuffer that remains for the picture. */
view_rect panel_picture_area(const panel *panel, const panel_state *state);

/* True while the mouse is over the user interface and not over the picture. */
bool panel_has_mouse(const panel *panel);

/* True if the user interface that was drawn last lies over a pixel of the framebuffer. */
bool panel_covers(const panel *panel, int x, int y);

/* Handles INPUT_PANEL, INPUT_HELP, INPUT_STATISTICS and INPUT_READINGS. */
void panel_toggle(panel_state *state, input_action action);

bool panel_close_help(panel_state *state); /* false if it was not shown */
bool panel_shows_statistics(const panel_state *state);

/* Draws everything, after view_draw. Buttons push actions into the window's queue, as keys do. Only what the parts of
 * `state` name is written. Draws nothing while the window is minimised. */
void panel_build(panel *panel, panel_state *state);
void panel_render(panel *panel);

/* Between both: draws only what belongs to the picture: the legend, the names of the views, what is written into them.
 * A snapshot has it, in the area of picture and legend. panel_render then draws the rest. */
void panel_render_picture(panel *panel);
view_rect panel_snapshot_area(const panel *panel, const panel_state *state);

#endif
