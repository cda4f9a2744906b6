// The parts of the panel, but for those of panel_side_parts.h and panel_picture_parts.h. C++; the interface is panel.h.
//
// Sizes are in ImGui's units, "points": those of the window's coordinates, origin top left. `em` is the
// height of the text in them; all else is a multiple of it, which is what makes a dense screen come out right.
#ifndef RENDER_PANEL_PANEL_PARTS_H
#define RENDER_PANEL_PANEL_PARTS_H

#include "render/panel/panel_controls.h"

// ---- The parts, each in the file of its name ----------------------------------------------------
// `area`: of the picture, which begins `top` below the top left of the window. `ratio`: framebuffer pixels for a point.

struct place {
    ImVec2 at, size;
};

inline ImU32 colour_of_grade(panel_grade grade) {
    return grade == PANEL_BAD ? ALARM : grade == PANEL_DOUBTFUL ? ACCENT : grade == PANEL_GOOD ? GOOD : DIM;
}

// `board`: a board is being looked for
void strip(panel *p, panel_strip *s, place at, float em);
void strip_pane(panel *p, panel_strip *s, const panel_rig *rig, panel_board_choice *choice, bool board, place under,
                float em);
bool has_strip(const panel_strip *s);
bool has_pane(const panel_strip *s); // a pane is open
// True if the bar has a slider for the position.
bool has_position_slider(const panel_playback *b);

// `above`: the slider has a line of its own; `alone`: the panel is not there, and a button brings it back.
void playback_controls(panel *p, panel_playback *b, bool above, bool alone, float em);
void status_lines(const panel_status *s, const panel_reading *reading, const histogram *h, float em);

// What is read off the map.
void reading_line(const panel_reading *r, ImVec2 at, float room, float em);
void message(const panel_message *m, ImVec2 bottom_left, float room, float em);
bool has_messages(const panel_messages *m); // their list is open
// Its buttons show in `o` the folder of what was written.
void message_list(panel *p, panel_messages *m, panel_opening *o, ImVec2 area, float em);
void key_list(const panel *p, bool *shown, ImVec2 area, ImVec2 window, float em);
void opening(panel *p, panel_opening *o, bool empty, ImVec2 area, float em); // what asks for another input
void open_at(panel *p, panel_opening *o, const char *folder); // in place of the list of messages: what the folder holds
void waiting_file(panel *p, const panel_opening *o, ImVec2 area, float em);
bool asks_for_input(const panel_opening *o);
void settings(panel *p, panel_settings *s, panel_qualities *q, int *theme, ImVec2 area, float em);
void export_box(panel *p, panel_export *x, ImVec2 area, float em);
bool asks_for_export(const panel_export *x);
bool asks_for_settings(const panel_settings *s);

#endif
