/* The fill `surface`: see cpu/surface.c. */
#include "gpu/launch.cuh"
#include "stereo/doubt.h"

/* A thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

/* Collects the sure disparities. `sources`: height x width, dense; INFINITY where there is none. `right_winners`: NULL
 * without a left-right check. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    sources_kernel(const __grid_constant__ sv_output maps, const int16_t *left_winners, const int16_t *right_winners,
                   int min_disparity, int steps, int count /* candidates */, float *sources) {
    gpu_begin();
    const int width = maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= maps.disparity.height) return;
    const size_t row = (size_t)y * width;
    const uint8_t *reason = gpu_row<const uint8_t>(maps.reason, y);
    bool sure = true;
    for (int u = x; u <= min(x + 1, width - 1); u++) {
        bool confirmed = reason[u] == SV_VALID && sv_has_choice(u, width, min_disparity, steps, count);
        if (confirmed && right_winners) {
            const int left = left_winners[row + u],
                      match = sv_nearest_column(steps * (u - min_disparity) - left, steps);
            confirmed = match >= 0 && match < width && right_winners[row + match] == left;
        }
        sure = sure && confirmed;
    }
    sources[row + x] = sure ? gpu_row<const float>(maps.disparity, y)[x] : INFINITY;
}

/* A sure disparity, and what the way to it costs. */
struct candidate {
    float value; /* INFINITY: there is none */
    int cost;
};

/* The nearest sure disparity on the way that begins at (x, y) and has `count` more pixels, each `across` columns and
 * `down` rows from the one before; none if it costs more than `most`. */
__device__ static __forceinline__ candidate follow(const sv_image &left, const float *sources, int x, int y, int across,
                                                   int down, int count, int most) {
    candidate found = {INFINITY, 0};
    int grey = gpu_row<const uint8_t>(left, y)[x];
    for (int i = 0; i < count; i++) {
        x += across;
        y += down;
        const int next = gpu_row<const uint8_t>(left, y)[x];
        found.cost += 1 + abs(next - grey);
        grey = next;
        if (found.cost > most) break;
        found.value = sources[(size_t)y * left.width + x];
        if (found.value < INFINITY) break;
    }
    return found;
}

/* A thread follows the four ways from its pixel, each for at most SV_SURFACE_REACH pixels, because a pixel costs at
 * least a unit. Others read `sources`, not the map, so the map can change in place. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    surface_kernel(const __grid_constant__ sv_output maps, const __grid_constant__ sv_image left,
                   const int16_t *right_winners, int first, int steps, const float *sources) {
    gpu_begin();
    const int width = left.width, height = left.height;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height || sources[(size_t)y * width + x] < INFINITY) return;
    candidate ways[4];
    ways[0] = follow(left, sources, x, y, -1, 0, x, SV_SURFACE_REACH);
    ways[1] = follow(left, sources, x, y, 1, 0, width - 1 - x, SV_SURFACE_REACH);
    const float limit = fminf(ways[0].value, ways[1].value) + 1;
    candidate best = {INFINITY, SV_SURFACE_REACH + SV_SURFACE_NEARER + 1};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i >= 2) {
            /* One that costs as much as the best so far would not be taken. */
            const int down = i == 2 ? -1 : 1, count = i == 2 ? y : height - 1 - y;
            ways[i] = follow(left, sources, x, y, 0, down, count, min(SV_SURFACE_REACH, best.cost - 1));
        }
        const int cost = ways[i].cost + (ways[i].value > limit ? SV_SURFACE_NEARER : 0);
        if (!(ways[i].value < INFINITY) || cost >= best.cost) continue;
        if (right_winners &&
            sv_surface_is_refuted(ways[i].value, x, right_winners + (size_t)y * width, width, first, steps))
            continue;
        best = {ways[i].value, cost};
    }
    if (!(best.value < INFINITY)) return;
    gpu_row<float>(maps.disparity, y)[x] = best.value;
    gpu_row<uint8_t>(maps.reason, y)[x] = SV_FILLED;
}

sv_status gpu_continue_surfaces(gpu_context *context, const sv_params *params, const sv_image *left,
                                const sv_output *maps, float *sources, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    const int steps = sv_steps(params);
    const int16_t *right = params->left_right_check >= 0 ? (const int16_t *)context->winners[GPU_RIGHT].data : NULL;
    GPU_PASS(gpu_launch(context, error, sources_kernel, grid, block, *maps,
                        (const int16_t *)context->winners[GPU_LEFT].data, right, params->min_disparity, steps,
                        sv_candidates(params), sources));
    return gpu_launch(context, error, surface_kernel, grid, block, *maps, *left, right, params->min_disparity * steps,
                      steps, (const float *)sources);
}
