/* The definitions of the disparity maps, written pixel by pixel from the papers (Stam 2008; Fan and Dahnoun 2018;
 * Taher; Hirschmueller 2008, with the differences that cpu/sgm.c names). Every window is summed anew. Sums are exact,
 * and each rounding of a float is written as a cast, so that the backends can be compared bit by bit. */
#include "tests/support/reference.h"
#include "tests/support/reference_confidence.h"
#include "tests/support/reference_filters.h"
#include "tests/support/reference_refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct maps {
    const sv_pair *pair;
    const sv_params *params;
    int width, height, rho, rho_y, count;
    double step;                   /* between candidates, pixels */
    int64_t *sum[2], *variance[2]; /* left, right picture: of the window about each pixel; n^2 times the latter */
    int *winner[2];                /* left, right map: candidate or -1 */
    double *best, *second;         /* of sgm, left map: the least sum, and that of those not beside it */
    float *disparity;
    uint8_t *reason;
} maps;

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* The grey value at (x, y), which may lie outside. */
static int grey(const sv_image *image, int x, int y) {
    return ((const uint8_t *)sv_row(image, clamp(y, 0, image->height - 1)))[clamp(x, 0, image->width - 1)];
}

static double disparity_of(const maps *m, int k) { return m->params->min_disparity + k * m->step; }

/* The position in the other picture of the match of column x of the left or the right map. */
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

/* The least cost of the candidates that do not neighbour the best one. `costs`: of the candidates that were compared,
 * infinity for the others. */
static double second_least(const maps *m, const double *costs, int best) {
    double second = INFINITY;
    for (int k = 0; k < m->count; k++)
        if (fabs(disparity_of(m, k) - disparity_of(m, best)) > 1 && costs[k] < second) second = costs[k];
    return second;
}

/* True if one of these costs nearly as little as the best. */
static int ambiguous(const maps *m, const double *costs, int best) {
    const double second = second_least(m, costs, best);
    return m->params->uniqueness > 0 && !isinf(second) && second * (100 - m->params->uniqueness) <= costs[best] * 100;
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
                costs[k] = INFINITY;
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
            } else if (ambiguous(m, costs, best)) {
                m->reason[i] = SV_AMBIGUOUS;
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

static void measure_windows(const maps *m) {
    const int64_t pixels = (2 * m->rho + 1) * (2 * m->rho_y + 1);
    for (int i = 0; i < m->width * m->height; i++)
        for (int right = 0; right < 2; right++) {
            const sv_image *image = right ? &m->pair->right : &m->pair->left;
            const int64_t sum = window_sum(m, image, i % m->width, i / m->width, 1);
            m->sum[right][i] = sum;
            m->variance[right][i] = pixels * window_sum(m, image, i % m->width, i / m->width, 2) - sum * sum;
        }
}

static int textured(const maps *m, int right, int x, int y) { return m->variance[right][y * m->width + x] > 0; }

/* Candidates are whole pixels here. */
static float correlation(const maps *m, int right, int x, int y, int k) {
    const sv_image *left = &m->pair->left, *other = &m->pair->right;
    const int disparity = m->params->min_disparity + k, xl = right ? x + disparity : x, xr = right ? x : x - disparity;
    const int64_t pixels = (2 * m->rho + 1) * (2 * m->rho_y + 1);
    int64_t products = 0;
    for (int j = -m->rho_y; j <= m->rho_y; j++)
        for (int i = -m->rho; i <= m->rho; i++) products += grey(left, xl + i, y + j) * grey(other, xr + i, y + j);
    const int l = y * m->width + xl, r = y * m->width + xr;
    const int64_t covariance = pixels * products - m->sum[0][l] * m->sum[1][r];
    const float left_inverse = 1.0f / (float)sqrtf((float)m->variance[0][l]);
    const float right_inverse = 1.0f / (float)sqrtf((float)m->variance[1][r]);
    const float inverse = (float)(left_inverse * right_inverse);
    return (float)((float)covariance * inverse);
}

/* True if candidate k has a score at a pixel that has texture. */
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

/* As `ambiguous`, for correlations. `scores` are NAN for candidates that were not compared. */
static int ambiguous_correlation(const maps *m, const float *scores, int best) {
    float second = -INFINITY;
    for (int k = 0; k < m->count; k++)
        if (abs(k - best) > 1 && scores[k] > second) second = scores[k];
    const float cost = fmaxf(0, (float)(1.0f - scores[best])), second_cost = fmaxf(0, (float)(1.0f - second));
    return m->params->uniqueness > 0 && !isinf(second) &&
           (float)(second_cost * (float)(100 - m->params->uniqueness)) <= (float)(cost * 100.0f);
}

/* Decides a pixel from the candidates that are to be tried, those with `set`[k]. `scores`: count. */
static void match_correlation(const maps *m, int right, int x, int y, const char *set, float *scores) {
    const sv_params *params = m->params;
    const int i = y * m->width + x;
    int inside = 0, best = -1;
    for (int k = 0; k < m->count; k++) {
        scores[k] = NAN;
        if (!set[k] || !tried(m, right, x, k)) continue;
        inside = 1;
        if (!textured(m, right, x, y) || !admissible(m, right, x, y, k)) continue;
        scores[k] = correlation(m, right, x, y, k);
        if (best < 0 || scores[k] > scores[best]) best = k;
    }
    m->winner[right][i] = best;
    if (right) return;
    m->disparity[i] = INFINITY;
    if (best < 0) {
        /* A flat pixel is flat wherever its candidates lie. */
        m->reason[i] = inside || !textured(m, 0, x, y) ? SV_NO_TEXTURE : SV_BORDER;
    } else if (params->min_correlation > -1 && scores[best] < params->min_correlation) {
        m->reason[i] = SV_POOR_MATCH;
    } else if (ambiguous_correlation(m, scores, best)) {
        m->reason[i] = SV_AMBIGUOUS;
    } else {
        const float offset = params->subpixel ? correlation_peak(m, x, y, best, scores[best]) : 0;
        m->disparity[i] = (float)(params->min_disparity + best) + offset;
        m->reason[i] = SV_VALID;
    }
}

static void match_zncc(const maps *m) {
    char *set = malloc((size_t)m->count);
    float *scores = malloc(sizeof *scores * (size_t)m->count);
    memset(set, 1, (size_t)m->count);
    for (int right = 0; right < 2; right++)
        for (int i = 0; i < m->width * m->height; i++)
            match_correlation(m, right, i % m->width, i / m->width, set, scores);
    free(set);
    free(scores);
}

/* Row y; `before` is the row that was matched before it, or -1 if it is searched over the full range.
 * `seeds`: height x width, the seed that every pixel passes on. */
static void match_ncc_row(const maps *m, int right, int y, int before, int *seeds) {
    char *set = malloc((size_t)m->count);
    float *scores = malloc(sizeof *scores * (size_t)m->count);
    for (int x = 0; x < m->width; x++) {
        const int i = y * m->width + x;
        int any = 0;
        for (int u = x - 1; u <= x + 1; u++)
            any |= before >= 0 && u >= 0 && u < m->width && seeds[before * m->width + u] >= 0;
        for (int k = 0; k < m->count; k++) {
            set[k] = !any;
            for (int u = x - 1; any && u <= x + 1; u++) {
                const int seed = u >= 0 && u < m->width ? seeds[before * m->width + u] : -1;
                set[k] |= seed >= 0 && abs(k - seed) <= m->params->tau;
            }
        }
        match_correlation(m, right, x, y, set, scores);
        const int best = m->winner[right][i];
        seeds[i] = best < 0 && before >= 0 ? seeds[before * m->width + x] : best;
    }
    free(set);
    free(scores);
}

static void match_ncc(const maps *m) {
    int *seeds = malloc(sizeof *seeds * (size_t)(m->width * m->height));
    const int start = m->height - m->rho_y - 2 > 0 ? m->height - m->rho_y - 2 : 0, every = m->params->reseed;
    for (int right = 0; right < 2; right++) {
        match_ncc_row(m, right, start, -1, seeds);
        for (int y = start - 1; y >= 0; y--)
            match_ncc_row(m, right, y, every && (start - y) % every == 0 ? -1 : y + 1, seeds);
        for (int y = start + 1; y < m->height; y++)
            match_ncc_row(m, right, y, every && (y - start) % every == 0 ? -1 : y - 1, seeds);
    }
    free(seeds);
}

/* ---- Semi-global matching ------------------------------------------------------------------------ */

/* The mismatch of the left pixel (x, y) and its match, both clamped to the picture; 16 if k is not tried there. */
static int mismatch(const maps *m, int x, int y, int k) {
    static const int of_bits[] = {0, 7, 13, 16}, of_gradient[] = {0, 1, 3, 4, 6, 7, 8, 10, 11};
    const sv_image *left = &m->pair->left, *right = &m->pair->right;
    const int distance = m->params->census / 2;
    int bits = 0;
    x = clamp(x, 0, m->width - 1);
    y = clamp(y, 0, m->height - 1);
    if (!tried(m, 0, x, k)) return 16;
    const int match = (int)other_column(m, 0, x, k);
    for (int j = -distance; j <= distance; j += distance)
        for (int i = -distance; i <= distance; i += distance)
            bits += (grey(left, x + i, y + j) < grey(left, x, y)) !=
                    (grey(right, match + i, y + j) < grey(right, match, y));
    const int left_gradient = clamp(grey(left, x, y + 1) - grey(left, x, y - 1), -127, 127);
    const int right_gradient = clamp(grey(right, match, y + 1) - grey(right, match, y - 1), -127, 127);
    return of_bits[bits < 3 ? bits : 3] + of_gradient[clamp(abs(left_gradient - right_gradient), 0, 8)];
}

/* Path costs of a pixel from those of the pixel before it, which differs from it by `step` grey levels. */
static void follow(const maps *m, const int *before, int step, const int *costs, int *path) {
    const int p1 = m->params->p1, numerator = 8 * m->params->p2, denominator = 8 + step;
    int p2 = (numerator + denominator / 2) / denominator, least = before[0];
    if (p2 <= p1) p2 = p1 + 1;
    for (int k = 1; k < m->count; k++)
        if (before[k] < least) least = before[k];
    for (int k = 0; k < m->count; k++) {
        int way = least + p2;
        if (before[k] < way) way = before[k];
        if (k > 0 && before[k - 1] + p1 < way) way = before[k - 1] + p1;
        if (k < m->count - 1 && before[k + 1] + p1 < way) way = before[k + 1] + p1;
        path[k] = costs[k] + way - least;
    }
}

/* The sums of the paths, height x width x count; the caller frees them. */
static int *sum_paths(const maps *m) {
    static const int directions[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const size_t count = (size_t)m->count, pixels = (size_t)m->width * (size_t)m->height;
    int *costs = malloc(sizeof *costs * pixels * count), *path = malloc(sizeof *path * pixels * count);
    int *sums = calloc(pixels * count, sizeof *sums);
    for (size_t i = 0; i < pixels; i++)
        for (int k = 0; k < m->count; k++) {
            const int x = (int)i % m->width, y = (int)i / m->width;
            int sum = 0;
            for (int n = 0; n < 9; n++) /* of the pixels about it, those beyond the edge being those at the edge */
                sum += mismatch(m, x + n % 3 - 1, y + n / 3 - 1, k);
            costs[i * count + (size_t)k] = (int)floor(sum / 32.0 + 0.5);
        }
    for (int n = 0; n < 4; n++) {
        const int dx = directions[n][0], dy = directions[n][1];
        for (size_t j = 0; j < pixels; j++) {
            /* Rows and pixels of a row in the order of the path. */
            const int down = (int)j / m->width, along = (int)j % m->width;
            const int x = dx < 0 ? m->width - 1 - along : along, y = dy < 0 ? m->height - 1 - down : down;
            const int from_x = x - dx, from_y = y - dy;
            const size_t at = (size_t)(y * m->width + x) * count, from = (size_t)(from_y * m->width + from_x) * count;
            if (from_x < 0 || from_x >= m->width || from_y < 0 || from_y >= m->height)
                memcpy(path + at, costs + at, sizeof *path * count);
            else
                follow(m, path + from, abs(grey(&m->pair->left, x, y) - grey(&m->pair->left, from_x, from_y)),
                       costs + at, path + at);
            for (size_t k = 0; k < count; k++) sums[at + k] += path[at + k];
        }
    }
    free(costs);
    free(path);
    return sums;
}

static void match_sgm(const maps *m) {
    int *sums = sum_paths(m);
    double *costs = malloc(sizeof *costs * (size_t)m->count);
    for (int right = 0; right < 2; right++) {
        for (int i = 0; i < m->width * m->height; i++) {
            const int x = i % m->width;
            int best = -1;
            for (int k = 0; k < m->count; k++) {
                costs[k] = INFINITY;
                if (!tried(m, right, x, k)) continue;
                /* The right picture's candidates are those of the left pixels that they match. */
                const int left = right ? i - x + (int)other_column(m, 1, x, k) : i;
                costs[k] = sums[(size_t)left * (size_t)m->count + (size_t)k];
                if (best < 0 || costs[k] < costs[best]) best = k;
            }
            m->winner[right][i] = best;
            if (right) continue;
            m->best[i] = best < 0 ? INFINITY : costs[best];
            m->second[i] = best < 0 ? INFINITY : second_least(m, costs, best);
            m->disparity[i] = INFINITY;
            m->reason[i] = best < 0 ? SV_BORDER : ambiguous(m, costs, best) ? SV_AMBIGUOUS : SV_VALID;
            if (m->reason[i] != SV_VALID) continue;
            float offset = 0;
            if (m->params->subpixel && tried(m, 0, x, best - 1) && tried(m, 0, x, best + 1)) {
                const float before = (float)(costs[best - 1] - costs[best]),
                            after = (float)(costs[best + 1] - costs[best]);
                if (before > 0 || after > 0) offset = (float)(0.5f * (before - after)) / fmaxf(before, after);
            }
            m->disparity[i] = (float)(m->params->min_disparity + best) + offset;
            m->reason[i] = SV_VALID;
        }
    }
    free(costs);
    free(sums);
}

/* ---- Left-right check --------------------------------------------------------------------------- */

/* `confirmed` receives whether the right map has the same candidate, where the reason was SV_VALID. */
static void check_left_right(const maps *m, uint8_t *confirmed) {
    for (int i = 0; i < m->width * m->height; i++) {
        if (m->reason[i] != SV_VALID) continue;
        const int k = m->winner[0][i], x = i % m->width;
        const int match = (int)floor(other_column(m, 0, x, k) + 0.5);
        const int back = match >= 0 && match < m->width ? m->winner[1][i - x + match] : -1;
        confirmed[i] = back == k;
        if (back >= 0 && fabs(disparity_of(m, back) - disparity_of(m, k)) <= m->params->left_right_check) continue;
        m->disparity[i] = INFINITY;
        m->reason[i] = SV_LEFT_RIGHT_CONFLICT;
    }
}

/* ---- Scale -------------------------------------------------------------------------------------- */

/* Each pixel is the mean of scale x scale of the picture's, which goes on beyond its edges. */
static sv_image reduce(const sv_image *from, int scale) {
    const int width = (int)ceil((double)from->width / scale), height = (int)ceil((double)from->height / scale);
    sv_image to = {malloc((size_t)(width * height)), (size_t)width, width, height, SV_GREY8, SV_HOST};
    for (int i = 0; i < width * height; i++) {
        double sum = 0;
        for (int j = 0; j < scale * scale; j++)
            sum += grey(from, i % width * scale + j % scale, i / width * scale + j / scale);
        ((uint8_t *)to.data)[i] = (uint8_t)floor(sum / (scale * scale) + 0.5);
    }
    return to;
}

/* The full map at (x, y) from the small one. Of the four small pixels whose centres are nearest, a pixel belongs to the
 * one that is most like it, where every step away from its own costs 4 grey levels. It takes the bilinear mean of those
 * that are within a pixel of that one. */
static void enlarge(const sv_image *full, const sv_image *small, int scale, int x, int y, const float *disparities,
                    const uint8_t *reasons, const uint8_t *confidences, float *disparity, uint8_t *reason,
                    uint8_t *confidence) {
    /* The place in the small picture, in 1/(2 scale) of its pixels from the middle of the first one. */
    const int place[2] = {2 * x + 1 - scale, 2 * y + 1 - scale}, unit = 2 * scale;
    int at[4], weight[4], best = 0, least = INT32_MAX;
    for (int i = 0; i < 4; i++) {
        int nearest[2], distance[2];
        for (int axis = 0; axis < 2; axis++) {
            const int own = (int)floor((double)place[axis] / unit + 0.5), offset = place[axis] - own * unit;
            const int other = i >> axis & 1;
            nearest[axis] = other ? own + (offset < 0 ? -1 : 1) : own;
            distance[axis] = other ? unit - abs(offset) : abs(offset);
        }
        at[i] = clamp(nearest[1], 0, small->height - 1) * small->width + clamp(nearest[0], 0, small->width - 1);
        weight[i] = (unit - distance[0]) * (unit - distance[1]);
        const int unlike = abs(grey(full, x, y) - ((const uint8_t *)small->data)[at[i]]) + 4 * ((i & 1) + i / 2);
        if (unlike < least) best = i;
        if (unlike < least) least = unlike;
    }
    const float middle = disparities[at[best]];
    float sum = 0;
    int all = 0;
    for (int i = 0; i < 4; i++) {
        const float beyond = disparities[at[i]] - middle;
        if (!(fabsf(beyond) <= 1)) continue;
        sum = (float)(sum + (float)((float)weight[i] * beyond));
        all += weight[i];
    }
    *reason = reasons[at[best]];
    *confidence = confidences[at[best]];
    *disparity = isinf(middle) ? middle : (float)scale * (float)(middle + (float)(sum / (float)all));
}

static void match_smaller(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason,
                          uint8_t *confidence) {
    const int scale = params->scale, width = pair->left.width;
    const sv_pair small = {.left = reduce(&pair->left, scale), .right = reduce(&pair->right, scale)};
    const size_t pixels = (size_t)(small.left.width * small.left.height);
    float *disparities = malloc(sizeof *disparities * pixels);
    uint8_t *reasons = malloc(pixels), *confidences = malloc(pixels);
    sv_params own = *params;
    own.scale = 1;
    /* From the multiple of the scale nearest to the first disparity to that nearest to the last; of two, the inner one.
     */
    own.min_disparity = (int)floor((double)params->min_disparity / scale + 0.5);
    own.max_disparity = (int)ceil((double)params->max_disparity / scale - 0.5);
    if (own.min_disparity > own.max_disparity) own.min_disparity = own.max_disparity;
    reference_match(&small, &own, disparities, reasons, confidences);
    for (int i = 0; i < width * pair->left.height; i++)
        enlarge(&pair->left, &small.left, scale, i % width, i / width, disparities, reasons, confidences, &disparity[i],
                &reason[i], &confidence[i]);
    free(small.left.data);
    free(small.right.data);
    free(disparities);
    free(reasons);
    free(confidences);
}

/* `filtered` receives the pictures to match. */
static maps new_maps(const sv_pair *pair, const sv_params *params, sv_pair *filtered) {
    const int steps = params->method == SV_SSD ? params->steps : 1;
    const size_t pixels = (size_t)(pair->left.width * pair->left.height), bytes = sizeof(int) * pixels;
    maps m = {
        .pair = pair,
        .params = params,
        .width = pair->left.width,
        .height = pair->left.height,
        .rho = params->rho,
        .rho_y = params->rho_y < 0 ? params->rho : params->rho_y,
        .count = (params->max_disparity - params->min_disparity) * steps + 1,
        .step = 1.0 / steps,
        .winner = {malloc(bytes), malloc(bytes)},
        .best = malloc(sizeof(double) * pixels),
        .second = malloc(sizeof(double) * pixels),
    };
    for (int i = 0; i < 2; i++) {
        m.sum[i] = malloc(sizeof *m.sum[i] * pixels);
        m.variance[i] = malloc(sizeof *m.variance[i] * pixels);
    }
    *filtered = reference_filter(pair, params->method == SV_SSD ? params->prefilter : SV_PREFILTER_NONE);
    m.pair = filtered;
    if (params->method == SV_NCC || params->method == SV_ZNCC) measure_windows(&m);
    return m;
}

static void free_maps(maps *m, sv_pair *filtered) {
    reference_free_filtered(filtered);
    free(m->best);
    free(m->second);
    for (int i = 0; i < 2; i++) {
        free(m->winner[i]);
        free(m->sum[i]);
        free(m->variance[i]);
    }
}

void reference_costs(const sv_pair *pair, const sv_params *params, double *costs) {
    sv_pair filtered;
    maps m = new_maps(pair, params, &filtered);
    int *sums = params->method == SV_SGM ? sum_paths(&m) : NULL;
    for (int i = 0; i < m.width * m.height; i++)
        for (int k = 0; k < m.count; k++) {
            const int x = i % m.width, y = i / m.width;
            double *cost = costs++;
            *cost = NAN;
            if (!tried(&m, 0, x, k)) continue;
            if (params->method == SV_SSD)
                *cost = ssd(&m, 0, x, y, k) / ((2 * m.rho + 1) * (2 * m.rho_y + 1));
            else if (params->method == SV_SGM)
                *cost = sums[i * m.count + k];
            else if (textured(&m, 0, x, y) && admissible(&m, 0, x, y, k))
                *cost = correlation(&m, 0, x, y, k);
        }
    free(sums);
    free_maps(&m, &filtered);
}

void reference_match(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason,
                     uint8_t *confidence) {
    if (params->scale > 1) {
        match_smaller(pair, params, disparity, reason, confidence);
        return;
    }
    sv_pair filtered;
    maps m = new_maps(pair, params, &filtered);
    m.disparity = disparity;
    m.reason = reason;
    if (params->method == SV_SSD)
        match_ssd(&m);
    else if (params->method == SV_NCC)
        match_ncc(&m);
    else if (params->method == SV_ZNCC)
        match_zncc(&m);
    else
        match_sgm(&m);
    const bool sums = params->method == SV_SGM;
    reference_confidence(params, m.width, m.height, m.winner, sums ? m.best : NULL, m.second, confidence);
    const size_t pixels = (size_t)(m.width * m.height);
    uint8_t *confirmed = params->left_right_check >= 0 ? malloc(pixels) : NULL;
    float *right = confirmed ? malloc(sizeof *right * pixels) : NULL;
    if (confirmed) check_left_right(&m, confirmed);
    for (size_t i = 0; right && i < pixels; i++)
        right[i] = m.winner[1][i] < 0 ? INFINITY : (float)disparity_of(&m, m.winner[1][i]);
    for (int i = 0; i < m.width * m.height; i++) {
        if (reason[i] != SV_VALID || confidence[i] >= params->min_confidence) continue;
        disparity[i] = INFINITY;
        reason[i] = SV_POOR_MATCH;
    }
    reference_refine(&pair->left, params, right, confirmed, disparity, reason);
    for (int i = 0; i < m.width * m.height; i++)
        if (reason[i] != SV_VALID) confidence[i] = 0;
    free(confirmed);
    free(right);
    free_maps(&m, &filtered);
}
