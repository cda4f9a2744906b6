/* The window: GLFW, and an OpenGL 3.3 core context that is current on the main thread while the window is open. There
 * is one window at a time.
 *
 * Positions are in pixels of the framebuffer with the origin at the bottom left, as in OpenGL.
 * Thread: main, except for window_wake. */
#ifndef RENDER_WINDOW_WINDOW_H
#define RENDER_WINDOW_WINDOW_H

#include "render/window/input.h"
#include "stereo/stereo.h"

/* The smallest size in which the controls fit, in screen coordinates. */
enum { WINDOW_LEAST_WIDTH = 480, WINDOW_LEAST_HEIGHT = 320 };

typedef struct window_options {
    const char *title;
    int width, height;      /* of the window, in screen coordinates */
    const input_keys *keys; /* NULL: the default ones */
    bool vsync;
    bool debug;  /* a debug context: OpenGL's messages go to the log immediately */
    bool hidden; /* never shown; for tests and offscreen drawing */
} window_options;

typedef struct window window;

/* Opens the window and makes its context current.
 * Errors: SV_NO_DEVICE if there is no display or no OpenGL 3.3.
 * Lifetime: the caller closes it with window_close. */
sv_status window_open(window **out, const window_options *options, sv_error *error);
void window_set_title(window *window, const char *title);
void window_hide(window *window);  /* at once, for work that is left before it is closed; accepts NULL */
void window_close(window *window); /* accepts NULL */

/* True once the connection to an X server has broken. Xlib then calls exit, so only exit handlers see it.
 * Thread: any. */
bool window_display_lost(void);

/* Handles pending events; waits at most `seconds` for the first one (0: does not wait). */
void window_poll(window *window, double seconds);

/* Wakes a waiting window_poll.
 * Thread: any, while a window is open. */
void window_wake(void);

/* The keys of the actions, for texts that name them. */
const input_keys *window_keys(const window *window);

/* What the user did next: the mouse, wherever it was, or a key, the panel or the window's close button; false if
 * nothing.
 */
bool window_next_event(window *window, input_event *event);
void window_push_action(window *window, input_action action);
void window_push_action_at(window *window, input_action action, int x, int y); /* as if the mouse were there */

/* True while the key that triggered the last action is held, and that action is this one. */
bool window_holds(const window *window, input_action action);

/* The files that were dropped onto the window since the last call: the names of the first `most`, which the caller
 * frees. Returns how many there were. */
int window_take_drop(window *window, char **names, int most);

/* From INPUT_FRAME on, digits belong to the number of a frame, and Backspace removes one; Enter triggers
 * INPUT_FRAME_TO, and Esc nothing. This call ends it, too. */
void window_end_typing(window *window);

/* The digits so far, NULL while none are typed; and the number that Enter ended. */
const char *window_typing(const window *window);
long long window_typed_number(const window *window);

/* What Esc does. */
typedef enum window_escape {
    WINDOW_ESCAPE_ACTS, /* it triggers its action */
    WINDOW_ESCAPE_NOTHING,
    WINDOW_ESCAPE_TAKEN, /* window_take_escape returns it */
} window_escape;

/* `keys`: no key but Esc triggers an action, unless it quits with Ctrl, because the user is typing into a field. */
void window_mute_keys(window *window, bool keys, window_escape escape);

/* How many characters were typed since the last action that shows a field to type into, INPUT_OPEN or INPUT_SETTINGS.
 */
int window_characters(const window *window);

/* A key that was pressed since the last frame, by GLFW's number, each once; -1 if there is none left. */
int window_take_key(window *window);

/* The oldest press or release of the left button that was not taken: where the mouse was, in points from the top left
 * corner. A drag that was not seen is pressed a second time where it ended. False if there is none. */
bool window_take_button(window *window, double *x, double *y, bool *pressed);

/* True, once, if Esc was pressed and was to be taken. */
bool window_take_escape(window *window);

/* Size of the framebuffer; 0 x 0 while minimised. */
void window_size(const window *window, int *width, int *height);

/* The size of the window as window_options takes it; in full screen, the one to which it returns. */
void window_frame(const window *window, int *width, int *height);

/* Framebuffer pixels per unit of text and widget layout: 1, or more on a high-density screen. */
float window_scale(const window *window);

/* The position of the mouse; false while it is outside. */
bool window_mouse(const window *window, int *x, int *y);

/* True if OpenGL draws on the processor: each frame takes time that other threads could use. */
bool window_in_software(const window *window);

/* Seconds since the mouse was moved or a button pressed. */
double window_mouse_rest(const window *window);

/* Seconds since the user did anything. */
double window_rest(const window *window);

void window_toggle_full_screen(window *window);
bool window_is_full_screen(const window *window);
void window_leave_full_screen(window *window); /* nothing if it is not full screen */

/* Begins a frame: clears the framebuffer to the background colour. */
void window_clear(window *window);

/* Ends a frame. Does not wait for the screen while minimised, so the caller has to limit its rate then. */
void window_swap(window *window);

/* The GLFWwindow, for the panel. */
void *window_handle(window *window);

#endif
