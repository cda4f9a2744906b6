/* Pictures as the kernels that correlate windows on tensor cores read them: zncc_tensor.cu, ncc_volume.cu. */
#ifndef GPU_ROWS_CUH
#define GPU_ROWS_CUH

#include "gpu/correlation.cuh"

enum {
    GPU_ROWS_RADIUS = 15,      /* of the largest window */
    GPU_ROWS_PAD = 32,         /* columns beyond each edge, at least: more than windows and whole copies reach */
    GPU_ROWS_PIXELS = 1 << 27, /* of a picture: what is known of two fits 4 GiB */
};

/* Both pictures, height + 2 rho_y rows each, a row being `stride` words and then as many windows. Row r is that of the
 * windows about row r - 2 rho_y of the picture; the rows before its first have words alone. Word x: what changes in
 * those windows, see gpu_changes. Window x: the sum of v - 128; the inverse is NaN where it is flat or no pixel is. */
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

/* Carves the memory of the rows of both pictures from `base`, see gpu_carve. `pad`: at least GPU_ROWS_PAD. */
void gpu_lay_out_rows(gpu_rows *rows, int width, int height, int rho_y, int pad, void *base, size_t *used);

/* Computes both pictures' rows in memory that was laid out. Both radii are at most GPU_ROWS_RADIUS. */
sv_status gpu_prepare_rows(gpu_context *context, const gpu_pair *pair, int rho, int rho_y, const gpu_rows *rows,
                           sv_error *error);

#endif
