/* The costs that the window shows: of the pixel under the mouse as a plot, of all winners as a view. Main thread. */
#ifndef APP_VIEWER_VIEWER_COSTS_H
#define APP_VIEWER_VIEWER_COSTS_H

#include "app/play/costs.h"
#include "app/play/session.h"
#include "render/panel/panel_map.h"
#include "render/view/view.h"

typedef struct viewer_costs {
    panel_costs *plot; /* what the panel shows; borrowed */
    panel_cost_view *shown;
    costs *costs;           /* NULL: they were not requested yet */
    costs_question of_view; /* what the view of the costs shows, if it shows any */
    char view_age[48], plot_age[48];
} viewer_costs;

void viewer_costs_toggle(viewer_costs *costs); /* the plot */

/* What is to be asked, and answered, for the map on the screen. */
typedef struct viewer_costs_of {
    int64_t frame;
    const frame_pair *pair;
    const sv_params *params[2]; /* of A, B; the second NULL: none is shown */
    bool leads;                 /* B's numbers are shown */
    bool compares;              /* two sets are in use */
    bool winners;               /* a view shows the costs of the winners */
    const view_pixel *pixel;    /* under the mouse, or NULL */
} viewer_costs_of;

/* Asks for the costs of that pixel, if they are plotted, and of the winners, and shows what is known. */
void viewer_costs_follow(viewer_costs *costs, const session *session, view *view, const viewer_costs_of *of);

/* Shows none; before the rectification or the view is freed. */
void viewer_costs_end(viewer_costs *costs, view *view);

#endif
