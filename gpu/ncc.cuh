/* What ncc.cu and ncc_volume.cu share: the candidates of a pixel (Fan and Dahnoun, Eq. 9), and the best of those that
 * were tried. */
#ifndef GPU_NCC_CUH
#define GPU_NCC_CUH

#include "gpu/correlation.cuh"

enum { NO_SEED = -2 }; /* so that no candidate is its neighbour */

/* The candidates that a pixel searches: up to three runs in ascending order, without overlap. */
struct ncc_search {
    int starts[3], counts[3];
    int total;
};

/* Eq. 9: the union of the ranges around the seeds (negative: none), within first..last; all of first..last if there is
 * no seed. */
__device__ static __forceinline__ ncc_search search_about(int a, int b, int c, int tau, int first, int last) {
    const int low = min(a, b), high = max(a, b);
    const int seeds[3] = {min(low, c), max(low, min(high, c)), max(high, c)};
    ncc_search s = {};
    if (seeds[2] < 0) {
        s.starts[0] = first;
        s.counts[0] = s.total = max(0, last - first + 1);
        return s;
    }
    int next = first;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const int start = max(next, seeds[i] - tau), end = min(last, seeds[i] + tau);
        s.starts[i] = start;
        s.counts[i] = seeds[i] >= 0 && end >= start ? end - start + 1 : 0;
        s.total += s.counts[i];
        next = s.counts[i] ? end + 1 : next;
    }
    return s;
}

/* The best of the candidates that were considered, in ascending order. */
struct ncc_finding {
    int winner = GPU_NO_CANDIDATE;
    float best = -2; /* a correlation is not below -1, rounding aside */
    /* The best that is no neighbour of the winner; the last one, and the best of those before it. */
    float second = -INFINITY, latest = -INFINITY, earlier = -INFINITY;
    int latest_k = NO_SEED;
};

/* Considers candidate `k`; `score` NaN: it has none. UNIQUE: `second` is kept. Without branches, so that the compiler
 * need not wait for the score of one candidate before it reads that of the next. gpu_best (best.cuh) differs: it takes
 * every candidate of a range, and so knows a winner's neighbours, where this one has gaps to remember. */
template <bool UNIQUE> __device__ static __forceinline__ void consider(ncc_finding &found, int k, float score) {
    const bool better = score > found.best, there = !isnan(score);
    if (UNIQUE) {
        const float below = found.latest_k < k - 1 ? fmaxf(found.earlier, found.latest) : found.earlier;
        const float beside = k > found.winner + 1 ? fmaxf(found.second, score) : found.second;
        found.second = better ? below : beside;
        found.earlier = there ? fmaxf(found.earlier, found.latest) : found.earlier;
        found.latest = there ? score : found.latest;
        found.latest_k = there ? k : found.latest_k;
    }
    found.winner = better ? k : found.winner;
    found.best = better ? score : found.best;
}

#endif
