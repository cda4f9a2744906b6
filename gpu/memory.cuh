/* Device memory that a matcher keeps from one pair to the next, and the division of a block into arrays. */
#ifndef GPU_MEMORY_CUH
#define GPU_MEMORY_CUH

#include <cuda_runtime.h>
#include <stddef.h>

#include "stereo/stereo.h"

/* Device memory that grows. cudaFree frees `data`. */
struct gpu_buffer {
    void *data;
    size_t bytes;
    bool counts; /* never has memory: `bytes` is the most that was requested, see footprint.cu */
};

/* Makes `buffer` hold at least `bytes` bytes; its contents are lost if it grows. Growing waits for the device, because
 * cudaFree does, so no kernel loses its memory. While the work of `stream` is captured, growing fails and the buffer
 * stays as it is, because earlier graphs contain its address.
 * Errors: SV_FAILED if there is no memory, or during a capture; without a message if the buffer only counts. */
sv_status gpu_reserve(cudaStream_t stream, gpu_buffer *buffer, size_t bytes, sv_error *error);

/* Takes `bytes` bytes at offset `*used` of the block at `base`, aligned for any kernel, and advances `*used`. If `base`
 * is NULL it only counts, and returns NULL. */
void *gpu_carve(void *base, size_t *used, size_t bytes);

#endif
