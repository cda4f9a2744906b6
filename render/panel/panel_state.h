/* Everything that the panel shows and lets the user change, as one structure for each of its parts. */
#ifndef RENDER_PANEL_PANEL_STATE_H
#define RENDER_PANEL_PANEL_STATE_H

#include "render/panel/panel_boxes.h"
#include "render/panel/panel_map.h"
#include "render/panel/panel_reading.h"
#include "render/panel/panel_rig.h"
#include "render/panel/panel_run.h"
#include "render/view/view.h"

/* The colours of the panel. Next to and over the pictures, both are dark. */
typedef enum panel_theme { PANEL_DARK, PANEL_LIGHT, PANEL_THEME_COUNT } panel_theme;

const char *panel_theme_name(int theme); /* "dark"; "?" if out of range */

/* Widths that the panel can have, in heights of its text. */
enum { PANEL_LEAST_WIDTH = 18, PANEL_WIDTH = 22, PANEL_MOST_WIDTH = 44 };

/* What is shown besides the picture. Read and written. */
typedef struct panel_looks {
    bool open;    /* the panel itself */
    double width; /* of it, in heights of its text */
    int theme;    /* panel_theme */
    bool statistics, help;
    bool full_screen; /* the bar lies over the picture */
    bool bar_hidden;  /* in full screen: it is not drawn */
    bool readings;    /* beside the pointer; in full screen without the bar they are always shown */
} panel_looks;

/* Everything that is shown and can be changed: a structure for each part, which says what is written to it. The caller
 * fills them in; zero is right for everything that does not apply. */
typedef struct panel_state {
    bool empty; /* no input is open: only the opening, a message and the list of keys are shown */
    panel_looks looks;
    view_settings view; /* read and written */
    panel_source source;
    panel_playback playback;
    panel_offset offset;
    panel_params params;
    panel_qualities qualities;
    panel_compare compare;
    panel_status status;
    panel_figures figures;
    panel_strip strip;
    panel_rig rig;
    panel_board_choice board_choice;
    panel_controls controls;
    const panel_board *board; /* NULL: not calibrating */
    panel_costs costs;
    panel_cost_view cost_view;
    panel_opening opening;
    panel_settings settings;
    panel_export exported;
    panel_message message;
    panel_measures measures;
    panel_messages messages;
    const char *score;              /* of the map against its truth, in words; NULL: not known */
    const sv_rectification *metric; /* that gives metres; NULL: none does */
    const view_pixel *pixel;        /* under the mouse */
    panel_reading reading;          /* of that pixel */
    const histogram *histogram;     /* of the map on the screen; NULL: not counted yet */
    const view_errors *errors;      /* of the map against its truth; NULL: not known */
    unsigned lacking;               /* VIEW_NEEDS_... of kinds of views that are not offered */
    const view_word *words;         /* in the picture */
    int word_count;
} panel_state;

#endif
