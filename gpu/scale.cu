/* --scale: pictures are reduced before they are matched, and the maps enlarged afterwards. stereo/pixel.h says how both
 * are computed.
 *
 * Memory traffic of 1920x1080 at 1/2: reducing reads 4 bytes and writes 1 for each small pixel, 5.2 MB for both
 * pictures; enlarging reads 1 byte of grey and writes 5 for each full pixel, and reads 6 for each small one, 15.5 MB.
 */
#include "gpu/cuda.cuh"

/* In all kernels a thread owns one pixel of the picture that is written; a block is a warp wide, so that its rows are
 * written in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

static dim3 grid_of(const sv_image &image, int layers) {
    return dim3(gpu_blocks(image.width, BLOCK_WIDTH), gpu_blocks(image.height, BLOCK_HEIGHT), layers);
}

struct reduce_arguments {
    sv_image from[GPU_SIDES], to[GPU_SIDES];
};

/* The area means of both sides' pictures (blockIdx.z), which have pixels of BYTES channels. */
template <int SCALE, int BYTES> __global__ static void reduce_kernel(const __grid_constant__ reduce_arguments a) {
    const sv_image &from = a.from[blockIdx.z], &to = a.to[blockIdx.z];
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= to.width || y >= to.height) return;
    int sums[BYTES] = {};
#pragma unroll
    for (int j = 0; j < SCALE; j++) {
        const uint8_t *row = gpu_row<const uint8_t>(from, sv_clamp(SCALE * y + j, from.height));
#pragma unroll
        for (int i = 0; i < SCALE; i++)
#pragma unroll
            for (int c = 0; c < BYTES; c++) sums[c] += row[BYTES * sv_clamp(SCALE * x + i, from.width) + c];
    }
#pragma unroll
    for (int c = 0; c < BYTES; c++) gpu_row<uint8_t>(to, y)[BYTES * x + c] = (uint8_t)sv_area_mean(sums[c], SCALE);
}

/* Maps and left pictures, small and full. */
struct enlarge_arguments {
    sv_output from, to;
    sv_image small_grey, grey;
};

template <int SCALE> __global__ static void enlarge_kernel(const __grid_constant__ enlarge_arguments a) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= a.grey.width || y >= a.grey.height) return;
    const int columns[] = {x / SCALE, sv_second_nearest(x, SCALE, a.small_grey.width)};
    const int rows[] = {y / SCALE, sv_second_nearest(y, SCALE, a.small_grey.height)};
    int greys[4];
    float disparities[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        greys[i] = gpu_row<const uint8_t>(a.small_grey, rows[i / 2])[columns[i % 2]];
        disparities[i] = gpu_row<const float>(a.from.disparity, rows[i / 2])[columns[i % 2]];
    }
    const int chosen = sv_choose_pixel(gpu_row<const uint8_t>(a.grey, y)[x], greys[0], greys[1], greys[2], greys[3]);
    gpu_row<float>(a.to.disparity, y)[x] =
        sv_enlarged(disparities[0], disparities[1], disparities[2], disparities[3], chosen, x, y, SCALE);
    const int column = chosen & 1 ? columns[1] : columns[0], row = chosen & 2 ? rows[1] : rows[0];
    gpu_row<uint8_t>(a.to.reason, y)[x] = gpu_row<const uint8_t>(a.from.reason, row)[column];
    if (a.to.confidence.data)
        gpu_row<uint8_t>(a.to.confidence, y)[x] = gpu_row<const uint8_t>(a.from.confidence, row)[column];
}

template <int BYTES>
static sv_status reduce(const gpu_context *context, const reduce_arguments &a, int scale, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT), grid = grid_of(a.to[GPU_LEFT], GPU_SIDES);
    if (scale == 2)
        reduce_kernel<2, BYTES><<<grid, block, 0, context->compute>>>(a);
    else
        reduce_kernel<4, BYTES><<<grid, block, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

sv_status gpu_reduce(gpu_context *context, const gpu_pair *pair, const sv_params *params, gpu_context **made,
                     sv_output *maps, sv_error *error) {
    const int scale = params->scale;
    const int width = sv_reduced(context->width, scale), height = sv_reduced(context->height, scale);
    gpu_context **small = &context->scaled[scale == 2 ? 0 : 1];
    GPU_PASS(gpu_reserve_smaller(context, small, width, height, error));
    *made = *small;
    gpu_pair *to = &(*small)->pairs[0];
    to->lost = pair->lost;
    to->coloured = pair->coloured;
    reduce_arguments grey, colour;
    for (int side = 0; side < GPU_SIDES; side++) {
        grey.from[side] = pair->picture[side];
        grey.to[side] = to->picture[side];
        if (!pair->coloured) continue;
        const size_t stride = 4 * (size_t)width, full_stride = 4 * (size_t)context->width;
        GPU_PASS(gpu_reserve(context->compute, &to->colour[side], stride * height, error));
        colour.from[side] = {pair->colour[side].data, full_stride, context->width,
                             context->height,         SV_COLOUR8,  SV_DEVICE};
        colour.to[side] = {to->colour[side].data, stride, width, height, SV_COLOUR8, SV_DEVICE};
    }
    GPU_PASS(reduce<1>(context, grey, scale, error));
    if (pair->coloured) GPU_PASS(reduce<4>(context, colour, scale, error));
    maps->disparity = {to->disparity.data, sizeof(float) * width, width, height, SV_FLOAT32, SV_DEVICE};
    maps->reason = {to->reason.data, (size_t)width, width, height, SV_REASON8, SV_DEVICE};
    if (maps->confidence.data)
        maps->confidence = {to->confidence.data, (size_t)width, width, height, SV_GREY8, SV_DEVICE};
    return SV_OK;
}

sv_status gpu_enlarge(gpu_context *context, const gpu_pair *pair, const gpu_context *small, int scale,
                      const sv_output *from, const sv_output *to, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT), grid = grid_of(to->disparity, 1);
    const enlarge_arguments a = {*from, *to, small->pairs[0].picture[GPU_LEFT], pair->picture[GPU_LEFT]};
    if (scale == 2)
        enlarge_kernel<2><<<grid, block, 0, context->compute>>>(a);
    else
        enlarge_kernel<4><<<grid, block, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
