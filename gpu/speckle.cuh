/* Regions of a disparity map: see speckle.cu. */
#ifndef GPU_SPECKLE_CUH
#define GPU_SPECKLE_CUH

#include "gpu/cuda.cuh"

/* The parent of a pixel without a value, or of a region that is too large within one block. */
enum { GPU_STAYS = -1 };

struct gpu_regions {
    int *parents; /* height x width, dense: an earlier pixel of the region, its own index at the root, or GPU_STAYS */
    int *areas;   /* height x width, dense; of the region, at its root; 0 where no region of a block has its root */
    int size;     /* largest area that is removed; 0: none is, and the arrays are missing */
    float range;  /* of the values of neighbours that are joined */
    int pixels;   /* height x width */
};

/* The root that pixel `i`, which has a parent, leads to. Other threads may be joining regions, so it may already have
 * another root. */
__device__ static __forceinline__ int gpu_find_root(const volatile int *parents, int i) {
    for (int parent; (parent = parents[i]) != i;) i = parent;
    return i;
}

/* False if either has no value: a difference from infinity is infinite or NaN. */
__device__ static __forceinline__ bool gpu_joins(float a, float b, float range) { return fabsf(a - b) <= range; }

/* Joins two regions. Roots are only lowered, by atomicMin; if another thread has changed a root first, its new parent
 * is joined as well, so no thread undoes the work of another. */
__device__ static __forceinline__ void gpu_join(int *parents, int a, int b) {
    a = gpu_find_root(parents, a);
    b = gpu_find_root(parents, b);
    while (a != b) {
        const int high = max(a, b), low = min(a, b), parent = atomicMin(&parents[high], low);
        if (parent == high) return;
        a = parent;
        b = low;
    }
}

/* A block that finds the regions within it: it is a warp wide, and each of its warps has successive rows. */
enum { GPU_REGION_WARPS = 8, GPU_REGION_ROWS = 3, GPU_REGION_HEIGHT = GPU_REGION_WARPS * GPU_REGION_ROWS };
struct gpu_region_block {
    float values[GPU_REGION_HEIGHT][GPU_WARP];
    int parents[GPU_REGION_HEIGHT * GPU_WARP], areas[GPU_REGION_HEIGHT * GPU_WARP]; /* by the pixel within the block */
};

/* True if pixel `i` is in a region that is removed. */
__device__ static __forceinline__ bool gpu_is_speckle(const gpu_regions &r, int i) {
    if (!r.size) return false;
    const int parent = r.parents[i];
    return parent != GPU_STAYS && r.areas[gpu_find_root(r.parents, parent)] <= r.size;
}

/* Finds the regions of a block and their areas, from the values of a thread's pixels, INFINITY beyond the edges of the
 * picture, which is width x height. A block that is one region, as most are, needs no roots. */
__device__ static __forceinline__ void gpu_find_regions(const gpu_regions &r, gpu_region_block &b,
                                                        const float (&values)[GPU_REGION_ROWS], int width, int height) {
    const int lane = threadIdx.x, first = threadIdx.y * GPU_REGION_ROWS;
    const int left = blockIdx.x * GPU_WARP, top = blockIdx.y * GPU_REGION_HEIGHT;
    const unsigned up_to = GPU_LANES >> (GPU_WARP - 1 - lane);
    unsigned begins[GPU_REGION_ROWS]; /* the first pixels of the runs of a row */
    bool is_whole = true;             /* one region */
#pragma unroll
    for (int i = 0; i < GPU_REGION_ROWS; i++) {
        const int own = (first + i) * GPU_WARP + lane;
        const float before = __shfl_up_sync(GPU_LANES, values[i], 1);
        begins[i] = ~__ballot_sync(GPU_LANES, lane > 0 && gpu_joins(values[i], before, r.range));
        b.values[first + i][lane] = values[i];
        b.parents[own] = own - lane + GPU_WARP - 1 - __clz(begins[i] & up_to);
        b.areas[own] = 0;
    }
    __syncthreads();
    bool joins[GPU_REGION_ROWS]; /* the pixel above */
#pragma unroll
    for (int i = 0; i < GPU_REGION_ROWS; i++) {
        const int row = first + i;
        joins[i] = row > 0 && gpu_joins(values[i], b.values[max(row, 1) - 1][lane], r.range);
        is_whole = begins[i] == 1 && (row == 0 || __any_sync(GPU_LANES, joins[i])) && is_whole;
    }
    const bool stays_whole = __syncthreads_and(is_whole) && GPU_REGION_HEIGHT * GPU_WARP > r.size;
    if (!stays_whole) {
        /* First those of the warp, so that the path to a root crosses few rows. */
#pragma unroll
        for (int j = 1; j <= GPU_REGION_ROWS; j++) {
            const int i = j % GPU_REGION_ROWS, row = first + i, own = row * GPU_WARP + lane;
            if (!joins[i]) continue;
            /* The pixel to the left has already joined the two rows if both continue from there. */
            const float *above = &b.values[row - 1][lane];
            if (begins[i] >> lane & 1 || !gpu_joins(above[0], above[-1], r.range) ||
                !gpu_joins(b.values[row][lane - 1], above[-1], r.range))
                gpu_join(b.parents, own, own - GPU_WARP);
        }
        __syncthreads();
    }
    int roots[GPU_REGION_ROWS];
#pragma unroll
    for (int i = 0; !stays_whole && i < GPU_REGION_ROWS; i++) {
        const int own = (first + i) * GPU_WARP + lane;
        roots[i] = gpu_find_root(b.parents, own);
        if (i == 0 && begins[i] >> lane & 1) atomicMin(&b.parents[own], roots[i]); /* the next rows' way is shorter */
        __syncwarp();
        const unsigned next = begins[i] & ~up_to; /* where the next run begins */
        if (begins[i] >> lane & 1 && values[i] < INFINITY)
            atomicAdd(&b.areas[roots[i]], (next ? __ffs(next) - 1 : GPU_WARP) - lane);
    }
    if (!stays_whole) __syncthreads();
#pragma unroll
    for (int i = 0; i < GPU_REGION_ROWS; i++) {
        const int row = first + i, x = left + lane, y = top + row;
        if (x >= width || y >= height) continue;
        const bool stays = stays_whole || !(values[i] < INFINITY) || b.areas[roots[i]] > r.size;
        r.parents[y * width + x] =
            stays ? (int)GPU_STAYS : (top + roots[i] / GPU_WARP) * width + left + roots[i] % GPU_WARP;
        r.areas[y * width + x] = stays ? 0 : b.areas[row * GPU_WARP + lane];
    }
}

/* Reserves the arrays, in scratch memory; `regions` has none if nothing is to be removed. */
sv_status gpu_reserve_regions(gpu_context *context, const sv_params *params, gpu_regions *regions, sv_error *error);

/* Joins the regions of the blocks, and counts their pixels. */
sv_status gpu_join_regions(gpu_context *context, const gpu_regions *regions, const sv_image *disparity,
                           sv_error *error);

#endif
