/* The best candidate of a pixel: what all kernels of ssd and zncc keep of it, and how those that try one candidate
 * after another find it. */
#ifndef GPU_BEST_CUH
#define GPU_BEST_CUH

#include "gpu/cuda.cuh"

/* What candidates are compared by: its values, the one of a candidate that was not tried, and which of two wins. */
struct gpu_costs {
    typedef uint32_t value;
    static constexpr value NONE = SV_NO_COST;
    __device__ static __forceinline__ bool better(value a, value b) { return a < b; }
    __device__ static __forceinline__ value better_of(value a, value b) { return min(a, b); }
};
struct gpu_correlations {
    typedef float value;
    static constexpr value NONE = SV_NO_CORRELATION;
    __device__ static __forceinline__ bool better(value a, value b) { return a > b; }
    __device__ static __forceinline__ value better_of(value a, value b) { return fmaxf(a, b); }
};

template <typename compared> struct gpu_winner {
    int candidate = -1; /* negative: there is none */
    /* What it is compared by, and what its neighbours are. */
    typename compared::value value = compared::NONE, before = compared::NONE, after = compared::NONE;
};

/* The winner so far. UNIQUE: `earlier` and `second` are kept; the neighbours of a winner are then RECENT candidates to
 * either side. */
template <typename compared, bool UNIQUE, int RECENT = 1> struct gpu_best : gpu_winner<compared> {
    typename compared::value recent[RECENT]; /* considered last, the newest first */
    /* The best value before `recent`; and of those that are no neighbours of the winner. */
    typename compared::value earlier = compared::NONE, second = compared::NONE;

    __device__ __forceinline__ gpu_best() {
#pragma unroll
        for (int i = 0; i < RECENT; i++) recent[i] = compared::NONE;
    }

    /* Considers candidate `k`. Candidates come in ascending order without gaps, so the smaller one wins a tie. */
    __device__ __forceinline__ void consider(int k, typename compared::value value) {
        if (compared::better(value, this->value)) {
            this->candidate = k;
            this->before = recent[0];
            this->value = value;
            this->after = compared::NONE;
            second = earlier;
        } else {
            if (k == this->candidate + 1) this->after = value;
            if (UNIQUE && k > this->candidate + RECENT) second = compared::better_of(second, value);
        }
        if (UNIQUE) earlier = compared::better_of(earlier, recent[RECENT - 1]);
#pragma unroll
        for (int i = RECENT - 1; i > 0; i--) recent[i] = recent[i - 1];
        recent[0] = value;
    }
};

#endif
