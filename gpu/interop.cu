/* OpenGL buffers as device memory.
 *
 * These functions run on the thread that has the OpenGL context, while another thread submits pairs. Mapping is ordered
 * only with later work in the same stream, and the kernels run in another one; so each buffer has its own stream, which
 * is waited for before the pointer is returned. OpenGL's work on the buffer is then complete, and the thread that
 * unmaps it has waited for the pair that wrote to it. */
#include <cuda_gl_interop.h>
#include <stdlib.h>

#include "gpu/cuda.cuh"

struct shared_buffer {
    int device;
    cudaGraphicsResource_t resource;
    cudaStream_t stream;
    bool mapped;
};

/* True if the current OpenGL context runs on that device. */
static bool opengl_is_on(int device) {
    enum { MOST = 16 };
    unsigned count = 0;
    int devices[MOST];
    bool here = false;
    if (cudaGLGetDevices(&count, devices, MOST, cudaGLDeviceListAll) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    for (unsigned i = 0; i < count && i < MOST; i++) here |= devices[i] == device;
    return here;
}

static sv_status register_buffer(shared_buffer *shared, unsigned gl_buffer, sv_error *error) {
    GPU_TRY(cudaStreamCreateWithFlags(&shared->stream, cudaStreamNonBlocking));
    /* Every frame writes the whole map, so the contents of the buffer need not be kept. */
    GPU_TRY(cudaGraphicsGLRegisterBuffer(&shared->resource, gl_buffer, cudaGraphicsRegisterFlagsWriteDiscard));
    return SV_OK;
}

sv_status gpu_share_register(int device, unsigned gl_buffer, void **shared, sv_error *error) {
    *shared = NULL;
    GPU_TRY(cudaSetDevice(device));
    if (!opengl_is_on(device))
        return sv_fail(error, SV_NO_DEVICE, "OpenGL does not run on the CUDA device, so they cannot share memory");
    shared_buffer *made = (shared_buffer *)calloc(1, sizeof *made);
    if (!made) return sv_fail(error, SV_FAILED, "out of memory for a shared buffer");
    made->device = device;
    sv_error why = {""};
    if (register_buffer(made, gl_buffer, &why) != SV_OK) {
        gpu_share_unregister(made);
        return sv_fail(error, SV_NO_DEVICE, "OpenGL's memory cannot be shared with CUDA: %s", why.text);
    }
    *shared = made;
    return SV_OK;
}

sv_status gpu_share_map(void *shared, void **device_memory, size_t *bytes, sv_error *error) {
    shared_buffer *buffer = (shared_buffer *)shared;
    GPU_TRY(cudaSetDevice(buffer->device));
    GPU_TRY(cudaGraphicsMapResources(1, &buffer->resource, buffer->stream));
    cudaError_t code = cudaStreamSynchronize(buffer->stream);
    if (code == cudaSuccess) code = cudaGraphicsResourceGetMappedPointer(device_memory, bytes, buffer->resource);
    buffer->mapped = code == cudaSuccess;
    if (buffer->mapped) return SV_OK;
    cudaGraphicsUnmapResources(1, &buffer->resource, buffer->stream);
    return gpu_fail(error, "cudaGraphicsMapResources", code);
}

sv_status gpu_share_unmap(void *shared, sv_error *error) {
    shared_buffer *buffer = (shared_buffer *)shared;
    GPU_TRY(cudaSetDevice(buffer->device));
    buffer->mapped = false;
    GPU_TRY(cudaGraphicsUnmapResources(1, &buffer->resource, buffer->stream));
    return SV_OK;
}

void gpu_share_unregister(void *shared) {
    shared_buffer *buffer = (shared_buffer *)shared;
    if (!buffer) return;
    /* At the end of a run a buffer may still be lent. */
    if (buffer->mapped) cudaGraphicsUnmapResources(1, &buffer->resource, buffer->stream);
    if (buffer->resource) cudaGraphicsUnregisterResource(buffer->resource);
    if (buffer->stream) cudaStreamDestroy(buffer->stream);
    free(buffer);
}
