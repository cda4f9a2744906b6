/* The table of actions and their keys (after mpv's), and the queue of events. */
#include "render/window/input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const input_binding input_bindings[] = {
    {INPUT_PAUSE, "pause", "Space", "pause, resume"},
    {INPUT_STEP, "step", ".", "one frame forward"},
    {INPUT_STEP_BACK, "step-back", ",", "one frame back"},
    {INPUT_SEEK_BACK, "back", "Left", "back 5 s (10 pictures)"},
    {INPUT_SEEK_ON, "forward", "Right", "forward 5 s (10 pictures)"},
    {INPUT_SLOWER, "slower", "[", "slower"},
    {INPUT_FASTER, "faster", "]", "faster"},
    {INPUT_AS_RECORDED, "normal-speed", "Backspace", "normal speed"},
    {INPUT_FRAME, "go-to-frame", "Ctrl+G", "go to a frame"},
    {INPUT_MARK, "loop-a-b", "l", "A-B loop: set A, set B, off"},
    {INPUT_LOOP, "repeat", "L", "repeat on, off"},
    {INPUT_METHOD, "next-method", "m", "next method"},
    {INPUT_RHO_UP, "larger-window", "r", "larger window (rho)"},
    {INPUT_RHO_DOWN, "smaller-window", "R", "smaller window (rho)"},
    {INPUT_TAU_UP, "wider-search", "t", "wider search (tau)"},
    {INPUT_TAU_DOWN, "narrower-search", "T", "narrower search (tau)"},
    {INPUT_DISPARITIES_UP, "more-disparities", "d", "raise the largest disparity by 8"},
    {INPUT_DISPARITIES_DOWN, "fewer-disparities", "D", "lower the largest disparity by 8"},
    {INPUT_DEFAULTS, "defaults", "", "reset the parameters to their defaults"},
    {INPUT_UNDO, "undo", "Ctrl+Z", "undo a change of parameters"},
    {INPUT_REDO, "redo", "Ctrl+Y, Ctrl+Shift+Z", "redo a change of parameters"},
    {INPUT_RIGHT_LATER, "right-later", "o", "pair with the next right frame"},
    {INPUT_RIGHT_EARLIER, "right-earlier", "O", "pair with the previous right frame"},
    {INPUT_OPEN, "open", "Ctrl+O", "open another input"},
    {INPUT_OPEN_DEMO, "demo", "", "open the demo"},
    {INPUT_OPEN_ALONE, "both-in-one", "Enter", "open as both views; board: calibrate"},
    {INPUT_VIEW, "next-kind", "v", "next kind of view, under the mouse"},
    {INPUT_VIEW_BACK, "previous-kind", "V", "previous kind of view, under the mouse"},
    {INPUT_LAYOUT, "layout", "w", "one, two or four views"},
    {INPUT_ONE_TO_ONE, "one-to-one", "1", "zoom: one to one"},
    {INPUT_FIT, "fit", "0", "zoom: fit; cloud: reset"},
    {INPUT_COLOURS, "colours", "c", "next colour map"},
    {INPUT_REASONS, "reasons", "e", "show why pixels have no disparity"},
    {INPUT_METRES, "metres", "z", "legend in metres"},
    {INPUT_LIMIT_NEAR, "hide-nearer", "{", "hide what is nearer than the pixel there"},
    {INPUT_LIMIT_FAR, "hide-farther", "}", "hide what is farther than the pixel there"},
    {INPUT_CLOUD, "cloud", "3", "point cloud, under the mouse"},
    {INPUT_FLY_AHEAD, "fly-ahead", "Up", "cloud: fly ahead"},
    {INPUT_FLY_BACK, "fly-back", "Down", "cloud: fly back"},
    {INPUT_FLY_LEFT, "fly-left", "Ctrl+Left", "cloud: fly to the left"},
    {INPUT_FLY_RIGHT, "fly-right", "Ctrl+Right", "cloud: fly to the right"},
    {INPUT_FLY_UP, "fly-up", "Ctrl+Up", "cloud: fly up"},
    {INPUT_FLY_DOWN, "fly-down", "Ctrl+Down", "cloud: fly down"},
    {INPUT_CLOUD_HOME, "reset-camera", "", "cloud: back to the left camera"},
    {INPUT_PIN, "pin", "n", "pin or unpin the pixel under the mouse"},
    {INPUT_UNPIN, "unpin", "N", "remove pins and rectangle"},
    {INPUT_MEASURES, "measurements", "j", "table of pins and rectangle"},
    {INPUT_SAVE_MEASURES, "save-measurements", "J", "save that table as CSV"},
    {INPUT_READINGS, "readings", "u", "show or hide values next to the pointer"},
    {INPUT_COSTS, "costs", "y", "plot the costs under the mouse"},
    {INPUT_COMPARE, "compare", "a", "start, stop comparing two sets, A and B"},
    {INPUT_COMPARE_EDIT, "other-set", "x", "change the other set, A or B"},
    {INPUT_COMPARE_VIEW, "compare-view", "p", "show both, A alone, B alone"},
    {INPUT_BLINK, "blink", "b", "blink A and B, while it is held"},
    {INPUT_CELL, "rig", "A", "what is wrong with the rig"},
    {INPUT_CURE, "cure", "", "fix it"},
    {INPUT_CURE_OTHERWISE, "cure-otherwise", "", "fix it with the second button"},
    {INPUT_SWAP, "swap", "", "swap left and right"},
    {INPUT_ALIGN, "align", "g", "start, stop aligning the cameras"},
    {INPUT_CALIBRATE, "calibrate", "", "start, stop calibrating with a board"},
    {INPUT_PRINT_BOARD, "print-board", "", "write the board for printing"},
    {INPUT_EQUAL_CAMERAS, "equal-cameras", "", "lock both cameras at the left one's exposure"},
    {INPUT_SAVE_RIG, "save-calibration", "G", "save the calibration that was found"},
    {INPUT_SNAPSHOT, "snapshot", "s", "save a snapshot"},
    {INPUT_EXPORT, "export", "Ctrl+E", "export frames as files or a video"},
    {INPUT_EXPORT_CANCEL, "cancel-export", "", "cancel the export"},
    {INPUT_RECORD, "record", "k", "start, stop recording live sources"},
    {INPUT_SETTINGS, "settings", "Ctrl+S", "save and load settings and qualities"},
    {INPUT_MESSAGES, "messages", "M", "list the messages"},
    {INPUT_STATISTICS, "statistics", "i", "statistics"},
    {INPUT_FULL_SCREEN, "full-screen", "f", "full screen (or double click)"},
    {INPUT_PANEL, "panel", "Tab", "show or hide the panel"},
    {INPUT_HELP, "keys", "?, h", "list the keys"},
    {INPUT_QUIT, "quit", "q, Ctrl+Q", "quit"},
    {INPUT_LEAVE, "leave", "Esc", "close the list, leave full screen"},
};
const int input_binding_count = sizeof input_bindings / sizeof *input_bindings;

const input_binding *input_find(const char *name) {
    for (int i = 0; i < input_binding_count; i++)
        if (!strcmp(input_bindings[i].name, name)) return &input_bindings[i];
    return NULL;
}

/* ---- Keys as text ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int key;
} named_keys[] = {
    {"Space", ' '},
    {"Left", INPUT_KEY_LEFT},
    {"Right", INPUT_KEY_RIGHT},
    {"Up", INPUT_KEY_UP},
    {"Down", INPUT_KEY_DOWN},
    {"Home", INPUT_KEY_HOME},
    {"End", INPUT_KEY_END},
    {"PageUp", INPUT_KEY_PAGE_UP},
    {"PageDown", INPUT_KEY_PAGE_DOWN},
    {"Insert", INPUT_KEY_INSERT},
    {"Delete", INPUT_KEY_DELETE},
    {"Tab", INPUT_KEY_TAB},
    {"Esc", INPUT_KEY_ESCAPE},
    {"Backspace", INPUT_KEY_BACKSPACE},
    {"Enter", INPUT_KEY_ENTER},
};

/* The only character of the text, in UTF-8; -1 if it is not exactly one. */
static int character_of(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    const int more = c[0] < 0x80 ? 0 : c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : c[0] >= 0xc0 ? 1 : -1;
    if (more < 0 || c[0] <= ' ' || c[0] == 0x7f) return -1;
    int code = more ? c[0] & (0x3f >> more) : c[0];
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80) return -1;
        code = code << 6 | (c[i] & 0x3f);
    }
    return c[more + 1] ? -1 : code;
}

/* The code of one key, -1 if there is none of that name. */
static int key_of(const char *name) {
    int modifiers = 0, number;
    char rest;
    for (;; name = strchr(name, '+') + 1) {
        if (!strncasecmp(name, "Ctrl+", 5))
            modifiers |= INPUT_CTRL;
        else if (!strncasecmp(name, "Shift+", 6))
            modifiers |= INPUT_SHIFT;
        else
            break;
    }
    for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
        if (!strcasecmp(name, named_keys[i].name)) return named_keys[i].key | modifiers;
    if ((*name == 'F' || *name == 'f') && sscanf(name + 1, "%2d%c", &number, &rest) == 1 && number >= 1 && number <= 12)
        return (INPUT_KEY_F1 + number - 1) | modifiers;
    const int character = character_of(name);
    if (character < 0 || modifiers == INPUT_SHIFT) return -1;
    return (modifiers && character < 0x80 ? tolower(character) : character) | modifiers;
}

/* Takes the name of the next key off a list; false if there is none. A comma at the beginning of a name is a key. */
static bool next_key(const char **list, char *name, size_t size) {
    const char *begin = *list + strspn(*list, " ");
    if (!*begin) return false;
    const size_t length = 1 + strcspn(begin + 1, ",");
    snprintf(name, size, "%.*s", (int)length, begin);
    for (size_t end = strlen(name); end > 1 && name[end - 1] == ' '; end--) name[end - 1] = 0;
    *list = begin + length + (begin[length] == ',');
    return true;
}

input_keys input_default_keys(void) {
    input_keys keys = {{{0}}};
    for (int i = 0; i < input_binding_count; i++)
        snprintf(keys.of[input_bindings[i].action], INPUT_KEYS_BYTES, "%s", input_bindings[i].keys);
    return keys;
}

sv_status input_set_keys(input_keys *keys, input_action action, const char *text, sv_error *error) {
    char name[INPUT_KEYS_BYTES], *to = keys->of[action], list[INPUT_KEYS_BYTES] = "";
    const char *rest = strcmp(text, "none") ? text : "";
    if (strlen(rest) >= INPUT_KEYS_BYTES)
        return sv_fail(error, SV_USAGE, "'%.60s' has too many characters; there is room for %d", text,
                       INPUT_KEYS_BYTES - 1);
    while (next_key(&rest, name, sizeof name)) {
        if (key_of(name) < 0)
            return sv_fail(error, SV_USAGE,
                           "there is no key '%s'; keys are characters as they are typed, Space, Tab, Enter, Esc, "
                           "Backspace, Left, Right, Up, Down, Home, End, PageUp, PageDown, Insert, Delete, F1 to F12, "
                           "after Ctrl+ or Shift+; separate several by commas",
                           name);
        if (strlen(list) + strlen(name) + 2 >= sizeof list)
            return sv_fail(error, SV_USAGE, "'%.60s' are too many keys", text);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", name);
    }
    strcpy(to, list);
    return SV_OK;
}

static bool has_key(const char *list, int key) {
    char name[INPUT_KEYS_BYTES];
    while (next_key(&list, name, sizeof name))
        if (key_of(name) == key) return true;
    return false;
}

int input_action_of(const input_keys *keys, int key) {
    for (int i = 0; i < input_binding_count; i++)
        if (has_key(keys->of[input_bindings[i].action], key)) return (int)input_bindings[i].action;
    return -1;
}

const input_binding *input_find_conflict(const input_keys *keys, input_action action, char *key, size_t size) {
    const char *list = keys->of[action];
    while (next_key(&list, key, size))
        for (int i = 0; i < input_binding_count; i++)
            if (input_bindings[i].action != action && has_key(keys->of[input_bindings[i].action], key_of(key)))
                return &input_bindings[i];
    return NULL;
}

/* ---- Actions ---------------------------------------------------------------------------------- */

bool input_repeats(input_action action) {
    switch (action) {
    case INPUT_STEP:
    case INPUT_STEP_BACK:
    case INPUT_SEEK_BACK:
    case INPUT_SEEK_ON:
    case INPUT_RHO_UP:
    case INPUT_RHO_DOWN:
    case INPUT_TAU_UP:
    case INPUT_TAU_DOWN:
    case INPUT_DISPARITIES_UP:
    case INPUT_DISPARITIES_DOWN:
    case INPUT_FLY_AHEAD:
    case INPUT_FLY_BACK:
    case INPUT_FLY_LEFT:
    case INPUT_FLY_RIGHT:
    case INPUT_FLY_UP:
    case INPUT_FLY_DOWN:
    case INPUT_UNDO:
    case INPUT_REDO:
    case INPUT_RIGHT_LATER:
    case INPUT_RIGHT_EARLIER: return true;
    default: return false;
    }
}

void input_push(input_queue *q, const input_event *event) {
    const input_event *last = &q->events[(q->first + q->count - 1 + INPUT_QUEUE_SIZE) % INPUT_QUEUE_SIZE];
    const bool moves = event->is_mouse && event->mouse.kind == MOUSE_MOVE;
    const bool is_button = event->is_mouse && !moves && event->mouse.kind != MOUSE_WHEEL;
    const bool quits = !event->is_mouse && event->action == INPUT_QUIT;
    if (moves && q->count && last->is_mouse && last->mouse.kind == MOUSE_MOVE) q->count--;
    if (q->count >= (quits ? INPUT_QUEUE_SIZE : is_button ? INPUT_QUEUE_SIZE - 1 : INPUT_QUEUE_SIZE / 2)) return;
    q->events[(q->first + q->count++) % INPUT_QUEUE_SIZE] = *event;
}

bool input_next(input_queue *queue, input_event *event) {
    if (!queue->count) return false;
    *event = queue->events[queue->first];
    queue->first = (queue->first + 1) % INPUT_QUEUE_SIZE;
    queue->count--;
    return true;
}
