/* Decoders of videos on the device: their context, which is the one that CUDA's runtime uses, and the grey picture of
 * luma that they leave in device memory. */
#include "gpu/cuda.cuh"
#include "stereo/pixel.h"

/* A thread owns PIXELS pixels next to each other: 16 bytes of the result. */
enum { PIXELS = 16, WIDTH = 32, HEIGHT = 4 };

struct luma_arguments {
    sv_luma luma;
    sv_image grey; /* whose rows have room for whole threads */
};

/* The samples of a thread are read as they are needed: they are in lines that the first of them brings. */
template <typename sample> __global__ static void grey_kernel(const __grid_constant__ luma_arguments a) {
    const int x = (blockIdx.x * WIDTH + threadIdx.x) * PIXELS, y = blockIdx.y * HEIGHT + threadIdx.y;
    if (x >= a.luma.width || y >= a.luma.height) return;
    const sample *from = (const sample *)((const char *)a.luma.data + (size_t)y * a.luma.stride) + x;
    const int unused = 8 * (int)sizeof(sample) - a.luma.depth;
    __align__(PIXELS) uint8_t pixels[PIXELS];
#pragma unroll
    for (int i = 0; i < PIXELS; i++)
        pixels[i] =
            x + i < a.luma.width ? (uint8_t)sv_grey_of_luma(from[i] >> unused, a.luma.depth, a.luma.full_range) : 0;
    *(uint4 *)(gpu_row<uint8_t>(a.grey, y) + x) = *(const uint4 *)pixels;
}

void *gpu_decoder_context(int device) {
    void *context = NULL;
    if (cudaSetDevice(device) != cudaSuccess || cudaFree(NULL) != cudaSuccess) return NULL;
    int (*const current)(void **) = (int (*)(void **))gpu_driver_call("cuCtxGetCurrent", 4000);
    return current && !current(&context) ? context : NULL;
}

/* In the calling thread's own stream, which follows the default one, where FFmpeg's decoders work. */
sv_status gpu_grey_of_luma(int device, const sv_luma *luma, const sv_image *grey, sv_error *error) {
    const luma_arguments a = {*luma, *grey};
    const dim3 grid(gpu_blocks(luma->width, WIDTH * PIXELS), gpu_blocks(luma->height, HEIGHT)), block(WIDTH, HEIGHT);
    GPU_TRY(cudaSetDevice(device));
    if (luma->depth == 8)
        grey_kernel<uint8_t><<<grid, block, 0, cudaStreamPerThread>>>(a);
    else
        grey_kernel<uint16_t><<<grid, block, 0, cudaStreamPerThread>>>(a);
    GPU_TRY(cudaGetLastError());
    GPU_TRY(cudaStreamSynchronize(cudaStreamPerThread));
    return SV_OK;
}
