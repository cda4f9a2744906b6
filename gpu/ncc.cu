/* Normalised cross-correlation with a propagated search range: R. Fan and N. Dahnoun, "Real-time implementation
 * of stereo vision based on optimised normalised cross-correlation and propagated search range on a GPU" (2018),
 * Eq. 1-10, Alg. 1-3.
 *
 * As in the paper, means and deviations are computed once for each window (statistics.cu), so that a correlation is a
 * sum of products (Eq. 8); one row is searched over the full range, and every other one near the disparities of its
 * three neighbours in the row before it (Eq. 9). Unlike in the paper, the rows below the first are searched too,
 * downwards, and one kernel processes all rows of a picture. With `reseed`, more rows are searched over the full range,
 * and the rows between two of them do not depend on others. */
#include <cooperative_groups.h>

#include "gpu/ncc.cuh"

enum {
    LANES = 8,            /* threads that share a window, one row of it each at a time */
    ROWS_AT_ONCE = 8,     /* rows that a strip advances before it needs its neighbours' seeds again */
    NARROWEST_STRIP = 16, /* columns; for narrower strips, most of the work would be on the columns around them */
    PROPAGATE_MAX = 512,  /* threads of a block */

    HIGHEST_BAND = 32, /* rows; higher bands are not worth the columns that are computed twice */
    BAND_STRIP = 64,   /* columns */
    BAND_THREADS = 256,

    SCORE_WIDTH = 32,
    SCORE_HEIGHT = 4,
};

struct ncc_arguments : gpu_search {
    gpu_windows pictures[GPU_SIDES];
    int16_t *seeds;     /* sides x 3 x width, see propagate_kernel */
    uint8_t *ambiguous; /* height x width, of the left map: 1 where not unique; NULL: `uniqueness` is off */
    int tau;
    int first_row; /* the one that is always searched over the full range */
    int reseed;    /* every reseed-th row from it is, too; 0: no other row is */
    int strip;     /* columns that a block owns */
    float min_correlation;
};

/* ---- Correlation ------------------------------------------------------------------------------ */

/* The sum of products of one row of two windows of 2 rho + 1 pixels that begin at `left` and `right`. Four pixels are
 * processed at a time: aligned words are read and shifted into place, and the pixels of the last word outside the
 * window are masked in one of the two. WORDS: number of words in a row of a window, or 0 for any number. */
template <int WORDS>
__device__ static __forceinline__ unsigned row_product(const uint8_t *left, const uint8_t *right, int rho) {
    const int words = WORDS ? WORDS : (2 * rho + 4) / 4;
    const unsigned left_shift = 8 * ((uintptr_t)left & 3), right_shift = 8 * ((uintptr_t)right & 3);
    const unsigned *left_words = (const unsigned *)(left - ((uintptr_t)left & 3));
    const unsigned *right_words = (const unsigned *)(right - ((uintptr_t)right & 3));
    const unsigned last_mask = 0xffffffffu >> 8 * (4 * words - (2 * rho + 1));
    unsigned sum = 0, left_word = left_words[0], right_word = right_words[0];
#pragma unroll
    for (int i = 1; i <= words; i++) {
        const unsigned left_next = left_words[i], right_next = right_words[i];
        unsigned pixels = __funnelshift_r(left_word, left_next, left_shift);
        if (i == words) pixels &= last_mask;
        sum = __dp4a(pixels, __funnelshift_r(right_word, right_next, right_shift), sum);
        left_word = left_next;
        right_word = right_next;
    }
    return sum;
}

/* The sum of products of rows `lane`, `lane` + `lanes`, ... of two windows, which are centred on row `y` and on the
 * columns `x` of the left and the right picture. The total is at most 63 * 63 * 255^2 < 2^31. */
template <int WORDS>
__device__ static __forceinline__ unsigned window_product(const ncc_arguments &a, const int (&x)[GPU_SIDES], int y,
                                                          int lane, int lanes) {
    const int stride = a.pictures[GPU_LEFT].stride; /* of both */
    const size_t corner = (size_t)(y - a.rho_y + GPU_PAD) * stride + GPU_PAD - a.rho;
    const uint8_t *left = a.pictures[GPU_LEFT].padded + corner + x[GPU_LEFT];
    const uint8_t *right = a.pictures[GPU_RIGHT].padded + corner + x[GPU_RIGHT];
    unsigned sum = 0;
    for (int row = lane; row <= 2 * a.rho_y; row += lanes)
        sum += row_product<WORDS>(left + (size_t)row * stride, right + (size_t)row * stride, a.rho);
    return sum;
}

/* ---- Propagation ------------------------------------------------------------------------------ */

__device__ static __forceinline__ int candidate_of(const ncc_search &s, int i) {
    if (i < s.counts[0]) return s.starts[0] + i;
    i -= s.counts[0];
    return i < s.counts[1] ? s.starts[1] + i : s.starts[2] + i - s.counts[1];
}

__device__ static __forceinline__ bool is_reseeded(const ncc_arguments &a, int y) {
    return y == a.first_row || (a.reseed && (y - a.first_row) % a.reseed == 0);
}

/* Finds the winners of row `y` for columns `begin`..`end` - 1 and their seeds, and writes those winners that are within
 * `own_begin`..`own_end` - 1. A reseeded row does not use `before`.
 * before, after: seeds of the row before this one and of this one; column x is at x - origin. */
template <int WORDS>
__device__ static void match_row(const ncc_arguments &a, int side, int y, int begin, int end, int origin,
                                 const int16_t *before, int16_t *after, int own_begin, int own_end) {
    const int lane = threadIdx.x % LANES, other = GPU_RIGHT - side, n = (2 * a.rho + 1) * (2 * a.rho_y + 1);
    const size_t row = (size_t)y * a.width;
    const bool reseeded = is_reseeded(a, y);
    /* The number of rounds is the same for all threads of a warp: it shuffles as a whole. */
    const int in_warp = threadIdx.x % GPU_WARP / LANES, groups = blockDim.x / LANES;
    for (int x_warp = begin + threadIdx.x / GPU_WARP * (GPU_WARP / LANES); x_warp < end; x_warp += groups) {
        const int x = x_warp + in_warp;
        const bool active = x < end;
        gpu_window reference = {0, 0};
        ncc_search s = {};
        int seed = NO_SEED;
        if (active) {
            const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, side == GPU_RIGHT);
            const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, side == GPU_RIGHT);
            reference = a.pictures[side].statistics[row + x];
            const int i = x - origin;
            seed = reseeded ? NO_SEED : before[i];
            s = search_about(reseeded ? NO_SEED : before[i - 1], seed, reseeded ? NO_SEED : before[i + 1], a.tau, first,
                             last);
        }

        const bool tried = s.total > 0;
        if (reference.inverse == 0) s.total = 0;
        ncc_finding found;
        for (int i = 0; __any_sync(GPU_LANES, i < s.total); i++) {
            const int k = candidate_of(s, i), disparity = a.min_disparity + k;
            gpu_window window = {0, 0};
            unsigned products = 0;
            if (i < s.total) {
                const int other_x = side == GPU_RIGHT ? x + disparity : x - disparity;
                window = a.pictures[other].statistics[row + other_x];
                const int columns[GPU_SIDES] = {side == GPU_RIGHT ? other_x : x, side == GPU_RIGHT ? x : other_x};
                products = window_product<WORDS>(a, columns, y, lane, LANES);
            }
#pragma unroll
            for (int distance = LANES / 2; distance; distance /= 2)
                products += __shfl_xor_sync(GPU_LANES, products, distance);
            const float score =
                sv_correlation(n, products, reference.sum, window.sum, reference.inverse, window.inverse);
            consider<true>(found, k, window.inverse > 0 ? score : NAN);
        }
        const int winner = found.winner >= 0                 ? found.winner
                           : tried || reference.inverse == 0 ? GPU_FLAT
                                                             : GPU_NO_CANDIDATE;

        if (active && lane == 0) {
            after[x - origin] = (int16_t)(winner >= 0 ? winner : seed);
            if (x >= own_begin && x < own_end) {
                a.winners[side][row + x] = (int16_t)winner;
                if (a.ambiguous && side == GPU_LEFT)
                    a.ambiguous[row + x] = sv_ambiguous_correlations(found.best, found.second, a.uniqueness);
            }
        }
    }
}

/* All rows of one map (blockIdx.y), in the order of Algorithm 2: first_row over the full range, the rows above it
 * upwards, then those below it downwards. A block owns a strip of `strip` columns (blockIdx.x) over all rows.
 *
 * A pixel needs the seeds of its three neighbours in the row before. So that blocks need not wait for each other
 * in every row, a block also computes ROWS_AT_ONCE columns on either side of its strip, one fewer in each row;
 * when they are used up, it leaves its own seeds in `seeds` and, after a barrier of the whole grid, reads its
 * neighbours'. The grid is launched cooperatively, so that all of it is running.
 *
 * a.seeds: sides x 3 x width. Of the three rows, [0] has the seeds of first_row to the end, where the downward part
 * starts; the others take turns, since a slow block may still read one while a fast one writes the other.
 *
 * Shared: 2 x (strip + 2 ROWS_AT_ONCE), the seeds of the row before and of this one, alternating; negative: none.
 *
 * LANES threads share a pixel. Each sums one row of the window at a time, and shuffles add up their sums: because rows
 * follow each other, the latency of a row matters most, and a pixel has too few candidates to distribute. With the
 * defaults, a correlation takes 6 word reads and 2 times 4 products per lane. A block has LANES threads for each of its
 * columns if possible, up to PROPAGATE_MAX, and there is about one block per multiprocessor. */
template <int WORDS>
__global__ static void __launch_bounds__(PROPAGATE_MAX, 1) propagate_kernel(const __grid_constant__ ncc_arguments a) {
    extern __shared__ int16_t shared[];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int side = blockIdx.y, size = a.strip + 2 * ROWS_AT_ONCE;
    const int own_begin = blockIdx.x * a.strip, own_end = min(own_begin + a.strip, a.width);
    const int origin = own_begin - ROWS_AT_ONCE;
    int16_t *const exchange = a.seeds + (size_t)side * 3 * a.width;
    int16_t *before = shared, *after = shared + size;

    /* Columns beyond the picture are never written: they have no seeds. */
    for (int i = threadIdx.x; i < 2 * size; i += blockDim.x) shared[i] = NO_SEED;
    __syncthreads();
    int16_t *to = exchange;
    for (int part = 0; part < 3; part++) {
        const int direction = part < 2 ? -1 : 1;
        int rows = part == 0 ? 1 : part == 1 ? a.first_row : a.height - 1 - a.first_row;
        int y = part == 0 ? a.first_row : a.first_row + direction;
        for (const int16_t *from = exchange; rows > 0; rows -= ROWS_AT_ONCE) {
            for (int x = max(origin, 0) + threadIdx.x; part > 0 && x < min(origin + size, a.width); x += blockDim.x)
                before[x - origin] = from[x];
            __syncthreads();
            for (int halo = min(rows, ROWS_AT_ONCE) - 1; halo >= 0; halo--, y += direction) {
                match_row<WORDS>(a, side, y, max(own_begin - halo, 0), min(own_end + halo, a.width), origin, before,
                                 after, own_begin, own_end);
                __syncthreads();
                int16_t *const swapped = before;
                before = after;
                after = swapped;
            }
            for (int x = own_begin + threadIdx.x; x < own_end; x += blockDim.x) to[x] = before[x - origin];
            grid.sync();
            from = to;
            to = to == exchange + a.width ? to + a.width : exchange + a.width;
        }
    }
}

/* The same with reseeded rows: a block computes a strip (blockIdx.x) of one map (blockIdx.y) in one band (blockIdx.z),
 * from a reseeded row to the next, which is another band's. Bands upwards from first_row come first, then those
 * downwards. Nothing is exchanged: the block begins with as many columns on either side of its strip as rows follow.
 *
 * Shared: 2 x (strip + 2 reseed), seeds as above. With the defaults a strip of 64 columns has 15 more on either side in
 * the first row, which are a fifth of its work, and a picture has enough blocks to fill a large GPU. */
template <int WORDS>
__global__ static void __launch_bounds__(BAND_THREADS, 3) bands_kernel(const __grid_constant__ ncc_arguments a) {
    extern __shared__ int16_t shared[];
    const int side = blockIdx.y, size = a.strip + 2 * a.reseed, bands_up = a.first_row / a.reseed + 1;
    const bool up = (int)blockIdx.z < bands_up;
    const int band = up ? blockIdx.z : blockIdx.z - bands_up;
    const int start = a.first_row + (up ? -band : band) * a.reseed;
    const int rows = min(a.reseed, up ? start + 1 : a.height - start);
    const int own_begin = blockIdx.x * a.strip, own_end = min(own_begin + a.strip, a.width);
    const int origin = own_begin - a.reseed;
    int16_t *before = shared, *after = shared + size;
    for (int i = threadIdx.x; i < 2 * size; i += BAND_THREADS) shared[i] = NO_SEED;
    __syncthreads();
    for (int row = 0; row < rows; row++) {
        const int halo = rows - 1 - row;
        /* first_row begins two bands, and belongs to the upper one. */
        const int end = !up && band == 0 && row == 0 ? own_begin : own_end;
        match_row<WORDS>(a, side, up ? start - row : start + row, max(own_begin - halo, 0),
                         min(own_end + halo, a.width), origin, before, after, own_begin, end);
        __syncthreads();
        int16_t *const swapped = before;
        before = after;
        after = swapped;
    }
}

/* ---- Scores ----------------------------------------------------------------------------------- */

/* Computes the correlation of pixel (x, y) of the left picture with candidate `k`; false if there is none. */
template <int WORDS> __device__ static bool correlate(const ncc_arguments &a, int x, int y, int k, float *score) {
    const int n = (2 * a.rho + 1) * (2 * a.rho_y + 1), columns[GPU_SIDES] = {x, x - (a.min_disparity + k)};
    if (k < 0 || k >= a.candidates || columns[GPU_RIGHT] < 0 || columns[GPU_RIGHT] >= a.width) return false;
    const size_t row = (size_t)y * a.width;
    const gpu_window left = a.pictures[GPU_LEFT].statistics[row + x];
    const gpu_window right = a.pictures[GPU_RIGHT].statistics[row + columns[GPU_RIGHT]];
    if (right.inverse == 0) return false;
    *score =
        sv_correlation(n, window_product<WORDS>(a, columns, y, 0, 1), left.sum, right.sum, left.inverse, right.inverse);
    return true;
}

/* A thread computes the disparity and the reason of one pixel of the left map from its winner. This repeats up to three
 * correlations, but outside the propagation, whose rows wait for each other. */
template <int WORDS>
__global__ static void score_kernel(const __grid_constant__ ncc_arguments a, const __grid_constant__ sv_output maps) {
    const int x = blockIdx.x * SCORE_WIDTH + threadIdx.x, y = blockIdx.y * SCORE_HEIGHT + threadIdx.y;
    if (x >= a.width || y >= a.height) return;
    const int winner = a.winners[GPU_LEFT][(size_t)y * a.width + x];
    const bool has_limit = a.min_correlation > -1;
    const bool ambiguous = a.ambiguous && a.ambiguous[(size_t)y * a.width + x];
    float disparity = INFINITY, before = SV_NO_CORRELATION, best = 1, after = SV_NO_CORRELATION;
    int reason = winner == GPU_FLAT ? SV_NO_TEXTURE : SV_BORDER;
    if (winner >= 0) {
        if (has_limit || a.subpixel) correlate<WORDS>(a, x, y, winner, &best);
        if (a.subpixel && correlate<WORDS>(a, x, y, winner - 1, &before)) correlate<WORDS>(a, x, y, winner + 1, &after);
        reason = sv_decide_correlation(winner, before, best, after, a.min_correlation, ambiguous, a.min_disparity,
                                       &disparity);
    }
    gpu_row<float>(maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(maps.reason, y)[x] = (uint8_t)reason;
}

/* ---- Launching -------------------------------------------------------------------------------- */

template <int WORDS> static sv_status propagate(gpu_context *context, ncc_arguments *a, int sides, sv_error *error) {
    if (a->reseed && a->reseed <= HIGHEST_BAND) {
        const int below = a->height - 1 - a->first_row; /* rows */
        const int bands = a->first_row / a->reseed + 1 + (below ? below / a->reseed + 1 : 0);
        a->strip = BAND_STRIP;
        const size_t shared = 2 * sizeof(int16_t) * (a->strip + 2 * a->reseed);
        bands_kernel<WORDS>
            <<<dim3(gpu_blocks(a->width, a->strip), sides, bands), BAND_THREADS, shared, context->compute>>>(*a);
        GPU_TRY(cudaGetLastError());
        return SV_OK;
    }
    /* One block for each multiprocessor at most, so that all can run at once, which the grid's barrier needs. */
    a->strip = max(gpu_blocks(a->width, max(context->multiprocessors / sides, 1)), (int)NARROWEST_STRIP);
    const int columns = a->strip + 2 * ROWS_AT_ONCE;
    const int threads = min(gpu_blocks(columns * LANES, GPU_WARP) * GPU_WARP, (int)PROPAGATE_MAX);
    void *arguments[] = {a};
    GPU_TRY(cudaLaunchCooperativeKernel((const void *)propagate_kernel<WORDS>,
                                        dim3(gpu_blocks(a->width, a->strip), sides), dim3(threads), arguments,
                                        2 * sizeof(int16_t) * columns, context->compute));
    return SV_OK;
}

template <int WORDS>
static sv_status launch(gpu_context *context, ncc_arguments *a, int sides, const sv_output *maps, sv_error *error) {
    GPU_PASS(propagate<WORDS>(context, a, sides, error));
    const dim3 score_grid(gpu_blocks(a->width, SCORE_WIDTH), gpu_blocks(a->height, SCORE_HEIGHT));
    score_kernel<WORDS><<<score_grid, dim3(SCORE_WIDTH, SCORE_HEIGHT), 0, context->compute>>>(*a, *maps);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static size_t lay_out(ncc_arguments *a, void *base) {
    size_t used = gpu_lay_out_windows(a->pictures, a->width, a->height, base);
    a->seeds = (int16_t *)gpu_carve(base, &used, sizeof *a->seeds * GPU_SIDES * 3 * a->width);
    if (a->uniqueness) a->ambiguous = (uint8_t *)gpu_carve(base, &used, (size_t)a->width * a->height);
    return used;
}

sv_status gpu_ncc(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    bool done = false;
    const char *kernels = "ncc for small windows";
    if (!context->general) GPU_PASS(gpu_ncc_small(context, pair, params, maps, &done, error));
    if (!context->general && !done) {
        kernels = "ncc on tensor cores";
        GPU_PASS(gpu_ncc_volume(context, pair, params, maps, &done, error));
    }
    gpu_name_kernels(context, done ? kernels : "the general kernels of ncc");
    if (done) return SV_OK;
    const int sides = gpu_sides(params);
    ncc_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    a.tau = params->tau;
    a.reseed = params->reseed;
    a.min_correlation = params->min_correlation;
    a.first_row = max(0, a.height - a.rho_y - 2);
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    GPU_PASS(gpu_prepare_windows(context, pair, params, a.pictures, error));
    /* The usual windows have a kernel of their own, in which a row is two words without a loop. */
    return a.rho == 2 || a.rho == 3 ? launch<2>(context, &a, sides, maps, error)
                                    : launch<0>(context, &a, sides, maps, error);
}
