/* The views of the window. */
#include "app/viewer/viewer_views.h"

#include "render/view/view_cloud.h"
#include "render/view/view_measures.h"

/* ---- The mouse -------------------------------------------------------------------------------- */

void viewer_views_follow_mouse(viewer_views *v, window *window, const mouse_event *event, view_rect area,
                               bool over_panel) {
    if (event->twice && !over_panel && v->pressed) window_toggle_full_screen(window);
    if (event->kind == MOUSE_PRESS) v->pressed = v->view && !over_panel;
    if (v->view && (!over_panel || event->kind == MOUSE_RELEASE || event->kind == MOUSE_MOVE))
        view_mouse(v->view, v->settings, area, event);
}

/* ---- Actions ---------------------------------------------------------------------------------- */

/* The kind of the view where the mouse was, otherwise of the first view. */
static int *kind_under_mouse(const viewer_views *v, const input_event *event, view_rect area) {
    const int which = view_find(v->settings, area, event->x, event->y);
    return &v->settings->kinds[which < 0 ? 0 : which];
}

/* Shows the next kind of view, or the one before. */
static void change_kind(viewer_views *v, const input_event *event, view_rect area, unsigned lacking, int by) {
    int *kind = kind_under_mouse(v, event, area);
    *kind = view_kind_beside(*kind, by, lacking);
    viewer_notice_set(v->notice, "%s", view_kind_name(*kind));
}

/* Shows the cloud, or again what was there before. */
static void toggle_cloud(viewer_views *v, const input_event *event, view_rect area) {
    int *kind = kind_under_mouse(v, event, area);
    const int before = *kind;
    *kind = before == VIEW_CLOUD ? v->instead_of_cloud : VIEW_CLOUD;
    if (before != VIEW_CLOUD) v->instead_of_cloud = before;
    viewer_notice_set(v->notice, "%s", view_kind_name(*kind));
}

static void change_layout(viewer_views *v) {
    v->settings->layout = (v->settings->layout + 1) % VIEW_LAYOUT_COUNT;
    viewer_notice_set(v->notice, "views: %s", view_layout_name(v->settings->layout));
}

static void change_colours(viewer_views *v) {
    colour_settings *colour = &v->settings->colour;
    colour->map = (colour->map + 1) % COLOUR_MAP_COUNT;
    viewer_notice_set(v->notice, "%s", colour_map_name(colour->map));
}

static void toggle_metres(viewer_views *v) {
    v->settings->metres = !v->settings->metres;
    if (!session_rectification(v->session)->metric)
        viewer_notice_set(v->notice, "metres need a calibration that gives the baseline in metres");
}

/* Hides what is nearer, or farther, than the pixel under the mouse; without such a pixel, nothing on that side. */
static void limit_depth(viewer_views *v, const input_event *event, view_rect area, bool farther) {
    space_limits *limits = &v->settings->limits;
    double *limit = farther ? &limits->farthest : &limits->nearest;
    double *other = farther ? &limits->nearest : &limits->farthest;
    const char *unit = space_unit_name(session_rectification(v->session)->metric ? SPACE_METRES : SPACE_BASELINES);
    *limit = view_depth_at(v->view, v->settings, area, event->x, event->y);
    if (limits->farthest > 0 && limits->nearest >= limits->farthest) *other = 0;
    if (*limit > 0)
        viewer_notice_set(v->notice, "hiding what is %s than %.3f %s", farther ? "farther" : "nearer", *limit, unit);
    else
        viewer_notice_set(v->notice, "nothing is hidden for being too %s", farther ? "far away" : "near");
}

static void fit(viewer_views *v, const input_event *event, view_rect area) {
    if (*kind_under_mouse(v, event, area) == VIEW_CLOUD)
        view_cloud_home(v->view);
    else
        v->settings->zoom = (view_zoom){0};
}

/* Pins the pixel that is drawn there, or removes the pin there. */
static void pin(viewer_views *v, const input_event *event, view_rect area) {
    if (!view_pin(v->view, v->settings, area, event->x, event->y))
        viewer_notice_set(v->notice, "no pixel of the map is under the mouse, or there are too many pins");
}

void viewer_views_act(viewer_views *v, const input_event *event, view_rect area, unsigned lacking) {
    view_settings *s = v->settings;
    switch (event->action) {
    case INPUT_VIEW: change_kind(v, event, area, lacking, 1); break;
    case INPUT_VIEW_BACK: change_kind(v, event, area, lacking, -1); break;
    case INPUT_ONE_TO_ONE: view_one_to_one(v->view, s, area, event->x, event->y); break;
    case INPUT_FIT: fit(v, event, area); break;
    case INPUT_CLOUD: toggle_cloud(v, event, area); break;
    case INPUT_CLOUD_HOME: view_cloud_home(v->view); break;
    case INPUT_FLY_AHEAD: view_cloud_fly(v->view, 0, 0, 1); break;
    case INPUT_FLY_BACK: view_cloud_fly(v->view, 0, 0, -1); break;
    case INPUT_FLY_LEFT: view_cloud_fly(v->view, -1, 0, 0); break;
    case INPUT_FLY_RIGHT: view_cloud_fly(v->view, 1, 0, 0); break;
    case INPUT_FLY_UP: view_cloud_fly(v->view, 0, -1, 0); break;
    case INPUT_FLY_DOWN: view_cloud_fly(v->view, 0, 1, 0); break;
    case INPUT_PIN: pin(v, event, area); break;
    case INPUT_UNPIN: view_remove_measures(v->view); break;
    case INPUT_LAYOUT: change_layout(v); break;
    case INPUT_COMPARE_VIEW: s->compared = (s->compared + 1) % VIEW_COMPARED_COUNT; break;
    case INPUT_COLOURS: change_colours(v); break;
    case INPUT_REASONS: s->colour.show_reasons = !s->colour.show_reasons; break;
    case INPUT_METRES: toggle_metres(v); break;
    case INPUT_LIMIT_NEAR: limit_depth(v, event, area, false); break;
    case INPUT_LIMIT_FAR: limit_depth(v, event, area, true); break;
    default: break;
    }
}
