/* Speckle removal: regions of the disparity map that are too small lose their values.
 *
 * A region is a 4-connected set of pixels with similar values. Regions are found by union-find: every pixel points to
 * an earlier one of its region, and the first pixel of a region, its root, to itself. First each block finds the
 * regions within it, in shared memory; then these are joined along the edges of the blocks. The pixels of a region, and
 * so the result, do not depend on the order of the threads. */
#include "gpu/launch.cuh"

/* In a block a thread owns one pixel. A row is a warp, and the warp finds the runs of its pixels. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 16, BLOCK = BLOCK_WIDTH * BLOCK_HEIGHT };

struct speckle_arguments {
    sv_output maps;
    int *parents; /* height x width, dense; unused where there is no value */
    int *areas;   /* height x width, dense; of the region, at its root; 0 where no region of a block has its root */
    int size;     /* largest area that is removed */
    float range;
};

/* False if either has no value: a difference from infinity is infinite or NaN. */
__device__ static __forceinline__ bool joined(float a, float b, float range) { return fabsf(a - b) <= range; }

/* The root that pixel `i` leads to. Other threads may be joining regions, so it may already have another root. */
__device__ static __forceinline__ int find_root(const volatile int *parents, int i) {
    for (int parent; (parent = parents[i]) != i;) i = parent;
    return i;
}

/* Joins two regions. Roots are only lowered, by atomicMin; if another thread has changed a root first, its new parent
 * is joined as well, so no thread undoes the work of another. */
__device__ static __forceinline__ void join(int *parents, int a, int b) {
    a = find_root(parents, a);
    b = find_root(parents, b);
    while (a != b) {
        const int high = max(a, b), low = min(a, b), parent = atomicMin(&parents[high], low);
        if (parent == high) return;
        a = parent;
        b = low;
    }
}

/* Finds the regions of a block and their areas.
 *
 * values: of the block. parents, areas: of its pixels, by their index within the block. */
__global__ static void __launch_bounds__(BLOCK) label_kernel(const __grid_constant__ speckle_arguments a) {
    __shared__ float values[BLOCK_HEIGHT][BLOCK_WIDTH];
    __shared__ int parents[BLOCK], areas[BLOCK];
    gpu_begin();
    const int width = a.maps.disparity.width, height = a.maps.disparity.height;
    const int lane = threadIdx.x, row = threadIdx.y, own = row * BLOCK_WIDTH + lane;
    const int left = blockIdx.x * BLOCK_WIDTH, top = blockIdx.y * BLOCK_HEIGHT, x = left + lane, y = top + row;
    const float value = x < width && y < height ? gpu_row<const float>(a.maps.disparity, y)[x] : INFINITY;
    const float before = __shfl_up_sync(GPU_LANES, value, 1);
    const bool continues_run = lane > 0 && joined(value, before, a.range);
    const unsigned begins = ~__ballot_sync(GPU_LANES, continues_run), up_to = 0xffffffffu >> (31 - lane);
    values[row][lane] = value;
    parents[own] = own - lane + 31 - __clz(begins & up_to); /* the first of the run */
    areas[own] = 0;
    __syncthreads();
    if (row > 0 && joined(value, values[row - 1][lane], a.range)) {
        const float above = values[row - 1][lane];
        /* The pixel to the left has already joined the two rows if both continue from there. */
        if (!continues_run || !joined(above, values[row - 1][lane - 1], a.range) ||
            !joined(before, values[row - 1][lane - 1], a.range))
            join(parents, own, own - BLOCK_WIDTH);
    }
    __syncthreads();
    const int root = find_root(parents, own);
    if (!continues_run && value < INFINITY) {
        const unsigned next = begins & ~up_to; /* where the next run begins */
        atomicAdd(&areas[root], (next ? __ffs(next) - 1 : 32) - lane);
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    a.parents[y * width + x] = (top + root / BLOCK_WIDTH) * width + left + root % BLOCK_WIDTH;
    a.areas[y * width + x] = areas[own];
}

/* Joins the regions of neighbouring blocks. The threads of a block take the pixels of its upper edge, then the left. */
__global__ static void join_kernel(const __grid_constant__ speckle_arguments a) {
    gpu_begin();
    const int width = a.maps.disparity.width, height = a.maps.disparity.height;
    const bool is_upper = threadIdx.x < BLOCK_WIDTH;
    const int x = blockIdx.x * BLOCK_WIDTH + (is_upper ? threadIdx.x : 0);
    const int y = blockIdx.y * BLOCK_HEIGHT + (is_upper ? 0 : threadIdx.x - BLOCK_WIDTH);
    if (x >= width || y >= height || (is_upper ? y : x) == 0) return;
    const int x_step = is_upper ? 1 : 0, y_step = 1 - x_step; /* along the edge */
    const auto value = [&](int column, int line) { return gpu_row<const float>(a.maps.disparity, line)[column]; };
    const float here = value(x, y), there = value(x - y_step, y - x_step);
    if (!joined(here, there, a.range)) return;
    /* The previous pixel on the edge has already joined the two sides if both continue from there, within the
     * blocks. */
    if (threadIdx.x % BLOCK_WIDTH > 0) {
        const float here_before = value(x - x_step, y - y_step), there_before = value(x - 1, y - 1);
        if (joined(here, here_before, a.range) && joined(there, there_before, a.range) &&
            joined(here_before, there_before, a.range))
            return;
    }
    join(a.parents, y * width + x, (y - x_step) * width + x - y_step);
}

/* The root of a region within a block adds its area to that of the whole region, unless that is already too large, and
 * points to the root of the whole region; threads that pass through it still reach that root. */
__global__ static void count_kernel(const __grid_constant__ speckle_arguments a) {
    gpu_begin();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.maps.disparity.width * a.maps.disparity.height) return;
    const int area = a.areas[i];
    if (!area || a.parents[i] == i) return;
    const int root = find_root(a.parents, i);
    a.parents[i] = root;
    /* Areas only grow, so nothing is added to one that is already too large: that would serialise thousands of threads.
     */
    if (*(volatile int *)&a.areas[root] <= a.size) atomicAdd(&a.areas[root], area);
}

__global__ static void remove_kernel(const __grid_constant__ speckle_arguments a) {
    gpu_begin();
    const int width = a.maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= a.maps.disparity.height) return;
    float *disparity = gpu_row<float>(a.maps.disparity, y) + x;
    if (!(*disparity < INFINITY) || a.areas[find_root(a.parents, y * width + x)] > a.size) return;
    *disparity = INFINITY;
    gpu_row<uint8_t>(a.maps.reason, y)[x] = SV_SPECKLE;
}

static size_t lay_out(speckle_arguments *a, void *base) {
    const size_t bytes = sizeof(int) * a->maps.disparity.width * a->maps.disparity.height;
    size_t used = 0;
    a->parents = (int *)gpu_carve(base, &used, bytes);
    a->areas = (int *)gpu_carve(base, &used, bytes);
    return used;
}

sv_status gpu_speckle(gpu_context *context, const sv_params *params, const sv_output *maps, sv_error *error) {
    const int width = context->width, height = context->height;
    speckle_arguments a = {};
    a.maps = *maps;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    a.size = params->speckle_size;
    a.range = params->speckle_range;
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(width, BLOCK_WIDTH), gpu_blocks(height, BLOCK_HEIGHT));
    GPU_PASS(gpu_launch(context, error, label_kernel, grid, block, a));
    GPU_PASS(gpu_launch(context, error, join_kernel, grid, BLOCK_WIDTH + BLOCK_HEIGHT, a));
    GPU_PASS(gpu_launch(context, error, count_kernel, gpu_blocks(width * height, BLOCK), BLOCK, a));
    return gpu_launch(context, error, remove_kernel, grid, block, a);
}
