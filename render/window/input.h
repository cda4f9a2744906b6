/* The user's actions, the keys that trigger them, which the user can change, what the mouse does, and a queue for what
 * comes from the window and the panel's buttons. */
#ifndef RENDER_WINDOW_INPUT_H
#define RENDER_WINDOW_INPUT_H

#include "stereo/stereo.h"

#include <stdbool.h>

typedef enum input_action {
    INPUT_QUIT,
    INPUT_LEAVE,          /* close the list of keys, what asks for an input, or else leave full screen */
    INPUT_CELL,           /* open the next cell of the strip that is not good, or close it */
    INPUT_CURE,           /* the fix of the open cell, or else of the first one that has a fix */
    INPUT_CURE_OTHERWISE, /* by its second button */
    INPUT_SWAP,           /* exchange left and right */
    INPUT_STREAM_LAYOUT,  /* panel_source.layout; only the panel uses it */
    INPUT_OPEN,           /* ask for another input, or stop asking */
    INPUT_OPEN_NAMES,     /* panel_state.opening.names; only the panel uses it */
    INPUT_OPEN_DEMO,
    INPUT_OPEN_ALONE, /* the file that waits for its other side: both pictures are in it; without one, INPUT_SOLVE */
    INPUT_PAUSE,      /* pause and resume */
    INPUT_STEP,       /* one frame forward */
    INPUT_STEP_BACK,
    INPUT_SEEK_BACK, /* INPUT_SEEK_SECONDS; pictures: INPUT_SEEK_FRAMES */
    INPUT_SEEK_ON,
    INPUT_SEEK_TO, /* to panel_playback.seek; only the panel uses it */
    INPUT_SLOWER,
    INPUT_FASTER,
    INPUT_AS_RECORDED, /* speed 1 */
    INPUT_FRAME,       /* type the number of a frame */
    INPUT_FRAME_TO,    /* to window_typed_number */
    INPUT_LOOP,        /* repeat all, or not */
    INPUT_MARK,        /* set A, then B, between which playback repeats; remove both */
    INPUT_METHOD,      /* the next method */
    INPUT_METHOD_TO,   /* to panel_params.method; only the panel uses it */
    INPUT_DEFAULTS,    /* of all parameters but the disparity range and the row shift */
    INPUT_UNDO,        /* the last change of parameters */
    INPUT_REDO,
    INPUT_RHO_UP,
    INPUT_RHO_DOWN,
    INPUT_TAU_UP,
    INPUT_TAU_DOWN,
    INPUT_DISPARITIES_UP, /* the largest disparity */
    INPUT_DISPARITIES_DOWN,
    INPUT_RIGHT_LATER, /* shift the right side by INPUT_OFFSET_STEP frames */
    INPUT_RIGHT_EARLIER,
    INPUT_VIEW, /* the next view_kind in the view under the mouse */
    INPUT_VIEW_BACK,
    INPUT_CLOUD,      /* the point cloud in the view under the mouse, or what was there before */
    INPUT_CLOUD_HOME, /* the cloud's camera to the place of the left one; see INPUT_FIT */
    INPUT_FLY_AHEAD,  /* the cloud's camera, by a step */
    INPUT_FLY_BACK,
    INPUT_FLY_LEFT,
    INPUT_FLY_RIGHT,
    INPUT_FLY_UP,
    INPUT_FLY_DOWN,
    INPUT_PIN,           /* the pixel under the mouse, or remove the pin there */
    INPUT_UNPIN,         /* remove all pins and the rectangle */
    INPUT_MEASURES,      /* show the table of pins and rectangle, or hide it */
    INPUT_SAVE_MEASURES, /* write it into a file */
    INPUT_COSTS,         /* plot the costs of the pixel under the mouse, or not */
    INPUT_LAYOUT,        /* the next view_layout */
    INPUT_ONE_TO_ONE,    /* a pixel of the picture is one of the screen */
    INPUT_FIT,           /* the whole picture, as large as fits; over the cloud INPUT_CLOUD_HOME */
    INPUT_COMPARE,       /* match with a second set of parameters, too, or not */
    INPUT_COMPARE_VIEW,  /* the next view_compared */
    INPUT_COMPARE_EDIT,  /* the panel changes the other set */
    INPUT_BLINK,         /* while its key is held, see window_holds, A and B take turns */
    INPUT_COLOURS,       /* the next colour_map_id */
    INPUT_REASONS,       /* colour the pixels by reason, or not */
    INPUT_METRES,        /* the legend in metres, or in pixels */
    INPUT_LIMIT_NEAR,    /* the least depth that is shown: that of the pixel under the mouse; without one, none */
    INPUT_LIMIT_FAR,     /* the largest */
    INPUT_SNAPSHOT,
    INPUT_RECORD,       /* start or end a recording */
    INPUT_EXPORT,       /* show what exports frames, or hide it */
    INPUT_EXPORT_START, /* panel_state.exported; only the panel uses it, and */
    INPUT_EXPORT_CANCEL,
    INPUT_SETTINGS,      /* show what saves and loads settings, or hide it */
    INPUT_SAVE_SETTINGS, /* the rest is only used by the panel: panel_state.settings */
    INPUT_LOAD_SETTINGS,
    INPUT_QUALITY, /* panel_state.qualities */
    INPUT_SAVE_QUALITY,
    INPUT_DELETE_QUALITY,
    INPUT_CONFIRM, /* panel_settings.question */
    INPUT_DECLINE,
    INPUT_CALIBRATE,   /* with the board of panel_board_choice, or end that */
    INPUT_PRINT_BOARD, /* that board, into a file */
    INPUT_USE_METRES,  /* panel_metres; only the panel uses it */
    INPUT_SOLVE, /* for the cameras, with the views of the board that there are; no key, but see INPUT_OPEN_ALONE */
    INPUT_ALIGN, /* begin or end to align the cameras */
    INPUT_CAMERA_CONTROL, /* panel_controls; only the panel uses it, and */
    INPUT_EQUAL_CAMERAS,  /* the right one gets the exposure, gain, white balance and focus of the left one */
    INPUT_SAVE_RIG,       /* as a calibration file */
    INPUT_MESSAGES,       /* list those that were shown, or not */
    INPUT_STATISTICS,
    INPUT_READINGS, /* show or hide values next to the pointer */
    INPUT_FULL_SCREEN,
    INPUT_PANEL,
    INPUT_HELP,
    INPUT_ACTION_COUNT
} input_action;

enum { INPUT_SEEK_SECONDS = 5, INPUT_SEEK_FRAMES = 10, INPUT_DISPARITIES_STEP = 8, INPUT_OFFSET_STEP = 1 };

/* The code of a key is the Unicode character that it types, in lower case with INPUT_CTRL, or one of these; any of them
 * may be combined with INPUT_CTRL, and with INPUT_SHIFT if it is not the character that Shift changes. */
enum {
    INPUT_KEY_LEFT = 0x110000,
    INPUT_KEY_RIGHT,
    INPUT_KEY_UP,
    INPUT_KEY_DOWN,
    INPUT_KEY_HOME,
    INPUT_KEY_END,
    INPUT_KEY_PAGE_UP,
    INPUT_KEY_PAGE_DOWN,
    INPUT_KEY_INSERT,
    INPUT_KEY_DELETE,
    INPUT_KEY_TAB,
    INPUT_KEY_ESCAPE,
    INPUT_KEY_BACKSPACE,
    INPUT_KEY_ENTER,
    INPUT_KEY_F1, /* F12 is 11 more */
    INPUT_CTRL = 1 << 22,
    INPUT_SHIFT = 1 << 23
};

typedef struct input_binding {
    input_action action;
    const char *name; /* of the action, in a file of keys */
    const char *keys; /* that it has if the user does not change them, as in input_keys */
    const char *help; /* what it does, in a few words */
} input_binding;

/* All actions that can have keys, in the order in which the help shows them. */
extern const input_binding input_bindings[];
extern const int input_binding_count;

/* The binding of that name, NULL if there is none. */
const input_binding *input_find(const char *name);

/* The keys of each action, as people read and write them: "?, h", "Ctrl+Left"; "" if it has none. */
enum { INPUT_KEYS_BYTES = 48 };
typedef struct input_keys {
    char of[INPUT_ACTION_COUNT][INPUT_KEYS_BYTES];
} input_keys;

input_keys input_default_keys(void);

/* Gives an action other keys; "none" or "": none.
 * Errors: SV_USAGE, with what is no key. */
sv_status input_set_keys(input_keys *keys, input_action action, const char *text, sv_error *error);

/* The action of a key, or -1. */
int input_action_of(const input_keys *keys, int key);

/* Finds a key of the action that another one has, too: writes its name, and returns the other one's binding. NULL if
 * there is none. */
const input_binding *input_find_conflict(const input_keys *keys, input_action action, char *key, size_t size);

/* True if the action happens again and again while its key is held: steps of frames, time and parameters. */
bool input_repeats(input_action action);

/* Positions are as in window.h. */
typedef enum mouse_event_kind { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_MOVE, MOUSE_WHEEL } mouse_event_kind;

typedef struct mouse_event {
    mouse_event_kind kind;
    int x, y;     /* where it is */
    int button;   /* pressed or released: 0 left, 1 right, 2 middle */
    bool shift;   /* pressed with Shift */
    bool twice;   /* pressed for the second time in a short while, at the same place */
    double wheel; /* notches, positive away from the user */
} mouse_event;

/* What the user did: something with the mouse, or else an action. */
typedef struct input_event {
    bool is_mouse;
    mouse_event mouse;
    input_action action;
    int x, y; /* where the mouse was when the action was triggered: -1, -1 outside the window */
} input_event;

/* A FIFO queue; {0} is empty.
 * Thread: main. */
enum { INPUT_QUEUE_SIZE = 128 };
typedef struct input_queue {
    input_event events[INPUT_QUEUE_SIZE];
    int first, count;
} input_queue;

/* Appends an event; a move of the mouse replaces a move before it. A full queue drops it, which happens when a key is
 * held down while the program is busy. Half of the queue is for buttons of the mouse, because one that is never
 * released would keep dragging, and a place for INPUT_QUIT. */
void input_push(input_queue *queue, const input_event *event);
bool input_next(input_queue *queue, input_event *event); /* false if it is empty */

#endif
