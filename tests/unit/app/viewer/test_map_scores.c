/* Judging the maps on the screen: of copies that come later, each against the truth of its own frame. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/viewer/map_scores.h"
#include "tests/support/scratch.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 33, HEIGHT = 9, PIXELS = WIDTH * HEIGHT };

/* A map of one disparity. */
static void show(view *v, int slot, float disparity) { show_map(v, slot, WIDTH, HEIGHT, NULL, disparity); }

/* A truth of one disparity, in a PFM. */
static void write_truth(const char *name, float disparity) {
    char file[32 + sizeof(float) * PIXELS];
    const int header = snprintf(file, sizeof file, "Pf\n%d %d\n-1\n", WIDTH, HEIGHT);
    for (int i = 0; i < PIXELS; i++) memcpy(file + header + sizeof disparity * i, &disparity, sizeof disparity);
    scratch_write(name, file, (size_t)header + sizeof disparity * PIXELS);
}

/* Follows until the truth of what is shown has been read. */
static void read_truth(map_scores *j, view *v) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + PATIENCE;) {
        map_scores_take_truth(j, v);
        if (j->waits_since <= 0) return;
    }
    fail_msg("the truth was not read");
}

static void show_frame(map_scores *j, const output_options *o, view *v, int64_t frame) {
    map_scores_show(j, o, v, &(map_scores_case){.maps = 1, .frame = frame}, WIDTH, HEIGHT);
}

/* Follows until there are new results. */
static void wait_for(map_scores *j, view *v) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + PATIENCE;)
        if (map_scores_follow(j, v, view_copy_maps(v, 0))) return;
    fail_msg("nothing was scored");
}

TEST(each_map_has_its_own_truth) {
    NEEDS_WINDOW();
    char pattern[512];
    const output_options o = {.truth = pattern};
    map_scores j = {.known = false};
    char text[160];
    view *v = make_view(WIDTH, HEIGHT);
    snprintf(pattern, sizeof pattern, "%s", scratch_path("truth_%d.pfm"));
    for (int i = 0; i < 2; i++) {
        char name[32];
        snprintf(name, sizeof name, "truth_%d.pfm", i);
        write_truth(name, i ? 40 : 11.5F);
    }
    /* The next frame, with its truth, comes before the copy of the first one. */
    const double begin = sv_seconds();
    do {
        show(v, 0, 10);
        show_frame(&j, &o, v, 0);
        read_truth(&j, v);
        assert_true(map_scores_waits(&j));
        assert_false(j.known); /* that would mean waiting for the GPU */
        assert_false(map_scores_follow(&j, v, view_copy_maps(v, 0)));
        show(v, 1, 43);
        show_frame(&j, &o, v, 1);
        assert_false(j.known);
        /* Again, if the truth has not been read ahead yet, or if the copy before was still under way. */
    } while ((j.waits_since > 0 || !j.copied.waits) && sv_seconds() < begin + PATIENCE);
    assert_true(j.waits_since <= 0 && j.copied.waits);
    wait_for(&j, v);
    assert_true(j.known);
    assert_int_equal(j.of.frame, 0);
    assert_true(fabs(j.scores[0].average - 1.5) < 1e-6);
    assert_int_equal(j.errors[0].counts[COLOUR_ERROR_2], PIXELS);
    wait_for(&j, v);
    assert_int_equal(j.of.frame, 1);
    assert_true(fabs(j.scores[0].average - 3) < 1e-6);
    assert_non_null(map_scores_describe(&j, 0, text, sizeof text));
    assert_false(map_scores_waits(&j));
    /* A frame without a truth has no figures, and not those of another. */
    complaints = 0;
    show(v, 0, 10);
    show_frame(&j, &o, v, 2);
    assert_null(map_scores_describe(&j, 0, text, sizeof text));
    read_truth(&j, v);
    assert_null(map_scores_describe(&j, 0, text, sizeof text));
    assert_int_equal(complaints, 1);
    /* Not those of a map before, either, whose copy is still under way. */
    show(v, 1, 43);
    show_frame(&j, &o, v, 1);
    read_truth(&j, v);
    assert_false(map_scores_follow(&j, v, view_copy_maps(v, 0)));
    show(v, 0, 10);
    show_frame(&j, &o, v, 2);
    assert_false(map_scores_waits(&j));
    complaints = 0;
    map_scores_free(&j);
    view_destroy(v);
    assert_no_complaints();
}

/* Both maps of a pair are those of one time, whatever is shown meanwhile; what was scored keeps its parameters. */
TEST(two_maps_are_compared) {
    NEEDS_WINDOW();
    const output_options o = {.truth = NULL};
    map_scores j = {.known = false};
    view *v = make_view(WIDTH, HEIGHT);
    assert_int_equal(view_add_second(v, NULL), SV_OK);
    for (int i = 0; i < 5; i++) {
        map_scores_case one = {.maps = 2, .frame = i};
        one.params[1].rho = i;
        show(v, i % 3, (float)i);
        show(v, 3 + i % 3, (float)i + (i % 2 ? 1.5F : 2.5F));
        map_scores_show(&j, &o, v, &one, WIDTH, HEIGHT);
        assert_false(map_scores_follow(&j, v, view_copy_maps(v, 0)));
        /* Another one before the copy arrives, which differs nowhere. */
        show(v, (i + 1) % 3, 20);
        show(v, 3 + (i + 1) % 3, 20);
        map_scores_show(&j, &o, v, &(map_scores_case){.maps = 2, .frame = 100}, WIDTH, HEIGHT);
        wait_for(&j, v);
        assert_true(j.compared && !j.known);
        assert_int_equal(j.of.frame, i);
        assert_int_equal(j.of.params[1].rho, i);
        assert_int_equal(j.comparison.both, PIXELS);
        assert_int_equal(j.comparison.over1, PIXELS);
        assert_int_equal(j.comparison.over2, i % 2 ? 0 : PIXELS);
        wait_for(&j, v);
        assert_int_equal(j.of.frame, 100);
        assert_int_equal(j.comparison.over1, 0);
    }
    /* One map alone is not compared. */
    map_scores_show(&j, &o, v, &(map_scores_case){.maps = 1}, WIDTH, HEIGHT);
    assert_false(j.compared || map_scores_waits(&j));
    map_scores_free(&j);
    view_destroy(v);
    assert_no_complaints();
}

static int open_all(void **state) { return scratch_setup(state) || open_screen(state); }
static int close_all(void **state) { return close_screen(state) || scratch_teardown(state); }

FIXTURES(open_all, close_all)
