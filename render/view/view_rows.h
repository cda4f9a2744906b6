/* The view of the rows: where in the left picture, and by how much, rows of the right one are off.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_VIEW_ROWS_H
#define RENDER_VIEW_VIEW_ROWS_H

#include "render/view/view_cloud.h"

/* Draws an arrow for each part that is known into a part of VIEW_ROWS: up where the right picture lies higher, green
 * below a quarter of a pixel, amber below one, red from there on. The longest is almost as high as its part of the
 * picture, and stands for one pixel or more. */
void view_draw_rows(const view *view, const view_pane *pane);

/* Writes the errors beside the arrows, in pixels; see view_cloud_words. `line`: height of a line, framebuffer pixels.
 */
int view_row_words(const view *view, const view_settings *settings, view_rect area, float line, view_word *words,
                   int most);

#endif
