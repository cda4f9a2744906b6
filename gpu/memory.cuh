/* Device memory that a matcher keeps from one pair to the next, and how a block of it is divided. */
#ifndef GPU_MEMORY_CUH
#define GPU_MEMORY_CUH

#include <stddef.h>

#include "stereo/stereo.h"

struct gpu_context;

/* Device memory that grows. cudaFree frees `data`. */
struct gpu_buffer {
    void *data;
    size_t bytes;
};

/* Makes `buffer` at least `bytes` large; its content is lost if it grows. Growing waits for the device, because
 * cudaFree does, so no kernel loses its memory. While kernels of the context are captured it is refused, and the buffer
 * stays as it is, because earlier graphs contain its address.
 *
 * Errors: SV_FAILED if there is no memory, or during a capture. */
sv_status gpu_reserve(const gpu_context *context, gpu_buffer *buffer, size_t bytes, sv_error *error);

/* Takes `bytes` at offset `*used` of the block at `base`, aligned as any kernel needs it, and moves `*used` on. NULL if
 * `base` is NULL, which serves to count. */
void *gpu_carve(void *base, size_t *used, size_t bytes);

#endif
