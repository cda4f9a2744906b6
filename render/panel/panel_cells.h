/* The strip above the views: the state of each thing that can be wrong with the rig. Strings are borrowed for the call
 * that draws; NULL: not shown. */
#ifndef RENDER_PANEL_PANEL_CELLS_H
#define RENDER_PANEL_PANEL_CELLS_H

#include <stdbool.h>

/* How something is. */
typedef enum panel_grade { PANEL_UNKNOWN, PANEL_GOOD, PANEL_DOUBTFUL, PANEL_BAD } panel_grade;

/* The history of a figure over the last minutes: `count` values from `first` on, modulo PANEL_HISTORY. */
enum { PANEL_HISTORY = 300 };
typedef struct panel_history {
    float values[PANEL_HISTORY];
    double at[PANEL_HISTORY]; /* seconds */
    int first, count;
} panel_history;

/* The strip above the views: a cell for each thing that can be wrong with the rig, and its pane when it is opened. */
enum { PANEL_MOST_CELLS = 8, PANEL_CELL_CURES = 2 };
typedef struct panel_cell {
    const char *name;   /* "brightness", */
    const char *brief;  /* "bright.", where there is less room */
    const char *figure; /* "0.12 px"; "": none */
    panel_grade grade;
    const char *finding, *meaning;       /* sentences */
    const char *cures[PANEL_CELL_CURES]; /* words of the buttons of INPUT_CURE and INPUT_CURE_OTHERWISE */
    const panel_history *history;        /* NULL: it has no plot */
    const char *unit;                    /* of the plot */
    bool aligns, calibrates;             /* it has the buttons that align the cameras, that calibrate them */
} panel_cell;
/* What the user enters about cameras without a calibration; written together with INPUT_USE_METRES. */
typedef struct panel_metres {
    bool shown;
    float fov, baseline; /* degrees; mm, 0 if unknown */
} panel_metres;
typedef struct panel_strip {
    panel_cell cells[PANEL_MOST_CELLS];
    int count;           /* 0: no strip */
    int opened;          /* the cell whose pane is open, -1: none; written */
    double now;          /* by the clock of the histories */
    panel_metres metres; /* of the cell that calibrates */
} panel_strip;

#endif
