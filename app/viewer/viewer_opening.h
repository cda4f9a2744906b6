/* The box of the window that asks for an input: what it lists, and the small pictures of what is typed there. Main
 * thread. */
#ifndef APP_VIEWER_VIEWER_OPENING_H
#define APP_VIEWER_VIEWER_OPENING_H

#include "app/media/folder_reader.h"
#include "app/media/preview.h"
#include "app/viewer/recent.h"
#include "render/panel/panel_files.h"

typedef struct viewer_opening {
    panel_opening *shown; /* borrowed */
    recent recent;
    char short_names[RECENT_MOST][128];
    char start[PANEL_MAX_NAME];
    folder_reader *reader;
    char listed[PANEL_MAX_NAME]; /* the folder that it reads */
    const char **entries;
    preview *preview;
    request typed;  /* what was typed last, */
    double changed; /* since when, by sv_seconds */
    bool previewed; /* `preview` is, or was, of it */
} viewer_opening;

void viewer_opening_init(viewer_opening *opening, panel_opening *shown);
void viewer_opening_close(viewer_opening *opening);

void viewer_opening_show(viewer_opening *opening, bool show); /* with what was opened recently, and the cameras */
void viewer_opening_show_again(viewer_opening *opening);      /* after the requested input could not be opened */
bool viewer_opening_is_shown(const viewer_opening *opening);

/* What is typed and chosen. */
request viewer_opening_request(const viewer_opening *opening);

/* For every frame. `waiting`: a file that waits for its other side, or NULL; borrowed until the next call. `options`:
 * of the current session, with which a preview is opened. */
void viewer_opening_update(viewer_opening *opening, const char *waiting, const options *options);

#endif
