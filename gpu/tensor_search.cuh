/* How ssd and zncc find winners on tensor cores, for whole disparities: ssd_tensor.cu by costs, zncc_tensor.cu by
 * correlations.
 *
 * The sums of products of a warp's pixels with all their candidates stay in its registers and roll down the rows, by
 * one instruction for 16 pixels and 8 columns: see tensor.cuh. If there are more candidates than the registers hold,
 * several passes share them out.
 *
 * What the two files differ in is a type `method`:
 *
 *     compared        gpu_costs or gpu_correlations
 *     arguments       of the kernel, a tensor_search
 *     statistic       what is known of a window beforehand
 *     WIDE            the window has a radius above NARROW_RADIUS
 *     OWN_STATISTICS  how many columns of the pixels' own statistics a block reads of each row
 *     MAX_TILES       that fit into the registers
 *     blocks(tiles)   how many blocks a multiprocessor holds
 *     rule<...>       what a lane makes of its sums, see match_strip */
#ifndef GPU_TENSOR_SEARCH_CUH
#define GPU_TENSOR_SEARCH_CUH

#include <limits.h>

#include <cuda_pipeline_primitives.h>

#include "gpu/best.cuh"
#include "gpu/tensor.cuh"

enum {
    MAX_RHO = 15,
    NARROW_RADIUS = 7, /* the changes of a window take one instruction */
    PIXELS = 16,       /* that a warp owns in a row */
    TILE = 8,          /* columns of the other picture that one instruction takes */
    WARPS = 2,         /* of a block, side by side, since their columns of the other picture overlap */
    THREADS = GPU_WARP * WARPS,
    STAGES = 4,   /* rows in shared memory: one that is worked on, and those that are under way */
    CHUNK = 16,   /* bytes that a thread copies at once */
    MAX_ROWS = 64 /* of a block; the values that ssd compares allow no more */
};

/* The arguments of a method and its prepared pictures. These have height + 2 rho_y rows, and columns from `pad` before
 * the picture's first. Row r is that of the windows about row r - 2 rho_y of the picture; of the rows before its
 * first only the words are read. */
template <typename compared, typename job> struct tensor_search : job {
    char *words[GPU_SIDES];      /* what changes in those windows: see gpu_changes */
    char *statistics[GPU_SIDES]; /* of the window about each pixel */
    uint32_t pitch;              /* bytes from one row to the next, of both */
    int stride, pad;             /* columns; a multiple of 4 */
    int rows;                    /* of a block */
    /* The candidates of a pass, and where it ends. Passes overlap by two, so that each has the neighbours of the
     * winners that it may decide on; the pass before decides on its first candidate. `share`: what the next one begins
     * after; the last has the rest. */
    int first, end, share;
    typename compared::value *best[GPU_SIDES]; /* height x width, of the winners so far; NULL if there is one pass */
};

/* What a block reads of a row, up to a chunk more on the left, so that all can be copied in aligned chunks. Chunks
 * outside the prepared picture are copies of its outermost one: nothing there is tried, and no window of that chunk
 * reaches into the picture. */
template <typename method, int TILES> struct alignas(CHUNK) tensor_row {
    typedef typename method::statistic statistic;
    enum {
        WINDOW = (method::WIDE ? 32 : 16) + 4, /* columns that have the terms of a window, and 4 */
        PIECE = CHUNK / sizeof(statistic),
        POSITIONS = PIXELS * (WARPS - 1) + TILES * TILE /* of all warps */
    };
    uint32_t own[PIXELS * WARPS + WINDOW]; /* changes from rho columns left of the block on */
    uint32_t other[POSITIONS + WINDOW];    /* the same of the other picture, about its positions */
    statistic statistics[method::OWN_STATISTICS + POSITIONS + PIECE]; /* of the block's pixels; of the positions */
};

/* What a lane of group `group` knows of the windows of a row. */
template <typename statistic> struct tensor_windows {
    const statistic *own;    /* of pixel `group`; that of pixel `group` + 8 is 8 further */
    const statistic *others; /* of the warp's positions */
    int left[2];             /* the sums of the values of both pixels that have left: see gpu_roll */
};

/* Whether any of a warp's pixels 8 half .. 8 half + 7 has a candidate in a tile. */
__host__ __device__ constexpr bool tile_meets(int tiles, int tile, int half) {
    return half ? tile > 0 : tile < tiles - 1;
}

/* sums[tile][first] or sums[tile][first + 1], by selects, since registers have no addresses. Anything if there is no
 * such tile. */
template <int TILES>
__device__ static __forceinline__ int pick(const int (&sums)[TILES][4], int first, int tile, bool second) {
    int values[TILES];
#pragma unroll
    for (int i = 0; i < TILES; i++) values[i] = second ? sums[i][first + 1] : sums[i][first];
#pragma unroll
    for (int bit = 1; bit < TILES; bit *= 2)
#pragma unroll
        for (int i = 0; i + bit < TILES; i += 2 * bit) values[i] = tile & bit ? values[i + bit] : values[i];
    return values[0];
}

/* Keeps the value of the winner of pixel (x, y) for the passes that follow. False if an earlier pass has found a better
 * one, or a smaller one that is as good. */
template <typename compared, typename job>
__device__ static __forceinline__ bool keeps(const tensor_search<compared, job> &a, int side, int x, int y,
                                             int candidate, typename compared::value value) {
    const size_t at = (size_t)y * a.width + x;
    if (a.first > 0) {
        /* The last candidate of the pass before has its neighbour in this one. */
        const typename compared::value before = a.best[side][at];
        if (candidate <= a.first || compared::better(before, value) ||
            (value == before && candidate != a.winners[side][at]))
            return false;
    }
    if (a.best[side]) a.best[side][at] = value;
    return true;
}

/* A warp finds the winners of PIXELS columns and a.rows rows of one map. It keeps the products of its pixels with
 * TILES * TILE columns of the other picture. Of each instruction's 16 x 8 products, a lane of group g has two adjacent
 * columns for pixel g and the same two for pixel 8 + g.
 *
 * What a lane makes of its sums is its method::rule:
 *
 *     start(a, half, tile, i, x, candidate)   what sums[tile][2 half + i] begins at, of column x and a candidate
 *     find(a, windows, sums, found)           the winners of pixels `group` and `group` + 8, the same in all lanes of
 *                                             a group; their candidates are positions
 *     value(a, windows, sum, half, position)  what a position is compared by
 *     rest(windows, half)                     what `write` needs of a pixel besides its winner
 *     write(a, winner, rest, x, y)            writes the maps
 *
 * rows: STAGES rows of what the block reads, which go round; STAGES - 1 of them are on their way from memory.
 *
 * What the warps of a block share hardly matters: both maps of ssd and the prefilter take 0.0463, 0.0455 and 0.0476 ms
 * with blocks of one, two and four warps, at 1242 x 375 and 71 candidates on an H200. */
template <typename method, int TILES, int SIDE>
__device__ static __forceinline__ void match_strip(const typename method::arguments &a,
                                                   tensor_row<method, TILES> (&rows)[STAGES]) {
    typedef tensor_row<method, TILES> row_data;
    typedef typename method::statistic statistic;
    typedef gpu_winner<typename method::compared> found_winner;
    constexpr bool RIGHT = SIDE == GPU_RIGHT;
    constexpr int AWAY = RIGHT ? 1 : -1; /* where the next candidate is */
    constexpr int PRODUCTS = method::WIDE ? 2 : 1;
    const int lane = threadIdx.x % GPU_WARP, group = lane / 4, member = lane % 4, warp = threadIdx.x / GPU_WARP;
    const int block_left = blockIdx.x * WARPS * PIXELS, left = block_left + PIXELS * warp;
    const int top = blockIdx.y * a.rows, bottom = min(top + a.rows, a.height);

    /* A warp's TILES * TILE columns of the other picture are called positions; position 0 of the first warp is column
     * `others`, which is even, because positions are read in pairs. */
    const int nearest = a.min_disparity + a.first, spare = nearest & 1;
    const int others = block_left + (RIGHT ? nearest - spare : PIXELS - TILES * TILE - nearest + spare);
    const int first_position =
        group + (RIGHT ? spare : TILES * TILE - PIXELS - spare); /* of pixel `group` and a.first */
    int sums[TILES][4], values_left[4] = {0, 0, 0, 0};
    typename method::template rule<TILES, SIDE> rule;
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int tile = 0; tile < TILES; tile++)
#pragma unroll
            for (int i = 0; i < 2; i++)
                sums[tile][2 * half + i] =
                    rule.start(a, half, tile, i, left + group + 8 * half,
                               a.first + AWAY * (tile * TILE + 2 * member + i - first_position - 8 * half));

    /* A thread copies the same columns of every row. */
    enum {
        OWN = sizeof rows->own / CHUNK,
        WORDS = OWN + sizeof rows->other / CHUNK,
        OWN_END = WORDS + method::OWN_STATISTICS * sizeof(statistic) / CHUNK,
        CHUNKS = sizeof *rows / CHUNK,
        COPIES = (CHUNKS + THREADS - 1) / THREADS
    };
    const char *from[COPIES];
#pragma unroll
    for (int i = 0; i < COPIES; i++) {
        const int chunk = threadIdx.x + i * THREADS;
        const bool is_word = chunk < WORDS, is_own = is_word ? chunk < OWN : chunk < OWN_END;
        const int part = is_word ? (is_own ? 0 : OWN) : (is_own ? WORDS : OWN_END);
        const int size = is_word ? sizeof(uint32_t) : sizeof(statistic), piece = CHUNK / size;
        const int begin = (is_own ? block_left : others) + a.pad - (is_word ? a.rho : 0);
        const int column = max(0, min((begin & -piece) + piece * (chunk - part), a.stride - piece));
        const int side = is_own ? SIDE : !SIDE;
        from[i] = (is_word ? a.words[side] : a.statistics[side]) + (size_t)top * a.pitch + column * size;
    }
    const int steps = bottom - top + 2 * a.rho_y;
    const auto copy_row = [&](int step) {
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            const int chunk = threadIdx.x + i * THREADS;
            if (step < steps && chunk < (step < 2 * a.rho_y ? WORDS : CHUNKS))
                __pipeline_memcpy_async((uint4 *)&rows[(unsigned)step % STAGES] + chunk, from[i], CHUNK);
            from[i] += a.pitch;
        }
        __pipeline_commit();
    };
    for (int step = 0; step < STAGES - 1; step++) copy_row(step);

    uint32_t masks[2 * PRODUCTS];
#pragma unroll
    for (int i = 0; i < 2 * PRODUCTS; i++) masks[i] = gpu_bytes_of_window(4 * i + member, a.rho);
    /* Where the lane's words and the warp's statistics begin in a row. */
    const int at = warp * PIXELS + group + 2 * member;
    const int own_from = ((block_left + a.pad - a.rho) & 3) + at, others_from = ((others + a.pad - a.rho) & 3) + at;
    const int statistics_from = method::OWN_STATISTICS + ((others + a.pad) & (row_data::PIECE - 1)) + warp * PIXELS;
    const int x = left + group + 8 * (member % 2); /* where this lane writes */
    found_winner mine;
    int mine_rest = 0;

    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        copy_row(step + STAGES - 1);
        const row_data &row = rows[(unsigned)step % STAGES];
        gpu_roll<PRODUCTS>(sums, values_left, row.own + own_from, row.other + others_from, masks, step > 2 * a.rho_y);
        if (step < 2 * a.rho_y) continue;

        const tensor_windows<statistic> windows = {
            row.statistics + warp * PIXELS + group, row.statistics + statistics_from, {values_left[0], values_left[2]}};
        found_winner found[2];
        rule.find(a, windows, sums, found);
        if (!RIGHT && a.subpixel)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                /* Each neighbour is in another lane of the group. */
                const int before = found[half].candidate + 1, after = found[half].candidate - 1;
                const int lane_before = lane / 4 * 4 + (before >> 1 & 3), lane_after = lane / 4 * 4 + (after >> 1 & 3);
                const int wanted = lane == lane_before ? before : after;
                const int sum = pick(sums, 2 * half, wanted / TILE, wanted % 2);
                const auto value = rule.value(a, windows, sum, half, wanted);
                found[half].before = __shfl_sync(GPU_LANES, value, lane_before);
                found[half].after = __shfl_sync(GPU_LANES, value, lane_after);
            }
        /* Two lanes of a group take the pixels of this row, and all four write those of two rows. */
        const int turn = step % 2, y = top + step - 2 * a.rho_y - turn + member / 2;
        if (member / 2 == turn) {
            mine = member % 2 ? found[1] : found[0];
            mine_rest = rule.rest(windows, member % 2);
        }
        if ((turn == 1 || step + 1 == steps) && member / 2 <= turn && x < a.width) {
            mine.candidate = a.first + AWAY * (mine.candidate - first_position - 8 * (member % 2));
            if (mine.candidate == a.first || mine.candidate == a.end - 1) mine.before = method::compared::NONE;
            rule.write(a, mine, mine_rest, x, y);
        }
    }
}

template <typename method, int TILES>
__global__ static void __launch_bounds__(THREADS, method::blocks(TILES))
    match_kernel(const __grid_constant__ typename method::arguments a) {
    __shared__ tensor_row<method, TILES> rows[STAGES];
    if (blockIdx.z == GPU_RIGHT)
        match_strip<method, TILES, GPU_RIGHT>(a, rows);
    else
        match_strip<method, TILES, GPU_LEFT>(a, rows);
}

/* The number of rows of a block: a trade-off between few rounds of `at_once` blocks and the rows of overhead with which
 * each block begins. `across`: number of blocks side by side. */
static int rows_of_block(int height, int across, int at_once, int rho_y) {
    int best = 0, least = INT_MAX;
    for (int rows = 8; rows <= MAX_ROWS; rows++) {
        const int rounds = gpu_blocks(across * gpu_blocks(height, rows), at_once);
        const int work = rounds * (rows + 4 + (2 * rho_y + 1) / 3);
        if (work < least) {
            least = work;
            best = rows;
        }
    }
    return best;
}

/* A pass with the first of the numbers of tiles that is enough. */
template <typename method, int TILES, int... MORE>
static sv_status launch_pass(gpu_context *context, typename method::arguments *a, int sides, sv_error *error) {
    if constexpr (sizeof...(MORE) > 0)
        if (a->end - a->first + PIXELS - 1 + ((a->min_disparity + a->first) & 1) > TILES * TILE)
            return launch_pass<method, MORE...>(context, a, sides, error);
    const int across = gpu_blocks(a->width, WARPS * PIXELS), at_once = context->multiprocessors * method::blocks(TILES);
    a->rows = rows_of_block(a->height, across * sides, at_once, a->rho_y);
    match_kernel<method, TILES>
        <<<dim3(across, gpu_blocks(a->height, a->rows), sides), THREADS, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

/* Finds the winners in pictures that were prepared. TILES: in ascending order, the last is method::MAX_TILES. */
template <typename method, int... TILES>
static sv_status launch_passes(gpu_context *context, typename method::arguments *a, int sides, sv_error *error) {
    for (int begin = 0; begin < a->candidates; begin += a->share) {
        a->first = max(begin - 1, 0);
        a->end = min(begin + a->share + 1, a->candidates);
        GPU_PASS((launch_pass<method, TILES...>(context, a, sides, error)));
    }
    return SV_OK;
}

/* The candidates of a pass, which tries two more if there are several passes. */
template <typename method> static int share_of(int candidates) {
    const int most = method::MAX_TILES * TILE - PIXELS; /* with an odd minimum */
    return candidates <= most ? candidates : most - 2;
}

/* Carves the memory that passes share from `base`: see gpu_carve. */
template <typename arguments> static void lay_out_best(arguments *a, void *base, size_t *used) {
    for (int side = 0; side < GPU_SIDES && a->share < a->candidates; side++)
        a->best[side] = (decltype(+a->best[side]))gpu_carve(base, used, sizeof *a->best[side] * a->width * a->height);
}

#endif
