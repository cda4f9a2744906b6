/* Matching by plain loops, parallel with OpenMP, as the reports describe it for the CPU: every window of every
 * candidate is summed anew.
 *
 * loops_zncc is the C version of Taher's report (its phase 4): both maps, means and deviations of both windows for
 * every candidate, in floats, then the cross-check. loops_ncc is the CPU version of Fan and Dahnoun (2018): serial
 * integral images, sums and deviations kept for every pixel, then row after row with the columns shared among the
 * threads, both maps and the check; its score is that of stereo/pixel.h and its borders are ours, because a row's
 * winners decide where the next row searches. loops_ssd is the sum of squared differences written the same way, left
 * map alone. */
#include "tests/bench/baseline/baseline.h"

#include "stereo/pixel.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES };

typedef struct loops {
    sv_params params;
    int width, height, threads;
    int *winner[SIDES]; /* height x width: disparity, or NONE */
    /* ncc alone. */
    int *seeds;                             /* height x width: what a pixel hands on to the next row, or NONE */
    uint8_t *padded[SIDES];                 /* the pictures, (height + 2 rho) x (width + 2 rho) */
    uint32_t *sums[SIDES], *squares[SIDES]; /* integral images */
    int *window_sum[SIDES];                 /* height x width */
    float *inverse[SIDES];                  /* the same: 1 / (n sigma), 0 where the window is flat */
} loops;

enum { NONE = SV_MIN_DISPARITY - 1 };

static void destroy(void *context) {
    loops *l = context;
    if (!l) return;
    for (int side = 0; side < SIDES; side++) {
        free(l->winner[side]);
        free(l->padded[side]);
        free(l->sums[side]);
        free(l->squares[side]);
        free(l->window_sum[side]);
        free(l->inverse[side]);
    }
    free(l->seeds);
    free(l);
}

static sv_status create(const sv_params *params, const sv_matcher_options *options, void **context, sv_error *error) {
    *context = NULL;
    if (sv_rho_y(params) != params->rho || sv_steps(params) != 1)
        return sv_fail(error, SV_USAGE, "the plain loops have square windows and whole disparities only");
    loops *l = calloc(1, sizeof *l);
    if (!l) return sv_fail(error, SV_FAILED, "out of memory for the plain loops");
    const size_t pixels = (size_t)options->width * (size_t)options->height;
    const size_t integral =
        baseline_integral_stride(options->width, params->rho) * (size_t)(options->height + 2 * params->rho + 1);
    *l = (loops){.params = *params,
                 .width = options->width,
                 .height = options->height,
                 .threads = options->threads ? options->threads : omp_get_max_threads(),
                 .seeds = malloc(pixels * sizeof(int))};
    bool complete = l->seeds;
    for (int side = 0; side < SIDES; side++) {
        l->winner[side] = malloc(pixels * sizeof(int));
        l->padded[side] = malloc(integral);
        l->sums[side] = malloc(integral * sizeof(uint32_t));
        l->squares[side] = malloc(integral * sizeof(uint32_t));
        l->window_sum[side] = malloc(pixels * sizeof(int));
        l->inverse[side] = malloc(pixels * sizeof(float));
        complete = complete && l->winner[side] && l->padded[side] && l->sums[side] && l->squares[side] &&
                   l->window_sum[side] && l->inverse[side];
    }
    if (!complete) {
        destroy(l);
        return sv_fail(error, SV_FAILED, "out of memory for the plain loops");
    }
    /* Rows at the border are never written. */
    for (size_t i = 0; i < pixels; i++) l->winner[LEFT][i] = l->winner[RIGHT][i] = NONE;
    *context = l;
    return SV_OK;
}

/* Writes the left map; with the left-right check, without the pixels that fail it. */
static void write_map(const loops *l, float *disparity) {
    const int limit = l->params.left_right_check;
#pragma omp parallel for num_threads(l->threads)
    for (int y = 0; y < l->height; y++) {
        const size_t row = (size_t)y * (size_t)l->width;
        for (int x = 0; x < l->width; x++) {
            const int d = l->winner[LEFT][row + (size_t)x];
            bool valid = d != NONE;
            if (valid && limit >= 0) {
                const int back = l->winner[RIGHT][row + (size_t)(x - d)];
                valid = back != NONE && abs(back - d) <= limit;
            }
            disparity[row + (size_t)x] = valid ? (float)d : INFINITY;
        }
    }
}

/* ---- Sum of squared differences ---------------------------------------------------------------- */

static sv_status run_ssd(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    loops *l = context;
    const sv_params *p = &l->params;
    const int rho = p->rho, width = l->width, height = l->height;
    if (p->left_right_check >= 0) return sv_fail(error, SV_USAGE, "the plain loops of ssd make the left map alone");
    const double start = sv_seconds();
#pragma omp parallel for num_threads(l->threads)
    for (int y = rho; y < height - rho; y++)
        for (int x = rho; x < width - rho; x++) {
            int winner = NONE, least = 0;
            for (int d = p->min_disparity; d <= p->max_disparity; d++) {
                if (x - d < rho || x - d >= width - rho) continue;
                int cost = 0;
                for (int j = -rho; j <= rho; j++) {
                    const uint8_t *left = (uint8_t *)sv_row(&pair->left, y + j) + x;
                    const uint8_t *right = (uint8_t *)sv_row(&pair->right, y + j) + x - d;
                    for (int i = -rho; i <= rho; i++) cost += (left[i] - right[i]) * (left[i] - right[i]);
                }
                if (winner == NONE || cost < least) {
                    winner = d;
                    least = cost;
                }
            }
            l->winner[LEFT][(size_t)y * (size_t)width + (size_t)x] = winner;
        }
    *ms = (float)(1e3 * (sv_seconds() - start));
    if (disparity) {
        write_map(l, disparity);
        baseline_blank_border(p, width, height, disparity);
    }
    return SV_OK;
}

/* ---- Taher's zero-mean correlation ------------------------------------------------------------- */

static float window_mean(const sv_image *image, int x, int y, int rho) {
    float sum = 0;
    for (int j = -rho; j <= rho; j++) {
        const uint8_t *row = (uint8_t *)sv_row(image, y + j) + x;
        for (int i = -rho; i <= rho; i++) sum += row[i];
    }
    return sum / (float)((2 * rho + 1) * (2 * rho + 1));
}

static float zncc(const sv_image *own, const sv_image *other, int x, int match, int y, int rho, float own_mean) {
    const float other_mean = window_mean(other, match, y, rho);
    float products = 0, own_squares = 0, other_squares = 0;
    for (int j = -rho; j <= rho; j++) {
        const uint8_t *a = (uint8_t *)sv_row(own, y + j) + x, *b = (uint8_t *)sv_row(other, y + j) + match;
        for (int i = -rho; i <= rho; i++) {
            const float own_difference = a[i] - own_mean, other_difference = b[i] - other_mean;
            products += own_difference * other_difference;
            own_squares += own_difference * own_difference;
            other_squares += other_difference * other_difference;
        }
    }
    const float deviations = sqrtf(own_squares) * sqrtf(other_squares);
    return deviations > 0 ? products / deviations : 0;
}

static void match_zncc(const loops *l, const sv_pair *pair, int side) {
    const sv_params *p = &l->params;
    const int rho = p->rho, width = l->width;
    const sv_image *own = side == LEFT ? &pair->left : &pair->right, *other = side == LEFT ? &pair->right : &pair->left;
#pragma omp parallel for num_threads(l->threads)
    for (int y = rho; y < l->height - rho; y++)
        for (int x = rho; x < width - rho; x++) {
            const float mean = window_mean(own, x, y, rho);
            float most = -2;
            int winner = NONE;
            for (int d = p->min_disparity; d <= p->max_disparity; d++) {
                const int match = side == LEFT ? x - d : x + d;
                if (match < rho || match >= width - rho) continue;
                const float score = zncc(own, other, x, match, y, rho, mean);
                if (score > most) {
                    most = score;
                    winner = d;
                }
            }
            l->winner[side][(size_t)y * (size_t)width + (size_t)x] = winner;
        }
}

/* Without its weighted median, filling and averaging, which take little time in the report. */
static sv_status run_zncc(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    (void)error;
    loops *l = context;
    const double start = sv_seconds();
    match_zncc(l, pair, LEFT);
    match_zncc(l, pair, RIGHT);
    *ms = (float)(1e3 * (sv_seconds() - start));
    if (disparity) {
        write_map(l, disparity);
        baseline_blank_border(&l->params, l->width, l->height, disparity);
    }
    return SV_OK;
}

/* ---- Fan and Dahnoun's propagated correlation --------------------------------------------------- */

static void measure_windows(const loops *l, const sv_image *image, int side) {
    const int rho = l->params.rho, size = 2 * rho + 1, width = l->width;
    const int stride = (int)baseline_integral_stride(width, rho);
    baseline_integral(image, rho, l->sums[side], l->squares[side]);
    for (int y = 0; y < l->height + 2 * rho; y++) {
        const uint8_t *row = sv_row(image, sv_clamp(y - rho, l->height));
        uint8_t *to = l->padded[side] + y * (width + 2 * rho);
        for (int x = 0; x < width + 2 * rho; x++) to[x] = row[sv_clamp(x - rho, width)];
    }
#pragma omp parallel for num_threads(l->threads)
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < width; x++) {
            const uint32_t *s = l->sums[side] + y * stride + x, *q = l->squares[side] + y * stride + x;
            const int below = size * stride, i = y * width + x;
            const uint32_t sum = s[below + size] - s[size] - s[below] + s[0];
            const uint32_t squares = q[below + size] - q[size] - q[below] + q[0];
            l->window_sum[side][i] = (int)sum;
            l->inverse[side][i] = sv_inverse_deviation(size * size, (int)sum, squares);
        }
}

/* Keeps disparity `d` of (x, y) if its score is better than `most`, or equal with a smaller disparity. */
static void consider(const loops *l, int side, int x, int y, int d, int *best, float *most) {
    const int rho = l->params.rho, pixels = (2 * rho + 1) * (2 * rho + 1), width = l->width;
    const int xl = side == LEFT ? x : x + d, xr = side == LEFT ? x - d : x;
    if (d < l->params.min_disparity || d > l->params.max_disparity) return;
    if (xl < 0 || xl >= width || xr < 0 || xr >= width) return;
    const int left = y * width + xl, right = y * width + xr;
    if (l->inverse[LEFT][left] == 0 || l->inverse[RIGHT][right] == 0) return;
    int products = 0;
    const int stride = width + 2 * rho;
    const uint8_t *a = l->padded[LEFT] + y * stride + xl, *b = l->padded[RIGHT] + y * stride + xr;
    for (int j = 0; j <= 2 * rho; j++)
        for (int i = 0; i <= 2 * rho; i++) products += a[j * stride + i] * b[j * stride + i];
    const float score = sv_correlation(pixels, products, l->window_sum[LEFT][left], l->window_sum[RIGHT][right],
                                       l->inverse[LEFT][left], l->inverse[RIGHT][right]);
    if (*best == NONE || score > *most || (score == *most && d < *best)) {
        *best = d;
        *most = score;
    }
}

/* Row y after row `before`, which is -1 for a search over the full range. */
static void match_row(const loops *l, int side, int y, int before) {
    const int width = l->width, tau = l->params.tau;
#pragma omp parallel for num_threads(l->threads)
    for (int x = 0; x < width; x++) {
        int best = NONE, seeds[3], count = 0;
        float most = 0;
        for (int u = x - 1; before >= 0 && u <= x + 1; u++)
            if (u >= 0 && u < width && l->seeds[before * width + u] != NONE)
                seeds[count++] = l->seeds[before * width + u];
        /* The union of the seeds' ranges: each without what earlier ones have covered. */
        for (int n = 0; n < count; n++)
            for (int d = seeds[n] - tau; d <= seeds[n] + tau; d++) {
                bool covered = false;
                for (int m = 0; m < n; m++) covered = covered || abs(d - seeds[m]) <= tau;
                if (!covered) consider(l, side, x, y, d, &best, &most);
            }
        for (int d = l->params.min_disparity; !count && d <= l->params.max_disparity; d++)
            consider(l, side, x, y, d, &best, &most);
        l->winner[side][y * width + x] = best;
        l->seeds[y * width + x] = best == NONE && before >= 0 ? l->seeds[before * width + x] : best;
    }
}

static sv_status run_ncc(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    loops *l = context;
    const int start = l->height - l->params.rho - 2 > 0 ? l->height - l->params.rho - 2 : 0;
    if (l->params.reseed) return sv_fail(error, SV_USAGE, "the plain loops of ncc do not reseed");
    const double begin = sv_seconds();
    measure_windows(l, &pair->left, LEFT);
    measure_windows(l, &pair->right, RIGHT);
    for (int side = 0; side < SIDES; side++) {
        match_row(l, side, start, -1);
        for (int y = start - 1; y >= 0; y--) match_row(l, side, y, y + 1);
        for (int y = start + 1; y < l->height; y++) match_row(l, side, y, y - 1);
    }
    *ms = (float)(1e3 * (sv_seconds() - begin));
    if (disparity) write_map(l, disparity);
    return SV_OK;
}

const baseline loops_ssd = {"plain loops", &sv_cpu, SV_SSD, 0, create, run_ssd, destroy};
const baseline loops_ncc = {"plain loops", &sv_cpu, SV_NCC, 0, create, run_ncc, destroy};
const baseline loops_zncc = {"plain loops", &sv_cpu, SV_ZNCC, 0.001, create, run_zncc, destroy};
