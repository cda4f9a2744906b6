/* Device memory that a matcher keeps from one pair to the next, and the division of a block into arrays. */
#include "gpu/cuda.cuh"

sv_status gpu_reserve(cudaStream_t stream, gpu_buffer *buffer, size_t bytes, sv_error *error) {
    if (buffer->counts) {
        if (buffer->bytes < bytes) buffer->bytes = bytes;
        return SV_FAILED;
    }
    if (buffer->bytes >= bytes) return SV_OK;
    cudaStreamCaptureStatus capture;
    GPU_TRY(cudaStreamIsCapturing(stream, &capture));
    if (capture != cudaStreamCaptureStatusNone)
        return sv_fail(error, SV_FAILED, "a buffer of %zu bytes would grow to %zu while kernels are captured",
                       buffer->bytes, bytes);
    void *old = buffer->data;
    *buffer = {};
    GPU_TRY(cudaFree(old));
    GPU_TRY(cudaMalloc(&buffer->data, bytes));
    buffer->bytes = bytes;
    return SV_OK;
}

void *gpu_carve(void *base, size_t *used, size_t bytes) {
    enum { ALIGNMENT = 256 };
    void *memory = base ? (char *)base + *used : NULL;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return memory;
}
