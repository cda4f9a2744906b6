/* The table of keys (after mpv's) and the queue of actions. */
#include "render/input.h"

const input_binding input_bindings[] = {
    {' ', INPUT_PAUSE, "Space", "pause, resume"},
    {'.', INPUT_STEP, ".", "one frame forward"},
    {',', INPUT_STEP_BACK, ",", "one frame back"},
    {INPUT_KEY_LEFT, INPUT_SEEK_BACK, "Left", "back 5 s (10 pictures)"},
    {INPUT_KEY_RIGHT, INPUT_SEEK_ON, "Right", "forward 5 s (10 pictures)"},
    {'[', INPUT_SLOWER, "[", "slower"},
    {']', INPUT_FASTER, "]", "faster"},
    {INPUT_KEY_BACKSPACE, INPUT_AS_RECORDED, "Backspace", "normal speed"},
    {INPUT_KEY_GO_TO, INPUT_FRAME, "Ctrl+G", "go to a frame"},
    {'l', INPUT_MARK, "l", "A-B loop: set A, set B, off"},
    {'L', INPUT_LOOP, "L", "repeat on, off"},
    {'m', INPUT_METHOD, "m", "next method"},
    {'r', INPUT_RHO_UP, "r", "larger window (rho)"},
    {'R', INPUT_RHO_DOWN, "R", "smaller window (rho)"},
    {'t', INPUT_TAU_UP, "t", "wider search (tau)"},
    {'T', INPUT_TAU_DOWN, "T", "narrower search (tau)"},
    {'d', INPUT_DISPARITIES_UP, "d", "raise the largest disparity by 8"},
    {'D', INPUT_DISPARITIES_DOWN, "D", "lower the largest disparity by 8"},
    {INPUT_KEY_UNDO, INPUT_UNDO, "Ctrl+Z", "undo a change of parameters"},
    {INPUT_KEY_REDO, INPUT_REDO, "Ctrl+Y", "redo a change of parameters"},
    {'o', INPUT_RIGHT_LATER, "o", "pair with the next right frame"},
    {'O', INPUT_RIGHT_EARLIER, "O", "pair with the previous right frame"},
    {INPUT_KEY_OPEN, INPUT_OPEN, "Ctrl+O", "open another input"},
    {INPUT_KEY_ENTER, INPUT_OPEN_ALONE, "Enter", "the one dropped file has both pictures"},
    {'v', INPUT_VIEW, "v", "next kind of view, under the mouse"},
    {'V', INPUT_VIEW_BACK, "V", "previous kind of view, under the mouse"},
    {'w', INPUT_LAYOUT, "w", "one, two or four views"},
    {'3', INPUT_CLOUD, "3", "point cloud, under the mouse"},
    {INPUT_KEY_UP, INPUT_FLY_AHEAD, "Up", "cloud: fly ahead"},
    {INPUT_KEY_DOWN, INPUT_FLY_BACK, "Down", "cloud: fly back"},
    {INPUT_KEY_CTRL_LEFT, INPUT_FLY_LEFT, "Ctrl+Left", "cloud: fly to the left"},
    {INPUT_KEY_CTRL_RIGHT, INPUT_FLY_RIGHT, "Ctrl+Right", "cloud: fly to the right"},
    {INPUT_KEY_CTRL_UP, INPUT_FLY_UP, "Ctrl+Up", "cloud: fly up"},
    {INPUT_KEY_CTRL_DOWN, INPUT_FLY_DOWN, "Ctrl+Down", "cloud: fly down"},
    {'n', INPUT_PIN, "n", "pin or unpin the pixel under the mouse"},
    {'N', INPUT_UNPIN, "N", "remove pins and rectangle"},
    {'y', INPUT_COSTS, "y", "plot the costs under the mouse"},
    {'1', INPUT_ONE_TO_ONE, "1", "zoom: one to one"},
    {'0', INPUT_FIT, "0", "zoom: fit; cloud: reset"},
    {'a', INPUT_COMPARE, "a", "compare two sets, A and B, or not"},
    {'x', INPUT_COMPARE_EDIT, "x", "change the other set, A or B"},
    {'p', INPUT_COMPARE_VIEW, "p", "show both, A alone, B alone"},
    {'b', INPUT_BLINK, "b", "blink A and B, while it is held"},
    {'c', INPUT_COLOURS, "c", "next colour map"},
    {'e', INPUT_REASONS, "e", "show why pixels have no disparity"},
    {'z', INPUT_METRES, "z", "legend in metres"},
    {'s', INPUT_SNAPSHOT, "s", "save a snapshot"},
    {'k', INPUT_RECORD, "k", "start, stop recording live sources"},
    {'i', INPUT_STATISTICS, "i", "statistics"},
    {'f', INPUT_FULL_SCREEN, "f", "full screen (or double click)"},
    {INPUT_KEY_TAB, INPUT_PANEL, "Tab", "show or hide the panel"},
    {'?', INPUT_HELP, "?, h", "list the keys"},
    {'h', INPUT_HELP, "h", 0},
    {'q', INPUT_QUIT, "q, Ctrl+Q", "quit"},
    {INPUT_KEY_ESCAPE, INPUT_LEAVE, "Esc", "close the list, leave full screen"},
};
const int input_binding_count = sizeof input_bindings / sizeof *input_bindings;

int input_action_of(int key) {
    for (int i = 0; i < input_binding_count; i++)
        if (input_bindings[i].key == key) return (int)input_bindings[i].action;
    return -1;
}

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

void input_push(input_queue *queue, input_action action) {
    if (queue->count == INPUT_QUEUE_SIZE) {
        if (action != INPUT_QUIT) return;
        queue->count--;
    }
    queue->actions[(queue->first + queue->count++) % INPUT_QUEUE_SIZE] = action;
}

bool input_next(input_queue *queue, input_action *action) {
    if (!queue->count) return false;
    *action = queue->actions[queue->first];
    queue->first = (queue->first + 1) % INPUT_QUEUE_SIZE;
    queue->count--;
    return true;
}
