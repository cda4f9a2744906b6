/* How the window looked when it was closed, kept for the next start in the user's folder of states (places.h).
 * Thread: main. */
#ifndef APP_VIEWER_WINDOW_STATE_H
#define APP_VIEWER_WINDOW_STATE_H

typedef struct window_state {
    int width, height; /* of the window, as window_options takes them */
    double panel;      /* width of the panel, as in panel_state */
    int theme;         /* panel_theme */
} window_state;

/* Reads it; values that are missing or make no sense stay as they are. */
void window_state_read(window_state *state);

/* Writes it. Errors are logged at the debug level. */
void window_state_write(const window_state *state);

#endif
