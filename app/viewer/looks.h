/* How the window looked when it was closed, kept for the next start in the user's folder of states (places.h).
 * Thread: main. */
#ifndef APP_VIEWER_LOOKS_H
#define APP_VIEWER_LOOKS_H

typedef struct looks {
    int width, height; /* of the window, as window_options takes them */
    double panel;      /* width of the panel, as in panel_state */
    int theme;         /* panel_theme */
} looks;

/* Reads them; what is not there, or makes no sense, stays as it is. */
void looks_read(looks *looks);

/* Writes them. What goes wrong is in the log, for those who debug. */
void looks_write(const looks *looks);

#endif
