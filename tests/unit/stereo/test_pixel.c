/* The per-pixel arithmetic that both backends share, against doubles. */
#include "stereo/pixel.h"
#include "stereo/stereo.h"
#include "stereo/weights.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

TEST(test_clamp_and_columns) {
    assert_int_equal(sv_clamp(-3, 10), 0);
    assert_int_equal(sv_clamp(0, 10), 0);
    assert_int_equal(sv_clamp(9, 10), 9);
    assert_int_equal(sv_clamp(10, 10), 9);
    for (int steps = 1; steps <= 4; steps *= 2)
        for (int position = -100; position <= 100; position++)
            assert_int_equal(sv_nearest_column(position, steps), (int)floor((double)position / steps + 0.5));
}

TEST(test_between) {
    for (int steps = 1; steps <= 4; steps *= 2)
        for (int part = 0; part < steps; part++)
            for (int left = 0; left < 256; left += 5)
                for (int right = 0; right < 256; right += 3) {
                    const double want = left + (double)(right - left) * part / steps;
                    assert_true((double)sv_between(left, right, part, steps) / steps == want);
                }
}

TEST(test_range_of_candidates) {
    static const int ranges[][2] = {{0, 5}, {-4, 3}, {3, 9}, {-30, 30}, {12, 20}, {-20, -12}};
    const int width = 11;
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int steps = 1; steps <= 4; steps *= 2)
            for (int right = 0; right < 2; right++)
                for (int x = 0; x < width; x++) {
                    const int min = ranges[r][0], count = (ranges[r][1] - min) * steps + 1;
                    const int first = sv_first_candidate(x, width, min, steps, right);
                    const int last = sv_last_candidate(x, width, min, steps, count, right);
                    for (int k = 0; k < count; k++) {
                        const double d = min + (double)k / steps, other = right ? x + d : x - d;
                        assert_int_equal(k >= first && k <= last, other >= 0 && other <= width - 1);
                    }
                    assert_true(first >= 0 && last < count);
                }
}

TEST(test_cost_limit) {
    assert_true(sv_cost_limit(0, 121, 4) == UINT32_MAX);
    assert_true(sv_cost_limit(2.5f, 3, 1) == 7);
    assert_true(sv_cost_limit(2.5f, 3, 2) == 30);
    assert_true(sv_cost_limit(65025, 3969, 4) == 65025u * 3969u * 16u);
    assert_true(sv_cost_limit(1e9f, 3969, 4) == UINT32_MAX);
}

TEST(test_correlation) {
    srand(1);
    for (int round = 0; round < 1000; round++) {
        const int n = 1 + rand() % (round % 3 ? 3969 : SV_FEW), range = 1 + rand() % 256;
        int a_sum = 0, b_sum = 0;
        int64_t a_squares = 0, b_squares = 0, products = 0;
        for (int i = 0; i < n; i++) {
            const int a = rand() % range, b = round % 2 ? a / 2 + rand() % 40 : rand() % 256;
            a_sum += a;
            b_sum += b;
            a_squares += a * a;
            b_squares += b * b;
            products += a * b;
        }
        const double a_variance = (double)n * (double)a_squares - (double)a_sum * a_sum;
        const double b_variance = (double)n * (double)b_squares - (double)b_sum * b_sum;
        const float a_inverse = sv_inverse_deviation(n, a_sum, a_squares);
        const float b_inverse = sv_inverse_deviation(n, b_sum, b_squares);
        if (a_variance == 0 || b_variance == 0) {
            assert_true(a_variance == 0 ? a_inverse == 0 : b_inverse == 0);
            continue;
        }
        if (n <= 363)
            assert_true(a_inverse == sv_inverse_deviation_of_few((uint32_t)n, (uint32_t)a_sum, (uint32_t)a_squares));
        /* A few roundings to 24 bits each. */
        assert_true(fabs(a_inverse * sqrt(a_variance) - 1) < 4e-7);
        const double want =
            ((double)n * (double)products - (double)a_sum * b_sum) / sqrt(a_variance) / sqrt(b_variance);
        const float got = sv_correlation(n, products, a_sum, b_sum, a_inverse, b_inverse);
        assert_true(fabs(got - want) < 1e-6);
        assert_true(got == sv_correlation(n, products, b_sum, a_sum, b_inverse, a_inverse));
        if (n <= SV_FEW)
            assert_true(got == sv_correlation_of_few(n, (int)products, a_sum, b_sum, a_inverse, b_inverse));
    }
    assert_true(sv_inverse_deviation(3969, 3969 * 255, (int64_t)3969 * 65025) == 0);
    /* Half black, half white: no variance is larger. */
    assert_true(sv_inverse_deviation_of_few(363, 181 * 255, 181 * 65025) ==
                sv_inverse_deviation(363, 181 * 255, 181 * 65025));
}

TEST(test_ambiguous) {
    /* The best is 10 % or 11 % below the second. */
    assert_true(sv_ambiguous_costs(90, 100, 10));
    assert_false(sv_ambiguous_costs(89, 100, 10));
    assert_true(sv_ambiguous_costs(0, 0, 1));
    assert_false(sv_ambiguous_costs(0, 1, 99));
    assert_true(sv_ambiguous_costs(0, UINT32_MAX - 1, 100));
    assert_true(sv_ambiguous_correlations(0.5f, 0.4f, 20));
    assert_false(sv_ambiguous_correlations(0.5f, 0.3f, 20));
    assert_true(sv_ambiguous_correlations(1.0000001f, 1.0000001f, 1));
}

TEST(test_weights) {
    uint8_t weights[SV_WEIGHTS];
    sv_make_weights(weights);
    assert_int_equal(weights[0], 255);
    assert_int_equal(weights[12], 94); /* 255 / e */
    assert_int_equal(weights[255], 1);
    for (int i = 1; i < SV_WEIGHTS; i++) assert_true(weights[i] <= weights[i - 1]);
}

TEST(test_parabolas) {
    /* Costs of 1000 (x - p)^2, x = -1, 0, 1, and correlations that peak where these are least. */
    for (int i = -50; i <= 50; i++) {
        const double p = i / 100.0;
        const int64_t before = llround(1000 * (1 + p) * (1 + p)), best = llround(1000 * p * p),
                      after = llround(1000 * (1 - p) * (1 - p));
        assert_true(fabs((double)sv_parabola_of_costs(before, best, after) - p) < 1e-3);
        const float offset = sv_parabola_of_correlations((float)(1 - 0.1 * (1 + p) * (1 + p)), (float)(1 - 0.1 * p * p),
                                                         (float)(1 - 0.1 * (1 - p) * (1 - p)));
        assert_true(fabs((double)offset - p) < 1e-5);
    }
    assert_true(sv_parabola_of_costs(7, 7, 7) == 0);
    assert_true(sv_parabola_of_costs(7, 7, 9) == -0.5f);
    assert_true(sv_parabola_of_costs(UINT32_MAX, 0, UINT32_MAX) == 0);
    assert_true(sv_parabola_of_correlations(0.5f, 0.5f, 0.5f) == 0);
    /* A neighbour that was not searched may be better than the winner. */
    assert_true(sv_parabola_of_correlations(0.9f, 0.5f, 0.9f) == 0);
    assert_true(sv_parabola_of_correlations(0.0f, 0.5f, 0.6f) == 0.5f);
    assert_true(sv_parabola_of_correlations(0.6f, 0.5f, 0.0f) == -0.5f);
}

TEST(test_disparity) {
    for (int steps = 1; steps <= 4; steps *= 2)
        for (int k = 0; k < 50; k++) {
            assert_true((double)sv_disparity(-7, k, 0, steps) == -7 + (double)k / steps);
            assert_true((double)sv_disparity(-7, k, 0.25f, steps) == -7 + (k + 0.25) / steps);
        }
}

/* Poor comes before ambiguous, and only a valid pixel has a disparity, between the winner's neighbours if both are. */
TEST(test_decisions) {
    float d;
    assert_int_equal(sv_decide_cost(3, 30, 10, 15, 10, false, -7, 2, &d), SV_VALID);
    assert_true(d == -7 + (3 + 0.5f * (30 - 15) / (30 + 15 - 20)) / 2);
    assert_int_equal(sv_decide_cost(3, SV_NO_COST, 10, 15, 10, false, -7, 2, &d), SV_VALID);
    assert_true(d == -5.5f);
    assert_int_equal(sv_decide_cost(3, 30, 10, 15, 10, true, -7, 2, &d), SV_AMBIGUOUS);
    assert_true(d == INFINITY);
    assert_int_equal(sv_decide_cost(3, 30, 10, 15, 9, true, -7, 2, &d), SV_POOR_MATCH);
    assert_true(d == INFINITY);
    assert_int_equal(sv_decide_correlation(3, 0.25f, 0.75f, 0.5f, 0.75f, false, -7, &d), SV_VALID);
    assert_true(d == -4 + 0.5f * 0.25f / 0.75f);
    assert_int_equal(sv_decide_correlation(3, 0.25f, 0.75f, SV_NO_CORRELATION, -1, false, -7, &d), SV_VALID);
    assert_true(d == -4);
    assert_int_equal(sv_decide_correlation(3, 0.25f, 0.75f, 0.5f, -1, true, -7, &d), SV_AMBIGUOUS);
    assert_true(d == INFINITY);
    assert_int_equal(sv_decide_correlation(3, 0.25f, 0.75f, 0.5f, 0.8f, true, -7, &d), SV_POOR_MATCH);
    assert_true(d == INFINITY);
}
