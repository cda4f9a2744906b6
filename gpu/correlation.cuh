/* What ncc and zncc share: the pictures as their kernels read them. */
#ifndef GPU_CORRELATION_CUH
#define GPU_CORRELATION_CUH

#include "gpu/cuda.cuh"

/* The rows and columns by which a picture is padded on each side: the radius of a window, and what aligned reads touch
 * beyond it. */
enum { GPU_PAD = 32 };

/* Entries of pixels without a winner in the winner maps of ncc and zncc. */
enum { GPU_NO_CANDIDATE = -1, GPU_FLAT = -2 };

/* The window around a pixel. */
struct alignas(8) gpu_window { /* read as one word */
    int sum;
    float inverse; /* 1 / (n sigma); 0 where the window is flat */
};

/* One picture. */
struct gpu_windows {
    uint8_t *padded;        /* (height + 2 GPU_PAD) x stride: the picture from row and column GPU_PAD */
    int stride;             /* a multiple of 4 */
    gpu_window *statistics; /* height x width */
};

/* Carves the memory of the windows of both pictures from `base` and returns the number of bytes used. */
size_t gpu_lay_out_windows(gpu_windows windows[GPU_SIDES], int width, int height, void *base);

/* Computes both pictures' windows in memory that was laid out. */
sv_status gpu_prepare_windows(gpu_context *context, const gpu_pair *pair, const sv_params *params,
                              const gpu_windows windows[GPU_SIDES], sv_error *error);

/* gpu_ncc for windows up to 7x7 (ncc_small.cu) and up to 31x31 (ncc_volume.cu), if they support the parameters and the
 * device; `done` says whether. */
sv_status gpu_ncc_small(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                        bool *done, sv_error *error);
sv_status gpu_ncc_volume(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                         bool *done, sv_error *error);

#endif
