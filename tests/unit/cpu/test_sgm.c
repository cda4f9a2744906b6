/* sgm on every backend against its definition, bit for bit. */
#include "tests/support/pairs.h"
#include "tests/support/reference.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sv_params sgm(int min_disparity, int max_disparity) {
    return params_of(SV_SGM, 0, min_disparity, max_disparity);
}

static sv_params random_params(void) {
    const int min = ONE_OF(0, 0, 0, 1, -3, -9, 7, -70, 60);
    const int size = ONE_OF(1, 2, 15, 16, 17, 31, 33, 64, 64, 65, 127, 128, 130);
    sv_params params = sgm(min, min + size - 1);
    params.census = ONE_OF(3, 5, 5, 7);
    params.p1 = ONE_OF(0, 1, 6, 6, 6, 54);
    params.p2 = ONE_OF(1, 7, 38, 38, 55);
    params.subpixel = random_below(2);
    params.uniqueness = ONE_OF(0, 0, 5, 40, 100);
    params.left_right_check = ONE_OF(-1, 0, 2, 2, 3);
    params.min_confidence = ONE_OF(0, 0, 0, 1, 150, 200, 255);
    return params;
}

TEST_BACKENDS(test_random_parameters) {
    seed_random(2);
    for (int i = 0; goes_on(i, quick() ? 24 : 90); i++) {
        scene s = new_scene(1 + random_below(100), 1 + random_below(24), random_below(3));
        const sv_params params = random_params();
        if (random_below(2)) want_confidence(&s);
        fill_random(&s);
        match_and_check(backend, &s, &params);
        free_scene(&s);
    }
}

/* Each size three times, so that every instruction set is used. */
TEST_BACKENDS(test_sizes) {
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 9}, {31, 40}, {129, 7}, {64, 3}};
    seed_random(3);
    for (int i = 0; goes_on(i, (int)(3 * sizeof sizes / sizeof *sizes)); i++) {
        scene s = new_scene(sizes[i / 3][0], sizes[i / 3][1], 1 + i % 3);
        const sv_params params = sgm(-2, 20);
        want_confidence(&s);
        fill_random(&s);
        match_and_check(backend, &s, &params);
        free_scene(&s);
    }
}

/* Odd sizes with the default refinement; the definition takes ten seconds for the largest. */
TEST_BACKENDS(test_defaults) {
    seed_random(4);
    for (int i = 0; i < 3; i++) {
        const int width = quick() ? 161 : i ? 321 : 641, height = quick() ? 119 : i ? 239 : 479;
        scene s = new_scene(width, height, 5);
        sv_params params = sv_default_params(SV_SGM);
        fill_noise(&s.left.image, 256, 3);
        fill_shifted(&s.right.image, &s.left.image, 9);
        for (int y = height / 3; y < height / 2; y++)
            for (int x = width / 3; x < width / 2; x++)
                *grey_at(&s.right.image, x - 20, y) = *grey_at(&s.left.image, x, y);
        params.min_disparity = i == 1 ? -7 : 0;
        params.max_disparity = params.min_disparity + (i == 2 ? 30 : 63);
        match_and_check(backend, &s, &params);
        free_scene(&s);
    }
}

TEST_BACKENDS(test_ranges) {
    static const int ranges[][2] = {{0, 511}, {-500, 523}, {-1024, -1}, {0, 255}, {3, 322}, {100, 100}};
    seed_random(5);
    for (int i = 0; goes_on(i, (int)(3 * sizeof ranges / sizeof *ranges)); i++) {
        scene s = new_scene(quick() ? 90 : 700, 3, 0);
        const sv_params params = sgm(ranges[i / 3][0], ranges[i / 3][1]);
        want_confidence(&s);
        fill_random(&s);
        match_and_check(backend, &s, &params);
        free_scene(&s);
    }
}

/* The largest penalties and the strongest contrast: nothing overflows. */
TEST_BACKENDS(test_extremes) {
    seed_random(6);
    for (int i = 0; i < 12; i++) {
        scene s = new_scene(70, 40, 0);
        sv_params params = sgm(0, 40);
        params.p1 = i < 6 ? 54 : 0;
        params.p2 = 55;
        fill_noise(&s.left.image, 2, 1 + i % 5);
        fill_noise(&s.right.image, 2, 1 + i % 3);
        match_and_check(backend, &s, &params);
        free_scene(&s);
    }
}

/* One matcher, other parameters for every frame. */
TEST_BACKENDS(test_changing_parameters) {
    seed_random(7);
    match_changing(backend, 47, 13, quick() ? 8 : 20, random_params);
}

/* Three threads or more share tiles of as many rows as a vector has bytes. */
TEST_CPU(test_threads) {
    static const int threads[] = {1, 2, 3, 40};
    static const char *const sets[] = {"portable", "avx2", "all"};
    seed_random(8);
    for (int i = 0; goes_on(i, 24); i++) {
        scene s = new_scene(131, i % 8 < 4 ? 21 : ONE_OF(2, 70), 0);
        const sv_params params = random_params();
        want_confidence(&s);
        fill_random(&s);
        setenv("SV_CPU", sets[i / 8], 1);
        sv_matcher *matcher = new_matcher(backend, 131, s.left.image.height, threads[i % 8 / 2]);
        submit(matcher, &s, &params);
        wait_for(matcher);
        check_maps(&s, &params);
        sv_matcher_destroy(matcher);
        free_scene(&s);
    }
}
