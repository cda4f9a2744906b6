// The parts of the panel. C++; the interface is panel.h.
//
// Sizes are in ImGui's units, "points": those of the window's coordinates, origin top left. `em` is the
// height of the text in them; all else is a multiple of it, which is what makes a dense screen come out right.
#ifndef RENDER_PANEL_PANEL_PARTS_H
#define RENDER_PANEL_PANEL_PARTS_H

#include "render/panel/panel.h"
#include "render/panel/panel_controls.h"
#include "render/panel/panel_words.h"

// ---- The parts, each in the file of its name ----------------------------------------------------
// `area`: of the picture, which begins `top` below the top left of the window. `ratio`: framebuffer pixels for a point.

struct place {
    ImVec2 at, size;
};

void side_begin(place side, float em, double *width); // the panel at the right, whose edge moves its width; until
void side_end();
void source_controls(panel *p, panel_source *s, float em);
void action_buttons(panel *p);
void display_controls(panel *p, view_settings *view, bool *readings, bool has_metres, float em);

inline ImU32 colour_of_grade(panel_grade grade) {
    return grade == PANEL_BAD ? ALARM : grade == PANEL_DOUBTFUL ? ACCENT : grade == PANEL_GOOD ? GOOD : DIM;
}

// `board`: a board is being looked for; `offered`: a cure aligns the cameras already
void strip(panel *p, panel_strip *s, place at, float em);
void strip_pane(panel *p, panel_strip *s, const panel_rig *rig, panel_board_choice *choice, bool board, place under,
                float em);
bool has_strip(const panel_strip *s);
void align_controls(panel *p, const panel_rig *rig, bool offered);
void board_choice(panel *p, panel_board_choice *c, bool runs, float em);
bool has_result(const panel_board *b);

// `compared`: view_settings.compared
void parameters(panel *p, panel_params *params, panel_offset *offset, panel_qualities *qualities,
                const panel_compare *compare, int *compared, float em);
void compare_controls(panel *p, const panel_compare *c, int *compared, float em); // while there are two sets
void compare_button(panel *p, const panel_compare *c, float width);
bool is_comparing(const panel_compare *c);
void quality_list(panel *p, panel_qualities *q, float em);

void camera_controls(panel *p, panel_controls *c, float em);
void board_marks(const panel_board *b, float height, float em, float ratio); // `height`: of the window
void board_guidance(const panel_board *b, ImVec2 at, ImVec2 size, float em); // `at`, `size`: of the pictures
void board_controls(panel *p, const panel_board *b, const panel_rig *rig, float em);

void cloud_controls(panel *p, view_settings *view, float em);
void words_in_picture(const view_word *words, int count, float height, float ratio);
void view_labels(panel *p, view_settings *view, const panel_cost_view *costs, unsigned lacking, ImVec2 area,
                 const view_rect &pixels, float top,
                 float em); // with the lists of their kinds; `pixels`: `area` in the framebuffer
bool plots_costs(const panel_costs *c);
void costs_plot(const panel_costs *c, const view_pixel *pixel, ImVec2 area, float em);
void colour_bar_across(ImDrawList *draw, int map, ImVec2 place, ImVec2 size); // a colour map, from left to right
void view_menu_of(panel *p, view_settings *view, unsigned lacking, const view_rect &area, const panel_reading *reading,
                  int x, int y); // the mouse, framebuffer pixels; -1: not there
void legend(panel *p, view_settings *view, const sv_rectification *metric, const histogram *h,
            const view_errors *errors, const view_pixel *pixel, ImVec2 area, float top, float em);
void statistics(const panel_figures *f, place column, float em);

// The table of measurements, and how high it is: 0 while it is not shown.
void measures_table(panel *p, panel_measures *m, place of, float em);
float measures_height(const panel_measures *m, float em);

// True if the bar has a slider for the position.
bool has_position_slider(const panel_playback *b);

// `above`: the slider has a line of its own; `alone`: the panel is not there, and a button brings it back.
void playback_controls(panel *p, panel_playback *b, bool above, bool alone, float em);
void status_lines(const panel_status *s, const panel_reading *reading, const histogram *h, float em);

// What is read off the map: `above`: above the mouse if there is room.
void reading_line(const panel_reading *r, ImVec2 at, float room, float em);
void reading_pill(const panel_reading *r, bool above, ImVec2 area, float em);
void pill(ImDrawList *draw, ImVec2 at, ImVec2 size, float em); // the dark ground of words over a picture

void message(const panel_message *m, ImVec2 bottom_left, float room, float em);
void message_list(panel *p, panel_messages *m, ImVec2 area, float em);
void key_list(const panel *p, bool *shown, ImVec2 area, ImVec2 window, float em);
void opening(panel *p, panel_opening *o, bool empty, ImVec2 area, float em); // what asks for another input
void waiting_file(panel *p, const panel_opening *o, ImVec2 area, float em);
bool asks_for_input(const panel_opening *o);
void settings(panel *p, panel_settings *s, panel_qualities *q, int *theme, ImVec2 area, float em);
void export_box(panel *p, panel_export *x, ImVec2 area, float em);
bool asks_for_export(const panel_export *x);
bool asks_for_settings(const panel_settings *s);

#endif
