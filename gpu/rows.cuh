/* Pictures as the kernels that correlate windows on tensor cores read them: zncc_tensor.cu, ncc_volume.cu. */
#ifndef GPU_ROWS_CUH
#define GPU_ROWS_CUH

#include "gpu/correlation.cuh"

enum {
    GPU_ROWS_RADIUS = 15,      /* of the largest window */
    GPU_ROWS_PAD = 32,         /* columns beyond each edge, at least: more than windows and aligned copies reach */
    GPU_ROWS_PIXELS = 1 << 27, /* of a picture: the rows of two then fit in 4 GiB */
};

/* Both pictures, height + 2 rho_y rows each, a row being `stride` words and then as many windows. Row r belongs to the
 * windows around row r - 2 rho_y of the picture; the rows before its first have only words. Word x: what changes in
 * those windows, see gpu_changes. Window x: the sum of v - 128; the inverse is NaN where the window is flat or there is
 * no pixel. */
struct gpu_rows {
    char *rows;       /* of the left picture and, `picture` bytes on, of the right one */
    uint32_t picture; /* bytes */
    int stride;       /* columns; a multiple of 4 */
    int pad;          /* columns before the picture's first */
};

/* The number of bytes of a row. */
__host__ __device__ static __forceinline__ uint32_t gpu_pitch(int stride) {
    return stride * (sizeof(uint32_t) + sizeof(gpu_window));
}

/* The covariance of two windows of n pixels, times n^2, rounded to a float once. `products`: the sum of the products of
 * their values less 128, which changes no covariance; `more`: what has to be added to n times `products` (gpu_roll);
 * a_sum, b_sum: sums of these values. WIDE: the covariance may not fit in 32 bits. */
template <bool WIDE>
__device__ static __forceinline__ float gpu_covariance(int n, int products, int more, int a_sum, int b_sum) {
    if (!WIDE) return (float)(n * products + (more - a_sum * b_sum));
    /* It is below 2^34. Its upper bits and its lower ones are exact as floats, so it is rounded once, as in a
     * conversion from 64 bits, which takes longer. */
    const int64_t covariance = (int64_t)n * products + (more - (int64_t)a_sum * b_sum);
    return fmaf((float)(int)(covariance >> 12), 4096.0f, (float)((int)covariance & 4095));
}

/* Carves the memory of the rows of both pictures from `base`, see gpu_carve. `pad`: at least GPU_ROWS_PAD. */
void gpu_lay_out_rows(gpu_rows *rows, int width, int height, int rho_y, int pad, void *base, size_t *used);

/* Computes both pictures' rows in memory that was laid out. Both radii are at most GPU_ROWS_RADIUS. */
sv_status gpu_prepare_rows(gpu_context *context, const gpu_pair *pair, int rho, int rho_y, const gpu_rows *rows,
                           sv_error *error);

#endif
