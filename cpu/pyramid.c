/* ssd and zncc over image pyramids; pyramid.h says what is computed.
 *
 * The method itself searches a level's own part of the range. The few disparities that a pixel of the coarser level
 * proposes are the same for the four pixels that it covers, so the windows of these four are summed together, from the
 * same sums of columns. */
#include "cpu/pyramid.h"

#include "cpu/cpu.h"
#include "cpu/windows.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 8, /* columns that are summed together */
    RUN = 16,  /* blocks that are summed together, at most */
    COLUMNS = (2 * (SV_MAX_RADIUS + RUN) + LANES - 1) / LANES * LANES,
    PROPOSED = 2 * PYRAMID_REACH * 4 + 1, /* candidates, at most, with steps of 1/4 pixel */
    BLOCK = 4                             /* pixels that a coarser one covers: two in each of two rows */
};

typedef enum kind { SQUARES, SMALL_SQUARES /* of whole grey levels */, PRODUCTS } kind;

/* One picture of a level, padded on all sides with its edge pixels, so that windows may extend beyond it. */
typedef struct plane {
    int16_t *values;     /* steps x rows x stride: at x + i / steps, in 1/steps grey level */
    cpu_window *windows; /* zncc: height x width */
} plane;

typedef struct level {
    cpu_job job; /* of the level's own part */
    sv_params params;
    pyramid_range range;
    sv_image picture[2], disparity, reason;
    plane planes[2];
    int steps, count; /* candidates of `range` */
    int own;          /* the first candidate of the own part, which has `own_count` of them */
    int own_count;
    int base; /* the disparity of candidate 0 in `job.winner`, pixels */
    /* Of the planes: */
    int rho, rho_y, margin, rows, stride;
} level;

/* What all levels share. */
typedef struct pyramid {
    const sv_params *params;
    int levels, sides, threads, pixels; /* of a window */
    bool correlate;
    uint32_t limit; /* costs above it are poor */
    uint32_t *cost; /* of the winners of level 0; NULL if they are not needed */
    void *columns;  /* zncc: threads x columns_size bytes, to measure windows in */
    size_t columns_size;
    level level[PYRAMID_LEVELS];
} pyramid;

static sv_image carve_image(void *base, size_t *used, int width, int height, sv_format format) {
    const size_t stride = (size_t)width * sv_pixel_size(format);
    return (sv_image){.data = cpu_carve(base, used, stride * (size_t)height),
                      .stride = stride,
                      .width = width,
                      .height = height,
                      .format = format};
}

static size_t lay_out(pyramid *p, void *base, const cpu_job *job) {
    size_t used = 0;
    if (p->correlate) {
        p->columns_size = 0;
        cpu_carve_columns(NULL, &p->columns_size, job);
        p->columns = cpu_carve(base, &used, p->columns_size * (size_t)p->threads);
    }
    for (int l = 0; l < p->levels; l++) {
        level *v = &p->level[l];
        const int width = l ? pyramid_half(v[-1].job.width) : job->width;
        const int height = l ? pyramid_half(v[-1].job.height) : job->height;
        const size_t pixels = (size_t)width * (size_t)height;
        v->params = pyramid_params(p->params, l);
        v->range = pyramid_range_of(p->params, l);
        v->steps = sv_steps(&v->params);
        v->count = (v->range.max - v->range.min) * v->steps + 1;
        v->own = (v->range.own_min - v->range.min) * v->steps;
        v->own_count = sv_candidates(&v->params);
        v->rho = p->params->rho;
        v->rho_y = sv_rho_y(p->params);
        v->margin = v->rho + 2 * RUN + 1;
        v->rows = height + 2 * v->rho_y + 2;
        v->stride = width + v->margin + COLUMNS + 1;
        v->job = *job;
        v->job.width = width;
        v->job.height = height;
        v->job.params = &v->params;
        v->job.probe = NULL; /* see keep_costs */
        v->picture[0] = *job->left;
        v->picture[1] = *job->right;
        for (int side = 0; side < p->sides; side++)
            v->job.cost[side] = cpu_carve(base, &used, sizeof(uint32_t) * pixels);
        for (int side = 0; side < 2; side++) {
            plane *plane = &v->planes[side];
            plane->values =
                cpu_carve(base, &used, sizeof(int16_t) * (size_t)v->steps * (size_t)v->rows * (size_t)v->stride);
            if (p->correlate) plane->windows = cpu_carve(base, &used, sizeof *plane->windows * pixels);
            if (l > 0) {
                v->picture[side] = carve_image(base, &used, width, height, SV_GREY8);
                if (side < p->sides) v->job.winner[side] = cpu_carve(base, &used, sizeof(int16_t) * pixels);
            }
        }
        v->disparity = l ? carve_image(base, &used, width, height, SV_FLOAT32) : *job->disparity;
        v->reason = l ? carve_image(base, &used, width, height, SV_REASON8) : *job->reason;
        v->job.left = &v->picture[0];
        v->job.right = &v->picture[1];
        v->job.disparity = &v->disparity;
        v->job.reason = &v->reason;
    }
    return used;
}

/* ---- Pictures of a level ---------------------------------------------------------------------- */

static void halve_row(const sv_image *from, const sv_image *to, int y) {
    const uint8_t *above = sv_row(from, 2 * y), *below = sv_row(from, sv_clamp(2 * y + 1, from->height));
    uint8_t *mean = sv_row(to, y);
    for (int x = 0; x < to->width; x++) {
        const int right = sv_clamp(2 * x + 1, from->width);
        mean[x] = (uint8_t)pyramid_mean(above[2 * x], above[right], below[2 * x], below[right]);
    }
}

/* Fills in row `row` of a plane, which is row `row` - rho_y of the picture. */
static void fill_plane_row(const level *v, const sv_image *picture, const plane *to, int row) {
    const uint8_t *from = sv_row(picture, sv_clamp(row - v->rho_y, v->job.height));
    for (int part = 0; part < v->steps; part++) {
        int16_t *values = to->values + ((size_t)part * (size_t)v->rows + (size_t)row) * (size_t)v->stride;
        for (int i = 0; i < v->stride; i++) {
            const int x = i - v->margin;
            values[i] = (int16_t)sv_between(from[sv_clamp(x, v->job.width)], from[sv_clamp(x + 1, v->job.width)], part,
                                            v->steps);
        }
    }
}

static void make_level(const pyramid *p, int l) {
    const level *v = &p->level[l];
#pragma omp parallel num_threads(p->threads)
    {
        if (l > 0) {
#pragma omp for
            for (int i = 0; i < 2 * v->job.height; i++) halve_row(&v[-1].picture[i & 1], &v->picture[i & 1], i >> 1);
        }
        /* The coarsest level gets no proposals and needs no planes. */
        if (l < p->levels - 1) {
#pragma omp for
            for (int i = 0; i < 2 * v->rows; i++) fill_plane_row(v, &v->picture[i & 1], &v->planes[i & 1], i >> 1);
            if (p->correlate) {
                void *memory = (char *)p->columns + p->columns_size * (size_t)omp_get_thread_num();
#pragma omp for
                for (int i = 0; i < 2 * p->threads; i++)
                    cpu_measure_band(&v->job, &v->picture[i & 1], i >> 1, p->threads, memory, v->planes[i & 1].windows);
            }
        }
    }
}

/* ---- The proposals of a coarser level --------------------------------------------------------- */

/* Vector types of gcc and clang, because compilers do not vectorise loops over so few columns. */
typedef int16_t grey_vector __attribute__((vector_size(LANES * sizeof(int16_t))));
typedef uint16_t product_vector __attribute__((vector_size(LANES * sizeof(uint16_t))));
typedef uint32_t sum_vector __attribute__((vector_size(LANES * sizeof(uint32_t))));

/* Adds LANES squared differences, or products. */
CPU_INLINE void add_terms(const int16_t *a, const int16_t *b, kind kind, sum_vector *sums) {
    grey_vector va, vb;
    memcpy(&va, a, sizeof va);
    memcpy(&vb, b, sizeof vb);
    const grey_vector difference = va - vb;
    if (kind == PRODUCTS) {
        *sums += __builtin_convertvector((product_vector)va * (product_vector)vb, sum_vector);
    } else if (kind == SMALL_SQUARES) { /* up to 255^2 */
        *sums += __builtin_convertvector((product_vector)difference * (product_vector)difference, sum_vector);
    } else { /* up to 1020^2 */
        const sum_vector wide = __builtin_convertvector(difference, sum_vector);
        *sums += wide * wide;
    }
}

/* For `blocks` neighbouring blocks of four pixels, the first at (x, y): sums the squared differences, or the products,
 * of the picture of `side` and the other one at candidate `k` over the windows of the pixels. */
CPU_INLINE void sum_windows(const level *v, int side, int x, int y, int blocks, int k, kind kind,
                            uint32_t (*sums)[BLOCK]) {
    const int offset = v->steps * v->range.min + k, position = v->steps * x + (side ? offset : -offset);
    const int part = position & (v->steps - 1), column = (position - part) / v->steps;
    const int columns = 2 * (v->rho + blocks), last_row = 2 * v->rho_y + 1;
    const size_t stride = (size_t)v->stride;
    const int16_t *a = v->planes[side].values + (size_t)y * stride + (v->margin + x - v->rho);
    const int16_t *b =
        v->planes[!side].values + ((size_t)part * (size_t)v->rows + (size_t)y) * stride + (v->margin + column - v->rho);
    uint32_t upper[COLUMNS], lower[COLUMNS]; /* column sums of the windows of the upper and of the lower row */
    for (int i = 0; i < columns; i += LANES) {
        sum_vector both = {0};
        for (size_t j = 1; j < (size_t)last_row; j++) add_terms(a + i + j * stride, b + i + j * stride, kind, &both);
        sum_vector above = both, below = both;
        add_terms(a + i, b + i, kind, &above);
        add_terms(a + i + (size_t)last_row * stride, b + i + (size_t)last_row * stride, kind, &below);
        memcpy(upper + i, &above, sizeof above);
        memcpy(lower + i, &below, sizeof below);
    }
    uint32_t inner[2] = {0, 0}; /* sums of the columns that both windows of a row contain */
    for (int i = 1; i <= 2 * v->rho; i++) {
        inner[0] += upper[i];
        inner[1] += lower[i];
    }
    for (int i = 0; i < blocks; i++) {
        const uint32_t *up = upper + 2 * i, *low = lower + 2 * i;
        const int end = 2 * v->rho + 1;
        sums[i][0] = inner[0] + up[0];
        sums[i][1] = inner[0] + up[end];
        sums[i][2] = inner[1] + low[0];
        sums[i][3] = inner[1] + low[end];
        if (i == blocks - 1) break;
        inner[0] += up[end] + up[end + 1] - up[1] - up[2];
        inner[1] += low[end] + low[end + 1] - low[1] - low[2];
    }
}

/* True if candidate `k` is tried at column `x` of the map of `side`. */
static inline bool is_tried(const level *v, int side, int x, int k) {
    return k >= sv_first_candidate(x, v->job.width, v->range.min, v->steps, side) &&
           k <= sv_last_candidate(x, v->job.width, v->range.min, v->steps, v->count, side);
}

/* The cost of a candidate with a flat window: above all others. */
#define FLAT (SV_NO_COST - 1)

/* The cost of candidate `k` at (x, y), from its `sum` over the window. */
static inline uint32_t cost_of(const pyramid *p, const level *v, int side, int x, int y, int k, uint32_t sum) {
    if (!is_tried(v, side, x, k)) return SV_NO_COST;
    if (!p->correlate) return sum;
    const int disparity = v->range.min + k;
    const size_t row = (size_t)y * (size_t)v->job.width;
    const size_t left = row + (size_t)(side ? x + disparity : x), right = row + (size_t)(side ? x : x - disparity);
    const cpu_window l = v->planes[0].windows[left], r = v->planes[1].windows[right];
    if (l.inverse <= 0 || r.inverse <= 0) return FLAT;
    return sv_cost_of_correlation(sv_correlation(p->pixels, sum, l.sum, r.sum, l.inverse, r.inverse));
}

/* A run of pixels of the coarser level with the same proposals for the blocks that they cover. Pixel i of block n has
 * number n * BLOCK + i. */
typedef struct run {
    int x, y, blocks;                      /* of the first pixel */
    int first, count;                      /* candidates that are proposed */
    uint32_t costs[PROPOSED][RUN * BLOCK]; /* of each candidate at each pixel; may be FLAT or SV_NO_COST */
    uint32_t own_cost[RUN * BLOCK], best_cost[RUN * BLOCK];
    int32_t own[RUN * BLOCK], best[RUN * BLOCK]; /* candidates; -1: none */
} run;

static inline int column_of(const run *r, int pixel) { return r->x + pixel / BLOCK * 2 + pixel % 2; }
static inline int row_of(const run *r, int pixel) { return r->y + pixel / 2 % 2; }

/* The cost of candidate `k` at a pixel of the left map; computed if it was not proposed. */
CPU_INLINE uint32_t cost_at(const pyramid *p, const level *v, const run *r, int pixel, int k, kind kind) {
    const int x = column_of(r, pixel), y = row_of(r, pixel);
    if (k >= r->first && k < r->first + r->count && k >= v->own + v->own_count) return r->costs[k - r->first][pixel];
    if (!is_tried(v, 0, x, k)) return SV_NO_COST;
    uint32_t sums[1][BLOCK];
    sum_windows(v, 0, x, y, 1, k, kind, sums);
    return cost_of(p, v, 0, x, y, k, sums[0][0]);
}

/* Decides a pixel of the left map of level 0 from its winner. It does not call sv_decide_cost, because the winner's
 * neighbours, which are computed only for valid pixels, may be better than the winner. */
CPU_INLINE void decide(const pyramid *p, const level *v, const run *r, int pixel, kind kind) {
    float *disparity = (float *)sv_row(&v->disparity, row_of(r, pixel)) + column_of(r, pixel);
    uint8_t *reason = (uint8_t *)sv_row(&v->reason, row_of(r, pixel)) + column_of(r, pixel);
    const int own = r->own[pixel], best = r->best[pixel];
    const uint32_t cost = r->best_cost[pixel];
    if (best < 0) {
        for (int j = 0; j < r->count; j++)
            if (r->costs[j][pixel] == FLAT) *reason = SV_NO_TEXTURE;
        return;
    }
    bool ambiguous = false;
    if (p->params->uniqueness) {
        ambiguous = best == own && *reason == SV_AMBIGUOUS;
        if (own >= 0 && abs(own - best) > v->steps)
            ambiguous |= pyramid_ambiguous(p->correlate, p->params->uniqueness, cost, r->own_cost[pixel]);
        for (int j = 0; j < r->count; j++)
            if (r->costs[j][pixel] < FLAT && abs(r->first + j - best) > v->steps)
                ambiguous |= pyramid_ambiguous(p->correlate, p->params->uniqueness, cost, r->costs[j][pixel]);
    }
    const int found = sv_judge_cost(cost, p->limit, ambiguous);
    *reason = (uint8_t)found;
    if (found != SV_VALID) {
        *disparity = INFINITY;
        return;
    }
    /* Inside the level's own part, the method has already computed the sub-pixel disparity. */
    if (best == own && best < v->own_count - 1) return;
    float offset = 0;
    if (p->params->subpixel) {
        const uint32_t before = cost_at(p, v, r, pixel, best - 1, kind),
                       after = cost_at(p, v, r, pixel, best + 1, kind);
        if (before < FLAT && after < FLAT) offset = pyramid_offset(p->correlate, before, cost, after);
    }
    *disparity = sv_disparity(v->range.min, best, offset, v->steps);
}

CPU_INLINE void merge_run(const pyramid *p, const level *v, int side, run *r, kind kind) {
    const int width = v->job.width, height = v->job.height, pixels = r->blocks * BLOCK;
    const int end = r->x + 2 * r->blocks < width ? r->x + 2 * r->blocks : width;
    int16_t *winners = v->job.winner[side];
    for (int i = 0; i < pixels; i++) {
        const int x = column_of(r, i), y = row_of(r, i);
        const size_t at = (size_t)y * (size_t)width + (size_t)x;
        const bool valued = x < width && y < height && winners[at] >= 0;
        r->own[i] = r->best[i] = valued ? winners[at] + v->own : -1;
        r->own_cost[i] = r->best_cost[i] = valued ? v->job.cost[side][at] : FLAT;
    }
    for (int j = 0; j < r->count; j++) {
        const int k = r->first + j;
        uint32_t *costs = r->costs[j], sums[RUN][BLOCK];
        /* The columns at which a candidate is tried begin or end at an edge of the picture, so if the run has any, its
         * first or last column is one. The level's own part has already been searched. */
        const bool first = is_tried(v, side, r->x, k), last = is_tried(v, side, end - 1, k);
        if ((k >= v->own && k < v->own + v->own_count) || !(first || last)) {
            for (int i = 0; i < pixels; i++) costs[i] = SV_NO_COST;
            continue;
        }
        sum_windows(v, side, r->x, r->y, r->blocks, k, kind, sums);
        if (kind != PRODUCTS && first && last) {
            for (int i = 0; i < pixels; i++) costs[i] = sums[i / BLOCK][i % BLOCK];
        } else {
            for (int i = 0; i < pixels; i++) {
                const int x = column_of(r, i), y = row_of(r, i);
                costs[i] =
                    x < width && y < height ? cost_of(p, v, side, x, y, k, sums[i / BLOCK][i % BLOCK]) : SV_NO_COST;
            }
        }
        for (int i = 0; i < pixels; i++) {
            const bool better = costs[i] < r->best_cost[i] || (costs[i] == r->best_cost[i] && k < r->best[i]);
            r->best[i] = better ? k : r->best[i];
            r->best_cost[i] = better ? costs[i] : r->best_cost[i];
        }
    }
    for (int i = 0; i < pixels; i++) {
        const int x = column_of(r, i), y = row_of(r, i);
        if (x >= width || y >= height) continue;
        winners[(size_t)y * (size_t)width + (size_t)x] = (int16_t)r->best[i];
        if (v != p->level || side) continue;
        if (p->cost) p->cost[(size_t)y * (size_t)width + (size_t)x] = r->best_cost[i];
        decide(p, v, r, i, kind);
    }
}

CPU_INLINE void merge_row(const pyramid *p, const level *v, int side, int py, kind kind) {
    const level *coarse = v + 1;
    const int width = coarse->job.width;
    const int16_t *parents = coarse->job.winner[side] + (size_t)py * (size_t)width;
    run r = {.y = 2 * py};
    for (int px = 0; px < width; px += r.blocks) {
        const int twice = 2 * (coarse->base + parents[px]) - v->range.min;
        const int first = v->steps * (twice - PYRAMID_REACH), last = v->steps * (twice + PYRAMID_REACH);
        for (r.blocks = 1; r.blocks < RUN && px + r.blocks < width && parents[px + r.blocks] == parents[px];)
            r.blocks++;
        r.x = 2 * px;
        r.first = first < 0 ? 0 : first;
        r.count = (last < v->count ? last : v->count - 1) - r.first + 1;
        if (parents[px] < 0 || r.count < 0) r.count = 0;
        merge_run(p, v, side, &r, kind);
    }
}

/* merge_row with a constant `kind`. */
CPU_INLINE void merge_row_known(const pyramid *p, const level *v, int side, int py) {
    if (p->correlate)
        merge_row(p, v, side, py, PRODUCTS);
    else if (v->steps == 1)
        merge_row(p, v, side, py, SMALL_SQUARES);
    else
        merge_row(p, v, side, py, SQUARES);
}

typedef void merge_row_function(const pyramid *p, const level *v, int side, int py);
static void merge_row_any(const pyramid *p, const level *v, int side, int py) { merge_row_known(p, v, side, py); }
CPU_AVX2 static void merge_row_avx2(const pyramid *p, const level *v, int side, int py) {
    merge_row_known(p, v, side, py);
}

/* Lets every level count its memory (footprint.c). */
static void count_levels(const pyramid *p, const cpu_job *job) {
    for (int l = 0; l < p->levels; l++) {
        cpu_job level = p->level[l].job;
        for (int side = 0; side < 2; side++) level.winner[side] = job->winner[side];
        cpu_match(&level, NULL);
    }
}

/* Keeps the costs of the probe's pixel. The candidates tried are those of level 0's own part and those that the coarser
 * level proposes. */
static void keep_costs(const pyramid *p, const cpu_probe *probe) {
    const level *v = p->level, *coarse = v + 1;
    const int x = probe->x, y = probe->y;
    const int parent = coarse->job.winner[0][(size_t)(y / 2) * (size_t)coarse->job.width + (size_t)(x / 2)];
    const int twice = 2 * (coarse->base + parent) - v->range.min;
    for (int k = 0; k < v->count; k++) {
        const bool own = k >= v->own && k < v->own + v->own_count;
        const bool proposed =
            parent >= 0 && k >= v->steps * (twice - PYRAMID_REACH) && k <= v->steps * (twice + PYRAMID_REACH);
        uint32_t sums[1][BLOCK];
        if (!is_tried(v, 0, x, k)) continue;
        sum_windows(v, 0, x, y, 1, k, p->correlate ? PRODUCTS : v->steps == 1 ? SMALL_SQUARES : SQUARES, sums);
        probe->costs[k] = cost_of(p, v, 0, x, y, k, sums[0][0]);
        probe->tried[k] = own || proposed;
    }
}

sv_status cpu_match_pyramid(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    merge_row_function *const merge = job->set >= CPU_HAS_AVX2 ? merge_row_avx2 : merge_row_any;
    pyramid p = {
        .params = params,
        .levels = pyramid_levels(params),
        .sides = job->winner[1] ? 2 : 1,
        .threads = job->threads,
        .pixels = (2 * params->rho + 1) * (2 * sv_rho_y(params) + 1),
        .correlate = sv_methods[params->method].correlates,
        .cost = job->cost[0],
    };
    if (p.levels == 1) return cpu_match(job, error);
    p.limit = p.correlate ? sv_cost_of_correlation(params->min_correlation)
                          : sv_cost_limit(params->max_cost, p.pixels, sv_steps(params));
    void *memory = cpu_reserve(job->pyramid, lay_out(&p, NULL, job), error);
    if (!memory && job->pyramid->counts) count_levels(&p, job);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job);
    for (int l = 0; l < p.levels; l++) make_level(&p, l);
    for (int l = p.levels - 1; l >= 0; l--) {
        level *v = &p.level[l];
        const sv_status status = cpu_match(&v->job, error);
        if (status != SV_OK) return status;
        if (cpu_gives_up(job)) return SV_CANCELLED;
        v->base = l == p.levels - 1 ? v->range.own_min : v->range.min;
        if (l == p.levels - 1) continue;
#pragma omp parallel for num_threads(p.threads) schedule(dynamic, 4)
        for (int i = 0; i < p.sides * v[1].job.height; i++) merge(&p, v, i % p.sides, i / p.sides);
    }
    if (job->probe && job->probe->x >= 0) keep_costs(&p, job->probe);
    return SV_OK;
}
