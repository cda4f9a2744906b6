/* What is shown over the picture: dialog boxes and messages. Strings are borrowed for the call that draws; NULL: not
 * shown. */
#ifndef RENDER_PANEL_PANEL_BOXES_H
#define RENDER_PANEL_PANEL_BOXES_H

#include "render/panel/panel_files.h"

/* The box that saves and loads settings, with the lists of recent files and of qualities. */
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

/* The list of the messages that were shown. */
enum { PANEL_MOST_MESSAGES = 60 };
typedef struct panel_noted {
    const char *text, *time;
    const char *file; /* that was written */
    sv_level level;
} panel_noted;
typedef struct panel_messages {
    bool shown;                             /* the list is; INPUT_MESSAGES changes it */
    panel_noted lines[PANEL_MOST_MESSAGES]; /* a ring */
    int newest, count;
} panel_messages;

#endif
