/* The sets of vector instructions that this processor has. */
#include "cpu/instructions.h"

#include <stdlib.h>
#include <string.h>

cpu_set cpu_level(void) {
    const char *wanted = getenv("SV_CPU");
    cpu_set level = CPU_PORTABLE;
#if CPU_VECTORS
    if (__builtin_cpu_supports("avx2")) level = CPU_HAS_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        level = CPU_HAS_AVX512;
#endif
    if (wanted && !strcmp(wanted, "portable")) level = CPU_PORTABLE;
    if (wanted && !strcmp(wanted, "avx2") && level > CPU_HAS_AVX2) level = CPU_HAS_AVX2;
    return level;
}
