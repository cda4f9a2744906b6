/* Refinement: the left-right check, and the order of the steps. */
#include "gpu/launch.cuh"

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
