/* Judging the maps on the screen: of copies that come later, each against the truth of its own frame. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/judge.h"
#include "tests/scratch.h"
#include "tests/screen.h"

enum { WIDTH = 33, HEIGHT = 9, PIXELS = WIDTH * HEIGHT };

/* A map of one disparity. */
static void show(view *v, int slot, float disparity) {
    sv_image d = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    for (int i = 0; i < PIXELS; i++) {
        ((float *)sv_row(&d, i / WIDTH))[i % WIDTH] = disparity;
        ((uint8_t *)sv_row(&reason, i / WIDTH))[i % WIDTH] = SV_VALID;
    }
    assert_int_equal(view_write(v, slot, &d, &reason, NULL), SV_OK);
    view_show(v, slot);
    free(d.data);
    free(reason.data);
}

/* A truth of one disparity, in a PFM. */
static void write_truth(const char *name, float disparity) {
    char file[32 + sizeof(float) * PIXELS];
    const int header = snprintf(file, sizeof file, "Pf\n%d %d\n-1\n", WIDTH, HEIGHT);
    for (int i = 0; i < PIXELS; i++) memcpy(file + header + sizeof disparity * i, &disparity, sizeof disparity);
    scratch_write(name, file, (size_t)header + sizeof disparity * PIXELS);
}

/* Follows until there are new results, for 10 seconds at most. */
static void wait_for(judge *j, view *v) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + 10;)
        if (judge_follow(j, v, view_copy_maps(v, 0))) return;
    fail_msg("nothing was judged");
}

static void each_map_has_its_own_truth(void **state) {
    (void)state;
    NEEDS_WINDOW();
    char pattern[512];
    const options o = {.truth = pattern};
    judge j = {.known = false};
    char text[160];
    view *v = make_view(WIDTH, HEIGHT);
    snprintf(pattern, sizeof pattern, "%s", scratch_path("truth_%d.pfm"));
    for (int i = 0; i < 2; i++) {
        char name[32];
        snprintf(name, sizeof name, "truth_%d.pfm", i);
        write_truth(name, i ? 40 : 11.5F);
    }
    show(v, 0, 10);
    judge_show(&j, &o, v, &(judge_case){.maps = 1, .frame = 0}, WIDTH, HEIGHT);
    assert_true(judge_waits(&j));
    assert_false(j.known); /* that would be to wait for the GPU */
    assert_false(judge_follow(&j, v, view_copy_maps(v, 0)));
    /* The next frame, with its truth, comes before the copy of the first one. */
    show(v, 1, 43);
    judge_show(&j, &o, v, &(judge_case){.maps = 1, .frame = 1}, WIDTH, HEIGHT);
    assert_false(j.known);
    wait_for(&j, v);
    assert_true(j.known);
    assert_int_equal(j.of.frame, 0);
    assert_true(fabs(j.each[0].score.average - 1.5) < 1e-6);
    assert_int_equal(j.each[0].errors.counts[COLOUR_ERROR_2], PIXELS);
    wait_for(&j, v);
    assert_int_equal(j.of.frame, 1);
    assert_true(fabs(j.each[0].score.average - 3) < 1e-6);
    assert_non_null(judge_describe(&j, 0, text, sizeof text));
    assert_false(judge_waits(&j));
    /* A frame without a truth has no figures, and not those of another. */
    complaints = 0;
    show(v, 0, 10);
    judge_show(&j, &o, v, &(judge_case){.maps = 1, .frame = 2}, WIDTH, HEIGHT);
    assert_null(judge_describe(&j, 0, text, sizeof text));
    assert_int_equal(complaints, 1);
    /* Not those of a map before, either, whose copy is still under way. */
    show(v, 1, 43);
    judge_show(&j, &o, v, &(judge_case){.maps = 1, .frame = 1}, WIDTH, HEIGHT);
    assert_false(judge_follow(&j, v, view_copy_maps(v, 0)));
    show(v, 0, 10);
    judge_show(&j, &o, v, &(judge_case){.maps = 1, .frame = 2}, WIDTH, HEIGHT);
    assert_false(judge_waits(&j));
    complaints = 0;
    judge_free(&j);
    view_destroy(v);
    assert_no_complaints();
}

/* Both maps of a pair are those of one time, whatever is shown meanwhile; what was judged keeps its parameters. */
static void two_maps_are_compared(void **state) {
    (void)state;
    NEEDS_WINDOW();
    const options o = {.truth = NULL};
    judge j = {.known = false};
    view *v = make_view(WIDTH, HEIGHT);
    assert_int_equal(view_add_second(v, NULL), SV_OK);
    for (int i = 0; i < 5; i++) {
        judge_case one = {.maps = 2, .frame = i};
        one.params[1].rho = i;
        show(v, i % 3, (float)i);
        show(v, 3 + i % 3, (float)i + (i % 2 ? 1.5F : 2.5F));
        judge_show(&j, &o, v, &one, WIDTH, HEIGHT);
        assert_false(judge_follow(&j, v, view_copy_maps(v, 0)));
        /* Another one before the copy arrives, which differs nowhere. */
        show(v, (i + 1) % 3, 20);
        show(v, 3 + (i + 1) % 3, 20);
        judge_show(&j, &o, v, &(judge_case){.maps = 2, .frame = 100}, WIDTH, HEIGHT);
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
    judge_show(&j, &o, v, &(judge_case){.maps = 1}, WIDTH, HEIGHT);
    assert_false(j.compared || judge_waits(&j));
    judge_free(&j);
    view_destroy(v);
    assert_no_complaints();
}

static int open_all(void **state) { return scratch_setup(state) || open_screen(state); }
static int close_all(void **state) { return close_screen(state) || scratch_teardown(state); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_map_has_its_own_truth),
                                       cmocka_unit_test(two_maps_are_compared)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
