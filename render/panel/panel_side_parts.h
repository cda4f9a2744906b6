// The parts of the panel at the right, and those that the strip shares with it. C++; sizes are as in panel_parts.h.
#ifndef RENDER_PANEL_PANEL_SIDE_PARTS_H
#define RENDER_PANEL_PANEL_SIDE_PARTS_H

#include "render/panel/panel_parts.h"

void side_begin(place side, float em, double *width); // the panel at the right, whose edge moves its width; until
void side_end();
void source_controls(panel *p, panel_source *s, float em);
void action_buttons(panel *p);
void display_controls(panel *p, view_settings *view, bool *readings, bool has_metres, float em);

void align_controls(panel *p, const panel_rig *rig, bool offered); // `offered`: a cure aligns the cameras already
void metres(panel *p, panel_metres *m, float em);
void board_choice(panel *p, panel_board_choice *c, bool runs, float em);
bool has_result(const panel_board *b);

// `compared`: view_settings.compared
void parameters(panel *p, panel_params *params, panel_offset *offset, panel_qualities *qualities,
                const panel_compare *compare, int *compared, float em);
void compare_controls(panel *p, const panel_compare *c, int *compared, float em); // while there are two sets
void compare_button(panel *p, const panel_compare *c, float width);
void quality_list(panel *p, panel_qualities *q, float em);

void camera_controls(panel *p, panel_controls *c, float em);
void board_controls(panel *p, const panel_board *b, const panel_rig *rig, float em);

void cloud_controls(panel *p, view_settings *view, float em);

#endif
