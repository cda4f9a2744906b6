/* The keys, the table of them in README.md, and the queue of actions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/input.h"

static void keys_mean_what_the_design_says(void **state) {
    (void)state;
    static const int keys[][2] = {
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
        {'s', INPUT_SNAPSHOT},
        {'k', INPUT_RECORD},
        {'i', INPUT_STATISTICS},
        {'f', INPUT_FULL_SCREEN},
        {'h', INPUT_HELP},
        {'?', INPUT_HELP},
        {'q', INPUT_QUIT},
        {INPUT_KEY_BACKSPACE, INPUT_AS_RECORDED},
        {INPUT_KEY_GO_TO, INPUT_FRAME},
        {'l', INPUT_MARK},
        {'L', INPUT_LOOP},
        {INPUT_KEY_OPEN, INPUT_OPEN},
        {INPUT_KEY_ENTER, INPUT_OPEN_ALONE},
        {INPUT_KEY_UNDO, INPUT_UNDO},
        {INPUT_KEY_REDO, INPUT_REDO},
        {INPUT_KEY_TAB, INPUT_PANEL},
        {INPUT_KEY_ESCAPE, INPUT_LEAVE},
        {'3', INPUT_CLOUD},
        {'n', INPUT_PIN},
        {'N', INPUT_UNPIN},
        {'y', INPUT_COSTS},
        {INPUT_KEY_UP, INPUT_FLY_AHEAD},
        {INPUT_KEY_DOWN, INPUT_FLY_BACK},
        {INPUT_KEY_CTRL_LEFT, INPUT_FLY_LEFT},
        {INPUT_KEY_CTRL_RIGHT, INPUT_FLY_RIGHT},
        {INPUT_KEY_CTRL_UP, INPUT_FLY_UP},
        {INPUT_KEY_CTRL_DOWN, INPUT_FLY_DOWN},
        {INPUT_KEY_LEFT, INPUT_SEEK_BACK},
        {INPUT_KEY_RIGHT, INPUT_SEEK_ON},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) assert_int_equal(input_action_of(keys[i][0]), keys[i][1]);
    assert_int_equal(input_binding_count, sizeof keys / sizeof *keys);
    assert_int_equal(input_action_of('u'), -1);
    for (int i = 0; i < input_binding_count; i++) /* no key twice */
        assert_int_equal(input_action_of(input_bindings[i].key), input_bindings[i].action);
}

/* README's table has the keys of the program, in its words, and no others. */
static void readme_has_the_keys(void **state) {
    (void)state;
    static char text[1 << 16];
    FILE *stream = fopen("README.md", "r");
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
        if (!input_bindings[i].help) continue;
        snprintf(cell, sizeof cell, "| `%s` | %s |", input_bindings[i].label, input_bindings[i].help);
        if (!strstr(table, cell)) fail_msg("README.md has no '%s'", cell);
        shown++;
    }
    for (const char *at = table; (at = strstr(at, "| `")); at++) cells++;
    assert_int_equal(cells, shown);
}

static void queue_keeps_the_order(void **state) {
    (void)state;
    input_queue queue = {.count = 0};
    input_action action;
    assert_false(input_next(&queue, &action));
    for (int round = 0; round < 3; round++) { /* the second time it wraps */
        for (int i = 0; i < INPUT_QUEUE_SIZE + 5; i++) input_push(&queue, (input_action)(1 + i % 20));
        for (int i = 0; i < INPUT_QUEUE_SIZE - round; i++) {
            assert_true(input_next(&queue, &action));
            assert_int_equal(action, 1 + i % 20);
        }
        while (input_next(&queue, &action)) {
        }
    }
}

static void quit_is_never_lost(void **state) {
    (void)state;
    input_queue queue = {.count = 0};
    input_action action;
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) input_push(&queue, INPUT_RHO_UP);
    input_push(&queue, INPUT_QUIT);
    input_push(&queue, INPUT_RHO_DOWN);
    input_push(&queue, INPUT_QUIT);
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) {
        assert_true(input_next(&queue, &action));
        assert_int_equal(action, i < INPUT_QUEUE_SIZE - 1 ? INPUT_RHO_UP : INPUT_QUIT);
    }
    assert_false(input_next(&queue, &action));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_mean_what_the_design_says),
        cmocka_unit_test(readme_has_the_keys),
        cmocka_unit_test(queue_keeps_the_order),
        cmocka_unit_test(quit_is_never_lost),
    };
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
