/* What the window says of its input: its names, in the panel and the title. Main thread. */
#ifndef APP_VIEWER_VIEWER_SOURCE_H
#define APP_VIEWER_VIEWER_SOURCE_H

#include "app/play/session.h"
#include "render/panel/panel_map.h"
#include "render/window/window.h"

typedef struct viewer_source {
    char names[2][1024]; /* of both sides */
    char both[1024];     /* for people */
} viewer_source;

/* For a session that is open. It is kept for the start screen of later runs by viewer_source_remember. */
void viewer_source_begin(viewer_source *source, const session *session, window *window, panel_source *shown);
const char *viewer_source_names(const viewer_source *source); /* for people */
void viewer_source_remember(const session *session);

#endif
