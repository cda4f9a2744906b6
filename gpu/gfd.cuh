/* What the kernels of gfd share (gfd.cu, gfd_paths.cu). */
#ifndef GPU_GFD_CUH
#define GPU_GFD_CUH

#include "gpu/cuda.cuh"
#include "gpu/paths.cuh"
#include "stereo/fourier.h"

/* A cost above that of every path: costs are at most 240 and a jump costs at most 8 * 16 * 100. With four jumps added
 * it still fits in 16 bits. Its lower byte is zero, so that a cost can be set in it. */
enum { GFD_FAR = 0x3600, GFD_FARS = GFD_FAR << 16 | GFD_FAR };

/* The arguments of the kernels. Shapes begin with the side. */
struct gfd_arguments : gpu_search {
    sv_image grey[GPU_SIDES];
    const uint32_t *colour[GPU_SIDES]; /* height x width, SV_COLOUR8; NULL: grey stands for it */
    uint32_t *across, *down;           /* 2 x height x width: what a jump costs from the left or from above, twice */
    float *planes;                     /* 2 x SV_PLANES x height x width */
    float4 *descriptors;               /* rings x 2 x height x width: the components of all planes */
    /* 2 x height x width x pitch: costs of pixels; those of boxes; these and what paths along the columns add; what
     * paths to the left add. */
    uint8_t *single, *costs;
    uint16_t *sums, *ways;
    char *from;    /* 2 x height x from_pitch bytes: FROM_*, see rows_kernel */
    int16_t *best; /* 2 x height x width: the cheapest candidate of the path's step */
    sv_waves waves;
    int sides, rings, aggregate, by_one;
    int pitch; /* candidates of a pixel in memory, a multiple of 4 and of the candidates of a lane; those from
                * `candidates` on have no meaning */
    size_t from_pitch;
    int chunk, tile; /* words and pixels of a block of means */
    float alpha;
};

/* The index of the first pixel of row `y` of a side; that of its first candidate is `pitch` times as large. */
__device__ static __forceinline__ size_t row_of(const gfd_arguments &a, int side, int y) {
    return ((size_t)side * a.height + y) * a.width;
}

/* True if the sums of all paths are needed after the search. */
__device__ static __forceinline__ bool gfd_wants_sums(const gfd_arguments &a) { return a.subpixel || a.uniqueness; }

/* Bytes of a row of `from`. */
size_t gpu_gfd_from_pitch(const gfd_arguments *a);

/* Fills in `winners`, and `sums` with the costs and what paths of all directions add, if they are wanted. */
sv_status gpu_gfd_paths(gpu_context *context, const gfd_arguments &a, sv_error *error);

#endif
