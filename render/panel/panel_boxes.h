/* What stands over the picture: boxes that ask the user, a message, an advice. Strings are borrowed for the call that
 * draws; NULL: not shown. */
#ifndef RENDER_PANEL_PANEL_BOXES_H
#define RENDER_PANEL_PANEL_BOXES_H

#include <stdbool.h>

enum { PANEL_MAX_RECENT = 10, PANEL_MAX_CAMERAS = 8, PANEL_MAX_NAME = 1024 };

/* What asks for another input. */
typedef struct panel_opening {
    bool shown;                    /* it asks */
    char names[2][PANEL_MAX_NAME]; /* as they are typed; written together with INPUT_OPEN_NAMES, the second may be "" */
    const char *waiting;           /* a dropped file that waits for its other side */
    char *recent[PANEL_MAX_RECENT][2]; /* borrowed; the second may be NULL */
    int recent_count;
    char cameras[PANEL_MAX_CAMERAS][16]; /* devices */
    int camera_count;
} panel_opening;

/* What saves and loads settings, beside the lists of the last files and of qualities. */
typedef struct panel_settings {
    bool shown;
    char file[PANEL_MAX_NAME]; /* as it is typed; written together with INPUT_SAVE_SETTINGS and INPUT_LOAD_SETTINGS */
    const char *question;      /* that INPUT_CONFIRM or INPUT_DECLINE answers */
    const char *recent[PANEL_MAX_RECENT]; /* borrowed */
    int recent_count;
} panel_settings;

enum { PANEL_MAX_QUALITIES = 32, PANEL_MAX_QUALITY_NAME = 41 };
typedef struct panel_qualities {
    const char *names[PANEL_MAX_QUALITIES]; /* borrowed */
    int built_in, count;                    /* the built-in ones come first */
    int current;                            /* that the parameters are those of; -1: none */
    int chosen;                             /* written together with INPUT_QUALITY */
    char name[PANEL_MAX_QUALITY_NAME]; /* as it is typed; written with INPUT_SAVE_QUALITY and INPUT_DELETE_QUALITY */
} panel_qualities;

/* One line over the picture. */
typedef struct panel_message {
    const char *text;
    bool is_error;
} panel_message;

/* What looks wrong, and one or two buttons that cure it. */
typedef struct panel_advice {
    const char *text, *cures[2];
} panel_advice;

#endif
