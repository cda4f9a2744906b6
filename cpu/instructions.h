/* The sets of vector instructions that the inner loops are compiled for.
 *
 * A function marked CPU_AVX2 or CPU_AVX512 may be called only if the job's `set` is at least that. All of them give the
 * same result, because they use integers or round each operation on its own. */
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

/* Keeps the compiler from vectorising a loop that looks up each value by itself: it would fill the vectors one by one.
 */
#if defined(__GNUC__)
#define CPU_ONE_BY_ONE() __asm__ volatile("")
#else
#define CPU_ONE_BY_ONE() (void)0
#endif

#define CPU_INLINE static inline __attribute__((always_inline))

/* A table, by cpu_set, of what `name` followed by _any, _avx2 and _avx512 stands for. */
#if CPU_VECTORS
#define CPU_TABLE(name)                                                                                                \
    { name##_any, name##_avx2, name##_avx512 }
#else
#define CPU_TABLE(name)                                                                                                \
    { name##_any }
#endif

/* Compiles the CPU_INLINE function `name`, which returns nothing, for each set: `name`_of_sets[set] is then a
 * `name`_function. CPU_FOR_AVX2 is for functions that AVX-512 makes no faster: that set gets the one for AVX2. */
#define CPU_FOR_AVX2(name, parameters, arguments) CPU_FOR_SETS(name, parameters, arguments, name##_avx2)
#define CPU_FOR_AVX512(name, parameters, arguments)                                                                    \
    CPU_AVX512 static void name##_avx512 parameters { name arguments; }                                                \
    CPU_FOR_SETS(name, parameters, arguments, name##_avx512)
#define CPU_FOR_SETS(name, parameters, arguments, widest)                                                              \
    static void name##_any parameters { name arguments; }                                                              \
    CPU_AVX2 static void name##_avx2 parameters { name arguments; }                                                    \
    typedef void name##_function parameters;                                                                           \
    static name##_function *const name##_of_sets[] = {name##_any, name##_avx2, widest}

/* The largest set that this processor supports. SV_CPU=portable or SV_CPU=avx2 in the environment lowers it, so that
 * tests can run every loop. A matcher calls this once, when it is created. */
cpu_set cpu_available(void);

/* What the set is called, with CPU_PORTABLE that of every processor that the program was compiled for; "" if it is not
 * known. */
const char *cpu_set_name(cpu_set set);

#endif
