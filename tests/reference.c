/* The definitions of the maps, written out pixel by pixel from the papers (Stam 2008; Fan and Dahnoun
 * 2018): every window is summed afresh. Sums are exact, and where a quantity is a float each of its
 * roundings is written as a cast, so that the backends can be compared with it bit by bit. */
#include "tests/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct maps {
    const sv_pair *pair;
    const sv_params *params;
    int width, height, rho, rho_y, count;
    double step;    /* between candidates, pixels */
    int *winner[2]; /* left, right map: candidate or -1 */
    float *disparity;
    uint8_t *reason;
} maps;

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* The grey value at (x, y), which may lie outside. */
static int grey(const sv_image *image, int x, int y) {
    return ((const uint8_t *)sv_row(image, clamp(y, 0, image->height - 1)))[clamp(x, 0, image->width - 1)];
}

static double disparity_of(const maps *m, int k) { return m->params->min_disparity + k * m->step; }

/* Where the match of column x of the left map, or of the right one, lies in the other picture. */
static double other_column(const maps *m, int right, int x, int k) {
    return right ? x + disparity_of(m, k) : x - disparity_of(m, k);
}

static int tried(const maps *m, int right, int x, int k) {
    const double column = other_column(m, right, x, k);
    return k >= 0 && k < m->count && column >= 0 && column <= m->width - 1;
}

/* ---- Sum of squared differences ---------------------------------------------------------------- */

/* grey^2; a multiple of 1/16, hence exact. */
static double ssd(const maps *m, int right, int x, int y, int k) {
    const sv_image *own = right ? &m->pair->right : &m->pair->left, *other = right ? &m->pair->left : &m->pair->right;
    double sum = 0;
    for (int j = -m->rho_y; j <= m->rho_y; j++) {
        for (int i = -m->rho; i <= m->rho; i++) {
            const double column = other_column(m, right, x + i, k), whole = floor(column), part = column - whole;
            const double value =
                (1 - part) * grey(other, (int)whole, y + j) + part * grey(other, (int)whole + 1, y + j);
            const double difference = grey(own, x + i, y + j) - value;
            sum += difference * difference;
        }
    }
    return sum;
}

static void match_ssd(const maps *m) {
    const sv_params *params = m->params;
    const int pixels = (2 * m->rho + 1) * (2 * m->rho_y + 1);
    double *costs = malloc(sizeof *costs * (size_t)m->count);
    for (int right = 0; right < 2; right++) {
        for (int i = 0; i < m->width * m->height; i++) {
            const int x = i % m->width, y = i / m->width;
            int best = -1;
            for (int k = 0; k < m->count; k++) {
                if (!tried(m, right, x, k)) continue;
                costs[k] = ssd(m, right, x, y, k);
                if (best < 0 || costs[k] < costs[best]) best = k;
            }
            m->winner[right][i] = best;
            if (right) continue;
            float offset = 0;
            m->disparity[i] = INFINITY;
            if (best < 0) {
                m->reason[i] = SV_BORDER;
            } else if (params->max_cost > 0 && costs[best] > (double)params->max_cost * pixels) {
                m->reason[i] = SV_POOR_MATCH;
            } else {
                if (params->subpixel && tried(m, 0, x, best - 1) && tried(m, 0, x, best + 1)) {
                    /* In units of step^2 the costs are whole numbers. */
                    const double unit = m->step * m->step;
                    const double slope = (costs[best - 1] - costs[best + 1]) / unit;
                    const double curvature = (costs[best - 1] - 2 * costs[best] + costs[best + 1]) / unit;
                    if (curvature > 0) offset = (float)(0.5f * (float)slope) / (float)curvature;
                }
                const float steps = (float)(1 / m->step);
                m->disparity[i] = (float)((float)(params->min_disparity * steps + (float)best) + offset) / steps;
                m->reason[i] = SV_VALID;
            }
        }
    }
    free(costs);
}

/* ---- Normalised cross-correlation --------------------------------------------------------------- */

/* Sum over the window about (x, y), of the values if `power` is 1, of their squares if it is 2. */
static int64_t window_sum(const maps *m, const sv_image *image, int x, int y, int power) {
    int64_t sum = 0;
    for (int j = -m->rho_y; j <= m->rho_y; j++)
        for (int i = -m->rho; i <= m->rho; i++) {
            const int value = grey(image, x + i, y + j);
            sum += power == 1 ? value : value * value;
        }
    return sum;
}

/* n^2 times the variance of a window of n pixels, which is a whole number. */
static int64_t variance(const maps *m, const sv_image *image, int x, int y) {
    const int64_t pixels = (2 * m->rho + 1) * (2 * m->rho_y + 1), sum = window_sum(m, image, x, y, 1);
    return pixels * window_sum(m, image, x, y, 2) - sum * sum;
}

static int textured(const maps *m, int right, int x, int y) {
    return variance(m, right ? &m->pair->right : &m->pair->left, x, y) > 0;
}

/* Candidates are whole pixels here. */
static float correlation(const maps *m, int right, int x, int y, int k) {
    const sv_image *left = &m->pair->left, *other = &m->pair->right;
    const int disparity = m->params->min_disparity + k, xl = right ? x + disparity : x, xr = right ? x : x - disparity;
    const int64_t pixels = (2 * m->rho + 1) * (2 * m->rho_y + 1);
    int64_t products = 0;
    for (int j = -m->rho_y; j <= m->rho_y; j++)
        for (int i = -m->rho; i <= m->rho; i++) products += grey(left, xl + i, y + j) * grey(other, xr + i, y + j);
    const int64_t covariance = pixels * products - window_sum(m, left, xl, y, 1) * window_sum(m, other, xr, y, 1);
    const float left_inverse = 1.0f / (float)sqrtf((float)variance(m, left, xl, y));
    const float right_inverse = 1.0f / (float)sqrtf((float)variance(m, other, xr, y));
    const float inverse = (float)(left_inverse * right_inverse);
    return (float)((float)covariance * inverse);
}

/* True if candidate k may be scored at a pixel that has texture itself. */
static int admissible(const maps *m, int right, int x, int y, int k) {
    return tried(m, right, x, k) && textured(m, !right, (int)other_column(m, right, x, k), y);
}

static float correlation_peak(const maps *m, int x, int y, int best, float score) {
    if (!admissible(m, 0, x, y, best - 1) || !admissible(m, 0, x, y, best + 1)) return 0;
    const float below = correlation(m, 0, x, y, best - 1), above = correlation(m, 0, x, y, best + 1);
    const float curvature = (float)((float)(score - below) + (float)(score - above));
    if (!(curvature > 0)) return 0;
    const float offset = (float)(0.5f * (float)(above - below)) / curvature;
    return offset < -0.5f ? -0.5f : offset > 0.5f ? 0.5f : offset;
}

/* Row y; `before` is the row that was matched before it, or -1. `seeds`: height x width, what every pixel
 * hands on. */
static void match_ncc_row(const maps *m, int right, int y, int before, int *seeds) {
    const sv_params *params = m->params;
    for (int x = 0; x < m->width; x++) {
        const int i = y * m->width + x;
        int any = 0, inside = 0, best = -1;
        float score = 0;
        for (int u = x - 1; u <= x + 1; u++)
            any |= before >= 0 && u >= 0 && u < m->width && seeds[before * m->width + u] >= 0;
        for (int k = 0; k < m->count; k++) {
            int near = !any;
            for (int u = x - 1; any && u <= x + 1; u++) {
                const int seed = u >= 0 && u < m->width ? seeds[before * m->width + u] : -1;
                near |= seed >= 0 && abs(k - seed) <= params->tau;
            }
            if (!near || !tried(m, right, x, k)) continue;
            inside = 1;
            if (!textured(m, right, x, y) || !admissible(m, right, x, y, k)) continue;
            const float c = correlation(m, right, x, y, k);
            if (best < 0 || c > score) {
                best = k;
                score = c;
            }
        }
        m->winner[right][i] = best;
        seeds[i] = best < 0 && before >= 0 ? seeds[before * m->width + x] : best;
        if (right) continue;
        m->disparity[i] = INFINITY;
        if (best < 0) {
            /* A flat pixel is flat wherever its candidates lie. */
            m->reason[i] = inside || !textured(m, 0, x, y) ? SV_NO_TEXTURE : SV_BORDER;
        } else if (params->min_correlation > -1 && score < params->min_correlation) {
            m->reason[i] = SV_POOR_MATCH;
        } else {
            const float offset = params->subpixel ? correlation_peak(m, x, y, best, score) : 0;
            m->disparity[i] = (float)(params->min_disparity + best) + offset;
            m->reason[i] = SV_VALID;
        }
    }
}

static void match_ncc(const maps *m) {
    int *seeds = malloc(sizeof *seeds * (size_t)(m->width * m->height));
    const int start = m->height - m->rho_y - 2 > 0 ? m->height - m->rho_y - 2 : 0;
    for (int right = 0; right < 2; right++) {
        match_ncc_row(m, right, start, -1, seeds);
        for (int y = start - 1; y >= 0; y--) match_ncc_row(m, right, y, y + 1, seeds);
        for (int y = start + 1; y < m->height; y++) match_ncc_row(m, right, y, y - 1, seeds);
    }
    free(seeds);
}

/* ---- Refinement --------------------------------------------------------------------------------- */

static void check_left_right(const maps *m) {
    for (int i = 0; i < m->width * m->height; i++) {
        if (m->reason[i] != SV_VALID) continue;
        const int k = m->winner[0][i], x = i % m->width;
        const int match = (int)floor(other_column(m, 0, x, k) + 0.5);
        const int back = match >= 0 && match < m->width ? m->winner[1][i - x + match] : -1;
        if (back >= 0 && fabs(disparity_of(m, back) - disparity_of(m, k)) <= m->params->left_right_check) continue;
        m->disparity[i] = INFINITY;
        m->reason[i] = SV_LEFT_RIGHT_CONFLICT;
    }
}

static int compare_floats(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void filter_median(const maps *m) {
    const int radius = m->params->median / 2;
    const size_t bytes = sizeof(float) * (size_t)(m->width * m->height);
    float *before = malloc(bytes), values[25];
    memcpy(before, m->disparity, bytes);
    for (int i = 0; i < m->width * m->height; i++) {
        if (isinf(before[i])) continue;
        size_t count = 0;
        for (int y = i / m->width - radius; y <= i / m->width + radius; y++)
            for (int x = i % m->width - radius; x <= i % m->width + radius; x++)
                if (x >= 0 && x < m->width && y >= 0 && y < m->height && !isinf(before[y * m->width + x]))
                    values[count++] = before[y * m->width + x];
        qsort(values, count, sizeof *values, compare_floats);
        m->disparity[i] = values[(count - 1) / 2];
    }
    free(before);
}

void reference_match(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason) {
    const int steps = params->method == SV_SSD ? params->steps : 1;
    const size_t bytes = sizeof(int) * (size_t)(pair->left.width * pair->left.height);
    const maps m = {
        .pair = pair,
        .params = params,
        .width = pair->left.width,
        .height = pair->left.height,
        .rho = params->rho,
        .rho_y = params->rho_y < 0 ? params->rho : params->rho_y,
        .count = (params->max_disparity - params->min_disparity) * steps + 1,
        .step = 1.0 / steps,
        .winner = {malloc(bytes), malloc(bytes)},
        .disparity = disparity,
        .reason = reason,
    };
    if (params->method == SV_SSD)
        match_ssd(&m);
    else
        match_ncc(&m);
    if (params->left_right_check >= 0) check_left_right(&m);
    if (params->median) filter_median(&m);
    free(m.winner[0]);
    free(m.winner[1]);
}
