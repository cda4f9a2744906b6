/* The sets of vector instructions that this processor has. */
#include "cpu/instructions.h"

#include <stdlib.h>
#include <string.h>

cpu_set cpu_available(void) {
    const char *wanted = getenv("SV_CPU");
    cpu_set set = CPU_PORTABLE;
#if CPU_VECTORS
    if (__builtin_cpu_supports("avx2")) set = CPU_HAS_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        set = CPU_HAS_AVX512;
#endif
    if (wanted && !strcmp(wanted, "portable")) set = CPU_PORTABLE;
    if (wanted && !strcmp(wanted, "avx2") && set > CPU_HAS_AVX2) set = CPU_HAS_AVX2;
    return set;
}

const char *cpu_set_name(cpu_set set) {
#if defined(__x86_64__)
    static const char *const names[] = {"SSE2", "AVX2", "AVX-512"};
#elif defined(__aarch64__)
    static const char *const names[] = {"NEON", "", ""};
#else
    static const char *const names[] = {"", "", ""};
#endif
    return names[set];
}
