/* The sets of vector instructions that the inner loops are compiled for.
 *
 * They are compiled for several sets where it pays: a function that is marked CPU_AVX2 or CPU_AVX512 may only be called
 * if the job's `level` is at least that. Integers and single roundings give all of them the same result. */
#ifndef CPU_INSTRUCTIONS_H
#define CPU_INSTRUCTIONS_H

typedef enum cpu_set { CPU_PORTABLE, CPU_HAS_AVX2, CPU_HAS_AVX512 } cpu_set;

#if defined(__x86_64__) && defined(__GNUC__)
#define CPU_VECTORS 1
#define CPU_AVX2    __attribute__((target("avx2")))
#define CPU_AVX512  __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define CPU_VECTORS 0
#define CPU_AVX2
#define CPU_AVX512
#endif

#define CPU_INLINE static inline __attribute__((always_inline))

/* What this processor has; SV_CPU=portable or avx2 in the environment makes it less, so that tests reach all. A matcher
 * asks once, when it is created. */
cpu_set cpu_level(void);

#endif
