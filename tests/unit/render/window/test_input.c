/* The keys, the table of them in docs/keys.md, and the queue of actions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/window/input.h"
#include "tests/support/test.h"

/* How many keys have an action, of those of European keyboards and those without a character. */
static int count_keys(const input_keys *keys) {
    static const int parts[][2] = {{0, 0x250}, {0x20a0, 0x20c0}, {0x110000, INPUT_KEY_F1 + 12}};
    int known = 0;
    for (int i = 0; i < 3; i++)
        for (int key = parts[i][0]; key < parts[i][1]; key++)
            for (int with = 0; with < 4; with++)
                known += input_action_of(keys, key | (with & 1 ? INPUT_CTRL : 0) | (with & 2 ? INPUT_SHIFT : 0)) >= 0;
    return known;
}

TEST(keys_have_their_actions) {
    static const int expected[][2] = {
        {' ', INPUT_PAUSE},
        {'.', INPUT_STEP},
        {',', INPUT_STEP_BACK},
        {'[', INPUT_SLOWER},
        {']', INPUT_FASTER},
        {'m', INPUT_METHOD},
        {'r', INPUT_RHO_UP},
        {'R', INPUT_RHO_DOWN},
        {'t', INPUT_TAU_UP},
        {'T', INPUT_TAU_DOWN},
        {'d', INPUT_DISPARITIES_UP},
        {'D', INPUT_DISPARITIES_DOWN},
        {'o', INPUT_RIGHT_LATER},
        {'O', INPUT_RIGHT_EARLIER},
        {'v', INPUT_VIEW},
        {'u', INPUT_READINGS},
        {'j', INPUT_MEASURES},
        {'J', INPUT_SAVE_MEASURES},
        {'V', INPUT_VIEW_BACK},
        {'w', INPUT_LAYOUT},
        {'1', INPUT_ONE_TO_ONE},
        {'0', INPUT_FIT},
        {'a', INPUT_COMPARE},
        {'x', INPUT_COMPARE_EDIT},
        {'p', INPUT_COMPARE_VIEW},
        {'b', INPUT_BLINK},
        {'c', INPUT_COLOURS},
        {'e', INPUT_REASONS},
        {'z', INPUT_METRES},
        {'{', INPUT_LIMIT_NEAR},
        {'}', INPUT_LIMIT_FAR},
        {'s', INPUT_SNAPSHOT},
        {'k', INPUT_RECORD},
        {'s' | INPUT_CTRL, INPUT_SETTINGS},
        {'g', INPUT_ALIGN},
        {'G', INPUT_SAVE_RIG},
        {'i', INPUT_STATISTICS},
        {'f', INPUT_FULL_SCREEN},
        {'h', INPUT_HELP},
        {'?', INPUT_HELP},
        {'q', INPUT_QUIT},
        {'q' | INPUT_CTRL, INPUT_QUIT},
        {INPUT_KEY_BACKSPACE, INPUT_AS_RECORDED},
        {'g' | INPUT_CTRL, INPUT_FRAME},
        {'l', INPUT_MARK},
        {'L', INPUT_LOOP},
        {'o' | INPUT_CTRL, INPUT_OPEN},
        {'e' | INPUT_CTRL, INPUT_EXPORT},
        {INPUT_KEY_ENTER, INPUT_OPEN_ALONE},
        {'z' | INPUT_CTRL, INPUT_UNDO},
        {'y' | INPUT_CTRL, INPUT_REDO},
        {'z' | INPUT_CTRL | INPUT_SHIFT, INPUT_REDO},
        {INPUT_KEY_TAB, INPUT_PANEL},
        {INPUT_KEY_ESCAPE, INPUT_LEAVE},
        {'3', INPUT_CLOUD},
        {'n', INPUT_PIN},
        {'N', INPUT_UNPIN},
        {'y', INPUT_COSTS},
        {INPUT_KEY_UP, INPUT_FLY_AHEAD},
        {INPUT_KEY_DOWN, INPUT_FLY_BACK},
        {INPUT_KEY_LEFT | INPUT_CTRL, INPUT_FLY_LEFT},
        {INPUT_KEY_RIGHT | INPUT_CTRL, INPUT_FLY_RIGHT},
        {INPUT_KEY_UP | INPUT_CTRL, INPUT_FLY_UP},
        {INPUT_KEY_DOWN | INPUT_CTRL, INPUT_FLY_DOWN},
        {INPUT_KEY_LEFT, INPUT_SEEK_BACK},
        {INPUT_KEY_RIGHT, INPUT_SEEK_ON},
        {'A', INPUT_CELL},
        {'M', INPUT_MESSAGES},
    };
    const int count = sizeof expected / sizeof *expected;
    const input_keys keys = input_default_keys();
    for (int i = 0; i < count; i++) assert_int_equal(input_action_of(&keys, expected[i][0]), expected[i][1]);
    assert_int_equal(count_keys(&keys), count);
    char key[INPUT_KEYS_BYTES];
    for (int i = 0; i < input_binding_count; i++) { /* no key, no name and no action twice */
        const input_binding *b = &input_bindings[i];
        assert_null(input_find_conflict(&keys, b->action, key, sizeof key));
        assert_ptr_equal(input_find(b->name), b);
        for (int k = 0; k < i; k++) assert_int_not_equal(input_bindings[k].action, b->action);
    }
}

TEST(keys_are_written_as_people_do) {
    static const struct {
        const char *text, *shown;
        int keys[3]; /* 0 behind the last */
    } cases[] = {
        {"x", "x", {'x'}},
        {",", ",", {','}},
        {",, x", ",, x", {',', 'x'}},
        {"x ,y,  Space", "x, y, Space", {'x', 'y', ' '}},
        {"F1, f12", "F1, f12", {INPUT_KEY_F1, INPUT_KEY_F1 + 11}},
        {"ctrl+X, Ctrl++", "ctrl+X, Ctrl++", {'x' | INPUT_CTRL, '+' | INPUT_CTRL}},
        {"Ctrl+Shift+x, Shift+F5",
         "Ctrl+Shift+x, Shift+F5",
         {'x' | INPUT_CTRL | INPUT_SHIFT, (INPUT_KEY_F1 + 4) | INPUT_SHIFT}},
        {"\xc3\xa4, \xe2\x82\xac", "\xc3\xa4, \xe2\x82\xac", {0xe4, 0x20ac}},
        {"PageUp, delete", "PageUp, delete", {INPUT_KEY_PAGE_UP, INPUT_KEY_DELETE}},
        {"none", "", {0}},
        {"", "", {0}},
    };
    sv_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        input_keys keys = {{{0}}};
        if (input_set_keys(&keys, INPUT_SNAPSHOT, cases[i].text, &error) != SV_OK) fail_msg("%s", error.text);
        assert_string_equal(keys.of[INPUT_SNAPSHOT], cases[i].shown);
        int known = count_keys(&keys);
        for (int k = 0; k < 3 && cases[i].keys[k]; k++, known--)
            assert_int_equal(input_action_of(&keys, cases[i].keys[k]), INPUT_SNAPSHOT);
        assert_int_equal(known, 0);
    }
    static const char *const wrong[] = {
        "xy",      "Shift+x", "F13",  "F0",      "Ctrl+",
        "Hyper+x", "\x01",    "\xc3", "x, Entr", "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        input_keys keys = input_default_keys();
        assert_int_equal(input_set_keys(&keys, INPUT_SNAPSHOT, wrong[i], &error), SV_USAGE);
        assert_string_equal(keys.of[INPUT_SNAPSHOT], "s");
    }
}

/* The manual's table has the keys of the program, in its words, and no others. */
TEST(manual_has_the_keys) {
    static char text[1 << 16];
    FILE *stream = fopen("docs/keys.md", "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    char *table = strstr(text, "| key | does |");
    assert_non_null(table);
    table = strchr(strchr(table, '\n') + 1, '\n'); /* after the head and its rule */
    char *end = strstr(table, "\n\n");
    assert_non_null(end);
    *end = 0;
    int shown = 0, cells = 0;
    for (int i = 0; i < input_binding_count; i++) {
        char cell[128];
        if (!*input_bindings[i].keys) continue;
        snprintf(cell, sizeof cell, "| `%s` | %s |", input_bindings[i].keys, input_bindings[i].help);
        if (!strstr(table, cell)) fail_msg("docs/keys.md has no '%s'", cell);
        shown++;
    }
    for (const char *at = table; (at = strstr(at, "| `")); at++) cells++;
    assert_int_equal(cells, shown);
}

static void push(input_queue *queue, input_action action, int x) {
    input_push(queue, &(input_event){.action = action, .x = x, .y = -x});
}

static void push_mouse(input_queue *queue, mouse_event_kind kind, int x) {
    input_push(queue, &(input_event){.is_mouse = true, .mouse = {.kind = kind, .x = x}});
}

TEST(queue_keeps_the_order) {
    enum { ROOM = INPUT_QUEUE_SIZE / 2 };
    input_queue queue = {.count = 0};
    input_event event;
    assert_false(input_next(&queue, &event));
    for (int round = 0; round < 5; round++) { /* after the second time it wraps */
        for (int i = 0; i < ROOM + 5; i++) {
            if (i % 3 == 2)
                push_mouse(&queue, MOUSE_WHEEL, i);
            else
                push(&queue, (input_action)(1 + i % 20), i);
        }
        for (int i = 0; i < ROOM; i++) {
            assert_true(input_next(&queue, &event));
            assert_int_equal(event.is_mouse, i % 3 == 2);
            if (event.is_mouse)
                assert_int_equal(event.mouse.x, i);
            else
                assert_true((int)event.action == 1 + i % 20 && event.x == i && event.y == -i);
        }
        assert_false(input_next(&queue, &event));
    }
}

/* Moves alone are joined. What must not be lost has room where other events have none. */
TEST(buttons_and_quit_are_never_lost) {
    input_queue queue = {.count = 0};
    input_event event;
    for (int i = 0; i < 100; i++) push_mouse(&queue, MOUSE_MOVE, i);
    push_mouse(&queue, MOUSE_PRESS, 100);
    push_mouse(&queue, MOUSE_MOVE, 101);
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) push(&queue, INPUT_RHO_UP, i);
    push_mouse(&queue, MOUSE_RELEASE, 102);
    push_mouse(&queue, MOUSE_MOVE, 103);
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) push_mouse(&queue, MOUSE_PRESS, 104);
    push(&queue, INPUT_RHO_DOWN, 0);
    push(&queue, INPUT_QUIT, 0);
    push(&queue, INPUT_QUIT, 0);
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) {
        assert_true(input_next(&queue, &event));
        const int button = i - INPUT_QUEUE_SIZE / 2; /* from the release on */
        const int x = i < 3 ? 99 + i : 102 + 2 * (button > 0);
        if (i < 3 || (button >= 0 && i < INPUT_QUEUE_SIZE - 1))
            assert_true(event.is_mouse && event.mouse.x == x);
        else
            assert_true(!event.is_mouse && event.action == (button < 0 ? INPUT_RHO_UP : INPUT_QUIT));
    }
    assert_false(input_next(&queue, &event));
}

/* What the panel can ask for, keys can, too; but for what takes a value from the panel, and for the buttons of a box.
 */
TEST(every_action_can_have_a_key) {
    static const input_action of_panel[] = {
        INPUT_STREAM_LAYOUT, INPUT_OPEN_NAMES,     INPUT_SEEK_TO,        INPUT_FRAME_TO,
        INPUT_METHOD_TO,     INPUT_EXPORT_START,   INPUT_SAVE_SETTINGS,  INPUT_QUALITY,
        INPUT_LOAD_SETTINGS, INPUT_SAVE_QUALITY,   INPUT_CONFIRM,        INPUT_DECLINE,
        INPUT_SOLVE,         INPUT_CAMERA_CONTROL, INPUT_DELETE_QUALITY, INPUT_USE_METRES};
    for (int action = 0; action < INPUT_ACTION_COUNT; action++) {
        int bindings = 0;
        for (int i = 0; i < input_binding_count; i++) bindings += (int)input_bindings[i].action == action;
        for (size_t i = 0; i < sizeof of_panel / sizeof *of_panel; i++) bindings += (int)of_panel[i] == action;
        if (bindings != 1) fail_msg("action %d has %d bindings", action, bindings);
    }
}
