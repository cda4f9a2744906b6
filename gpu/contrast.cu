/* The contrast filter of both grey pictures (sv_contrast, --prefilter contrast).
 *
 * A block reads the pixels of its windows into shared memory once and sums them along the rows and then down the
 * columns: for each pixel, about 3 reads of the picture and 3 (2 RADIUS + 1) of shared memory. */
#include "gpu/cuda.cuh"

enum {
    RADIUS = SV_CONTRAST_RADIUS,
    WIDTH = 32, /* of a block, in pixels; a thread owns one */
    HEIGHT = 8,
    ROWS = HEIGHT + 2 * RADIUS,
    COLUMNS = WIDTH + 2 * RADIUS
};

struct contrast_arguments {
    sv_image from[GPU_SIDES], to[GPU_SIDES];
};

__global__ static void __launch_bounds__(WIDTH *HEIGHT) contrast_kernel(const __grid_constant__ contrast_arguments a) {
    __shared__ uint8_t pixels[ROWS][COLUMNS];
    __shared__ int2 sums[ROWS][WIDTH]; /* of 2 RADIUS + 1 pixels of a row: of their values, and of their squares */
    const sv_image &from = a.from[blockIdx.z];
    const int left = blockIdx.x * WIDTH - RADIUS, top = blockIdx.y * HEIGHT - RADIUS;
    const int thread = threadIdx.y * WIDTH + threadIdx.x;
    for (int i = thread; i < ROWS * COLUMNS; i += WIDTH * HEIGHT) {
        const int row = i / COLUMNS, column = i % COLUMNS;
        const uint8_t *line = gpu_row<const uint8_t>(from, sv_clamp(top + row, from.height));
        pixels[row][column] = line[sv_clamp(left + column, from.width)];
    }
    __syncthreads();
    for (int row = threadIdx.y; row < ROWS; row += HEIGHT) {
        int2 sum = make_int2(0, 0);
        for (int i = 0; i <= 2 * RADIUS; i++) {
            const int value = pixels[row][threadIdx.x + i];
            sum.x += value;
            sum.y += value * value;
        }
        sums[row][threadIdx.x] = sum;
    }
    __syncthreads();
    const int x = left + RADIUS + threadIdx.x, y = top + RADIUS + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    int2 sum = make_int2(0, 0);
    for (int i = 0; i <= 2 * RADIUS; i++) {
        const int2 row = sums[threadIdx.y + i][threadIdx.x];
        sum.x += row.x;
        sum.y += row.y;
    }
    const int grey = pixels[threadIdx.y + RADIUS][threadIdx.x + RADIUS];
    gpu_row<uint8_t>(a.to[blockIdx.z], y)[x] = (uint8_t)sv_contrast(grey, sum.x, sum.y);
}

sv_status gpu_contrast(gpu_context *context, gpu_pair *pair, sv_error *error) {
    contrast_arguments a;
    for (int side = 0; side < GPU_SIDES; side++) {
        a.from[side] = pair->picture[side];
        GPU_PASS(gpu_use_filtered(context, pair, side, error));
        a.to[side] = pair->picture[side];
    }
    pair->coloured = false;
    const dim3 grid(gpu_blocks(context->width, WIDTH), gpu_blocks(context->height, HEIGHT), GPU_SIDES);
    contrast_kernel<<<grid, dim3(WIDTH, HEIGHT), 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
