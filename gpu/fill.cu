/* Filling: pixels without a value take one from their neighbours, first in the row and then in the column.
 * For SV_FILL_SURFACE, this fills what gpu/surface.cu leaves, and as SV_FILL_ROW does. */
#include "gpu/cuda.cuh"

enum { BLOCK = 256 };

/* The nearest bit of the words `valued` that is set before bit `x`, or after it; -1 if there is none. */
__device__ static __forceinline__ int nearest_before(const unsigned *valued, int x) {
    int word = x / 32;
    unsigned bits = valued[word] & ((1u << x % 32) - 1);
    while (!bits && word > 0) bits = valued[--word];
    return bits ? 32 * word + 31 - __clz(bits) : -1;
}
__device__ static __forceinline__ int nearest_after(const unsigned *valued, int words, int x) {
    int word = x / 32;
    unsigned bits = valued[word] & ~((2u << x % 32) - 1);
    while (!bits && word < words - 1) bits = valued[++word];
    return bits ? 32 * word + __ffs(bits) - 1 : -1;
}

/* A block fills one row; each thread takes every BLOCK-th pixel. CROSS: from the nearest pixel, or the left one of two;
 * otherwise with the smaller of the nearest values to the left and to the right. Afterwards a row has values everywhere
 * or, if its entry in `filled` (height) is 0, nowhere.
 *
 * valued: a bit for each pixel of the row, set where it has a value. */
template <bool CROSS>
__global__ static void __launch_bounds__(BLOCK)
    fill_row_kernel(const __grid_constant__ sv_output maps, const __grid_constant__ sv_image to, int *filled) {
    extern __shared__ unsigned valued[];
    const int width = to.width, words = (width + 31) / 32, y = blockIdx.x;
    const float *from = gpu_row<const float>(maps.disparity, y);
    int any = 0;
    for (int x = threadIdx.x; x < 32 * words; x += BLOCK) {
        const unsigned bits = __ballot_sync(GPU_LANES, x < width && from[x] < INFINITY);
        if (x % 32 == 0) valued[x / 32] = bits;
        any |= bits != 0;
    }
    any = __syncthreads_or(any);
    if (threadIdx.x == 0) filled[y] = any;
    for (int x = threadIdx.x; x < width; x += BLOCK) {
        float value = from[x];
        if (any && !(value < INFINITY)) {
            const int before = nearest_before(valued, x), after = nearest_after(valued, words, x);
            const float left = before >= 0 ? from[before] : INFINITY, right = after >= 0 ? from[after] : INFINITY;
            const bool is_left = after < 0 || (before >= 0 && x - before <= after - x);
            value = CROSS ? (is_left ? left : right) : fminf(left, right);
            gpu_row<uint8_t>(maps.reason, y)[x] = SV_FILLED;
        }
        gpu_row<float>(to, y)[x] = value;
    }
}

/* A block fills one row without values from another row. CROSS: from the nearest one, or the upper of two; otherwise
 * from the nearest above, or below if there is none. */
template <bool CROSS>
__global__ static void __launch_bounds__(BLOCK)
    fill_column_kernel(const __grid_constant__ sv_image to, const __grid_constant__ sv_image reason,
                       const int *filled) {
    const int y = blockIdx.x;
    if (filled[y]) return;
    int above = y - 1, below = y + 1;
    while (above >= 0 && !filled[above]) above--;
    while (below < to.height && !filled[below]) below++;
    const bool takes_above = above >= 0 && (!CROSS || below >= to.height || y - above <= below - y);
    const int source = takes_above ? above : below;
    if (source >= to.height) return;
    for (int x = threadIdx.x; x < to.width; x += BLOCK) {
        gpu_row<float>(to, y)[x] = gpu_row<const float>(to, source)[x];
        gpu_row<uint8_t>(reason, y)[x] = SV_FILLED;
    }
}

template <bool CROSS>
static sv_status launch(gpu_context *context, const sv_output *maps, const sv_image *to, sv_error *error) {
    const int width = context->width, height = context->height;
    int *filled = (int *)context->scratch.data;
    fill_row_kernel<CROSS>
        <<<height, BLOCK, sizeof(unsigned) * gpu_blocks(width, 32), context->compute>>>(*maps, *to, filled);
    GPU_TRY(cudaGetLastError());
    fill_column_kernel<CROSS><<<height, BLOCK, 0, context->compute>>>(*to, maps->reason, filled);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

sv_status gpu_fill(gpu_context *context, const sv_params *params, const sv_image *left, const sv_output *maps,
                   const sv_image *to, sv_error *error) {
    const bool continues = params->fill == SV_FILL_SURFACE;
    const size_t rows = sizeof(int) * context->height;
    const size_t sources = continues ? sizeof(float) * context->width * context->height : 0;
    GPU_PASS(gpu_reserve(context->compute, &context->scratch, rows > sources ? rows : sources, error));
    if (continues) GPU_PASS(gpu_continue_surfaces(context, params, left, maps, (float *)context->scratch.data, error));
    return params->fill == SV_FILL_CROSS ? launch<true>(context, maps, to, error)
                                         : launch<false>(context, maps, to, error);
}
