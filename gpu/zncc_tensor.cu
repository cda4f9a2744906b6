/* zncc with its sums of products on tensor cores: windows of up to 31 x 31 pixels, without uniqueness.
 *
 * tensor.cuh says how. That 128 is subtracted from grey values changes no covariance. */
#include <cuda_pipeline_primitives.h>

#include "gpu/rows.cuh"
#include "gpu/tensor.cuh"
#include "gpu/zncc.cuh"

enum {
    NARROW_RADIUS = 7, /* the sums of products of a window take one instruction, and the covariance fits 32 bits */
    PIXELS = 16,       /* of a warp in a row */
    TILES = 11,        /* of a warp, each of 8 columns of the other picture */
    COLUMNS = 8 * TILES,
    CANDIDATES = COLUMNS - PIXELS + 1, /* that all pixels find among those columns, in one of several passes */
    STRIDE = CANDIDATES - 3,           /* of the passes; even, so that all align alike */
    MAX_ROWS = 16,                     /* of a strip */
    WARPS = 2                          /* of a block */
};

struct zncc_tensor_arguments : gpu_rows {
    zncc_job job;
    int strip; /* rows that a warp goes down */
};

/* ---- Matching --------------------------------------------------------------------------------- */

/* The data of a row of both pictures that a warp needs, in the order in which it is copied, aligned to 16 bytes. WIDE:
 * for radii above NARROW_RADIUS. */
template <bool WIDE> struct zncc_row {
    enum { PRODUCTS = WIDE ? 2 : 1, MORE = 16 * PRODUCTS + 4 };
    uint32_t others[COLUMNS + MORE], words[PIXELS + MORE];
    gpu_window other_windows[COLUMNS], windows[18];
};

enum {
    STAGES = 3, /* rows of a warp that are on their way, or there */
    PIECE = 16  /* bytes that a lane copies at once */
};

/* Of a warp. */
template <bool WIDE> struct tensor_scratch {
    zncc_row<WIDE> rows[STAGES];
    float scores[PIXELS][COLUMNS];     /* of a row */
    zncc_match best[MAX_ROWS][PIXELS]; /* of the passes so far */
};

/* One of the passes of a warp, which finds the best of the candidates first..last for PIXELS columns from x0 on, down
 * a strip; and what a lane, 4 group + t, has of it.
 *
 * In the matrices, pixels and columns of the other picture go to the right for the left map and to the left for the
 * right one, so that pixel i meets candidate `last` - c + i at column c on either side. On the left, a matrix row
 * begins with the words of the window's first 8 columns, on the right with those of its last 8: so the next 8 are
 * always those with which the row 8 further on begins. */
template <int SIDE, bool WIDE> struct tensor_pass {
    typedef zncc_row<WIDE> row_data;
    enum {
        FORWARD = SIDE == GPU_LEFT ? 1 : -1,
        EIGHTS = 2 * row_data::PRODUCTS, /* columns of a window, in eights */
        PIECES = sizeof(row_data) / PIECE,
        WORD_PIECES = offsetof(row_data, other_windows) / PIECE, /* the others have windows */
        LANE_PIECES = (PIECES + GPU_WARP - 1) / GPU_WARP
    };
    int first, last, group, t;
    /* Where the lane's pieces are, in the row that is copied next. */
    uint32_t source[LANE_PIECES];
    /* Where the lane's words and windows begin in a zncc_row; the bytes of our words that count, in each eight columns.
     */
    int words_from, windows_from, others_from, other_windows_from;
    uint32_t masks[EIGHTS];
    float outside[TILES][2]; /* NaN where matrix row `group` meets no candidate, else 0 */
    int sums[TILES][4];      /* products */
    int left[4];             /* our values that have left */

    __device__ __forceinline__ tensor_pass(const zncc_tensor_arguments &a, int x0, int top, int last_candidate) {
        const zncc_job &job = a.job;
        const int lane = threadIdx.x % GPU_WARP;
        last = last_candidate;
        first = max(last - CANDIDATES + 1, 0);
        group = lane / 4;
        t = lane % 4;
        /* The column of the other picture at column 0 of the matrix, and the leftmost of all. */
        const int column =
            SIDE == GPU_LEFT ? x0 - job.min_disparity - last : x0 + PIXELS - 1 + job.min_disparity + last;
        const int leftmost = SIDE == GPU_LEFT ? column : column - (COLUMNS - 1);
        /* Where the parts of a zncc_row begin in the pictures' rows. */
        const int others_at = (leftmost - job.rho + a.pad) & ~3, words_at = (x0 - job.rho + a.pad) & ~3;
        const int other_windows_at = leftmost + a.pad, windows_at = (x0 + a.pad) & ~1;
#pragma unroll
        for (int i = 0; i < LANE_PIECES; i++) {
            const int at = (GPU_WARP * i + lane) * PIECE;
            const bool is_window = at >= (int)offsetof(row_data, other_windows);
            const bool is_mine =
                is_window ? at >= (int)offsetof(row_data, windows) : at >= (int)offsetof(row_data, words);
            const int part = is_window ? (is_mine ? offsetof(row_data, windows) : offsetof(row_data, other_windows))
                                       : (is_mine ? offsetof(row_data, words) : offsetof(row_data, others));
            const int size = is_window ? sizeof(gpu_window) : sizeof(uint32_t);
            const int from = is_window ? (is_mine ? windows_at : other_windows_at) : (is_mine ? words_at : others_at);
            /* Far from the picture all columns are alike. */
            const int piece = min(max(from + (at - part) / size, 0), a.stride - PIECE / size);
            source[i] = (is_mine ? SIDE : GPU_RIGHT - SIDE) * a.picture + top * gpu_pitch(a.stride) +
                        (is_window ? a.stride * sizeof(uint32_t) : 0) + piece * size;
        }
        const int x = SIDE == GPU_LEFT ? x0 + group : x0 + PIXELS - 1 - group; /* of matrix row `group` */
        const int to_word = 2 * t - job.rho + (SIDE == GPU_LEFT ? 0 : 8 * (EIGHTS - 1));
        words_from = x + to_word + a.pad - words_at;
        windows_from = x + a.pad - windows_at;
        others_from = column + FORWARD * group + to_word + a.pad - others_at;
        other_windows_from = SIDE == GPU_LEFT ? 2 * t : COLUMNS - 2 - 2 * t;
#pragma unroll
        for (int i = 0; i < EIGHTS; i++)
            masks[i] = gpu_bytes_of_window(4 * (SIDE == GPU_LEFT ? i : EIGHTS - 1 - i) + t, job.rho);
#pragma unroll
        for (int j = 0; j < TILES; j++) {
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const int k = last - (8 * j + 2 * t + e) + group;
                outside[j][e] = k < first || k > last ? NAN : 0;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) sums[j][i] = left[i] = 0;
        }
    }

    /* Begins to copy the row that follows the one before, whose windows count from the strip's first row on; before the
     * picture's first there are none. */
    __device__ __forceinline__ void copy_row(const zncc_tensor_arguments &a, row_data &to, bool has_windows) {
        const int lane = threadIdx.x % GPU_WARP;
#pragma unroll
        for (int i = 0; i < LANE_PIECES; i++) {
            const int piece = GPU_WARP * i + lane;
            if (piece < WORD_PIECES || (has_windows && piece < PIECES))
                __pipeline_memcpy_async((char *)&to + piece * PIECE, a.rows + source[i], PIECE);
            source[i] += gpu_pitch(a.stride);
        }
    }

    /* Moves the sums down to a row. Until the first window is full nothing leaves. */
    __device__ __forceinline__ void add_row(const row_data &row, bool leaves) {
        gpu_roll<row_data::PRODUCTS, FORWARD>(sums, left, row.words + words_from, row.others + others_from, masks,
                                              leaves);
    }

    /* Of matrix rows `group` and `group` + 8: the best score, and its column or -1. If `scores` is given, all scores go
     * there. */
    __device__ __forceinline__ void find_best(int n, const row_data &row, float (*scores)[COLUMNS], float score[2],
                                              int at[2]) const {
        const gpu_window windows[2] = {row.windows[windows_from], row.windows[windows_from + FORWARD * 8]};
        const gpu_window *other_windows = row.other_windows + other_windows_from;
        const int base[2] = {n * left[0], n * left[2]};
        float later[2]; /* of the pair of columns that has the best score, the score of the later one */
        score[0] = score[1] = SV_NO_CORRELATION;
        at[0] = at[1] = -1;
#pragma unroll
        for (int j = 0; j < TILES; j++) {
            const int4 pair = *(const int4 *)(other_windows + FORWARD * 8 * j);
            const gpu_window lower = {pair.x, __int_as_float(pair.y)}, upper = {pair.z, __int_as_float(pair.w)};
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float found[2];
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    const gpu_window &other = (e == 0) == (SIDE == GPU_LEFT) ? lower : upper;
                    const float covariance =
                        gpu_covariance<WIDE>(n, sums[j][2 * half + e], base[half], windows[half].sum, other.sum);
                    const float none = half == 0 ? outside[j][e] : j > 0 ? outside[j > 0 ? j - 1 : 0][e] : NAN;
                    /* sv_correlation; NaN is added to what does not count. */
                    found[e] = fmaf(covariance, windows[half].inverse * other.inverse, none);
                }
                /* The later column, which is the smaller candidate, wins a tie; NaN never wins. */
                const float better = fmaxf(found[0], found[1]);
                if (better >= score[half]) {
                    later[half] = found[1];
                    at[half] = 8 * j;
                }
                score[half] = fmaxf(score[half], better);
                if (scores) *(float2 *)&scores[group + 8 * half][8 * j + 2 * t] = make_float2(found[0], found[1]);
            }
        }
#pragma unroll
        for (int half = 0; half < 2; half++) {
            if (at[half] >= 0) at[half] += 2 * t + (later[half] == score[half]);
                /* Among the four lanes that share matrix rows. */
#pragma unroll
            for (int step = 1; step <= 2; step *= 2) {
                const float rival = __shfl_xor_sync(GPU_LANES, score[half], step);
                const int rival_at = __shfl_xor_sync(GPU_LANES, at[half], step);
                if (rival > score[half] || (rival == score[half] && rival_at > at[half])) {
                    score[half] = rival;
                    at[half] = rival_at;
                }
            }
        }
    }
};

/* A warp finds the winners of PIXELS columns from x0 on and a.strip rows of one map.
 *
 * A row takes TILES + 1 matrix instructions and, of each lane, 4 TILES scores of 8 operations, which take the time:
 * 22 us of an H200's for both maps of 1242 x 375 pixels and 71 candidates, if it began an instruction in every cycle.
 * It takes 70 (and 10 to prepare): what else there is of a row comes to almost as much, and 16 warps of 128 registers,
 * all that a multiprocessor holds, find an instruction to begin in two cycles of three. The copies of the rows to come
 * run beside. */
template <int SIDE, bool WIDE>
__device__ static __forceinline__ void match_strip(const zncc_tensor_arguments &a, tensor_scratch<WIDE> &scratch,
                                                   int x0, int top) {
    const zncc_job &job = a.job;
    const int n = (2 * job.rho + 1) * (2 * job.rho_y + 1), rows = min(a.strip, job.height - top);
    /* The pixel that the lane finishes, of every other row, and what there is of it. */
    const int lane = threadIdx.x % GPU_WARP, t = lane % 4, own = lane / 4 + t % 2 * 8;
    const int x = SIDE == GPU_LEFT ? x0 + own : x0 + PIXELS - 1 - own;
    const bool has_scores = SIDE == GPU_LEFT && job.subpixel;
    zncc_match best;
    bool is_flat;

    for (int last = job.candidates - 1;; last -= STRIDE) {
        tensor_pass<SIDE, WIDE> pass(a, x0, top, last);
        __syncwarp(); /* the rows of the pass before have been used */
#pragma unroll
        for (int i = 0; i < STAGES - 1; i++) {
            if (i < rows + 2 * job.rho_y) pass.copy_row(a, scratch.rows[i], i >= 2 * job.rho_y);
            __pipeline_commit();
        }
        int stage = 0;
        for (int row = -2 * job.rho_y; row < rows; row++) {
            __syncwarp(); /* the row that is overwritten has been used, and the scores */
            if (row + STAGES - 1 < rows)
                pass.copy_row(a, scratch.rows[stage == 0 ? STAGES - 1 : stage - 1], row + STAGES - 1 >= 0);
            __pipeline_commit();
            __pipeline_wait_prior(STAGES - 1);
            __syncwarp();
            const zncc_row<WIDE> &now = scratch.rows[stage];
            stage = stage == STAGES - 1 ? 0 : stage + 1;
            pass.add_row(now, row > 0);
            if (row < 0) continue;

            float score[2];
            int at[2];
            pass.find_best(n, now, has_scores ? scratch.scores : NULL, score, at);
            __syncwarp();
            /* Of the four lanes that share matrix rows, two take a pixel each of every other row, so that all finish
             * two rows together. */
            if (t / 2 == row % 2) {
                const int c = t % 2 ? at[1] : at[0];
                best = {c < 0 ? GPU_FLAT : last - c + own, t % 2 ? score[1] : score[0], SV_NO_CORRELATION,
                        SV_NO_CORRELATION};
                is_flat = isnan(now.windows[pass.windows_from + pass.FORWARD * (t % 2 * 8)].inverse);
                if (has_scores && c >= 0) {
                    const float *scores = &scratch.scores[own][c];
                    if (best.winner > pass.first && !isnan(scores[1])) best.before = scores[1];
                    if (best.winner < last && !isnan(scores[-1])) best.after = scores[-1];
                }
            }
            if (row % 2 == 0 && row < rows - 1) continue;
            const int own_row = row - row % 2 + t / 2;
            if (own_row > row) continue;
            if (last < job.candidates - 1) {
                /* Passes overlap, so that a winner at the edge of the one has both neighbours in the other. */
                const zncc_match &before = scratch.best[own_row][own];
                if (best.score < before.score || (best.winner == before.winner && best.winner == last)) best = before;
            }
            if (pass.first > 0) {
                scratch.best[own_row][own] = best;
            } else if (x < job.width) {
                if (best.winner < 0 && sv_first_candidate(x, job.width, job.min_disparity, 1, SIDE) >
                                           sv_last_candidate(x, job.width, job.min_disparity, 1, job.candidates, SIDE))
                    best.winner = GPU_NO_CANDIDATE;
                zncc_write(job, SIDE, x, top + own_row, best, is_flat, false);
            }
        }
        if (pass.first == 0) break;
    }
}

/* A warp is on its own. A block's are neighbours in a row, so that they share what they read. */
template <bool WIDE>
__global__ static void __launch_bounds__(GPU_WARP *WARPS, WIDE ? 7 : 8)
    match_kernel(const __grid_constant__ zncc_tensor_arguments a) {
    __shared__ tensor_scratch<WIDE> scratch[WARPS];
    const int warp = threadIdx.x / GPU_WARP;
    const int x0 = (blockIdx.x * WARPS + warp) * PIXELS, top = blockIdx.y * a.strip;
    if (x0 >= a.job.width) return;
    if (blockIdx.z == GPU_LEFT)
        match_strip<GPU_LEFT, WIDE>(a, scratch[warp], x0, top);
    else
        match_strip<GPU_RIGHT, WIDE>(a, scratch[warp], x0, top);
}

/* ---- Launching -------------------------------------------------------------------------------- */

bool gpu_zncc_fits_tensors(const gpu_context *context, const zncc_job *job) {
    return !context->general && context->capability >= GPU_TENSOR_CAPABILITY &&
           max(job->rho, job->rho_y) <= GPU_ROWS_RADIUS && !job->uniqueness &&
           (size_t)job->width * job->height <= GPU_ROWS_PIXELS;
}

static size_t lay_out(zncc_tensor_arguments *a, void *base) {
    /* One column more where that aligns pairs of windows. */
    const int pad = GPU_ROWS_PAD + ((a->job.min_disparity + a->job.candidates - 1) & 1);
    size_t used = 0;
    gpu_lay_out_rows(a, a->job.width, a->job.height, a->job.rho_y, pad, base, &used);
    return used;
}

sv_status gpu_zncc_tensors(gpu_context *context, const gpu_pair *pair, const zncc_job *job, int sides,
                           sv_error *error) {
    zncc_tensor_arguments a = {};
    a.job = *job;
    a.strip = MAX_ROWS;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    GPU_PASS(gpu_prepare_rows(context, pair, job->rho, job->rho_y, &a, error));
    const dim3 grid(gpu_blocks(job->width, WARPS * PIXELS), gpu_blocks(job->height, a.strip), sides);
    if (max(job->rho, job->rho_y) > NARROW_RADIUS)
        match_kernel<true><<<grid, GPU_WARP * WARPS, 0, context->compute>>>(a);
    else
        match_kernel<false><<<grid, GPU_WARP * WARPS, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
