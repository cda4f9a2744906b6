/* What the mouse does to the views: the wheel zooms around the pointer, a drag moves the picture or the camera of the
 * cloud, and with Shift it draws a rectangle on the picture; a click pins the pixel. */
#include "render/view/view_measures.h"
#include "render/view/view_units.h"

#include <math.h>
#include <stdlib.h>

static const double notch = 1.25; /* the factor of a notch of the wheel */
static const int near_line = 6;   /* framebuffer pixels: the mouse is on the line between A and B if it is this close */
static const int still = 3;       /* framebuffer pixels: a button released within this distance has clicked */

/* The part with the pixel x, y, -1 if there is none; beside a picture, that of its cell. */
static int part_at(const view_part *parts, int count, int x, int y) {
    view_rect cells[VIEW_MOST_PARTS];
    for (int i = 0; i < count; i++) cells[i] = parts[i].pane.cell;
    return layout_find(cells, count, x, y);
}

/* True if the mouse is at the line between A and B. */
static bool is_on_line(const view *v, const view_settings *settings, const view_part *part, int x) {
    int line;
    return view_is_split(v, settings, part->kind, &part->pane.cell, &line) && abs(x - line) <= near_line;
}

/* True if such a drag draws a rectangle: the right picture has no disparities. */
static bool draws_box(const mouse_drag *drag, const view_part *part) {
    return !drag->button && drag->shift && part->kind != VIEW_CLOUD && part->kind != VIEW_RIGHT &&
           part->pane.shown.width;
}

/* In the cloud the left button turns the camera; with Shift it moves it, as the others do. */
static void drag_part(view *v, view_settings *settings, const view_part *part, int dx, int dy) {
    const mouse_drag *drag = &v->drag;
    if (draws_box(drag, part))
        view_drag_box(v, &part->pane, drag->x + dx, drag->y + dy, false);
    else if (part->kind != VIEW_CLOUD)
        settings->zoom = layout_drag(&part->pane, settings->zoom, dx, dy);
    else if (drag->button || drag->shift)
        view_cloud_pan(v, part->pane.cell, dx, dy);
    else
        view_cloud_turn(v, part->pane.cell, dx, dy);
}

/* The line stays in the view, where it can be grabbed again. */
static void drag_line(view_settings *settings, const view_rect *cell, int x) {
    if (cell->width > 0) settings->split = fmin(fmax((double)(x - cell->x) / cell->width, 0), 1);
}

static void press(view *v, const view_settings *settings, view_rect area, const view_part *part, int index,
                  const mouse_event *event) {
    mouse_drag *drag = &v->drag;
    /* A double click means something else: the pin of the first click is removed. */
    if (event->twice && drag->clicked) view_pin(v, settings, area, event->x, event->y);
    v->dragging = true;
    *drag = (mouse_drag){.button = event->button,
                         .part = index,
                         .shift = event->shift,
                         .split = is_on_line(v, settings, part, event->x),
                         .clicks = !event->button && !event->shift && !event->twice,
                         .from_x = event->x,
                         .from_y = event->y,
                         .x = event->x,
                         .y = event->y};
    if (!drag->split && draws_box(drag, part)) view_drag_box(v, &part->pane, event->x, event->y, true);
}

bool view_mouse(view *v, view_settings *settings, view_rect area, const mouse_event *event) {
    view_part parts[VIEW_MOST_PARTS];
    const int count = view_parts(settings, area, v->width, v->height, parts);
    const int over = part_at(parts, count, event->x, event->y);
    mouse_drag *drag = &v->drag;
    switch (event->kind) {
    case MOUSE_PRESS:
        if (over < 0 || v->dragging) return false;
        press(v, settings, area, &parts[over], over, event);
        return true;
    case MOUSE_RELEASE:
        if (!v->dragging || drag->button != event->button) return false;
        v->dragging = false;
        drag->clicked = drag->clicks && !drag->split;
        if (drag->clicked) view_pin(v, settings, area, event->x, event->y);
        return true;
    case MOUSE_MOVE:
        if (!v->dragging || drag->part >= count) return false;
        if (drag->split)
            drag_line(settings, &parts[drag->part].pane.cell, event->x);
        else
            drag_part(v, settings, &parts[drag->part], event->x - drag->x, event->y - drag->y);
        drag->x = event->x;
        drag->y = event->y;
        drag->clicks &= abs(event->x - drag->from_x) <= still && abs(event->y - drag->from_y) <= still;
        return true;
    case MOUSE_WHEEL:
        if (over < 0) return false;
        if (parts[over].kind == VIEW_CLOUD)
            view_cloud_zoom(v, event->wheel);
        else
            settings->zoom = layout_zoom_at(&parts[over].pane, v->width, v->height, settings->zoom, event->x, event->y,
                                            pow(notch, event->wheel));
        return true;
    }
    return false;
}

void view_one_to_one(const view *v, view_settings *settings, view_rect area, int x, int y) {
    view_part parts[VIEW_MOST_PARTS];
    const int count = view_parts(settings, area, v->width, v->height, parts), over = part_at(parts, count, x, y);
    const view_pane *pane = &parts[over < 0 ? 0 : over].pane;
    if (!pane->shown.width) return;
    if (over < 0) {
        x = pane->cell.x + pane->cell.width / 2;
        y = pane->cell.y + pane->cell.height / 2;
    }
    settings->zoom = layout_one_to_one(pane, x, y);
}
