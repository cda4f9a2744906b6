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
