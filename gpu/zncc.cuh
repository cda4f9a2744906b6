/* What the two kernels of zncc share: their arguments, and the decision on a pixel from its best candidate. */
#ifndef GPU_ZNCC_CUH
#define GPU_ZNCC_CUH

#include "gpu/best.cuh"
#include "gpu/correlation.cuh"

struct zncc_job : gpu_search {
    float min_correlation;
};

/* Writes the result of the map of `side` at (x, y). `is_flat`: the window there is flat. */
__device__ static __forceinline__ void zncc_write(const zncc_job &job, int side, int x, int y,
                                                  const gpu_winner<gpu_correlations> &best, bool is_flat,
                                                  bool is_ambiguous) {
    int winner = best.candidate;
    if (winner < 0)
        winner = sv_first_candidate(x, job.width, job.min_disparity, 1, side == GPU_RIGHT) <=
                         sv_last_candidate(x, job.width, job.min_disparity, 1, job.candidates, side == GPU_RIGHT)
                     ? GPU_FLAT
                     : GPU_NO_CANDIDATE;
    job.winners[side][(size_t)y * job.width + x] = (int16_t)winner;
    if (side == GPU_RIGHT) return;
    float disparity = INFINITY;
    int reason = winner == GPU_FLAT || is_flat ? SV_NO_TEXTURE : SV_BORDER;
    if (winner >= 0)
        reason = sv_decide_correlation(winner, job.subpixel ? best.before : SV_NO_CORRELATION, best.value, best.after,
                                       job.min_correlation, is_ambiguous, job.min_disparity, &disparity);
    gpu_row<float>(job.maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(job.maps.reason, y)[x] = (uint8_t)reason;
}

/* zncc on tensor cores (zncc_tensor.cu): whether it supports these parameters on this device, and its launcher. */
bool gpu_zncc_fits_tensors(const gpu_context *context, const zncc_job *job);
sv_status gpu_zncc_tensors(gpu_context *context, const gpu_pair *pair, const zncc_job *job, int sides, sv_error *error);

#endif
