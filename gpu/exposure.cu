/* The filter that gives the right picture the exposure of the left one (stereo/exposure.h, --prefilter exposure):
 * counts the values of both pictures, makes a table for each channel, and maps the right picture through the tables. */
#include "gpu/cuda.cuh"
#include "stereo/exposure.h"

enum {
    BLOCK = SV_LEVELS, /* threads */
    COUNT_BLOCKS = 64  /* of a picture */
};

struct exposure_arguments {
    sv_image grey[GPU_SIDES], to;
    const uchar4 *colour[GPU_SIDES]; /* height x width; NULL: none */
    uchar4 *colour_to;
    sv_logarithms logarithms;
    uint32_t *counts; /* GPU_SIDES x SV_CHANNELS x SV_LEVELS */
    uint8_t *tables;  /* SV_CHANNELS x SV_LEVELS */
};

static size_t lay_out(exposure_arguments *a, void *base) {
    size_t used = 0;
    a->counts = (uint32_t *)gpu_carve(base, &used, sizeof(uint32_t) * GPU_SIDES * SV_CHANNELS * SV_LEVELS);
    a->tables = (uint8_t *)gpu_carve(base, &used, SV_CHANNELS * SV_LEVELS);
    return used;
}

/* The blocks of a side (blockIdx.y) take its rows in turns, and a thread takes every BLOCK-th pixel of a row. A block
 * counts in shared memory first. */
__global__ static void __launch_bounds__(BLOCK) count_kernel(const __grid_constant__ exposure_arguments a) {
    __shared__ uint32_t counts[SV_CHANNELS][SV_LEVELS];
    const int t = threadIdx.x, side = blockIdx.y;
    const sv_image &grey = a.grey[side];
    const uchar4 *colour = a.colour[side];
    for (int c = 0; c < SV_CHANNELS; c++) counts[c][t] = 0;
    __syncthreads();
    for (int y = blockIdx.x; y < grey.height; y += gridDim.x)
        for (int x = t; x < grey.width; x += BLOCK) {
            atomicAdd(&counts[0][gpu_row<const uint8_t>(grey, y)[x]], 1u);
            if (!colour) continue;
            const uchar4 pixel = colour[(size_t)y * grey.width + x];
            atomicAdd(&counts[1][pixel.x], 1u);
            atomicAdd(&counts[2][pixel.y], 1u);
            atomicAdd(&counts[3][pixel.z], 1u);
        }
    __syncthreads();
    uint32_t *all = a.counts + side * SV_CHANNELS * SV_LEVELS;
    for (int c = 0; c < SV_CHANNELS; c++)
        if (counts[c][t]) atomicAdd(&all[c * SV_LEVELS + t], counts[c][t]);
}

/* A block makes the table of a channel (blockIdx.x): two threads measure the sides, then each thread owns an entry. */
__global__ static void __launch_bounds__(BLOCK) table_kernel(const __grid_constant__ exposure_arguments a) {
    __shared__ sv_exposure exposures[GPU_SIDES];
    const int t = threadIdx.x, channel = blockIdx.x;
    if (t < GPU_SIDES) exposures[t] = sv_exposure_of(a.counts + (t * SV_CHANNELS + channel) * SV_LEVELS, &a.logarithms);
    __syncthreads();
    a.tables[channel * SV_LEVELS + t] = (uint8_t)sv_expose(t, exposures[GPU_RIGHT], exposures[GPU_LEFT], &a.logarithms);
}

/* A thread owns a pixel of row blockIdx.y of the right picture. */
__global__ static void __launch_bounds__(BLOCK) expose_kernel(const __grid_constant__ exposure_arguments a) {
    __shared__ uint8_t tables[SV_CHANNELS][SV_LEVELS];
    const int t = threadIdx.x, x = blockIdx.x * BLOCK + t, y = blockIdx.y;
    for (int c = 0; c < SV_CHANNELS; c++) tables[c][t] = a.tables[c * SV_LEVELS + t];
    __syncthreads();
    if (x >= a.to.width) return;
    gpu_row<uint8_t>(a.to, y)[x] = tables[0][gpu_row<const uint8_t>(a.grey[GPU_RIGHT], y)[x]];
    if (!a.colour_to) return;
    const size_t pixel = (size_t)y * a.to.width + x;
    const uchar4 from = a.colour[GPU_RIGHT][pixel];
    a.colour_to[pixel] = make_uchar4(tables[1][from.x], tables[2][from.y], tables[3][from.z], from.w);
}

sv_status gpu_expose(gpu_context *context, gpu_pair *pair, sv_error *error) {
    const int width = context->width, height = context->height;
    exposure_arguments a = {};
    sv_make_logarithms(&a.logarithms);
    for (int side = 0; side < GPU_SIDES; side++) {
        a.grey[side] = pair->picture[side];
        if (pair->coloured) a.colour[side] = (const uchar4 *)pair->colour[side].data;
    }
    GPU_PASS(gpu_use_filtered(context, pair, GPU_RIGHT, error));
    a.to = pair->picture[GPU_RIGHT];
    if (pair->coloured) {
        gpu_buffer *colour = &context->filtered.colour[GPU_RIGHT];
        GPU_PASS(gpu_reserve(context->compute, colour, sizeof(uchar4) * width * height, error));
        pair->colour[GPU_RIGHT] = *colour;
        a.colour_to = (uchar4 *)colour->data;
    }
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    GPU_TRY(cudaMemsetAsync(a.counts, 0, sizeof *a.counts * GPU_SIDES * SV_CHANNELS * SV_LEVELS, context->compute));
    count_kernel<<<dim3(COUNT_BLOCKS, GPU_SIDES), BLOCK, 0, context->compute>>>(a);
    table_kernel<<<SV_CHANNELS, BLOCK, 0, context->compute>>>(a);
    expose_kernel<<<dim3(gpu_blocks(width, BLOCK), height), BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
