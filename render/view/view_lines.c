/* Lines over the views: those along which matches lie, the cross at the pixel under the mouse, pins and the rectangle.
 * They are filled rectangles. */
#include "render/view/view_lines.h"

#include "render/window/gl.h"

#include <math.h>

static const double least_distance = 30; /* framebuffer pixels between two lines */

enum { REACH = 11, HOLE = 3 }; /* of the cross: pixels from the middle to its ends, and to where it begins */
enum { PIN = 4 };              /* pixels from the middle of a pin's square to its sides */

/* Fills what `s` has of a rectangle. */
static void fill(const view_rect *s, view_rect r, float red, float green, float blue) {
    const int left = r.x > s->x ? r.x : s->x, bottom = r.y > s->y ? r.y : s->y;
    const int right = r.x + r.width < s->x + s->width ? r.x + r.width : s->x + s->width;
    const int top = r.y + r.height < s->y + s->height ? r.y + r.height : s->y + s->height;
    if (right <= left || top <= bottom) return;
    gl_fill(left, bottom, right - left, top - bottom, red, green, blue);
}

void view_fill(const view_pane *pane, view_rect r, float red, float green, float blue) {
    fill(&pane->shown, r, red, green, blue);
}

void view_draw_lines(const view_pane *pane) {
    const view_rect *s = &pane->shown;
    int rows = 1; /* of the picture, between two lines */
    while (rows * pane->scale_y < least_distance) rows *= 2;
    for (double row = rows * ceil((pane->top - s->y - s->height) / pane->scale_y / rows);; row += rows) {
        const double y = pane->top - (row + 0.5) * pane->scale_y;
        if (y < s->y) break;
        fill(s, (view_rect){s->x, (int)floor(y), s->width, 1}, 1, 0.75f, 0.36f);
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
            fill(&pane->shown, (view_rect){pane->shown.x, at_y - edge, pane->shown.width, wide}, level, level, level);
            continue;
        }
        fill(&pane->shown, (view_rect){at_x - reach, at_y - edge, length, wide}, level, level, level);
        fill(&pane->shown, (view_rect){at_x + HOLE - edge, at_y - edge, length, wide}, level, level, level);
        fill(&pane->shown, (view_rect){at_x - edge, at_y - reach, wide, length}, level, level, level);
        fill(&pane->shown, (view_rect){at_x - edge, at_y + HOLE - edge, wide, length}, level, level, level);
    }
}

void view_draw_pin(const view_rect *clip, double x, double y) {
    const int at_x = (int)floor(x), at_y = (int)floor(y);
    for (int edge = 1; edge >= 0; edge--) { /* dark, then bright inside: a square with its middle left open */
        const float red = edge ? 0 : 1, green = edge ? 0 : 0.75f, blue = edge ? 0 : 0.361f;
        const int reach = PIN + edge, wide = 1 + 2 * edge, length = 2 * reach + 1;
        fill(clip, (view_rect){at_x - reach, at_y - PIN - edge, length, wide}, red, green, blue);
        fill(clip, (view_rect){at_x - reach, at_y + PIN - edge, length, wide}, red, green, blue);
        fill(clip, (view_rect){at_x - PIN - edge, at_y - reach, wide, length}, red, green, blue);
        fill(clip, (view_rect){at_x + PIN - edge, at_y - reach, wide, length}, red, green, blue);
    }
}

void view_draw_frame(const view_rect *clip, double left, double bottom, double right, double top) {
    /* Far outside of the clip, where the edge is not seen, no matter how large the zoom makes it. */
    const double x0 = fmax(left, clip->x - 4), x1 = fmin(right, clip->x + clip->width + 4);
    const double y0 = fmax(bottom, clip->y - 4), y1 = fmin(top, clip->y + clip->height + 4);
    if (x1 <= x0 || y1 <= y0) return;
    const view_rect r = {(int)floor(x0), (int)floor(y0), (int)ceil(x1 - x0), (int)ceil(y1 - y0)};
    for (int edge = 1; edge >= 0; edge--) {
        const float red = edge ? 0 : 1, green = edge ? 0 : 0.75f, blue = edge ? 0 : 0.361f;
        const int wide = 1 + 2 * edge;
        fill(clip, (view_rect){r.x - edge, r.y - edge, r.width + wide, wide}, red, green, blue);
        fill(clip, (view_rect){r.x - edge, r.y + r.height - edge, r.width + wide, wide}, red, green, blue);
        fill(clip, (view_rect){r.x - edge, r.y - edge, wide, r.height + wide}, red, green, blue);
        fill(clip, (view_rect){r.x + r.width - edge, r.y - edge, wide, r.height + wide}, red, green, blue);
    }
}
