/* What is dropped onto the window: what it is taken for, what waits, which side is which. */
#include "app/media/drop.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static sv_status add(drop *in, const char *first, const char *second, const char *third) {
    char names[3][600];
    char *list[3] = {names[0], names[1], names[2]};
    const char *const given[] = {first, second, third};
    int count = 0;
    sv_error error;
    for (int i = 0; i < 3; i++)
        if (given[i]) snprintf(names[count++], sizeof names[0], "%s", given[i]);
    return drop_add(in, list, count, &error);
}

TEST(two_at_once_are_a_pair) {
    static const struct {
        const char *dropped[2], *left;
    } cases[] = {
        {{"/b.mp4", "/a.mp4"}, "/a.mp4"},           {{"/cam1", "/cam0"}, "/cam0"},
        {{"/img10.png", "/img9.png"}, "/img9.png"}, {{"/right.mp4", "/the_left.mp4"}, "/the_left.mp4"},
        {{"/a_Right.mkv", "/b.mkv"}, "/b.mkv"},     {{"/right/a.mkv", "/right/b.mkv"}, "/right/a.mkv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2; k++) {
            drop in = {.has_sources = false};
            assert_int_equal(add(&in, cases[i].dropped[k], cases[i].dropped[!k], NULL), SV_OK);
            assert_true(in.has_sources);
            assert_string_equal(in.request.names[0], cases[i].left);
            assert_string_not_equal(in.request.names[1], cases[i].left);
            assert_string_equal(in.waiting, "");
        }
}

TEST(one_waits_for_the_other) {
    drop in = {.has_sources = false};
    assert_int_equal(add(&in, "/b.mp4", NULL, NULL), SV_OK);
    assert_false(in.has_sources);
    assert_string_equal(in.waiting, "/b.mp4");
    assert_int_equal(add(&in, "/a.mp4", NULL, NULL), SV_OK);
    assert_true(in.has_sources);
    assert_string_equal(in.request.names[0], "/b.mp4"); /* the user's order */
    assert_string_equal(in.request.names[1], "/a.mp4");
    assert_string_equal(in.waiting, "");
    in = (drop){.waiting = "/right.mp4"};
    assert_int_equal(add(&in, "/left.mp4", NULL, NULL), SV_OK);
    assert_string_equal(in.request.names[0], "/left.mp4");
    in = (drop){.waiting = "/c.mp4"};
    assert_int_equal(add(&in, "/b.mp4", "/a.mp4", NULL), SV_OK); /* another pair */
    assert_string_equal(in.request.names[0], "/a.mp4");
    assert_string_equal(in.waiting, "");
}

TEST(a_folder_of_both_sides_is_complete) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s", scratch_path("both"));
    assert_int_equal(mkdir(folder, 0700), 0);
    drop in = {.has_sources = false};
    assert_int_equal(add(&in, folder, NULL, NULL), SV_OK);
    assert_false(in.has_sources);
    assert_int_equal(mkdir(scratch_path("both/left"), 0700), 0);
    assert_int_equal(mkdir(scratch_path("both/right"), 0700), 0);
    in = (drop){.has_sources = false};
    assert_int_equal(add(&in, folder, NULL, NULL), SV_OK);
    assert_true(in.has_sources);
    assert_string_equal(in.request.names[0], folder);
    assert_string_equal(in.request.names[1], "");
}

TEST(settings_and_calibrations_are_told_apart) {
    char settings[512], left[512], right[512], both[1100];
    snprintf(settings, sizeof settings, "%s", scratch_write_text("mine.yaml", "method: ncc\nrho: 2\n"));
    snprintf(left, sizeof left, "%s", scratch_write_text("left.yaml", "image_width: 640\n"));
    snprintf(right, sizeof right, "%s", scratch_write_text("right.YML", "image_width: 640\n"));
    drop in = {.has_sources = false};
    assert_int_equal(add(&in, right, settings, left), SV_OK);
    snprintf(both, sizeof both, "%s,%s", left, right);
    assert_string_equal(in.calibration, both);
    assert_string_equal(in.settings, settings);
    assert_false(in.has_sources);
    assert_string_equal(in.waiting, "");
    /* Their reader reports what is wrong with them. */
    snprintf(settings, sizeof settings, "%s", scratch_write_text("wrong.yaml", "# mine\nmethod: ncc\nrho: 99\n"));
    in = (drop){.has_sources = false};
    assert_int_equal(add(&in, settings, NULL, NULL), SV_OK);
    assert_string_equal(in.settings, settings);
    assert_string_equal(in.calibration, "");
    in = (drop){.waiting = "/a.mp4"};
    assert_int_equal(add(&in, left, "/b.mp4", NULL), SV_OK);
    assert_string_equal(in.calibration, left);
    assert_true(in.has_sources);
}

/* What was given for one input does not carry over to another. */
TEST(another_input_has_its_own_options) {
    const options from = {.input.left = "/l.mkv",
                          .input.right = "/r.mkv",
                          .output.truth = "/t.png",
                          .output.truth_scale = 4,
                          .input.layout_given = true,
                          .input.split = {.layout = SPLIT_TOP_BOTTOM},
                          .input.offset.given = true,
                          .input.offset.value = 3};
    request wanted = request_of(&from);
    options next = request_options(&wanted, &from, true);
    assert_string_equal(next.output.truth, "/t.png");
    assert_int_equal(next.input.split.layout, SPLIT_TOP_BOTTOM);
    assert_true(next.input.offset.given && next.input.offset.value == 3);
    next = request_options(&wanted, &from, false);
    assert_null(next.output.truth);
    assert_true(next.output.truth_scale == 0);
    assert_false(next.input.layout_given);
    assert_int_equal(next.input.split.layout, SPLIT_SIDE_BY_SIDE);
    assert_false(next.input.offset.given);
    wanted.swap = true;
    next = request_options(&wanted, &from, true);
    assert_null(next.output.truth);
    assert_int_equal(next.input.split.layout, SPLIT_TOP_BOTTOM);
    assert_true(next.input.offset.given && next.input.offset.value == -3);
    wanted = (request){.names = {"/l.mkv", "/r.mkv"}, .truth = "/u.pfm"}; /* a truth of its own */
    next = request_options(&wanted, &from, false);
    assert_string_equal(next.output.truth, "/u.pfm");
    assert_true(next.output.truth_scale == 0);
    wanted.swap = true;
    next = request_options(&wanted, &next, true);
    assert_null(next.output.truth);
}

static sv_status type(drop *in, const char *left, const char *right, const char *calibration) {
    request asked = {.swap = true};
    sv_error error;
    snprintf(asked.names[0], sizeof asked.names[0], "%s", left);
    snprintf(asked.names[1], sizeof asked.names[1], "%s", right);
    snprintf(asked.calibration, sizeof asked.calibration, "%s", calibration);
    return drop_typed(in, &asked, &error);
}

TEST(what_may_be_dropped_may_be_typed) {
    const char *settings = scratch_write_text("typed.yaml", "method: ssd\n");
    const char *calibration = scratch_write_text("typed.txt", "cam0=[1 0 0; 0 1 0; 0 0 1]\n");
    drop in = {.has_sources = false};
    assert_int_equal(type(&in, settings, "", ""), SV_OK);
    assert_string_equal(in.settings, settings);
    assert_false(in.has_sources);
    in = (drop){.has_sources = false};
    assert_int_equal(type(&in, calibration, "", ""), SV_OK);
    assert_string_equal(in.calibration, calibration);
    assert_false(in.has_sources);
    in = (drop){.waiting = "/w.mkv"};
    assert_int_equal(type(&in, "/right.mkv", "", ""), SV_OK); /* it waits for nothing */
    assert_true(in.has_sources && in.request.swap);
    assert_string_equal(in.request.names[0], "/right.mkv");
    assert_string_equal(in.waiting, "");
    in = (drop){.has_sources = false};
    assert_int_equal(type(&in, "/right.mkv", "/left.mkv", calibration), SV_OK); /* in their order */
    assert_string_equal(in.request.names[0], "/right.mkv");
    assert_string_equal(in.request.names[1], "/left.mkv");
    assert_string_equal(in.calibration, calibration);
    in = (drop){.has_sources = false};
    assert_int_equal(type(&in, "/left.mkv", settings, ""), SV_USAGE);
    assert_int_equal(type(&in, calibration, "/right.mkv", ""), SV_USAGE);
    assert_int_equal(type(&in, "/left.mkv", "/right.mkv", settings), SV_USAGE);
    assert_false(in.has_sources);
    assert_string_equal(in.settings, "");
}

/* Only below /dev are there cameras, and not everywhere there. */
TEST(cameras_are_known_by_their_names) {
    static const struct {
        const char *name;
        bool camera;
    } names[] = {{"/dev/video0", true}, {"/dev/v4l/by-id/usb-0", true}, {"/dev/shm/both.mkv", false},
                 {"/dev/stdin", false}, {"/device/a.mkv", false},       {"dev/video0", false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const options from = {.input.whole = names[i].name};
        const request wanted = request_of(&from);
        const options next = request_options(&wanted, &from, false);
        assert_string_equal(names[i].camera ? next.input.cameras.names[0] : next.input.whole, names[i].name);
        assert_null(names[i].camera ? next.input.whole : next.input.cameras.names[0]);
    }
}

FIXTURES(scratch_setup, scratch_teardown)
