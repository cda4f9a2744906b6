/* The two median filters: the plain one, and one whose values are weighed by the left picture. */
#include "gpu/cuda.cuh"

/* In all kernels a thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8, MAX_RADIUS = 7 };

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

/* A float as an integer of the same order, and back. */
__device__ static __forceinline__ int to_key(float value) {
    const int bits = __float_as_int(value);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}
__device__ static __forceinline__ float from_key(int key) { return __int_as_float(key < 0 ? key ^ INT32_MAX : key); }

/* The smallest value of the window for which it and the smaller ones have at least half of the window's weight. It is
 * found by bisection: the sum of the weights of all values up to the middle of the range that is left tells in which
 * half it lies, and the range then shrinks to the values that are there, so that it ends soon where they are few.
 *
 * keys, greys: the block's pixels and those around it up to the radius, as keys in the order of their values (of
 * infinity where there is none) and as grey values of the left picture. weights: the table, where threads of a warp
 * can read different entries at once. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    weighted_median_kernel(const __grid_constant__ sv_image from, const __grid_constant__ sv_image to,
                           const __grid_constant__ sv_image left, const __grid_constant__ gpu_weights table,
                           int radius) {
    __shared__ int keys[BLOCK_HEIGHT + 2 * MAX_RADIUS][BLOCK_WIDTH + 2 * MAX_RADIUS];
    __shared__ uint8_t greys[BLOCK_HEIGHT + 2 * MAX_RADIUS][BLOCK_WIDTH + 2 * MAX_RADIUS], weights[SV_WEIGHTS];
    const int left_edge = blockIdx.x * BLOCK_WIDTH - radius, top = blockIdx.y * BLOCK_HEIGHT - radius;
    const int thread = threadIdx.y * BLOCK_WIDTH + threadIdx.x;
    for (int row = threadIdx.y; row < BLOCK_HEIGHT + 2 * radius; row += BLOCK_HEIGHT)
        for (int column = threadIdx.x; column < BLOCK_WIDTH + 2 * radius; column += BLOCK_WIDTH) {
            const int x = left_edge + column, y = top + row;
            const bool inside = x >= 0 && x < from.width && y >= 0 && y < from.height;
            keys[row][column] = to_key(inside ? gpu_row<const float>(from, y)[x] : INFINITY);
            greys[row][column] = inside ? gpu_row<const uint8_t>(left, y)[x] : 0;
        }
    weights[thread] = table.of[thread];
    __syncthreads();

    const int x = left_edge + radius + threadIdx.x, y = top + radius + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    const int none = to_key(INFINITY), grey = greys[threadIdx.y + radius][threadIdx.x + radius];
    int low = keys[threadIdx.y + radius][threadIdx.x + radius], high = low;
    if (low != none) {
        /* Calls `use(key, weight)` for all values of the window. */
        const auto each = [&](const auto &use) {
            for (int row = threadIdx.y; row <= (int)threadIdx.y + 2 * radius; row++)
                for (int column = threadIdx.x; column <= (int)threadIdx.x + 2 * radius; column++)
                    if (keys[row][column] != none) use(keys[row][column], (int)weights[abs(greys[row][column] - grey)]);
        };
        int total = 0;
        each([&](int key, int weight) {
            total += weight;
            low = min(low, key);
            high = max(high, key);
        });
        while (low < high) {
            const int middle = low + (int)(((unsigned)high - (unsigned)low) / 2);
            int sum = 0, below = low, above = high;
            each([&](int key, int weight) {
                if (key <= middle) {
                    sum += weight;
                    below = max(below, key);
                } else {
                    above = min(above, key);
                }
            });
            if (2 * sum >= total)
                high = below;
            else
                low = above;
        }
    }
    gpu_row<float>(to, y)[x] = from_key(low);
}

/* ---- Launching -------------------------------------------------------------------------------- */

sv_status gpu_median(gpu_context *context, const sv_params *params, const sv_image *from, const sv_image *to,
                     sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    switch (params->median) {
    case 3: median_kernel<3><<<grid, block, 0, context->compute>>>(*from, *to); break;
    case 5: median_kernel<5><<<grid, block, 0, context->compute>>>(*from, *to); break;
    default: return sv_fail(error, SV_USAGE, "there is no median filter of %d pixels on cuda", params->median);
    }
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

sv_status gpu_weighted_median(gpu_context *context, const sv_params *params, const sv_image *left, const sv_image *from,
                              const sv_image *to, sv_error *error) {
    if (params->weighted_median > MAX_RADIUS)
        return sv_fail(error, SV_USAGE, "there is no weighted median of radius %d on cuda", params->weighted_median);
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    weighted_median_kernel<<<grid, block, 0, context->compute>>>(*from, *to, *left, context->weights,
                                                                 params->weighted_median);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
