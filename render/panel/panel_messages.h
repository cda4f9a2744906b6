/* The list of the messages that were shown. Strings are borrowed for the call that draws; NULL: not shown. */
#ifndef RENDER_PANEL_PANEL_MESSAGES_H
#define RENDER_PANEL_PANEL_MESSAGES_H

#include "stereo/stereo.h"

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
