/* The command line: app/options/command_line. */
#include "app/options/command_line.h"
#include "stereo/quality.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The views, in a layout with room for them; they are the window's. */
TEST(views_are_chosen) {
    options o;
    sv_error error = {""};
    char *one[] = {"stereoview", "--demo", "--view", "cloud", NULL};
    assert_int_equal(command_line_read(&o, 4, one, &error), SV_OK);
    assert_int_equal(o.display.view.layout, VIEW_ONE);
    assert_int_equal(o.display.view.kinds[0], VIEW_CLOUD);
    one[3] = "left picture, disparity,cloud";
    assert_int_equal(command_line_read(&o, 4, one, &error), SV_OK);
    assert_int_equal(o.display.view.layout, VIEW_FOUR);
    assert_int_equal(o.display.view.kinds[0], VIEW_LEFT);
    assert_int_equal(o.display.view.kinds[2], VIEW_CLOUD);
    one[3] = "cloud,cloudy";
    assert_int_equal(command_line_read(&o, 4, one, &error), SV_USAGE);
    assert_has(error.text, "cloudy");
    char *headless[] = {"stereoview", "--demo", "--headless", "--view", "cloud", NULL};
    assert_int_equal(command_line_read(&o, 5, headless, &error), SV_USAGE);
    assert_has(error.text, "--view is for the window");
    char *rate[] = {"stereoview", "--demo", "--draw-rate", "200", "--benchmark", NULL};
    assert_int_equal(command_line_read(&o, 5, rate, &error), SV_OK);
    assert_true(o.display.draw_rate == 200);
    assert_int_equal(command_line_read(&o, 4, rate, &error), SV_USAGE);
    assert_has(error.text, "--draw-rate needs --benchmark");
    rate[3] = "0";
    assert_int_equal(command_line_read(&o, 5, rate, &error), SV_USAGE);
}

TEST(a_model_means_its_method_unless_another_is_named) {
    options o;
    sv_error error = {""};
    char *arguments[] = {"stereoview", "--demo", "--model", "x.onnx", "-m", "ssd", NULL};
    assert_int_equal(command_line_read(&o, 4, arguments, &error), SV_OK);
    assert_int_equal(o.match.params.method, SV_NET);
    assert_int_equal(command_line_read(&o, 6, arguments, &error), SV_OK);
    assert_int_equal(o.match.params.method, SV_SSD);
    arguments[4] = "--quality";
    arguments[5] = "fast";
    assert_int_equal(command_line_read(&o, 6, arguments, &error), SV_OK);
    assert_int_equal(o.match.params.method, sv_qualities[sv_quality_of("fast")].method);
}

TEST(controls_are_for_both_cameras_or_one) {
    options o;
    sv_error error = {""};
    char *two[] = {"stereoview", "-c",        "/dev/video0", "/dev/video2", "--control",  "gain=20", "--control",
                   "right:a=on", "--control", "equal",       "--control",   "left:b=c=d", NULL};
    assert_int_equal(command_line_read(&o, 12, two, &error), SV_OK);
    assert_true(o.input.cameras.equal);
    assert_int_equal(o.input.cameras.control_counts[0], 2);
    assert_int_equal(o.input.cameras.control_counts[1], 2);
    assert_string_equal(o.input.cameras.controls[0][0], "gain=20");
    assert_string_equal(o.input.cameras.controls[0][1], "b=c=d");
    assert_string_equal(o.input.cameras.controls[1][0], "gain=20");
    assert_string_equal(o.input.cameras.controls[1][1], "a=on");
    static char *const wrong[] = {"gain", "=3", "gain=", "left:=3", "middle", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        two[5] = wrong[i];
        assert_int_equal(command_line_read(&o, 12, two, &error), SV_USAGE);
        assert_has(error.text, "--control takes NAME=VALUE");
    }
    char *one[] = {"stereoview", "-c", "/dev/video0", "--control", "gain=20", NULL};
    assert_int_equal(command_line_read(&o, 5, one, &error), SV_OK);
    one[4] = "equal";
    assert_int_equal(command_line_read(&o, 5, one, &error), SV_USAGE);
    assert_has(error.text, "two cameras");
    one[4] = "right:gain=20";
    assert_int_equal(command_line_read(&o, 5, one, &error), SV_USAGE);
    assert_has(error.text, "two cameras");
    char *none[] = {"stereoview", "--demo", "--control", "gain=20", NULL};
    assert_int_equal(command_line_read(&o, 4, none, &error), SV_USAGE);
    assert_has(error.text, "for cameras");
    char *many[3 + 2 * (OPTIONS_MAX_CONTROLS + 1) + 1] = {"stereoview", "-c", "/dev/video0"};
    for (int i = 0; i <= OPTIONS_MAX_CONTROLS; i++) {
        many[3 + 2 * i] = "--control";
        many[4 + 2 * i] = "gain=20";
    }
    assert_int_equal(command_line_read(&o, 3 + 2 * OPTIONS_MAX_CONTROLS, many, &error), SV_OK);
    assert_int_equal(command_line_read(&o, 5 + 2 * OPTIONS_MAX_CONTROLS, many, &error), SV_USAGE);
    assert_has(error.text, "more than 16 times");
}

/* Reads the arguments after --demo --headless. */
static sv_params read_options(int count, char **arguments) {
    char *all[12] = {"stereoview", "--demo", "--headless"};
    options o;
    sv_error error = {""};
    for (int i = 0; i < count; i++) all[3 + i] = arguments[i];
    if (command_line_read(&o, 3 + count, all, &error) != SV_OK) fail_msg("%s", error.text);
    return o.match.params;
}
#define OPTIONS(...) read_options((int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__})

TEST(qualities_choose_parameters) {
    for (int i = 0; i < SV_QUALITY_COUNT; i++) {
        const sv_params params = OPTIONS("-d", "3:40", "--quality", (char *)sv_qualities[i].name);
        assert_int_equal(params.method, sv_qualities[i].method);
        assert_int_equal(sv_find_quality(&params), i);
        assert_int_equal(params.min_disparity, 3);
        assert_int_equal(params.max_disparity, 40);
        const sv_quality *q = &sv_qualities[i];
        for (int k = 0; k < SV_QUALITY_SETTINGS && q->settings[k].parameter; k++) {
            char text[32];
            const sv_parameter *p = sv_find_parameter(q->settings[k].parameter);
            assert_non_null(p);
            assert_true(sv_uses(q->method, p));
            assert_string_equal(sv_print(&params, p, text, sizeof text), q->settings[k].value);
        }
    }
    /* Nothing is the default, and the default is one of them. */
    sv_params params = OPTIONS("-q");
    assert_int_equal(params.method, SV_DEFAULT_METHOD);
    assert_string_equal(sv_quality_name(sv_find_quality(&params)), "balanced");
    /* Other options override it, in any order. */
    params = OPTIONS("--holes", "7", "--quality", "best");
    assert_int_equal(params.holes, 7);
    assert_int_equal(params.weighted_median, 4);
    assert_int_equal(sv_find_quality(&params), -1);
    params = OPTIONS("-m", "sgm", "--quality", "best");
    assert_int_equal(params.weighted_median, 4);
    params = OPTIONS("-m", "ncc", "--quality", "best");
    const sv_params ncc = sv_default_params(SV_NCC);
    assert_memory_equal(&params, &ncc, sizeof params);
}

/* A window averages five frames unless the user chose otherwise; what runs without one, or measures, does not. */
TEST(windows_keep_maps_still) {
    char *const there = strdup(scratch_write_text("there.yaml", "method: ssd\n"));
    const struct {
        int temporal;
        char *arguments[6];
    } cases[] = {
        {5, {"--demo"}},
        {5, {"--demo", "-m", "ssd", "--quality", "fast"}},
        {5, {"--demo", "--settings", "not-there.yaml"}},
        {1, {"--demo", "--temporal", "off"}},
        {3, {"--temporal=3", "--demo"}},
        {1, {"--demo", "--benchmark"}},
        {1, {"--demo", "--headless"}},
        {1, {"--demo", "--settings", there}},
        {8, {"--demo", "--settings", there, "--temporal", "8"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *all[8] = {"stereoview"};
        options o;
        sv_error error = {""};
        int count = 1;
        for (int k = 0; k < 6 && cases[i].arguments[k]; k++) all[count++] = cases[i].arguments[k];
        if (command_line_read(&o, count, all, &error) != SV_OK) fail_msg("%s", error.text);
        assert_int_equal(o.match.params.temporal, cases[i].temporal);
        options_free(&o);
    }
    free(there);
}

FIXTURES(scratch_setup, scratch_teardown)
