/* The window, and the helpers for OpenGL. */
#include <stdlib.h>
#include <string.h>

#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

#include <GLFW/glfw3.h>

TEST(bad_programs_are_reported) {
    NEEDS_WINDOW();
    const char *vertex = "void main() { gl_Position = vec4(0); }\n";
    const char *fragment = "out vec4 c; void main() { c = nonsense; }\n";
    GLuint program = 1;
    sv_error error;
    assert_int_equal(gl_program(&program, "broken", "", vertex, fragment, &error), SV_FAILED);
    assert_int_equal(program, 0);
    assert_non_null(strstr(error.text, "broken"));
    assert_non_null(strstr(error.text, "nonsense"));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    complaints = 0; /* drivers report it through the log too */
}

/* As if GLFW had seen the key. */
static void press_key(int key, int how) {
    GLFWwindow *glfw = window_handle(shown);
    GLFWkeyfun handler = glfwSetKeyCallback(glfw, NULL);
    glfwSetKeyCallback(glfw, handler);
    handler(glfw, key, 0, how, 0);
}

static void assert_next_action(int expected) {
    input_event event;
    assert_int_equal(window_next_event(shown, &event), expected >= 0);
    if (expected >= 0) assert_true(!event.is_mouse && (int)event.action == expected);
}

/* As if GLFW had seen the key of a character. */
static void type(int key, unsigned character, int how) {
    GLFWwindow *glfw = window_handle(shown);
    GLFWcharfun handler = glfwSetCharCallback(glfw, NULL);
    glfwSetCharCallback(glfw, handler);
    press_key(key, how);
    handler(glfw, character);
}

/* A key that is held does again what goes step by step, and all else once. */
TEST(held_keys_repeat_steps_alone) {
    NEEDS_WINDOW();
    type(GLFW_KEY_S, 's', GLFW_PRESS);
    assert_next_action(INPUT_SNAPSHOT);
    for (int i = 0; i < 3; i++) type(GLFW_KEY_S, 's', GLFW_REPEAT);
    assert_next_action(-1);
    type(GLFW_KEY_S, 's', GLFW_PRESS);
    assert_next_action(INPUT_SNAPSHOT);
    type(GLFW_KEY_R, 'r', GLFW_REPEAT);
    assert_next_action(INPUT_RHO_UP);
    press_key(GLFW_KEY_RIGHT, GLFW_REPEAT);
    assert_next_action(INPUT_SEEK_ON);
    press_key(GLFW_KEY_TAB, GLFW_REPEAT);
    assert_next_action(-1);
}

/* What is typed after the key of a box that has a field, and before its first frame, is no key of another action. */
TEST(a_box_that_opens_takes_what_is_typed) {
    NEEDS_WINDOW();
    GLFWwindow *glfw = window_handle(shown);
    GLFWkeyfun handler = glfwSetKeyCallback(glfw, NULL);
    glfwSetKeyCallback(glfw, handler);
    static const int keys[] = {GLFW_KEY_O, GLFW_KEY_S};
    static const input_action actions[] = {INPUT_OPEN, INPUT_SETTINGS};
    for (int i = 0; i < 2; i++) {
        handler(glfw, keys[i], 0, GLFW_PRESS, GLFW_MOD_CONTROL);
        type(GLFW_KEY_Q, 'q', GLFW_PRESS);
        type(GLFW_KEY_S, 's', GLFW_PRESS);
        assert_next_action(actions[i]);
        assert_next_action(-1);
        assert_int_equal(window_characters(shown), 2);
        window_mute_keys(shown, false, WINDOW_ESCAPE_ACTS); /* the next frame */
        type(GLFW_KEY_S, 's', GLFW_PRESS);
        assert_next_action(INPUT_SNAPSHOT);
    }
}

TEST(escape_is_the_way_out) {
    NEEDS_WINDOW();
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    assert_next_action(INPUT_LEAVE);
    press_key(GLFW_KEY_ESCAPE, GLFW_REPEAT);
    assert_next_action(-1);
    assert_false(window_take_escape(shown));
    window_mute_keys(shown, false, WINDOW_ESCAPE_TAKEN); /* a popup is open */
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    assert_next_action(-1);
    assert_true(window_take_escape(shown));
    assert_false(window_take_escape(shown));
    press_key(GLFW_KEY_TAB, GLFW_PRESS);
    assert_next_action(INPUT_PANEL);
    window_mute_keys(shown, true, WINDOW_ESCAPE_NOTHING); /* a value is typed */
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    press_key(GLFW_KEY_TAB, GLFW_PRESS);
    assert_next_action(-1);
    assert_false(window_take_escape(shown));
    window_mute_keys(shown, true, WINDOW_ESCAPE_ACTS); /* a field of a box has the keys */
    press_key(GLFW_KEY_TAB, GLFW_PRESS);
    assert_next_action(-1);
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    assert_next_action(INPUT_LEAVE);
    window_mute_keys(shown, false, WINDOW_ESCAPE_ACTS);

    window_leave_full_screen(shown);
    assert_null(glfwGetWindowMonitor(window_handle(shown)));
    window_toggle_full_screen(shown);
    if (!glfwGetWindowMonitor(window_handle(shown))) {
        print_message("there is no monitor\n");
        skip();
    }
    window_leave_full_screen(shown);
    assert_null(glfwGetWindowMonitor(window_handle(shown)));
    assert_no_complaints();
}

TEST_WITH(no_display_is_reported, close_screen, open_screen) {
    static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    char *saved[2];
    window *w;
    sv_error error;
    for (int i = 0; i < 2; i++) {
        saved[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
        unsetenv(names[i]);
    }
    assert_int_equal(window_open(&w, &(window_options){.title = "test", .width = 64, .height = 64}, &error),
                     SV_NO_DEVICE);
    assert_null(w);
    assert_non_null(strstr(error.text, "--headless"));
    for (int i = 0; i < 2; i++) {
        if (saved[i]) setenv(names[i], saved[i], 1);
        free(saved[i]);
    }
}

FIXTURES(open_screen, close_screen)
