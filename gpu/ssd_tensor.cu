/* Sum of squared differences on tensor cores, for whole disparities: see tensor_search.cuh.
 *
 *     sum (a - b)^2 = sum a^2 + sum b^2 - 2 sum a b
 *
 * The sums of squares belong to one picture each. */
#include "gpu/least.cuh"
#include "gpu/tensor_search.cuh"

enum {
    PAD = 20, /* columns that prepared pictures have more on each side: more than MAX_RHO, and a chunk */
    PREPARE_ROWS = 4,
};

/* What depends on the size of the window.
 *
 * What is compared are costs without the squares of their pixel, in 32 - CODE bits above CODE bits for the candidate.
 * Products start at -ORIGIN / 2, so that these values begin above 0; those of candidates that are not tried start
 * UNTRIED / 2 lower, so that they end above all others. A square or a product is at most 2^14. A narrow window has at
 * most 225 pixels; with at most 63 rows of 15 bytes that have left, its values are from -3.93e6 to 11.31e6. A wide one
 * has 961, and with 63 rows of 31 bytes its values are from -16.25e6 to 47.74e6. So those that are tried are above 0
 * and below UNTRIED when ORIGIN has been added, and the others below 2 UNTRIED. */
template <bool WIDE> struct tensor_window {
    enum : uint32_t {
        HALO = WIDE ? 4 : 2, /* lanes of 4 columns that a window reaches over, when a picture is prepared */
        PREPARE_COLUMNS = (GPU_WARP - 2 * HALO) * 4, /* that a warp prepares */
        CODE = WIDE ? 5 : 7,
        CODES = 1 << CODE,
        ORIGIN = WIDE ? 1 << 24 : 1 << 22,
        UNTRIED = WIDE ? 1 << 26 : 1 << 24
    };
};

struct ssd_job : gpu_search {
    uint32_t limit; /* costs above it are poor */
};

/* A statistic is the sum of squares of a window, times CODES. */
struct ssd_arguments : tensor_search<gpu_costs, ssd_job> {
    sv_image pictures[GPU_SIDES]; /* rows of whole words; in the prepared ones, they go on as their edge pixels do */
};

/* ---- Preparing the pictures ------------------------------------------------------------------- */

__device__ static __forceinline__ int square_of_byte(uint32_t pixels, int i) {
    const int value = (int8_t)(pixels >> 8 * i);
    return value * value;
}

/* A warp writes PREPARE_COLUMNS columns and PREPARE_ROWS rows of one prepared picture (blockIdx.z). A lane owns 4
 * columns, whose sums of squares roll down the rows; two lanes on each side are the halo.
 *
 * columns: WARPS x 32 x 4, the sums of a row's columns up to each. */
template <bool WIDE>
__global__ static void __launch_bounds__(THREADS) prepare_kernel(const __grid_constant__ ssd_arguments a) {
    enum {
        HALO = tensor_window<WIDE>::HALO,
        CODES = tensor_window<WIDE>::CODES,
        MOST_ROWS = 2 * (WIDE ? MAX_RHO : NARROW_RADIUS) + 1
    };
    __shared__ uint4 columns[WARPS][32];
    const int side = blockIdx.z;
    const int lane = threadIdx.x % GPU_WARP, warp = threadIdx.x / GPU_WARP, window = 2 * a.rho_y + 1;
    const int column = blockIdx.x * tensor_window<WIDE>::PREPARE_COLUMNS + 4 * (lane - HALO), x = column - PAD;
    const int first = (blockIdx.y * WARPS + warp) * PREPARE_ROWS;
    /* The picture is extended by its edge pixels: their places in the nearest word of a row. */
    const int nearest = sv_clamp(x, (a.width - 1) / 4 * 4 + 1);
    uint32_t selector = 0;
    for (int i = 0; i < 4; i++) selector |= (sv_clamp(x + i, a.width) - nearest) << 4 * i;
    /* Four pixels less 128, as signed bytes; `row` is one of the prepared picture. */
    const auto read_pixels = [&](int row) {
        const uint32_t *pixels = gpu_row<const uint32_t>(a.pictures[side], sv_clamp(row - a.rho_y, a.height));
        return __byte_perm(pixels[nearest / 4], 0, selector) ^ 0x80808080;
    };
    uint32_t enter[PREPARE_ROWS], leave[PREPARE_ROWS], before[MOST_ROWS]; /* all read at once */
#pragma unroll
    for (int i = 0; i < PREPARE_ROWS; i++) {
        leave[i] = read_pixels(first - window + i);
        enter[i] = read_pixels(first + i);
    }
#pragma unroll
    for (int i = 0; i < MOST_ROWS; i++) before[i] = i < window ? read_pixels(first - window + i) : 0;
    int sums[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < MOST_ROWS; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) sums[j] += square_of_byte(before[i], j);
#pragma unroll
    for (int i = 0; i < PREPARE_ROWS; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) sums[j] += square_of_byte(enter[i], j) - square_of_byte(leave[i], j);
        uint32_t all = sums[0] + sums[1] + sums[2] + sums[3]; /* of the lanes up to this one */
#pragma unroll
        for (int lanes = 1; lanes < GPU_WARP; lanes *= 2) {
            const uint32_t others = __shfl_up_sync(~0u, all, lanes);
            if (lane >= lanes) all += others;
        }
        columns[warp][lane] =
            make_uint4(all - sums[3] - sums[2] - sums[1], all - sums[3] - sums[2], all - sums[3], all);
        __syncwarp();
        const uint32_t next_enter = __shfl_down_sync(~0u, enter[i], 1), next_leave = __shfl_down_sync(~0u, leave[i], 1);
        if (lane >= HALO && lane < GPU_WARP - HALO && column < a.stride && first + i < a.height + 2 * a.rho_y) {
            const size_t at = (size_t)(first + i) * a.pitch + column * sizeof(uint32_t);
            *(uint4 *)(a.words[side] + at) = gpu_changes(enter[i], next_enter, leave[i], next_leave);
            const uint32_t *last = (const uint32_t *)&columns[warp][lane] + a.rho, *outside = last - 2 * a.rho - 1;
            *(uint4 *)(a.statistics[side] + at) =
                make_uint4((last[0] - outside[0]) * CODES, (last[1] - outside[1]) * CODES,
                           (last[2] - outside[2]) * CODES, (last[3] - outside[3]) * CODES);
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

/* ssd as a method of tensor_search.cuh.
 *
 * A row of a warp takes TILES + 1 products, 4 (TILES + 1) reads of shared memory at most, 8 TILES operations to find
 * the smallest values, about 4 TILES to pick the neighbours, and some 150 more; with the defaults at 1242 x 375 and
 * 0..70 (11 tiles) that is about 12 million instructions of a warp with the 2 rho_y rows with which each strip begins,
 * which an H200 could issue in 0.013 ms; it takes 0.022, since a strip waits for itself: three or four warps on a
 * scheduler do not hide all of the way from a row's arrival to its winners, and the strips of a multiprocessor end 5 us
 * apart. The products alone would be 0.004 ms, the bytes, if nothing were read twice, 0.003. Preparing
 * the pictures takes 0.0045, and with what comes between and around the kernels the whole takes 0.030 ms. */
template <bool IS_WIDE> struct ssd_method {
    typedef tensor_window<IS_WIDE> window;
    typedef gpu_costs compared;
    typedef ssd_arguments arguments;
    typedef uint32_t statistic;
    enum {
        WIDE = IS_WIDE,
        OWN_STATISTICS = PIXELS * WARPS,
        MAX_TILES = WIDE ? 16 : 34 /* 2 of each must fit in CODE bits */
    };
    static constexpr int blocks(int tiles) { return tiles <= 18 ? 8 : 4; }

    template <int TILES, int SIDE> struct rule {
        enum {
            RIGHT = SIDE == GPU_RIGHT,
            LAST = TILES * TILE - 1,
            WHOLE = LAST < window::CODES /* a code is a position; otherwise the lane's member is missing in it */
        };

        __device__ __forceinline__ int start(const arguments &a, int half, int tile, int i, int x, int candidate) {
            const int first = max(sv_first_candidate(x, a.width, a.min_disparity, 1, RIGHT), a.first);
            const int last = min(sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, RIGHT), a.end - 1);
            const bool tried = candidate >= first && candidate <= last;
            return -(int)(window::ORIGIN / 2) - (tried ? 0 : (int)(window::UNTRIED / 2));
        }

        __device__ __forceinline__ void find(const arguments &a, const tensor_windows<uint32_t> &windows,
                                             const int (&sums)[TILES][4], gpu_winner<gpu_costs> (&found)[2]) const {
            /* Codes rise with the candidates, since ties go to the smaller one. */
            uint32_t best[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
            const int member = threadIdx.x % 4;
#pragma unroll
            for (int tile = 0; tile < TILES; tile++) {
                const uint2 pair = *(const uint2 *)&windows.others[TILE * tile + 2 * member];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    if (!tile_meets(TILES, tile, i / 2)) continue;
                    const uint32_t value = (i % 2 ? pair.y : pair.x) - 2 * window::CODES * (uint32_t)sums[tile][i];
                    const int rank = (WHOLE ? TILE : 2) * tile + i % 2, last = WHOLE ? LAST - 6 : 2 * TILES - 1;
                    best[i] = gpu_least_of_sum(value, RIGHT ? rank : last - rank, best[i]);
                }
            }
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const uint32_t smaller = min(best[2 * half], best[2 * half + 1]);
                uint32_t first;
                if (WHOLE) {
                    const uint32_t both = smallest_of_group(smaller + 2 * (RIGHT ? member : 3 - member));
                    found[half].value = both >> window::CODE;
                    first = both % window::CODES;
                } else {
                    const uint32_t value = smaller >> window::CODE, code = smaller % window::CODES;
                    const uint32_t rank = RIGHT ? code : 2 * TILES - 1 - code;
                    const uint32_t at = rank / 2 * TILE + 2 * member + rank % 2, order = RIGHT ? at : LAST - at;
                    found[half].value = smallest_of_group(value);
                    first = smallest_of_group(value == found[half].value ? order : LAST);
                }
                found[half].candidate = RIGHT ? first : LAST - first;
            }
        }

        __device__ __forceinline__ uint32_t value(const arguments &a, const tensor_windows<uint32_t> &windows,
                                                  uint32_t sum, int half, int position) const {
            return (windows.others[position] - 2 * window::CODES * sum) >> window::CODE;
        }

        /* What costs have more than the values that were compared. */
        __device__ __forceinline__ int rest(const tensor_windows<uint32_t> &windows, int half) const {
            return windows.own[8 * half] / window::CODES - 2 * (half ? windows.left[1] : windows.left[0]) -
                   window::ORIGIN;
        }

        __device__ __forceinline__ void write(const arguments &a, const gpu_winner<gpu_costs> &best, uint32_t rest,
                                              int x, int y) const {
            const bool none = best.value >= window::UNTRIED;
            const int winner = none ? -1 : best.candidate;
            const uint32_t cost = none ? SV_NO_COST : best.value + rest;
            if (!keeps(a, SIDE, x, y, winner, cost)) return;
            a.winners[SIDE][(size_t)y * a.width + x] = (int16_t)winner;
            if (RIGHT) return;
            const bool refined = best.before < window::UNTRIED && best.after < window::UNTRIED;
            float disparity = INFINITY;
            int reason = SV_BORDER;
            if (!none)
                reason = sv_decide_cost(winner, refined ? best.before + rest : SV_NO_COST, cost, best.after + rest,
                                        a.limit, false, a.min_disparity, 1, &disparity);
            gpu_row<float>(a.maps.disparity, y)[x] = disparity;
            gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
        }
    };
};

/* ---- Launching -------------------------------------------------------------------------------- */

template <bool WIDE> static sv_status prepare(gpu_context *context, const ssd_arguments *a, sv_error *error) {
    const dim3 grid(gpu_blocks(a->stride, tensor_window<WIDE>::PREPARE_COLUMNS),
                    gpu_blocks(a->height + 2 * a->rho_y, WARPS * PREPARE_ROWS), GPU_SIDES);
    prepare_kernel<WIDE><<<grid, THREADS, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static size_t lay_out(ssd_arguments *a, void *base) {
    const size_t bytes = (size_t)a->pitch * (a->height + 2 * a->rho_y);
    size_t used = 0;
    for (int side = 0; side < GPU_SIDES; side++) {
        a->words[side] = (char *)gpu_carve(base, &used, bytes);
        a->statistics[side] = (char *)gpu_carve(base, &used, bytes);
    }
    lay_out_best(a, base, &used);
    return used;
}

bool gpu_ssd_fits_tensors(const gpu_context *context, const sv_params *params) {
    return context->capability >= GPU_TENSOR_CAPABILITY && !context->general && params->steps == 1 &&
           !params->uniqueness && params->rho <= MAX_RHO && sv_rho_y(params) <= MAX_RHO;
}

sv_status gpu_ssd_tensors(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                          sv_error *error) {
    const int rho = params->rho, rho_y = sv_rho_y(params), sides = gpu_sides(params);
    ssd_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    a.limit = sv_cost_limit(params->max_cost, (2 * rho + 1) * (2 * rho_y + 1), 1);
    const bool wide = max(rho, rho_y) > NARROW_RADIUS;
    a.share = wide ? share_of<ssd_method<true>>(a.candidates) : share_of<ssd_method<false>>(a.candidates);
    a.pad = PAD;
    a.stride = (a.width + 2 * PAD + 3) / 4 * 4;
    a.pitch = a.stride * sizeof(uint32_t);
    for (int side = 0; side < GPU_SIDES; side++) a.pictures[side] = pair->picture[side];
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    if (wide) {
        GPU_PASS(prepare<true>(context, &a, error));
        return launch_passes<ssd_method<true>, 6, 11, 16>(context, &a, sides, error);
    }
    GPU_PASS(prepare<false>(context, &a, error));
    return launch_passes<ssd_method<false>, 6, 9, 11, 18, 34>(context, &a, sides, error);
}
