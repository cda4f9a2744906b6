/* What follows the matching: the left-right check and the median filter. */
#include "gpu/cuda.cuh"

/* Both kernels: a thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

/* A pixel's match must have matched back: `winners`, height x width candidates each, are compared where the
 * match lies in the right picture. */
__global__ static void check_kernel(const __grid_constant__ sv_output maps, const int16_t *left_winners,
                                    const int16_t *right_winners,
                                    int first /* position of candidate 0, in 1/steps pixels */, int steps,
                                    int tolerance /* candidates */) {
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

/* The lower median of the values in a SIZE x SIZE window, clipped to the picture, for the pixels that have one. */
template <int SIZE>
__global__ static void median_kernel(const __grid_constant__ sv_image from, const __grid_constant__ sv_image to) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    enum { COUNT = SIZE * SIZE };
    float values[COUNT];
    int valued = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const int column = x + i % SIZE - SIZE / 2, row = y + i / SIZE - SIZE / 2;
        const bool inside = column >= 0 && column < from.width && row >= 0 && row < from.height;
        values[i] = inside ? gpu_row<const float>(from, row)[column] : INFINITY;
        valued += values[i] < INFINITY;
    }
    float median = values[COUNT / 2];
    if (median < INFINITY) {
        /* Pixels without a value are infinite and end up last. Sorting stops at the middle, above which the
         * median never is; every index is known to the compiler, so the values stay in registers. */
        const int wanted = (valued - 1) / 2;
#pragma unroll
        for (int i = 0; i <= COUNT / 2; i++) {
#pragma unroll
            for (int j = i + 1; j < COUNT; j++) {
                const float low = fminf(values[i], values[j]), high = fmaxf(values[i], values[j]);
                values[i] = low;
                values[j] = high;
            }
            if (i == wanted) median = values[i];
        }
    }
    gpu_row<float>(to, y)[x] = median;
}

sv_status gpu_refine(gpu_context *context, const sv_params *params, const sv_output *maps, const sv_image *filtered,
                     sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    if (params->left_right_check >= 0) {
        const int steps = sv_steps(params);
        check_kernel<<<grid, block, 0, context->compute>>>(
            *maps, (const int16_t *)context->winners[GPU_LEFT].data, (const int16_t *)context->winners[GPU_RIGHT].data,
            params->min_disparity * steps, steps, params->left_right_check * steps);
        GPU_TRY(cudaGetLastError());
    }
    switch (params->median) {
    case 0: return SV_OK;
    case 3: median_kernel<3><<<grid, block, 0, context->compute>>>(maps->disparity, *filtered); break;
    case 5: median_kernel<5><<<grid, block, 0, context->compute>>>(maps->disparity, *filtered); break;
    default: return sv_fail(error, SV_USAGE, "there is no median filter of %d pixels on cuda", params->median);
    }
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
