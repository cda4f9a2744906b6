/* Rectification: remaps a pair by the rectification maps of stereo/rig.h, and invalidates the pixels of the result for
 * which the rectified pictures are empty.
 *
 * Memory traffic of a grey pixel: 8 bytes of the map, 1 written and, since neighbours fetch from the same two rows,
 * little more than 1 read: 10 bytes, or 41 MB for both pictures of 1920x1080, which an H200 moves in 0.010 ms. Measured
 * there: 0.027 ms, because of the six accesses per pixel, four of them to single bytes. */
#include "gpu/cuda.cuh"
#include "stereo/rig.h"

/* A thread owns one pixel; a block is a warp wide, so that maps and rows are read in whole lines, and high enough that
 * the second row which a pixel reads is mostly the first row of the pixel below. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

/* The remapping of one picture: `map` is height x width, or NULL if there is none. */
struct passage {
    sv_image from, to;
    const int2 *map;
    int shift; /* rows that the rectified picture is moved up by */
};
struct passages {
    passage of[GPU_SIDES];
};

/* The position in the camera's picture of a pixel of the rectified one, in 1/SV_MAP_STEPS pixel. */
__device__ __forceinline__ static int2 place_of(const int2 *map, int width, int height, int x, int y) {
    if (y < 0 || y >= height) return make_int2(SV_MAP_OUTSIDE, SV_MAP_OUTSIDE);
    return map ? __ldg(map + (size_t)y * width + x) : make_int2(SV_MAP_STEPS * x, SV_MAP_STEPS * y);
}

__device__ __forceinline__ static uint8_t mix(uint8_t a, uint8_t b, uint8_t c, uint8_t d, int right, int down) {
    return (uint8_t)sv_bilinear(a, b, c, d, right, down);
}
__device__ __forceinline__ static uchar4 mix(uchar4 a, uchar4 b, uchar4 c, uchar4 d, int right, int down) {
    return make_uchar4(mix(a.x, b.x, c.x, d.x, right, down), mix(a.y, b.y, c.y, d.y, right, down),
                       mix(a.z, b.z, c.z, d.z, right, down), mix(a.w, b.w, c.w, d.w, right, down));
}

/* Both sides, one in each layer of the grid. `pixel`: uint8_t for grey values, uchar4 for colours. */
template <typename pixel> __global__ static void remap_kernel(const __grid_constant__ passages both) {
    const passage &p = both.of[blockIdx.z];
    const int width = p.to.width, height = p.to.height;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) return;
    const int2 place = place_of(p.map, width, height, x, y + p.shift);
    pixel value = {};
    if (place.x != SV_MAP_OUTSIDE) {
        const int column = place.x / SV_MAP_STEPS, row = place.y / SV_MAP_STEPS;
        /* Beyond the last column and row, pixels have weight 0, and existing ones are read instead. */
        const int next = sv_clamp(column + 1, width);
        const pixel *above = gpu_row<const pixel>(p.from, row);
        const pixel *below = gpu_row<const pixel>(p.from, sv_clamp(row + 1, height));
        value =
            mix(above[column], above[next], below[column], below[next], place.x % SV_MAP_STEPS, place.y % SV_MAP_STEPS);
    }
    gpu_row<pixel>(p.to, y)[x] = value;
}

/* Invalidates pixels at which the rectified left picture is empty and, if `matches` is set, those whose match is an
 * empty pixel of the right one. */
__global__ static void mark_kernel(const __grid_constant__ sv_output maps, const int2 *left, const int2 *right,
                                   int full_width, int full_height, int scale, int shift, bool matches) {
    const int width = maps.disparity.width, height = maps.disparity.height;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) return;
    float *disparity = gpu_row<float>(maps.disparity, y) + x;
    uint8_t *reason = gpu_row<uint8_t>(maps.reason, y) + x;
    const int full_y = sv_middle_pixel(y, scale, full_height);
    if (place_of(left, full_width, full_height, sv_middle_pixel(x, scale, full_width), full_y).x != SV_MAP_OUTSIDE) {
        if (!matches || *reason != SV_VALID) return;
        const int column = sv_middle_pixel(sv_matched_column(x, *disparity, width), scale, full_width);
        if (place_of(right, full_width, full_height, column, full_y + shift).x != SV_MAP_OUTSIDE) return;
    }
    *disparity = INFINITY;
    *reason = SV_BORDER;
}

sv_status gpu_create_rectification(gpu_context *context, const sv_rectification *rectification, sv_error *error) {
    const size_t bytes = sizeof(int2) * context->width * context->height;
    for (int side = 0; rectification && side < GPU_SIDES; side++) {
        if (!rectification->maps[side]) continue;
        GPU_PASS(gpu_reserve(context->compute, &context->maps[side], bytes, error));
        GPU_TRY(cudaMemcpy(context->maps[side].data, rectification->maps[side], bytes, cudaMemcpyHostToDevice));
    }
    return SV_OK;
}

static dim3 grid_of(const gpu_context *context, int layers) {
    return dim3(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT), layers);
}

sv_status gpu_rectify(gpu_context *context, const gpu_pair *pair, const sv_params *params, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    passages grey, colour;
    for (int side = 0; side < GPU_SIDES; side++) {
        const int2 *map = (const int2 *)context->maps[side].data;
        const int shift = side == GPU_RIGHT ? params->row_shift : 0;
        grey.of[side] = {pair->raw[side], pair->picture[side], map, shift};
        colour.of[side] = {pair->raw_colour[side], grey.of[side].to, map, shift};
        colour.of[side].to.data = pair->colour[side].data;
        colour.of[side].to.stride = sizeof(uchar4) * context->width;
    }
    remap_kernel<uint8_t><<<grid_of(context, GPU_SIDES), block, 0, context->compute>>>(grey);
    GPU_TRY(cudaGetLastError());
    if (pair->coloured) {
        remap_kernel<uchar4><<<grid_of(context, GPU_SIDES), block, 0, context->compute>>>(colour);
        GPU_TRY(cudaGetLastError());
    }
    return SV_OK;
}

sv_status gpu_mark_outside(gpu_context *context, const sv_params *params, const sv_output *maps, int scale,
                           bool matches, sv_error *error) {
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(maps->disparity.width, BLOCK_WIDTH), gpu_blocks(maps->disparity.height, BLOCK_HEIGHT));
    mark_kernel<<<grid, block, 0, context->compute>>>(*maps, (const int2 *)context->maps[GPU_LEFT].data,
                                                      (const int2 *)context->maps[GPU_RIGHT].data, context->width,
                                                      context->height, scale, params->row_shift, matches);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
