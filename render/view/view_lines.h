/* Lines over the views.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_LINES_H
#define RENDER_VIEW_VIEW_LINES_H

#include "render/view/layout.h"

/* Draws lines along which matches lie, across a part of VIEW_PAIR. */
void view_draw_lines(const view_pane *pane);

/* Draws a cross at a position in the picture; without its vertical line if x is not finite. */
void view_draw_cross(const view_pane *pane, double x, double y);

/* Draw the mark of a pin, and the edges of a rectangle, at positions on the screen, as far as `clip` shows them. */
void view_draw_pin(const view_rect *clip, double x, double y);
void view_draw_frame(const view_rect *clip, double left, double bottom, double right, double top);

/* Fills what the pane shows of a rectangle, each colour 0..1. */
void view_fill(const view_pane *pane, view_rect rectangle, float red, float green, float blue);

#endif
