/* Zero-mean normalised cross-correlation over the full disparity range: every candidate of every pixel of both maps is
 * scored, and the best one wins.
 *
 * As in ssd.cu, a thread owns a column, whose sums of products roll down the rows of a strip, the column sums of a
 * block are exchanged in shared memory, and four candidates are processed together. The sums and deviations of windows
 * are computed once for each picture (statistics.cu), so that a score takes one sum of products and a few more
 * operations. */
#include "gpu/zncc.cuh"

enum {
    ROWS = 8,       /* of a strip; even */
    CANDIDATES = 4, /* that go together: a uint4 of column sums */
    BLOCK_MAX = 256
};

struct zncc_arguments {
    zncc_job job;
    gpu_windows windows[GPU_SIDES];
};

/* sv_correlation. The covariance is at most n^2 (255 / 2)^2, so that with SMALL windows, of up to 363 pixels, it fits
 * 32 bits, and its two terms may wrap around on the way. */
template <bool SMALL>
__device__ static __forceinline__ float correlation(int n, uint32_t products, const gpu_window &a,
                                                    const gpu_window &b) {
    if (!SMALL) return sv_correlation(n, products, a.sum, b.sum, a.inverse, b.inverse);
    const int covariance = (int)(n * products - (uint32_t)a.sum * b.sum);
    return (float)covariance * (a.inverse * b.inverse);
}

/* A block finds the winners of blockDim.x - 2 rho columns and ROWS rows of one map (blockIdx.z); the rest of its
 * threads are the halo, rho on each side. A thread keeps the sums of products of its column for four candidates,
 * which roll down the rows, and the best candidates of its pixels.
 *
 * columns: 2 x BLOCK_MAX x CANDIDATES, the column sums of a row. Rows alternate between the halves, so that one
 * barrier a row is enough; the number of rows is even, so that they alternate without end. Sums of products are below
 * 63 * 63 * 255^2 < 2^32.
 *
 * For a pixel and a candidate: (2 rho_y + 1 + 2 (ROWS - 1)) / ROWS products of 1 + 1/4 bytes, which neighbouring
 * threads read side by side from the first cache; (2 rho + 1) / 4 shared reads of 16 bytes and 2 rho + 1 additions;
 * 8 bytes of statistics; about 15 operations for the score and to consider it. With the defaults those are some 45
 * operations, which should take longest. */
template <bool SMALL, bool UNIQUE>
__global__ static void __launch_bounds__(BLOCK_MAX, 2) zncc_kernel(const __grid_constant__ zncc_arguments arguments) {
    __shared__ uint4 columns[2][BLOCK_MAX];
    const zncc_job &a = arguments.job;
    const int thread = threadIdx.x, side = blockIdx.z, other = GPU_RIGHT - side;
    const int x = blockIdx.x * (blockDim.x - 2 * a.rho) + thread - a.rho, top = blockIdx.y * ROWS;
    const int n = (2 * a.rho + 1) * (2 * a.rho_y + 1);
    /* The row behind the picture's last may be one of them, which the padded picture still has: see below. */
    const int rows = min((a.height - top + 1) / 2 * 2, (int)ROWS);
    const bool owns_pixels = thread >= a.rho && thread < (int)blockDim.x - a.rho && x < a.width;
    const int towards = side == GPU_RIGHT ? 1 : -1; /* where rising disparities lie in the other picture */
    const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, side == GPU_RIGHT);
    const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, side == GPU_RIGHT);
    const int stride = arguments.windows[side].stride, top_row = (top - a.rho_y + GPU_PAD) * stride;
    /* Columns that no window needs are read from the edge of the padded picture. */
    const uint8_t *reference = arguments.windows[side].padded + min(x + GPU_PAD, stride - 1);
    const uint8_t *others = arguments.windows[other].padded;
    const gpu_window *reference_windows = arguments.windows[side].statistics;
    const gpu_window *other_windows = arguments.windows[other].statistics;

    gpu_best<gpu_correlations, UNIQUE> best[ROWS];
    for (int k = 0; k < a.candidates; k += CANDIDATES) {
        int match[CANDIDATES]; /* the candidates' columns in the padded picture */
        uint32_t sums[CANDIDATES] = {0};
#pragma unroll
        for (int c = 0; c < CANDIDATES; c++)
            match[c] = sv_clamp(x + towards * (a.min_disparity + k + c) + GPU_PAD, stride);
        /* Adds `sign` times the products of a row of the padded pictures. */
        const auto add_row = [&](int row, int sign) {
            const int value = sign * reference[row];
#pragma unroll
            for (int c = 0; c < CANDIDATES; c++) sums[c] += value * others[row + match[c]];
        };

        int leaving = top_row, entering = top_row;
#pragma unroll 2
        for (int i = 0; i < 2 * a.rho_y; i++, entering += stride) add_row(entering, 1);
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            if (row >= rows) break;
            if (row > 0) {
                add_row(leaving, -1);
                leaving += stride;
            }
            add_row(entering, 1);
            entering += stride;
            columns[row % 2][thread] = make_uint4(sums[0], sums[1], sums[2], sums[3]);
            __syncthreads();
            if (!owns_pixels || top + row >= a.height) continue;
            uint4 window = make_uint4(0, 0, 0, 0);
#pragma unroll 4
            for (int i = thread - a.rho; i <= thread + a.rho; i++) {
                const uint4 column = columns[row % 2][i];
                window.x += column.x;
                window.y += column.y;
                window.z += column.z;
                window.w += column.w;
            }
            const size_t pixel = (size_t)(top + row) * a.width + x;
            const gpu_window mine = reference_windows[pixel];
            const auto try_candidate = [&](int candidate, uint32_t products) {
                float score = SV_NO_CORRELATION;
                if (candidate >= first && candidate <= last) {
                    const gpu_window found = other_windows[(ptrdiff_t)pixel + towards * (a.min_disparity + candidate)];
                    if (mine.inverse > 0 && found.inverse > 0) score = correlation<SMALL>(n, products, mine, found);
                }
                best[row].consider(candidate, score);
            };
            try_candidate(k, window.x);
            try_candidate(k + 1, window.y);
            try_candidate(k + 2, window.z);
            try_candidate(k + 3, window.w);
        }
    }

    if (!owns_pixels) return;
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const gpu_best<gpu_correlations, UNIQUE> &b = best[row];
        if (top + row >= a.height) break;
        const bool is_ambiguous = UNIQUE && sv_ambiguous_correlations(b.value, b.second, a.uniqueness);
        const bool is_flat = reference_windows[(size_t)(top + row) * a.width + x].inverse == 0;
        zncc_write(a, side, x, top + row, b, is_flat, is_ambiguous);
    }
}

template <bool SMALL>
static sv_status launch(gpu_context *context, const zncc_arguments *a, int sides, sv_error *error) {
    /* Small blocks for small windows; with large ones the halo would be most of a small block. */
    const int block = a->job.rho > 8 ? BLOCK_MAX : BLOCK_MAX / 2;
    const dim3 grid(gpu_blocks(a->job.width, block - 2 * a->job.rho), gpu_blocks(a->job.height, ROWS), sides);
    if (a->job.uniqueness)
        zncc_kernel<SMALL, true><<<grid, block, 0, context->compute>>>(*a);
    else
        zncc_kernel<SMALL, false><<<grid, block, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static size_t lay_out(zncc_arguments *a, void *base) {
    return gpu_lay_out_windows(a->windows, a->job.width, a->job.height, base);
}

sv_status gpu_zncc(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                   sv_error *error) {
    const int sides = gpu_sides(params);
    zncc_arguments a = {};
    zncc_job *job = &a.job;
    static_cast<gpu_search &>(*job) = gpu_search_of(context, params, maps);
    job->min_correlation = params->min_correlation;
    const bool fits_tensors = gpu_zncc_fits_tensors(context, job);
    gpu_name_kernels(context, fits_tensors ? "zncc on tensor cores" : "the general kernel of zncc");
    if (fits_tensors) return gpu_zncc_tensors(context, pair, job, sides, error);
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    GPU_PASS(gpu_prepare_windows(context, pair, params, a.windows, error));
    return (2 * job->rho + 1) * (2 * job->rho_y + 1) <= 363 ? launch<true>(context, &a, sides, error)
                                                            : launch<false>(context, &a, sides, error);
}
