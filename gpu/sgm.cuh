/* What the files of sgm share: sgm.cu (descriptions and winners), sgm_costs.cu and
 * sgm_paths.cu. */
#ifndef GPU_SGM_CUH
#define GPU_SGM_CUH

#include "gpu/cuda.cuh"
#include "stereo/sgm.h"

/* A path's direction and its reverse follow each other. */
enum { SGM_DIRECTIONS = 4, SGM_EDGES = SGM_DIRECTIONS / 2 };

/* What describes a pixel: the bits of its census, then those of its gradient. */
enum { SGM_PLANES = 16 };

/* The arguments of the kernels. A volume has `pitch` candidates for each pixel; those from `candidates` on are unused.
 */
struct sgm_arguments : gpu_search {
    sv_image grey[GPU_SIDES];
    uint8_t *census, *gradient; /* height x width, of the left picture: the gradient is sv_sgm_gradient + 128 */
    /* height x sgm_words x SGM_PLANES, of the right picture: the same bit of 32 pixels in each word. They begin at the
     * right end of a row, as candidates do: its last pixel with a multiple of 32 columns is bit 0 of the first word. */
    uint32_t *planes;
    /* height x width: sv_sgm_jump between a pixel and the one to its left, and the one above it, in both halves of the
     * word; pixels beyond the picture repeat its edge. A row and a pixel follow that have no meaning, because the jump
     * to the first pixel of a line is read, but has no effect. */
    uint32_t *jumps[SGM_EDGES];
    uint8_t *costs; /* height x width x pitch / 2: four bits each, the first candidate lowest */
    /* Path costs, less the least one of the pixel before, which take six bits: height x width x pitch / 2, the lower
     * four bits, and height x width x pitch / 4, the upper two. Four successive candidates are in the order first,
     * third, second, fourth, the first lowest. */
    uint8_t *lower[SGM_DIRECTIONS], *upper[SGM_DIRECTIONS];
    uint32_t *right_keys; /* height x width: the least sum of a right pixel * 2^16 + its candidate */
    int pitch;
    int distance; /* sv_census_distance */
    int p1, p2;
    uint32_t one; /* 1, which the compiler must not know: see step in sgm_paths.cu */
};

/* The number of words that have the columns of a row. */
__host__ __device__ static inline int sgm_words(int width) { return (width + 31) / 32; }

/* Fills in `costs`. */
sv_status gpu_sgm_costs(gpu_context *context, const sgm_arguments &a, sv_error *error);

/* `pitch` for `count` candidates: a multiple of 8, and of the number of candidates of a lane in gpu_sgm_paths. */
int gpu_sgm_pitch(int count);

/* Fills in the path costs: to the right, to the left, down, up. */
sv_status gpu_sgm_paths(gpu_context *context, const sgm_arguments &a, sv_error *error);

#endif
