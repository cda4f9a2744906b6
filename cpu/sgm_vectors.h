/* Vectors of bytes for one set of instructions, in which the loops of semi-global matching are written. SGM_SET is the
 * set's name, any, avx2 or avx512, and SGM_TARGET the attribute of its functions. sgm_loops.h and sgm_tile_loops.h,
 * which are included once for each set, begin with this file and end with sgm_end.h, which undefines the names. */
#if CPU_VECTORS
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define SGM_PASTE(a, b) a##_##b
#define SGM_JOIN(a, b)  SGM_PASTE(a, b)
#define NAME(name)      SGM_JOIN(name, SGM_SET)
#define FN              SGM_TARGET static inline __attribute__((always_inline))

/* ---- Vectors ---------------------------------------------------------------------------------- */

#define SGM_IS_any    1
#define SGM_IS_avx2   2
#define SGM_IS_avx512 3
#define SGM_IS        SGM_JOIN(SGM_IS, SGM_SET)

#define vec NAME(sgm_vec)
#define V   NAME(sgm_width)

#if SGM_IS == SGM_IS_avx512

typedef __m512i vec;
enum { V = 64 };
#define MM(name) _mm512_##name
#define SI(name) _mm512_##name##_si512
/* Each lane filled with the same 16 bytes. */
FN vec NAME(lanes)(__m128i a) { return _mm512_broadcast_i32x4(a); }
/* The lanes moved up by one, with the last lane of `before` as the first; and down by one, with the first lane of
 * `after` as the last. */
FN vec NAME(lanes_up)(vec a, vec before) { return _mm512_alignr_epi32(a, before, 12); }
FN vec NAME(lanes_down)(vec a, vec after) { return _mm512_alignr_epi32(after, a, 4); }
/* For each byte, that of `c` where `a` is below `b`, else that of `d`. */
FN vec NAME(below_chooses)(vec a, vec b, vec c, vec d) {
    return _mm512_mask_blend_epi8(_mm512_cmplt_epu8_mask(a, b), d, c);
}
/* Each lane filled with a byte. At least four bytes can be read. */
FN vec NAME(spread)(const uint8_t *bytes) {
    const vec lanes = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set_m128i(_mm_set1_epi8(1), _mm_set1_epi8(0))),
                                         _mm256_set_m128i(_mm_set1_epi8(3), _mm_set1_epi8(2)), 1);
    int quad;
    memcpy(&quad, bytes, sizeof quad);
    return _mm512_shuffle_epi8(_mm512_set1_epi32(quad), lanes);
}
/* Lanes that are `stride` bytes apart. */
FN vec NAME(gather)(const uint8_t *at, ptrdiff_t stride) {
    const vec a = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)at));
    const vec b = _mm512_inserti32x4(a, _mm_loadu_si128((const __m128i *)(at + stride)), 1);
    const vec c = _mm512_inserti32x4(b, _mm_loadu_si128((const __m128i *)(at + 2 * stride)), 2);
    return _mm512_inserti32x4(c, _mm_loadu_si128((const __m128i *)(at + 3 * stride)), 3);
}
/* Stores the first `count` lanes, or all if there are fewer, `stride` bytes apart. */
FN void NAME(scatter)(uint8_t *at, ptrdiff_t stride, vec a, int count) {
    _mm_storeu_si128((__m128i *)at, _mm512_castsi512_si128(a));
    if (count > 1) _mm_storeu_si128((__m128i *)(at + stride), _mm512_extracti32x4_epi32(a, 1));
    if (count > 2) _mm_storeu_si128((__m128i *)(at + 2 * stride), _mm512_extracti32x4_epi32(a, 2));
    if (count > 3) _mm_storeu_si128((__m128i *)(at + 3 * stride), _mm512_extracti32x4_epi32(a, 3));
}
/* The least key of each lane, see min_keys. */
FN void NAME(least_keys)(vec a, uint32_t *keys) {
    keys[0] = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(_mm512_castsi512_si128(a)), 0);
    keys[1] = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(_mm512_extracti32x4_epi32(a, 1)), 0);
    keys[2] = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(_mm512_extracti32x4_epi32(a, 2)), 0);
    keys[3] = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(_mm512_extracti32x4_epi32(a, 3)), 0);
}

#elif SGM_IS == SGM_IS_avx2

typedef __m256i vec;
enum { V = 32 };
#define MM(name) _mm256_##name
#define SI(name) _mm256_##name##_si256
FN vec NAME(lanes)(__m128i a) { return _mm256_broadcastsi128_si256(a); }
FN vec NAME(lanes_up)(vec a, vec before) { return _mm256_permute2x128_si256(before, a, 0x21); }
FN vec NAME(lanes_down)(vec a, vec after) { return _mm256_permute2x128_si256(a, after, 0x21); }
FN vec NAME(below_chooses)(vec a, vec b, vec c, vec d) {
    return _mm256_blendv_epi8(c, d, _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a));
}
FN vec NAME(spread)(const uint8_t *bytes) {
    int quad;
    memcpy(&quad, bytes, sizeof quad);
    return _mm256_shuffle_epi8(_mm256_set1_epi32(quad), _mm256_set_m128i(_mm_set1_epi8(1), _mm_set1_epi8(0)));
}
FN vec NAME(gather)(const uint8_t *at, ptrdiff_t stride) {
    const vec a = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)at));
    return _mm256_inserti128_si256(a, _mm_loadu_si128((const __m128i *)(at + stride)), 1);
}
FN void NAME(scatter)(uint8_t *at, ptrdiff_t stride, vec a, int count) {
    _mm_storeu_si128((__m128i *)at, _mm256_castsi256_si128(a));
    if (count > 1) _mm_storeu_si128((__m128i *)(at + stride), _mm256_extracti128_si256(a, 1));
}
FN void NAME(least_keys)(vec a, uint32_t *keys) {
    keys[0] = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(_mm256_castsi256_si128(a)), 0);
    keys[1] = (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(_mm256_extracti128_si256(a, 1)), 0);
}

#endif

#if SGM_IS != SGM_IS_any /* what AVX2 and AVX-512 have under the same names */

FN vec NAME(load)(const uint8_t *at) { return SI(loadu)((const void *)at); }
FN void NAME(store)(uint8_t *at, vec a) { SI(storeu)((void *)at, a); }
/* Stores what is read so much later that it would only displace other data from the caches. `at` is a multiple of V.
 * end_streams is called before another thread reads it. */
FN void NAME(stream)(uint8_t *at, vec a) { SI(stream)((void *)at, a); }
FN void NAME(end_streams)(void) { _mm_sfence(); }
FN vec NAME(all)(uint8_t value) { return MM(set1_epi8)((char)value); }
FN vec NAME(min)(vec a, vec b) { return MM(min_epu8)(a, b); }
FN vec NAME(max)(vec a, vec b) { return MM(max_epu8)(a, b); }
FN vec NAME(add)(vec a, vec b) { return MM(add_epi8)(a, b); }
FN vec NAME(adds)(vec a, vec b) { return MM(adds_epu8)(a, b); }
FN vec NAME(sub)(vec a, vec b) { return MM(sub_epi8)(a, b); }
/* How far signed bytes are apart, if that is less than 128. */
FN vec NAME(apart)(vec a, vec b) { return MM(abs_epi8)(MM(subs_epi8)(a, b)); }
FN vec NAME (xor)(vec a, vec b) { return SI(xor)(a, b); }
FN vec NAME (and)(vec a, vec b) { return SI(and)(a, b); }
FN vec NAME(or)(vec a, vec b) { return SI(or)(a, b); }
FN vec NAME(shift4)(vec a) { return NAME(and)(MM(srli_epi16)(a, 4), NAME(all)(15)); }
FN vec NAME(half)(vec a) { return MM(avg_epu8)(a, SI(setzero)()); }
FN vec NAME(mismatch)(vec census, vec apart) {
    const vec ones = NAME(lanes)(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const vec of_bits = NAME(lanes)(_mm_setr_epi8(0, 7, 13, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0));
    const vec of_gradient = NAME(lanes)(_mm_setr_epi8(0, 1, 3, 4, 6, 7, 8, 10, 11, 0, 0, 0, 0, 0, 0, 0));
    const vec low = MM(shuffle_epi8)(ones, NAME(and)(census, NAME(all)(15)));
    const vec high = MM(shuffle_epi8)(ones, NAME(shift4)(census));
    return NAME(add)(MM(shuffle_epi8)(of_bits, NAME(add)(low, high)),
                     MM(shuffle_epi8)(of_gradient, NAME(min)(apart, NAME(all)(8))));
}
/* In each lane, the bytes moved up by one, with the last byte of `before` as the first; and down by one, with the first
 * byte of `after` as the last. */
FN vec NAME(up)(vec a, vec before) { return MM(alignr_epi8)(a, before, 15); }
FN vec NAME(below)(vec a, vec after) { return MM(alignr_epi8)(after, a, 1); }
/* Sets all bytes of each lane of `a` and `b` to the smallest one. */
FN void NAME(least)(vec *a, vec *b) {
    vec c = MM(min_epu8)(MM(unpacklo_epi8)(*a, *b), MM(unpackhi_epi8)(*a, *b));
    c = MM(min_epu8)(c, MM(alignr_epi8)(c, c, 8));
    c = MM(min_epu8)(c, MM(alignr_epi8)(c, c, 4));
    c = MM(min_epu8)(c, MM(alignr_epi8)(c, c, 2));
    *a = MM(shuffle_epi8)(c, NAME(all)(0));
    *b = MM(shuffle_epi8)(c, NAME(all)(1));
}
/* In each lane, the bytes of the two lower, or upper, halves interleaved. */
FN vec NAME(zip_low)(vec a, vec b) { return MM(unpacklo_epi8)(a, b); }
FN vec NAME(zip_high)(vec a, vec b) { return MM(unpackhi_epi8)(a, b); }
/* Keys of 16 bits, as zip_low and zip_high make them of bytes: their minimum in each place; those of both vectors moved
 * up by one byte's place in each lane, with the largest key as the first. */
FN vec NAME(min_keys)(vec a, vec b) { return MM(min_epu16)(a, b); }
FN vec NAME(up_low)(vec low) { return MM(alignr_epi8)(low, NAME(all)(255), 14); }
FN vec NAME(up_high)(vec low, vec high) { return MM(alignr_epi8)(high, low, 14); }
#undef MM
#undef SI

#elif defined(__aarch64__) /* NEON, which all of these processors have */

typedef uint8x16_t vec;
enum { V = 16 };
FN vec NAME(load)(const uint8_t *at) { return vld1q_u8(at); }
FN void NAME(store)(uint8_t *at, vec a) { vst1q_u8(at, a); }
FN void NAME(stream)(uint8_t *at, vec a) { NAME(store)(at, a); }
FN void NAME(end_streams)(void) {}
FN vec NAME(all)(uint8_t value) { return vdupq_n_u8(value); }
FN vec NAME(min)(vec a, vec b) { return vminq_u8(a, b); }
FN vec NAME(max)(vec a, vec b) { return vmaxq_u8(a, b); }
FN vec NAME(add)(vec a, vec b) { return vaddq_u8(a, b); }
FN vec NAME(adds)(vec a, vec b) { return vqaddq_u8(a, b); }
FN vec NAME(sub)(vec a, vec b) { return vsubq_u8(a, b); }
FN vec NAME(apart)(vec a, vec b) {
    return vreinterpretq_u8_s8(vabdq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)));
}
FN vec NAME (xor)(vec a, vec b) { return veorq_u8(a, b); }
FN vec NAME (and)(vec a, vec b) { return vandq_u8(a, b); }
FN vec NAME(or)(vec a, vec b) { return vorrq_u8(a, b); }
FN vec NAME(shift4)(vec a) { return vshrq_n_u8(a, 4); }
FN vec NAME(half)(vec a) { return vrshrq_n_u8(a, 1); }
FN vec NAME(mismatch)(vec census, vec apart) {
    static const uint8_t of_bits[V] = {0, 7, 13, 16, 16, 16, 16, 16, 16};
    static const uint8_t of_gradient[V] = {0, 1, 3, 4, 6, 7, 8, 10, 11};
    return vaddq_u8(vqtbl1q_u8(vld1q_u8(of_bits), vcntq_u8(census)),
                    vqtbl1q_u8(vld1q_u8(of_gradient), vminq_u8(apart, vdupq_n_u8(8))));
}
FN vec NAME(up)(vec a, vec before) { return vextq_u8(before, a, 15); }
FN vec NAME(below)(vec a, vec after) { return vextq_u8(a, after, 1); }
FN void NAME(least)(vec *a, vec *b) {
    *a = vdupq_n_u8(vminvq_u8(*a));
    *b = vdupq_n_u8(vminvq_u8(*b));
}
FN vec NAME(below_chooses)(vec a, vec b, vec c, vec d) { return vbslq_u8(vcltq_u8(a, b), c, d); }
FN vec NAME(zip_low)(vec a, vec b) { return vzip1q_u8(a, b); }
FN vec NAME(zip_high)(vec a, vec b) { return vzip2q_u8(a, b); }
FN vec NAME(min_keys)(vec a, vec b) {
    return vreinterpretq_u8_u16(vminq_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}
FN void NAME(least_keys)(vec a, uint32_t *keys) { *keys = vminvq_u16(vreinterpretq_u16_u8(a)); }
FN vec NAME(up_low)(vec low) { return vextq_u8(vdupq_n_u8(255), low, 14); }
FN vec NAME(up_high)(vec low, vec high) { return vextq_u8(low, high, 14); }

#else /* any other processor: the compiler's own vectors */

typedef uint8_t vec __attribute__((vector_size(16)));
enum { V = 16 };
#ifdef __clang__
#define SGM_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SGM_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (vec){__VA_ARGS__})
#endif
FN vec NAME(load)(const uint8_t *at) {
    vec a;
    memcpy(&a, at, sizeof a);
    return a;
}
FN void NAME(store)(uint8_t *at, vec a) { memcpy(at, &a, sizeof a); }
FN void NAME(stream)(uint8_t *at, vec a) { NAME(store)(at, a); }
FN void NAME(end_streams)(void) {}
FN vec NAME(all)(uint8_t value) { return (vec){0} + value; }
FN vec NAME(choose)(vec mask, vec a, vec b) { return (a & mask) | (b & ~mask); }
FN vec NAME(min)(vec a, vec b) { return NAME(choose)((vec)(a < b), a, b); }
FN vec NAME(max)(vec a, vec b) { return NAME(choose)((vec)(a > b), a, b); }
FN vec NAME(add)(vec a, vec b) { return a + b; }
FN vec NAME(adds)(vec a, vec b) { return (a + b) | (vec)(a + b < a); }
FN vec NAME(sub)(vec a, vec b) { return a - b; }
FN vec NAME(apart)(vec a, vec b) { return NAME(max)(a ^ 128, b ^ 128) - NAME(min)(a ^ 128, b ^ 128); }
FN vec NAME (xor)(vec a, vec b) { return a ^ b; }
FN vec NAME (and)(vec a, vec b) { return a & b; }
FN vec NAME(or)(vec a, vec b) { return a | b; }
FN vec NAME(shift4)(vec a) { return a >> 4; }
FN vec NAME(half)(vec a) { return (a + 1) >> 1; }
/* sv_sgm_mismatch of pixels whose census differs in the set bits of `census`, and their gradients by `apart`. */
FN vec NAME(mismatch)(vec census, vec apart) {
    vec bits = census - (census >> 1 & 0x55);
    bits = (bits & 0x33) + (bits >> 2 & 0x33);
    bits = (bits + (bits >> 4)) & 15;
    const vec of_bits = ((vec)(bits > 0) & 7) + ((vec)(bits > 1) & 6) + ((vec)(bits > 2) & 3);
    return of_bits + ((11 * NAME(min)(apart, NAME(all)(8)) + 4) >> 3);
}
#if CPU_VECTORS /* gcc makes worse code of shuffles that merge two vectors */
FN vec NAME(up)(vec a, vec before) {
    return (vec)_mm_or_si128(_mm_slli_si128((__m128i)a, 1), _mm_srli_si128((__m128i)before, 15));
}
FN vec NAME(below)(vec a, vec after) {
    return (vec)_mm_or_si128(_mm_srli_si128((__m128i)a, 1), _mm_slli_si128((__m128i)after, 15));
}
#else
FN vec NAME(up)(vec a, vec before) {
    return SGM_SHUFFLE(before, a, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}
FN vec NAME(below)(vec a, vec after) {
    return SGM_SHUFFLE(a, after, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}
#endif
FN vec NAME(zip_low)(vec a, vec b) { return SGM_SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23); }
FN vec NAME(zip_high)(vec a, vec b) {
    return SGM_SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#if CPU_VECTORS
FN void NAME(least)(vec *a, vec *b) {
    const __m128i low = _mm_unpacklo_epi8((__m128i)*a, (__m128i)*b), high = _mm_unpackhi_epi8((__m128i)*a, (__m128i)*b);
    const __m128i c = _mm_min_epu8(low, high), d = _mm_min_epu8(c, _mm_srli_si128(c, 8));
    const __m128i e = _mm_min_epu8(d, _mm_srli_si128(d, 4)), f = _mm_min_epu8(e, _mm_srli_si128(e, 2));
    const int least = _mm_cvtsi128_si32(f);
    *a = NAME(all)((uint8_t)least);
    *b = NAME(all)((uint8_t)(least >> 8));
}
#else
FN vec NAME(least_of)(vec a) {
    uint8_t bytes[V], least = SGM_NONE;
    NAME(store)(bytes, a);
    for (int i = 0; i < V; i++) least = bytes[i] < least ? bytes[i] : least;
    return NAME(all)(least);
}
FN void NAME(least)(vec *a, vec *b) {
    *a = NAME(least_of)(*a);
    *b = NAME(least_of)(*b);
}
#endif
FN vec NAME(below_chooses)(vec a, vec b, vec c, vec d) { return NAME(choose)((vec)(a < b), c, d); }
typedef uint16_t NAME(sgm_keys) __attribute__((vector_size(16)));
FN vec NAME(min_keys)(vec a, vec b) { return NAME(choose)((vec)((NAME(sgm_keys))a < (NAME(sgm_keys))b), a, b); }
FN void NAME(least_keys)(vec a, uint32_t *keys) {
    *keys = UINT16_MAX;
    for (int i = 0; i < 8; i++) *keys = ((NAME(sgm_keys))a)[i] < *keys ? ((NAME(sgm_keys))a)[i] : *keys;
}
FN vec NAME(up_high)(vec low, vec high) { return NAME(up)(NAME(up)(high, low), (vec){0} + low[V - 2]); }
FN vec NAME(up_low)(vec low) { return NAME(up_high)(NAME(all)(255), low); }

#endif

#if SGM_IS == SGM_IS_any /* a vector is one lane */
FN vec NAME(lanes_up)(vec a, vec before) { return (void)a, before; }
FN vec NAME(lanes_down)(vec a, vec after) { return (void)a, after; }
FN vec NAME(spread)(const uint8_t *bytes) { return NAME(all)(*bytes); }
FN vec NAME(gather)(const uint8_t *at, ptrdiff_t stride) { return (void)stride, NAME(load)(at); }
FN void NAME(scatter)(uint8_t *at, ptrdiff_t stride, vec a, int count) {
    (void)stride, (void)count, NAME(store)(at, a);
}
#endif
