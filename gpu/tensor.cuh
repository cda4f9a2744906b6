/* Instructions that C++ cannot express. */
#ifndef GPU_TENSOR_CUH
#define GPU_TENSOR_CUH

#include <stdint.h>

/* The compute capability that gpu_multiply_add needs; it does nothing in code for earlier cards. */
enum { GPU_TENSOR_CAPABILITY = 80 };

/* sums += a b, of a warp together: 16 x 32 times 32 x 8 signed bytes. Lane 4 group + member has of the sums rows group
 * and group + 8 with columns 2 member and 2 member + 1; of a, word `member` of both rows, then word 4 + member of both;
 * of b, words `member` and 4 + member of column `group`. (PTX: mma.m16n8k32.) */
__device__ static __forceinline__ void gpu_multiply_add(int (&sums)[4], const uint32_t (&a)[4], uint32_t b0,
                                                        uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* min(a + b, c): one instruction from sm_90 on, which compilers do not generate. */
__device__ static __forceinline__ uint32_t gpu_smaller_of_sum(uint32_t a, uint32_t b, uint32_t c) {
#if __CUDACC_VER_MAJOR__ >= 12
    return __viaddmin_u32(a, b, c);
#else
    return min(a + b, c);
#endif
}

#endif
