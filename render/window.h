/* The window: GLFW, and an OpenGL 3.3 core context that is current on the main thread while it is open.
 * There is one window at a time. Main thread only, except for window_wake.
 *
 * Places are in pixels of the framebuffer with the origin at the bottom left, as OpenGL counts. */
#ifndef RENDER_WINDOW_H
#define RENDER_WINDOW_H

#include "render/input.h"
#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct window_options {
    const char *title;
    int width, height; /* of the window, in screen coordinates */
    bool vsync;
    bool debug;  /* a debug context: OpenGL's messages go to the log as they come */
    bool hidden; /* never shown; for tests and for drawing pictures only */
} window_options;

typedef struct window window;

/* Opens it and makes its context current. SV_NO_DEVICE where there is no display or no OpenGL 3.3. */
sv_status window_open(window **out, const window_options *options, sv_error *error);
void window_close(window *window); /* NULL is fine */

/* True once the connection to an X server has broken. Xlib then calls exit, so only what is called at exit sees it. Any
 * thread. */
bool window_display_lost(void);

/* Handles the events that have come; waits at most `seconds` for the first (0: does not wait). */
void window_poll(window *window, double seconds);

/* Ends a window_poll that waits. Any thread, while a window is open. */
void window_wake(void);

/* The next thing that was asked for, by a key, the panel or the window's close button; false if there
 * is none. */
bool window_next_action(window *window, input_action *action);
void window_push_action(window *window, input_action action);

/* `keys`: no key is an action, for someone is typing into a field. `escape`: Esc is none, for a popup is open. */
void window_mute_keys(window *window, bool keys, bool escape);

/* True, once, if Esc was pressed while it was muted. */
bool window_take_escape(window *window);

/* Size of the framebuffer; 0 x 0 while minimised. */
void window_size(const window *window, int *width, int *height);

/* Framebuffer pixels for each unit that text and widgets are laid out in: 1, or more on a dense screen. */
float window_scale(const window *window);

/* Where the mouse is; false while it is outside. */
bool window_mouse(const window *window, int *x, int *y);

void window_set_vsync(window *window, bool vsync);
void window_toggle_full_screen(window *window);
bool window_leave_full_screen(window *window); /* false if it is not full screen */

/* Begins a frame: the whole framebuffer becomes the background colour. */
void window_clear(window *window);

/* Ends it. Does not wait for the screen while minimised, so the caller paces itself then. */
void window_swap(window *window);

/* The GLFWwindow, for panel.cpp. */
void *window_handle(window *window);

#ifdef __cplusplus
}
#endif

#endif
