/* The row correction: rig/row_points, row_fit and row_meter measure it, rig/rectify makes it. */
#include "rig/rectify.h"
#include "rig/row_meter.h"
#include "tests/support/reading.h"
#include "tests/support/rigs.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 400, HEIGHT = 300 };

/* ---- Pairs whose rows are off by a known amount ------------------------------------------------ */

typedef double row_error(double u, double v); /* pixels; u, v: -1 to 1 across and down the picture */

static double level(double u, double v) { return 0 * u * v; }
static double lower(double u, double v) { return 0.3 + 0 * u * v; }
static double far(double u, double v) { return 3.3 + 0 * u * v; }
static double tilted(double u, double v) { return 0.5 * u + 0 * v; }
static double bent(double u, double v) { return 0.2 - 0.3 * u + 0.25 * v + 0.4 * u * v - 0.3 * v * v + 0.2 * u * u; }
static double curled(double u, double v) { return 0.8 * exp(-3 * (v + 1)) + 0 * u; }
static double wavy(double u, double v) { return 0.8 * sin(5 * u) * cos(5 * v); }
static double steep(double u, double v) { return 3 * v + 0 * u; }

static double across(double x) { return (2 * x + 1) / WIDTH - 1; }
static double down(double y) { return (2 * y + 1) / HEIGHT - 1; }

/* Everything has the disparity 12, and what should lie on row y of the right picture lies `off` lower. The texture ends
 * at the column and the row of `end`. `scene`: which of several. */
static sv_pair new_pair(row_error *off, int scene, int end_x, int end_y) {
    const sv_pair pair = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double row = y;
            for (int turn = 0; turn < 10; turn++) row = y - off(across(x), down(row));
            ((uint8_t *)sv_row(&pair.left, y))[x] =
                x < end_x && y < end_y ? (uint8_t)(20 + 200 * texture_at(x + 1000 * scene, y)) : 90;
            ((uint8_t *)sv_row(&pair.right, y))[x] =
                x + 12 < end_x && row < end_y ? (uint8_t)(20 + 200 * texture_at(x + 12 + 1000 * scene, row)) : 90;
        }
    return pair;
}

static row_fit measure_with(const sv_pair *pairs, int count, const sv_rectification *r, const sv_params *params) {
    row_meter *meter;
    row_fit fit = {.known = false};
    sv_error error;
    sv_status status = row_meter_open(&meter, pairs->left.width, pairs->left.height, r, params, 0, &error);
    for (int i = 0; status == SV_OK && i < count; i++) status = row_meter_add(meter, &pairs[i], &error);
    if (status == SV_OK) status = row_meter_fit(meter, &fit, &error);
    if (status != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(row_meter_pairs(meter), count < ROW_METER_PAIRS ? count : ROW_METER_PAIRS);
    row_meter_close(meter);
    return fit;
}

static row_fit measure(const sv_pair *pair, const sv_rectification *r) {
    const sv_params params = sv_default_params(SV_SGM);
    return measure_with(pair, 1, r, &params);
}

/* ---- Measuring -------------------------------------------------------------------------------- */

TEST(a_known_error_is_found) {
    row_error *const errors[] = {level, lower, tilted, bent};
    for (int i = 0; i < 4; i++) {
        const sv_pair pair = new_pair(errors[i], 0, WIDTH, HEIGHT);
        const row_fit fit = measure(&pair, NULL);
        assert_true(fit.known && fit.used > 500);
        for (int y = 0; y < HEIGHT; y += 20)
            for (int x = 0; x < WIDTH; x += 20)
                assert_near(sv_row_correction(fit.terms, WIDTH, HEIGHT, x, y), errors[i](across(x), down(y)), 0.06);
        assert_int_equal(row_fit_helps(&fit), i > 0);
        assert_int_equal(row_fit_cure(&fit), i > 0 ? ROWS_TO_CORRECT : ROWS_ARE_LEVEL);
        assert_true(fit.deviation < 0.02 && fit.rest < 0.05);
        free_grey_pair(&pair);
    }
}

/* What is measured is what a row shift leaves. */
TEST(a_row_shift_counts) {
    const sv_pair pair = new_pair(far, 0, WIDTH, HEIGHT);
    sv_params params = sv_default_params(SV_SGM);
    params.row_shift = 3;
    const row_fit fit = measure_with(&pair, 1, NULL, &params);
    assert_true(row_fit_helps(&fit));
    assert_near(fit.terms[0], 0.3, 0.05);
    for (int i = 1; i < SV_ROW_TERMS; i++) assert_near(fit.terms[i], 0, 0.05);
    free_grey_pair(&pair);
}

/* Where a part of the picture is off by more than three pixels, the rest decides. */
TEST(three_pixels_are_corrected) {
    row_error *const errors[] = {far, steep};
    for (int i = 0; i < 2; i++) {
        const sv_pair pair = new_pair(errors[i], 0, WIDTH, HEIGHT);
        const row_fit fit = measure(&pair, NULL);
        for (int y = 0; y < HEIGHT; y += 20)
            for (int x = 0; x < WIDTH; x += 20)
                assert_near(sv_row_correction(fit.terms, WIDTH, HEIGHT, x, y), errors[i](across(x), down(y)), 0.1);
        assert_int_equal(row_fit_cure(&fit), ROWS_TO_CORRECT);
        free_grey_pair(&pair);
    }
}

TEST(what_no_correction_levels_must_be_aligned) {
    const sv_pair pair = new_pair(wavy, 0, WIDTH, HEIGHT);
    const row_fit fit = measure(&pair, NULL);
    assert_true(fit.known && fit.rest > 0.3 && fit.rest < 0.8);
    assert_int_equal(row_fit_cure(&fit), ROWS_TO_ALIGN);
    free_grey_pair(&pair);
    row_fit large = {.known = true, .size = 3.6, .deviation = 0.01, .rest = 0.05};
    assert_int_equal(row_fit_cure(&large), ROWS_TO_ALIGN);
    assert_false(row_fit_helps(&large));
    large.known = false;
    assert_int_equal(row_fit_cure(&large), ROWS_ARE_LEVEL);
}

/* A quadratic through the upper half alone rises again below it. */
TEST(where_there_are_no_points_it_does_not_grow) {
    const sv_pair pair = new_pair(curled, 0, WIDTH, HEIGHT / 2);
    const row_fit fit = measure(&pair, NULL);
    assert_true(fit.known);
    for (int y = 0; y < HEIGHT; y += 20)
        for (int x = 0; x < WIDTH; x += 20) {
            const double found = sv_row_correction(fit.terms, WIDTH, HEIGHT, x, y);
            assert_near(found, curled(across(x), down(y)), y < HEIGHT / 2 ? 0.2 : 0.5);
        }
    free_grey_pair(&pair);
}

TEST(too_few_points_say_nothing) {
    sv_pair pair = new_pair(lower, 0, WIDTH / 4, HEIGHT / 4);
    row_fit fit = measure(&pair, NULL);
    assert_false(fit.known || row_fit_cure(&fit) != ROWS_ARE_LEVEL);
    for (int i = 0; i < SV_ROW_TERMS; i++) assert_true(fit.terms[i] == 0);
    memset(pair.left.data, 90, WIDTH * HEIGHT);
    memset(pair.right.data, 90, WIDTH * HEIGHT);
    fit = measure(&pair, NULL);
    assert_int_equal(fit.points, 0);
    assert_false(fit.known);
    free_grey_pair(&pair);
    const sv_image one = {(uint8_t[]){7}, 1, 1, 1, SV_GREY8, SV_HOST};
    fit = measure(&(sv_pair){.left = one, .right = one}, NULL);
    assert_false(fit.known);
}

/* Points that are wrong all in the same way, in a quarter of the picture, as on something that moved. */
TEST(wrong_points_are_left_out) {
    static row_point points[2000];
    row_fit fit;
    sv_error error;
    for (int i = 0; i < 2000; i++) {
        const float x = (float)(WIDTH * texture_noise(i, 0)), y = (float)(HEIGHT * texture_noise(i, 1));
        const bool wrong = i % 4 == 0;
        const double noise = 0.1 * (texture_noise(i, 2) - 0.5);
        points[i] =
            (row_point){.x = x, .y = y, .off = (float)(wrong ? 1.5 : bent(across((double)x), down((double)y)) + noise)};
    }
    assert_int_equal(row_fit_points(points, 2000, WIDTH, HEIGHT, &fit, &error), SV_OK);
    assert_int_equal(fit.points, 2000);
    assert_true(fit.known && fit.used > 1300 && fit.used < 1600);
    for (int y = 0; y < HEIGHT; y += 20)
        for (int x = 0; x < WIDTH; x += 20)
            assert_near(sv_row_correction(fit.terms, WIDTH, HEIGHT, x, y), bent(across(x), down(y)), 0.05);
}

/* Each pair has texture in one part of the picture; together they determine all of it. */
TEST(pairs_are_pooled) {
    const sv_params params = sv_default_params(SV_SGM);
    const sv_pair pairs[] = {new_pair(bent, 0, WIDTH / 2, HEIGHT), new_pair(bent, 1, WIDTH, HEIGHT / 2),
                             new_pair(bent, 2, WIDTH, HEIGHT)};
    const row_fit one = measure_with(pairs, 1, NULL, &params), all = measure_with(pairs, 3, NULL, &params);
    assert_true(all.points > one.points + 1000);
    for (int i = 0; i < SV_ROW_TERMS; i++)
        assert_near(all.terms[i], (double[]){0.2, -0.3, 0.25, 0.4, -0.3, 0.2}[i], 0.05);
    for (int i = 0; i < 3; i++) free_grey_pair(&pairs[i]);
}

TEST(pairs_that_do_not_show_the_rows_are_left_out) {
    const sv_params params = sv_default_params(SV_SGM);
    const sv_pair pair = new_pair(bent, 0, WIDTH, HEIGHT), other = new_pair(bent, 1, WIDTH, HEIGHT);
    const sv_pair tried[] = {{.left = pair.right, .right = pair.left}, {.left = pair.left, .right = other.right}, pair};
    row_meter *meter;
    row_fit fit;
    sv_error error;
    assert_int_equal(row_meter_open(&meter, WIDTH, HEIGHT, NULL, &params, 1, &error), SV_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(row_meter_add_if_shown(meter, &tried[i], &error), SV_OK);
        assert_int_equal(row_meter_pairs(meter), i == 2);
    }
    assert_int_equal(row_meter_fit(meter, &fit, &error), SV_OK);
    assert_near(fit.terms[1], -0.3, 0.05);
    row_meter_close(meter);
    free_grey_pair(&pair);
    free_grey_pair(&other);
}

/* ---- Correcting ------------------------------------------------------------------------------- */

TEST(corrected_rows_are_level) {
    const sv_pair pair = new_pair(bent, 0, WIDTH, HEIGHT);
    const row_fit before = measure(&pair, NULL);
    sv_rectification r = {0};
    sv_error error;
    assert_int_equal(sv_rectify_rows(&r, WIDTH, HEIGHT, before.terms, &error), SV_OK);
    assert_null(r.maps[0]);
    assert_true(sv_has_maps(&r) && !sv_is_calibrated(&r));
    const row_fit after = measure(&pair, &r);
    assert_true(after.known);
    assert_true(before.size > 0.2);
    assert_near(after.size, 0, 0.03);
    /* The corrected right picture is the left one, 12 columns to the left. */
    const sv_pair straight = new_pair(level, 0, WIDTH, HEIGHT);
    uint8_t *corrected = malloc(WIDTH * HEIGHT);
    sv_rectify_grey(&r, 1, &pair.right, 0, corrected);
    for (int y = 4; y < HEIGHT - 4; y++)
        for (int x = 0; x < WIDTH - 12; x++)
            assert_near(corrected[y * WIDTH + x], ((uint8_t *)sv_row(&straight.left, y))[x + 12], 8);
    free(corrected);
    sv_rectification_free(&r);
    free_grey_pair(&pair);
    free_grey_pair(&straight);
}

/* On top of a calibration: each entry is where the calibration has the corrected row, and points find back. */
TEST(a_calibration_is_corrected) {
    const sv_rig rig = rigs_random(500, 2, 0.01, 0.05);
    const double terms[] = {0.5, -0.25, 0.5, 0.25, -0.125, 0.5}, none[SV_ROW_TERMS] = {0};
    sv_rectification plain, corrected, copy;
    sv_error error;
    assert_int_equal(sv_rectify(&rig, RIGS_WIDTH, RIGS_HEIGHT, 0, &plain, &error), SV_OK);
    assert_int_equal(sv_rectification_copy(&plain, &corrected, &error), SV_OK);
    assert_ptr_not_equal(plain.maps[0], corrected.maps[0]);
    assert_int_equal(sv_rectify_rows(&corrected, 0, 0, none, &error), SV_OK);
    const size_t bytes = 2 * sizeof(int32_t) * RIGS_WIDTH * RIGS_HEIGHT;
    for (int side = 0; side < 2; side++) assert_memory_equal(plain.maps[side], corrected.maps[side], bytes);
    assert_int_equal(sv_rectify_rows(&corrected, 0, 0, terms, &error), SV_OK);
    assert_memory_equal(plain.maps[0], corrected.maps[0], bytes);
    assert_true(sv_is_calibrated(&corrected) && corrected.width == RIGS_WIDTH);
    int compared = 0;
    for (int y = 5; y < RIGS_HEIGHT - 5; y += 7)
        for (int x = 5; x < RIGS_WIDTH - 5; x += 7) {
            const int32_t *e = corrected.maps[1] + 2 * (y * RIGS_WIDTH + x);
            if (e[0] == SV_MAP_OUTSIDE) continue;
            const double pixel[2] = {e[0] / (double)SV_MAP_STEPS, e[1] / (double)SV_MAP_STEPS};
            const double u = (2 * x + 1.) / RIGS_WIDTH - 1, v = (2 * y + 1.) / RIGS_HEIGHT - 1;
            const double off = 0.5 - 0.25 * u + 0.5 * v + 0.25 * u * v - 0.125 * v * v + 0.5 * u * u;
            double at[2], back[2];
            assert_true(sv_rectify_point(&plain, 1, pixel, at) && sv_rectify_point(&corrected, 1, pixel, back));
            assert_near(at[0], x, 0.05);
            assert_near(at[1], y + off, 0.05);
            assert_near(back[1], y, 0.05);
            compared++;
        }
    assert_true(compared > 1000);
    assert_int_equal(sv_rectification_copy(&corrected, &copy, &error), SV_OK);
    assert_int_equal(sv_rectify_rows(&copy, 0, 0, none, &error), SV_OK);
    assert_memory_equal(plain.maps[1], copy.maps[1], bytes);
    sv_rectification_free(&plain);
    sv_rectification_free(&corrected);
    sv_rectification_free(&copy);
}

/* The library measures and corrects as the program does. */
TEST(the_library_corrects_rows) {
    sv_params *params = sv_params_new();
    const sv_pair pairs[] = {new_pair(bent, 0, WIDTH, HEIGHT), new_pair(bent, 1, WIDTH, HEIGHT)};
    sv_pair straight = new_pair(level, 2, WIDTH, HEIGHT);
    sv_rectification *r, *twice, *none;
    sv_geometry geometry;
    sv_rows rows;
    sv_error error;
    const row_fit fit = measure_with(pairs, 2, NULL, params);
    assert_int_equal(sv_measure_rows(pairs, 2, NULL, params, &rows, &error), SV_OK);
    assert_memory_equal(rows.terms, fit.terms, sizeof fit.terms);
    assert_true(rows.helps && rows.points == fit.used && rows.least == fit.least && rows.most == fit.most);
    assert_int_equal(sv_rectification_correct(NULL, WIDTH, HEIGHT, rows.terms, &r, &error), SV_OK);
    sv_rectification_geometry(r, &geometry);
    assert_true(geometry.width == WIDTH && geometry.height == HEIGHT && geometry.focal == 0 && !geometry.metric);
    assert_int_equal(sv_measure_rows(pairs, 2, r, params, &rows, &error), SV_OK);
    assert_false(rows.helps);
    assert_near(rows.size, 0, 0.03);
    /* Terms add up. */
    const double back[] = {-fit.terms[0], -fit.terms[1], -fit.terms[2], -fit.terms[3], -fit.terms[4], -fit.terms[5]};
    assert_int_equal(sv_rectification_correct(r, WIDTH, HEIGHT, back, &twice, &error), SV_OK);
    const sv_pair copy = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    assert_int_equal(sv_rectify_pictures(twice, &straight, &copy, &error), SV_OK);
    assert_memory_equal(copy.left.data, straight.left.data, WIDTH * HEIGHT);
    assert_memory_equal(copy.right.data, straight.right.data, WIDTH * HEIGHT);

    assert_int_equal(sv_measure_rows(pairs, 0, NULL, params, &rows, &error), SV_USAGE);
    assert_int_equal(sv_rectification_correct(r, WIDTH, HEIGHT + 1, rows.terms, &none, &error), SV_USAGE);
    assert_has(error.text, "400 x 301");
    assert_null(none);
    assert_int_equal(sv_rectification_correct(NULL, 0, HEIGHT, rows.terms, &none, &error), SV_USAGE);
    assert_int_equal(sv_rectification_correct(NULL, WIDTH, HEIGHT, (const double[]){0, 0, NAN, 0, 0, 0}, &none, &error),
                     SV_USAGE);
    sv_pair wrong = straight;
    wrong.right.width--;
    assert_int_equal(sv_measure_rows(&wrong, 1, NULL, params, &rows, &error), SV_USAGE);
    wrong.left.width--;
    assert_int_equal(sv_measure_rows((const sv_pair[]){straight, wrong}, 2, NULL, params, &rows, &error), SV_USAGE);
    assert_int_equal(sv_measure_rows(&wrong, 1, r, params, &rows, &error), SV_USAGE);
    sv_rectification_unload(r);
    sv_rectification_unload(twice);
    sv_params_free(params);
    free_grey_pair(&pairs[0]);
    free_grey_pair(&pairs[1]);
    free_grey_pair(&straight);
    free_grey_pair(&copy);
}

/* What is measured with a correction in place adds up with it. */
TEST(a_rough_measurement_is_repeated) {
    const sv_pair pair = new_pair(bent, 0, WIDTH, HEIGHT);
    sv_rectification r = {0};
    sv_error error;
    row_fit fit = {.known = true, .terms = {2, -0.3, 0.25, 0.4, -0.3, 0.2}, .size = 2, .used = 7};
    assert_true(row_fit_is_rough(&fit));
    fit.size = 1;
    assert_false(row_fit_is_rough(&fit));
    fit.rest = 0.3;
    assert_true(row_fit_is_rough(&fit));
    assert_int_equal(sv_rectify_rows(&r, WIDTH, HEIGHT, fit.terms, &error), SV_OK);
    const row_fit more = measure(&pair, &r);
    assert_near(more.terms[0], -1.8, 0.1);
    row_fit_add(&fit, &more, WIDTH, HEIGHT);
    for (int i = 0; i < SV_ROW_TERMS; i++)
        assert_near(fit.terms[i], (double[]){0.2, -0.3, 0.25, 0.4, -0.3, 0.2}[i], 0.06);
    double least = INFINITY;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) least = fmin(least, bent(across(x), down(y)));
    assert_near(fit.least, least, 0.1);
    assert_true(fit.used == more.used && fit.rest == more.rest && !row_fit_is_rough(&fit));
    sv_rectification_free(&r);
    free_grey_pair(&pair);
}

/* ---- Real pictures ---------------------------------------------------------------------------- */

/* The figures are those of another implementation: OpenCV's corners and Lucas-Kanade, from true disparities. Of the
 * playground it gave +1.48 in a corner without points. */
TEST(real_pairs) {
#define DATA "../shared/data/"
    static const struct {
        const char *folder;
        int largest; /* disparity */
        double least, most;
        bool helps;
    } scenes[] = {{"middlebury_v2/venus", 31, -0.40, 0.33, false},
                  {"middlebury_v2/cones", 63, -0.18, -0.05, false},
                  {"middlebury_2014/Motorcycle_Q", 63, -0.22, -0.03, false},
                  {"eth3d/playground", 31, -0.5, 0.5, true},
                  {"kitti_2012/000070", 127, -1.44, 1.25, true}};
    if (access(DATA "index.json", R_OK)) skip_without("../shared/data");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char name[128];
        frame *frames[2];
        for (int side = 0; side < 2; side++) {
            snprintf(name, sizeof name, DATA "%s/%s.png", scenes[i].folder, side ? "right" : "left");
            frames[side] = read_first(name);
        }
        const sv_pair pair = {.left = frames[0]->grey, .right = frames[1]->grey};
        sv_params params = sv_default_params(SV_SGM);
        params.max_disparity = scenes[i].largest;
        const row_fit fit = measure_with(&pair, 1, NULL, &params);
        assert_true(fit.known);
        assert_near(fit.least, scenes[i].least, 0.2);
        assert_near(fit.most, scenes[i].most, 0.2);
        assert_int_equal(row_fit_helps(&fit), scenes[i].helps);
        for (int side = 0; side < 2; side++) frame_release(frames[side]);
    }
}
