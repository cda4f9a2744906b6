/* What the units of the view do for each other. Those with a structure of their own make it in view_create and free it
 * in view_destroy. Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_UNITS_H
#define RENDER_VIEW_VIEW_UNITS_H

#include "render/view/view_state.h"

/* ---- view_programs.c ---- */

/* Makes the programs of the first frames.
 * Errors: SV_FAILED, with the driver's message. */
sv_status view_make_programs(view *view, sv_error *error);
void view_free_programs(view *view);

/* The program for a map, which averages taps_x x taps_y pixels (1..VIEW_MOST_TAPS); for the pictures of `sides`, bit 0
 * left, bit 1 right. 0 if it cannot be made, which is reported once. */
GLuint view_map_program(view *view, view_map_mode mode, int taps_x, int taps_y);
GLuint view_picture_program(view *view, unsigned sides, bool magnified);

GLuint view_limit_program(const view *view); /* makes the disparities outside limits infinite */

/* Draws with a program onto what the pane shows: its uniforms and textures are set between these two. */
void view_begin_drawing(const view *view, GLuint program, const view_pane *pane);
void view_end_drawing(void);
void view_bind(int unit, GLuint texture);

/* ---- view_pictures.c and view_pick.c ---- */

void view_pictures_create(view *view);
void view_pictures_destroy(view *view);
void view_pick_create(view *view);
void view_pick_destroy(view *view);

/* The pixel that view_pick has found, NULL if there is none, and the index of the part that the mouse is in. */
const view_pixel *view_picked(const view *view, int *part);

/* ---- view_cloud.c ---- */

/* Errors: those of cloud_create. */
sv_status view_cloud_create(view *view, sv_error *error);
void view_cloud_destroy(view *view);

/* Takes the pinhole and the baseline; NULL: they are unknown. The camera starts over. */
void view_cloud_set_rectification(view *view, const sv_rectification *rectification);
const space *view_space(const view *view);

/* Where a pixel of the map is seen in a view of the cloud, framebuffer pixels; false if it is not. */
bool view_cloud_place(const view *view, const view_rect *cell, const view_pixel *pixel, double *x, double *y);

/* Starts reading which pixel is seen at x, y of the cell: see cloud_read_pixel. */
bool view_cloud_read_pixel(const view *view, int x, int y);

void view_draw_cloud(view *view, const view_settings *settings, const cloud_textures *textures, view_rect cell);

/* ---- view_split.c ---- */

/* Which map the pixel of the screen in that column shows in a view of that kind: 0 A, 1 B. */
int view_map_at(const view *view, const view_settings *settings, int kind, const view_rect *cell, int x);

/* True if a view of that kind is split. `x`: of the first column that shows B, or would if it were in the cell. */
bool view_is_split(const view *view, const view_settings *settings, int kind, const view_rect *cell, int *x);

/* ---- view_rows.c ---- */

/* Draws an arrow for each error that is known into a part of VIEW_ROWS, up where the right picture lies higher. The
 * longest is almost as high as its part of the picture, and stands for one pixel or more. */
void view_draw_rows(const view *view, const view_pane *pane);

/* ---- view_measures.c ---- */

void view_measures_create(view *view);
void view_measures_destroy(view *view);

/* Draws pins and rectangle into the parts. */
void view_draw_measures(const view *view, const view_part *parts, int count);

/* Sets a corner of the rectangle at position x, y of the framebuffer: the first one, or the one opposite. */
void view_drag_box(view *view, const view_pane *pane, int x, int y, bool begins);

#endif
