/* Rigs from views of a board: what OpenCV solves for, and what the views cover. */
#include "rig/lens.h"
#include "rig/rotation.h"
#include "tests/support/backend.h"
#include "tests/support/boards.h"
#include "tests/support/random.h"
#include "tests/support/reading.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double between(double a, double b) { return a + (b - a) * random_below(10001) / 10000; }

/* A view of the board at a random place before the rig, whole in both pictures, exact to `noise` pixels. */
static void see(const board *b, const sv_rig *rig, double noise, board_view *view) {
    const int points = board_points(b);
    for (int ok = 0; !ok;) {
        const double middle[3] = {between(-0.2, 0.25), between(-0.15, 0.15), between(0.35, 0.8)};
        const placing p = place(b, between(-0.6, 0.6), between(-0.6, 0.6), between(-0.5, 0.5), middle);
        ok = 1;
        for (int i = 0; i < points; i++) {
            double at[2], q[3], r[3];
            board_point(b, i, at);
            rotation_apply(p.m, (const double[]){at[0], at[1], 0}, q);
            for (int k = 0; k < 3; k++) q[k] += p.shift[k];
            rotation_apply(rig->rotation, q, r);
            for (int k = 0; k < 3; k++) r[k] += rig->translation[k];
            for (int side = 0; side < 2; side++) {
                const double *from = side ? r : q;
                double pixel[2];
                sv_project(&rig->cameras[side], from[0] / from[2], from[1] / from[2], pixel);
                if (pixel[0] < 0 || pixel[1] < 0 || pixel[0] > BOARDS_WIDTH - 1 || pixel[1] > BOARDS_HEIGHT - 1) ok = 0;
                view->sides[side].points[i] = i;
                for (int k = 0; k < 2; k++) view->sides[side].at[i][k] = (float)(pixel[k] + between(-noise, noise));
            }
        }
    }
    view->sides[0].count = view->sides[1].count = points;
}

enum { VIEWS = 16 };

static board_view *see_all(const board *b, const sv_rig *rig, double noise) {
    board_view *views = calloc(VIEWS, sizeof *views);
    assert_non_null(views);
    seed_random(7);
    for (int i = 0; i < VIEWS; i++) {
        views[i].frame = i;
        see(b, rig, noise, &views[i]);
    }
    return views;
}

static void solve(const board *b, board_lens lens, board_view *views, board_result *result) {
    sv_error error;
    if (board_calibrate(b, lens, BOARDS_WIDTH, BOARDS_HEIGHT, views, VIEWS, NULL, NULL, result, &error) != SV_OK)
        fail_msg("%s", error.text);
}

/* The angle, degrees, between the middle of the picture and the point that the camera shows this many pixels to its
 * left or right (-1, 1) in the same row. */
static double angle_at(const sv_camera *c, int to, double pixels) {
    double low = 0, high = 89;
    for (int i = 0; i < 60; i++) {
        const double angle = (low + high) / 2;
        double pixel[2];
        sv_project(c, to * tan(angle * M_PI / 180), 0, pixel);
        *(to * (pixel[0] - c->cx) < pixels ? &low : &high) = angle;
    }
    return low;
}

static void assert_figure(const board_figure *figure, double expected, double most) {
    assert_near(figure->value, expected, most);
    /* The deviation says how sure the number is: neither nothing nor everything. */
    assert_true(figure->deviation > 0 && figure->deviation < most);
    assert_near(figure->value, expected, 5 * figure->deviation);
}

TEST(rigs_are_calibrated) {
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    for (int lens = BOARD_LENS_5; lens <= (quick() ? BOARD_LENS_5 : BOARD_LENS_FISHEYE); lens++) {
        const sv_rig rig = rig_of((board_lens)lens);
        board_view *views = see_all(&b, &rig, 0.1);
        board_result result;
        solve(&b, (board_lens)lens, views, &result);
        assert_int_equal(result.used, VIEWS);
        assert_false(result.swapped);
        assert_true(result.rig.metric);
        assert_int_equal(result.rig.cameras[0].width, BOARDS_WIDTH);
        /* The root mean square of two coordinates, each even within 0.1. */
        assert_near(result.error, 0.1 * sqrt(2.0 / 3), 0.01);
        for (int side = 0; side < 2; side++) {
            assert_figure(&result.focal[side], rig.cameras[side].fx, 3);
            const sv_camera *c = &rig.cameras[side];
            const double field = angle_at(c, -1, c->cx + 0.5) + angle_at(c, 1, BOARDS_WIDTH - 0.5 - c->cx);
            assert_figure(&result.field[side], field, 0.5);
        }
        assert_figure(&result.baseline, vector_length(rig.translation), 0.0005);
        const double axis[3] = {0.02, -0.035, 0.01};
        for (int i = 0; i < 3; i++) assert_figure(&result.rotation[i], axis[i] * 180 / M_PI, 0.2);
        assert_true(result.rows.value < 0.1 && result.rows.value > 0.01);
        for (int i = 0; i < VIEWS; i++) {
            assert_null(views[i].dropped);
            assert_true(views[i].rows < 0.3);
            assert_near(views[i].errors[0], 0.08, 0.04);
        }
        free(views);
    }
}

TEST(views_that_do_not_fit_are_dropped) {
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    const sv_rig rig = rig_of(BOARD_LENS_5);
    board_view *views = see_all(&b, &rig, 0.1);
    board_result result;
    views[3].sides[1] = views[4].sides[1]; /* the right picture of another moment */
    for (int i = 0; i < 54; i++) views[9].sides[0].at[i][0] += (float)(8 * sin(i)); /* not a board at all */
    views[12].sides[0].count = views[12].sides[1].count = 5;
    solve(&b, BOARD_LENS_5, views, &result);
    assert_int_equal(result.used, VIEWS - 3);
    for (int i = 0; i < VIEWS; i++)
        if (!!views[i].dropped != (i == 3 || i == 9 || i == 12))
            fail_msg("view %d: %s", i, views[i].dropped ? views[i].dropped : "counts");
    assert_has(views[3].dropped, "elsewhere in the right picture");
    assert_has(views[9].dropped, "left picture does not fit");
    assert_has(views[12].dropped, "too little");
    assert_figure(&result.baseline, vector_length(rig.translation), 0.0005);
    free(views);
}

TEST(coverage_is_of_the_views_that_count) {
    board_view *views = calloc(2, sizeof *views);
    for (int v = 0; v < 2; v++) {
        views[v].sides[0].count = 48;
        for (int i = 0; i < 48; i++) { /* all cells of the first view's picture, the first row of the second's */
            views[v].sides[0].at[i][0] = (float)(i % 8 * 80 + 40);
            views[v].sides[0].at[i][1] = v ? 40 : (float)(i / 8 * 80 + 40);
        }
    }
    assert_near(board_coverage(views, 2, 0, BOARDS_WIDTH, BOARDS_HEIGHT), 1, 1e-9);
    views[0].dropped = "";
    assert_near(board_coverage(views, 2, 0, BOARDS_WIDTH, BOARDS_HEIGHT), 1.0 / 6, 1e-9);
    assert_near(board_coverage(views, 2, 1, BOARDS_WIDTH, BOARDS_HEIGHT), 0, 1e-9);
    free(views);
}

static bool count_down(void *of) { return --*(int *)of == 0; }

/* Whenever it is asked for: the last time is in the jackknife, which takes most of the time. */
TEST(calibrating_can_be_given_up) {
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    const sv_rig rig = rig_of(BOARD_LENS_5);
    board_view *views = see_all(&b, &rig, 0.1);
    board_result result;
    sv_error error;
    int left = 1000;
    assert_int_equal(
        board_calibrate(&b, BOARD_LENS_5, BOARDS_WIDTH, BOARDS_HEIGHT, views, 6, count_down, &left, &result, &error),
        SV_OK);
    const int asked = 1000 - left;
    assert_true(asked >= 3 + 6);
    for (int i = 1; i <= asked; i += asked - 1) {
        left = i;
        assert_int_equal(board_calibrate(&b, BOARD_LENS_5, BOARDS_WIDTH, BOARDS_HEIGHT, views, 6, count_down, &left,
                                         &result, &error),
                         SV_CANCELLED);
        assert_int_equal(left, 0);
    }
    free(views);
}
