/* The smaller of a sum and a value, and the least of three values in each half of a word: one instruction each from
 * compute capability 9.0 on, which compilers do not generate. */
#ifndef GPU_LEAST_CUH
#define GPU_LEAST_CUH

#include <stdint.h>

/* The CUDA Toolkit has the intrinsics since 12. */
#if __CUDACC_VER_MAJOR__ >= 12 && defined(__CUDA_ARCH__)
#define GPU_ADDS_AND_COMPARES (__CUDA_ARCH__ >= 900)
#else
#define GPU_ADDS_AND_COMPARES 0
#endif

/* min(a + b, c). */
__device__ static __forceinline__ uint32_t gpu_least_of_sum(uint32_t a, uint32_t b, uint32_t c) {
#if GPU_ADDS_AND_COMPARES
    return __viaddmin_u32(a, b, c);
#else
    return min(a + b, c);
#endif
}

/* The same in both halves of a word; no sum may exceed 65535. */
__device__ static __forceinline__ uint32_t gpu_least_of_sums(uint32_t a, uint32_t b, uint32_t c) {
#if GPU_ADDS_AND_COMPARES
    return __viaddmin_u16x2(a, b, c);
#else
    return __vminu2(a + b, c);
#endif
}

/* The least of three, in each half. */
__device__ static __forceinline__ uint32_t gpu_least_of_three(uint32_t a, uint32_t b, uint32_t c) {
#if GPU_ADDS_AND_COMPARES
    return __vimin3_u16x2(a, b, c);
#else
    return __vminu2(__vminu2(a, b), c);
#endif
}

#endif
