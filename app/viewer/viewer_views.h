/* The views of the window: what each shows, and from where. Main thread. */
#ifndef APP_VIEWER_VIEWER_VIEWS_H
#define APP_VIEWER_VIEWER_VIEWS_H

#include "app/play/session.h"
#include "app/viewer/viewer_notice.h"
#include "render/view/view.h"
#include "render/window/window.h"

typedef struct viewer_views {
    viewer_notice *notice; /* borrowed, as are the other pointers */
    view_settings *settings;
    const session *session;
    view *view;           /* NULL while no input is open */
    int instead_of_cloud; /* view_kind that the key of the cloud brings back */
    bool pressed;         /* the last press of a mouse button was over the picture of this session */
} viewer_views;

/* Does what the user asks for. `area`: of the picture; `lacking`: VIEW_NEEDS_... of kinds that are not offered. */
void viewer_views_act(viewer_views *views, const input_event *event, view_rect area, unsigned lacking);

/* Passes on what the mouse did, or drops it while there is no picture. `over_panel`: the mouse is over the panel. */
void viewer_views_follow_mouse(viewer_views *views, window *window, const mouse_event *event, view_rect area,
                               bool over_panel);

#endif
