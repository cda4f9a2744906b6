/* gfd on every backend against its definition, bit for bit, and the descriptors of the definition against a Fourier
 * transform in double precision. */
#include "tests/support/pairs.h"
#include "tests/support/reference_gfd.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Pictures --------------------------------------------------------------------------------- */

static uint8_t *at(const picture *p, int x, int y) {
    return (uint8_t *)sv_row(&p->image, y) + (size_t)x * sv_pixel_size(p->image.format);
}

static scene new_coloured_scene(int width, int height, int padding) {
    scene s = new_scene(width, height, padding);
    add_colour(&s, 2 * padding);
    want_confidence(&s);
    return s;
}

/* Noise of `levels` grey levels in patches; the right picture is the left one shifted by `shift`, with noise beside it
 * and in parts of it. Grey and colour are independent. */
static void fill_scene(scene *s, int levels, int patch, int shift, int changed) {
    const int width = s->left.image.width, height = s->left.image.height;
    for (int channel = 0; channel < 5; channel++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                picture *const left = channel < 4 ? &s->left_colour : &s->left;
                const int c = channel < 4 ? channel : 0;
                at(left, x, y)[c] = x % patch   ? at(left, x - 1, y)[c]
                                    : y % patch ? at(left, x, y - 1)[c]
                                                : (uint8_t)(random_below(levels) * 255 / (levels > 1 ? levels - 1 : 1));
            }
    for (int channel = 0; channel < 5; channel++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                picture *const left = channel < 4 ? &s->left_colour : &s->left;
                picture *const right = channel < 4 ? &s->right_colour : &s->right;
                const int c = channel < 4 ? channel : 0, from = x + shift;
                const bool new = from < 0 || from >= width || random_below(100) < changed;
                at(right, x, y)[c] = new ? (uint8_t)random_below(256) : at(left, from, y)[c];
            }
}

static void match_with(sv_matcher *matcher, scene *s, bool colour, const sv_params *params) {
    use_colour(s, colour);
    submit(matcher, s, params);
    wait_for(matcher);
}

static void match_and_compare(sv_matcher *matcher, scene *s, bool colour, const sv_params *params) {
    match_with(matcher, s, colour, params);
    check_maps(s, params);
}

/* gfd's defaults without the steps after the left-right check. */
static sv_params gfd_params(int min_disparity, int max_disparity) {
    sv_params params = sv_default_params(SV_GFD);
    params.min_disparity = min_disparity;
    params.max_disparity = max_disparity;
    params.weighted_median = params.median = params.average = params.speckle_size = 0;
    params.fill = SV_FILL_NONE;
    return params;
}

#define ONE_FLOAT_OF(...)                                                                                              \
    (((const float[]){__VA_ARGS__})[random_below(sizeof((const float[]){__VA_ARGS__}) / sizeof(float))])

static sv_params random_params(void) {
    const int min = (int)ONE_FLOAT_OF(0, 0, 0, 1, -3, -9, 7, -70, 60),
              size = (int)ONE_FLOAT_OF(1, 2, 9, 16, 31, 33, 64, 65);
    sv_params params = gfd_params(min, min + size - 1);
    params.prefilter = (int)ONE_FLOAT_OF(SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE);
    params.rho = (int)ONE_FLOAT_OF(0, 1, 1, 1, 2, 3, 5);
    params.alpha = ONE_FLOAT_OF(0, 0.125f, 0.3f, 1);
    params.lambda = ONE_FLOAT_OF(0, 0.1f, 1, 3, 3, 20, 100);
    params.aggregate = (int)ONE_FLOAT_OF(0, 1, 1, 2, 4);
    params.subpixel = random_below(2);
    params.uniqueness = (int)ONE_FLOAT_OF(0, 0, 5, 40, 100);
    params.left_right_check = (int)ONE_FLOAT_OF(-1, 0, 1, 1, 3);
    return params;
}

static void fill_any(scene *s) {
    fill_scene(s, (int)ONE_FLOAT_OF(256, 256, 4, 2, 1), (int)ONE_FLOAT_OF(1, 1, 3, 6), random_below(20) - 4,
               (int)ONE_FLOAT_OF(0, 2, 30));
}

/* ---- Cases ------------------------------------------------------------------------------------ */

/* The value of a plane, which goes on beyond its edges. */
static float value_at(const reference_gfd_side *p, int plane, int x, int y) {
    const int column = x < 0 ? 0 : x < p->width ? x : p->width - 1, row = y < 0 ? 0 : y < p->height ? y : p->height - 1;
    return p->planes[plane][row * p->width + column];
}

/* Every component against the transform's definition in double. Units are 1/16 grey level; a float sum of up to
 * 625 values of up to 361 is good to about 1/100 of one. */
TEST(test_descriptors) {
    const double pi = 3.14159265358979323846;
    seed_random(1);
    scene s = new_coloured_scene(30, 28, 0);
    fill_scene(&s, 256, 1, 0, 0);
    for (int rho = 0; rho <= 12; rho++) {
        const int n = 2 * rho + 1;
        reference_gfd_side p = reference_gfd_describe(&s.left.image, &s.left_colour.image, rho);
        for (int i = 0; i < 40; i++) {
            const int x = random_below(s.left.image.width), y = random_below(s.left.image.height), plane = i % 4;
            double energies[64] = {0};
            for (int v = -rho; v <= rho; v++)
                for (int u = -rho; u <= rho; u++) {
                    double re = 0, im = 0;
                    for (int j = -rho; j <= rho; j++)
                        for (int k = -rho; k <= rho; k++) {
                            re += value_at(&p, plane, x + k, y + j) * cos(2 * pi * (u * k + v * j) / n);
                            im -= value_at(&p, plane, x + k, y + j) * sin(2 * pi * (u * k + v * j) / n);
                        }
                    energies[lround(hypot(u, v))] += re * re + im * im;
                }
            for (int r = 0; r <= rho; r++) {
                const double exact = 16 * sqrt(energies[r]) / (n * n);
                const int found = p.descriptors[((y * s.left.image.width + x) * 4 + plane) * (rho + 1) + r];
                if (fabs(found - exact) > 0.51) fail_msg("rho %d, ring %d: %d, not %f", rho, r, found, exact);
            }
        }
        reference_gfd_free(&p);
    }
    free_scene(&s);
}

TEST_BACKENDS(test_random_parameters) {
    seed_random(2);
    for (int i = 0; goes_on(i, quick() ? 8 : 60); i++) {
        scene s = new_coloured_scene(1 + random_below(70), 1 + random_below(24), random_below(3));
        const sv_params params = random_params();
        const bool colour = random_below(2);
        fill_any(&s);
        sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
        match_and_compare(matcher, &s, colour, &params);
        sv_matcher_destroy(matcher);
        free_scene(&s);
    }
}

TEST_BACKENDS(test_sizes) {
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 9}, {31, 40}, {129, 7}};
    seed_random(3);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scene s = new_coloured_scene(sizes[i][0], sizes[i][1], 1);
        const sv_params params = gfd_params(-2, 20);
        fill_scene(&s, 256, 1, 3, 5);
        sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
        match_and_compare(matcher, &s, true, &params);
        sv_matcher_destroy(matcher);
        free_scene(&s);
    }
}

/* The largest windows and boxes, the longest range, the largest penalties on the strongest contrast. */
TEST_BACKENDS(test_extremes) {
    seed_random(4);
    scene s = new_coloured_scene(20, 12, 0);
    sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
    fill_scene(&s, 2, 1, 2, 10);
    sv_params params = gfd_params(0, 12);
    params.rho = quick() ? 6 : 31;
    params.max_disparity = quick() ? 4 : 12;
    match_and_compare(matcher, &s, true, &params);
    params.rho = 12;
    params.aggregate = 15;
    params.lambda = 100;
    params.alpha = 1;
    match_and_compare(matcher, &s, true, &params);
    params = gfd_params(-500, 523);
    params.lambda = 100;
    match_and_compare(matcher, &s, false, &params);
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

/* Ranges with more candidates than a row has pixels, and with fewer; around each number of candidates at which another
 * kernel is used. */
TEST_BACKENDS(test_long_ranges) {
    static const int counts[] = {200, 400, 129, 257, 512, 256, 511, 130, 255, 300, 384, 513, 128, 1024};
    seed_random(10);
    for (int i = 0; goes_on(i, quick() ? 4 : (int)(2 * sizeof counts / sizeof *counts)); i++) {
        const int count = counts[i % (int)(sizeof counts / sizeof *counts)];
        scene s = new_coloured_scene(i % 2 ? 20 + random_below(100) : count + random_below(80), 2 + random_below(5), 0);
        sv_params params = random_params();
        params.min_disparity = (int)ONE_FLOAT_OF(0, 0, -7, 5, -1);
        if (i % 3 == 2) params.min_disparity = -count / 2;
        if (params.min_disparity + count > SV_MAX_DISPARITY) params.min_disparity = 0;
        params.max_disparity = params.min_disparity + count - 1;
        fill_scene(&s, (int)ONE_FLOAT_OF(256, 256, 4), (int)ONE_FLOAT_OF(1, 3), random_below(s.left.image.width),
                   (int)ONE_FLOAT_OF(0, 2, 30));
        sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
        match_and_compare(matcher, &s, i % 4 > 0, &params);
        sv_matcher_destroy(matcher);
        free_scene(&s);
    }
}

/* One matcher with different parameters for every frame. */
TEST_BACKENDS(test_changing_parameters) {
    seed_random(5);
    scene s = new_coloured_scene(47, 13, 2);
    sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
    for (int i = 0; goes_on(i, quick() ? 5 : 30); i++) {
        const sv_params params = random_params();
        fill_any(&s);
        match_and_compare(matcher, &s, i % 3 != 0, &params);
    }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

TEST_CPU(test_threads) {
    static const int threads[] = {1, 2, 3, 40};
    seed_random(6);
    scene s = new_coloured_scene(33, 21, 0);
    const sv_params params = gfd_params(0, 20);
    fill_scene(&s, 256, 2, 5, 10);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, threads[i]);
        match_and_compare(matcher, &s, true, &params);
        sv_matcher_destroy(matcher);
    }
    free_scene(&s);
}

/* Two halves, each shifted as a whole: both are found, and the edge between them to within a window. */
TEST_BACKENDS(test_step_edge) {
    seed_random(7);
    scene s = new_coloured_scene(80, 20, 0);
    fill_scene(&s, 256, 1, 0, 100);
    for (int y = 0; y < 20; y++)
        for (int x = 79; x >= 0; x--) { /* the nearer half, on the right, hides the other */
            const int match = x - (x < 40 ? 2 : 9);
            if (match < 0 || (x < 40 && match >= 31)) continue;
            *at(&s.right, match, y) = *at(&s.left, x, y);
            memcpy(at(&s.right_colour, match, y), at(&s.left_colour, x, y), 4);
        }
    const sv_params params = gfd_params(0, 15);
    sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
    match_with(matcher, &s, true, &params);
    for (int y = 0; y < 20; y++)
        for (int x = 6; x < 80; x++) {
            if (x > 30 && x < 43) continue; /* hidden, or a window with a part of it */
            assert_int_equal(reason_at(&s, x, y), SV_VALID);
            assert_true(disparity_at(&s, x, y) == (x < 40 ? 2.0f : 9.0f));
        }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

/* Some structure is visible in grey only and some in colour only; alpha decides which of them counts. */
TEST_BACKENDS(test_colour) {
    seed_random(8);
    scene s = new_coloured_scene(64, 16, 0);
    fill_scene(&s, 256, 1, 4, 0);
    for (int side = 0; side < 2; side++)
        for (int y = 0; y < 16; y++) memset(at(side ? &s.right : &s.left, 0, y), 90, 64);
    sv_params params = gfd_params(0, 9);
    params.alpha = 1;
    sv_matcher *matcher = new_matcher(backend, s.left.image.width, s.left.image.height, 0);
    match_with(matcher, &s, true, &params);
    for (int x = 10; x < 60; x++) assert_true(disparity_at(&s, x, 8) == 4);
    params.alpha = 0; /* flat: all ways cost the same, and the lowest disparity is taken */
    match_with(matcher, &s, true, &params);
    for (int x = 10; x < 60; x++) assert_true(disparity_at(&s, x, 8) == 0);
    sv_matcher_destroy(matcher);
    free_scene(&s);
}
