/* The matchers on every backend against the definitions in reference.c, bit for bit. */
#include "cpu/cpu.h"
#include "stereo/rig.h"
#include "tests/support/pairs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Against the definition ------------------------------------------------------------------- */

static sv_params random_params(int method) {
    sv_params params = params_of(method, ONE_OF(0, 1, 1, 2, 3, 4, 5, 7, 11), 0, 0);
    params.rho_y = ONE_OF(-1, -1, 0, 1, 2, 5);
    params.min_disparity = ONE_OF(0, 0, 0, -1, -7, 3, -40);
    params.max_disparity = params.min_disparity + ONE_OF(0, 1, 7, 15, 16, 17, 40, 90);
    params.prefilter = ONE_OF(SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE);
    params.steps = ONE_OF(1, 1, 2, 4);
    params.max_cost = (float)ONE_OF(0, 0, 0, 50, 1000, 5000);
    params.tau = ONE_OF(0, 1, 1, 2, 3, 16);
    params.reseed = ONE_OF(0, 0, 1, 2, 5, 16);
    params.uniqueness = ONE_OF(0, 0, 1, 10, 50, 100);
    params.min_correlation = (float)ONE_OF(-4, -4, -4, 0, 2, 3) / 4;
    params.subpixel = ONE_OF(0, 1, 1);
    params.left_right_check = ONE_OF(-1, 0, 1, 1, 3);
    params.min_confidence = ONE_OF(0, 0, 1, 128, 230, 255);
    params.speckle_size = ONE_OF(0, 0, 1, 5, 30);
    params.speckle_range = (float)ONE_OF(0, 1, 4, 8) / 4;
    params.holes = ONE_OF(0, 0, 0, 1, 6, 10, 24);
    params.hole_passes = ONE_OF(1, 1, 2, 5);
    params.scale = ONE_OF(1, 1, 1, 2, 4);
    params.fill = ONE_OF(SV_FILL_NONE, SV_FILL_NONE, SV_FILL_ROW, SV_FILL_CROSS, SV_FILL_SURFACE);
    params.median = ONE_OF(0, 0, 3, 5);
    params.weighted_median = ONE_OF(0, 0, 1, 2, 3, 7);
    params.average = ONE_OF(0, 0, 3, 5, 7, 9);
    return params;
}

TEST_BACKENDS(test_random_parameters) {
    seed_random(20080118);
    for (int i = 0; goes_on(i, quick() ? 30 : 400); i++) {
        const sv_params params = random_params(i % METHODS);
        int width = ONE_OF(1, 2, 7, 31, 32, 33, 65), height = ONE_OF(1, 2, 3, 8, 16, 17);
        /* Occasionally a wide picture, if the reference is fast enough. */
        if (params.rho <= 2 && random_below(4) == 0) width = 257;
        scene s = new_scene(width, height, random_below(3) * 13);
        if (random_below(2)) want_confidence(&s);
        fill_random(&s);
        match_and_check(backend, &s, &params);
        free_scene(&s);
    }
}

TEST_BACKENDS(test_sizes) {
    static const int sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 2}, {33, 9}, {641, 479}};
    seed_random(1);
    for (int i = 0; goes_on(i, (int)(sizeof sizes / sizeof *sizes) - (quick() ? 1 : 0)); i++)
        for (int method = 0; method < METHODS; method++) {
            scene s = new_scene(sizes[i][0], sizes[i][1], 5);
            sv_params params = params_of(method, sizes[i][0] > 40 ? 1 : 4, -1, 6);
            params.median = 3;
            fill_noise(&s.left.image, 256, 1);
            fill_shifted(&s.right.image, &s.left.image, 3);
            match_and_check(backend, &s, &params);
            free_scene(&s);
        }
}

/* At a smaller size, too, disparities at the ends of the range are found: in the mean to half a pixel of that size. */
TEST_BACKENDS(test_scale_covers_the_range) {
    static const int ranges[][2] = {{5, 63}, {-63, -5}, {-6, 7}, {3, 3}};
    seed_random(32);
    for (int i = 0; i < (int)(sizeof ranges / sizeof *ranges); i++)
        for (int end = 0; end < 2; end++)
            for (int scale = 2; scale <= 4; scale *= 2) {
                const int d = ranges[i][end];
                scene s = new_scene(320, 64, 0);
                sv_params params = params_of(SV_ZNCC, 4, ranges[i][0], ranges[i][1]);
                params.scale = scale;
                fill_noise(&s.left.image, 256, 8);
                fill_shifted(&s.right.image, &s.left.image, d);
                match(backend, &s, &params);
                double sum = 0;
                int values = 0;
                for (int y = 0; y < 64; y++)
                    for (int x = 100; x < 220; x++) {
                        if (isinf(disparity_at(&s, x, y))) continue;
                        sum += (double)disparity_at(&s, x, y);
                        values++;
                    }
                if (!(values > 64 * 100 && fabs(sum / values - d) < 0.55 * scale))
                    fail_msg("-d %d:%d --scale 1/%d: %d values, %g in the mean, where %d is true", ranges[i][0],
                             ranges[i][1], scale, values, sum / values, d);
                free_scene(&s);
            }
}

/* Matched at a smaller size, also where that does not divide the picture, and where the range holds no multiple. */
TEST_BACKENDS(test_scale) {
    static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 1}, {33, 9}, {34, 11}, {161, 30}, {641, 479}};
    static const int ranges[][2] = {{0, 19}, {-7, 18}, {5, 5}, {-7, -6}, {-3, 3}};
    seed_random(31);
    for (int i = 0; goes_on(i, (int)(sizeof sizes / sizeof *sizes) - (quick() ? 1 : 0)); i++)
        for (int range = 0; range < (i < 5 ? 5 : 1); range++)
            for (int scale = 1; scale <= 4; scale *= 2) {
                scene s = new_scene(sizes[i][0], sizes[i][1], scale);
                sv_params params = params_of(i % 2 ? SV_SGM : range % METHODS, 1, ranges[range][0], ranges[range][1]);
                params.scale = scale;
                params.median = ONE_OF(0, 3);
                params.fill = ONE_OF(SV_FILL_NONE, SV_FILL_ROW);
                fill_noise(&s.left.image, 256, 3);
                fill_shifted(&s.right.image, &s.left.image, 8);
                match_and_check(backend, &s, &params);
                free_scene(&s);
            }
}

TEST_BACKENDS(test_radii) {
    seed_random(2);
    for (int i = 0; goes_on(i, quick() ? 5 : 17); i++)
        for (int method = 0; method < METHODS; method++) {
            const int rho = i == (quick() ? 4 : 16) ? SV_MAX_RADIUS : i * (quick() ? 5 : 1);
            scene s = new_scene(33, 9, 1);
            sv_params params = params_of(method, rho, 0, 9);
            fill_noise(&s.left.image, 256, 1);
            fill_noise(&s.right.image, 256, 1);
            match_and_check(backend, &s, &params);
            params.rho_y = 3;
            match_and_check(backend, &s, &params);
            params.rho_y = rho;
            params.rho = 2;
            match_and_check(backend, &s, &params);
            free_scene(&s);
        }
}

/* The largest possible sums: black against white in the largest window, with steps of 1/4 pixel; and in the largest
 * windows whose sums the cpu backend keeps in 32 bits together with one of 128 or of 64 candidates, and the next ones.
 */
TEST_BACKENDS(test_largest_sums) {
    static const int windows[][4] = {
        {SV_MAX_RADIUS, -2, 2, 4}, {10, -64, 63, 1}, {11, -64, 63, 1}, {15, -32, 31, 1}, {16, -32, 31, 1}};
    scene s = new_scene(9, 5, 0);
    fill_flat(&s.left.image, 255);
    fill_flat(&s.right.image, 0);
    *grey_at(&s.right.image, 4, 2) = 255;
    for (int i = 0; i < (int)(sizeof windows / sizeof *windows); i++)
        for (int method = 0; method < METHODS; method++) {
            sv_params params = params_of(method, windows[i][0], windows[i][1], windows[i][2]);
            params.steps = windows[i][3];
            match_and_check(backend, &s, &params);
            params.max_cost = 65000;
            match_and_check(backend, &s, &params);
        }
    free_scene(&s);
}

TEST_BACKENDS(test_ranges) {
    static const int ranges[][2] = {{0, 0},     {-5, 5},    {-20, -3}, {0, 100},    {-100, 100}, {33, 60},   {32, 32},
                                    {-60, -33}, {-32, -32}, {0, 1023}, {-1024, -1}, {-512, 511}, {900, 1023}};
    seed_random(3);
    for (int i = 0; goes_on(i, (int)(sizeof ranges / sizeof *ranges)); i++)
        for (int method = 0; method < METHODS; method++)
            for (int steps = 1; steps <= (sv_methods[method].uses & SV_USES(steps) ? 4 : 1); steps *= 2) {
                scene s = new_scene(33, 9, 2);
                sv_params params = params_of(method, 2, ranges[i][0], ranges[i][1]);
                params.steps = steps;
                fill_noise(&s.left.image, 256, 1);
                fill_noise(&s.right.image, 256, 1);
                match_and_check(backend, &s, &params);
                free_scene(&s);
            }
}

/* ncc where seeds propagate far across and down, over flat areas and from one band to the next; with the kernels for
 * small windows, and with the general ones only. */
TEST_BACKENDS(test_propagation) {
    seed_random(13);
    for (int i = 0; goes_on(i, quick() ? 8 : 80); i++) {
        const int width = ONE_OF(1, 16, 33, 150, 321), height = ONE_OF(5, 40, 97);
        sv_params params = random_params(SV_NCC);
        params.rho = ONE_OF(0, 1, 2, 3, 3, 4);
        params.rho_y = ONE_OF(-1, -1, 0, 2, 3, 4);
        params.reseed = ONE_OF(0, 0, 0, 1, 7, 16, 32, 33, 60);
        params.uniqueness = ONE_OF(0, 0, 0, 10);
        params.weighted_median = 0;
        scene s = new_scene(width, height, 5 * random_below(3));
        fill_random(&s);
        /* A part of the first row has no seeds. */
        if (random_below(2))
            for (int y = height / 2; y < height; y++) memset(grey_at(&s.left.image, 0, y), 90, (size_t)(width * 2 / 3));
        match_and_check(backend, &s, &params);
        if (backend == &sv_cuda) {
            setenv("SV_CUDA_GENERAL", "1", 1);
            match_and_check(backend, &s, &params);
            unsetenv("SV_CUDA_GENERAL");
        }
        free_scene(&s);
    }
}

/* ---- Cases with a known answer ---------------------------------------------------------------- */

/* Noise that is shifted as a whole has the shift as its disparity wherever the other picture shows it. */
TEST_BACKENDS(test_shifted_texture) {
    seed_random(5);
    for (int d = -6; d <= 6; d += 4)
        for (int method = 0; method < METHODS; method++) {
            scene s = new_scene(64, 20, 3);
            sv_params params = params_of(method, 2, -8, 8);
            params.subpixel = 0;
            fill_noise(&s.left.image, 256, 1);
            fill_shifted(&s.right.image, &s.left.image, d);
            match(backend, &s, &params);
            for (int y = 0; y < 20; y++)
                for (int x = 8; x < 56; x++) {
                    assert_int_equal(reason_at(&s, x, y), SV_VALID);
                    assert_true(disparity_at(&s, x, y) == (float)d);
                }
            /* Exchanging the pictures changes the sign. */
            const sv_pair pair = s.pair;
            s.pair = (sv_pair){.left = pair.right, .right = pair.left};
            match(backend, &s, &params);
            for (int x = 16; x < 48; x++) assert_true(disparity_at(&s, x, 10) == (float)-d);
            s.pair = pair;
            free_scene(&s);
        }
}

/* The right picture has 0.6 of the brightness of the left one: ssd finds the shift with a prefilter, and less often
 * without one. */
TEST_BACKENDS(test_unlike_brightness) {
    enum { WIDTH = 120, HEIGHT = 30, SHIFT = 7, MARGIN = 20 };
    seed_random(11);
    scene s = new_scene(WIDTH, HEIGHT, 3);
    fill_noise(&s.left.image, 256, 2);
    fill_shifted(&s.right.image, &s.left.image, SHIFT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        uint8_t *right = grey_at(&s.right.image, i % WIDTH, i / WIDTH);
        *right = (uint8_t)(*right * 3 / 5);
    }
    int found[3] = {0};
    for (int prefilter = SV_PREFILTER_NONE; prefilter <= SV_PREFILTER_EXPOSURE; prefilter++) {
        sv_params params = params_of(SV_SSD, 2, 0, 40);
        params.prefilter = prefilter;
        params.subpixel = 0;
        match_and_check(backend, &s, &params);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = MARGIN; x < WIDTH - MARGIN; x++) found[prefilter] += disparity_at(&s, x, y) == (float)SHIFT;
    }
    const int all = HEIGHT * (WIDTH - 2 * MARGIN);
    assert_in_range(found[SV_PREFILTER_CONTRAST], all * 98 / 100, all);
    assert_in_range(found[SV_PREFILTER_EXPOSURE], all * 98 / 100, all);
    assert_in_range(found[SV_PREFILTER_NONE], 0, all * 80 / 100);
    free_scene(&s);
}

/* A quarter of a pixel is found exactly where the left picture was interpolated from the right one. */
TEST_BACKENDS(test_fractional_shift) {
    seed_random(6);
    for (int steps = 2; steps <= 4; steps *= 2)
        for (int part = 0; part < steps; part++) {
            scene s = new_scene(64, 12, 0);
            sv_params params = params_of(SV_SSD, 2, 0, 8);
            params.steps = steps;
            params.subpixel = 0;
            fill_noise(&s.right.image, 64, 1);
            for (int y = 0; y < 12; y++)
                for (int x = 0; x < 64; x++) *grey_at(&s.right.image, x, y) &= 0xfc;
            /* The left picture's column x is the right one's x - 3 - part / steps. */
            for (int y = 0; y < 12; y++)
                for (int x = 0; x < 64; x++) {
                    const int near = *grey_at(&s.right.image, x < 3 ? 0 : x - 3, y);
                    const int far = *grey_at(&s.right.image, x < 4 ? 0 : x - 4, y);
                    *grey_at(&s.left.image, x, y) = (uint8_t)((near * (steps - part) + far * part) / steps);
                }
            match(backend, &s, &params);
            for (int y = 0; y < 12; y++)
                for (int x = 12; x < 60; x++) assert_true(disparity_at(&s, x, y) == 3 + (float)part / (float)steps);
            free_scene(&s);
        }
}

/* A near square in front of a far wall: both have the right disparity, and the part of the wall that only the left
 * camera sees fails the left-right check. */
TEST_BACKENDS(test_step_edge) {
    seed_random(7);
    for (int method = 0; method < METHODS; method++) {
        scene s = new_scene(96, 40, 7), front = new_scene(96, 40, 0);
        fill_noise(&s.left.image, 256, 1);
        fill_shifted(&s.right.image, &s.left.image, 2);
        fill_noise(&front.left.image, 256, 1);
        for (int y = 0; y < 40; y++)
            for (int x = 40; x < 70; x++) {
                *grey_at(&s.left.image, x, y) = *grey_at(&front.left.image, x, y);
                *grey_at(&s.right.image, x - 12, y) = *grey_at(&front.left.image, x, y);
            }
        sv_params params = params_of(method, 2, 0, 16);
        params.subpixel = 0;
        match_and_check(backend, &s, &params);
        int conflicts = 0;
        for (int y = 3; y < 37; y++) {
            for (int x = 18; x < 27; x++) assert_true(disparity_at(&s, x, y) == 2);
            for (int x = 43; x < 67; x++) assert_true(disparity_at(&s, x, y) == 12);
            for (int x = 73; x < 90; x++) assert_true(disparity_at(&s, x, y) == 2);
            for (int x = 30; x < 40; x++) conflicts += reason_at(&s, x, y) == SV_LEFT_RIGHT_CONFLICT;
        }
        assert_true(conflicts > 34 * 10 * 8 / 10);
        free_scene(&s);
        free_scene(&front);
    }
}

/* Without texture, ncc finds nothing, and for ssd all candidates tie: the smallest disparity wins, where other texture
 * is near. */
TEST_BACKENDS(test_flat_pictures) {
    scene s = new_scene(20, 6, 0);
    fill_flat(&s.left.image, 90);
    fill_flat(&s.right.image, 90);
    sv_params params = params_of(SV_NCC, 2, 0, 7);
    match_and_check(backend, &s, &params);
    for (int x = 0; x < 20; x++) assert_int_equal(reason_at(&s, x, 3), SV_NO_TEXTURE);

    params = params_of(SV_SSD, 2, -3, 4);
    params.left_right_check = -1;
    match_and_check(backend, &s, &params);
    for (int x = 0; x < 20; x++) assert_int_equal(reason_at(&s, x, 3), SV_NO_TEXTURE);
    *grey_at(&s.left.image, 10, 0) = *grey_at(&s.right.image, 10, 0) = 10;
    match_and_check(backend, &s, &params);
    for (int x = 0; x < 17; x++) assert_true(disparity_at(&s, x, 3) == -3);
    assert_true(disparity_at(&s, 19, 3) == 0);
    *grey_at(&s.left.image, 10, 0) = *grey_at(&s.right.image, 10, 0) = 90;

    /* Texture in only one picture does not count. */
    seed_random(8);
    fill_noise(&s.left.image, 256, 1);
    params = params_of(SV_NCC, 1, 0, 3);
    match_and_check(backend, &s, &params);
    for (int x = 0; x < 20; x++) assert_int_equal(reason_at(&s, x, 3), SV_NO_TEXTURE);
    free_scene(&s);
}

/* No candidate is inside the other picture. */
TEST_BACKENDS(test_out_of_reach) {
    seed_random(9);
    scene s = new_scene(20, 6, 0);
    fill_noise(&s.left.image, 256, 1);
    fill_noise(&s.right.image, 256, 1);
    for (int method = 0; method < METHODS; method++) {
        sv_params params = params_of(method, 2, 10, 15);
        match_and_check(backend, &s, &params);
        for (int x = 0; x < 20; x++) assert_int_equal(reason_at(&s, x, 2) == SV_BORDER, x < 10);
        params = params_of(method, 2, 20, 40);
        match_and_check(backend, &s, &params);
        for (int x = 0; x < 20; x++) assert_int_equal(reason_at(&s, x, 2), SV_BORDER);
        assert_true(isinf(disparity_at(&s, 0, 0)) && disparity_at(&s, 0, 0) > 0);
    }
    free_scene(&s);
}

/* ---- Frames that follow each other ------------------------------------------------------------- */

TEST_BACKENDS(test_two_in_flight) {
    seed_random(10);
    scene s[SV_IN_FLIGHT];
    sv_params params[SV_IN_FLIGHT];
    sv_matcher *matcher = new_matcher(backend, 65, 17, 0);
    for (int i = 0; i < SV_IN_FLIGHT; i++) s[i] = new_scene(65, 17, 3 * i);
    for (int round = 0; goes_on(round, 10); round++) {
        for (int i = 0; i < SV_IN_FLIGHT; i++) {
            params[i] = params_of((round + i) % METHODS, 1 + i, 0, 15);
            fill_random(&s[i]);
            submit(matcher, &s[i], &params[i]);
        }
        for (int i = 0; i < SV_IN_FLIGHT; i++) {
            wait_for(matcher);
            check_maps(&s[i], &params[i]);
        }
    }
    submit(matcher, &s[0], &params[0]); /* never waited for: destroying does that */
    sv_matcher_destroy(matcher);
    for (int i = 0; i < SV_IN_FLIGHT; i++) free_scene(&s[i]);
}

/* Every frame has different parameters: larger windows and ranges than before, smaller ones, another method. */
static sv_params random_params_of_any(void) { return random_params(random_below(METHODS)); }
TEST_BACKENDS(test_changing_parameters) {
    seed_random(11);
    match_changing(backend, 65, 17, quick() ? 10 : 60, random_params_of_any);
}

/* The fast loops run if the processor supports their instructions and SV_CPU does not select others: with the defaults
 * of every method, and when pictures are remapped. */
TEST(test_fast_loops_run) {
#ifdef __x86_64__
    static const char *const asked[] = {NULL, "avx2", "portable"};
    enum { WIDTH = 160, HEIGHT = 60 };
    if (!__builtin_cpu_supports("avx2")) {
        print_message("this processor has no AVX2\n");
        skip();
    }
    seed_random(15);
    scene s = new_scene(WIDTH, HEIGHT, 0);
    fill_random(&s);
    sv_rectification map = {.width = WIDTH, .height = HEIGHT};
    map.maps[0] = map.maps[1] = calloc(2 * WIDTH * HEIGHT, sizeof *map.maps[0]);
    assert_non_null(map.maps[0]);
    for (int i = 0; i < 3; i++) {
        asked[i] ? setenv("SV_CPU", asked[i], 1) : unsetenv("SV_CPU");
        for (int method = 0; method < WITHOUT_MODEL; method++) {
            const sv_params params = sv_default_params((sv_method)method);
            cpu_buffer scratch = {0}, rectified = {0};
            cpu_set matched = -1, remapped = -1, checked = -1;
            cpu_job job = {.width = WIDTH,
                           .height = HEIGHT,
                           .threads = 2,
                           .set = cpu_available(),
                           .params = &params,
                           .left = &s.pair.left,
                           .right = &s.pair.right,
                           .left_colour = &s.pair.left_colour,
                           .right_colour = &s.pair.right_colour,
                           .disparity = &s.output.disparity,
                           .reason = &s.output.reason,
                           .rectification = &map,
                           .scratch = &scratch,
                           .ran = &matched};
            for (int side = 0; side < 2; side++)
                assert_non_null(job.winner[side] = malloc(WIDTH * HEIGHT * sizeof *job.winner[side]));
            assert_int_equal(cpu_match(&job, NULL), SV_OK);
            sv_pair pictures = s.pair;
            job.ran = &remapped;
            assert_int_equal(cpu_rectify(&job, &pictures, &rectified, NULL), SV_OK);
            const sv_params check = {.method = (sv_method)method, .steps = 1}; /* and no further refinement */
            job.ran = &checked;
            job.params = &check;
            assert_int_equal(cpu_refine(&job, NULL), SV_OK);
            if (i == 2) {
                assert_int_equal(matched, CPU_PORTABLE);
                assert_int_equal(remapped, CPU_PORTABLE);
                assert_int_equal(checked, CPU_PORTABLE);
            } else if (matched < CPU_HAS_AVX2 || remapped < CPU_HAS_AVX2 || checked < CPU_HAS_AVX2) {
                fail_msg("SV_CPU=%s %s: level %d, remapping %d, check %d", asked[i] ? asked[i] : "",
                         sv_method_name(method), matched, remapped, checked);
            }
            free(job.winner[0]);
            free(job.winner[1]);
            free(scratch.data);
            free(rectified.data);
        }
    }
    free(map.maps[0]);
    free_scene(&s);
#else
    print_message("this processor has no AVX2\n");
    skip();
#endif
}

/* The result does not depend on the number of threads. */
TEST_CPU(test_threads) {
    static const int threads[] = {1, 2, 3, 7, 40};
    seed_random(12);
    scene s = new_scene(33, 40, 0);
    for (int i = 0; i < (quick() ? 4 : 20); i++) {
        const sv_params params = random_params(i % METHODS);
        fill_random(&s);
        for (size_t j = 0; j < sizeof threads / sizeof *threads; j++) {
            sv_matcher *matcher = new_matcher(backend, 33, 40, threads[j]);
            submit(matcher, &s, &params);
            wait_for(matcher);
            check_maps(&s, &params);
            sv_matcher_destroy(matcher);
        }
    }
    free_scene(&s);
}
