/* Failures of CUDA as errors with messages. */
#ifndef GPU_ERRORS_CUH
#define GPU_ERRORS_CUH

#include <cuda_runtime.h>

#include "stereo/stereo.h"

/* Returns SV_FAILED with a message that names `call` and what to try, and clears CUDA's last error, so that it is not
 * attributed to the next call. */
sv_status gpu_fail(sv_error *error, const char *call, cudaError_t code);

/* Evaluates `call` once, and returns its failure from the calling function, which has an `sv_error *error` in scope. */
#define GPU_TRY(call)                                                                                                  \
    do {                                                                                                               \
        cudaError_t gpu_code = (call);                                                                                 \
        if (gpu_code != cudaSuccess) return gpu_fail(error, #call, gpu_code);                                          \
    } while (0)

/* The same for a function that returns an sv_status. */
#define GPU_PASS(call)                                                                                                 \
    do {                                                                                                               \
        sv_status gpu_status = (call);                                                                                 \
        if (gpu_status != SV_OK) return gpu_status;                                                                    \
    } while (0)

#endif
