/* The removal of speckles, the filling of holes (see cpu/holes.c) and the plain median, in one pass over the map: one
 * read and one write of it. With the defaults of sgm, a block reads 1.6 times as many pixels as it owns. */
#include "gpu/launch.cuh"
#include "gpu/speckle.cuh"

enum {
    WIDTH = GPU_WARP, /* of a block, in pixels */
    HEIGHT = 16,
    WARPS = 8,
    THREADS = WARPS * GPU_WARP,
    HOLE_RADIUS = 2,
    HOLE_SIZE = 2 * HOLE_RADIUS + 1,
    HOLE_COUNT = HOLE_SIZE * HOLE_SIZE
};

struct clean_arguments {
    sv_output maps;
    gpu_regions regions;
    sv_image to;
    int least;   /* pixels with a value around a hole that is filled */
    float range; /* of their values, at most */
};

/* Sorts `values` in ascending order: Batcher's merge exchange (Knuth, The Art of Computer Programming, volume 3,
 * algorithm 5.2.2M). Every index is a constant, so the values stay in registers, and the compiler omits comparisons
 * whose result is not used: the median of 25 values takes 202 minima and maxima. */
template <int COUNT> /* at most 32 */
__device__ static __forceinline__ void sort(float values[COUNT]) {
#pragma unroll
    for (int s = 0; s < 5; s++)
#pragma unroll
        for (int r = s; r >= 0; r--)
#pragma unroll
            for (int i = 0; i < COUNT; i++) {
                const int p = 1 << s, d = 1 << r;
                if (i < d % p || i >= COUNT - d) continue;
                if ((i - d % p) % (2 * d) >= d || i / (2 * p) != (i + d) / (2 * p)) continue;
                const float low = fminf(values[i], values[i + d]), high = fmaxf(values[i], values[i + d]);
                values[i] = low;
                values[i + d] = high;
            }
}

/* The lower median of the values around a hole, with the first one of the square at `corner`; INFINITY if it is not
 * filled. Missing values are sorted last. */
template <int STRIDE>
__device__ static __forceinline__ float value_of_hole(const clean_arguments &a, const float *corner) {
    float values[HOLE_COUNT], lowest = INFINITY, highest = -INFINITY, median = INFINITY;
    int count = 0;
#pragma unroll
    for (int i = 0; i < HOLE_COUNT; i++) {
        values[i] = corner[i / HOLE_SIZE * STRIDE + i % HOLE_SIZE];
        if (!(values[i] < INFINITY)) continue;
        count++;
        lowest = fminf(lowest, values[i]);
        highest = fmaxf(highest, values[i]);
    }
    if (!count || count < a.least || highest - lowest > a.range) return INFINITY;
    sort<HOLE_COUNT>(values);
#pragma unroll
    for (int i = 0; i < HOLE_COUNT / 2; i++) /* the hole itself has no value */
        if (i == (count - 1) / 2) median = values[i];
    return median;
}

/* The lower median of the values in a SIZE x SIZE window, clipped to the picture, with the first one at `corner`;
 * INFINITY if its centre has no value. */
template <int SIZE, int STRIDE> __device__ static __forceinline__ float median_of_window(const float *corner) {
    enum { COUNT = SIZE * SIZE };
    float values[COUNT], sum = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        values[i] = corner[i / SIZE * STRIDE + i % SIZE];
        sum += values[i];
    }
    if (!(values[COUNT / 2] < INFINITY)) return INFINITY;
    if (!(sum < INFINITY)) { /* some have no value */
        int valued = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++) valued += values[i] < INFINITY;
        /* They are moved below all others, as many as bring the median to the middle. */
        int below = COUNT / 2 - (valued - 1) / 2;
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            if (!(values[i] < INFINITY) && below-- > 0) values[i] = -INFINITY;
    }
    sort<COUNT>(values);
    return values[COUNT / 2];
}

/* HOLES: whether they are filled. SIZE: of the median; 1: none.
 *
 * holes, fillings: the pixels of `values` that may be filled, and what with. They are listed, so that all threads have
 * some. */
template <bool HOLES, int SIZE>
__global__ static void __launch_bounds__(THREADS) clean_kernel(const __grid_constant__ clean_arguments a) {
    enum {
        RADIUS = SIZE / 2,
        MARGIN = RADIUS + (HOLES ? HOLE_RADIUS : 0),
        STRIDE = WIDTH + 2 * MARGIN,
        COUNT = (HEIGHT + 2 * MARGIN) * STRIDE,
        MOST = HOLES ? (HEIGHT + 2 * RADIUS) * (WIDTH + 2 * RADIUS) : 1
    };
    __shared__ float values[COUNT], fillings[MOST];
    __shared__ uint16_t holes[MOST];
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    const int left = (int)blockIdx.x * WIDTH - MARGIN, top = (int)blockIdx.y * HEIGHT - MARGIN;
    /* Whether a pixel is at most `margin` away from the block. */
    const auto is_near = [&](int row, int column, int margin) {
        return (unsigned)(row - MARGIN + margin) < (unsigned)(HEIGHT + 2 * margin) &&
               (unsigned)(column - MARGIN + margin) < (unsigned)(WIDTH + 2 * margin);
    };
    const auto reason_of = [&](int i) { return gpu_row<uint8_t>(a.maps.reason, top + i / STRIDE) + left + i % STRIDE; };
    gpu_begin();
    __syncthreads();
#pragma unroll
    for (int begin = 0; begin < COUNT; begin += THREADS) {
        const int i = begin + threadIdx.x, row = i / STRIDE, column = i % STRIDE, x = left + column, y = top + row;
        if (i >= COUNT) break;
        const bool inside = (unsigned)x < (unsigned)a.to.width && (unsigned)y < (unsigned)a.to.height;
        float value = inside ? gpu_row<const float>(a.maps.disparity, y)[x] : INFINITY;
        if (inside && gpu_is_speckle(a.regions, y * a.to.width + x)) {
            value = INFINITY;
            if (is_near(row, column, 0)) *reason_of(i) = SV_SPECKLE;
        }
        values[i] = value;
        if (HOLES && inside && !(value < INFINITY) && is_near(row, column, RADIUS)) holes[atomicAdd(&count, 1)] = i;
    }
    __syncthreads();
    if (HOLES) {
        for (int j = threadIdx.x; j < count; j += THREADS)
            fillings[j] = value_of_hole<STRIDE>(a, values + holes[j] - HOLE_RADIUS * STRIDE - HOLE_RADIUS);
        __syncthreads();
        for (int j = threadIdx.x; j < count; j += THREADS) {
            const int i = holes[j];
            if (!(fillings[j] < INFINITY)) continue;
            values[i] = fillings[j];
            if (is_near(i / STRIDE, i % STRIDE, 0)) *reason_of(i) = SV_FILLED;
        }
        __syncthreads();
    }
    const int column = threadIdx.x % WIDTH, x = blockIdx.x * WIDTH + column;
#pragma unroll
    for (int row = threadIdx.x / WIDTH; row < HEIGHT; row += WARPS) {
        const int y = blockIdx.y * HEIGHT + row;
        const float *corner = values + (row + MARGIN - RADIUS) * STRIDE + column + MARGIN - RADIUS;
        if (x < a.to.width && y < a.to.height) gpu_row<float>(a.to, y)[x] = median_of_window<SIZE, STRIDE>(corner);
    }
}

template <bool HOLES>
static sv_status launch(gpu_context *context, const clean_arguments &a, int median, sv_error *error) {
    const dim3 grid(gpu_blocks(context->width, WIDTH), gpu_blocks(context->height, HEIGHT));
    switch (median) {
    case 0: return gpu_launch(context, error, clean_kernel<HOLES, 1>, grid, THREADS, a);
    case 3: return gpu_launch(context, error, clean_kernel<HOLES, 3>, grid, THREADS, a);
    case 5: return gpu_launch(context, error, clean_kernel<HOLES, 5>, grid, THREADS, a);
    default: return sv_fail(error, SV_USAGE, "there is no median filter of %d pixels on cuda", median);
    }
}

sv_status gpu_clean(gpu_context *context, const sv_params *params, const sv_output *maps, const gpu_regions *regions,
                    bool holes, int median, const sv_image *to, sv_error *error) {
    clean_arguments a = {};
    a.maps = *maps;
    a.regions = *regions;
    a.to = *to;
    a.least = params->holes;
    a.range = params->speckle_range;
    return holes ? launch<true>(context, a, median, error) : launch<false>(context, a, median, error);
}
