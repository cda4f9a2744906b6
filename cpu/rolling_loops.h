/* The loops of the rolling window for each set of instructions: see rolling_loops.
 *
 * They are written with intrinsics, because compilers would widen every product on its own and process the ends of a
 * range one element at a time. */
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

/* What one factor of a term is multiplied by, so that _mm256_madd_epi16 subtracts the terms of the values that leave.
 */
CPU_INLINE int32_t rolling_factors(int scale) {
    return rolling_pair((rolling_values){(int16_t)scale, (int16_t)-scale});
}

/* The same for 16 candidates, column by column, so that the sums of their windows stay in registers. */
CPU_AVX2 CPU_INLINE void rolling_advance_some_avx2(rolling_term term, const rolling_run *r, int k) {
    const __m256i factors = _mm256_set1_epi32(rolling_factors(r->scale));
    const rolling_values *other = r->other + k;
    uint32_t *column = r->columns + k, *to = r->windows + k;
    __m256i window[2];
    for (int v = 0; v < 2; v++)
        window[v] = r->sums ? _mm256_load_si256((const __m256i *)(r->sums + k + 8 * v)) : _mm256_setzero_si256();
    for (int i = 0; i < r->length; i++, other += r->step, column += r->padded) {
        const __m256i pair = _mm256_set1_epi32(rolling_pair(r->reference[i]));
        for (int v = 0; v < 2; v++) {
            const __m256i values = _mm256_loadu_si256((const __m256i *)(other + 8 * v)),
                          difference = _mm256_sub_epi16(pair, values);
            const __m256i change = term == ROLLING_PRODUCTS
                                       ? _mm256_madd_epi16(_mm256_mullo_epi16(pair, factors), values)
                                       : _mm256_madd_epi16(difference, _mm256_mullo_epi16(difference, factors));
            const __m256i sum = _mm256_add_epi32(_mm256_load_si256((const __m256i *)(column + 8 * v)), change);
            _mm256_store_si256((__m256i *)(column + 8 * v), sum);
            if (!r->sums) continue;
            window[v] = _mm256_add_epi32(
                window[v], _mm256_sub_epi32(sum, _mm256_load_si256((const __m256i *)(column + r->passed + 8 * v))));
            _mm256_store_si256((__m256i *)(to + 8 * v), window[v]);
        }
        to += r->pitch;
    }
    for (int v = 0; r->sums && v < 2; v++) _mm256_store_si256((__m256i *)(r->sums + k + 8 * v), window[v]);
}

CPU_AVX2 CPU_INLINE void rolling_advance_avx2(rolling_term term, const rolling_run *run) {
    const rolling_run own = *run, *const r = &own;
    for (int k = 0; k < r->padded; k += 16) rolling_advance_some_avx2(term, r, k);
}

/* The same for 16 or 32 candidates. */
CPU_AVX512 CPU_INLINE void rolling_advance_some_avx512(rolling_term term, const rolling_run *r, int k, int vectors) {
    const __m512i factors = _mm512_set1_epi32(rolling_factors(r->scale));
    const rolling_values *other = r->other + k;
    uint32_t *column = r->columns + k, *to = r->windows + k;
    __m512i window[2];
    for (int v = 0; v < vectors; v++)
        window[v] = r->sums ? _mm512_load_si512(r->sums + k + 16 * v) : _mm512_setzero_si512();
    for (int i = 0; i < r->length; i++, other += r->step, column += r->padded) {
        const __m512i pair = _mm512_set1_epi32(rolling_pair(r->reference[i]));
        for (int v = 0; v < vectors; v++) {
            const __m512i values = _mm512_loadu_si512(other + 16 * v), difference = _mm512_sub_epi16(pair, values);
            const __m512i change = term == ROLLING_PRODUCTS
                                       ? _mm512_madd_epi16(_mm512_mullo_epi16(pair, factors), values)
                                       : _mm512_madd_epi16(difference, _mm512_mullo_epi16(difference, factors));
            const __m512i sum = _mm512_add_epi32(_mm512_load_si512(column + 16 * v), change);
            _mm512_store_si512(column + 16 * v, sum);
            if (!r->sums) continue;
            window[v] =
                _mm512_add_epi32(window[v], _mm512_sub_epi32(sum, _mm512_load_si512(column + r->passed + 16 * v)));
            _mm512_store_si512(to + 16 * v, window[v]);
        }
        to += r->pitch;
    }
    for (int v = 0; r->sums && v < vectors; v++) _mm512_store_si512(r->sums + k + 16 * v, window[v]);
}

CPU_AVX512 CPU_INLINE void rolling_advance_avx512(rolling_term term, const rolling_run *run) {
    const rolling_run own = *run, *const r = &own;
    int k = 0;
    for (; k + 32 <= r->padded; k += 32) rolling_advance_some_avx512(term, r, k, 2);
    for (; k < r->padded; k += 16) rolling_advance_some_avx512(term, r, k, 1);
}

/* The smallest lane, in all lanes. */
CPU_AVX2 CPU_INLINE __m256i rolling_smallest_avx2(__m256i values) {
    __m256i all = _mm256_min_epu32(values, _mm256_permute2x128_si256(values, values, 1));
    all = _mm256_min_epu32(all, _mm256_shuffle_epi32(all, 0x4e));
    return _mm256_min_epu32(all, _mm256_shuffle_epi32(all, 0xb1));
}

/* The costs of candidates `k`..`k` + 7; SV_NO_COST for those that are not among `first`..`last`. */
CPU_AVX2 CPU_INLINE __m256i rolling_load_avx2(const uint32_t *costs, int k, int first, int last) {
    const __m256i cost = _mm256_load_si256((const __m256i *)(costs + k));
    if (k >= first && k + 7 <= last) return cost;
    const __m256i at = _mm256_add_epi32(_mm256_set1_epi32(k), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_or_si256(cost, _mm256_or_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(first), at),
                                                 _mm256_cmpgt_epi32(at, _mm256_set1_epi32(last))));
}

/* The smaller lanes of two columns, by turns. */
CPU_AVX2 CPU_INLINE __m256i rolling_merge_avx2(__m256i a, __m256i b) {
    return _mm256_min_epu32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
}

/* The smallest keys of four columns, in each half. */
CPU_AVX2 CPU_INLINE __m256i rolling_least_of_four_avx2(const uint32_t *keys, int count, int pitch) {
    const int tail = (count - 1) & ~7;
    __m256i least[4];
    for (int i = 0; i < 4; i++) least[i] = rolling_load_avx2(keys + (ptrdiff_t)i * pitch, tail, 0, count - 1);
    for (int k = 0; k < tail; k += 8)
        for (int i = 0; i < 4; i++)
            least[i] =
                _mm256_min_epu32(least[i], _mm256_load_si256((const __m256i *)(keys + (ptrdiff_t)i * pitch + k)));
    const __m256i a = rolling_merge_avx2(least[0], least[1]), b = rolling_merge_avx2(least[2], least[3]);
    return _mm256_min_epu32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

CPU_AVX2 CPU_INLINE void rolling_least_avx2(const uint32_t *keys, int count, int pitch, uint32_t least[ROLLING_RUN]) {
    for (int i = 0; i < ROLLING_RUN; i += 8) {
        const __m256i a = rolling_least_of_four_avx2(keys + (ptrdiff_t)i * pitch, count, pitch);
        const __m256i b = rolling_least_of_four_avx2(keys + (ptrdiff_t)(i + 4) * pitch, count, pitch);
        _mm256_storeu_si256((__m256i *)(least + i), _mm256_min_epu32(_mm256_permute2x128_si256(a, b, 0x20),
                                                                     _mm256_permute2x128_si256(a, b, 0x31)));
    }
}

/* The same for 16 candidates. */
CPU_AVX512 CPU_INLINE __m512i rolling_load_avx512(const uint32_t *costs, int k, int first, int last) {
    const __m512i cost = _mm512_load_si512(costs + k);
    if (k >= first && k + 15 <= last) return cost;
    const unsigned above = k < first ? UINT16_MAX << (first - k) : UINT16_MAX;
    const unsigned below = k + 15 > last ? UINT16_MAX >> (k + 15 - last) : UINT16_MAX;
    return _mm512_mask_mov_epi32(_mm512_set1_epi32(-1), (__mmask16)(above & below), cost);
}

CPU_AVX512 CPU_INLINE __m512i rolling_least_of_four_avx512(const uint32_t *keys, int count, int pitch) {
    const int tail = (count - 1) & ~15;
    __m512i least[4];
    for (int i = 0; i < 4; i++) least[i] = rolling_load_avx512(keys + (ptrdiff_t)i * pitch, tail, 0, count - 1);
    for (int k = 0; k < tail; k += 16)
        for (int i = 0; i < 4; i++)
            least[i] = _mm512_min_epu32(least[i], _mm512_load_si512(keys + (ptrdiff_t)i * pitch + k));
    const __m512i a =
        _mm512_min_epu32(_mm512_unpacklo_epi32(least[0], least[1]), _mm512_unpackhi_epi32(least[0], least[1]));
    const __m512i b =
        _mm512_min_epu32(_mm512_unpacklo_epi32(least[2], least[3]), _mm512_unpackhi_epi32(least[2], least[3]));
    return _mm512_min_epu32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

CPU_AVX512 CPU_INLINE void rolling_least_avx512(const uint32_t *keys, int count, int pitch,
                                                uint32_t least[ROLLING_RUN]) {
    __m512i fours[4], eights[2];
    for (int i = 0; i < 4; i++) fours[i] = rolling_least_of_four_avx512(keys + (ptrdiff_t)i * 4 * pitch, count, pitch);
    for (int i = 0; i < 2; i++)
        eights[i] = _mm512_min_epu32(_mm512_shuffle_i32x4(fours[2 * i], fours[2 * i + 1], 0x44),
                                     _mm512_shuffle_i32x4(fours[2 * i], fours[2 * i + 1], 0xee));
    _mm512_storeu_si512(least, _mm512_min_epu32(_mm512_shuffle_i32x4(eights[0], eights[1], 0x88),
                                                _mm512_shuffle_i32x4(eights[0], eights[1], 0xdd)));
}

/* By vectors of the right map: if every column wrote to them, each would wait for the one before it, which writes one
 * entry further on. */
CPU_AVX2 CPU_INLINE void rolling_lower_avx2(const uint32_t *keys, int length, int padded, int pitch, uint32_t *right) {
    for (int k = 0; k < padded + length - 1; k += 8) {
        const uint32_t *from = keys + k - (length - 1);
        __m256i least = _mm256_loadu_si256((const __m256i *)(right + k));
        for (int i = 0; i < length; i++, from += pitch + 1)
            least = _mm256_min_epu32(least, _mm256_loadu_si256((const __m256i *)from));
        _mm256_storeu_si256((__m256i *)(right + k), least);
    }
}

CPU_AVX512 CPU_INLINE void rolling_lower_avx512(const uint32_t *keys, int length, int padded, int pitch,
                                                uint32_t *right) {
    for (int k = 0; k < padded + length - 1; k += 16) {
        const uint32_t *from = keys + k - (length - 1);
        __m512i least = _mm512_loadu_si512(right + k);
        for (int i = 0; i < length; i++, from += pitch + 1) least = _mm512_min_epu32(least, _mm512_loadu_si512(from));
        _mm512_storeu_si512(right + k, least);
    }
}

CPU_AVX2 CPU_INLINE int rolling_choose_avx2(const uint32_t *costs, int first, int last, uint32_t *right_costs,
                                            int32_t *right_winners) {
    const __m256i none = _mm256_set1_epi32(-1), lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i least = none, winner = none; /* by lane */
    for (int begin = first & ~7; begin <= last; begin += 8) {
        const __m256i k = _mm256_add_epi32(_mm256_set1_epi32(begin), lanes);
        const __m256i cost = rolling_load_avx2(costs, begin, first, last);
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
    /* The smallest winner of the lanes with the least cost; the others, and those without a winner, have the largest
     * unsigned number. */
    const __m256i others = _mm256_xor_si256(_mm256_cmpeq_epi32(least, rolling_smallest_avx2(least)), none);
    return _mm256_cvtsi256_si32(rolling_smallest_avx2(_mm256_or_si256(winner, others)));
}

CPU_AVX512 CPU_INLINE int rolling_choose_avx512(const uint32_t *costs, int first, int last, uint32_t *right_costs,
                                                int32_t *right_winners) {
    const __m512i none = _mm512_set1_epi32(-1);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i least = none, winner = none; /* by lane */
    for (int begin = first & ~15; begin <= last; begin += 16) {
        const __m512i k = _mm512_add_epi32(_mm512_set1_epi32(begin), lanes);
        const __m512i cost = rolling_load_avx512(costs, begin, first, last);
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
