/* What the panel shows of files: the box that asks for an input, and the one that exports. Strings are borrowed for the
 * call that draws; NULL: not shown. */
#ifndef RENDER_PANEL_PANEL_FILES_H
#define RENDER_PANEL_PANEL_FILES_H

#include "stereo/stereo.h"

enum { PANEL_MAX_RECENT = 10, PANEL_MAX_CAMERAS = 8, PANEL_MAX_NAME = 1024 };

/* The box that asks for another input. */
enum { PANEL_OPEN_LEFT, PANEL_OPEN_RIGHT, PANEL_OPEN_CALIBRATION, PANEL_OPEN_TRUTH, PANEL_OPEN_FIELDS };
typedef struct panel_opening {
    bool shown;                                    /* it asks */
    unsigned times;                                /* that it was shown, with this one */
    char names[PANEL_OPEN_FIELDS][PANEL_MAX_NAME]; /* as they are typed; written together with INPUT_OPEN_NAMES, all but
                                                    * the first may be "" */
    int layout, order; /* as chosen, written too: 1 + a layout, 1 left first, 2 right first; 0: found */
    int layout_count;
    const char *(*layout_name)(int layout);
    const char *waiting;               /* a dropped file that waits for its other side */
    char *recent[PANEL_MAX_RECENT][2]; /* borrowed; the second may be NULL */
    const char *recent_short[PANEL_MAX_RECENT];
    int recent_count;
    char cameras[PANEL_MAX_CAMERAS][16]; /* devices */
    int camera_count;
    const char *start;           /* the folder, with its slash, where a name without one is looked for */
    char folder[PANEL_MAX_NAME]; /* written: the one that is to be listed */
    const char *const *entries;  /* what it holds, folders first */
    int entry_count, folder_count;
    const char *folder_text; /* why nothing is listed */
    sv_image views[2];       /* small pictures of both sides, SV_COLOUR8, dense; no data: none */
    float aspect;            /* to show them with */
    int version;             /* changes with them */
    bool again;              /* the requested input could not be opened */
    const char *views_text;  /* what they are */
} panel_opening;

/* What its box keeps between frames. */
typedef struct opening_box {
    unsigned times; /* of the panel_opening that was drawn last */
    bool lists;     /* it is to list the folder in the first field */
    int field;      /* that is typed in, or was last */
    int mark;       /* the entry of the list that Enter takes; -1: none */
    bool enters;    /* the field gets the keyboard in this frame */
    bool whole;     /* with all of it selected, until it is edited; otherwise its cursor goes to the end */
    bool moves;     /* the list scrolls to the mark */
    unsigned textures[2];
    int version; /* of what they show */
} opening_box;

/* The box that exports a range of frames. */
typedef struct panel_export {
    bool shown;
    char file[PANEL_MAX_NAME]; /* without its ending; written together with INPUT_EXPORT_START, as are: */
    int format, first, last;   /* frames, both included; last -1: to the end */
    int format_count;
    const char *(*format_name)(int format);
    bool running;
    float share;      /* of the frames that are done */
    const char *text; /* how far it is, how it ended, or why it cannot begin */
} panel_export;

#endif
