/* Decoders of videos on the device: their context, which is the one that CUDA's runtime uses, and the grey picture of
 * luma that they leave in device memory. */
#include "gpu/cuda.cuh"
#include "stereo/pixel.h"

#include <dlfcn.h>

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

/* As NVIDIA's header nvcuvid.h declares it, which belongs to an SDK of its own. */
typedef struct decoder_abilities {
    int codec, chroma;
    unsigned depth, reserved[3];
    unsigned char can, engines;
    unsigned short formats;
    unsigned more[16];
} decoder_abilities;

int gpu_decoders(int device) {
    enum { H264 = 4, CHROMA_420 = 1 };
    decoder_abilities abilities = {};
    abilities.codec = H264;
    abilities.chroma = CHROMA_420;
    void *library = dlopen("libnvcuvid.so.1", RTLD_NOW); /* which FFmpeg keeps open, too */
    int (*ask)(decoder_abilities *) =
        library ? (int (*)(decoder_abilities *))dlsym(library, "cuvidGetDecoderCaps") : NULL;
    if (!ask || cudaSetDevice(device) != cudaSuccess || cudaFree(NULL) != cudaSuccess || ask(&abilities))
        abilities.engines = 0;
    cudaGetLastError();
    return abilities.engines > 1 ? abilities.engines : 1;
}

/* Without streams of their own, FFmpeg's decoders work in the default one, where each waits for all others.
 * The pictures of many decoders overtake the blocks of matchers that wait for a multiprocessor. */
void *gpu_decoder_stream(int device) {
    int least, most;
    cudaStream_t stream = NULL;
    if (cudaSetDevice(device) == cudaSuccess && cudaDeviceGetStreamPriorityRange(&least, &most) == cudaSuccess)
        cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, most);
    cudaGetLastError(); /* a failure must not be attributed to the next call */
    return stream;
}

void gpu_free_stream(void *stream) {
    if (stream) cudaStreamDestroy((cudaStream_t)stream);
}

/* In the decoder's stream, behind the decoder's own work, which puts the luma in place. */
sv_status gpu_grey_of_luma(int device, const sv_luma *luma, const sv_image *grey, sv_error *error) {
    const luma_arguments a = {*luma, *grey};
    const dim3 grid(gpu_blocks(luma->width, WIDTH * PIXELS), gpu_blocks(luma->height, HEIGHT)), block(WIDTH, HEIGHT);
    cudaStream_t stream = (cudaStream_t)luma->stream;
    GPU_TRY(cudaSetDevice(device));
    if (luma->depth == 8)
        grey_kernel<uint8_t><<<grid, block, 0, stream>>>(a);
    else
        grey_kernel<uint16_t><<<grid, block, 0, stream>>>(a);
    GPU_TRY(cudaGetLastError());
    GPU_TRY(cudaStreamSynchronize(stream));
    return SV_OK;
}
