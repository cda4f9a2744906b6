/* -d auto: the range that is found in the pictures of an input, and how it follows them. */
#include "app/calibrate/auto_range.h"
#include "app/media/media.h"
#include "app/options/command_line.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/texture.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 240, PAIRS = 10 };

static void write_picture(const char *name, int shift, int down) {
    static struct {
        char head[15];
        uint8_t pixels[HEIGHT][WIDTH];
    } file = {.head = "P5 640 240 255\n"};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) file.pixels[y][x] = (uint8_t)texture_grey(x + shift, y + down, 0);
    scratch_write(name, &file, sizeof file);
}

/* A sequence in which every pair has the disparity 20, but for the last one, which has `last`. The pictures on the
 * right are from `down` rows below. */
static void write_sequence(int last, int down) {
    for (int i = 0; i < PAIRS; i++) {
        char name[32];
        snprintf(name, sizeof name, "left_%d.pgm", i);
        write_picture(name, 0, 0);
        snprintf(name, sizeof name, "right_%d.pgm", i);
        write_picture(name, i == PAIRS - 1 ? last : 20, down);
    }
}

/* Opens the sequence with these further options, finds its range, and checks that the first pair comes next. */
static sv_params find(const char *const *more) {
    char left[512], right[512];
    snprintf(left, sizeof left, "%s", scratch_path("left_%d.pgm"));
    snprintf(right, sizeof right, "%s", scratch_path("right_%d.pgm"));
    char *arguments[16] = {"stereoview", "--headless", "--threads", "1", left, right};
    int count = 6;
    for (; *more; more++) arguments[count++] = (char *)*more;
    options o;
    sv_error error;
    pairing *pairing;
    frame_pair pair;
    const media_colour colour = {false, false};
    const sv_rectification none = {0};
    if (command_line_read(&o, count, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    if (media_open(&o, (pool_memory){NULL, NULL}, &colour, &pairing, &error) != SV_OK) fail_msg("%s", error.text);
    if (auto_range_find(&o, (pool_memory){NULL, NULL}, &colour, &pairing, &none, &error) != SV_OK)
        fail_msg("%s", error.text);
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
    assert_int_equal(pair.left->index, o.input.frames.first);
    assert_int_equal(pair.right->index, o.input.frames.first);
    frame_pair_release(&pair);
    pairing_close(pairing);
    const sv_params params = o.match.params;
    if (o.match.compare) assert_int_equal(o.match.second.max_disparity, params.max_disparity);
    options_free(&o);
    return params;
}
#define FIND(...) find((const char *const[]){__VA_ARGS__, NULL})

TEST(the_range_is_that_of_pairs_all_over_a_sequence) {
    write_sequence(88, 0);
    sv_params p = FIND("-d", "auto");
    assert_int_equal(p.min_disparity, 0);
    assert_int_equal(p.max_disparity, 95);
    assert_false(sv_range_is_chosen(&p));
    assert_int_equal(FIND("--compare", "ncc").max_disparity, 95);
    /* The same for every part of a run; of other frames, another one. */
    assert_int_equal(FIND("--shard", "1/5", "-o", "x_%d.pfm").max_disparity, 95);
    assert_int_equal(FIND("--frames", "0:9").max_disparity, 31);
    assert_int_equal(FIND("--frames", "3:4").max_disparity, 31);
    assert_int_equal(FIND("--frames", "8:10").max_disparity, 95);
    assert_int_equal(FIND("--swap", "--frames", "0:9").min_disparity, -32); /* -20.25, 4 more, and eights */
}

TEST(a_range_that_was_chosen_stays) {
    write_sequence(20, 0);
    sv_params p = FIND("-d", "0:63");
    assert_int_equal(p.max_disparity, 63);
    assert_true(sv_range_is_chosen(&p));
    p = FIND("--benchmark");
    assert_int_equal(p.max_disparity, 63);
    p = FIND("-d", "3:9", "-d", "auto");
    assert_int_equal(p.min_disparity, 0);
    assert_int_equal(p.max_disparity, 31);
}

TEST(pictures_that_do_not_go_together_keep_the_default) {
    write_sequence(20, 2000);
    watch_log();
    const sv_params p = FIND("-m", "zncc");
    assert_int_equal(p.min_disparity, 0);
    assert_int_equal(p.max_disparity, 64);
    assert_has(last_note, "disparities 0:64, the default");
}

/* ---- While it plays --------------------------------------------------------------------------- */

/* A measurement whose range is 0:max. */
static probe_result needs(int max) { return (probe_result){.share = 90, .most = (float)(max - 4) / 1.05f}; }

static int follow(auto_range *r, int max, double now, sv_params *params) {
    const probe_result result = needs(max);
    const int before = params->max_disparity;
    const bool changed = auto_range_follow(r, &result, now, params);
    assert_int_equal(changed, params->max_disparity != before);
    assert_false(sv_range_is_chosen(params));
    return params->max_disparity;
}

TEST(the_range_is_raised_at_once_and_lowered_slowly) {
    sv_params p = sv_default_params(SV_SGM);
    auto_range r = {.since = 100};
    assert_int_equal(follow(&r, 63, 101, &p), 63);
    assert_int_equal(follow(&r, 127, 102, &p), 127);
    assert_int_equal(follow(&r, 31, 103, &p), 127);
    assert_int_equal(follow(&r, 39, 111.9, &p), 127);
    assert_int_equal(follow(&r, 31, 112.1, &p), 95); /* ten seconds after it was raised, by a quarter */
    assert_int_equal(follow(&r, 31, 115, &p), 95);
    assert_int_equal(follow(&r, 79, 116, &p), 95); /* needed within these ten seconds */
    assert_int_equal(follow(&r, 31, 122.2, &p), 79);
    assert_int_equal(follow(&r, 31, 132.3, &p), 55);
    for (int i = 0; i < 5; i++) follow(&r, 31, 143 + 10.1 * i, &p);
    assert_int_equal(p.max_disparity, 31);
}

/* As after the frames of a late side were paired with those of the same moment. */
TEST(negative_disparities_are_left_out_again) {
    static const int expected[] = {-48, -32, -24, -16, -8, 0, 0}; /* by at most a quarter, in eights */
    sv_params p = sv_default_params(SV_SGM);
    auto_range r = {0};
    const probe_result late = {.share = 90, .least = -60, .most = 20, .negative = 40}, cured = needs(63);
    auto_range_follow(&r, &late, 100, &p);
    assert_int_equal(p.min_disparity, -64);
    assert_false(auto_range_follow(&r, &cured, 105, &p));
    for (int i = 0; i < 7; i++) {
        auto_range_follow(&r, &cured, 111 + 10.1 * i, &p);
        assert_int_equal(p.min_disparity, expected[i]);
        assert_int_equal(p.max_disparity, 63);
    }
    auto_range_follow(&r, &late, 190, &p); /* at once */
    assert_int_equal(p.min_disparity, -64);
}

TEST(doubtful_measurements_change_nothing) {
    sv_params p = sv_default_params(SV_SGM);
    const probe_result poor = {.share = 30, .least = -60, .most = 200, .negative = 40};
    auto_range r = {0};
    for (int i = 0; i < 30; i++) assert_false(auto_range_follow(&r, &poor, 100 + i, &p));
    assert_int_equal(p.max_disparity, 63);
    const probe_result behind = {.share = 90, .least = -30, .most = 20, .negative = 40};
    assert_true(auto_range_follow(&r, &behind, 131, &p));
    assert_int_equal(p.min_disparity, -40);
    assert_int_equal(p.max_disparity, 63);
    assert_int_equal(sv_with_method(p, SV_NCC).min_disparity, -40);
}

FIXTURES(scratch_setup, scratch_teardown)
