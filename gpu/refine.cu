/* Refinement: the removal of what the pictures or the right map do not confirm, and the order of the steps. */
#include "gpu/launch.cuh"
#include "gpu/speckle.cuh"
#include "stereo/doubt.h"

/* A block has TILE rows of a warp's width, and a warp has ROWS of them, of which a lane owns one column. */
enum {
    WARPS = GPU_REGION_WARPS,
    ROWS = GPU_REGION_ROWS,
    TILE = GPU_REGION_HEIGHT,
    RADIUS = SV_FLAT_RADIUS,
    WINDOW = 2 * RADIUS + 1,
    COLUMNS = GPU_WARP + 2 * RADIUS,
    COLUMN_WARPS = (COLUMNS + GPU_WARP - 1) / GPU_WARP,
    NO_MATCH = -1 /* instead of a reason */
};

/* The blocks of a multiprocessor for which registers suffice, so that all of a small picture run at once. With compute
 * capability 7.5 it has no more than 1024 threads, which are 4 blocks; shared memory may let fewer run. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
enum { BLOCKS = 4 };
#else
enum { BLOCKS = 5 };
#endif

struct doubt_arguments {
    sv_output maps;
    sv_image left;                     /* the picture; without data, flat pixels stay */
    const int16_t *winners[GPU_SIDES]; /* height x width; NULL: no check */
    int first;                         /* disparity of candidate 0, in 1/steps pixel */
    int steps;
    int tolerance; /* candidates */
    int min_confidence;
    gpu_regions regions;
};

/* The reason to remove the match of a pixel, from its winner in the left map; SV_VALID if there is none. */
__device__ static __forceinline__ int doubt(const doubt_arguments &a, int x, int y) {
    const int width = a.maps.disparity.width;
    if (a.winners[GPU_LEFT]) {
        const size_t row = (size_t)y * width;
        const int left = a.winners[GPU_LEFT][row + x],
                  match = sv_nearest_column(a.steps * x - (a.first + left), a.steps);
        const int right = match >= 0 && match < width ? a.winners[GPU_RIGHT][row + match] : -1;
        if (right < 0 || abs(right - left) > a.tolerance) return SV_LEFT_RIGHT_CONFLICT;
    }
    if (a.min_confidence && gpu_row<const uint8_t>(a.maps.confidence, y)[x] < a.min_confidence) return SV_POOR_MATCH;
    return SV_VALID;
}

/* A grey value, and its distance from white in the upper half, so that the least of such words is a range of values. */
__device__ static __forceinline__ uint32_t range_of(int grey) { return (uint32_t)(grey | (UINT8_MAX - grey) << 16); }

/* True if the range has few values, see stereo/doubt.h. */
__device__ static __forceinline__ bool is_flat(uint32_t range) {
    return (int)((range & 0xffff) + (range >> 16)) >= UINT8_MAX - SV_FLAT_LEVELS;
}

/* The ranges of the windows of a row, from those of its columns, COLUMNS in all: a lane has one in `low`, and those
 * that follow in `high`. */
__device__ static __forceinline__ uint32_t widen(uint32_t low, uint32_t high) {
    const int lane = threadIdx.x;
#pragma unroll
    for (int size = 1; size < WINDOW; size *= 2) {
        const int step = 2 * size < WINDOW ? size : WINDOW - size;
        const uint32_t in_low = __shfl_sync(GPU_LANES, low, lane + step),
                       in_high = __shfl_sync(GPU_LANES, high, lane + step);
        low = __vminu2(low, lane + step < GPU_WARP ? in_low : in_high);
        high = __vminu2(high, in_high); /* beyond COLUMNS it has no meaning */
    }
    return low;
}

/* Removes the matches that are in doubt, and finds the regions of the others. The windows of a column all contain row
 * RADIUS * 2 of the block and those around it, because a block has fewer rows than a window: a thread finds the ranges
 * from there up, another one those down, and each window is one of both. So a pixel takes 4 reads of the picture and 4
 * minima along the columns, and, where some columns are flat, 9 more and 9 shuffles along its row.
 *
 * up, down: of the rows from i to the last one of the first window, and from there to the last one of window i. */
__global__ static void __launch_bounds__(WARPS *GPU_WARP, BLOCKS)
    doubt_kernel(const __grid_constant__ doubt_arguments a) {
    static_assert(TILE < WINDOW && COLUMNS <= 2 * GPU_WARP && 2 * COLUMN_WARPS <= WARPS, "the ranges of a block");
    __shared__ uint32_t up[TILE][COLUMNS], down[TILE][COLUMNS];
    __shared__ gpu_region_block block;
    gpu_begin();
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x = (int)blockIdx.x * GPU_WARP + lane, top = (int)blockIdx.y * TILE;
    const int column = warp % COLUMN_WARPS * GPU_WARP + lane;
    const bool finds = a.left.data && warp < 2 * COLUMN_WARPS && column < COLUMNS, goes_up = warp < COLUMN_WARPS;
    uint32_t ranges[WINDOW];
    if (finds)
#pragma unroll
        for (int i = 0; i < WINDOW; i++) {
            const int row = goes_up ? WINDOW - 1 - i : WINDOW - 1 + i;
            ranges[i] = range_of(gpu_row<const uint8_t>(
                a.left, sv_clamp(top - RADIUS + row,
                                 a.left.height))[sv_clamp((int)blockIdx.x * GPU_WARP - RADIUS + column, a.left.width)]);
        }
    int reasons[ROWS];
    float values[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int y = top + warp * ROWS + i;
        const bool inside = x < a.maps.reason.width && y < a.maps.reason.height;
        values[i] = inside ? gpu_row<const float>(a.maps.disparity, y)[x] : INFINITY;
        reasons[i] = inside && gpu_row<const uint8_t>(a.maps.reason, y)[x] == SV_VALID ? doubt(a, x, y) : (int)NO_MATCH;
    }
    if (finds)
#pragma unroll
        for (int i = 0; i < WINDOW; i++) {
            if (i) ranges[i] = __vminu2(ranges[i], ranges[i ? i - 1 : 0]);
            if (goes_up && i) up[WINDOW - 1 - i][column] = ranges[i];
            if (!goes_up && i < TILE) down[i][column] = ranges[i];
        }
    if (a.left.data) __syncthreads();
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int row = warp * ROWS + i, y = top + row, last = min(lane + GPU_WARP, COLUMNS - 1);
        if (a.left.data) {
            /* Each window begins with one of the first columns. */
            const uint32_t low = __vminu2(up[row][lane], down[row][lane]);
            if (__any_sync(GPU_LANES, is_flat(low)) && is_flat(widen(low, __vminu2(up[row][last], down[row][last]))) &&
                reasons[i] == SV_VALID)
                reasons[i] = SV_NO_TEXTURE;
        }
        if (reasons[i] == NO_MATCH || reasons[i] == SV_VALID) continue;
        gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reasons[i];
        gpu_row<float>(a.maps.disparity, y)[x] = values[i] = INFINITY;
    }
    if (a.regions.size) gpu_find_regions(a.regions, block, values, a.maps.disparity.width, a.maps.disparity.height);
}

static sv_status remove_doubtful(gpu_context *context, const gpu_pair *pair, const sv_params *params,
                                 const sv_output *maps, gpu_regions *regions, sv_error *error) {
    const bool checks = params->left_right_check >= 0, removes_flat = sv_needs_texture(params->method);
    GPU_PASS(gpu_reserve_regions(context, params, regions, error));
    if (!checks && !params->min_confidence && !removes_flat && !regions->size) return SV_OK;
    doubt_arguments a = {};
    a.regions = *regions;
    a.maps = *maps;
    if (removes_flat) a.left = pair->picture[GPU_LEFT];
    for (int side = 0; checks && side < GPU_SIDES; side++)
        a.winners[side] = (const int16_t *)context->winners[side].data;
    a.steps = sv_steps(params);
    a.first = params->min_disparity * a.steps;
    a.tolerance = params->left_right_check * a.steps;
    a.min_confidence = params->min_confidence;
    const dim3 grid(gpu_blocks(context->width, GPU_WARP), gpu_blocks(context->height, TILE));
    GPU_PASS(gpu_launch(context, error, doubt_kernel, grid, dim3(GPU_WARP, WARPS), a));
    return regions->size ? gpu_join_regions(context, regions, &maps->disparity, error) : SV_OK;
}

/* The passes of gpu_clean: those before the map is filled, which remove speckles and fill holes, and, after that, the
 * one for the median alone. Unless the map is filled, the last of the first ones has the median, too. */
static int passes_before_fill(const sv_params *params) {
    const int holes = params->holes ? params->hole_passes : 0;
    return max(holes, params->speckle_size || (params->median && params->fill == SV_FILL_NONE) ? 1 : 0);
}
static bool filters_filled(const sv_params *params) { return params->fill != SV_FILL_NONE && params->median; }

int gpu_refine_passes(const sv_params *params) {
    return passes_before_fill(params) + (params->fill != SV_FILL_NONE) + filters_filled(params) +
           (params->weighted_median > 0) + (params->average > 0);
}

sv_status gpu_refine(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                     const sv_image *spare, sv_error *error) {
    sv_output now = *maps; /* the result so far */
    sv_image next = *spare;
    const auto swap = [&] {
        const sv_image filtered = next;
        next = now.disparity;
        now.disparity = filtered;
    };
    gpu_regions regions, none = {};
    GPU_PASS(remove_doubtful(context, pair, params, &now, &regions, error));
    const int passes = passes_before_fill(params);
    for (int i = 0; i < passes; i++) {
        const bool ends = i == passes - 1 && params->fill == SV_FILL_NONE;
        GPU_PASS(gpu_clean(context, params, &now, i ? &none : &regions, params->holes && i < params->hole_passes,
                           ends ? params->median : 0, &next, error));
        swap();
    }
    if (params->fill != SV_FILL_NONE) {
        GPU_PASS(gpu_fill(context, params, &pair->picture[GPU_LEFT], &now, &next, error));
        swap();
    }
    if (filters_filled(params)) {
        GPU_PASS(gpu_clean(context, params, &now, &none, false, params->median, &next, error));
        swap();
    }
    if (params->weighted_median) {
        GPU_PASS(gpu_weighted_median(context, params, &pair->picture[GPU_LEFT], &now.disparity, &next, error));
        swap();
    }
    if (params->average) GPU_PASS(gpu_average(context, params, &now.disparity, &next, error));
    return SV_OK;
}
