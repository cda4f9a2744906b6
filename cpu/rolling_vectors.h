/* The loops of the rolling window, over vectors of ROLLING_BITS bits for the set of instructions ROLLING_SET, avx2 or
 * avx512, whose functions have the attribute ROLLING_TARGET: see rolling_loops in rolling.h. rolling_loops.h includes
 * this file once for each set. */
#define ROLLING_PASTE(a, b, c) a##b##c
#define ROLLING_JOIN(a, b, c)  ROLLING_PASTE(a, b, c)
#define NAME(name)             ROLLING_JOIN(rolling_##name, _, ROLLING_SET)
#define MM(name)               ROLLING_JOIN(_mm, ROLLING_BITS, _##name)
#define FN                     ROLLING_TARGET CPU_INLINE
#define vec                    NAME(vec)

typedef ROLLING_JOIN(__m, ROLLING_BITS, i) vec;

enum { NAME(lanes) = ROLLING_BITS / 32 };
#define V NAME(lanes)

#if ROLLING_BITS == 512

FN vec NAME(load)(const void *at) { return _mm512_load_si512(at); } /* at a multiple of the vector's size */
FN vec NAME(loadu)(const void *at) { return _mm512_loadu_si512(at); }
FN void NAME(store)(void *at, vec a) { _mm512_store_si512(at, a); }
FN void NAME(storeu)(void *at, vec a) { _mm512_storeu_si512(at, a); }
/* In each lane that of `c` where `a` is below `b`, else that of `d`. */
FN vec NAME(below_chooses)(vec a, vec b, vec c, vec d) {
    return _mm512_mask_mov_epi32(d, _mm512_cmplt_epu32_mask(a, b), c);
}
/* The smaller lanes of the vector's lanes of 16 bytes, in each of these. */
FN vec NAME(fold)(vec a) {
    a = MM(min_epu32)(a, _mm512_shuffle_i32x4(a, a, 0x4e));
    return MM(min_epu32)(a, _mm512_shuffle_i32x4(a, a, 0xb1));
}
/* The first candidate of those that `best` has in the lanes where `least` is smallest, which `all` has in all lanes. */
FN int NAME(first_of)(vec best, vec least, vec all) {
    const __mmask16 equal = _mm512_cmpeq_epu32_mask(least, all);
    if (equal & (equal - 1)) return (int)_mm512_mask_reduce_min_epu32(equal, best); /* a tie */
    return _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_maskz_compress_epi32(equal, best)));
}
/* Writes the smallest lane of each column, of which least_of_four has made four vectors. */
FN void NAME(write_least)(uint32_t *least, const vec four[4]) {
    vec eight[2];
    for (int i = 0; i < 2; i++)
        eight[i] = MM(min_epu32)(_mm512_shuffle_i32x4(four[2 * i], four[2 * i + 1], 0x44),
                                 _mm512_shuffle_i32x4(four[2 * i], four[2 * i + 1], 0xee));
    NAME(storeu)
    (least,
     MM(min_epu32)(_mm512_shuffle_i32x4(eight[0], eight[1], 0x88), _mm512_shuffle_i32x4(eight[0], eight[1], 0xdd)));
}

#else

FN vec NAME(load)(const void *at) { return _mm256_load_si256(at); }
FN vec NAME(loadu)(const void *at) { return _mm256_loadu_si256(at); }
FN void NAME(store)(void *at, vec a) { _mm256_store_si256(at, a); }
FN void NAME(storeu)(void *at, vec a) { _mm256_storeu_si256(at, a); }
FN vec NAME(below_chooses)(vec a, vec b, vec c, vec d) {
    return _mm256_blendv_epi8(c, d, _mm256_cmpeq_epi32(_mm256_min_epu32(a, b), b));
}
FN vec NAME(fold)(vec a) { return MM(min_epu32)(a, _mm256_permute2x128_si256(a, a, 1)); }
FN int NAME(first_of)(vec best, vec least, vec all) {
    const vec others = _mm256_xor_si256(_mm256_cmpeq_epi32(least, all), _mm256_set1_epi32(-1));
    vec first = NAME(fold)(_mm256_or_si256(best, others));
    first = MM(min_epu32)(first, MM(shuffle_epi32)(first, 0x4e));
    first = MM(min_epu32)(first, MM(shuffle_epi32)(first, 0xb1));
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(first));
}
FN void NAME(write_least)(uint32_t *least, const vec four[4]) {
    for (int i = 0; i < 4; i += 2) {
        const vec low = _mm256_permute2x128_si256(four[i], four[i + 1], 0x20);
        const vec high = _mm256_permute2x128_si256(four[i], four[i + 1], 0x31);
        NAME(storeu)(least + 4 * i, MM(min_epu32)(low, high));
    }
}

#endif

/* ---- advance ---------------------------------------------------------------------------------- */

/* Advances the candidates of `vectors` vectors, `k` and those that follow, column by column, so that the sums of their
 * windows stay in registers. */
FN void NAME(advance_some)(rolling_term term, const rolling_run *r, int k, int vectors) {
    const vec factors = MM(set1_epi32)(rolling_factors(r->scale));
    const rolling_values *other = r->other + k;
    uint32_t *column = r->columns + k, *to = r->windows + k;
    vec window[2];
    for (int v = 0; v < vectors; v++) window[v] = r->sums ? NAME(load)(r->sums + k + V * v) : MM(set1_epi32)(0);
    for (int i = 0; i < r->length; i++, other += r->step, column += r->padded) {
        const vec pair = MM(set1_epi32)(rolling_pair(r->reference[i]));
        for (int v = 0; v < vectors; v++) {
            const vec values = NAME(loadu)(other + V * v), difference = MM(sub_epi16)(pair, values);
            const vec change = term == ROLLING_PRODUCTS
                                   ? MM(madd_epi16)(MM(mullo_epi16)(pair, factors), values)
                                   : MM(madd_epi16)(difference, MM(mullo_epi16)(difference, factors));
            const vec sum = MM(add_epi32)(NAME(load)(column + V * v), change);
            NAME(store)(column + V * v, sum);
            if (!r->sums) continue;
            window[v] = MM(add_epi32)(window[v], MM(sub_epi32)(sum, NAME(load)(column + r->passed + V * v)));
            NAME(store)(to + V * v, window[v]);
        }
        to += r->pitch;
    }
    for (int v = 0; r->sums && v < vectors; v++) NAME(store)(r->sums + k + V * v, window[v]);
}

FN void NAME(advance)(rolling_term term, const rolling_run *run) {
    const rolling_run own = *run, *const r = &own;
    int k = 0;
    for (; k + 2 * V <= r->padded; k += 2 * V) NAME(advance_some)(term, r, k, 2);
    for (; k < r->padded; k += V) NAME(advance_some)(term, r, k, 1);
}

/* ---- least, lower and choose ------------------------------------------------------------------ */

/* Candidate `k` and those that follow, one in each lane. */
FN vec NAME(candidates)(int k) {
    static const int32_t ascending[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return MM(add_epi32)(MM(set1_epi32)(k), NAME(loadu)(ascending));
}

/* Their costs; SV_NO_COST for those that are not among `first`..`last`. */
FN vec NAME(costs_of)(const uint32_t *costs, int k, int first, int last) {
    const vec cost = NAME(load)(costs + k);
    if (k >= first && k + V - 1 <= last) return cost;
    return NAME(below_chooses)(NAME(candidates)(k - first), MM(set1_epi32)(last < first ? 0 : last - first + 1), cost,
                               MM(set1_epi32)(-1));
}

/* The smallest keys of four columns, in each 16 bytes. */
FN vec NAME(least_of_four)(const uint32_t *keys, int count, int pitch) {
    const int tail = (count - 1) & ~(V - 1);
    vec a[4];
    for (int i = 0; i < 4; i++) a[i] = NAME(costs_of)(keys + (ptrdiff_t)i * pitch, tail, 0, count - 1);
    for (int k = 0; k < tail; k += V)
        for (int i = 0; i < 4; i++) a[i] = MM(min_epu32)(a[i], NAME(load)(keys + (ptrdiff_t)i * pitch + k));
    for (int i = 0; i < 4; i += 2)
        a[i] = MM(min_epu32)(MM(unpacklo_epi32)(a[i], a[i + 1]), MM(unpackhi_epi32)(a[i], a[i + 1]));
    return MM(min_epu32)(MM(unpacklo_epi64)(a[0], a[2]), MM(unpackhi_epi64)(a[0], a[2]));
}

FN void NAME(least)(const uint32_t *keys, int count, int pitch, uint32_t least[ROLLING_RUN]) {
    vec four[4];
    for (int i = 0; i < 4; i++) four[i] = NAME(least_of_four)(keys + (ptrdiff_t)i * 4 * pitch, count, pitch);
    NAME(write_least)(least, four);
}

/* By vectors of the right map: if every column wrote to them, each would wait for the one before it, which writes one
 * entry further on. */
FN void NAME(lower)(const uint32_t *keys, int length, int padded, int pitch, uint32_t *right) {
    for (int k = 0; k < padded + length - 1; k += V) {
        const uint32_t *from = keys + k - (length - 1);
        vec least = NAME(loadu)(right + k);
        for (int i = 0; i < length; i++, from += pitch + 1) least = MM(min_epu32)(least, NAME(loadu)(from));
        NAME(storeu)(right + k, least);
    }
}

FN int NAME(choose)(const uint32_t *costs, int first, int last, uint32_t *right_costs, int32_t *right_winners) {
    vec least = MM(set1_epi32)(-1), best = least; /* by lane */
    for (int begin = first & ~(V - 1); begin <= last; begin += V) {
        const vec k = NAME(candidates)(begin), cost = NAME(costs_of)(costs, begin, first, last);
        best = NAME(below_chooses)(cost, least, k, best);
        least = MM(min_epu32)(cost, least);
        if (!right_costs) continue;
        const vec before = NAME(loadu)(right_costs + begin), winners = NAME(loadu)(right_winners + begin);
        NAME(storeu)(right_costs + begin, MM(min_epu32)(cost, before));
        NAME(storeu)(right_winners + begin, NAME(below_chooses)(cost, before, k, winners));
    }
    vec all = NAME(fold)(least);
    all = MM(min_epu32)(all, MM(shuffle_epi32)(all, 0x4e));
    all = MM(min_epu32)(all, MM(shuffle_epi32)(all, 0xb1));
    return NAME(first_of)(best, least, all);
}

#undef ROLLING_PASTE
#undef ROLLING_JOIN
#undef NAME
#undef MM
#undef FN
#undef vec
#undef V
#undef ROLLING_SET
#undef ROLLING_BITS
#undef ROLLING_TARGET
