/* Speckle removal: patches of the map that are too small lose their values.
 *
 * A patch is a set of pixels with values whose neighbours, of four, differ little. Patches are found by union and
 * find: every pixel points to another of its patch, further up or left, and the first pixel of a patch, its root,
 * to itself. Which pixels a patch has, and so the result, does not depend on the order of the threads. */
#include "gpu/cuda.cuh"

/* In all kernels a thread owns one pixel. A row of a block is a warp, and the warp finds the runs of its 32 pixels. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

struct speckle_arguments {
    sv_output maps;
    int *parents; /* height x width, dense; unused where there is no value */
    int *areas;   /* height x width, dense; of the patch, at its root */
    int size;     /* largest area that is removed */
    float range;
};

/* False if either has no value: what is left of infinity is no less than infinity, or no number. */
__device__ static __forceinline__ bool joined(float a, float b, float range) { return fabsf(a - b) <= range; }

/* The root that pixel `i` leads to. Other threads may be joining patches: it was the root a moment ago. */
__device__ static __forceinline__ int find_root(volatile const int *parents, int i) {
    for (int parent; (parent = parents[i]) != i;) i = parent;
    return i;
}

/* Joins two patches. A root is only ever lowered by atomicMin, and if another thread was first, what it had
 * pointed the root to is joined as well, so no thread undoes what another did. */
__device__ static void join(int *parents, int a, int b) {
    a = find_root(parents, a);
    b = find_root(parents, b);
    while (a != b) {
        const int high = max(a, b), low = min(a, b), parent = atomicMin(&parents[high], low);
        if (parent == high) return;
        a = parent;
        b = low;
    }
}

/* Every pixel points to the first of its run in its 32 pixels of the row. */
__global__ static void begin_kernel(const __grid_constant__ speckle_arguments a) {
    const int width = a.maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (y >= a.maps.disparity.height) return; /* a whole warp */
    const float *row = gpu_row<const float>(a.maps.disparity, y);
    const bool goes_on = threadIdx.x > 0 && x < width && joined(row[x], row[x - 1], a.range);
    const unsigned begins = ~__ballot_sync(0xffffffff, goes_on), before = 0xffffffffu >> (31 - threadIdx.x);
    if (x >= width) return;
    const int i = y * width + x;
    a.parents[i] = i - (int)threadIdx.x + 31 - __clz(begins & before);
    a.areas[i] = 0;
}

/* Joins runs with those to the left and above. */
__global__ static void join_kernel(const __grid_constant__ speckle_arguments a) {
    const int width = a.maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= a.maps.disparity.height) return;
    const int i = y * width + x;
    const float *row = gpu_row<const float>(a.maps.disparity, y);
    const bool left = x > 0 && joined(row[x], row[x - 1], a.range);
    if (left && threadIdx.x == 0) join(a.parents, i, i - 1);
    if (y == 0) return;
    const float *above = gpu_row<const float>(a.maps.disparity, y - 1);
    if (!joined(row[x], above[x], a.range)) return;
    /* The pixel to the left has joined the two rows already if both go on from there. */
    if (left && joined(above[x], above[x - 1], a.range) && joined(row[x - 1], above[x - 1], a.range)) return;
    join(a.parents, i, i - width);
}

/* Pixels point to their roots, and areas are counted as far as they matter. */
__global__ static void count_kernel(const __grid_constant__ speckle_arguments a) {
    const int width = a.maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= a.maps.disparity.height || !(gpu_row<const float>(a.maps.disparity, y)[x] < INFINITY))
        return;
    const int i = y * width + x, root = find_root(a.parents, i);
    a.parents[i] = root;
    /* Areas only grow: one that is too large stays so, and thousands of threads need not wait for each other. */
    if (*(volatile int *)&a.areas[root] <= a.size) atomicAdd(&a.areas[root], 1);
}

__global__ static void remove_kernel(const __grid_constant__ speckle_arguments a) {
    const int width = a.maps.disparity.width;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= a.maps.disparity.height) return;
    float *disparity = gpu_row<float>(a.maps.disparity, y) + x;
    if (!(*disparity < INFINITY) || a.areas[a.parents[y * width + x]] > a.size) return;
    *disparity = INFINITY;
    gpu_row<uint8_t>(a.maps.reason, y)[x] = SV_SPECKLE;
}

sv_status gpu_speckle(gpu_context *context, const sv_params *params, const sv_output *maps, sv_error *error) {
    const size_t pixels = (size_t)context->width * context->height;
    GPU_PASS(gpu_reserve(&context->patches, 2 * sizeof(int) * pixels, error));
    speckle_arguments a = {};
    a.maps = *maps;
    a.parents = (int *)context->patches.data;
    a.areas = a.parents + pixels;
    a.size = params->speckle_size;
    a.range = params->speckle_range;
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid(gpu_blocks(context->width, BLOCK_WIDTH), gpu_blocks(context->height, BLOCK_HEIGHT));
    begin_kernel<<<grid, block, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    join_kernel<<<grid, block, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    count_kernel<<<grid, block, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    remove_kernel<<<grid, block, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
