/* The filling of holes: see cpu/holes.c. */
#include "gpu/launch.cuh"
#include "gpu/sort.cuh"

enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8, SIZE = 5, RADIUS = SIZE / 2, COUNT = SIZE * SIZE };

/* A thread owns one pixel; a pixel that has a value keeps it. The values around it are sorted in registers, the missing
 * ones last. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    holes_kernel(const __grid_constant__ sv_output maps, const __grid_constant__ sv_image to, int least, float range) {
    gpu_begin();
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    const int width = to.width, height = to.height;
    if (x >= width || y >= height) return;
    float value = gpu_row<const float>(maps.disparity, y)[x];
    if (!(value < INFINITY)) {
        float values[COUNT], highest = -INFINITY;
        int count = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int u = x + i % SIZE - RADIUS, v = y + i / SIZE - RADIUS;
            const bool inside = u >= 0 && u < width && v >= 0 && v < height;
            values[i] = inside ? gpu_row<const float>(maps.disparity, v)[u] : INFINITY;
            if (!(values[i] < INFINITY)) continue;
            count++;
            highest = fmaxf(highest, values[i]);
        }
        gpu_sort<COUNT>(values);
        if (count >= least && count > 0 && highest - values[0] <= range) {
#pragma unroll
            for (int i = 0; i < COUNT / 2; i++)
                if (i == (count - 1) / 2) value = values[i];
            gpu_row<uint8_t>(maps.reason, y)[x] = SV_FILLED;
        }
    }
    gpu_row<float>(to, y)[x] = value;
}

sv_status gpu_fill_holes(gpu_context *context, const sv_params *params, const sv_output *maps, const sv_image *to,
                         sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    return gpu_launch(context, error, holes_kernel, grid, block, *maps, *to, params->holes, params->speckle_range);
}
