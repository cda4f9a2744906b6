/* What the window says of its input: its names, in the panel and the title. Main thread. */
#ifndef APP_VIEWER_VIEWER_SOURCE_H
#define APP_VIEWER_VIEWER_SOURCE_H

#include "app/play/session.h"
#include "render/panel/panel_run.h"
#include "render/window/window.h"

typedef struct viewer_source {
    char names[2][1024]; /* of both sides */
    char both[1024];     /* for people */
    char offer[160];     /* that layout or sides were found, or were not; "": nothing to say */
    const char *cure;    /* the button beside it, which undoes that, or chooses the other layout */
    int layout;          /* that the button leads to */
    bool swap;
    const panel_source *shown;
} viewer_source;

/* For a session that is open. It is kept for the start screen of later runs by viewer_source_remember. */
void viewer_source_begin(viewer_source *source, const session *session, window *window, panel_source *shown);
void viewer_source_remember(const session *session);

int viewer_source_layout(const viewer_source *source); /* that is chosen in the panel */

#endif
