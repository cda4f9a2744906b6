/* The loops of the rolling window for each set of instructions: see rolling_advance and rolling_choose.
 *
 * They are written with intrinsics, because compilers would widen every product on its own and process the ends of a
 * range one element at a time. */
#ifndef CPU_ROLLING_LOOPS_H
#define CPU_ROLLING_LOOPS_H

#include "cpu/rolling.h"

CPU_INLINE int32_t rolling_term_of(rolling_term term, int16_t a, int16_t b) {
    const int16_t difference = (int16_t)(a - b); /* 16 bits, which vectors multiply faster */
    return term == ROLLING_PRODUCTS ? a * b : difference * difference;
}

CPU_INLINE void rolling_advance_any(rolling_term term, uint32_t *column, const uint32_t *passed, uint32_t *sums,
                                    rolling_values reference, const rolling_values *other, int padded) {
    for (int k = 0; k < padded; k++) {
        const int32_t enters = rolling_term_of(term, reference.enter, other[k].enter);
        const int32_t leaves = rolling_term_of(term, reference.leave, other[k].leave);
        column[k] += (uint32_t)enters - (uint32_t)leaves;
        sums[k] += column[k] - passed[k];
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

/* The values with those that leave negated, so that _mm256_madd_epi16 subtracts their terms. */
CPU_AVX2 CPU_INLINE __m256i rolling_signed_avx2(__m256i values) {
    return _mm256_sign_epi16(values, _mm256_set1_epi32((int32_t)0xffff0001));
}

CPU_AVX2 CPU_INLINE void rolling_advance_avx2(rolling_term term, uint32_t *column, const uint32_t *passed,
                                              uint32_t *sums, rolling_values reference, const rolling_values *other,
                                              int padded) {
    const __m256i pair = _mm256_set1_epi32(rolling_pair(reference)), negated = rolling_signed_avx2(pair);
    for (int k = 0; k < padded; k += 8) {
        __m256i *const at = (__m256i *)(column + k), *const window = (__m256i *)(sums + k);
        const __m256i values = _mm256_loadu_si256((const __m256i *)(other + k));
        const __m256i difference = _mm256_sub_epi16(pair, values);
        const __m256i change = term == ROLLING_PRODUCTS
                                   ? _mm256_madd_epi16(negated, values)
                                   : _mm256_madd_epi16(difference, rolling_signed_avx2(difference));
        const __m256i sum = _mm256_add_epi32(_mm256_load_si256(at), change);
        const __m256i moved = _mm256_sub_epi32(sum, _mm256_load_si256((const __m256i *)(passed + k)));
        _mm256_store_si256(at, sum);
        _mm256_store_si256(window, _mm256_add_epi32(_mm256_load_si256(window), moved));
    }
}

CPU_AVX512 CPU_INLINE __m512i rolling_signed_avx512(__m512i values) {
    return _mm512_mask_sub_epi16(values, 0xaaaaaaaa, _mm512_setzero_si512(), values);
}

CPU_AVX512 CPU_INLINE void rolling_advance_avx512(rolling_term term, uint32_t *column, const uint32_t *passed,
                                                  uint32_t *sums, rolling_values reference, const rolling_values *other,
                                                  int padded) {
    const __m512i pair = _mm512_set1_epi32(rolling_pair(reference)), negated = rolling_signed_avx512(pair);
    for (int k = 0; k < padded; k += 16) {
        const __m512i values = _mm512_loadu_si512(other + k), difference = _mm512_sub_epi16(pair, values);
        const __m512i change = term == ROLLING_PRODUCTS
                                   ? _mm512_madd_epi16(negated, values)
                                   : _mm512_madd_epi16(difference, rolling_signed_avx512(difference));
        const __m512i sum = _mm512_add_epi32(_mm512_load_si512(column + k), change);
        const __m512i moved = _mm512_sub_epi32(sum, _mm512_load_si512(passed + k));
        _mm512_store_si512(column + k, sum);
        _mm512_store_si512(sums + k, _mm512_add_epi32(_mm512_load_si512(sums + k), moved));
    }
}

CPU_AVX2 CPU_INLINE int rolling_choose_avx2(const uint32_t *costs, int first, int last, uint32_t *right_costs,
                                            int32_t *right_winners) {
    const __m256i none = _mm256_set1_epi32(-1), lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i least = none, winner = none; /* by lane */
    for (int begin = first & ~7; begin <= last; begin += 8) {
        const __m256i k = _mm256_add_epi32(_mm256_set1_epi32(begin), lanes);
        __m256i cost = _mm256_load_si256((const __m256i *)(costs + begin));
        if (begin < first || begin + 7 > last)
            cost = _mm256_or_si256(cost, _mm256_or_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(first), k),
                                                         _mm256_cmpgt_epi32(k, _mm256_set1_epi32(last))));
        /* A cost that is not below the least so far changes nothing. */
        const __m256i now = _mm256_min_epu32(cost, least);
        winner = _mm256_blendv_epi8(k, winner, _mm256_cmpeq_epi32(now, least));
        least = now;
        if (!right_costs) continue;
        __m256i *const at = (__m256i *)(right_costs + begin), *const from = (__m256i *)(right_winners + begin);
        const __m256i before = _mm256_loadu_si256(at), after = _mm256_min_epu32(cost, before);
        const __m256i same = _mm256_cmpeq_epi32(after, before);
        _mm256_storeu_si256(at, after);
        _mm256_storeu_si256(from, _mm256_blendv_epi8(k, _mm256_loadu_si256(from), same));
    }
    __m256i all = _mm256_min_epu32(least, _mm256_permute2x128_si256(least, least, 1));
    all = _mm256_min_epu32(all, _mm256_shuffle_epi32(all, 0x4e));
    all = _mm256_min_epu32(all, _mm256_shuffle_epi32(all, 0xb1));
    /* The smallest winner of the lanes with the least cost; the others, and those without a winner, have the largest
     * unsigned number. */
    __m256i lowest = _mm256_or_si256(winner, _mm256_xor_si256(_mm256_cmpeq_epi32(least, all), none));
    lowest = _mm256_min_epu32(lowest, _mm256_permute2x128_si256(lowest, lowest, 1));
    lowest = _mm256_min_epu32(lowest, _mm256_shuffle_epi32(lowest, 0x4e));
    lowest = _mm256_min_epu32(lowest, _mm256_shuffle_epi32(lowest, 0xb1));
    return _mm256_cvtsi256_si32(lowest);
}

CPU_AVX512 CPU_INLINE int rolling_choose_avx512(const uint32_t *costs, int first, int last, uint32_t *right_costs,
                                                int32_t *right_winners) {
    const __m512i none = _mm512_set1_epi32(-1);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i least = none, winner = none; /* by lane */
    for (int begin = first & ~15; begin <= last; begin += 16) {
        const __m512i k = _mm512_add_epi32(_mm512_set1_epi32(begin), lanes);
        __m512i cost = _mm512_load_si512(costs + begin);
        if (begin < first || begin + 15 > last)
            cost = _mm512_mask_mov_epi32(none,
                                         _mm512_cmpge_epi32_mask(k, _mm512_set1_epi32(first)) &
                                             _mm512_cmple_epi32_mask(k, _mm512_set1_epi32(last)),
                                         cost);
        winner = _mm512_mask_mov_epi32(winner, _mm512_cmplt_epu32_mask(cost, least), k);
        least = _mm512_min_epu32(least, cost);
        if (!right_costs) continue;
        const __mmask16 better = _mm512_cmplt_epu32_mask(cost, _mm512_loadu_si512(right_costs + begin));
        _mm512_mask_storeu_epi32(right_costs + begin, better, cost);
        _mm512_mask_storeu_epi32(right_winners + begin, better, k);
    }
    __m512i all = _mm512_min_epu32(least, _mm512_shuffle_i32x4(least, least, 0x4e));
    all = _mm512_min_epu32(all, _mm512_shuffle_i32x4(all, all, 0xb1));
    all = _mm512_min_epu32(all, _mm512_shuffle_epi32(all, 0x4e));
    all = _mm512_min_epu32(all, _mm512_shuffle_epi32(all, 0xb1));
    const __mmask16 best = _mm512_cmpeq_epu32_mask(least, all);
    if (best & (best - 1)) return (int)_mm512_mask_reduce_min_epu32(best, winner); /* a tie */
    return _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_maskz_compress_epi32(best, winner)));
}

#endif

/* ROLLING_SETS expands `each`(set, target) for all sets; ROLLING_TABLE is the table, by cpu_set, of the functions that
 * it made of `name`. */
#if CPU_VECTORS
#define ROLLING_SETS(each) each(any, ) each(avx2, CPU_AVX2) each(avx512, CPU_AVX512)
#define ROLLING_TABLE(name)                                                                                            \
    { name##_any, name##_avx2, name##_avx512 }
#else
#define ROLLING_SETS(each) each(any, )
#define ROLLING_TABLE(name)                                                                                            \
    { name##_any }
#endif

#endif
