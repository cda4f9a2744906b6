/* The figures of a session over the last seconds, for the panel's plots: rates, times, drops.
 * Thread: main. */
#ifndef APP_VIEWER_FIGURES_H
#define APP_VIEWER_FIGURES_H

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

/* {0} is empty. */
typedef struct figures {
    trace traces[FIGURE_COUNT];
    long long totals[FIGURE_COUNT]; /* of counts */
    bool known[FIGURE_COUNT];       /* a value has been added */
} figures;

/* Adds a value at `now`, by sv_seconds. */
void figures_add(figures *figures, figure which, double now, double value);

/* Sets a count, which never decreases, to `total`. */
void figures_count(figures *figures, figure which, double now, long long total);

/* Writes what the panel shows of all that are known; borrowed from `figures`. */
void figures_describe(const figures *figures, double now, panel_figures *shown);

/* Writes how much memory that is: "512 MB on the GPU, 8 MB in main memory". Returns `text`. */
char *figures_describe_memory(const sv_footprint *memory, char *text, size_t size);

#endif
