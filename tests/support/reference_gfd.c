/* gfd written from its definition, pixel by pixel. The order of summation of the descriptors is part of the definition,
 * so the backends can be compared bit by bit. */
#include "tests/support/reference_gfd.h"
#include "tests/support/reference_confidence.h"
#include "tests/support/reference_filters.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static int inside(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }

static const uint8_t *at(const sv_image *image, int x, int y) {
    return (const uint8_t *)sv_row(image, y) + (size_t)x * sv_pixel_size(image->format);
}

static reference_gfd_side planes_of(const sv_image *grey, const sv_image *colour) {
    reference_gfd_side v = {.width = grey->width, .height = grey->height};
    for (int c = 0; c < 4; c++) v.planes[c] = malloc(sizeof(float) * (size_t)(v.width * v.height));
    for (int y = 0; y < v.height; y++)
        for (int x = 0; x < v.width; x++) {
            for (int c = 0; c < 3; c++)
                v.planes[c][y * v.width + x] = colour->data ? at(colour, x, y)[c] : *at(grey, x, y);
            const int gx = *at(grey, inside(x + 1, v.width), y) - *at(grey, inside(x - 1, v.width), y);
            const int gy = *at(grey, x, inside(y + 1, v.height)) - *at(grey, x, inside(y - 1, v.height));
            v.planes[3][y * v.width + x] = sqrtf((float)(gx * gx + gy * gy));
        }
    return v;
}

void reference_gfd_free(reference_gfd_side *v) {
    for (int c = 0; c < 4; c++) free(v->planes[c]);
    free(v->descriptors);
}

static float value_at(const reference_gfd_side *v, int plane, int x, int y) {
    return v->planes[plane][inside(y, v->height) * v->width + inside(x, v->width)];
}

static int ring_of(int u, int v) { return (int)floor(sqrt(u * u + v * v) + 0.5); }

/* The energies of the rings, summed from the centre outwards, in float. */
static void energies_of(const reference_gfd_side *p, int plane, int x, int y, int rho, float *energies) {
    const int n = 2 * rho + 1;
    float cosines[63], sines[63];
    for (int k = 0; k < n; k++) {
        cosines[k] = (float)cos(2 * PI * k / n);
        sines[k] = (float)sin(2 * PI * k / n);
    }
    for (int r = 0; r <= rho; r++) energies[r] = 0;
    for (int v = 0; v <= rho; v++) {
        float even[63], odd[63]; /* of column i - rho */
        for (int i = -rho; i <= rho; i++) {
            float e = value_at(p, plane, x + i, y), o = 0;
            for (int j = 1; j <= rho; j++) {
                const float above = value_at(p, plane, x + i, y - j), below = value_at(p, plane, x + i, y + j);
                const float sum = below + above, difference = below - above;
                const float c = cosines[v * j % n], s = sines[v * j % n];
                const float ec = sum * c, os = difference * s;
                e = e + ec;
                o = o + os;
            }
            even[i + rho] = e;
            odd[i + rho] = o;
        }
        for (int u = 0; u <= rho; u++) {
            if (ring_of(u, v) > rho) continue;
            float cc = even[rho], sc = odd[rho], cs = 0, ss = 0;
            for (int i = 1; i <= rho; i++) {
                const float c = cosines[u * i % n], s = sines[u * i % n];
                const float t0 = (even[rho + i] + even[rho - i]) * c, t1 = (even[rho + i] - even[rho - i]) * s;
                const float t2 = (odd[rho + i] + odd[rho - i]) * c, t3 = (odd[rho + i] - odd[rho - i]) * s;
                cc = cc + t0;
                cs = cs + t1;
                sc = sc + t2;
                ss = ss + t3;
            }
            const float a = cc * cc, b = cs * cs, c = sc * sc, d = ss * ss;
            const float even_part = a + b, odd_part = c + d, all = even_part + odd_part;
            const float weighed = all * (u && v ? 4.0f : u || v ? 2.0f : 1.0f);
            energies[ring_of(u, v)] = energies[ring_of(u, v)] + weighed;
        }
    }
}

reference_gfd_side reference_gfd_describe(const sv_image *grey, const sv_image *colour, int rho) {
    const int rings = rho + 1, n = (2 * rho + 1) * (2 * rho + 1);
    reference_gfd_side v = planes_of(grey, colour);
    v.descriptors = malloc(sizeof(int) * (size_t)(v.width * v.height * 4 * rings));
    for (int y = 0; y < v.height; y++)
        for (int x = 0; x < v.width; x++)
            for (int plane = 0; plane < 4; plane++) {
                float energies[32];
                energies_of(&v, plane, x, y, rho, energies);
                for (int r = 0; r < rings; r++) {
                    const float root = 16.0f * sqrtf(energies[r]), amplitude = root / (float)n;
                    v.descriptors[((y * v.width + x) * 4 + plane) * rings + r] = (int)(amplitude + 0.5f);
                }
            }
    return v;
}

/* The cost of a pair of pixels, in 1/16 grey level. */
static int cost_of(const int *a, const int *b, int rings, float alpha) {
    int colour = 0, gradient = 0;
    for (int i = 0; i < 4 * rings; i++) *(i < 3 * rings ? &colour : &gradient) += (a[i] - b[i]) * (a[i] - b[i]);
    const float c = alpha * fminf(sqrtf((float)colour), 240), g = (1 - alpha) * fminf(sqrtf((float)gradient), 112);
    const float sum = c + g;
    return (int)(sum + 0.5f);
}

typedef struct reference {
    const sv_params *params;
    const reference_gfd_side *sides;
    int width, height, count;
} reference;

static bool is_tried(const reference *r, int side, int x, int k) {
    const int d = r->params->min_disparity + k, match = side ? x + d : x - d;
    return match >= 0 && match < r->width;
}

static int jump_of(const reference *r, int side, int x, int y, int x2, int y2) {
    int edge = 0;
    for (int c = 0; c < 3; c++) {
        const float difference =
            r->sides[side].planes[c][y * r->width + x] - r->sides[side].planes[c][y2 * r->width + x2];
        if (abs((int)difference) > edge) edge = abs((int)difference);
    }
    const int one = (int)(r->params->lambda * 16 + 0.5f), cost = 64 * one / (8 + edge);
    return cost > one ? cost : one;
}

static int cheapest(const int *costs, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (costs[i] < costs[best]) best = i;
    return best;
}

/* The cost of the cheapest path to candidate `k` from those of the pixel before, whose cheapest candidate is `best`,
 * and its predecessor. */
static int way_to(const int *before, int best, int count, int k, int one, int jump, int *from) {
    int way = before[k];
    *from = k;
    if (k > 0 && before[k - 1] + one < way) way = before[ *from = k - 1] + one;
    if (k < count - 1 && before[k + 1] + one < way) way = before[ *from = k + 1] + one;
    if (before[best] + jump < way) way = before[ *from = best] + jump;
    return way - before[best];
}

/* Fills in the aggregated costs (height x width x count) and the winners (height x width) of a side. */
static void reference_side(const reference *r, int side, int *smoothed, int *winners) {
    const int width = r->width, height = r->height, count = r->count, rings = r->params->rho + 1;
    const int radius = r->params->aggregate, one = (int)(r->params->lambda * 16 + 0.5f);
    const float alpha = r->params->alpha;
    const size_t cells = (size_t)width * (size_t)height * (size_t)count;
    int *raw = malloc(sizeof(int) * cells), *costs = malloc(sizeof(int) * cells), *path = malloc(sizeof(int) * cells);
    int *from = malloc(sizeof(int) * cells);
#define CELL(x, y, k) (((size_t)(y) * (size_t)width + (size_t)(x)) * (size_t)count + (size_t)(k))
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < count; k++) {
                const int d = r->params->min_disparity + k, match = side ? x + d : x - d;
                const float a = alpha * 240, b = (1 - alpha) * 112, worst = a + b;
                raw[CELL(x, y, k)] =
                    !is_tried(r, side, x, k)
                        ? (int)(worst + 0.5f)
                        : cost_of(r->sides[side].descriptors + (y * width + x) * 4 * rings,
                                  r->sides[!side].descriptors + (y * width + match) * 4 * rings, rings, alpha);
            }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < count; k++) {
                int sum = 0;
                const float n = (float)((2 * radius + 1) * (2 * radius + 1));
                for (int j = -radius; j <= radius; j++)
                    for (int i = -radius; i <= radius; i++)
                        sum += raw[CELL(inside(x + i, width), inside(y + j, height), k)];
                const float mean = (float)sum / n;
                smoothed[CELL(x, y, k)] = costs[CELL(x, y, k)] = (int)(mean + 0.5f);
            }
    static const int directions[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (int i = 0; i < 4; i++) {
        const int dx = directions[i][0], dy = directions[i][1];
        for (int j = 0; j < width * height; j++) {
            const int x = dx < 0 ? width - 1 - j % width : j % width, y = dy < 0 ? height - 1 - j / width : j / width;
            const bool first = x - dx < 0 || x - dx >= width || y - dy < 0 || y - dy >= height;
            const int *before = first ? NULL : path + CELL(x - dx, y - dy, 0);
            const int best = first ? 0 : cheapest(before, count),
                      jump = first ? 0 : jump_of(r, side, x, y, x - dx, y - dy);
            for (int k = 0; k < count; k++) {
                int unused;
                const int way = first ? 0 : way_to(before, best, count, k, one, jump, &unused);
                path[CELL(x, y, k)] = costs[CELL(x, y, k)] + way;
                smoothed[CELL(x, y, k)] += way;
            }
        }
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const int *before = x ? path + CELL(x - 1, y, 0) : NULL;
            const int best = x ? cheapest(before, count) : 0, jump = x ? jump_of(r, side, x, y, x - 1, y) : 0;
            for (int k = 0; k < count; k++)
                path[CELL(x, y, k)] =
                    smoothed[CELL(x, y, k)] + (x ? way_to(before, best, count, k, one, jump, &from[CELL(x, y, k)]) : 0);
        }
        int winner = cheapest(path + CELL(width - 1, y, 0), count);
        for (int x = width - 1; x >= 0; x--) {
            winners[y * width + x] = is_tried(r, side, x, winner) ? winner : -1;
            if (x > 0) winner = from[CELL(x, y, winner)];
        }
    }
#undef CELL
    free(raw);
    free(costs);
    free(path);
    free(from);
}

void reference_gfd_match(const sv_pair *pair, const sv_params *params, float *disparity, uint8_t *reason,
                         uint8_t *confidence) {
    sv_pair filtered = reference_filter(pair, params->prefilter);
    reference_gfd_side sides[2] = {reference_gfd_describe(&filtered.left, &filtered.left_colour, params->rho),
                                   reference_gfd_describe(&filtered.right, &filtered.right_colour, params->rho)};
    const reference r = {.params = params,
                         .sides = sides,
                         .width = pair->left.width,
                         .height = pair->left.height,
                         .count = params->max_disparity - params->min_disparity + 1};
    const size_t pixels = (size_t)(r.width * r.height);
    int *costs = malloc(sizeof(int) * pixels * (size_t)r.count),
        *unused = malloc(sizeof(int) * pixels * (size_t)r.count);
    int *winners[2] = {malloc(sizeof(int) * pixels), malloc(sizeof(int) * pixels)};
    reference_side(&r, 0, costs, winners[0]);
    reference_side(&r, 1, unused, winners[1]);
    reference_confidence(params, r.width, r.height, winners, NULL, NULL, confidence);
    for (int i = 0; i < r.width * r.height; i++) {
        const int x = i % r.width, k = winners[0][i], *c = costs + (size_t)i * (size_t)r.count;
        disparity[i] = INFINITY;
        reason[i] = SV_BORDER;
        if (k < 0) continue;
        float offset = 0;
        if (params->subpixel && k > 0 && k < r.count - 1 && is_tried(&r, 0, x, k - 1) && is_tried(&r, 0, x, k + 1) &&
            c[k] <= c[k - 1] && c[k] <= c[k + 1] && c[k - 1] + c[k + 1] > 2 * c[k])
            offset = 0.5f * (float)(c[k - 1] - c[k + 1]) / (float)(c[k - 1] + c[k + 1] - 2 * c[k]);
        disparity[i] = (float)(params->min_disparity + k) + offset;
        reason[i] = SV_VALID;
        int64_t second = -1;
        for (int j = 0; j < r.count; j++)
            if (is_tried(&r, 0, x, j) && abs(j - k) > 1 && (second < 0 || c[j] < second)) second = c[j];
        const int match = x - params->min_disparity - k;
        if (params->uniqueness && second >= 0 && second * (100 - params->uniqueness) <= (int64_t)c[k] * 100)
            reason[i] = SV_AMBIGUOUS;
        else if (params->left_right_check >= 0 &&
                 (winners[1][i - x + match] < 0 || abs(winners[1][i - x + match] - k) > params->left_right_check))
            reason[i] = SV_LEFT_RIGHT_CONFLICT;
        if (reason[i] != SV_VALID) disparity[i] = INFINITY;
        if (reason[i] != SV_VALID) confidence[i] = 0;
    }
    reference_free_filtered(&filtered);
    reference_gfd_free(&sides[0]);
    reference_gfd_free(&sides[1]);
    free(costs);
    free(unused);
    free(winners[0]);
    free(winners[1]);
}
