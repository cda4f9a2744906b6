/* The fast path of ncc for windows of at most 7 x 7 pixels, without uniqueness; ncc.cu says what is computed.
 *
 * The rows of a band depend on each other, so the latency of a row matters most, from the seeds of the row before it to
 * its own: here it is shorter than in ncc_volume.cu, which takes an H200 2.6 times as long for 7 x 7 pixels if no row
 * is reseeded, and 1.4 times if every 16th is. Three threads share a pixel, each of which searches around the seed of
 * one neighbour (Eq. 9), and their results are combined where they are read, in the next row. The columns of a window
 * are packed: the 2 rho_y + 1 bytes of a column are in two words, so that a correlation takes 14 instructions of four
 * products each, without shifting or masking. */
#include <cuda_pipeline.h>
#include <limits.h>

#include "gpu/faults.h"
#include "gpu/ncc_small.cuh"

enum {
    RADIUS = 3,            /* the largest: 2 RADIUS + 1 bytes fit in two words */
    SIDE_PAD = RADIUS + 1, /* packed columns beyond either edge of a picture */

    PACK_BLOCK = 128,
    PACK_ROWS = 8,

    DEPTH = 4,            /* rows in shared memory: the current one, and those being copied */
    STAGERS = 64,         /* threads that copy rows while the others compute */
    MOST_THREADS = 448,   /* of a block */
    NARROWEST_STRIP = 16, /* columns that a block owns */
    LEAST_HALO = 5,       /* columns, and thus rows between two exchanges */
    MOST_TRIES = 1 << 24, /* how often a strip polls for its neighbours' seeds, which takes seconds */
    LOOKS = 1 << 10,      /* after this many polls, it checks whether others have given up; MOST_TRIES is a multiple */
    HIGHEST_BAND = 32,    /* rows; with a larger `reseed` there is one band each way, and its strips exchange seeds */
    BAND_PIXELS = 128,    /* columns that a block computes in bands without exchange */

    SCORE_WIDTH = 32,
    SCORE_HEIGHT = 4,
};

struct small_arguments : gpu_search {
    /* height x stride, column x at x + SIDE_PAD: the bytes of a column from row y - rho_y to row y + rho_y, followed by
     * zeros; and the windows, whose `inverse` is NaN where they are flat or beyond the picture. */
    uint2 *bytes[GPU_SIDES];
    gpu_window *windows[GPU_SIDES];
    unsigned *words; /* sides x bands x 2 x width: see exchange */
    int word_count;
    volatile int *lost; /* set by a strip that has polled `most_tries` times without success */
    int most_tries;
    int stride;
    int tau;
    int first_row;                    /* the one that is always searched over the full range */
    int reseed;                       /* every reseed-th row from it is, too; 0: no other row is */
    int band_height, bands_up, bands; /* rows; bands from first_row upwards, and those below it */
    int strip;                        /* columns that a block owns */
    int halo;                         /* further columns on either side that it computes */
    float min_correlation;
};

/* ---- Packing ---------------------------------------------------------------------------------- */

/* A block packs PACK_ROWS rows of PACK_BLOCK - 2 rho columns of one picture (blockIdx.z). A thread goes down one
 * column; the outermost rho threads on each side are the halo. The kernel also clears the words that the strips
 * exchange. */
__global__ static void __launch_bounds__(PACK_BLOCK)
    pack_kernel(const __grid_constant__ small_arguments a, const __grid_constant__ sv_image left,
                const __grid_constant__ sv_image right) {
    __shared__ uint2 sums[2][PACK_BLOCK]; /* of the values of a column and of their squares; rows alternate between the
                                           * halves */
    const sv_image &picture = blockIdx.z == GPU_LEFT ? left : right;
    const int thread = threadIdx.x, n = (2 * a.rho + 1) * (2 * a.rho_y + 1);
    const int x = blockIdx.x * (PACK_BLOCK - 2 * a.rho) + thread - a.rho - SIDE_PAD, top = blockIdx.y * PACK_ROWS;
    const int blocks = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    for (int i = blocks * PACK_BLOCK + thread; i < a.word_count; i += gridDim.x * gridDim.y * gridDim.z * PACK_BLOCK)
        a.words[i] = 0;

    const bool owns = thread >= a.rho && thread < PACK_BLOCK - a.rho && x < a.width + SIDE_PAD;
    const uint8_t *column = gpu_row<const uint8_t>(picture, 0) + sv_clamp(x, a.width);
    uint8_t entering[PACK_ROWS];
#pragma unroll
    for (int row = 0; row < PACK_ROWS; row++)
        entering[row] = column[sv_clamp(top + row + a.rho_y, a.height) * picture.stride];
    uint64_t bytes = 0;
    for (int row = -a.rho_y; row < a.rho_y; row++)
        bytes = bytes >> 8 | (uint64_t)column[sv_clamp(top + row, a.height) * picture.stride] << 16 * a.rho_y;
#pragma unroll
    for (int row = 0; row < PACK_ROWS; row++) {
        bytes = bytes >> 8 | (uint64_t)entering[row] << 16 * a.rho_y;
        const uint2 words = make_uint2((unsigned)bytes, (unsigned)(bytes >> 32));
        sums[row % 2][thread] = make_uint2(__dp4a(words.x, 0x01010101u, __dp4a(words.y, 0x01010101u, 0u)),
                                           __dp4a(words.x, words.x, __dp4a(words.y, words.y, 0u)));
        __syncthreads();
        if (!owns || top + row >= a.height) continue;
        uint2 window = make_uint2(0, 0);
        for (int i = thread - a.rho; i <= thread + a.rho; i++) {
            window.x += sums[row % 2][i].x;
            window.y += sums[row % 2][i].y;
        }
        float inverse = sv_inverse_deviation(n, (int)window.x, window.y);
        const bool beyond = x < 0 || x >= a.width;
        if (inverse == 0 || beyond) inverse = NAN;
        const size_t i = (size_t)(top + row) * a.stride + x + SIDE_PAD;
        a.bytes[blockIdx.z][i] = words;
        a.windows[blockIdx.z][i] = {beyond ? BEYOND : (int)window.x, inverse};
    }
}

/* ---- Propagation ------------------------------------------------------------------------------ */

/* The work of a block: a strip of one map in one band. In the left map, columns run the other way, so that in both maps
 * a candidate's column grows with its disparity: column c stands for width - 1 - c, in the map and in both pictures. A
 * row in shared memory has `reference` columns of the map's picture, and then the columns of the other picture that the
 * candidates reach. */
struct strip {
    int side;
    int start, direction, rows; /* of the band */
    int origin, pixels;         /* column of the first pixel that it computes, and how many these are */
    int own, own_end;           /* the columns whose winners it writes */
    int reference, columns;     /* of a row in shared memory */
    unsigned *words;            /* 2 x width, see exchange */
};

/* Passes the seeds of the strip's outermost own columns to its neighbours and waits for theirs. Each is one word with
 * the number of the exchange in its upper half, so that no fence is needed; two sets of words alternate, because a slow
 * neighbour may not have read the last ones. The grid is launched cooperatively, so the neighbours are running. A wait
 * of several seconds means a bug in this file; it must not hang the device, so a.lost reports the map as wrong. Returns
 * false if the pixel got no seed. */
__device__ static bool exchange(const small_arguments &a, const strip &s, unsigned number, int pixel, finding *three) {
    const int column = s.origin + pixel;
    volatile unsigned *const word = s.words + number % 2 * a.width + column;
    const bool own = column >= s.own && column < s.own_end, neighbours = column >= 0 && column < a.width && !own;
    if (own && (pixel < 2 * a.halo || pixel >= a.strip)) *word = number << 16 | (best_at(three).k & 0xffff);
    if (!neighbours) return true;
    unsigned got = 0;
    int tries = 0;
    while ((got = *word) >> 16 != number)
        if (++tries % LOOKS == 0 && (tries >= a.most_tries || *a.lost)) {
            *a.lost = 1;
            got = NO_SEED & 0xffff;
            break;
        }
    three[0] = three[2] = nothing_found(NO_SEED, false, true);
    three[1] = nothing_found((int16_t)got, false, false);
    return (int16_t)got >= 0;
}

/* Begins to copy successive columns, from column `first` of row `y` of a picture on, to shared memory; those beyond the
 * packed picture are left out. `thread`: the number among the STAGERS. `to_windows`: the distance from the columns'
 * bytes to their windows. */
__device__ static void bring_in(const small_arguments &a, int side, int y, int first, int columns, bool mirrored,
                                int thread, uint2 *to, int to_windows) {
    const ptrdiff_t from = (ptrdiff_t)y * a.stride + SIDE_PAD + (mirrored ? a.width - 1 - first : first);
    const int step = mirrored ? -1 : 1, end = min(columns, a.width + SIDE_PAD - first);
#pragma unroll 1
    for (int i = max(0, -SIDE_PAD - first) + thread; i < end; i += STAGERS) {
        __pipeline_memcpy_async(to + i, a.bytes[side] + from + i * step, sizeof(uint2));
        __pipeline_memcpy_async(to + to_windows + i, a.windows[side] + from + i * step, sizeof(gpu_window));
    }
}

/* Begins to copy row `row` of a band, if there is one, to its place in the ring. */
template <int RHO>
__device__ static void bring_in_row(const small_arguments &a, const strip &s, int row, int thread, uint2 *ring) {
    uint2 *const to = ring + row % DEPTH * 2 * s.columns;
    const int y = s.start + s.direction * row, first = s.origin - RHO;
    const bool mirrored = s.side == GPU_LEFT;
    if (row < s.rows) {
        bring_in(a, s.side, y, first, s.reference, mirrored, thread, to, s.columns);
        bring_in(a, GPU_RIGHT - s.side, y, first + a.min_disparity, s.columns - s.reference, mirrored, thread,
                 to + s.reference, s.columns);
    }
    __pipeline_commit();
}

/* Matches a band's rows; the threads from `computing` on copy them, DEPTH - 1 rows ahead. findings: 2 x computing;
 * seedless: 2. */
template <int RHO, bool EXCHANGES>
__device__ static void match(const small_arguments &a, const strip &s, int computing, finding *findings, int *seedless,
                             uint2 *ring) {
    /* Threads beyond the last pixel compute it once more. Those of the outermost pixels have no neighbour further out;
     * their seeds may then be wrong, but are not used. */
    const int thread = threadIdx.x, part = thread % SEEDS, pixel = min(thread / SEEDS, s.pixels - 1);
    const int predecessor = min(max(pixel + part - 1, 0), s.pixels - 1), column = s.origin + pixel;
    const bool middle = thread < SEEDS * s.pixels && part == 1;
    const bool reports = middle && column >= 0 && column < a.width;
    const int n = (2 * RHO + 1) * (2 * a.rho_y + 1);

    /* The thread's findings in this row and in the row before, and the columns of its pixel in the current row. */
    finding *after = findings + thread, *before = after + computing;
    const int to_predecessor = SEEDS * predecessor - thread, to_pixel = SEEDS * pixel - thread;
    const uint2 *own_bytes = ring + pixel, *other_bytes = own_bytes + s.reference;
    const int to_windows = s.columns + RHO;

    /* Winners are written one row late. The first row of the first band downwards belongs to the first band upwards. */
    int16_t *const winners = a.winners[s.side];
    const int step = s.direction * a.width;
    int at_winner = s.start * a.width - step + (s.side == GPU_LEFT ? a.width - 1 - column : column);
    int until_write = !middle || column < s.own || column >= s.own_end ? INT_MAX
                      : s.direction > 0 && s.start == a.first_row      ? 2
                                                                       : 1;
    int next_full = 0, next = 0; /* the next row over the full range, and the next such row or exchange */
    unsigned exchanges = 0;
    int to_bring = thread < computing ? INT_MAX : 0; /* the next row for a thread that copies rows */
    while (to_bring < DEPTH - 1) bring_in_row<RHO>(a, s, to_bring++, thread - computing, ring);
    for (int row = 0; row < s.rows; row++) {
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();
        finding *const swapped = before;
        before = after;
        after = swapped;
        bool full = row == 0;
        if (EXCHANGES && row == next) {
            full = row == next_full;
            if (full) {
                next_full = a.reseed ? row + a.reseed : INT_MAX;
            } else {
                exchanges++;
                if (middle && !exchange(a, s, exchanges, pixel, before + to_pixel)) seedless[(row + 1) % 2] = row - 1;
                __syncthreads();
            }
            next = min(next_full, row + a.halo + full);
        }
        if (to_bring < INT_MAX) {
            bring_in_row<RHO>(a, s, to_bring++, thread - computing, ring);
            continue;
        }

        /* What does not depend on the seeds is read while these are being read, and then everything that does, at once;
         * __syncwarp keeps the compiler from delaying each read until its value is needed. */
        finding three[SEEDS];
        take(before + to_predecessor, three);
        __syncwarp();
        uint2 window[2 * RHO + 1];
        take(own_bytes, window);
        const gpu_window own = ((gpu_window *)own_bytes)[to_windows];
        const bool searches = full | (seedless[(row + 1) % 2] == row - 1);
        __syncwarp();
        const finding seeded = best_of(three);
        const int seed = full ? NO_SEED : seed_of(seeded);
        int first = max(seed - a.tau, 0), last = min(seed + a.tau, a.candidates - 1);
        if (searches && seed < 0 && !isnan(own.inverse) && (full || has_no_seed(before - thread, pixel, s.pixels))) {
            first = a.candidates * part / SEEDS;
            last = a.candidates * (part + 1) / SEEDS - 1;
        }
        finding best = nothing_found(seed, isnan(own.inverse), part != 1);
        triple<RHO> t;
        take(other_bytes + first, t.bytes);
        take((gpu_window *)other_bytes + to_windows + first, t.windows);
        if (until_write <= 0) winners[at_winner] = winner_of(seeded);
        __syncwarp();
        try_triple<RHO>(t, window, own, n, first, last, &best);
        /* All threads of a warp continue while one of them has candidates. */
        for (int k = first + TRIPLE; (searches || a.tau > 1) && __any_sync(GPU_LANES, k <= last); k += TRIPLE) {
            const int at = min(k, a.candidates - 1);
            take(other_bytes + at, t.bytes);
            take((gpu_window *)other_bytes + to_windows + at, t.windows);
            try_triple<RHO>(t, window, own, n, k, last, &best);
        }
        *after = best;
        if (reports & (seed < 0) & (best.score == NOTHING)) seedless[row % 2] = row;
        until_write--;
        at_winner += step;
        const int advance = (row % DEPTH == DEPTH - 1 ? 1 - DEPTH : 1) * 2 * s.columns;
        own_bytes += advance;
        other_bytes += advance;
    }
    __syncthreads();
    if (until_write <= 0) winners[at_winner] = winner_of(best_at(after + to_pixel));
}

/* The rows of one map (blockIdx.y) in bands, each from a row that is searched over the full range on; a block computes
 * a strip (blockIdx.x) of every gridDim.z-th band. A pixel needs the seeds of three pixels in the row before, so a
 * block also computes `halo` columns on either side of its strip. In each row one fewer of them is right, and when none
 * is left the strips exchange seeds. In low bands there are enough for all rows, and nothing is exchanged.
 *
 * Three threads compute a pixel of the strip and its halo, and the last STAGERS threads copy the rows. On a large card
 * a strip of 1242 columns is 19 wide, and its pixels fill one warp of each scheduler: because each row depends on the
 * one before, a block gains nothing from more warps.
 *
 * Shared: 2, the last even and the last odd row that left pixels without a seed; 2 x computing threads, what they found
 * in the row before and in this one, alternating; and DEPTH rows, each of the columns' bytes and then of their windows.
 *
 * With the defaults, a thread executes 42 instructions of four products per row, 84 cycles of its scheduler; the chain
 * of dependent steps (barrier, three seeds, their best, columns, products, scores, best) takes about 310 cycles. An
 * H200 takes 950 on average, a tenth of it for the exchanges: the reads, 24 of 8 bytes per thread, queue for shared
 * memory, and with one warp per scheduler nothing hides the latency of single instructions. */
template <int RHO, bool EXCHANGES>
__global__ static void __launch_bounds__(MOST_THREADS, EXCHANGES ? 1 : 2)
    propagate_kernel(const __grid_constant__ small_arguments a) {
    extern __shared__ uint2 shared[];
    const int computing = blockDim.x - STAGERS;
    int *const seedless = (int *)shared;
    finding *const findings = (finding *)(shared + 1);
    uint2 *const ring = shared + 1 + 2 * computing;
    strip s;
    s.side = blockIdx.y;
    s.own = blockIdx.x * a.strip;
    s.own_end = min(s.own + a.strip, a.width);
    s.origin = s.own - a.halo;
    s.pixels = a.strip + 2 * a.halo;
    s.reference = s.pixels + 2 * RHO;
    s.columns = s.reference + s.pixels + 2 * RHO + a.candidates + 1;
    /* For the columns that are never copied. */
    for (int row = 0; row < DEPTH; row++)
        for (int i = threadIdx.x; i < s.columns; i += blockDim.x) {
            ring[row * 2 * s.columns + i] = make_uint2(0, 0);
            ((gpu_window *)ring)[(row * 2 + 1) * s.columns + i] = {BEYOND, NAN};
        }
    for (int i = blockIdx.z; i < a.bands; i += gridDim.z) {
        const bool up = i < a.bands_up;
        s.direction = up ? -1 : 1;
        s.start = a.first_row + (up ? -i : i - a.bands_up) * a.band_height;
        s.rows = min(a.band_height, up ? s.start + 1 : a.height - s.start);
        s.words = a.words + (s.side * a.bands + i) * 2 * a.width;
        if (threadIdx.x < 2) seedless[threadIdx.x] = -1;
        if (threadIdx.x < computing) findings[threadIdx.x] = nothing_found(NO_SEED, false, threadIdx.x % SEEDS != 1);
        __syncthreads();
        match<RHO, EXCHANGES>(a, s, computing, findings, seedless, ring);
        __syncthreads();
    }
}

/* ---- Scores ----------------------------------------------------------------------------------- */

/* A thread computes the disparity and the reason of one pixel of the left map from its winner. It repeats the
 * correlations of the winner and of its two neighbours, outside the propagation. */
template <int RHO>
__global__ static void score_kernel(const __grid_constant__ small_arguments a, const __grid_constant__ sv_output maps) {
    const int x = blockIdx.x * SCORE_WIDTH + threadIdx.x, y = blockIdx.y * SCORE_HEIGHT + threadIdx.y;
    if (x >= a.width || y >= a.height) return;
    const int winner = a.winners[GPU_LEFT][(size_t)y * a.width + x];
    float disparity = INFINITY;
    int reason = winner == GPU_FLAT ? SV_NO_TEXTURE : SV_BORDER;
    if (winner >= 0) {
        const int n = (2 * RHO + 1) * (2 * a.rho_y + 1);
        const size_t left = (size_t)y * a.stride + SIDE_PAD + x, right = left - (a.min_disparity + winner);
        const gpu_window own = a.windows[GPU_LEFT][left];
        uint2 window[2 * RHO + 1], others[2 * RHO + TRIPLE];
        gpu_window windows[TRIPLE];
        unsigned products[TRIPLE];
        float scores[TRIPLE];
        take(a.bytes[GPU_LEFT] + left - RHO, window);
        take(a.bytes[GPU_RIGHT] + right - RHO - 1, others);
        take(a.windows[GPU_RIGHT] + right - 1, windows);
        multiply<RHO>(window, others, products);
#pragma unroll
        for (int j = 0; j < TRIPLE; j++)
            scores[j] = sv_correlation_of_few(n, products[j], own.sum, windows[j].sum, own.inverse, windows[j].inverse);
        const bool refined = a.subpixel && winner > 0 && winner < a.candidates - 1;
        reason = sv_decide_correlation(winner, refined ? scores[2] : SV_NO_CORRELATION, scores[1], scores[0],
                                       a.min_correlation, false, a.min_disparity, &disparity);
    }
    gpu_row<float>(maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(maps.reason, y)[x] = (uint8_t)reason;
}

/* ---- Launching -------------------------------------------------------------------------------- */

static size_t lay_out(small_arguments *a, void *base) {
    const size_t columns = (size_t)a->stride * a->height;
    size_t used = 0;
    for (int side = 0; side < GPU_SIDES; side++) {
        a->bytes[side] = (uint2 *)gpu_carve(base, &used, sizeof(uint2) * columns);
        a->windows[side] = (gpu_window *)gpu_carve(base, &used, sizeof(gpu_window) * columns);
    }
    a->words = (unsigned *)gpu_carve(base, &used, sizeof *a->words * a->word_count);
    return used;
}

template <int RHO>
static sv_status launch(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                        bool *done, sv_error *error) {
    const int sides = gpu_sides(params), height = context->height;
    small_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    a.height = height;
    a.stride = a.width + 2 * SIDE_PAD;
    a.tau = params->tau;
    a.min_correlation = params->min_correlation;
    a.first_row = max(0, height - a.rho_y - 2);

    const int below = height - 1 - a.first_row; /* rows */
    a.reseed = params->reseed;
    const bool exchanges = !a.reseed || a.reseed > HIGHEST_BAND;
    a.band_height = exchanges ? height : a.reseed;
    a.bands_up = a.first_row / a.band_height + 1;
    a.bands = a.bands_up + (below ? below / a.band_height + 1 : 0);
    if (exchanges) {
        /* One block for each multiprocessor at most, so that all can run at once. */
        a.strip = max(gpu_blocks(a.width, max(context->multiprocessors / sides, 1)), (int)NARROWEST_STRIP);
        a.halo = LEAST_HALO;
        /* As many columns as the threads of whole warps can compute. */
        const int threads = gpu_blocks(SEEDS * (a.strip + 2 * a.halo), GPU_WARP) * GPU_WARP;
        a.halo = min((threads / SEEDS - a.strip) / 2, a.strip);
        a.word_count = sides * a.bands * 2 * a.width;
    } else {
        a.halo = a.band_height - 1;
        a.strip = min(BAND_PIXELS - 2 * a.halo, a.width);
    }
    const int pixels = a.strip + 2 * a.halo, columns = 2 * pixels + a.candidates + 1 + 4 * RHO;
    const int threads = gpu_blocks(SEEDS * pixels, GPU_WARP) * GPU_WARP + STAGERS;
    const size_t shared =
        sizeof(uint2) + sizeof(finding) * 2 * (threads - STAGERS) + sizeof(uint2) * DEPTH * 2 * columns;
    int most_shared, resident;
    GPU_TRY(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, context->device));
    if (threads > MOST_THREADS || shared > (size_t)most_shared) return SV_OK;
    void (*const kernel)(small_arguments) = exchanges ? propagate_kernel<RHO, true> : propagate_kernel<RHO, false>;
    GPU_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));
    GPU_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    dim3 grid(gpu_blocks(a.width, a.strip), sides, exchanges ? 1 : a.bands);
    if (exchanges && (int)(grid.x * grid.y) > resident * context->multiprocessors) return SV_OK;

    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    a.lost = pair->lost;
    a.most_tries = MOST_TRIES;
    if (exchanges && grid.x > 1 && gpu_fault == GPU_FAULT_STRIP) {
        grid.x--;
        a.most_tries = LOOKS;
    }

    const dim3 pack_grid(gpu_blocks(a.stride, PACK_BLOCK - 2 * a.rho), gpu_blocks(height, PACK_ROWS), GPU_SIDES);
    pack_kernel<<<pack_grid, PACK_BLOCK, 0, context->compute>>>(a, pair->picture[GPU_LEFT], pair->picture[GPU_RIGHT]);
    GPU_TRY(cudaGetLastError());
    void *arguments[] = {&a};
    if (exchanges)
        GPU_TRY(cudaLaunchCooperativeKernel(kernel, grid, threads, arguments, shared, context->compute));
    else
        GPU_TRY(cudaLaunchKernel(kernel, grid, threads, arguments, shared, context->compute));
    const dim3 score_grid(gpu_blocks(a.width, SCORE_WIDTH), gpu_blocks(height, SCORE_HEIGHT));
    score_kernel<RHO><<<score_grid, dim3(SCORE_WIDTH, SCORE_HEIGHT), 0, context->compute>>>(a, *maps);
    GPU_TRY(cudaGetLastError());
    *done = true;
    return SV_OK;
}

sv_status gpu_ncc_small(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                        bool *done, sv_error *error) {
    *done = false;
    if (params->uniqueness || sv_rho_y(params) > RADIUS) return SV_OK;
    switch (params->rho) {
    case 1: return launch<1>(context, pair, params, maps, done, error);
    case 2: return launch<2>(context, pair, params, maps, done, error);
    case 3: return launch<3>(context, pair, params, maps, done, error);
    default: return SV_OK;
    }
}
