/* The work of a thread of ncc's fast path (ncc_small.cu): correlates three candidates at a time, and combines the
 * results of the threads of a pixel. */
#ifndef GPU_NCC_SMALL_CUH
#define GPU_NCC_SMALL_CUH

#include "gpu/correlation.cuh"

enum {
    TRIPLE = 3,  /* neighbouring candidates that are correlated together */
    SEEDS = 3,   /* threads of a pixel */
    BEYOND = -1, /* the sum of a window around a pixel beyond the picture's edge */
};

/* Reads successive columns. */
template <int COUNT, typename entry>
__device__ static __forceinline__ void take(const entry *from, entry (&to)[COUNT]) {
#pragma unroll
    for (int i = 0; i < COUNT; i++) to[i] = from[i];
}

/* The sums of products of a window with three successive ones. */
template <int RHO>
__device__ static __forceinline__ void multiply(const uint2 (&window)[2 * RHO + 1],
                                                const uint2 (&others)[2 * RHO + TRIPLE], unsigned (&products)[TRIPLE]) {
#pragma unroll
    for (int j = 0; j < TRIPLE; j++) products[j] = 0;
#pragma unroll
    for (int i = 0; i < 2 * RHO + TRIPLE; i++)
#pragma unroll
        for (int j = 0; j < TRIPLE; j++) {
            if (i < j || i > j + 2 * RHO) continue;
            products[j] = __dp4a(window[i - j].x, others[i].x, products[j]);
            products[j] = __dp4a(window[i - j].y, others[i].y, products[j]);
        }
}

/* The result of one of a pixel's threads: its best candidate. NOTHING is below all correlations; with it, `k` consists
 * of the seed that the pixel received, in its lower half, and flags. */
struct alignas(8) finding {
    float score;
    int k;
};
#define NOTHING (-4.0f)
enum {
    NO_SEED = INT16_MIN, /* so that no candidate is near it */
    TRIED = 1 << 16,     /* there were candidates, or the pixel's window is flat */
    ASIDE = 1 << 17,     /* from a thread that does not know the pixel's seed: only the middle one does */
    NEVER = 1 << 18,     /* above every `k` */
};

__device__ static __forceinline__ finding nothing_found(int seed, bool tried, bool aside) {
    return {NOTHING, (seed & 0xffff) | (tried ? TRIED : 0) | (aside ? ASIDE : 0)};
}

/* The windows of three candidates in a row, of the other picture. */
template <int RHO> struct triple {
    uint2 bytes[2 * RHO + TRIPLE];
    gpu_window windows[TRIPLE];
};

/* Correlates those of the candidates `k` to `k` + 2 that are not above `last` with a window of n pixels, and updates
 * `best`. */
template <int RHO>
__device__ static __forceinline__ void try_triple(const triple<RHO> &t, const uint2 (&window)[2 * RHO + 1],
                                                  gpu_window own, int n, int k, int last, finding *best) {
    unsigned products[TRIPLE];
    float scores[TRIPLE];
    bool there = false;
    multiply<RHO>(window, t.bytes, products);
#pragma unroll
    for (int j = 0; j < TRIPLE; j++) {
        scores[j] = sv_correlation_of_few(n, products[j], own.sum, t.windows[j].sum, own.inverse,
                                          k + j <= last ? t.windows[j].inverse : NAN);
        there |= (k + j <= last) & (t.windows[j].sum != BEYOND);
    }
    /* fmaxf ignores NaN. */
    const float score = fmaxf(fmaxf(scores[0], scores[1]), fmaxf(scores[2], best->score));
    const int found = k + (scores[0] == score ? 0 : scores[1] == score ? 1 : 2);
    const int flag = there & (score == NOTHING) ? TRIED : 0;
    best->k = score > best->score ? found : best->k | flag;
    best->score = score;
}

/* The combined result of the three threads of a pixel: the best, or the smallest candidate of equal ones; if nothing
 * was found, the result of the middle thread, with TRIED if any of them has it. */
__device__ static __forceinline__ finding best_of(const finding (&three)[SEEDS]) {
    const float score = fmaxf(fmaxf(three[0].score, three[1].score), three[2].score);
    int k = NEVER, flags = 0;
#pragma unroll
    for (int i = 0; i < SEEDS; i++) {
        k = min(k, three[i].score == score ? three[i].k : NEVER);
        flags |= three[i].k;
    }
    return {score, k | (flags & TRIED)};
}

__device__ static __forceinline__ finding best_at(const finding *findings) {
    const finding three[SEEDS] = {findings[0], findings[1], findings[2]};
    return best_of(three);
}

__device__ static __forceinline__ int seed_of(finding best) { return (int16_t)best.k; }

/* The entry of a pixel in the winner maps. */
__device__ static __forceinline__ int16_t winner_of(finding best) {
    return best.score > NOTHING ? best.k : best.k & TRIED ? GPU_FLAT : GPU_NO_CANDIDATE;
}

/* True if neither a pixel nor its two neighbours have a seed. */
__device__ static __forceinline__ bool has_no_seed(const finding *findings, int pixel, int pixels) {
    bool none = true;
    for (int i = max(pixel - 1, 0); i <= min(pixel + 1, pixels - 1); i++)
        none &= seed_of(best_at(findings + SEEDS * i)) < 0;
    return none;
}

#endif
