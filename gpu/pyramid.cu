/* ssd and zncc over image pyramids; stereo/pyramid.h says what is computed.
 *
 * Every level but the finest is a context of its own size, in which the method itself searches the level's own part
 * of the range. What the coarser level proposes is tried by one thread a pixel. */
#include <stdlib.h>

#include "gpu/correlation.cuh"
#include "stereo/pyramid.h"

/* All kernels: a thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

static dim3 grid_of(const gpu_context *level, int sides) {
    return dim3(gpu_blocks(level->width, BLOCK_WIDTH), gpu_blocks(level->height, BLOCK_HEIGHT), sides);
}

/* ---- The pictures ----------------------------------------------------------------------------- */

struct halve_arguments {
    sv_image from[GPU_SIDES], to[GPU_SIDES];
};

/* Halves the pictures of both sides (blockIdx.z). */
__global__ static void halve_kernel(const __grid_constant__ halve_arguments a) {
    const sv_image &from = a.from[blockIdx.z], &to = a.to[blockIdx.z];
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= to.width || y >= to.height) return;
    const uint8_t *above = gpu_row<const uint8_t>(from, 2 * y);
    const uint8_t *below = gpu_row<const uint8_t>(from, sv_clamp(2 * y + 1, from.height));
    const int right = sv_clamp(2 * x + 1, from.width);
    gpu_row<uint8_t>(to, y)[x] = (uint8_t)sv_pyramid_mean(above[2 * x], above[right], below[2 * x], below[right]);
}

/* ---- The proposals of a coarser level --------------------------------------------------------- */

/* In place of a cost, above all of them. */
#define FLAT (SV_NO_COST - 1)

struct merge_side {
    cudaTextureObject_t reference, other; /* as in ssd.cu */
    const gpu_window *windows;            /* zncc: height x width */
    const uint32_t *costs;                /* height x width, of the own part's winners */
    int16_t *winners;                     /* height x width: the own part's, then the level's */
    const int16_t *parents;               /* of the coarser level */
};

struct merge_arguments {
    merge_side sides[GPU_SIDES];
    sv_output maps; /* of the left side; level 0 alone */
    sv_params params;
    int width, height, rho, rho_y;
    int parents_width, base; /* the coarser level's candidate 0, pixels */
    int min, count;          /* candidates of the level */
    int own, own_count;      /* those that the method has searched */
    uint32_t limit;          /* costs above it are poor */
    bool finest;
};

/* The sums over the window about (x, y) for COUNT candidates from `first` on: of products, or of squared
 * differences in 1/STEPS^2 grey^2. Column by column of a window's row, a candidate meets the value that the one
 * STEPS below it has met before, so that each value is fetched once. */
template <int STEPS, bool PRODUCTS, int COUNT>
__device__ static __forceinline__ void sum_windows(const merge_arguments &a, int side, int x, int y, int first,
                                                   uint32_t sums[COUNT]) {
    const int towards = side == GPU_RIGHT ? 1 : -1; /* where rising disparities lie in the other picture */
    const cudaTextureObject_t reference = a.sides[side].reference, other = a.sides[side].other;
    const float pixels = 1.0f / STEPS, nearest = a.min + first * pixels;
    /* The value that candidate `c` meets at column -towards * t of the window. */
    const auto fetch = [&](int c, int t, float row) {
        const float column = x + 0.5f + towards * (nearest + c * pixels - t);
        return STEPS > 1 ? __float2int_rn(tex2D<float>(other, column, row) * (float)(255 * STEPS))
                         : (int)tex2D<unsigned char>(other, column, row);
    };
#pragma unroll
    for (int c = 0; c < COUNT; c++) sums[c] = 0;
    for (int j = -a.rho_y; j <= a.rho_y; j++) {
        const float row = y + j + 0.5f;
        int values[COUNT];
#pragma unroll
        for (int c = 0; c < COUNT; c++) values[c] = c + STEPS < COUNT ? fetch(c + STEPS, -a.rho, row) : 0;
        /* As if they had been met before the window's first column. */
        for (int t = -a.rho; t <= a.rho; t++) {
#pragma unroll
            for (int c = COUNT - 1; c >= 0; c--)
                values[c] = c >= STEPS ? values[c >= STEPS ? c - STEPS : 0] : fetch(c, t, row);
            const int value = STEPS * (int)tex2D<unsigned char>(reference, x - towards * t + 0.5f, row);
#pragma unroll
            for (int c = 0; c < COUNT; c++) {
                const int difference = value - values[c];
                sums[c] += PRODUCTS ? value * values[c] : difference * difference;
            }
        }
    }
}

/* The cost at (x, y) of candidate `k` with that sum. */
template <int STEPS, bool PRODUCTS>
__device__ static __forceinline__ uint32_t cost_of(const merge_arguments &a, int side, int x, int y, int k,
                                                   uint32_t sum) {
    if (k < sv_first_candidate(x, a.width, a.min, STEPS, side) ||
        k > sv_last_candidate(x, a.width, a.min, STEPS, a.count, side))
        return SV_NO_COST;
    if (!PRODUCTS) return sum;
    const int n = (2 * a.rho + 1) * (2 * a.rho_y + 1), disparity = a.min + k;
    const size_t row = (size_t)y * a.width;
    const gpu_window left = a.sides[GPU_LEFT].windows[row + (side == GPU_RIGHT ? x + disparity : x)];
    const gpu_window right = a.sides[GPU_RIGHT].windows[row + (side == GPU_RIGHT ? x : x - disparity)];
    if (left.inverse <= 0 || right.inverse <= 0) return FLAT;
    return sv_cost_of_correlation(sv_correlation(n, sum, left.sum, right.sum, left.inverse, right.inverse));
}

/* Finds the winners of one map (blockIdx.z) of a level from those of the level's own part and those of the coarser
 * level; on the left of level 0 then decides on the pixel. With the defaults, 3 candidates and windows of n pixels,
 * that is about 2.3 n fetches and 9 n operations. */
template <int STEPS, bool PRODUCTS>
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    merge_kernel(const __grid_constant__ merge_arguments a) {
    enum { REACH = SV_PYRAMID_REACH * STEPS, COUNT = 2 * REACH + 1 };
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    const int side = blockIdx.z;
    if (x >= a.width || y >= a.height) return;
    const merge_side &s = a.sides[side];
    const size_t at = (size_t)y * a.width + x;
    const int parent = s.parents[(size_t)(y / 2) * a.parents_width + x / 2];
    const int own = s.winners[at] < 0 ? -1 : s.winners[at] + a.own;
    const uint32_t own_cost = own < 0 ? FLAT : s.costs[at];

    const int first = STEPS * (2 * (a.base + parent) - a.min) - REACH;
    uint32_t costs[COUNT];
#pragma unroll
    for (int c = 0; c < COUNT; c++) costs[c] = SV_NO_COST;
    /* The own part has been searched. */
    if (parent >= 0 && (first < a.own || first + COUNT > a.own + a.own_count)) {
        uint32_t sums[COUNT];
        sum_windows<STEPS, PRODUCTS, COUNT>(a, side, x, y, first, sums);
#pragma unroll
        for (int c = 0; c < COUNT; c++)
            if (first + c < a.own || first + c >= a.own + a.own_count)
                costs[c] = cost_of<STEPS, PRODUCTS>(a, side, x, y, first + c, sums[c]);
    }
    int best = own;
    uint32_t cost = own_cost;
#pragma unroll
    for (int c = 0; c < COUNT; c++)
        if (costs[c] < cost || (costs[c] == cost && first + c < best)) {
            best = first + c;
            cost = costs[c];
        }
    s.winners[at] = (int16_t)best;
    if (!a.finest || side == GPU_RIGHT) return;

    float *disparity = gpu_row<float>(a.maps.disparity, y) + x;
    uint8_t *reason = gpu_row<uint8_t>(a.maps.reason, y) + x;
    if (best < 0) {
#pragma unroll
        for (int c = 0; c < COUNT; c++)
            if (costs[c] == FLAT) *reason = SV_NO_TEXTURE;
        return;
    }
    bool ambiguous = false;
    if (a.params.uniqueness) {
        ambiguous = best == own && *reason == SV_AMBIGUOUS;
        if (own >= 0 && abs(own - best) > STEPS)
            ambiguous |= sv_pyramid_ambiguous(PRODUCTS, a.params.uniqueness, cost, own_cost);
#pragma unroll
        for (int c = 0; c < COUNT; c++)
            if (costs[c] < FLAT && abs(first + c - best) > STEPS)
                ambiguous |= sv_pyramid_ambiguous(PRODUCTS, a.params.uniqueness, cost, costs[c]);
    }
    const int found = sv_judge_cost(cost, a.limit, ambiguous);
    *reason = (uint8_t)found;
    if (found != SV_VALID) {
        *disparity = INFINITY;
        return;
    }
    /* Inside its part the method has found the parabola. */
    if (best == own && best < a.own_count - 1) return;
    float offset = 0;
    if (a.params.subpixel) {
        uint32_t sums[3];
        sum_windows<STEPS, PRODUCTS, 3>(a, side, x, y, best - 1, sums);
        const uint32_t before = cost_of<STEPS, PRODUCTS>(a, side, x, y, best - 1, sums[0]);
        const uint32_t after = cost_of<STEPS, PRODUCTS>(a, side, x, y, best + 1, sums[2]);
        if (before < FLAT && after < FLAT) offset = sv_pyramid_offset(PRODUCTS, before, cost, after);
    }
    *disparity = sv_disparity(a.min, best, offset, STEPS);
}

/* ---- The levels ------------------------------------------------------------------------------- */

static sv_status merge(gpu_context *level, const gpu_pair *pair, const gpu_context *coarse, int base,
                       const sv_params *params, int l, const sv_output *maps, sv_error *error) {
    const int sides = params->left_right_check >= 0 ? 2 : 1;
    const sv_params own = sv_pyramid_params(params, l);
    const sv_pyramid_range range = sv_pyramid_range_of(params, l);
    const int steps = sv_steps(&own);
    merge_arguments a = {};
    a.maps = *maps;
    a.params = *params;
    a.width = level->width;
    a.height = level->height;
    a.rho = params->rho;
    a.rho_y = sv_rho_y(params);
    a.parents_width = coarse->width;
    a.base = base;
    a.min = range.min;
    a.count = (range.max - range.min) * steps + 1;
    a.own = (range.own_min - range.min) * steps;
    a.own_count = sv_candidates(&own);
    a.limit = sv_methods[params->method].correlates
                  ? sv_cost_of_correlation(params->min_correlation)
                  : sv_cost_limit(params->max_cost, (2 * a.rho + 1) * (2 * a.rho_y + 1), steps);
    a.finest = l == 0;
    /* zncc has left them there. */
    gpu_windows windows[GPU_SIDES];
    gpu_lay_out_windows(windows, level->width, level->height, level->scratch.data);
    for (int side = 0; side < GPU_SIDES; side++) {
        const int other = GPU_RIGHT - side;
        a.sides[side].reference = pair->nearest[side];
        a.sides[side].other = steps > 1 ? pair->between[other] : pair->nearest[other];
        a.sides[side].windows = windows[side].statistics;
        a.sides[side].costs = (const uint32_t *)level->costs[side].data;
        a.sides[side].winners = (int16_t *)level->winners[side].data;
        a.sides[side].parents = (const int16_t *)coarse->winners[side].data;
    }
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT), grid = grid_of(level, sides);
    if (sv_methods[params->method].correlates)
        merge_kernel<1, true><<<grid, block, 0, level->compute>>>(a);
    else if (steps == 1)
        merge_kernel<1, false><<<grid, block, 0, level->compute>>>(a);
    else if (steps == 2)
        merge_kernel<2, false><<<grid, block, 0, level->compute>>>(a);
    else
        merge_kernel<4, false><<<grid, block, 0, level->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

/* The context of half the size of `finer`, made when it is first asked for. */
static sv_status reserve_level(gpu_context *finer, gpu_context **made, sv_error *error) {
    if (!finer->coarser) {
        gpu_context *level = (gpu_context *)calloc(1, sizeof *level);
        if (!level) return sv_fail(error, SV_FAILED, "out of memory for the level of a pyramid");
        finer->coarser = level; /* which owns it, whatever happens */
        level->width = sv_pyramid_half(finer->width);
        level->height = sv_pyramid_half(finer->height);
        level->multiprocessors = finer->multiprocessors;
        level->capability = finer->capability;
        level->general = finer->general;
    }
    gpu_context *level = finer->coarser;
    const size_t pixels = (size_t)level->width * level->height;
    level->compute = finer->compute;
    /* If memory ran out in the middle of it, the next pair tries again. */
    if (!level->ready) {
        GPU_PASS(gpu_reserve(level, &level->pairs[0].disparity, pixels * sizeof(float), error));
        GPU_PASS(gpu_reserve(level, &level->pairs[0].reason, pixels, error));
        for (int side = 0; side < GPU_SIDES; side++)
            GPU_PASS(gpu_reserve(level, &level->winners[side], pixels * sizeof(int16_t), error));
        gpu_free_pictures(&level->pairs[0]);
        GPU_PASS(gpu_create_pictures(&level->pairs[0], level->width, level->height, error));
        level->ready = true;
    }
    *made = level;
    return SV_OK;
}

sv_status gpu_pyramid(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                      sv_error *error) {
    const int levels = sv_pyramid_levels(params);
    if (levels == 1) {
        sv_params all = *params;
        all.pyramid = 1;
        return gpu_match(context, pair, &all, maps, error);
    }
    gpu_context *level[SV_PYRAMID_LEVELS] = {context};
    const gpu_pair *pairs[SV_PYRAMID_LEVELS] = {pair};
    for (int l = 0; l < levels; l++) {
        if (l > 0) {
            GPU_PASS(reserve_level(level[l - 1], &level[l], error));
            pairs[l] = &level[l]->pairs[0];
            halve_arguments a;
            for (int side = 0; side < GPU_SIDES; side++) {
                a.from[side] = pairs[l - 1]->picture[side];
                a.to[side] = pairs[l]->picture[side];
            }
            halve_kernel<<<grid_of(level[l], GPU_SIDES), dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0, context->compute>>>(a);
            GPU_TRY(cudaGetLastError());
        }
        for (int side = 0; side < GPU_SIDES; side++)
            GPU_PASS(gpu_reserve(context, &level[l]->costs[side], sizeof(uint32_t) * level[l]->width * level[l]->height,
                                 error));
    }
    int base = 0; /* disparity of candidate 0 of the level before */
    for (int l = levels - 1; l >= 0; l--) {
        const sv_params own = sv_pyramid_params(params, l);
        sv_output found = *maps;
        if (l > 0) {
            const int width = level[l]->width, height = level[l]->height;
            found.disparity = {pairs[l]->disparity.data, width * sizeof(float), width, height, SV_FLOAT32, SV_DEVICE};
            found.reason = {pairs[l]->reason.data, (size_t)width, width, height, SV_REASON8, SV_DEVICE};
        }
        level[l]->keeps_costs = true;
        const sv_status status = gpu_match(level[l], pairs[l], &own, &found, error);
        level[l]->keeps_costs = false;
        GPU_PASS(status);
        if (l < levels - 1) GPU_PASS(merge(level[l], pairs[l], level[l + 1], base, params, l, &found, error));
        base = l == levels - 1 ? own.min_disparity : sv_pyramid_range_of(params, l).min;
    }
    return SV_OK;
}
