/* The moving average: the mean of the values in the window around each pixel that has a value. */
#include "gpu/cuda.cuh"

/* A thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };
enum {
    COUNT_BITS = 4, /* for up to 2 SV_AVERAGE_RADIUS + 1 values */
    COUNT = (1 << COUNT_BITS) - 1
};

/* The window has 2 radius + 1 pixels in each direction and is clipped to the picture. The lower COUNT_BITS of a value
 * or a sum hold the number of values, the upper bits their sum in units; 2^31 is enough for nine disparities.
 *
 * values: the block's pixels and those around it up to the radius; 0 where there is no value.
 * rows: sums over the 2 radius + 1 pixels around a pixel in its row. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    average_kernel(const __grid_constant__ sv_image from, const __grid_constant__ sv_image to, int radius) {
    __shared__ int values[BLOCK_HEIGHT + 2 * SV_AVERAGE_RADIUS][BLOCK_WIDTH + 2 * SV_AVERAGE_RADIUS];
    __shared__ int rows[BLOCK_HEIGHT + 2 * SV_AVERAGE_RADIUS][BLOCK_WIDTH];
    const int left = (int)blockIdx.x * BLOCK_WIDTH - radius, top = (int)blockIdx.y * BLOCK_HEIGHT - radius;
    for (int row = threadIdx.y; row < BLOCK_HEIGHT + 2 * radius; row += BLOCK_HEIGHT)
        for (int column = threadIdx.x; column < BLOCK_WIDTH + 2 * radius; column += BLOCK_WIDTH) {
            const int x = left + column, y = top + row;
            const bool inside = x >= 0 && x < from.width && y >= 0 && y < from.height;
            const float value = inside ? gpu_row<const float>(from, y)[x] : INFINITY;
            values[row][column] = value < INFINITY ? (int)rintf(SV_AVERAGE_UNIT * value) * (COUNT + 1) + 1 : 0;
        }
    __syncthreads();
    for (int row = threadIdx.y; row < BLOCK_HEIGHT + 2 * radius; row += BLOCK_HEIGHT) {
        int sum = 0;
        for (int i = 0; i <= 2 * radius; i++) sum += values[row][threadIdx.x + i];
        rows[row][threadIdx.x] = sum;
    }
    __syncthreads();

    const int x = left + radius + threadIdx.x, y = top + radius + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    float mean = INFINITY;
    if (values[threadIdx.y + radius][threadIdx.x + radius]) {
        int sum = 0, count = 0;
        for (int i = 0; i <= 2 * radius; i++) {
            const int row = rows[threadIdx.y + i][threadIdx.x];
            sum += row >> COUNT_BITS;
            count += row & COUNT;
        }
        mean = (float)sum / (float)count / SV_AVERAGE_UNIT;
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
