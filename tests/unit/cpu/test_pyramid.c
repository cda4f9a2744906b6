/* Image pyramids, which only the CPU backend has, against their definition, written pixel by pixel, bit for bit. */
#include "tests/support/pairs.h"
#include "tests/support/reference_confidence.h"
#include "tests/support/reference_refine.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 6, NONE = INT32_MIN };

/* ---- The definition --------------------------------------------------------------------------- */

typedef struct level {
    int width, height, steps;
    int min, max, own_min, own_max; /* disparities, pixels of the level */
    uint8_t *grey[2];
    int64_t *sum[2], *variance[2]; /* of the window about each pixel; n^2 times the variance, for windows of n pixels */
    int *best[2];                  /* disparity of the left and the right map in units of 1/steps pixel, or NONE */
} level;

typedef struct reference {
    const sv_params *params;
    int levels;
    level level[MAX_LEVELS];
} reference;

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

static int grey(const level *v, int side, int x, int y) {
    return v->grey[side][clamp(y, 0, v->height - 1) * v->width + clamp(x, 0, v->width - 1)];
}

static int64_t window_pixels(const reference *r) { return (2 * r->params->rho + 1) * (2 * sv_rho_y(r->params) + 1); }

static void measure_windows(const reference *r, const level *v, int side) {
    for (int i = 0; i < v->width * v->height; i++) {
        int64_t sum = 0, squares = 0;
        for (int dy = -sv_rho_y(r->params); dy <= sv_rho_y(r->params); dy++)
            for (int dx = -r->params->rho; dx <= r->params->rho; dx++) {
                const int value = grey(v, side, i % v->width + dx, i / v->width + dy);
                sum += value;
                squares += value * value;
            }
        v->sum[side][i] = sum;
        v->variance[side][i] = window_pixels(r) * squares - sum * sum;
    }
}

/* A level has half the size of the one before: means of 2 x 2 pixels, rounded to nearest. */
static void make_levels(reference *r, const sv_pair *pair) {
    const sv_params *params = r->params;
    const double range = params->max_disparity - params->min_disparity + 1;
    const double part = ceil(range / (pow(2, params->pyramid) - 1));
    double far = params->min_disparity;
    for (int l = 0; l < params->pyramid && far <= params->max_disparity; l++, r->levels++) {
        level *v = &r->level[l];
        const level *finer = v - 1;
        const double scale = pow(2, l), near = far + part * scale - 1;
        v->steps = l ? 1 : sv_steps(params);
        v->min = (int)floor(params->min_disparity / scale);
        v->max = (int)ceil(params->max_disparity / scale);
        v->own_min = clamp((int)floor(far / scale) - 1, v->min, v->max);
        v->own_max = clamp((int)ceil(near / scale) + 1, v->min, v->max);
        far = near + 1;
        v->width = l ? (finer->width + 1) / 2 : pair->left.width;
        v->height = l ? (finer->height + 1) / 2 : pair->left.height;
        for (int side = 0; side < 2; side++) {
            v->grey[side] = malloc((size_t)(v->width * v->height));
            v->best[side] = malloc(sizeof(int) * (size_t)(v->width * v->height));
            v->sum[side] = malloc(sizeof(int64_t) * (size_t)(v->width * v->height));
            v->variance[side] = malloc(sizeof(int64_t) * (size_t)(v->width * v->height));
            for (int i = 0; i < v->width * v->height; i++) {
                const int x = i % v->width, y = i / v->width;
                if (l) {
                    int sum = 0;
                    for (int j = 0; j < 4; j++) sum += grey(finer, side, 2 * x + j % 2, 2 * y + j / 2);
                    v->grey[side][i] = (uint8_t)floor(sum / 4.0 + 0.5);
                } else {
                    v->grey[side][i] = ((uint8_t *)sv_row(side ? &pair->right : &pair->left, y))[x];
                }
            }
            measure_windows(r, v, side);
        }
    }
}

static double other_column(const level *v, int side, int x, int d) {
    const double disparity = (double)d / v->steps;
    return side ? x + disparity : x - disparity;
}

/* True if disparity `d`, in 1/steps pixel, is a candidate at column x. */
static int tried(const level *v, int side, int x, int d) {
    const double column = other_column(v, side, x, d);
    return d >= v->min * v->steps && d <= v->max * v->steps && column >= 0 && column <= v->width - 1;
}

/* Sum of squared differences in units of 1/steps^2. */
static double ssd(const reference *r, const level *v, int side, int x, int y, int d) {
    const int rho = r->params->rho, rho_y = sv_rho_y(r->params);
    double sum = 0;
    for (int j = -rho_y; j <= rho_y; j++)
        for (int i = -rho; i <= rho; i++) {
            const double column = other_column(v, side, x + i, d), part = column - floor(column);
            const int whole = (int)floor(column);
            const double value = (1 - part) * grey(v, !side, whole, y + j) + part * grey(v, !side, whole + 1, y + j);
            const double difference = v->steps * (grey(v, side, x + i, y + j) - value);
            sum += difference * difference;
        }
    return sum;
}

static float correlation(const reference *r, const level *v, int side, int x, int y, int d) {
    const int left = side ? x + d : x, right = side ? x : x - d;
    int64_t products = 0;
    for (int j = -sv_rho_y(r->params); j <= sv_rho_y(r->params); j++)
        for (int i = -r->params->rho; i <= r->params->rho; i++)
            products += grey(v, 0, left + i, y + j) * grey(v, 1, right + i, y + j);
    const int64_t *variances[2] = {v->variance[0] + y * v->width + left, v->variance[1] + y * v->width + right};
    const int64_t covariance =
        window_pixels(r) * products - v->sum[0][y * v->width + left] * v->sum[1][y * v->width + right];
    const float left_inverse = 1.0f / (float)sqrtf((float)*variances[0]);
    const float right_inverse = 1.0f / (float)sqrtf((float)*variances[1]);
    const float inverse = (float)(left_inverse * right_inverse);
    return (float)((float)covariance * inverse);
}

/* True if it is a candidate and has a cost: flat windows have no correlation. */
static int admissible(const reference *r, const level *v, int side, int x, int y, int d) {
    if (!tried(v, side, x, d)) return 0;
    if (r->params->method == SV_SSD) return 1;
    return v->variance[side][y * v->width + x] > 0 &&
           v->variance[!side][y * v->width + (int)other_column(v, side, x, d)] > 0;
}

/* Exact, and smaller for better matches. */
static double cost_of(const reference *r, const level *v, int side, int x, int y, int d) {
    return r->params->method == SV_SSD ? ssd(r, v, side, x, y, d) : -(double)correlation(r, v, side, x, y, d);
}

static int in_own_part(const level *v, int d) { return d >= v->own_min * v->steps && d <= v->own_max * v->steps; }

/* The disparities that are searched at (x, y): the level's part of the range, and the proposals of the coarser level.
 */
static int searched(const reference *r, const level *v, int side, int x, int y, int d) {
    if (in_own_part(v, d)) return 1;
    if (v == &r->level[r->levels - 1]) return 0;
    const int coarse = v[1].best[side][(y / 2) * v[1].width + x / 2];
    return coarse != NONE && abs(d - 2 * coarse * v->steps) <= v->steps;
}

static void find_best(reference *r) {
    for (int l = r->levels - 1; l >= 0; l--)
        for (int side = 0; side < 2; side++) {
            level *v = &r->level[l];
            for (int i = 0; i < v->width * v->height; i++) {
                const int x = i % v->width, y = i / v->width;
                double least = INFINITY;
                v->best[side][i] = NONE;
                for (int d = v->min * v->steps; d <= v->max * v->steps; d++) {
                    if (!searched(r, v, side, x, y, d) || !admissible(r, v, side, x, y, d)) continue;
                    const double cost = cost_of(r, v, side, x, y, d);
                    if (cost >= least) continue;
                    least = cost;
                    v->best[side][i] = d;
                }
            }
        }
}

/* True if the best match of a pixel of the left map has a second one that is nearly as good: not within a pixel of it
 * and, if the coarser level proposed the winner, not beside it in the finest level's own part. */
static int ambiguous(const reference *r, int x, int y, int best) {
    const level *v = &r->level[0];
    double second = INFINITY, own = INFINITY;
    int own_best = NONE;
    for (int d = v->min * v->steps; d <= v->max * v->steps; d++) {
        if (!searched(r, v, 0, x, y, d) || !admissible(r, v, 0, x, y, d)) continue;
        const double cost = cost_of(r, v, 0, x, y, d);
        if (in_own_part(v, d) && cost < own) {
            own = cost;
            own_best = d;
        }
        if (abs(d - best) > v->steps && (in_own_part(v, best) || !in_own_part(v, d))) second = fmin(second, cost);
    }
    if (!in_own_part(v, best) && own_best != NONE && abs(own_best - best) > v->steps) second = fmin(second, own);
    if (isinf(second)) return 0;
    const double cost = cost_of(r, v, 0, x, y, best), percent = r->params->uniqueness;
    if (r->params->method == SV_SSD) return second * (100 - percent) <= cost * 100;
    const float best_cost = fmaxf(0, (float)(1.0f + (float)cost));
    const float second_cost = fmaxf(0, (float)(1.0f + (float)second));
    return (float)(second_cost * (float)(100 - percent)) <= (float)(best_cost * 100.0f);
}

static float clamp_offset(float offset) { return offset < -0.5f ? -0.5f : offset > 0.5f ? 0.5f : offset; }

static void finish_pixel(const reference *r, int x, int y, float *disparity, uint8_t *reason) {
    const level *v = &r->level[0];
    const sv_params *params = r->params;
    const int best = v->best[0][y * v->width + x];
    *disparity = INFINITY;
    if (best == NONE) {
        *reason = params->method == SV_ZNCC && v->variance[0][y * v->width + x] == 0 ? SV_NO_TEXTURE : SV_BORDER;
        for (int d = v->min * v->steps; d <= v->max * v->steps; d++)
            if (tried(v, 0, x, d) && searched(r, v, 0, x, y, d)) *reason = SV_NO_TEXTURE;
        return;
    }
    const double cost = cost_of(r, v, 0, x, y, best);
    const double limit = (double)params->max_cost * (double)window_pixels(r) * (v->steps * v->steps);
    if (params->method == SV_SSD ? params->max_cost > 0 && cost > limit : -cost < (double)params->min_correlation) {
        *reason = SV_POOR_MATCH;
        return;
    }
    if (params->uniqueness && ambiguous(r, x, y, best)) {
        *reason = SV_AMBIGUOUS;
        return;
    }
    if (params->left_right_check >= 0) {
        const double column = floor(other_column(v, 0, x, best) + 0.5);
        const int right = column >= 0 && column < v->width ? v->best[1][y * v->width + (int)column] : NONE;
        if (right == NONE || abs(right - best) > params->left_right_check * v->steps) {
            *reason = SV_LEFT_RIGHT_CONFLICT;
            return;
        }
    }
    float offset = 0;
    if (params->subpixel && admissible(r, v, 0, x, y, best - 1) && admissible(r, v, 0, x, y, best + 1)) {
        const double before = cost_of(r, v, 0, x, y, best - 1), after = cost_of(r, v, 0, x, y, best + 1);
        if (params->method == SV_SSD) {
            const double curvature = before - 2 * cost + after;
            if (curvature > 0) offset = (float)(0.5f * (float)(before - after)) / (float)curvature;
        } else {
            const float b = (float)-before, c = (float)-cost, a = (float)-after;
            const float curvature = (float)((float)(c - b) + (float)(c - a));
            if (curvature > 0) offset = (float)(0.5f * (float)(a - b)) / curvature;
        }
        offset = clamp_offset(offset);
    }
    *disparity = (float)((float)best + offset) / (float)v->steps;
    *reason = SV_VALID;
}

/* From the winners of the finest level. */
static void judge(const reference *r, const uint8_t *reason, uint8_t *confidence) {
    const level *v = &r->level[0];
    const int pixels = v->width * v->height, first = r->params->min_disparity * v->steps;
    int *winner[2];
    for (int side = 0; side < 2; side++) {
        winner[side] = malloc(sizeof(int) * (size_t)pixels);
        for (int i = 0; i < pixels; i++) winner[side][i] = v->best[side][i] == NONE ? -1 : v->best[side][i] - first;
    }
    reference_confidence(r->params, v->width, v->height, winner, NULL, NULL, confidence);
    for (int i = 0; i < pixels; i++)
        if (reason[i] != SV_VALID) confidence[i] = 0;
    free(winner[0]);
    free(winner[1]);
}

static void match_reference(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason,
                            uint8_t *confidence) {
    reference r = {.params = params};
    const int width = pair->left.width, height = pair->left.height;
    make_levels(&r, pair);
    find_best(&r);
    for (int i = 0; i < width * height; i++) finish_pixel(&r, i % width, i / width, &disparity[i], &reason[i]);
    reference_remove_flat(&pair->left, disparity, reason);
    judge(&r, reason, confidence);
    for (int l = 0; l < r.levels; l++)
        for (int side = 0; side < 2; side++) {
            free(r.level[l].grey[side]);
            free(r.level[l].sum[side]);
            free(r.level[l].variance[side]);
            free(r.level[l].best[side]);
        }
}

/* ---- Running a pair --------------------------------------------------------------------------- */

/* Noise of `levels` grey levels in patches, and the right picture, in which the middle third of the rows has the
 * disparity `near` and the others `far`, or which is unrelated. */
static void fill_scene(const scene *s, int levels, int patch, int related, int far, int near) {
    const int width = s->pair.left.width, height = s->pair.left.height;
    fill_noise(&s->pair.left, levels, patch);
    fill_noise(&s->pair.right, levels, patch);
    for (int y = 0; related && y < height; y++) {
        const uint8_t *left = sv_row(&s->pair.left, y);
        uint8_t *right = sv_row(&s->pair.right, y);
        const int d = y >= height / 3 && y < 2 * height / 3 ? near : far;
        for (int x = 0; x < width; x++)
            if (x + d >= 0 && x + d < width) right[x] = left[x + d];
    }
}

static sv_matcher *matcher_of(const scene *s, int threads) {
    return new_matcher(&sv_cpu, s->pair.left.width, s->pair.left.height, threads);
}

static void run_pair(sv_matcher *matcher, const scene *s, const sv_params *params) {
    submit(matcher, s, params);
    wait_for(matcher);
}

static void run_and_check(sv_matcher *matcher, const scene *s, const sv_params *params) {
    const int width = s->pair.left.width, height = s->pair.left.height;
    float *disparity = malloc(sizeof *disparity * (size_t)(width * height));
    uint8_t *reason = malloc((size_t)(width * height)), *confidence = malloc((size_t)(width * height));
    scene judged = *s;
    if (random_below(2)) want_confidence(&judged);
    run_pair(matcher, &judged, params);
    match_reference(&s->pair, params, disparity, reason, confidence);
    for (int i = 0; i < width * height; i++) {
        const float got = disparity_at(s, i % width, i / width);
        const int why = reason_at(s, i % width, i / width);
        if (judged.output.confidence.data)
            assert_int_equal(*grey_at(&s->confidence.image, i % width, i / width), confidence[i]);
        if (why == reason[i] && !memcmp(&got, &disparity[i], sizeof got)) continue;
        fail_msg("pixel (%d, %d) of %d x %d: disparity %.9g (%s), should be %.9g (%s); %s pyramid %d rho %d rho-y %d "
                 "disparities %d:%d steps %d max-cost %g min-correlation %g subpixel %d uniqueness %d check %d",
                 i % width, i / width, width, height, (double)got, sv_reason_name(why), (double)disparity[i],
                 sv_reason_name(reason[i]), sv_method_name(params->method), params->pyramid, params->rho,
                 sv_rho_y(params), params->min_disparity, params->max_disparity, params->steps,
                 (double)params->max_cost, (double)params->min_correlation, params->subpixel, params->uniqueness,
                 params->left_right_check);
    }
    free(disparity);
    free(reason);
    free(confidence);
}

/* Only matching and the left-right check. */
static sv_params pyramid_params(sv_method method, int pyramid, int rho, int min_disparity, int max_disparity) {
    sv_params params = sv_default_params(method);
    params.prefilter = SV_PREFILTER_NONE;
    params.pyramid = pyramid;
    params.rho = rho;
    params.rho_y = -1;
    params.min_disparity = min_disparity;
    params.max_disparity = max_disparity;
    params.uniqueness = params.speckle_size = params.fill = params.median = params.weighted_median = params.average = 0;
    return params;
}

static const sv_method with_pyramid[] = {SV_SSD, SV_ZNCC};
enum { WITH_PYRAMID = sizeof with_pyramid / sizeof *with_pyramid };

/* ---- Cases ------------------------------------------------------------------------------------ */

TEST(test_sizes_and_levels) {
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 9}, {70, 33}};
    seed_random(1);
    for (int i = 0; goes_on(i, (int)(sizeof sizes / sizeof *sizes)); i++)
        for (int m = 0; m < WITH_PYRAMID; m++) {
            const scene s = new_scene(sizes[i][0], sizes[i][1], 3);
            sv_matcher *matcher = matcher_of(&s, 0);
            fill_scene(&s, 256, 2, 1, 2, 17);
            for (int pyramid = 2; pyramid <= MAX_LEVELS; pyramid++) {
                const sv_params params = pyramid_params(with_pyramid[m], pyramid, 2, -1, 30);
                run_and_check(matcher, &s, &params);
            }
            sv_matcher_destroy(matcher);
            free_scene(&s);
        }
}

TEST(test_large) {
    seed_random(2);
    for (int m = 0; m < WITH_PYRAMID && !quick(); m++) {
        const scene s = new_scene(641, 479, 5);
        const sv_params params = pyramid_params(with_pyramid[m], 3, 1, 0, 27);
        sv_matcher *matcher = matcher_of(&s, 0);
        fill_scene(&s, 256, 3, 1, 2, 22);
        run_and_check(matcher, &s, &params);
        sv_matcher_destroy(matcher);
        free_scene(&s);
    }
}

TEST(test_ranges) {
    static const int ranges[][2] = {{0, 0},   {0, 1},     {5, 7},     {-5, 5},   {-20, -3},   {0, 100},    {-70, 70},
                                    {33, 60}, {-60, -33}, {-32, -32}, {0, 1023}, {-1024, -1}, {-512, 511}, {900, 1023}};
    seed_random(3);
    const scene s = new_scene(67, 9, 2);
    sv_matcher *matcher = matcher_of(&s, 0);
    for (int i = 0; goes_on(i, (int)(sizeof ranges / sizeof *ranges)); i++)
        for (int m = 0; m < WITH_PYRAMID; m++)
            for (int pyramid = 2; pyramid <= MAX_LEVELS; pyramid += 2)
                for (int steps = 1; steps <= (sv_methods[with_pyramid[m]].uses & SV_USES(steps) ? 4 : 1); steps *= 2) {
                    sv_params params = pyramid_params(with_pyramid[m], pyramid, 1, ranges[i][0], ranges[i][1]);
                    params.steps = steps;
                    fill_scene(&s, 256, 1, 1, 2, 40);
                    run_and_check(matcher, &s, &params);
                }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

TEST(test_random_parameters) {
    seed_random(20080118);
    for (int i = 0; goes_on(i, quick() ? 40 : 400); i++) {
        sv_params params = pyramid_params(with_pyramid[i % WITH_PYRAMID], ONE_OF(2, 2, 3, 3, 4, 5, 6),
                                          ONE_OF(0, 1, 1, 2, 3, 7, 11), 0, 0);
        params.rho_y = ONE_OF(-1, -1, 0, 1, 2, 5);
        params.min_disparity = ONE_OF(0, 0, 0, -1, -7, 3, -40);
        params.max_disparity = params.min_disparity + ONE_OF(0, 1, 7, 15, 16, 40, 90);
        params.steps = ONE_OF(1, 1, 2, 4);
        params.max_cost = (float)ONE_OF(0, 0, 0, 50, 1000, 5000);
        params.min_correlation = (float)ONE_OF(-4, -4, -4, 0, 2, 3) / 4;
        params.subpixel = ONE_OF(0, 1, 1);
        params.left_right_check = ONE_OF(-1, 0, 1, 1, 3);
        params.uniqueness = ONE_OF(0, 0, 5, 20, 100);
        const scene s = new_scene(ONE_OF(1, 2, 7, 31, 32, 65, 97), ONE_OF(1, 2, 3, 8, 17), random_below(3) * 13);
        sv_matcher *matcher = matcher_of(&s, 0);
        fill_scene(&s, ONE_OF(1, 2, 3, 256, 256), ONE_OF(1, 1, 2, 4, 9), random_below(3) > 0, random_below(12) - 2,
                   random_below(60));
        run_and_check(matcher, &s, &params);
        sv_matcher_destroy(matcher);
        free_scene(&s);
    }
}

/* The largest possible sums: black against white in the largest window, with steps of 1/4 pixel. */
TEST(test_largest_sums) {
    const scene s = new_scene(9, 5, 0);
    sv_matcher *matcher = matcher_of(&s, 0);
    for (int y = 0; y < 5; y++) {
        memset(sv_row(&s.pair.left, y), 255, 9);
        memset(sv_row(&s.pair.right, y), 0, 9);
    }
    ((uint8_t *)sv_row(&s.pair.right, 2))[4] = 255;
    for (int m = 0; m < WITH_PYRAMID; m++) {
        sv_params params = pyramid_params(with_pyramid[m], 2, SV_MAX_RADIUS, -4, 4);
        params.steps = 4;
        run_and_check(matcher, &s, &params);
    }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

/* A near band in front of a far background, whose disparities belong to different levels: both are found. */
TEST(test_near_and_far) {
    enum { WIDTH = 200, HEIGHT = 90, FAR = 3, NEAR = 77 };
    seed_random(5);
    for (int m = 0; m < WITH_PYRAMID; m++)
        for (int pyramid = 2; pyramid <= 4; pyramid++) {
            const scene s = new_scene(WIDTH, HEIGHT, 0);
            const sv_params params = pyramid_params(with_pyramid[m], pyramid, 4, 0, 99);
            sv_matcher *matcher = matcher_of(&s, 0);
            fill_scene(&s, 256, 5, 1, FAR, NEAR);
            run_pair(matcher, &s, &params);
            int right = 0, count = 0;
            for (int y = 0; y < HEIGHT; y++) {
                const int third = y * 3 / HEIGHT, from_edge = y % (HEIGHT / 3);
                if (from_edge < 5 || from_edge >= HEIGHT / 3 - 5) continue;
                for (int x = 100; x < WIDTH - 5; x++, count++)
                    right += fabsf(disparity_at(&s, x, y) - (third == 1 ? NEAR : FAR)) < 0.5f;
            }
            if (right < count * 98 / 100) fail_msg("%d levels: %d of %d pixels are right", pyramid, right, count);
            sv_matcher_destroy(matcher);
            free_scene(&s);
        }
}

/* One matcher for all numbers of levels, including 1, in any order. */
TEST(test_changing_levels) {
    seed_random(6);
    const scene s = new_scene(70, 20, 1);
    sv_matcher *matcher = matcher_of(&s, 0);
    fill_scene(&s, 256, 2, 1, 1, 30);
    for (int i = 0; goes_on(i, 12); i++) {
        sv_params params = pyramid_params(with_pyramid[random_below(WITH_PYRAMID)], 1 + random_below(MAX_LEVELS),
                                          random_below(4), 0, 10 + random_below(60));
        params.left_right_check = random_below(3) - 1;
        run_and_check(matcher, &s, &params);
    }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

TEST(test_threads) {
    seed_random(7);
    for (int m = 0; m < WITH_PYRAMID; m++)
        for (int threads = 1; threads <= 3; threads++) {
            const scene s = new_scene(65, 31, 0);
            const sv_params params = pyramid_params(with_pyramid[m], 3, 2, 0, 40);
            sv_matcher *matcher = matcher_of(&s, threads);
            fill_scene(&s, 256, 2, 1, 1, 30);
            run_and_check(matcher, &s, &params);
            sv_matcher_destroy(matcher);
            free_scene(&s);
        }
}
