/* How the lanes of a warp share the candidates of a pixel on a path (sgm_paths.cu, gfd_paths.cu). */
#ifndef GPU_PATHS_CUH
#define GPU_PATHS_CUH

#include <stdint.h>

#include <type_traits>

#include "gpu/cuda.cuh"

/* Candidates of each lane: the smallest power of two from 2 up with which a warp holds all of `count`. */
static inline int gpu_share_of_lane(int count) {
    int share = 2;
    while (share * GPU_WARP < count) share *= 2;
    return share;
}

/* Calls `launch` with the number of words of a lane, two candidates each, as a type: std::integral_constant. */
template <typename function> static sv_status gpu_with_words(int count, const function &launch) {
    switch (gpu_share_of_lane(count) / 2) {
    case 1: return launch(std::integral_constant<int, 1>());
    case 2: return launch(std::integral_constant<int, 2>());
    case 4: return launch(std::integral_constant<int, 4>());
    case 8: return launch(std::integral_constant<int, 8>());
    default: return launch(std::integral_constant<int, SV_MAX_DISPARITIES / GPU_WARP / 2>());
    }
}

#endif
