/* The statistics of the window: figures of the last seconds, for plots (rates, times, drops), and rows below them. Main
 * thread. */
#ifndef APP_VIEWER_VIEWER_FIGURES_H
#define APP_VIEWER_VIEWER_FIGURES_H

#include "app/play/player.h"
#include "app/play/session.h"
#include "render/panel/panel_map.h"

typedef enum figure {
    FIGURE_CAPTURED, /* pairs a second */
    FIGURE_MATCHED,
    FIGURE_SHOWN,
    FIGURE_DECODE, /* milliseconds, as the following */
    FIGURE_UPLOAD, /* and the other stages, in the order of sv_stage */
    FIGURE_DRAW = FIGURE_UPLOAD + SV_STAGE_COUNT,
    FIGURE_LATENCY,    /* from capture to screen */
    FIGURE_SKEW,       /* between both pictures of a pair */
    FIGURE_LEFT_ALONE, /* frames that were dropped: counts, as the following */
    FIGURE_RIGHT_ALONE,
    FIGURE_LATE,
    FIGURE_BROKEN,
    FIGURE_COUNT
} figure;

/* {0} at the beginning of a session. */
typedef struct viewer_figures {
    trace traces[FIGURE_COUNT];
    long long totals[FIGURE_COUNT]; /* of counts */
    bool known[FIGURE_COUNT];       /* a value has been added */
    sv_params measured[2];          /* A and B when the matchers' memory was measured, */
    int sets;                       /* how many of them, 0: not yet, */
    double measured_at;             /* by sv_seconds */
    char memory[80];
    char rows[PANEL_MAX_ROWS][400];
    double captured; /* when the pair of the last map was captured, by sv_seconds */
} viewer_figures;

void viewer_figures_add_result(viewer_figures *figures, const player_result *result, bool live);

/* A frame was drawn in `drawn` ms and is on the screen. `captured`: when the pair of a new map was captured, 0 if the
 * map is not new. `parts`: drawn so far. */
void viewer_figures_add_frame(viewer_figures *figures, stats *stats, double drawn, double captured, long long parts);

/* Updates rates and drops, and returns how many pairs a second were matched recently. `skipped`: pairs that the player
 * has left out. */
double viewer_figures_update(viewer_figures *figures, const session *session, int64_t skipped, panel_status *status,
                             panel_figures *shown);
void viewer_figures_add_matched(viewer_figures *figures, double rate); /* pairs a second */

/* Measures the matchers' memory, which makes CUDA wait for the device and is therefore done seldom, and writes the rows
 * below the figures. Call it while they are shown. `sets`: A and, where it is in use, B, else NULL; `interop`: maps are
 * shared with OpenGL. */
void viewer_figures_write_rows(viewer_figures *figures, const session *session, const sv_params *const sets[2],
                               bool interop, panel_figures *shown);

#endif
