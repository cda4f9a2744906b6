/* Sum of squared differences on tensor cores, for whole disparities.
 *
 *     sum (a - b)^2 = sum a^2 + sum b^2 - 2 sum a b
 *
 * The sums of squares belong to one picture each. The sums of products of a warp's pixels with all their candidates
 * stay in its registers and roll down the rows, by one instruction for 16 pixels and 8 columns: see tensor.cuh. If
 * there are more candidates than the registers hold, several passes share them out. */
#include <limits.h>

#include <cuda_pipeline_primitives.h>

#include "gpu/cuda.cuh"
#include "gpu/least.cuh"
#include "gpu/tensor.cuh"

enum {
    MAX_RHO = 15,
    PIXELS = 16, /* that a warp owns in a row */
    TILE = 8,    /* columns of the other picture that one instruction takes */
    WARPS = 2,   /* of a block, side by side, since their columns of the other picture overlap */
    THREADS = GPU_WARP * WARPS,
    STAGES = 4, /* rows in shared memory: one that is worked on, and those that are under way */
    CHUNK = 4,  /* words that a thread copies at once */
    PAD = 20, /* columns that prepared pictures have more on each side: CHUNK and more beyond MAX_RHO, see tensor_row */
    PREPARE_ROWS = 4,
};

/* What depends on the size of the window, which has radii of at most RADIUS.
 *
 * What is compared are costs without the squares of their pixel, in 32 - CODE bits above CODE bits for the candidate.
 * Products start at -ORIGIN / 2, so that these values begin above 0; those of candidates that are not tried start
 * UNTRIED / 2 lower, so that they end above all others. A square or a product is at most 2^14. A narrow window has at
 * most 225 pixels; with at most 63 rows of 15 bytes that have left, its values are from -3.93e6 to 11.31e6. A wide one
 * has 961, and with 63 rows of 31 bytes its values are from -16.25e6 to 47.74e6. So those that are tried are above 0
 * and below UNTRIED when ORIGIN has been added, and the others below 2 UNTRIED. */
template <bool WIDE> struct tensor_window {
    enum : uint32_t {
        RADIUS = WIDE ? 15 : 7,
        PRODUCTS = WIDE ? 2 : 1, /* instructions for the 2 (2 rho + 1) terms */
        SPAN = 16 * PRODUCTS,    /* columns whose terms these are */
        HALO = WIDE ? 4 : 2,     /* lanes of 4 columns that a window reaches over, when a picture is prepared */
        PREPARE_COLUMNS = (GPU_WARP - 2 * HALO) * 4, /* that a warp prepares */
        CODE = WIDE ? 5 : 7,
        CODES = 1 << CODE,
        ORIGIN = WIDE ? 1 << 24 : 1 << 22,
        UNTRIED = WIDE ? 1 << 26 : 1 << 24,
        MAX_TILES = WIDE ? 16 : 34 /* 2 of each must fit in CODE bits, and all into the registers */
    };
};
enum { MAX_ROWS = 64 }; /* of a block: see above */

/* A prepared picture, (height + 2 rho_y) x stride each, and its results. Row r belongs to windows with the lowest row
 * r - rho_y, column c to column c - PAD, and the picture goes on beyond its edges as its edge pixels do. */
struct tensor_side {
    sv_image picture;  /* rows of whole words */
    uint32_t *changes; /* what changes in the window against the one above it: see gpu_changes */
    uint32_t *squares; /* the sum of squares of the window, times CODES */
    uint32_t *costs;   /* height x width, of the winners; NULL if there is one pass */
};

struct tensor_arguments : gpu_search {
    tensor_side sides[GPU_SIDES];
    int stride; /* words, a multiple of CHUNK */
    int rows;   /* of a block */
    /* `min_disparity` and `candidates` are those of a pass. They overlap those of the pass before by two, so that each
     * pass has the neighbours of the winners that it may decide on; `first` is the number of its first candidate, which
     * the pass before decides on. */
    int first, passes;
    uint32_t limit; /* costs above it are poor */
};

/* ---- Preparing the pictures ------------------------------------------------------------------- */

__device__ static __forceinline__ int square_of_byte(uint32_t pixels, int i) {
    const int value = (int8_t)(pixels >> 8 * i);
    return value * value;
}

/* A warp writes PREPARE_COLUMNS columns and PREPARE_ROWS rows of one prepared picture (blockIdx.z). A lane owns 4
 * columns, whose sums of squares roll down the rows; two lanes on each side are the halo.
 *
 * columns: WARPS x 32 x 4, the sums of a row's columns. */
template <bool WIDE>
__global__ static void __launch_bounds__(THREADS) prepare_kernel(const __grid_constant__ tensor_arguments a) {
    enum { HALO = tensor_window<WIDE>::HALO, CODES = tensor_window<WIDE>::CODES };
    __shared__ uint4 columns[WARPS][32];
    const tensor_side &side = a.sides[blockIdx.z];
    const int lane = threadIdx.x % GPU_WARP, warp = threadIdx.x / GPU_WARP, window = 2 * a.rho_y + 1;
    const int column = blockIdx.x * tensor_window<WIDE>::PREPARE_COLUMNS + 4 * (lane - HALO), x = column - PAD;
    const int first = (blockIdx.y * WARPS + warp) * PREPARE_ROWS;
    /* The picture is extended by its edge pixels: their places in the nearest word of a row. */
    const int nearest = sv_clamp(x, (a.width - 1) / 4 * 4 + 1);
    uint32_t selector = 0;
    for (int i = 0; i < 4; i++) selector |= (sv_clamp(x + i, a.width) - nearest) << 4 * i;
    /* Four pixels less 128, as signed bytes; `row` is one of the prepared picture. */
    const auto read_pixels = [&](int row) {
        const uint32_t *pixels = gpu_row<const uint32_t>(side.picture, sv_clamp(row - a.rho_y, a.height));
        return __byte_perm(pixels[nearest / 4], 0, selector) ^ 0x80808080;
    };
    uint32_t enter[PREPARE_ROWS], leave[PREPARE_ROWS];
#pragma unroll
    for (int i = 0; i < PREPARE_ROWS; i++) {
        leave[i] = read_pixels(first - window + i);
        enter[i] = read_pixels(first + i);
    }
    int sums[4] = {0, 0, 0, 0};
#pragma unroll 4
    for (int i = -window; i < 0; i++) {
        const uint32_t pixels = read_pixels(first + i);
#pragma unroll
        for (int j = 0; j < 4; j++) sums[j] += square_of_byte(pixels, j);
    }
#pragma unroll
    for (int i = 0; i < PREPARE_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) sums[j] += square_of_byte(enter[i], j) - square_of_byte(leave[i], j);
        columns[warp][lane] = make_uint4(sums[0], sums[1], sums[2], sums[3]);
        __syncwarp();
        const uint32_t next_enter = __shfl_down_sync(~0u, enter[i], 1), next_leave = __shfl_down_sync(~0u, leave[i], 1);
        if (lane >= HALO && lane < GPU_WARP - HALO && column < a.stride && first + i < a.height + 2 * a.rho_y) {
            const size_t at = (size_t)(first + i) * a.stride + column;
            *(uint4 *)&side.changes[at] = gpu_changes(enter[i], next_enter, leave[i], next_leave);
            /* The window of the first column; each of the others has one column less and one more. */
            const uint32_t *own = (const uint32_t *)&columns[warp][lane];
            uint4 squares = make_uint4(0, 0, 0, 0);
            for (int j = -a.rho; j <= a.rho; j++) squares.x += own[j];
            squares.y = squares.x + own[a.rho + 1] - own[-a.rho];
            squares.z = squares.y + own[a.rho + 2] - own[1 - a.rho];
            squares.w = squares.z + own[a.rho + 3] - own[2 - a.rho];
            *(uint4 *)&side.squares[at] =
                make_uint4(squares.x * CODES, squares.y * CODES, squares.z * CODES, squares.w * CODES);
        }
        __syncwarp();
    }
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* The smallest value of a group of four lanes. */
__device__ static __forceinline__ uint32_t smallest_of_group(uint32_t value) {
    value = min(value, __shfl_xor_sync(~0u, value, 1));
    return min(value, __shfl_xor_sync(~0u, value, 2));
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

/* What a block reads of a row, up to 3 columns more on the left, so that all can be copied in aligned chunks. Chunks
 * outside the prepared picture are copies of its outermost one: nothing there is tried, and no window of that chunk
 * reaches into the picture. */
template <int TILES, bool WIDE> struct alignas(16) tensor_row {
    enum { MORE = tensor_window<WIDE>::SPAN + 4 };
    uint32_t own[PIXELS * WARPS + MORE];                        /* changes from rho columns left of the block on */
    uint32_t other[PIXELS * (WARPS - 1) + TILES * TILE + MORE]; /* the same of the other picture, about its positions */
    uint32_t squares[PIXELS * (WARPS - 1) + TILES * TILE + 4];  /* of the positions of all warps */
};

/* The smallest of a pixel's values, which are those that are compared. */
struct tensor_found {
    int position;
    uint32_t value, before, after; /* at `position`, and on the left and the right of it */
};

/* Finds the values beside `found.position` of the pixel whose sums are sums[.][first] and sums[.][first + 1]. Each is
 * in another lane of the group. */
template <int TILES, bool WIDE>
__device__ static __forceinline__ void find_neighbours(const int (&sums)[TILES][4], int first, const uint32_t *squares,
                                                       tensor_found &found) {
    typedef tensor_window<WIDE> window;
    const int lane = threadIdx.x % GPU_WARP, before = found.position - 1, after = found.position + 1;
    const int lane_before = lane / 4 * 4 + (before >> 1 & 3), lane_after = lane / 4 * 4 + (after >> 1 & 3);
    const uint32_t wanted = lane == lane_before ? before : after;
    const uint32_t sum = pick(sums, first, wanted / TILE, wanted % 2);
    const uint32_t nowhere = wanted >= TILES * TILE ? window::UNTRIED : 0;
    const uint32_t value = (squares[(int)wanted] - 2 * window::CODES * sum) >> window::CODE | nowhere;
    found.before = __shfl_sync(~0u, value, lane_before);
    found.after = __shfl_sync(~0u, value, lane_after);
}

/* Writes pixel (x, y) of one map, unless an earlier pass has found a better candidate. `candidate`: that in
 * `found.position`, of this pass; `unseen`: what its cost has more than the values that are compared. */
template <int SIDE, bool WIDE>
__device__ static __forceinline__ void write(const tensor_arguments &a, const tensor_found &found, int x, int y,
                                             int candidate, uint32_t unseen) {
    const tensor_side &side = a.sides[SIDE];
    const size_t at = (size_t)y * a.width + x;
    const uint32_t UNTRIED = tensor_window<WIDE>::UNTRIED;
    const bool none = found.value >= UNTRIED;
    const uint32_t cost = none ? SV_NO_COST : found.value + unseen;
    const int winner = none ? -1 : a.first + candidate;
    if (a.first > 0) {
        /* The last candidate of the pass before has its neighbour in this one. */
        if (winner <= a.first || cost > side.costs[at] || (cost == side.costs[at] && winner != a.winners[SIDE][at]))
            return;
    }
    a.winners[SIDE][at] = (int16_t)winner;
    if (side.costs) side.costs[at] = cost;
    if (SIDE == GPU_RIGHT) return;
    const bool refined = a.subpixel && found.before < UNTRIED && found.after < UNTRIED;
    float disparity = INFINITY;
    int reason = SV_BORDER;
    if (!none)
        reason = sv_decide_cost(candidate, refined ? found.after + unseen : SV_NO_COST, cost, found.before + unseen,
                                a.limit, false, a.min_disparity, 1, &disparity);
    gpu_row<float>(a.maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
}

/* A warp finds the winners of PIXELS columns and a.rows rows of one map. It keeps the products of its pixels with
 * TILES * TILE columns of the other picture. Of each instruction's 16 x 8 products, a lane of group g has two adjacent
 * columns for pixel g and the same two for pixel 8 + g.
 *
 * rows: STAGES rows of what the block reads, which go round; STAGES - 1 of them are on their way from memory.
 *
 * A row of a warp takes TILES + 1 products, 4 (TILES + 1) reads of shared memory at most, 8 TILES operations to find
 * the smallest values, about 4 TILES to pick the neighbours, and some 150 more; with the defaults at 1242 x 375 and
 * 0..70 (11 tiles) that is about 12 million instructions of a warp with the 2 rho_y rows with which each strip begins,
 * which an H200 could issue in 0.013 ms; it takes 0.025, since a strip waits for itself: three or four warps on a
 * scheduler do not hide all of the way from a row's arrival to its winners. The products alone would be 0.004 ms, the
 * bytes, if nothing were read twice, 0.003. With the prepared pictures, 0.006 of it, all takes 0.031 ms.
 *
 * Both maps and the prefilter take 0.0463, 0.0455 and 0.0476 ms with blocks of one, two and four warps: what a block
 * shares hardly matters. */
template <int TILES, int SIDE, bool WIDE>
__device__ static __forceinline__ void match_strip(const tensor_arguments &a, tensor_row<TILES, WIDE> (&rows)[STAGES]) {
    typedef tensor_window<WIDE> window;
    constexpr bool RIGHT = SIDE == GPU_RIGHT;
    constexpr int AWAY = RIGHT ? 1 : -1; /* where the next candidate is */
    constexpr uint32_t LAST = TILES * TILE - 1;
    const tensor_side &own = a.sides[SIDE], &other = a.sides[!SIDE];
    const int lane = threadIdx.x % GPU_WARP, group = lane / 4, member = lane % 4, warp = threadIdx.x / GPU_WARP;
    const int block_left = blockIdx.x * WARPS * PIXELS, left = block_left + PIXELS * warp;
    const int top = blockIdx.y * a.rows, bottom = min(top + a.rows, a.height);

    /* A warp's TILES * TILE columns of the other picture are called positions; position 0 of the first warp is column
     * `others`, which is even, because positions are read in pairs. */
    const int spare = a.min_disparity & 1;
    const int others = block_left + (RIGHT ? a.min_disparity - spare : PIXELS - TILES * TILE - a.min_disparity + spare);
    int position[2]; /* of candidate 0, for each of this lane's pixels */
    int sums[TILES][4], bytes_left[4] = {0, 0, 0, 0};
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int pixel = group + 8 * half, x = left + pixel;
        const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, RIGHT);
        const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, RIGHT);
        position[half] = pixel + (RIGHT ? spare : TILES * TILE - PIXELS - spare);
#pragma unroll
        for (int tile = 0; tile < TILES; tile++)
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const int candidate = AWAY * (tile * TILE + 2 * member + i - position[half]);
                const bool tried = candidate >= first && candidate <= last;
                sums[tile][2 * half + i] = -(int)(window::ORIGIN / 2) - (tried ? 0 : (int)(window::UNTRIED / 2));
            }
    }

    /* A thread copies the same columns of every row. */
    constexpr int OWN = sizeof rows->own / 16, OTHER = sizeof rows->other / 16, CHUNKS = sizeof *rows / 16;
    constexpr int COPIES = (CHUNKS + THREADS - 1) / THREADS;
    const int own_first = PAD + block_left - a.rho, other_first = PAD + others - a.rho, squares_first = PAD + others;
    const uint32_t *from[COPIES];
#pragma unroll
    for (int i = 0; i < COPIES; i++) {
        const int chunk = threadIdx.x + i * THREADS;
        const uint32_t *picture = chunk < OWN ? own.changes : chunk < OWN + OTHER ? other.changes : other.squares;
        const int column = chunk < OWN           ? own_first + CHUNK * chunk
                           : chunk < OWN + OTHER ? other_first + CHUNK * (chunk - OWN)
                                                 : squares_first + CHUNK * (chunk - OWN - OTHER);
        from[i] = picture + (size_t)top * a.stride + max(0, min(column & -CHUNK, a.stride - CHUNK));
    }
    const int steps = bottom - top + 2 * a.rho_y;
    const auto copy_row = [&](int step) {
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            const int chunk = threadIdx.x + i * THREADS;
            if (step < steps && chunk < CHUNKS)
                __pipeline_memcpy_async((uint4 *)&rows[(unsigned)step % STAGES] + chunk, from[i], sizeof(uint4));
            from[i] += a.stride;
        }
        __pipeline_commit();
    };
    for (int step = 0; step < STAGES - 1; step++) copy_row(step);

    uint32_t masks[2 * window::PRODUCTS];
#pragma unroll
    for (int i = 0; i < 2 * window::PRODUCTS; i++) masks[i] = gpu_bytes_of_window(4 * i + member, a.rho);
    const int x = left + group + 8 * (member % 2); /* where this lane writes */
    tensor_found mine = {};
    uint32_t mine_left = 0;

    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        copy_row(step + STAGES - 1);
        const tensor_row<TILES, WIDE> &row = rows[(unsigned)step % STAGES];

        const int at = warp * PIXELS + group + 2 * member;
        gpu_roll<window::PRODUCTS, 1>(sums, bytes_left, &row.own[(own_first & (CHUNK - 1)) + at],
                                      &row.other[(other_first & (CHUNK - 1)) + at], masks, step > 2 * a.rho_y);
        if (step < 2 * a.rho_y) continue;

        /* Codes rise with the candidates, since ties go to the smaller one. */
        uint32_t best[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
        const uint32_t *squares = &row.squares[(squares_first & (CHUNK - 1)) + warp * PIXELS];
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const uint2 pair = *(const uint2 *)&squares[TILE * tile + 2 * member];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const uint32_t value = (i % 2 ? pair.y : pair.x) - 2 * window::CODES * (uint32_t)sums[tile][i];
                const int rank = 2 * tile + i % 2;
                best[i] = gpu_least_of_sum(value, RIGHT ? rank : 2 * TILES - 1 - rank, best[i]);
            }
        }
        tensor_found found[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t smaller = min(best[2 * i], best[2 * i + 1]), value = smaller >> window::CODE,
                           code = smaller % window::CODES;
            const uint32_t rank = RIGHT ? code : 2 * TILES - 1 - code;
            const uint32_t at = rank / 2 * TILE + 2 * member + rank % 2, order = RIGHT ? at : LAST - at;
            found[i].value = smallest_of_group(value);
            const uint32_t first = smallest_of_group(value == found[i].value ? order : LAST);
            found[i].position = RIGHT ? first : LAST - first;
        }
        if (!RIGHT && a.subpixel)
#pragma unroll
            for (int i = 0; i < 2; i++) find_neighbours<TILES, WIDE>(sums, 2 * i, squares, found[i]);
        /* Two lanes of a group take the pixels of this row, and all four write those of two rows. */
        const int turn = step % 2, y = top + step - 2 * a.rho_y - turn + member / 2;
        if (member / 2 == turn) {
            mine = member % 2 ? found[1] : found[0];
            mine_left = member % 2 ? bytes_left[2] : bytes_left[0];
        }
        if ((turn == 1 || step + 1 == steps) && member / 2 <= turn && x < a.width) {
            const uint32_t own_squares = own.squares[(size_t)(y + 2 * a.rho_y) * a.stride + PAD + x] / window::CODES;
            write<SIDE, WIDE>(a, mine, x, y, AWAY * (mine.position - (member % 2 ? position[1] : position[0])),
                              own_squares - 2 * mine_left - window::ORIGIN);
        }
    }
}

__host__ __device__ constexpr int blocks_of(int tiles) { return tiles <= 18 ? 8 : 4; }

template <int TILES, bool WIDE>
__global__ static void __launch_bounds__(THREADS, blocks_of(TILES))
    match_kernel(const __grid_constant__ tensor_arguments a) {
    __shared__ tensor_row<TILES, WIDE> rows[STAGES];
    if (blockIdx.z == GPU_RIGHT)
        match_strip<TILES, GPU_RIGHT, WIDE>(a, rows);
    else
        match_strip<TILES, GPU_LEFT, WIDE>(a, rows);
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

template <int TILES, bool WIDE>
static sv_status launch_pass(gpu_context *context, tensor_arguments *a, int sides, sv_error *error) {
    const int across = gpu_blocks(a->width, WARPS * PIXELS), at_once = context->multiprocessors * blocks_of(TILES);
    a->rows = rows_of_block(a->height, across * sides, at_once, a->rho_y);
    match_kernel<TILES, WIDE>
        <<<dim3(across, gpu_blocks(a->height, a->rows), sides), THREADS, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

template <bool WIDE> static sv_status launch(gpu_context *context, tensor_arguments *a, int sides, sv_error *error) {
    typedef tensor_window<WIDE> window;
    const dim3 prepare_grid(gpu_blocks(a->stride, window::PREPARE_COLUMNS),
                            gpu_blocks(a->height + 2 * a->rho_y, WARPS * PREPARE_ROWS), GPU_SIDES);
    prepare_kernel<WIDE><<<prepare_grid, THREADS, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());

    const int min_disparity = a->min_disparity, candidates = a->candidates, share = gpu_blocks(candidates, a->passes);
    for (int begin = 0; begin < candidates; begin += share) {
        a->first = max(begin - 1, 0);
        a->min_disparity = min_disparity + a->first;
        a->candidates = min(begin + share + 1, candidates) - a->first;
        const int columns = a->candidates + PIXELS - 1 + (a->min_disparity & 1);
        if (columns <= 6 * TILE)
            GPU_PASS((launch_pass<6, WIDE>(context, a, sides, error)));
        else if (!WIDE && columns <= 9 * TILE)
            GPU_PASS((launch_pass<9, WIDE>(context, a, sides, error)));
        else if (columns <= 11 * TILE)
            GPU_PASS((launch_pass<11, WIDE>(context, a, sides, error)));
        else if (WIDE)
            GPU_PASS((launch_pass<16, WIDE>(context, a, sides, error)));
        else if (columns <= 18 * TILE)
            GPU_PASS((launch_pass<18, WIDE>(context, a, sides, error)));
        else
            GPU_PASS((launch_pass<34, WIDE>(context, a, sides, error)));
    }
    return SV_OK;
}

/* In how many passes the candidates are tried; each tries at most two more than its share. */
template <bool WIDE> static int passes_of(int candidates) {
    const int most = tensor_window<WIDE>::MAX_TILES * TILE - PIXELS; /* with an odd minimum */
    return candidates <= most ? 1 : gpu_blocks(candidates, most - 2);
}

static size_t lay_out(tensor_arguments *a, void *base) {
    const size_t bytes = sizeof(uint32_t) * a->stride * (a->height + 2 * a->rho_y);
    size_t used = 0;
    for (int side = 0; side < GPU_SIDES; side++) {
        a->sides[side].changes = (uint32_t *)gpu_carve(base, &used, bytes);
        a->sides[side].squares = (uint32_t *)gpu_carve(base, &used, bytes);
        if (a->passes > 1)
            a->sides[side].costs = (uint32_t *)gpu_carve(base, &used, sizeof(uint32_t) * a->width * a->height);
    }
    return used;
}

bool gpu_ssd_fits_tensors(const gpu_context *context, const sv_params *params) {
    return context->capability >= GPU_TENSOR_CAPABILITY && !context->general && params->steps == 1 &&
           !params->uniqueness && params->rho <= MAX_RHO && sv_rho_y(params) <= MAX_RHO;
}

sv_status gpu_ssd_tensors(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                          sv_error *error) {
    const int rho = params->rho, rho_y = sv_rho_y(params);
    tensor_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    a.limit = sv_cost_limit(params->max_cost, (2 * rho + 1) * (2 * rho_y + 1), 1);
    const bool wide = max(rho, rho_y) > (int)tensor_window<false>::RADIUS;
    a.passes = wide ? passes_of<true>(a.candidates) : passes_of<false>(a.candidates);
    a.stride = (a.width + 2 * PAD + CHUNK - 1) / CHUNK * CHUNK;
    for (int side = 0; side < GPU_SIDES; side++) {
        a.sides[side].picture = pair->picture[side];
    }
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    const int sides = gpu_sides(params);
    return wide ? launch<true>(context, &a, sides, error) : launch<false>(context, &a, sides, error);
}
