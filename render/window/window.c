/* The window, through GLFW. GLFW is global to the process, so there is one window at a time. */
#include "render/window/window.h"

#include "stereo/alloc.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "render/window/gl.h"

#include <GLFW/glfw3.h>
#include <X11/Xlib.h>

typedef struct button_change {
    double x, y;
    bool pressed;
} button_change;

struct window {
    GLFWwindow *glfw;
    input_keys keys;
    input_queue events;
    bool in_software;         /* see window_in_software */
    bool muted;               /* see window_mute_keys */
    window_escape escape;     /* the same */
    bool escape_taken;        /* see window_take_escape */
    bool held;                /* the key of the last event repeats, because it is held down */
    int scancode;             /* of the key that was pressed last */
    int action;               /* the input_action that it triggered, until it is released; otherwise -1 */
    bool typing;              /* the number of a frame is being typed */
    char number[16];          /* its digits */
    long long typed_number;   /* see window_typed_number */
    int characters;           /* see window_characters */
    double used;              /* when the user last did anything, by glfwGetTime */
    double moved;             /* when the mouse was moved or a button pressed, by glfwGetTime */
    double pressed;           /* when the left button was pressed, by glfwGetTime */
    int pressed_x, pressed_y; /* where it was */
    char **dropped;           /* names of files; owned */
    int dropped_count;
    bool keys_pressed[GLFW_KEY_LAST + 1]; /* since the last frame */
    button_change buttons[32];            /* of the left one, since the panel has taken them */
    int button_count;
    double mouse_x, mouse_y; /* where the events so far have moved the mouse; it may be elsewhere already */
    bool mouse_inside;       /* whether it was in the window then */
    int x, y, width, height; /* of the window before it was full screen */
};

/* GLFW's last error message; its functions themselves only return that they failed. */
static sv_error glfw_message;

static void on_error(int code, const char *text) {
    sv_fail(&glfw_message, SV_FAILED, "%s", text);
    sv_log(SV_LOG_DEBUG, "GLFW (0x%x): %s", (unsigned)code, text);
}

static atomic_bool display_lost;

/* Xlib calls it when the connection to the display has broken, and then ends the program. */
static int on_display_lost(Display *display) {
    (void)display;
    atomic_store(&display_lost, true);
    return 0;
}

bool window_display_lost(void) { return atomic_load(&display_lost); }

/* ---- Input ------------------------------------------------------------------------------------ */

/* A position in the window, from its top left corner, in pixels of the framebuffer; false if there is none. */
static bool to_pixels(const window *w, double from_left, double from_top, int *x, int *y) {
    int width, height, pixels_x, pixels_y;
    glfwGetWindowSize(w->glfw, &width, &height);
    window_size(w, &pixels_x, &pixels_y);
    if (width < 1 || height < 1 || pixels_x < 1) return false;
    *x = (int)floor(from_left * pixels_x / width);
    *y = pixels_y - 1 - (int)floor(from_top * pixels_y / height);
    return true;
}

/* Triggers an action, where the mouse is. */
static void trigger(window *w, input_action action) {
    input_event event = {.action = action};
    if (!w->mouse_inside || !to_pixels(w, w->mouse_x, w->mouse_y, &event.x, &event.y)) event.x = event.y = -1;
    input_push(&w->events, &event);
    /* At once: what is typed next may come before the action is handled. */
    if (action == INPUT_OPEN || action == INPUT_SETTINGS) {
        w->muted = true; /* until window_mute_keys */
        w->characters = 0;
    }
    if (action == INPUT_FRAME) {
        w->typing = true;
        w->number[0] = 0;
    }
}

/* Triggers the action of a key. A key that has no action with Shift has its action without. */
static void press(window *w, int key) {
    int action = input_action_of(&w->keys, key);
    if (action < 0) action = input_action_of(&w->keys, key & ~INPUT_SHIFT);
    const bool quits = action == INPUT_QUIT && key & INPUT_CTRL;
    const bool heard = !w->muted || quits || (key & ~INPUT_SHIFT) == INPUT_KEY_ESCAPE;
    if (action < 0 || !heard || (w->held && !input_repeats((input_action)action))) return;
    w->action = action;
    trigger(w, (input_action)action);
}

static void press_escape(window *w, int key) {
    if (w->held) return;
    w->escape_taken |= w->escape == WINDOW_ESCAPE_TAKEN;
    if (w->escape == WINDOW_ESCAPE_ACTS) press(w, key);
}

/* The code of a key that types no character, -1 for others. */
static int code_of(int key) {
    static const struct {
        int glfw, code;
    } codes[] = {
        {GLFW_KEY_LEFT, INPUT_KEY_LEFT},
        {GLFW_KEY_RIGHT, INPUT_KEY_RIGHT},
        {GLFW_KEY_UP, INPUT_KEY_UP},
        {GLFW_KEY_DOWN, INPUT_KEY_DOWN},
        {GLFW_KEY_HOME, INPUT_KEY_HOME},
        {GLFW_KEY_END, INPUT_KEY_END},
        {GLFW_KEY_PAGE_UP, INPUT_KEY_PAGE_UP},
        {GLFW_KEY_PAGE_DOWN, INPUT_KEY_PAGE_DOWN},
        {GLFW_KEY_INSERT, INPUT_KEY_INSERT},
        {GLFW_KEY_DELETE, INPUT_KEY_DELETE},
        {GLFW_KEY_TAB, INPUT_KEY_TAB},
        {GLFW_KEY_ESCAPE, INPUT_KEY_ESCAPE},
        {GLFW_KEY_BACKSPACE, INPUT_KEY_BACKSPACE},
        {GLFW_KEY_ENTER, INPUT_KEY_ENTER},
        {GLFW_KEY_KP_ENTER, INPUT_KEY_ENTER},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].glfw == key) return codes[i].code;
    return key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12 ? INPUT_KEY_F1 + key - GLFW_KEY_F1 : -1;
}

/* With Ctrl, a key that types a character. `name`: of the key on this keyboard, NULL if it has none. */
static void press_control(window *w, int key, const char *name, int modifiers) {
    if (key == GLFW_KEY_SPACE)
        press(w, ' ' | modifiers);
    else if (name && (unsigned char)*name < 0x80 && !name[1])
        press(w, *name | modifiers);
}

const input_keys *window_keys(const window *w) { return &w->keys; }

void window_end_typing(window *w) { w->typing = false; }

const char *window_typing(const window *w) { return w->typing ? w->number : NULL; }

long long window_typed_number(const window *w) { return w->typed_number; }

/* Keys other than digits, while a number is typed. */
static void edit_number(window *w, int key) {
    const size_t length = strlen(w->number);
    if (key == GLFW_KEY_BACKSPACE && length) w->number[length - 1] = 0;
    if (key == GLFW_KEY_ESCAPE) w->typing = false;
    if (key != GLFW_KEY_ENTER && key != GLFW_KEY_KP_ENTER) return;
    w->typing = false;
    if (!length) return;
    w->typed_number = atoll(w->number); /* the next one may be begun before the action is handled */
    trigger(w, INPUT_FRAME_TO);
}

static void add_digit(window *w, unsigned character) {
    const size_t length = strlen(w->number);
    if (character < '0' || character > '9' || length + 1 >= sizeof w->number) return;
    w->number[length] = (char)character;
    w->number[length + 1] = 0;
}

static void on_key(GLFWwindow *glfw, int key, int scancode, int pressed, int modifiers) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->used = glfwGetTime();
    if (pressed == GLFW_RELEASE && scancode == w->scancode) w->action = -1;
    if (pressed == GLFW_RELEASE || modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) return;
    if (pressed == GLFW_PRESS) w->action = -1;
    w->scancode = scancode;
    if (key >= 0) w->keys_pressed[key] = true; /* GLFW_KEY_UNKNOWN is -1 */
    w->held = pressed == GLFW_REPEAT;          /* for on_character, too, which follows */
    if (w->typing) {
        edit_number(w, key);
        return;
    }
    const int code = code_of(key);
    const int with = (modifiers & GLFW_MOD_CONTROL ? INPUT_CTRL : 0) | (modifiers & GLFW_MOD_SHIFT ? INPUT_SHIFT : 0);
    if (code == INPUT_KEY_ESCAPE)
        press_escape(w, code | with);
    else if (code >= 0)
        press(w, code | with);
    else if (with & INPUT_CTRL)
        press_control(w, key, glfwGetKeyName(key, scancode), with);
    /* on_character handles all others, according to the keyboard's layout. */
}

static void on_character(GLFWwindow *glfw, unsigned character) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->characters++;
    if (w->typing)
        add_digit(w, character);
    else
        press(w, (int)character);
}

static void push_mouse(GLFWwindow *glfw, mouse_event event) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->used = glfwGetTime();
    if (to_pixels(w, w->mouse_x, w->mouse_y, &event.x, &event.y))
        input_push(&w->events, &(input_event){.is_mouse = true, .mouse = event});
}

/* True if the left button is pressed for the second time in a short while, at the same place. */
static bool is_second_press(window *w) {
    static const double longest = 0.4; /* seconds */
    static const int farthest = 4;     /* pixels */
    const double now = glfwGetTime();
    int x = 0, y = 0;
    to_pixels(w, w->mouse_x, w->mouse_y, &x, &y);
    const bool second =
        now - w->pressed <= longest && abs(x - w->pressed_x) <= farthest && abs(y - w->pressed_y) <= farthest;
    w->pressed = second ? -longest : now; /* a third one is a first one again */
    w->pressed_x = x;
    w->pressed_y = y;
    return second;
}

static void note_button(window *w, bool pressed) {
    if (w->button_count < (int)(sizeof w->buttons / sizeof *w->buttons)) w->button_count++;
    w->buttons[w->button_count - 1] = (button_change){w->mouse_x, w->mouse_y, pressed};
}

static void on_button(GLFWwindow *glfw, int button, int pressed, int modifiers) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->moved = glfwGetTime();
    if (!button && pressed == GLFW_RELEASE && w->button_count) note_button(w, true); /* where a drag has led to */
    if (!button) note_button(w, pressed == GLFW_PRESS);
    push_mouse(glfw, (mouse_event){.kind = pressed == GLFW_PRESS ? MOUSE_PRESS : MOUSE_RELEASE,
                                   .button = button,
                                   .shift = modifiers & GLFW_MOD_SHIFT,
                                   .twice = pressed == GLFW_PRESS && !button && is_second_press(w)});
}

static void on_move(GLFWwindow *glfw, double x, double y) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->mouse_x = x;
    w->mouse_y = y;
    w->moved = glfwGetTime();
    push_mouse(glfw, (mouse_event){.kind = MOUSE_MOVE});
}

static void on_enter(GLFWwindow *glfw, int inside) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->mouse_inside = inside;
}

static void on_wheel(GLFWwindow *glfw, double x, double y) {
    (void)x;
    push_mouse(glfw, (mouse_event){.kind = MOUSE_WHEEL, .wheel = y});
}

static void on_drop(GLFWwindow *glfw, int count, const char **names) {
    window *w = glfwGetWindowUserPointer(glfw);
    w->dropped = sv_realloc(w->dropped, (size_t)(w->dropped_count + count), sizeof *w->dropped);
    for (int i = 0; i < count; i++) w->dropped[w->dropped_count++] = sv_strdup(names[i]);
}

int window_take_drop(window *w, char **names, int most) {
    const int count = w->dropped_count;
    for (int i = 0; i < count; i++) {
        if (i < most)
            names[i] = w->dropped[i];
        else
            free(w->dropped[i]);
    }
    w->dropped_count = 0;
    return count;
}

static void on_close(GLFWwindow *glfw) {
    window *w = glfwGetWindowUserPointer(glfw);
    glfwSetWindowShouldClose(glfw, GLFW_FALSE);
    trigger(w, INPUT_QUIT);
}

/* ---- Opening and closing ---------------------------------------------------------------------- */

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

static sv_status open_glfw(window *w, const window_options *options, sv_error *error) {
    const bool wayland = is_set("WAYLAND_DISPLAY");
    if (!wayland && !is_set("DISPLAY"))
        return sv_fail(error, SV_NO_DEVICE,
                       "cannot open a window: there is no display; set DISPLAY to one, or run with --headless");
    glfwSetErrorCallback(on_error);
#ifdef GLFW_PLATFORM
    /* GLFW 3.4 tries Wayland first, whose library prints messages of its own if it finds nothing to connect to. */
    glfwInitHint(GLFW_PLATFORM, wayland ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11);
#endif
    if (!glfwInit())
        return sv_fail(error, SV_NO_DEVICE,
                       "cannot open a window: %s; set DISPLAY to a display, or run with --headless", glfw_message.text);
    XSetIOErrorHandler(on_display_lost);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options->debug);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, !options->hidden);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "stereoview");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "stereoview");
    w->glfw = glfwCreateWindow(options->width, options->height, options->title, NULL, NULL);
    if (!w->glfw)
        return sv_fail(error, SV_NO_DEVICE,
                       "cannot open a window with OpenGL 3.3: %s; update the graphics driver, or run with --headless",
                       glfw_message.text);
    glfwMakeContextCurrent(w->glfw);

    glewExperimental = GL_TRUE; /* ask for every function, whatever the extension string says */
    GLenum glew = glewInit();
#ifdef GLEW_ERROR_NO_GLX_DISPLAY
    /* Wayland has no GLX; GLEW has loaded the functions anyway. */
    if (glew == GLEW_ERROR_NO_GLX_DISPLAY) glew = GLEW_OK;
#endif
    if (glew != GLEW_OK)
        return sv_fail(error, SV_NO_DEVICE,
                       "cannot load OpenGL: %s; update the graphics driver, or run with --headless",
                       (const char *)glewGetErrorString(glew));
    if (!GLEW_VERSION_3_3)
        return sv_fail(error, SV_NO_DEVICE,
                       "OpenGL 3.3 is needed, this is %s; update the graphics driver, or run with --headless",
                       (const char *)glGetString(GL_VERSION));
    return SV_OK;
}

sv_status window_open(window **out, const window_options *options, sv_error *error) {
    *out = NULL;
    window *w = sv_alloc(1, sizeof *w);
    w->action = -1;
    w->keys = options->keys ? *options->keys : input_default_keys();
    sv_status status = open_glfw(w, options, error);
    if (status != SV_OK) {
        window_close(w);
        return status;
    }
    const char *messages = !options->debug ? "" : gl_log_messages() ? ", with its messages" : ", which has no messages";
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    sv_log(SV_LOG_DEBUG, "OpenGL %s on %s%s", (const char *)glGetString(GL_VERSION), renderer, messages);
    w->in_software = strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe"); /* Mesa's */
    glfwSetWindowUserPointer(w->glfw, w);
    glfwGetCursorPos(w->glfw, &w->mouse_x, &w->mouse_y);
    w->mouse_inside = glfwGetWindowAttrib(w->glfw, GLFW_HOVERED);
    glfwSetKeyCallback(w->glfw, on_key);
    glfwSetCharCallback(w->glfw, on_character);
    glfwSetMouseButtonCallback(w->glfw, on_button);
    glfwSetCursorPosCallback(w->glfw, on_move);
    glfwSetCursorEnterCallback(w->glfw, on_enter);
    glfwSetScrollCallback(w->glfw, on_wheel);
    glfwSetWindowCloseCallback(w->glfw, on_close);
    glfwSetDropCallback(w->glfw, on_drop);
    glfwSetWindowSizeLimits(w->glfw, WINDOW_LEAST_WIDTH, WINDOW_LEAST_HEIGHT, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSwapInterval(options->vsync);
    *out = w;
    return SV_OK;
}

void window_set_title(window *w, const char *title) { glfwSetWindowTitle(w->glfw, title); }

void window_hide(window *w) {
    if (!w) return;
    glfwHideWindow(w->glfw);
    glfwPollEvents();
}

void window_close(window *w) {
    if (!w) return;
    if (w->glfw) glfwDestroyWindow(w->glfw);
    glfwTerminate();
    window_take_drop(w, NULL, 0);
    free(w->dropped);
    free(w);
}

/* ---- Events ----------------------------------------------------------------------------------- */

void window_poll(window *w, double seconds) {
    if (seconds > 0 && !w->events.count)
        glfwWaitEventsTimeout(seconds);
    else
        glfwPollEvents();
}

void window_wake(void) { glfwPostEmptyEvent(); }

bool window_next_event(window *w, input_event *event) { return input_next(&w->events, event); }
void window_push_action(window *w, input_action action) { trigger(w, action); }
void window_push_action_at(window *w, input_action action, int x, int y) {
    input_push(&w->events, &(input_event){.action = action, .x = x, .y = y});
}
bool window_holds(const window *w, input_action action) { return w->action == (int)action; }
void window_mute_keys(window *w, bool keys, window_escape escape) {
    w->muted = keys;
    w->escape = escape;
}

int window_characters(const window *w) { return w->characters; }

bool window_take_button(window *w, double *x, double *y, bool *pressed) {
    if (!w->button_count) return false;
    *x = w->buttons[0].x;
    *y = w->buttons[0].y;
    *pressed = w->buttons[0].pressed;
    memmove(w->buttons, w->buttons + 1, sizeof *w->buttons * (size_t)--w->button_count);
    return true;
}

int window_take_key(window *w) {
    for (int key = 0; key <= GLFW_KEY_LAST; key++) {
        if (!w->keys_pressed[key]) continue;
        w->keys_pressed[key] = false;
        return key;
    }
    return -1;
}

bool window_take_escape(window *w) {
    const bool taken = w->escape_taken;
    w->escape_taken = false;
    return taken;
}

/* ---- State ------------------------------------------------------------------------------------ */

void window_size(const window *w, int *width, int *height) {
    *width = *height = 0;
    if (!glfwGetWindowAttrib(w->glfw, GLFW_ICONIFIED)) glfwGetFramebufferSize(w->glfw, width, height);
}

void window_frame(const window *w, int *width, int *height) {
    *width = w->width;
    *height = w->height;
    if (!window_is_full_screen(w)) glfwGetWindowSize(w->glfw, width, height);
    /* Where screen coordinates are pixels, GLFW makes windows larger on a dense screen. */
    int pixels_x, pixels_y, size_x, size_y;
    glfwGetFramebufferSize(w->glfw, &pixels_x, &pixels_y);
    glfwGetWindowSize(w->glfw, &size_x, &size_y);
    const float scale = pixels_x == size_x ? window_scale(w) : 1;
    *width = (int)lroundf((float)*width / scale);
    *height = (int)lroundf((float)*height / scale);
}

float window_scale(const window *w) {
    float x = 1, y = 1;
    glfwGetWindowContentScale(w->glfw, &x, &y);
    return fmaxf(1, fmaxf(x, y));
}

bool window_mouse(const window *w, int *x, int *y) {
    int width, height;
    double from_left, from_top;
    window_size(w, &width, &height);
    glfwGetCursorPos(w->glfw, &from_left, &from_top);
    if (!glfwGetWindowAttrib(w->glfw, GLFW_HOVERED) || !to_pixels(w, from_left, from_top, x, y)) return false;
    return *x >= 0 && *x < width && *y >= 0 && *y < height;
}

/* The monitor that the window's centre is on, or the primary one; NULL if there is none. */
static GLFWmonitor *monitor_of(const window *w) {
    int count;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; i++) {
        int x, y;
        const GLFWvidmode *mode = glfwGetVideoMode(monitors[i]);
        const int centre_x = w->x + w->width / 2, centre_y = w->y + w->height / 2;
        glfwGetMonitorPos(monitors[i], &x, &y);
        if (mode && centre_x >= x && centre_x < x + mode->width && centre_y >= y && centre_y < y + mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

void window_toggle_full_screen(window *w) {
    if (glfwGetWindowMonitor(w->glfw)) {
        glfwSetWindowMonitor(w->glfw, NULL, w->x, w->y, w->width, w->height, GLFW_DONT_CARE);
        return;
    }
    glfwGetWindowPos(w->glfw, &w->x, &w->y);
    glfwGetWindowSize(w->glfw, &w->width, &w->height);
    GLFWmonitor *monitor = monitor_of(w);
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (!mode) {
        sv_log(SV_LOG_WARNING, "cannot go full screen: no monitor is known");
        return;
    }
    glfwSetWindowMonitor(w->glfw, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool window_is_full_screen(const window *w) { return glfwGetWindowMonitor(w->glfw) != NULL; }

bool window_in_software(const window *w) { return w->in_software; }

double window_rest(const window *w) { return glfwGetTime() - w->used; }

double window_mouse_rest(const window *w) { return glfwGetTime() - w->moved; }

void window_leave_full_screen(window *w) {
    if (window_is_full_screen(w)) window_toggle_full_screen(w);
}

/* ---- Frames ----------------------------------------------------------------------------------- */

void window_clear(window *w) {
    int width, height;
    window_size(w, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, width, height);
    glClearColor(0.055f, 0.06f, 0.07f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void window_swap(window *w) {
    if (!glfwGetWindowAttrib(w->glfw, GLFW_ICONIFIED)) glfwSwapBuffers(w->glfw);
}

void *window_handle(window *w) { return w->glfw; }
