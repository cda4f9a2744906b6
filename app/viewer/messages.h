/* The messages that the window has shown, in its own words: a command-line option becomes the button that does it, or
 * is left out. Thread: one at a time. */
#ifndef APP_VIEWER_MESSAGES_H
#define APP_VIEWER_MESSAGES_H

#include "render/panel/panel_messages.h"

#include <stddef.h>

enum { MESSAGES_MOST = PANEL_MOST_MESSAGES };
typedef struct messages {
    struct {
        char text[400], file[1024], time[12];
    } each[MESSAGES_MOST];
    int newest; /* index of the last one */
} messages;

/* Writes a line of the log in words of the window. Returns `text`. */
char *messages_in_words(const char *line, char *text, size_t size);

/* Adds a message; `file`: what was written, or "". The same text again replaces the last one. */
void messages_add(messages *messages, panel_messages *shown, const char *text, const char *file, sv_level level);

#endif
