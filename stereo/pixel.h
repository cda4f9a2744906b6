/* Per-pixel arithmetic, compiled by cc for cpu/ and by nvcc for gpu/, so that both give the same bits. That also takes
 * no contraction of a * b + c (-ffp-contract=off, -fmad=false), integers wherever the quantity is one, and division and
 * square root rounded as IEEE 754 requires, which is the default of both compilers. */
#ifndef STEREO_PIXEL_H
#define STEREO_PIXEL_H

#include "stereo/stereo.h"

#include <math.h>
#include <string.h>

#ifdef __CUDACC__
#define SV_PIXEL static __host__ __device__ __forceinline__
#else
#define SV_PIXEL static inline
#endif

/* Coordinate `i` clamped to 0..size-1: pictures are extended beyond their borders by repeating their edge pixels. */
SV_PIXEL int sv_clamp(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

/* The grey value, 0 to 255, of a luma sample of `depth` bits, rounded to nearest. */
SV_PIXEL int sv_grey_of_luma(int sample, int depth, int full_range) {
    const int black = full_range ? 0 : 16 << (depth - 8), white = full_range ? (1 << depth) - 1 : 235 << (depth - 8);
    const int clamped = sample < black ? black : sample > white ? white : sample;
    return (2 * 255 * (clamped - black) + (white - black)) / (2 * (white - black));
}

/* The moving average: the largest radius of its window, and one pixel of disparity in its sums, which are integers: 81
 * values of at most 1024 pixels fit in an int. */
enum { SV_AVERAGE_RADIUS = 4, SV_AVERAGE_UNIT = 4096 };

/* The window of the contrast filter. */
enum { SV_CONTRAST_RADIUS = 5, SV_CONTRAST_PIXELS = 121 };

/* The contrast of a grey value to the surrounding window: its difference from the mean, in units of 1/48 of the
 * window's standard deviation plus 4 grey levels, which keep noise small, offset by 128 and clamped to 1..255. Takes
 * the exact sums of the window's values and of their squares. */
SV_PIXEL int sv_contrast(int grey, int sum, int sum_of_squares) {
    const int n = SV_CONTRAST_PIXELS, variance = n * sum_of_squares - sum * sum; /* times n^2, below 2^30 */
    const float contrast = (float)(48 * (n * grey - sum)) / (sqrtf((float)variance) + (float)(4 * n));
    const int steps = (int)(contrast < 0.0f ? contrast - 0.5f : contrast + 0.5f);
    return 128 + (steps < -127 ? -127 : steps > 127 ? 127 : steps);
}

/* The first and the last candidate tried at column `x`: those whose centre lies inside the other picture, 0 <= x - d <=
 * width - 1 for the left map, 0 <= x + d <= width - 1 for the right one; none if the first is above the last. `count`:
 * sv_candidates. */
SV_PIXEL int sv_first_candidate(int x, int width, int min_disparity, int steps, int right) {
    int first = steps * (right ? -x - min_disparity : x - (width - 1) - min_disparity);
    return first < 0 ? 0 : first;
}
SV_PIXEL int sv_last_candidate(int x, int width, int min_disparity, int steps, int count, int right) {
    int last = steps * (right ? width - 1 - x - min_disparity : x - min_disparity);
    return last >= count ? count - 1 : last;
}

/* The column of the other picture nearest to a match. `position`: the column in units of 1/steps pixel. */
SV_PIXEL int sv_nearest_column(int position, int steps) {
    /* floor(position / steps + 1/2): steps is 1, 2 or 4, and >> rounds negative numbers down too. */
    return (2 * position + steps) >> (steps == 1 ? 1 : steps == 2 ? 2 : 3);
}

/* For the fill `surface` (cpu/surface.c). */
enum {
    SV_SURFACE_REACH = 500, /* the largest cost of the path to a disparity */
    SV_SURFACE_NEARER = 20  /* extra cost of a disparity that is not from the farther surface of the row */
};

/* True if a surface of `disparity` at column `x` would hide what the map of the right picture has at its match, so that
 * it cannot be there. `right`: the winners of that map in the row; `first`: the disparity of candidate 0 in 1/steps
 * pixel. */
SV_PIXEL bool sv_surface_is_refuted(float disparity, int x, const int16_t *right, int width, int first, int steps) {
    const int match = (int)floorf((float)x - disparity + 0.5f),
              winner = match >= 0 && match < width ? right[match] : -1;
    return winner >= 0 && (float)(first + winner) < (disparity - 1.0f) * (float)steps;
}

/* The grey value at `part` / `steps` of the distance from one pixel to the next, in 1/steps grey level: exact,
 * 0..255 * steps. */
SV_PIXEL int sv_between(int left, int right, int part, int steps) { return left * (steps - part) + right * part; }

/* The grey value between four pixels, two in a row and the two below them, at `right` / 32 of the distance to the right
 * and `down` / 32 of the distance down: exact, rounded to nearest, halves up. */
SV_PIXEL int sv_bilinear(int left, int next, int below, int below_next, int right, int down) {
    return ((32 - down) * sv_between(left, next, right, 32) + down * sv_between(below, below_next, right, 32) + 512) >>
           10;
}

/* The column of the right picture nearest to the match of column `x` at disparity `d`. */
SV_PIXEL int sv_matched_column(int x, float d, int width) { return sv_clamp((int)floorf((float)x - d + 0.5f), width); }

/* The largest ssd cost of a window of n pixels that is not a poor match. Costs are integers in units of 1/steps^2
 * grey^2. `max_cost` is the parameter: mean grey^2, 0: off. */
SV_PIXEL uint32_t sv_cost_limit(float max_cost, int n, int steps) {
    double limit = (double)max_cost * n * (steps * steps);
    return max_cost > 0 && limit < (double)UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

/* 1 / sqrt(n sum i^2 - (sum i)^2), which is 1 / (n sigma) of Fan and Dahnoun, Eq. 6 and 7, for a window of n pixels; 0
 * if the window is flat. The sums are exact; n is at most 63 * 63. */
SV_PIXEL float sv_inverse_deviation(int n, int sum, int64_t sum_of_squares) {
    int64_t variance = n * sum_of_squares - (int64_t)sum * sum;
    return variance > 0 ? 1.0f / sqrtf((float)variance) : 0.0f;
}

/* The same in 32 bits, for windows of at most 363 pixels: the variance is at most (n 255 / 2)^2 < 2^32, and
 * intermediate results may wrap around. */
SV_PIXEL float sv_inverse_deviation_of_few(uint32_t n, uint32_t sum, uint32_t sum_of_squares) {
    const uint32_t variance = n * sum_of_squares - sum * sum;
    return variance > 0 ? 1.0f / sqrtf((float)variance) : 0.0f;
}

/* Fan and Dahnoun, Eq. 8, with numerator and denominator multiplied by n: the correlation of two windows, from the sum
 * of their products and their sums. Meaningless if either inverse deviation is 0. The two inverses are multiplied
 * first, so that exchanging the windows gives the same bits, and the left and right maps agree on a score. */
SV_PIXEL float sv_correlation(int n, int64_t sum_of_products, int left_sum, int right_sum, float left_inverse,
                              float right_inverse) {
    int64_t covariance = n * sum_of_products - (int64_t)left_sum * right_sum;
    return (float)covariance * (left_inverse * right_inverse);
}

/* The same in 32 bits, for windows of at most SV_FEW pixels: n^2 255^2 is then below 2^31. */
enum { SV_FEW = 181 };
SV_PIXEL float sv_correlation_of_few(int n, int sum_of_products, int left_sum, int right_sum, float left_inverse,
                                     float right_inverse) {
    return (float)(n * sum_of_products - left_sum * right_sum) * (left_inverse * right_inverse);
}

/* A correlation as a cost, which is smaller for a better match; and back. */
SV_PIXEL uint32_t sv_cost_of_correlation(float correlation) {
    uint32_t bits;
    memcpy(&bits, &correlation, sizeof bits);
    return bits >> 31 ? bits : bits ^ INT32_MAX;
}
SV_PIXEL float sv_correlation_of_cost(uint32_t cost) {
    const uint32_t bits = cost >> 31 ? cost : cost ^ INT32_MAX;
    float correlation;
    memcpy(&correlation, &bits, sizeof correlation);
    return correlation;
}

/* ---- Scale ------------------------------------------------------------------------------------ */

enum {
    SV_MAX_SCALE = 4,
    SV_SCALE_EDGE = 4 /* grey levels by which a small pixel must be more similar for each step of distance */
};

/* The number of small pixels that cover `size` pixels, `scale` pixels each; the last one may extend beyond the edge. */
SV_PIXEL int sv_reduced(int size, int scale) { return (size + scale - 1) / scale; }

/* The value of a small pixel: the mean of the `scale` x `scale` pixels that it covers, from their sum, halves up. */
SV_PIXEL int sv_area_mean(int sum, int scale) { return (sum + scale * scale / 2) / (scale * scale); }

/* The pixel of a full row or column of `size` pixels that decides whether small pixel `i` is outside a rectified
 * picture. */
SV_PIXEL int sv_middle_pixel(int i, int scale, int size) { return sv_clamp(scale * i + scale / 2, size); }

/* Column (or row) x of the full map lies in small pixel x / scale; this is the second nearest of `size` small pixels,
 * or the same one if there is no other. */
SV_PIXEL int sv_second_nearest(int x, int scale, int size) {
    return sv_clamp(x % scale < scale / 2 ? x / scale - 1 : x / scale + 1, size);
}

/* The weight of the second nearest, in 1 / (2 scale), from the position of the pixel's centre between the two centres.
 */
SV_PIXEL int sv_farther_weight(int x, int scale) {
    const int offset = 2 * (x & (scale - 1)) + 1 - scale;
    return offset < 0 ? -offset : offset;
}

/* Which of four small pixels a pixel takes its disparity and its reason from: the one with the most similar grey value,
 * where nearer ones have an advantage. They are, in this order, the one that contains the pixel, the second nearest in
 * the row, that in the column, and the one diagonally opposite. The first one wins a tie. */
SV_PIXEL int sv_choose_pixel(int grey, int own, int across, int down, int beyond) {
    const int a = 4 * (grey < own ? own - grey : grey - own);
    const int b = 4 * (grey < across ? across - grey : grey - across) + 4 * SV_SCALE_EDGE + 1;
    const int c = 4 * (grey < down ? down - grey : grey - down) + 4 * SV_SCALE_EDGE + 2;
    const int d = 4 * (grey < beyond ? beyond - grey : grey - beyond) + 8 * SV_SCALE_EDGE + 3;
    const int ab = a < b ? a : b, cd = c < d ? c : d;
    return (ab < cd ? ab : cd) & 3;
}

/* The disparity of pixel (x, y) of the full map, from the disparities of these four: the bilinear mean of those on the
 * same surface as number `chosen`, which differ from it by at most one small pixel. In full pixels; +INFINITY if the
 * chosen one has none. */
SV_PIXEL float sv_enlarged(float own, float across, float down, float beyond, int chosen, int x, int y, int scale) {
    float best = own;
    best = chosen == 1 ? across : best;
    best = chosen == 2 ? down : best;
    best = chosen == 3 ? beyond : best;
    /* Weights of the farther ones, in 1 / (2 scale). */
    const int far_x = sv_farther_weight(x, scale), far_y = sv_farther_weight(y, scale);
    const int near_x = 2 * scale - far_x, near_y = 2 * scale - far_y;
    const float a = own - best, b = across - best, c = down - best, d = beyond - best;
    const float wa = fabsf(a) <= 1.0f ? (float)(near_x * near_y) : 0.0f;
    const float wb = fabsf(b) <= 1.0f ? (float)(far_x * near_y) : 0.0f;
    const float wc = fabsf(c) <= 1.0f ? (float)(near_x * far_y) : 0.0f;
    const float wd = fabsf(d) <= 1.0f ? (float)(far_x * far_y) : 0.0f;
    const float sum = (wa > 0.0f ? wa * a : 0.0f) + (wb > 0.0f ? wb * b : 0.0f) + (wc > 0.0f ? wc * c : 0.0f) +
                      (wd > 0.0f ? wd * d : 0.0f);
    const float mean = (float)scale * (best + sum / (wa + wb + wc + wd));
    return best < INFINITY ? mean : INFINITY;
}

/* ---- From the best candidate to a disparity --------------------------------------------------- */

/* The cost and the correlation of a candidate that was not tried. */
#define SV_NO_COST        UINT32_MAX
#define SV_NO_CORRELATION (-INFINITY)

/* Where the parabola through three equally spaced costs has its minimum, relative to the middle one, in -1/2..1/2 of
 * the spacing; 0 if a neighbour was not tried. `best` is not above the others. */
SV_PIXEL float sv_parabola_of_costs(uint32_t before, uint32_t best, uint32_t after) {
    if (before == SV_NO_COST || after == SV_NO_COST) return 0.0f;
    const int64_t curvature = ((int64_t)before - best) + ((int64_t)after - best);
    return curvature > 0 ? 0.5f * (float)((int64_t)before - after) / (float)curvature : 0.0f;
}

/* The same for correlations, where `best` is the largest; a neighbour that was not tried may also be NaN. */
SV_PIXEL float sv_parabola_of_correlations(float before, float best, float after) {
    if (!(before > SV_NO_CORRELATION && after > SV_NO_CORRELATION)) return 0.0f;
    const float curvature = (best - before) + (best - after);
    const float offset = curvature > 0.0f ? 0.5f * (after - before) / curvature : 0.0f;
    return offset < -0.5f ? -0.5f : offset > 0.5f ? 0.5f : offset;
}

/* True if a match is not unique: the best cost is not more than `uniqueness` percent below the second best one, which
 * is that of a candidate that does not neighbour the winner. `uniqueness` 0: off; `second` SV_NO_COST: there is none.
 */
SV_PIXEL bool sv_ambiguous_costs(uint32_t best, uint32_t second, int uniqueness) {
    return uniqueness && second != SV_NO_COST && (int64_t)second * (100 - uniqueness) <= (int64_t)best * 100;
}

/* The same for correlations c, with the cost 1 - c; rounding may make c slightly larger than 1. */
SV_PIXEL bool sv_ambiguous_correlations(float best, float second, int uniqueness) {
    if (!uniqueness || !(second > SV_NO_CORRELATION)) return false;
    const float best_cost = best < 1.0f ? 1.0f - best : 0.0f, second_cost = second < 1.0f ? 1.0f - second : 0.0f;
    return second_cost * (float)(100 - uniqueness) <= best_cost * 100.0f;
}

/* The reason for a winner: SV_POOR_MATCH above `limit` (sv_cost_limit), otherwise SV_AMBIGUOUS or SV_VALID. */
SV_PIXEL int sv_judge_cost(uint32_t cost, uint32_t limit, bool ambiguous) {
    return cost > limit ? SV_POOR_MATCH : ambiguous ? SV_AMBIGUOUS : SV_VALID;
}

/* The same for a correlation, with the parameter min_correlation (-1: off). */
SV_PIXEL int sv_judge_correlation(float correlation, float min_correlation, bool ambiguous) {
    if (min_correlation > -1.0f && correlation < min_correlation) return SV_POOR_MATCH;
    return ambiguous ? SV_AMBIGUOUS : SV_VALID;
}

/* The disparity of candidate `k`, plus `offset` candidates, in pixels. */
SV_PIXEL float sv_disparity(int min_disparity, int k, float offset, int steps) {
    /* steps is 1, 2 or 4, so the product is exact. */
    return ((float)(min_disparity * steps + k) + offset) * (steps == 1 ? 1.0f : steps == 2 ? 0.5f : 0.25f);
}

/* Decides a pixel whose winner is candidate `k`: returns its reason, and writes its disparity, +INFINITY where the
 * reason is not SV_VALID. `before`, `after`: the costs of the winner's neighbours, for the parabola; SV_NO_COST where
 * one was not tried or no parabola is wanted. */
SV_PIXEL int sv_decide_cost(int k, uint32_t before, uint32_t cost, uint32_t after, uint32_t limit, bool ambiguous,
                            int min_disparity, int steps, float *disparity) {
    const int reason = sv_judge_cost(cost, limit, ambiguous);
    const float offset = sv_parabola_of_costs(before, cost, after);
    *disparity = reason == SV_VALID ? sv_disparity(min_disparity, k, offset, steps) : INFINITY;
    return reason;
}

/* The same by correlations, for whole candidates; SV_NO_CORRELATION instead of SV_NO_COST. */
SV_PIXEL int sv_decide_correlation(int k, float before, float correlation, float after, float min_correlation,
                                   bool ambiguous, int min_disparity, float *disparity) {
    const int reason = sv_judge_correlation(correlation, min_correlation, ambiguous);
    const float offset = sv_parabola_of_correlations(before, correlation, after);
    *disparity = reason == SV_VALID ? sv_disparity(min_disparity, k, offset, 1) : INFINITY;
    return reason;
}

#endif
