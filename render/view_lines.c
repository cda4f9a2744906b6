/* Lines over the views: those along which matches lie, and the cross at the pixel under the mouse. They are filled
 * rectangles, of which OpenGL clears the colour. */
#include "render/view_state.h"

#include <math.h>

static const double least_distance = 30; /* framebuffer pixels between two lines */

enum { REACH = 11, HOLE = 3 }; /* of the cross: pixels from the middle to its ends, and to where it begins */

void view_fill(const view_pane *pane, view_rect r, float red, float green, float blue) {
    const view_rect *s = &pane->shown;
    const int left = r.x > s->x ? r.x : s->x, bottom = r.y > s->y ? r.y : s->y;
    const int right = r.x + r.width < s->x + s->width ? r.x + r.width : s->x + s->width;
    const int top = r.y + r.height < s->y + s->height ? r.y + r.height : s->y + s->height;
    if (right <= left || top <= bottom) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, bottom, right - left, top - bottom);
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

void view_draw_lines(const view_pane *pane) {
    const view_rect *s = &pane->shown;
    int rows = 1; /* of the picture, between two lines */
    while (rows * pane->scale_y < least_distance) rows *= 2;
    for (double row = rows * ceil((pane->top - s->y - s->height) / pane->scale_y / rows);; row += rows) {
        const double y = pane->top - (row + 0.5) * pane->scale_y;
        if (y < s->y) break;
        view_fill(pane, (view_rect){s->x, (int)floor(y), s->width, 1}, 1, 0.75f, 0.36f);
    }
}

void view_draw_cross(const view_pane *pane, double x, double y) {
    const bool whole = isfinite(x);
    double screen_x, screen_y;
    layout_to_screen(pane, whole ? x : 0, y, &screen_x, &screen_y);
    if (fabs(screen_x) > 1e6 || fabs(screen_y) > 1e6) return;
    const int at_x = (int)floor(screen_x), at_y = (int)floor(screen_y);
    for (int edge = 1; edge >= 0; edge--) { /* dark, then bright inside */
        const float level = edge ? 0 : 1;
        const int wide = 1 + 2 * edge, reach = REACH + edge, length = reach - HOLE + 1 + edge;
        if (!whole) {
            view_fill(pane, (view_rect){pane->shown.x, at_y - edge, pane->shown.width, wide}, level, level, level);
            continue;
        }
        view_fill(pane, (view_rect){at_x - reach, at_y - edge, length, wide}, level, level, level);
        view_fill(pane, (view_rect){at_x + HOLE - edge, at_y - edge, length, wide}, level, level, level);
        view_fill(pane, (view_rect){at_x - edge, at_y - reach, wide, length}, level, level, level);
        view_fill(pane, (view_rect){at_x - edge, at_y + HOLE - edge, wide, length}, level, level, level);
    }
}
