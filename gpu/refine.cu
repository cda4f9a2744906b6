/* Refinement: the removal of what the pictures or the right map do not confirm, and the order of the steps. */
#include "gpu/launch.cuh"
#include "stereo/doubt.h"

/* A thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

/* Invalidates pixels whose match does not point back: compares `winners`, height x width candidates each, at the pixel
 * and at its match in the right picture. */
__global__ static void check_kernel(const __grid_constant__ sv_output maps, const int16_t *left_winners,
                                    const int16_t *right_winners,
                                    int first /* disparity of candidate 0, in 1/steps pixel */, int steps,
                                    int tolerance /* candidates */) {
    gpu_begin();
    const int width = maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= maps.disparity.height) return;
    uint8_t *reason = gpu_row<uint8_t>(maps.reason, y) + x;
    if (*reason != SV_VALID) return;
    const int left = left_winners[(size_t)y * width + x];
    const int right_x = sv_nearest_column(steps * x - (first + left), steps);
    if (right_x >= 0 && right_x < width) {
        const int right = right_winners[(size_t)y * width + right_x];
        if (right >= 0 && abs(right - left) <= tolerance) return;
    }
    *reason = SV_LEFT_RIGHT_CONFLICT;
    gpu_row<float>(maps.disparity, y)[x] = INFINITY;
}

__global__ static void unsure_kernel(const __grid_constant__ sv_output maps, int least) {
    gpu_begin();
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= maps.reason.width || y >= maps.reason.height) return;
    uint8_t *reason = gpu_row<uint8_t>(maps.reason, y) + x;
    if (*reason != SV_VALID || gpu_row<const uint8_t>(maps.confidence, y)[x] >= least) return;
    *reason = SV_POOR_MATCH;
    gpu_row<float>(maps.disparity, y)[x] = INFINITY;
}

/* Removes the matches that are not sure enough. */
static sv_status remove_unsure(gpu_context *context, const sv_params *params, const sv_output *maps, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    return gpu_launch(context, error, unsure_kernel, grid, block, *maps, params->min_confidence);
}

/* Removes the matches that the left picture does not show, see stereo/doubt.h.
 *
 * grey: the block's pixels and those around it up to the radius, those beyond the edges repeated.
 * least, most: of the pixels of a row up to the radius from each column. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    flat_kernel(const __grid_constant__ sv_output maps, const __grid_constant__ sv_image picture) {
    enum { RADIUS = SV_FLAT_RADIUS, ROWS = BLOCK_HEIGHT + 2 * RADIUS, COLUMNS = BLOCK_WIDTH + 2 * RADIUS };
    __shared__ uint8_t grey[ROWS][COLUMNS], least[ROWS][BLOCK_WIDTH], most[ROWS][BLOCK_WIDTH];
    gpu_begin();
    const int left = (int)blockIdx.x * BLOCK_WIDTH - RADIUS, top = (int)blockIdx.y * BLOCK_HEIGHT - RADIUS;
    for (int row = threadIdx.y; row < ROWS; row += BLOCK_HEIGHT)
        for (int column = threadIdx.x; column < COLUMNS; column += BLOCK_WIDTH)
            grey[row][column] = gpu_row<const uint8_t>(
                picture, sv_clamp(top + row, picture.height))[sv_clamp(left + column, picture.width)];
    __syncthreads();
    for (int row = threadIdx.y; row < ROWS; row += BLOCK_HEIGHT) {
        int low = UINT8_MAX, high = 0;
        for (int i = 0; i <= 2 * RADIUS; i++) {
            low = min(low, (int)grey[row][threadIdx.x + i]);
            high = max(high, (int)grey[row][threadIdx.x + i]);
        }
        least[row][threadIdx.x] = (uint8_t)low;
        most[row][threadIdx.x] = (uint8_t)high;
    }
    __syncthreads();

    const int x = left + RADIUS + threadIdx.x, y = top + RADIUS + threadIdx.y;
    if (x >= picture.width || y >= picture.height) return;
    uint8_t *reason = gpu_row<uint8_t>(maps.reason, y) + x;
    int low = UINT8_MAX, high = 0;
    for (int i = 0; i <= 2 * RADIUS; i++) {
        low = min(low, (int)least[threadIdx.y + i][threadIdx.x]);
        high = max(high, (int)most[threadIdx.y + i][threadIdx.x]);
    }
    if (*reason != SV_VALID || high - low > SV_FLAT_LEVELS) return;
    *reason = SV_NO_TEXTURE;
    gpu_row<float>(maps.disparity, y)[x] = INFINITY;
}

static sv_status remove_flat(gpu_context *context, const sv_image *left, const sv_output *maps, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    return gpu_launch(context, error, flat_kernel, grid, block, *maps, *left);
}

static sv_status check(gpu_context *context, const sv_params *params, const sv_output *maps, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    const int steps = sv_steps(params);
    return gpu_launch(context, error, check_kernel, grid, block, *maps,
                      (const int16_t *)context->winners[GPU_LEFT].data,
                      (const int16_t *)context->winners[GPU_RIGHT].data, params->min_disparity * steps, steps,
                      params->left_right_check * steps);
}

int gpu_refine_passes(const sv_params *params) {
    return (params->holes > 0) * params->hole_passes + (params->fill != SV_FILL_NONE) + (params->median > 0) +
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
    if (params->left_right_check >= 0) GPU_PASS(check(context, params, &now, error));
    if (params->min_confidence) GPU_PASS(remove_unsure(context, params, &now, error));
    if (sv_needs_texture(params->method)) GPU_PASS(remove_flat(context, &pair->picture[GPU_LEFT], &now, error));
    if (params->speckle_size) GPU_PASS(gpu_speckle(context, params, &now, error));
    for (int i = 0; params->holes && i < params->hole_passes; i++) {
        GPU_PASS(gpu_fill_holes(context, params, &now, &next, error));
        swap();
    }
    if (params->fill != SV_FILL_NONE) {
        GPU_PASS(gpu_fill(context, params, &pair->picture[GPU_LEFT], &now, &next, error));
        swap();
    }
    if (params->median) {
        GPU_PASS(gpu_median(context, params, &now.disparity, &next, error));
        swap();
    }
    if (params->weighted_median) {
        GPU_PASS(gpu_weighted_median(context, params, &pair->picture[GPU_LEFT], &now.disparity, &next, error));
        swap();
    }
    if (params->average) GPU_PASS(gpu_average(context, params, &now.disparity, &next, error));
    return SV_OK;
}
