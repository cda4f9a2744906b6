/* Failures of CUDA as errors with messages. */
#include <string.h>

#include "gpu/cuda.cuh"

sv_status gpu_fail(sv_error *error, const char *call, cudaError_t code) {
    const char *advice = "if it happens again, use the cpu backend";
    if (code == cudaErrorMemoryAllocation)
        advice = "try smaller pictures, or close other programs that use the card";
    else if (code == cudaErrorNoKernelImageForDevice)
        advice = "this program has no code for this card; build it again with CUDA_ARCHS set to its compute capability";
    cudaGetLastError();
    return sv_fail(error, SV_FAILED, "CUDA's %.*s failed: %s (%s); %s", (int)strcspn(call, "("), call,
                   cudaGetErrorString(code), cudaGetErrorName(code), advice);
}
