/* The median whose values are weighted by the left picture. */
#include "gpu/cuda.cuh"

/* A thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8, MAX_RADIUS = 7 };

/* A block's pixels and those around them up to the radius. */
template <int RADIUS> using block_values = float[BLOCK_HEIGHT + 2 * RADIUS][BLOCK_WIDTH + 2 * RADIUS];

/* Calls `use(row, column, x, y, inside)` for every pixel of block_values<RADIUS>, at (x, y) of the picture. */
template <int RADIUS, typename use_pixel>
__device__ static __forceinline__ void each_around(int width, int height, const use_pixel &use) {
#pragma unroll
    for (int row = threadIdx.y; row < BLOCK_HEIGHT + 2 * RADIUS; row += BLOCK_HEIGHT)
#pragma unroll
        for (int column = threadIdx.x; column < BLOCK_WIDTH + 2 * RADIUS; column += BLOCK_WIDTH) {
            const int x = (int)blockIdx.x * BLOCK_WIDTH - RADIUS + column;
            const int y = (int)blockIdx.y * BLOCK_HEIGHT - RADIUS + row;
            use(row, column, x, y, x >= 0 && x < width && y >= 0 && y < height);
        }
}

/* One byte for each number: 255 if it is negative, otherwise 0. */
__device__ static __forceinline__ unsigned negative_bytes(float a, float b, float c, float d) {
    unsigned low, high;
    asm("prmt.b32 %0, %1, %2, 0x00fb;" : "=r"(low) : "r"(__float_as_int(a)), "r"(__float_as_int(b)));
    asm("prmt.b32 %0, %1, %2, 0x00fb;" : "=r"(high) : "r"(__float_as_int(c)), "r"(__float_as_int(d)));
    return __byte_perm(low, high, 0x5410);
}

/* The smallest value of the window for which the values up to it have at least half of the window's weight.
 *
 * It is found by bisection: the weight of all values above the middle of the remaining range decides which half
 * contains it. After HALVINGS steps, the range also shrinks to the existing values, so that the search ends soon if
 * they are few. Weights stay in registers, four in a word: four values are compared with the middle, weighted and
 * summed by four subtractions, three operations on bytes and one dot product.
 *
 * greys, table: the grey values of the left picture, and the weight of each difference of them. */
template <int RADIUS>
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT, 2)
    weighted_median_kernel(const __grid_constant__ sv_image from, const __grid_constant__ sv_image to,
                           const __grid_constant__ sv_image left, const __grid_constant__ gpu_weights weigh) {
    enum {
        SIZE = 2 * RADIUS + 1,
        COUNT = SIZE * SIZE,
        WORDS = (COUNT + 3) / 4,
        HALVINGS = 3,
        FIT_REGISTERS = RADIUS <= 2
    };
    static_assert(SV_WEIGHTS == BLOCK_WIDTH * BLOCK_HEIGHT, "a thread copies one entry of the table");
    __shared__ block_values<RADIUS> around;
    __shared__ uint8_t greys[BLOCK_HEIGHT + 2 * RADIUS][BLOCK_WIDTH + 2 * RADIUS], table[SV_WEIGHTS];
    each_around<RADIUS>(from.width, from.height, [&](int row, int column, int x, int y, bool inside) {
        around[row][column] = inside ? gpu_row<const float>(from, y)[x] : INFINITY;
        greys[row][column] = inside ? gpu_row<const uint8_t>(left, y)[x] : 0;
    });
    table[threadIdx.y * BLOCK_WIDTH + threadIdx.x] = weigh.of[threadIdx.y * BLOCK_WIDTH + threadIdx.x];
    __syncthreads();

    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    /* Values that do not fit in registers are read from shared memory each time; without `volatile` the compiler would
     * keep them. */
    const auto value = [&](int i) -> float {
        const float &shared = around[threadIdx.y + i / SIZE][threadIdx.x + i % SIZE];
        return FIT_REGISTERS ? shared : *(const volatile float *)&shared;
    };
    float low = value(COUNT / 2), high = low;
    if (low < INFINITY) {
        const int grey = greys[threadIdx.y + RADIUS][threadIdx.x + RADIUS];
        unsigned weights[WORDS] = {}, total = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const float one = value(i);
            if (!(one < INFINITY)) continue;
            const unsigned weight = table[abs(greys[threadIdx.y + i / SIZE][threadIdx.x + i % SIZE] - grey)];
            weights[i / 4] |= weight << i % 4 * 8;
            total += weight;
            low = fminf(low, one);
            high = fmaxf(high, one);
        }
        while (low < high) {
            float least = low, most = high; /* the median is at most `most`, and above `least` once that has risen */
            bool has_risen = false;
#pragma unroll 1
            for (int halving = 0; halving < HALVINGS; halving++) {
                float middle = 0.5f * (least + most);
                if (middle >= most) middle = least; /* they are successive floats */
                unsigned above = 0;                 /* times 255 */
#pragma unroll
                for (int i = 0; i < COUNT; i += 4) {
                    const auto rest = [&](int k) { return k < COUNT ? middle - value(k) : 0; };
                    above =
                        __dp4a(weights[i / 4], negative_bytes(rest(i), rest(i + 1), rest(i + 2), rest(i + 3)), above);
                }
                if (2 * above <= 255 * total) {
                    most = middle;
                } else {
                    least = middle;
                    has_risen = true;
                }
            }
            float next = INFINITY, last = low; /* the first value above `least`, the last not above `most` */
#pragma unroll
            for (int i = 0; i < COUNT; i++) {
                const float one = value(i);
                if (one > least) next = fminf(next, one);
                if (one <= most) last = fmaxf(last, one);
            }
            if (has_risen) low = next;
            high = last;
        }
    }
    gpu_row<float>(to, y)[x] = low;
}

template <int RADIUS>
static sv_status launch_weighted(gpu_context *context, const sv_params *params, const sv_image *left,
                                 const sv_image *from, const sv_image *to, sv_error *error) {
    if (params->weighted_median > RADIUS) return launch_weighted<RADIUS + 1>(context, params, left, from, to, error);
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    weighted_median_kernel<RADIUS><<<grid, block, 0, context->compute>>>(*from, *to, *left, context->weights);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

template <>
sv_status launch_weighted<MAX_RADIUS + 1>(gpu_context *context, const sv_params *params, const sv_image *left,
                                          const sv_image *from, const sv_image *to, sv_error *error) {
    return sv_fail(error, SV_USAGE, "there is no weighted median of radius %d on cuda", params->weighted_median);
}

sv_status gpu_weighted_median(gpu_context *context, const sv_params *params, const sv_image *left, const sv_image *from,
                              const sv_image *to, sv_error *error) {
    return launch_weighted<1>(context, params, left, from, to, error);
}
