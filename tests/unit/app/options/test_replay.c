/* What a settings file says of a source: as it is written, and as the command line takes it. */
#include "app/options/command_line.h"
#include "app/options/replay.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sv_status read_arguments(options *o, sv_error *error, int count, char **arguments) {
    char *all[16] = {"stereoview"};
    memcpy(all + 1, arguments, (size_t)count * sizeof *arguments);
    return command_line_read(o, 1 + count, all, error);
}

/* Writes the options' source and reads it as the only thing that a command line names. */
static options again(const options *from, const replay_frames *frames) {
    const char *path = scratch_path("again.yaml");
    settings_source source;
    options to;
    sv_error error = {""};
    assert_int_equal(replay_describe(from, frames, &source, &error), SV_OK);
    assert_int_equal(settings_write(path, &from->match.params, NULL, &source, &error), SV_OK);
    settings_free_source(&source);
    if (read_arguments(&to, &error, 3, (char *[]){"--headless", "--settings", (char *)path}) != SV_OK)
        fail_msg("%s", error.text);
    return to;
}

static options with_rows(const char *rows) {
    options from, to;
    sv_error error;
    if (read_arguments(&from, &error, 4, (char *[]){"-s", "/both.mkv", "--rows", (char *)rows}) != SV_OK)
        fail_msg("%s", error.text);
    to = again(&from, &(replay_frames){.end = 1});
    assert_int_equal(to.rig.rows, from.rig.rows);
    assert_memory_equal(to.rig.row_terms, from.rig.row_terms, sizeof to.rig.row_terms);
    return to;
}

TEST(a_row_correction_comes_back) {
    options o = with_rows("auto");
    assert_int_equal(o.rig.rows, ROWS_AUTO);
    options_free(&o);
    o = with_rows("off");
    assert_int_equal(o.rig.rows, ROWS_OFF);
    options_free(&o);
    o = with_rows("0.12345678,-1.5,0,3e-1,100,-0.0001");
    assert_int_equal(o.rig.rows, ROWS_GIVEN);
    const double expected[] = {0.1235, -1.5, 0, 0.3, 100, -0.0001}, none[SV_ROW_TERMS] = {0};
    for (int i = 0; i < SV_ROW_TERMS; i++) assert_true(o.rig.row_terms[i] == expected[i]);
    /* What is in use replaces what was requested. */
    assert_int_equal(replay_with_rows(&o, none).rig.rows, ROWS_OFF);
    o.rig.rows = ROWS_AUTO;
    assert_int_equal(replay_with_rows(&o, expected).rig.rows, ROWS_GIVEN);
    options_free(&o);
}

TEST(a_source_comes_back) {
    char *folder = getcwd(NULL, 0), expected[4200];
    options from, to;
    sv_error error;
    const char *calibration = scratch_write_text("a \"b\\c.txt", "x");
    char both[8200];
    snprintf(both, sizeof both, "%s,%s", calibration, calibration);
    char *arguments[] = {"-f",
                         "le\"ft\t'%03d.png",
                         "/ri\\ght: #%03d.png",
                         "--calibration",
                         both,
                         "--rectify-alpha",
                         "0.25",
                         "-m",
                         "ncc",
                         "--rho",
                         "7"};
    if (read_arguments(&from, &error, 11, arguments) != SV_OK) fail_msg("%s", error.text);
    to = again(&from, &(replay_frames){.first = 12, .end = 13, .moved = true, .offset = -0.04});
    snprintf(expected, sizeof expected, "%s/le\"ft\t'%%03d.png", folder);
    assert_string_equal(to.input.left, expected);
    assert_string_equal(to.input.right, "/ri\\ght: #%03d.png");
    assert_string_equal(to.rig.calibration, both);
    assert_true(to.rig.rectify_alpha == 0.25);
    assert_int_equal(to.input.frames.first, 12);
    assert_int_equal(to.input.frames.end, 13);
    assert_true(to.input.offset.given && to.input.offset.in_ms && to.input.offset.value == -40);
    assert_int_equal(to.match.params.method, SV_NCC);
    assert_int_equal(to.match.params.rho, 7);
    options_free(&to);

    char *one[] = {"-s", "/both.mkv", "--damaged", "skip", "--layout", "top-bottom", "--swap"};
    if (read_arguments(&from, &error, 7, one) != SV_OK) fail_msg("%s", error.text);
    to = again(&from, &(replay_frames){.first = 3, .end = INT64_MAX});
    assert_string_equal(to.input.whole, "/both.mkv");
    assert_int_equal(to.input.split.layout, SPLIT_TOP_BOTTOM);
    assert_true(to.input.frames.skip_damaged);
    assert_true(to.input.split.swap && to.input.frames.first == 3 && to.input.frames.end == INT64_MAX &&
                !to.input.offset.given);
    options_free(&to);

    if (read_arguments(&from, &error, 2, (char *[]){"--synthetic", "320x200"}) != SV_OK) fail_msg("%s", error.text);
    to = again(&from, &(replay_frames){.end = 1});
    assert_int_equal(to.input.synthetic_width, 320);
    assert_int_equal(to.input.synthetic_height, 200);
    assert_false(to.input.split.swap);
    options_free(&to);

    if (read_arguments(&from, &error, 2, (char *[]){"--demo", "--swap"}) != SV_OK) fail_msg("%s", error.text);
    to = again(&from, &(replay_frames){.end = 1, .moved = true, .offset = 0.08});
    assert_true(to.input.demo && to.input.split.swap && to.input.offset.given && to.input.offset.in_ms &&
                to.input.offset.value == 80);
    options_free(&to);
    free(folder);
}

TEST(the_command_line_comes_first) {
    options o;
    sv_error error = {""};
    char *path = (char *)scratch_write_text("s.yaml", "demo: on\nframes: 5:6\nrho: 4\n");
    if (read_arguments(&o, &error, 5, (char *[]){"--settings", path, "-f", "a", "b"}) != SV_OK)
        fail_msg("%s", error.text);
    assert_true(!o.input.demo && o.input.frames.first == 0 && o.input.frames.end == INT64_MAX);
    assert_int_equal(o.match.params.rho, 4);
    options_free(&o);
    if (read_arguments(&o, &error, 4, (char *[]){"--settings", path, "a", "b"}) != SV_OK) fail_msg("%s", error.text);
    assert_true(!o.input.demo);
    options_free(&o);
    if (read_arguments(&o, &error, 5, (char *[]){"--settings", path, "--headless", "--frames", "7:9"}) != SV_OK)
        fail_msg("%s", error.text);
    assert_true(o.input.demo && o.input.frames.first == 7 && o.input.frames.end == 9);
    options_free(&o);
}

/* In the window, the options of the last input do not carry over to that of a settings file. */
TEST(a_window_opens_the_source) {
    const options from = {.input.whole = "/both.mkv",
                          .input.layout_given = true,
                          .input.split = {.layout = SPLIT_TOP_BOTTOM, .swap = true},
                          .rig.calibration = "/c.txt",
                          .rig.rectify_alpha = 0.5,
                          .input.frames = {.first = 5, .end = 9}};
    settings_source source;
    sv_params params = sv_default_params(SV_SSD);
    options to;
    sv_error error;
    const char *path = scratch_write_text("s.yaml", "left: /l\nright: /r\noffset: 2\nframes: 3:4\nrho: 4\n");
    assert_int_equal(settings_read(path, &params, NULL, &source, &error), SV_OK);
    assert_int_equal(replay_options(&source, path, &from, &to, &error), SV_OK);
    assert_string_equal(to.input.left, "/l");
    assert_string_equal(to.input.right, "/r");
    assert_true(to.input.offset.given && !to.input.offset.in_ms && to.input.offset.value == 2);
    assert_int_equal(to.input.frames.first, 3);
    assert_int_equal(to.input.frames.end, 4);
    assert_null(to.input.whole);
    assert_null(to.rig.calibration);
    assert_true(to.rig.rectify_alpha < 0);
    assert_false(to.input.layout_given || to.input.split.swap);
    settings_free_source(&source);
    path = scratch_write_text("s.yaml", "rho: 3\n");
    assert_int_equal(settings_read(path, &params, NULL, &source, &error), SV_OK);
    assert_int_equal(replay_options(&source, path, &from, &to, &error), SV_OK);
    assert_false(input_is_named(&to.input));
    settings_free_source(&source);
}

TEST(mistakes_are_reported_with_their_line) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"left: a\n", "s.yaml, line 1: left needs right"},
        {"rho: 2\nframes: 5\ndemo: on\n", "s.yaml, line 2: --frames takes A:B"},
        {"demo: yes\n", "s.yaml, line 1: demo takes on, not 'yes'"},
        {"demo: on\ndemo: on\n", "s.yaml, line 2: demo appears twice"},
        {"left: [a, b]\n", "s.yaml, line 1: left takes one value"},
        {"left: ''\n", "s.yaml, line 1: the value of left cannot be ''"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options o;
        sv_error error = {""};
        char *path = (char *)scratch_write_text("s.yaml", cases[i].text);
        assert_int_equal(read_arguments(&o, &error, 3, (char *[]){"--settings", path, "--headless"}), SV_FAILED);
        if (!strstr(error.text, cases[i].message)) fail_msg("%s", error.text);
        options_free(&o);
    }
}

FIXTURES(scratch_setup, scratch_teardown)
