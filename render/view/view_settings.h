/* What the views show, and where in the window. Positions are as in window.h.
 * Thread: any. */
#ifndef RENDER_VIEW_VIEW_SETTINGS_H
#define RENDER_VIEW_VIEW_SETTINGS_H

#include "map/colour.h"
#include "render/view/cloud.h"
#include "render/view/kinds.h"
#include "render/view/layout.h"

/* The disparity range that the colours cover. */
typedef enum view_range {
    VIEW_RANGE_SEARCHED,  /* the searched range of the parameters */
    VIEW_RANGE_AUTOMATIC, /* the range found in the map: 2nd to 98th percentile, followed by degrees */
    VIEW_RANGE_FIXED,     /* colour.min and colour.max as the user set them */
    VIEW_RANGE_COUNT
} view_range;

/* Which map is shown if there are two. The point cloud and the costs are of A, or of B if it is shown alone. */
typedef enum view_compared {
    VIEW_A,
    VIEW_B,
    VIEW_SPLIT, /* A to the left of a line, B to its right */
    VIEW_COMPARED_COUNT
} view_compared;

typedef struct view_settings {
    int layout;           /* view_layout */
    double aspect;        /* width of the pictures divided by their height; 0: not known yet */
    int kinds[VIEW_MOST]; /* view_kind of each view; views without room in the layout keep theirs */
    int range;            /* view_range */
    view_zoom zoom;       /* of all views */
    bool legend;
    bool metres;         /* the legend is in metres, if they are known */
    int compared;        /* view_compared */
    double split;        /* where the line is in each view: 0 at its left edge, 1 at its right edge */
    bool no_cross;       /* the pixel under the mouse is not marked */
    space_limits limits; /* of the depth, for all views of the map but those of the reasons, confidence and cost */
    cloud_settings cloud;
    colour_settings colour; /* min and max are written by view_follow_range unless the range is fixed */
} view_settings;

/* A picture in a view. */
typedef struct view_part {
    int view; /* index of the view */
    int kind; /* what is drawn here */
    view_pane pane;
} view_part;

/* One view, of the disparity; the others left picture, reasons and blend. Searched range, legend, colour_default(). */
view_settings view_default(void);

const char *view_range_name(int range); /* "searched"; "?" if out of range */

/* True if one of the layout's views is of that kind. */
bool view_shows(const view_settings *settings, int kind);

/* What the views of the layout need: VIEW_NEEDS_... */
unsigned view_needs(const view_settings *settings);

/* Places the views of the layout in `area`, and returns how many parts they consist of; the pictures are of width x
 * height pixels. */
int view_parts(const view_settings *settings, view_rect area, int width, int height, view_part parts[VIEW_MOST_PARTS]);

/* The index of the view with the pixel x, y of the framebuffer, -1 if there is none. */
int view_find(const view_settings *settings, view_rect area, int x, int y);

#endif
