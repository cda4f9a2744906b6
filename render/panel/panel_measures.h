/* The table of pins and rectangle. */
#ifndef RENDER_PANEL_PANEL_MEASURES_H
#define RENDER_PANEL_PANEL_MEASURES_H

#include "render/view/measure_table.h"

/* INPUT_MEASURES shows and hides it, INPUT_SAVE_MEASURES writes it into a file. */
typedef struct panel_measures {
    bool shown;
    bool metres; /* distances are known, so that a true one can be typed */
    measure_row rows[MEASURE_ROWS];
    int count;
    bool typed;      /* set if the user has typed a true distance: */
    int typed_row;   /* of the row, */
    double distance; /* metres; 0: it is not known */
} panel_measures;

#endif
