/* ncc for windows of up to 31 x 31 pixels, with or without uniqueness: all correlations are computed first, on tensor
 * cores (tensor.cuh), and the propagation looks them up. So the time for the products hardly depends on the size of the
 * window, and not on the order of the rows. Both maps look up the same correlations. ncc.cu says what is computed.
 *
 * The correlations of all rows may be too many for the memory: rows are processed in chunks, from the first row that is
 * searched upwards. */
#include <cuda_pipeline_primitives.h>

#include "gpu/ncc.cuh"
#include "gpu/rows.cuh"
#include "gpu/tensor.cuh"

enum {
    NARROW_RADIUS = 7, /* the sums of products of a window take one instruction, and the covariance fits in 32 bits */
    SLAB = 16,         /* rows that are matched in one launch if rows are not reseeded */
    HIGHEST_BAND = 32, /* rows from one reseeded row to the next; if there are more, the picture is matched in slabs */
    THREADS = 128,     /* columns of a block: its own, and on either side as many as a band has rows */
    BATCH = 8,         /* candidates that are looked up at once */
    SCORE_WIDTH = 32,
    SCORE_HEIGHT = 4,
};
static const size_t chunk_bytes = (size_t)512 << 20; /* of the correlations of a chunk, unless one band takes more */

struct volume_arguments : gpu_search {
    gpu_rows rows;
    float *volume; /* (bottom - top) x candidates x stride: correlations of the left picture's pixels; NaN: flat */
    int stride;
    int top, bottom;    /* the rows of the chunk */
    int last;           /* the last candidate of the first pass, or one above it: see correlate_kernel */
    int16_t *seeds;     /* 2 x sides x width: of the last rows of slabs, by turns */
    uint8_t *ambiguous; /* height x width, of the left map: 1 where not unique; NULL: `uniqueness` is off */
    int tau;
    int first_row; /* the one that is always searched over the full range */
    int reseed;    /* every reseed-th row from it is, too; 0: no other row is */
    bool slabs;    /* a band begins with the seeds of the one before it, unless it is the first */
    int band_height;
    int band, bands_up; /* of a launch: the first band upwards, and the number of these; bands downwards follow */
    float min_correlation;
};

/* ---- Correlations ----------------------------------------------------------------------------- */

enum {
    PIXELS = 16, /* of a warp in a row */
    TILES = 11,  /* of a warp, each of 8 columns of the right picture */
    COLUMNS = 8 * TILES,
    CANDIDATES = COLUMNS - PIXELS, /* of a pass; even, so that all passes read pairs of windows alike */
    STRIP = 16,                    /* rows that a warp goes down */
    WARPS = 2,                     /* of a block */
    STAGES = 3,                    /* rows of a warp that are being copied, or used */
    PIECE = 16,                    /* bytes that a lane copies at once */
    PITCH = PIXELS + 4             /* of a row of scores: the writes of a warp are to 32 different banks */
};

/* The part of a row of both pictures that a warp needs, in the order in which it is copied. WIDE: for radii above
 * NARROW_RADIUS. */
template <bool WIDE> struct alignas(PIECE) volume_row {
    enum { PRODUCTS = WIDE ? 2 : 1, MORE = 16 * PRODUCTS + 4 };
    uint32_t others[COLUMNS + MORE], own[PIXELS + MORE];
    gpu_window other_windows[COLUMNS], windows[PIXELS];
};

/* The shared memory of a warp. Candidate `last` - i of a pass is row COLUMNS - 1 - i of `scores`; the rows at both ends
 * are those of candidates for which some pixels have no column. */
template <bool WIDE> struct volume_scratch {
    volume_row<WIDE> rows[STAGES];
    alignas(PIECE) float scores[COLUMNS + PIXELS - 1][PITCH];
};

/* A warp computes the correlations of PIXELS columns and STRIP rows with the CANDIDATES candidates up to `last`, which
 * is a.last in the first pass (blockIdx.z) and makes `leftmost` even. Pixel i, of matrix row i, meets candidate
 * `last` - c + i at column c of the matrix.
 *
 * For each row of windows it takes TILES + 1 products (twice as many with WIDE) and 4 TILES scores per lane, of 6
 * operations (WIDE: 13) including the write to shared memory, from where they are written in whole sectors. For 1242 x
 * 375 pixels and 64 candidates that is about 12 million warp instructions, which an H200 could issue in 0.011 ms; the
 * 119 MB that are written take 0.03 ms. */
template <bool WIDE>
__global__ static void __launch_bounds__(GPU_WARP *WARPS, 16 / WARPS)
    correlate_kernel(const __grid_constant__ volume_arguments a) {
    typedef volume_row<WIDE> row_data;
    enum {
        PIECES = sizeof(row_data) / PIECE,
        LANE_PIECES = (PIECES + GPU_WARP - 1) / GPU_WARP,
        WORDS = offsetof(row_data, other_windows)
    };
    __shared__ volume_scratch<WIDE> scratch[WARPS];
    const int lane = threadIdx.x % GPU_WARP, warp = threadIdx.x / GPU_WARP, group = lane / 4, t = lane % 4;
    const int x0 = (blockIdx.x * WARPS + warp) * PIXELS, top = a.top + blockIdx.y * STRIP;
    const int last = a.last - blockIdx.z * CANDIDATES, first = max(last - CANDIDATES + 1, 0);
    const int leftmost = x0 - a.min_disparity - last; /* column of the right picture at column 0 of the matrix */
    if (x0 >= a.width || leftmost >= a.width || leftmost + COLUMNS <= 0) return;
    const int rows = min(a.bottom - top, (int)STRIP), n = (2 * a.rho + 1) * (2 * a.rho_y + 1);
    volume_scratch<WIDE> &s = scratch[warp];

    /* Where the parts of a row begin in the pictures' rows, and where the lane's pieces of the next row are. */
    const int others_at = (leftmost - a.rho + a.rows.pad) & ~3, own_at = (x0 - a.rho + a.rows.pad) & ~3;
    uint32_t source[LANE_PIECES];
#pragma unroll
    for (int i = 0; i < LANE_PIECES; i++) {
        const int at = (GPU_WARP * i + lane) * PIECE;
        const bool is_window = at >= (int)WORDS;
        const bool is_own = at >= (int)(is_window ? offsetof(row_data, windows) : offsetof(row_data, own));
        const int part = is_window ? (is_own ? offsetof(row_data, windows) : offsetof(row_data, other_windows))
                                   : (is_own ? offsetof(row_data, own) : offsetof(row_data, others));
        const int size = is_window ? sizeof(gpu_window) : sizeof(uint32_t);
        const int from = is_window ? (is_own ? x0 : leftmost) + a.rows.pad : is_own ? own_at : others_at;
        /* Far from the picture, all columns are the same. */
        const int column = min(max(from + (at - part) / size, 0), a.rows.stride - PIECE / size);
        source[i] = (is_own ? GPU_LEFT : GPU_RIGHT) * a.rows.picture + top * gpu_pitch(a.rows.stride) +
                    (is_window ? a.rows.stride * sizeof(uint32_t) : 0) + column * size;
    }
    const auto copy_row = [&](row_data &to, bool has_windows) {
#pragma unroll
        for (int i = 0; i < LANE_PIECES; i++) {
            const int at = (GPU_WARP * i + lane) * PIECE;
            if (at < (has_windows ? (int)sizeof to : (int)WORDS))
                __pipeline_memcpy_async((char *)&to + at, a.rows.rows + source[i], PIECE);
            source[i] += gpu_pitch(a.rows.stride);
        }
    };

    uint32_t masks[2 * row_data::PRODUCTS];
#pragma unroll
    for (int i = 0; i < 2 * row_data::PRODUCTS; i++) masks[i] = gpu_bytes_of_window(4 * i + t, a.rho);
    const int own_from = x0 + group + 2 * t - a.rho + a.rows.pad - own_at;
    const int others_from = leftmost + group + 2 * t - a.rho + a.rows.pad - others_at;
    int sums[TILES][4] = {}, left[4] = {};
#pragma unroll
    for (int i = 0; i < STAGES - 1; i++) {
        if (i < rows + 2 * a.rho_y) copy_row(s.rows[i], i >= 2 * a.rho_y);
        __pipeline_commit();
    }
    int stage = 0;
    for (int row = -2 * a.rho_y; row < rows; row++) {
        __syncwarp(); /* the row and the scores that are overwritten have been used */
        if (row + STAGES - 1 < rows) copy_row(s.rows[stage == 0 ? STAGES - 1 : stage - 1], row + STAGES - 1 >= 0);
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        __syncwarp();
        const row_data &now = s.rows[stage];
        stage = stage == STAGES - 1 ? 0 : stage + 1;
        gpu_roll<row_data::PRODUCTS>(sums, left, now.own + own_from, now.others + others_from, masks, row > 0);
        if (row < 0) continue;

        const gpu_window windows[2] = {now.windows[group], now.windows[group + 8]};
        const int more[2] = {n * left[0], n * left[2]};
#pragma unroll
        for (int j = 0; j < TILES; j++) {
            const int4 pair = *(const int4 *)&now.other_windows[8 * j + 2 * t];
            const gpu_window others[2] = {{pair.x, __int_as_float(pair.y)}, {pair.z, __int_as_float(pair.w)}};
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    const int pixel = group + 8 * half, column = 8 * j + 2 * t + e;
                    s.scores[COLUMNS - 1 - column + pixel][pixel] =
                        gpu_covariance<WIDE>(n, sums[j][2 * half + e], more[half], windows[half].sum, others[e].sum) *
                        (windows[half].inverse * others[e].inverse); /* sv_correlation */
                }
        }
        __syncwarp();
        float *const to = a.volume + (size_t)(top - a.top + row) * a.candidates * a.stride + x0 + 4 * t;
        for (int k = first + group; k <= min(last, a.candidates - 1); k += 8)
            *(float4 *)(to + (size_t)k * a.stride) = *(const float4 *)&s.scores[COLUMNS - 1 - last + k][4 * t];
    }
}

/* ---- Propagation ------------------------------------------------------------------------------ */

/* A block propagates a strip (blockIdx.x) of one map (blockIdx.y) through one band (blockIdx.z): bands upwards from
 * a.band on, then those downwards. A thread owns a column. In each row one column fewer on either side of the strip is
 * right, and at the end the strip remains.
 *
 * A row waits for the one before it, for what it looks up, and for a barrier. Neighbouring pixels mostly look up the
 * same candidates, which are next to each other in memory. NEAR: tau is 1, and up to nine candidates are looked up at
 * once. */
template <bool NEAR, bool UNIQUE>
__global__ static void __launch_bounds__(THREADS) propagate_kernel(const __grid_constant__ volume_arguments a) {
    __shared__ int seeds[2][THREADS + 2];
    const int side = blockIdx.y, thread = threadIdx.x + 1, strip = THREADS - 2 * a.band_height;
    const bool up = (int)blockIdx.z < a.bands_up;
    const int band = up ? a.band + blockIdx.z : blockIdx.z - a.bands_up;
    const int start = a.first_row + (up ? -band : band) * a.band_height, direction = up ? -1 : 1;
    /* One slab is enough downwards: there are at most rho_y + 1 rows below first_row. */
    const int rows = up ? min(a.band_height, start + 1) : min(a.band_height + a.slabs, a.height - start);
    const bool follows = a.slabs && band > 0;
    const int own_begin = blockIdx.x * strip, own_end = min(own_begin + strip, a.width);
    const int x = own_begin - a.band_height + threadIdx.x;
    const bool in_picture = x >= 0 && x < a.width;

    /* Columns beyond the picture are never written: they have no seeds. */
    for (int i = threadIdx.x; i < 2 * (THREADS + 2); i += THREADS)
        seeds[i / (THREADS + 2)][i % (THREADS + 2)] = NO_SEED;
    __syncthreads();
    int *before = seeds[0], *after = seeds[1];
    if (follows && in_picture) before[thread] = a.seeds[((band + 1) % 2 * GPU_SIDES + side) * a.width + x];

    const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, side == GPU_RIGHT);
    const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, side == GPU_RIGHT);
    /* From a candidate to the next in the volume; in the right map, the next one is also one pixel further to the
     * right. */
    const ptrdiff_t step = a.stride + (side == GPU_RIGHT), row_size = (ptrdiff_t)a.candidates * a.stride;
    const float *scores = a.volume + (start - a.top) * row_size + x + (side == GPU_RIGHT ? a.min_disparity : 0);
    const uint32_t pitch = gpu_pitch(a.rows.stride);
    const char *window = a.rows.rows + side * a.rows.picture + (start + 2 * a.rho_y) * pitch +
                         a.rows.stride * sizeof(uint32_t) + (x + a.rows.pad) * sizeof(gpu_window);
    float inverse = in_picture ? ((const gpu_window *)window)->inverse : NAN;
    __syncthreads();
    for (int row = 0, y = start; row < rows; row++, y += direction) {
        const int halo = rows - 1 - row;
        if (in_picture && x >= own_begin - halo && x < own_end + halo) {
            const bool full = (row == 0 && !follows) || (a.reseed && (y - a.first_row) % a.reseed == 0);
            const int seed = full ? (int)NO_SEED : before[thread];
            const ncc_search s = search_about(full ? (int)NO_SEED : before[thread - 1], seed,
                                              full ? (int)NO_SEED : before[thread + 1], a.tau, first, last);
            ncc_finding found;
            if (isnan(inverse)) {
                /* The window is flat: there is nothing to look up. */
            } else if (NEAR && s.counts[0] <= 3) {
                float near[3][3];
#pragma unroll
                for (int i = 0; i < 3; i++)
#pragma unroll
                    for (int j = 0; j < 3; j++) near[i][j] = j < s.counts[i] ? scores[(s.starts[i] + j) * step] : NAN;
#pragma unroll
                for (int i = 0; i < 3; i++)
#pragma unroll
                    for (int j = 0; j < 3; j++) consider<UNIQUE>(found, s.starts[i] + j, near[i][j]);
            } else {
#pragma unroll
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < s.counts[i]; j += BATCH) {
                        const int k = s.starts[i] + j, end = s.starts[i] + s.counts[i];
                        float batch[BATCH];
#pragma unroll
                        for (int l = 0; l < BATCH; l++) batch[l] = scores[min(k + l, end - 1) * step];
#pragma unroll
                        for (int l = 0; l < BATCH; l++) consider<UNIQUE>(found, k + l, k + l < end ? batch[l] : NAN);
                    }
            }
            after[thread] = found.winner >= 0 ? found.winner : seed;
            /* first_row begins two bands, and belongs to the upper one. */
            if (x >= own_begin && x < own_end && (up || band > 0 || row > 0)) {
                const size_t pixel = (size_t)y * a.width + x;
                const int none = s.total || isnan(inverse) ? GPU_FLAT : GPU_NO_CANDIDATE;
                a.winners[side][pixel] = (int16_t)(found.winner >= 0 ? found.winner : none);
                if (UNIQUE && side == GPU_LEFT)
                    a.ambiguous[pixel] = sv_ambiguous_correlations(found.best, found.second, a.uniqueness);
            }
        }
        scores += direction * row_size;
        window += direction * (ptrdiff_t)pitch;
        if (in_picture && row + 1 < rows) inverse = ((const gpu_window *)window)->inverse;
        __syncthreads();
        int *const swapped = before;
        before = after;
        after = swapped;
    }
    if (a.slabs && up && x >= own_begin && x < own_end)
        a.seeds[(band % 2 * GPU_SIDES + side) * a.width + x] = (int16_t)before[thread];
}

/* A thread computes the disparity and the reason of one pixel of the left map from its winner. */
__global__ static void score_kernel(const __grid_constant__ volume_arguments a) {
    const int x = blockIdx.x * SCORE_WIDTH + threadIdx.x, y = a.top + blockIdx.y * SCORE_HEIGHT + threadIdx.y;
    if (x >= a.width || y >= a.bottom) return;
    const size_t pixel = (size_t)y * a.width + x;
    const int winner = a.winners[GPU_LEFT][pixel];
    float disparity = INFINITY;
    int reason = winner == GPU_FLAT ? SV_NO_TEXTURE : SV_BORDER;
    if (winner >= 0) {
        const float *const score = a.volume + ((size_t)(y - a.top) * a.candidates + winner) * a.stride + x;
        const bool refined = a.subpixel && winner > sv_first_candidate(x, a.width, a.min_disparity, 1, false) &&
                             winner < sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, false);
        const float before = refined ? score[-(ptrdiff_t)a.stride] : SV_NO_CORRELATION;
        const float after = refined ? score[a.stride] : SV_NO_CORRELATION;
        reason = sv_decide_correlation(winner, before, *score, after, a.min_correlation,
                                       a.ambiguous && a.ambiguous[pixel], a.min_disparity, &disparity);
    }
    gpu_row<float>(a.maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
}

/* ---- Launching -------------------------------------------------------------------------------- */

static void launch_propagation(gpu_context *context, const volume_arguments *a, int sides, int bands) {
    const dim3 grid(gpu_blocks(a->width, THREADS - 2 * a->band_height), sides, bands);
    if (a->tau == 1 && !a->uniqueness)
        propagate_kernel<true, false><<<grid, THREADS, 0, context->compute>>>(*a);
    else if (!a->uniqueness)
        propagate_kernel<false, false><<<grid, THREADS, 0, context->compute>>>(*a);
    else
        propagate_kernel<false, true><<<grid, THREADS, 0, context->compute>>>(*a);
}

/* Matches the chunk of `bands_up` bands from a->band upwards, and of `bands_down` from first_row downwards. */
static sv_status launch_chunk(gpu_context *context, volume_arguments *a, int sides, int bands_up, int bands_down,
                              sv_error *error) {
    a->bottom = bands_down ? a->height : a->first_row - a->band * a->band_height + 1;
    a->top = max(a->first_row - (a->band + bands_up) * a->band_height + 1, 0);
    const int rows = a->bottom - a->top;
    const dim3 grid(gpu_blocks(a->width, WARPS * PIXELS), gpu_blocks(rows, STRIP), gpu_blocks(a->last + 1, CANDIDATES));
    if (max(a->rho, a->rho_y) > NARROW_RADIUS)
        correlate_kernel<true><<<grid, GPU_WARP * WARPS, 0, context->compute>>>(*a);
    else
        correlate_kernel<false><<<grid, GPU_WARP * WARPS, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    if (a->slabs) {
        a->bands_up = 1;
        for (int i = 0; i < bands_up; i++, a->band++, bands_down = 0) {
            launch_propagation(context, a, sides, 1 + bands_down);
            GPU_TRY(cudaGetLastError());
        }
    } else {
        a->bands_up = bands_up;
        launch_propagation(context, a, sides, bands_up + bands_down);
        GPU_TRY(cudaGetLastError());
        a->band += bands_up;
    }
    const dim3 score_grid(gpu_blocks(a->width, SCORE_WIDTH), gpu_blocks(rows, SCORE_HEIGHT));
    score_kernel<<<score_grid, dim3(SCORE_WIDTH, SCORE_HEIGHT), 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

/* How many bands upwards a chunk has. */
static int bands_of_chunk(const volume_arguments *a) {
    const size_t band_bytes = sizeof(float) * a->stride * a->candidates * a->band_height;
    return (int)max((size_t)1, chunk_bytes / band_bytes);
}

static size_t lay_out(volume_arguments *a, void *base) {
    const int below = a->height - 1 - a->first_row;
    const int rows = (int)min((size_t)a->height, (size_t)bands_of_chunk(a) * a->band_height + below);
    size_t used = 0;
    gpu_lay_out_rows(&a->rows, a->width, a->height, a->rho_y, GPU_ROWS_PAD, base, &used);
    a->volume = (float *)gpu_carve(base, &used, sizeof(float) * rows * a->candidates * a->stride);
    a->seeds = (int16_t *)gpu_carve(base, &used, sizeof *a->seeds * 2 * GPU_SIDES * a->width);
    if (a->uniqueness) a->ambiguous = (uint8_t *)gpu_carve(base, &used, (size_t)a->width * a->height);
    return used;
}

sv_status gpu_ncc_volume(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                         bool *done, sv_error *error) {
    volume_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    *done = context->capability >= GPU_TENSOR_CAPABILITY && max(a.rho, a.rho_y) <= GPU_ROWS_RADIUS &&
            (size_t)a.width * a.height <= GPU_ROWS_PIXELS;
    if (!*done) return SV_OK;
    a.stride = gpu_blocks(a.width, PIXELS) * PIXELS;
    a.last = a.candidates - 1 + ((a.min_disparity + a.candidates - 1) & 1);
    a.tau = params->tau;
    a.min_correlation = params->min_correlation;
    a.first_row = max(0, a.height - a.rho_y - 2);
    a.reseed = params->reseed;
    a.slabs = !a.reseed || a.reseed > HIGHEST_BAND;
    a.band_height = a.slabs ? (int)SLAB : a.reseed;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    GPU_PASS(gpu_prepare_rows(context, pair, a.rho, a.rho_y, &a.rows, error));

    const int below = a.height - 1 - a.first_row, bands_up = a.first_row / a.band_height + 1;
    int bands_down = !below ? 0 : a.slabs ? 1 : below / a.band_height + 1;
    while (a.band < bands_up) {
        const int bands = min(bands_of_chunk(&a), bands_up - a.band);
        GPU_PASS(launch_chunk(context, &a, gpu_sides(params), bands, bands_down, error));
        bands_down = 0;
    }
    return SV_OK;
}
