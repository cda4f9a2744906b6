/* Speckles: regions of the disparity map that are too small, which lose their values.
 *
 * A region is a 4-connected set of pixels with similar values. Regions are found by union-find: every pixel points to
 * an earlier one of its region, and the first pixel of a region, its root, to itself. First each block of the kernel
 * that removes doubtful matches (refine.cu) finds the regions within it, in shared memory; then these are joined along
 * the edges of the blocks. The pixels of a region, and so the result, do not depend on the order of the threads.
 *
 * Most pixels are in regions that are too large already within a block. These have no parents, so that hardly anything
 * is left to be joined and counted, and one read shows that a pixel stays. */
#include "gpu/launch.cuh"
#include "gpu/speckle.cuh"

struct region_arguments : gpu_regions {
    sv_image disparity;
};

/* Joins the regions of neighbouring blocks. The threads of a block take the pixels of its upper edge, then the left. A
 * region that is joined to one without parents gets an area that is too large. */
__global__ static void join_kernel(const __grid_constant__ region_arguments a) {
    gpu_begin();
    const int width = a.disparity.width, height = a.disparity.height;
    const bool is_upper = threadIdx.x < GPU_WARP;
    const int x = blockIdx.x * GPU_WARP + (is_upper ? threadIdx.x : 0);
    const int y = blockIdx.y * GPU_REGION_HEIGHT + (is_upper ? 0 : threadIdx.x - GPU_WARP);
    if (x >= width || y >= height || (is_upper ? y : x) == 0) return;
    const int x_step = is_upper ? 1 : 0, y_step = 1 - x_step; /* along the edge */
    const auto value = [&](int column, int line) { return gpu_row<const float>(a.disparity, line)[column]; };
    const float here = value(x, y), there = value(x - y_step, y - x_step);
    if (!gpu_joins(here, there, a.range)) return;
    /* The previous pixel on the edge has already joined the two sides if both continue from there, within the
     * blocks. */
    if (threadIdx.x % GPU_WARP > 0) {
        const float here_before = value(x - x_step, y - y_step), there_before = value(x - 1, y - 1);
        if (gpu_joins(here, here_before, a.range) && gpu_joins(there, there_before, a.range) &&
            gpu_joins(here_before, there_before, a.range))
            return;
    }
    const int i = y * width + x, j = (y - x_step) * width + x - y_step;
    const bool stays = a.parents[i] == GPU_STAYS;
    if (stays != (a.parents[j] == GPU_STAYS))
        a.areas[gpu_find_root(a.parents, stays ? j : i)] = a.size + 1;
    else if (!stays)
        gpu_join(a.parents, i, j);
}

/* The root of a region within a block adds its area to that of the whole region, unless that is already too large, and
 * points to the root of the whole region; threads that pass through it still reach that root. */
__global__ static void count_kernel(const __grid_constant__ region_arguments a) {
    gpu_begin();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.pixels) return;
    const int area = a.areas[i];
    if (!area || a.parents[i] == i) return;
    const int root = gpu_find_root(a.parents, i);
    a.parents[i] = root;
    /* Areas only grow, so nothing is added to one that is already too large: that would serialise thousands of threads.
     */
    if (*(volatile int *)&a.areas[root] <= a.size) atomicAdd(&a.areas[root], area);
}

static size_t lay_out(gpu_regions *r, void *base) {
    const size_t bytes = sizeof(int) * r->pixels;
    size_t used = 0;
    r->parents = (int *)gpu_carve(base, &used, bytes);
    r->areas = (int *)gpu_carve(base, &used, bytes);
    return used;
}

sv_status gpu_reserve_regions(gpu_context *context, const sv_params *params, gpu_regions *regions, sv_error *error) {
    *regions = {};
    if (!params->speckle_size) return SV_OK;
    regions->pixels = context->width * context->height;
    regions->size = params->speckle_size;
    regions->range = params->speckle_range;
    return gpu_use_scratch(context, lay_out, regions, error);
}

sv_status gpu_join_regions(gpu_context *context, const gpu_regions *regions, const sv_image *disparity,
                           sv_error *error) {
    enum { BLOCK = 512 };
    region_arguments a = {*regions, *disparity};
    const dim3 grid(gpu_blocks(context->width, GPU_WARP), gpu_blocks(context->height, GPU_REGION_HEIGHT));
    GPU_PASS(gpu_launch(context, error, join_kernel, grid, GPU_WARP + GPU_REGION_HEIGHT, a));
    return gpu_launch(context, error, count_kernel, gpu_blocks(regions->pixels, BLOCK), BLOCK, a);
}
