/* Sorting of a few values in a thread's registers, for the filters. */
#ifndef GPU_SORT_CUH
#define GPU_SORT_CUH

#include "gpu/cuda.cuh"

/* Sorts `values` in ascending order: Batcher's merge exchange (Knuth, The Art of Computer Programming, volume 3,
 * algorithm 5.2.2M). Every index is a constant, so the values stay in registers, and the compiler omits comparisons
 * whose result is not used: the median of 25 values takes 202 minima and maxima. */
template <int COUNT> /* at most 32 */
__device__ static __forceinline__ void gpu_sort(float values[COUNT]) {
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

#endif
