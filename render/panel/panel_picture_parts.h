// The parts over the picture and next to it. C++; sizes are as in panel_parts.h, and so are `area` and `ratio`.
#ifndef RENDER_PANEL_PANEL_PICTURE_PARTS_H
#define RENDER_PANEL_PANEL_PICTURE_PARTS_H

#include "render/panel/panel_parts.h"

void board_marks(const panel_board *b, float height, float em, float ratio); // `height`: of the window
void board_guidance(const panel_board *b, ImVec2 at, ImVec2 size, float em); // `at`, `size`: of the pictures
void words_in_picture(const view_word *words, int count, float height, float ratio);
void view_labels(panel *p, view_settings *view, const panel_cost_view *costs, unsigned lacking, ImVec2 area,
                 const view_rect &pixels, float top,
                 float em); // with the lists of their kinds; `pixels`: `area` in the framebuffer
bool plots_costs(const panel_costs *c);
void costs_plot(const panel_costs *c, const view_pixel *pixel, double truth, ImVec2 area, float em); // NAN: none
void colour_bar_across(ImDrawList *draw, int map, ImVec2 place, ImVec2 size); // a colour map, from left to right
void view_menu_of(panel *p, view_settings *view, unsigned lacking, const view_rect &area, const panel_reading *reading,
                  int x, int y); // the mouse, framebuffer pixels; -1: not there
void legend(panel *p, view_settings *view, const sv_rectification *metric, const histogram *h,
            const view_errors *errors, const view_pixel *pixel, ImVec2 area, float top, float em);
void statistics(const panel_figures *f, place column, float em);

// The table of measurements, and how high it is: 0 while it is not shown.
void measures_table(panel *p, panel_measures *m, place of, float em);
float measures_height(const panel_measures *m, float em);

// What is read off the map: `above`: above the mouse if there is room.
void reading_pill(const panel_reading *r, bool above, ImVec2 area, float em);
void pill(ImDrawList *draw, ImVec2 at, ImVec2 size, float em); // the dark ground of words over a picture

#endif
