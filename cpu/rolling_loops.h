/* The loops of the rolling window for each set of instructions: see rolling_loops in rolling.h.
 *
 * Those of rolling_vectors.h are written with intrinsics, because compilers would widen every product on its own and
 * process the ends of a range one element at a time. */
#ifndef CPU_ROLLING_LOOPS_H
#define CPU_ROLLING_LOOPS_H

#include "cpu/rolling.h"

/* All of this fits in 16 bits, which vectors multiply faster. */
CPU_INLINE int32_t rolling_term_of(rolling_term term, int16_t a, int16_t b, int16_t scale) {
    const int16_t difference = (int16_t)(a - b), multiplied = (int16_t)(difference * scale);
    return term == ROLLING_PRODUCTS ? a * b : difference * multiplied;
}

CPU_INLINE void rolling_advance_any(rolling_term term, const rolling_run *run) {
    const rolling_run own = *run, *const r = &own;
    const int16_t scale = (int16_t)r->scale;
    for (int i = 0; i < r->length; i++) {
        const rolling_values reference = r->reference[i], *other = r->other + (ptrdiff_t)i * r->step;
        uint32_t *restrict column = r->columns + (ptrdiff_t)i * r->padded;
        for (int k = 0; k < r->padded; k++) {
            const int32_t enters = rolling_term_of(term, reference.enter, other[k].enter, scale);
            const int32_t leaves = rolling_term_of(term, reference.leave, other[k].leave, scale);
            column[k] += (uint32_t)enters - (uint32_t)leaves;
        }
        if (!r->sums) continue;
        const uint32_t *passed = column + r->passed;
        uint32_t *restrict window = r->windows + (ptrdiff_t)i * r->pitch, *restrict sums = r->sums;
        for (int k = 0; k < r->padded; k++) window[k] = sums[k] += column[k] - passed[k];
    }
}

CPU_INLINE void rolling_least_any(const uint32_t *keys, int count, int pitch, uint32_t least[ROLLING_RUN]) {
    for (int i = 0; i < ROLLING_RUN; i++) least[i] = rolling_smallest(keys + (ptrdiff_t)i * pitch, 0, count - 1);
}

CPU_INLINE void rolling_lower_any(const uint32_t *keys, int length, int padded, int pitch, uint32_t *right) {
    for (int i = 0; i < length; i++) {
        const uint32_t *restrict from = keys + (ptrdiff_t)i * pitch;
        uint32_t *restrict to = right + length - 1 - i;
        for (int k = 0; k < padded; k++) to[k] = from[k] < to[k] ? from[k] : to[k];
    }
}

CPU_INLINE int rolling_choose_any(const uint32_t *costs, int first, int last, uint32_t *right_costs,
                                  int32_t *right_winners) {
    uint32_t least = SV_NO_COST;
    int winner = -1;
    for (int k = first; k <= last; k++) {
        winner = costs[k] < least ? k : winner;
        least = costs[k] < least ? costs[k] : least;
    }
    for (int k = first; right_costs && k <= last; k++) {
        right_winners[k] = costs[k] < right_costs[k] ? k : right_winners[k];
        right_costs[k] = costs[k] < right_costs[k] ? costs[k] : right_costs[k];
    }
    return winner;
}

#if CPU_VECTORS
#include <immintrin.h>

/* Both values in one 32-bit lane. */
CPU_INLINE int32_t rolling_pair(rolling_values v) {
    return (int32_t)((uint32_t)(uint16_t)v.enter | (uint32_t)(uint16_t)v.leave << 16);
}

/* What one factor of a term is multiplied by, so that _mm256_madd_epi16 or _mm512_madd_epi16 subtracts the terms of the
 * values that leave.
 */
CPU_INLINE int32_t rolling_factors(int scale) {
    return rolling_pair((rolling_values){(int16_t)scale, (int16_t)-scale});
}

#define ROLLING_SET    avx2
#define ROLLING_BITS   256
#define ROLLING_TARGET CPU_AVX2
#include "cpu/rolling_vectors.h"
#define ROLLING_SET    avx512
#define ROLLING_BITS   512
#define ROLLING_TARGET CPU_AVX512
#include "cpu/rolling_vectors.h"

#endif

/* Expands `each`(set, target) for all sets. */
#if CPU_VECTORS
#define ROLLING_SETS(each) each(any, ) each(avx2, CPU_AVX2) each(avx512, CPU_AVX512)
#else
#define ROLLING_SETS(each) each(any, )
#endif

#endif
