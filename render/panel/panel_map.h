/* What the panel shows of the map on the screen. Strings are borrowed for the call that draws; NULL:
 * not shown. */
#ifndef RENDER_PANEL_PANEL_MAP_H
#define RENDER_PANEL_PANEL_MAP_H

#include "render/panel/trace.h"
#include "render/view/measure_table.h"
#include "stereo/costs.h"

/* The two lines at the bottom of the bar. */
typedef struct panel_status {
    double shown_rate, matched_rate; /* a second */
    bool still;                      /* nothing plays, so there are no rates, but: */
    double match_ms;                 /* how long a match takes; 0: not known yet */
    double of_real_time;             /* how fast a recording plays, as a factor of real time; 0: not shown */
    const sv_params *params;         /* of the map; before the first, those that are being matched with */
    float range[2];                  /* of the colours; shown of a model, which searches no range */
    const char *backend;             /* "cuda" */
    const char *sets[2];             /* A and B in words, instead of these, where two sets are compared */
    const char *difference;          /* of their maps */
    const char *drift;               /* of the cameras since they were aligned, in a few words */
    bool moved;                      /* `drift` is a warning */
} panel_status;

/* A figure of the statistics over the last seconds. */
typedef struct panel_figure {
    const char *name, *unit;
    const trace *trace;
    bool counts; /* the trace has how often something happened, and */
    long long total;
} panel_figure;

/* The column of the statistics: figures with a plot, and below them texts with a heading ("": none). */
enum { PANEL_MAX_FIGURES = 24, PANEL_MAX_ROWS = 4 };
typedef struct panel_figures {
    panel_figure figures[PANEL_MAX_FIGURES];
    int count;
    double now; /* by the clock of their traces */
    const char *rows[PANEL_MAX_ROWS][2];
    int row_count;
} panel_figures;

/* The costs of the pixel under the mouse, as a plot. */
typedef struct panel_costs {
    bool on;                 /* they are plotted */
    const sv_costs *costs;   /* NULL: they are not known yet */
    const sv_params *params; /* of the match that had them */
    bool compared, second;   /* there are two maps; they are of B */
    const char *age;         /* that they are not those of the map on the screen; NULL: they are */
} panel_costs;

/* What the view of the costs shows. */
typedef struct panel_cost_view {
    bool known;      /* there are costs: */
    float min, max;  /* that its colours cover */
    int method;      /* sv_method, which says what they are measured in */
    double at_mouse; /* of the pixel under the mouse; NAN: none */
    const char *age; /* as in panel_costs */
} panel_cost_view;

/* The table of pins and rectangle: INPUT_MEASURES shows and hides it, INPUT_SAVE_MEASURES writes it into a file. */
typedef struct panel_measures {
    bool shown;
    bool metres; /* distances are known, so that a true one can be typed */
    measure_row rows[MEASURE_ROWS];
    int count;
    bool typed;      /* set if the user has typed a true distance: */
    int typed_row;   /* of the row, */
    double distance; /* metres; 0: it is not known */
} panel_measures;

/* Writes what the plot of the costs says: "(120, 80): 31.25 px, valid", the winner, and the second best. The value is
 * that of `at`, the pixel under the mouse, if the costs are of that pixel and of its map. */
void panel_describe_costs(const panel_costs *costs, const view_pixel *at, char *pixel, char *winner, char *second,
                          size_t size);

#endif
