/* The best candidate of a pixel, as ssd and zncc keep it. */
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

#endif
