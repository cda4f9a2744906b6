/* The algorithms as the papers and reports describe them, against which speed-ups are measured. Each is written from
 * its description, keeps its structure, and is changed only where its result would otherwise differ from the one
 * intended; its file names every such change. */
#ifndef TESTS_BASELINE_BASELINE_H
#define TESTS_BASELINE_BASELINE_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct baseline {
    const char *name;
    const sv_backend *backend; /* that it is measured against */
    int method;
    double
        disagreement; /* share of the pixels that may differ from ours, where its sums are rounded; 1: makes no map */

    /* Allocates memory for the parameters and the size; the caller frees it with `destroy`. SV_USAGE if it does not
     * support the parameters. */
    sv_status (*create)(const sv_params *params, const sv_matcher_options *options, void **context, sv_error *error);

    /* Matches a pair in host memory. `disparity`: height x width, dense, whole pixels; +INFINITY where there is none,
     * NAN where it treats the border differently from us; may be NULL. `ms`: the time of matching without copies to
     * and from the device. */
    sv_status (*run)(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error);

    void (*destroy)(void *context); /* NULL is fine */
} baseline;

#define BASELINE_COPY "copy of 1 GiB"

extern const baseline ssd_2008, ncc_row_launches, device_copy; /* CUDA */
extern const baseline opencv_bm, opencv_sgm, cuda_sample;      /* CUDA, with SV_PEERS */
extern const baseline loops_ssd, loops_ncc, loops_zncc;        /* OpenMP */

/* Writes NAN wherever the window of a pixel, of its candidates, or of their candidates reaches outside a picture. */
void baseline_blank_border(const sv_params *params, int width, int height, float *disparity);

/* The integral images (Fan and Dahnoun, Algorithm 1) of a picture extended by `rho` pixels on each side, and of its
 * squares: (height + 2 rho + 1) x (width + 2 rho + 1), with zeros in row and column 0. Modulo 2^32, which cancels in
 * the differences over a window. */
void baseline_integral(const sv_image *image, int rho, uint32_t *sums, uint32_t *squares);

/* The number of entries in a row of them. */
static inline size_t baseline_integral_stride(int width, int rho) { return (size_t)(width + 2 * rho + 1); }

#ifdef __cplusplus
}
#endif

#endif
