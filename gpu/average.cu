/* The moving average: the mean of the values in a window about each pixel that has one. */
#include "gpu/cuda.cuh"

/* A thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8, UNIT = 4096 /* of a pixel's disparity: whole numbers have exact sums */ };

/* The window has 2 radius + 1 pixels each way, and is clipped to the picture. Its values come from the cache: at
 * 9 x 9 and one load each they take less time than the launches of two passes would. */
__global__ static void average_kernel(const __grid_constant__ sv_image from, const __grid_constant__ sv_image to,
                                      int radius) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    float mean = gpu_row<const float>(from, y)[x];
    if (mean < INFINITY) {
        const int left = max(x - radius, 0), right = min(x + radius, from.width - 1);
        const int top = max(y - radius, 0), bottom = min(y + radius, from.height - 1);
        int sum = 0, count = 0;
        for (int row = top; row <= bottom; row++)
            for (int column = left; column <= right; column++) {
                const float value = gpu_row<const float>(from, row)[column];
                if (!(value < INFINITY)) continue;
                sum += (int)rintf(UNIT * value);
                count++;
            }
        mean = (float)sum / (float)count / UNIT;
    }
    gpu_row<float>(to, y)[x] = mean;
}

sv_status gpu_average(gpu_context *context, const sv_params *params, const sv_image *from, const sv_image *to,
                      sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    average_kernel<<<grid, block, 0, context->compute>>>(*from, *to, params->average / 2);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
