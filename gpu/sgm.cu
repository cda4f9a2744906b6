/* Semi-global matching. cpu/sgm.c says what is computed; the paths are in sgm_paths.cu.
 *
 * A frame takes three kernels and two small ones. Scratch memory, for n candidates, rounded up to a multiple of 8 (from
 * 65 candidates on of 16, from 513 on of 32): 9/2 n + 16 bytes a pixel, which is 0.28 GB for 1242 x 375 and 128
 * candidates. */
#include "gpu/sgm.cuh"
#include "stereo/confidence.h"

enum {
    BLOCK = 128,
    DESCRIBE_ROWS = 4,
    FARTHEST = 3, /* the largest sv_census_distance */
    QUAD = 4,     /* candidates in a word of bytes */
    COST_WARPS = 4,
    COST_COLUMNS = 16,                 /* of a warp */
    COST_CANDIDATES = GPU_WARP * QUAD, /* of a block */
    /* The columns that a block reads in the left picture and, in words, those that its candidates reach in the right
     * one. */
    COST_AROUND = COST_WARPS * COST_COLUMNS + 2,
    COST_MET = (COST_AROUND + COST_CANDIDATES + QUAD - 1) / QUAD + 1,
    WINNER_MEMORY = 40 << 10 /* bytes of shared memory for a block's sums */
};

/* ---- Pictures --------------------------------------------------------------------------------- */

/* A block describes BLOCK columns and DESCRIBE_ROWS rows of a side (blockIdx.z); of the left picture also the jumps to
 * its pixels.
 *
 * around: the pixels and those that they are compared with. jump_of: sv_sgm_jump by the difference of grey levels, in a
 * table because it divides. */
__global__ static void __launch_bounds__(BLOCK) describe_kernel(const __grid_constant__ sgm_arguments a) {
    enum { ROWS = DESCRIBE_ROWS + 2 * FARTHEST, COLUMNS = BLOCK + 2 * FARTHEST, STEPS = 256 };
    __shared__ uint8_t around[ROWS][COLUMNS], jump_of[STEPS];
    const int thread = threadIdx.x, side = blockIdx.z;
    const int x0 = blockIdx.x * BLOCK - FARTHEST, y0 = blockIdx.y * DESCRIBE_ROWS - FARTHEST;
    const sv_image &picture = a.grey[side];
    const auto read = [&](int row, int column) {
        return gpu_row<const uint8_t>(picture, sv_clamp(y0 + row, a.height))[sv_clamp(x0 + column, a.width)];
    };
    uint8_t values[ROWS]; /* all reads at once */
#pragma unroll
    for (int row = 0; row < ROWS; row++) values[row] = read(row, thread);
#pragma unroll
    for (int row = 0; row < ROWS; row++) around[row][thread] = values[row];
    if (thread < ROWS * (COLUMNS - BLOCK)) {
        const int row = thread / (COLUMNS - BLOCK), column = BLOCK + thread % (COLUMNS - BLOCK);
        around[row][column] = read(row, column);
    }
    for (int i = thread; i < STEPS; i += BLOCK) jump_of[i] = (uint8_t)sv_sgm_jump(a.p1, a.p2, i);
    __syncthreads();
    const int x = x0 + FARTHEST + thread;
    if (x >= a.width) return;
    const int rows = min(DESCRIBE_ROWS, a.height - (y0 + FARTHEST));
    for (int row = 0; row < rows; row++) {
        const int y = y0 + FARTHEST + row;
        const size_t pixel = (size_t)y * a.width + x;
        const uint8_t *at = &around[row + FARTHEST][thread + FARTHEST];
        const int centre = *at;
        int bits = 0;
#pragma unroll
        for (int j = -1; j <= 1; j++)
#pragma unroll
            for (int i = -1; i <= 1; i++)
                if (i || j) bits = 2 * bits + sv_census_bit(at[(j * COLUMNS + i) * a.distance], centre);
        a.census[side][pixel] = (uint8_t)bits;
        a.gradient[side][pixel] = (uint8_t)(sv_sgm_gradient(at[-COLUMNS], at[COLUMNS]) + 128);
        if (side == GPU_RIGHT) continue;
        a.right_keys[pixel] = UINT32_MAX;
        const int from[SGM_EDGES] = {at[-1], at[-COLUMNS]};
#pragma unroll
        for (int i = 0; i < SGM_EDGES; i++) {
            a.jumps[i][pixel] = jump_of[abs(centre - from[i])] * 0x10001u;
            /* The entries beyond the last row. */
            if (y == a.height - 1) a.jumps[i][pixel + a.width] = 0;
            if (y == a.height - 1 && x == a.width - 1) a.jumps[i][pixel + a.width + 1] = 0;
        }
    }
}

/* ---- Costs ------------------------------------------------------------------------------------ */

/* PTX's prmt. It differs from __byte_perm in one point: where the upper bit of a nibble of `selector` is set, the byte
 * of the result is the upper bit of the selected byte, repeated eight times. */
__device__ static __forceinline__ uint32_t permute(uint32_t low, uint32_t high, uint32_t selector) {
    uint32_t bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(selector));
    return bytes;
}

/* Four bytes below 16 as four bits each. */
__device__ static __forceinline__ uint32_t pack(uint32_t bytes) { return permute(bytes | bytes >> 4, 0, 0x4420); }

/* 0xff for each byte whose upper bit is set, otherwise 0. */
__device__ static __forceinline__ uint32_t spread(uint32_t bytes) { return permute(bytes, 0, 0xba98); }

/* sv_sgm_mismatch of a left pixel, in all four bytes, and four right ones: 0..27 in each byte. Tables of eight bytes
 * are looked up by byte permutations. */
__device__ static __forceinline__ uint32_t mismatch(uint32_t census, uint32_t other_census, uint32_t gradient,
                                                    uint32_t other_gradient) {
    /* Indexed by the number of bits. Eight bits set the upper bit of the selector, so the byte becomes 255 if the upper
     * bit of the first byte is set; therefore all entries are moved up by 255 - 16. */
    enum { MOVED = 255 - 16 };
    const uint32_t few = 0u + MOVED | 7u + MOVED << 8 | 13u + MOVED << 16 | 255u << 24;
    uint32_t bits = census ^ other_census;
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
    const uint32_t by_census = permute(few, 0xffffffff, pack(bits));

    const uint32_t difference = __vabsdiffu4(gradient, other_gradient);
    /* The upper bit of each byte says whether it is 8 or more. */
    const uint32_t large = spread(((difference & 0x78787878) + 0x78787878) | difference);
    const uint32_t small = permute(0x04030100, 0x0a080706, pack(difference & 0x07070707));
    const uint32_t by_gradient = (small & ~large) | (0x0b0b0b0b & large);
    return by_census + by_gradient - MOVED * 0x01010101u;
}

/* A warp finds the costs of COST_COLUMNS x COST_ROWS pixels and, a lane four in a word, of COST_CANDIDATES candidates
 * (blockIdx.z). It proceeds along its columns and keeps the sums over three rows of the last two, so that a mismatch is
 * computed (COST_ROWS + 2) / COST_ROWS times. Three rows by three columns add up to 243 at most, within a byte.
 *
 * left: census and gradient of the block's pixels and those around them, four times each. met: those of the right
 * pixels, in the order in which candidates reach them, in four copies: copy c begins with byte c, so that any four
 * successive bytes are a word of one of the copies.
 *
 * A mismatch of four candidates takes some 30 operations, and the cost 12: at 1242 x 375 and 128 candidates 800
 * million, 0.05 ms on an H200. */
template <int COST_ROWS>
__global__ static void __launch_bounds__(COST_WARPS *GPU_WARP) cost_kernel(const __grid_constant__ sgm_arguments a) {
    enum { ROWS = COST_ROWS + 2, THREADS = COST_WARPS * GPU_WARP };
    __shared__ uint2 left[ROWS][COST_AROUND], met[QUAD][ROWS][COST_MET];
    const int thread = threadIdx.x, lane = thread % GPU_WARP, begin = thread / GPU_WARP * COST_COLUMNS;
    const int x0 = blockIdx.x * (COST_WARPS * COST_COLUMNS), y0 = blockIdx.y * COST_ROWS;
    const int k0 = blockIdx.z * COST_CANDIDATES, k = k0 + lane * QUAD;
    const int last_x = x0 - 1 + COST_AROUND - 1; /* of the block's columns */
    const int first_met = last_x - a.min_disparity - k0;
    for (int row = 0; row < ROWS; row++) {
        const size_t at = (size_t)sv_clamp(y0 - 1 + row, a.height) * a.width;
        for (int i = thread; i < COST_AROUND; i += THREADS) {
            const size_t pixel = at + sv_clamp(x0 - 1 + i, a.width);
            left[row][i] =
                make_uint2(a.census[GPU_LEFT][pixel] * 0x01010101u, a.gradient[GPU_LEFT][pixel] * 0x01010101u);
        }
        for (int i = thread; i < COST_MET * QUAD; i += THREADS) {
            const size_t pixel = at + sv_clamp(first_met - i, a.width);
            uint8_t *word = (uint8_t *)&met[0][row][i / QUAD];
            word[i % QUAD] = a.census[GPU_RIGHT][pixel];
            word[sizeof(uint32_t) + i % QUAD] = a.gradient[GPU_RIGHT][pixel];
        }
    }
    __syncthreads();
    for (int i = thread; i < ROWS * COST_MET; i += THREADS) {
        uint2 *words = &met[0][0][0] + i;
        const uint2 word = words[0], next = i % COST_MET + 1 < COST_MET ? words[1] : word;
        for (int c = 1; c < QUAD; c++)
            words[c * ROWS * COST_MET] =
                make_uint2(__funnelshift_r(word.x, next.x, 8 * c), __funnelshift_r(word.y, next.y, 8 * c));
    }
    __syncthreads();

    /* True if all candidates of the block are inside the right picture. */
    const bool inside = first_met < a.width && first_met - COST_MET * QUAD >= 0;
    const size_t stride = (size_t)a.width * (a.pitch / 2);
    const int rows = min(COST_ROWS, a.height - y0);
    uint32_t before[COST_ROWS] = {}, earlier[COST_ROWS] = {};
    uint8_t *to = a.costs + ((size_t)y0 * a.width + x0 + begin) * (a.pitch / 2) + k / 2;
    for (int i = 0; i < COST_COLUMNS + 2; i++) {
        const int x = sv_clamp(x0 - 1 + begin + i, a.width), from = last_x - x;
        uint32_t tried = ~0u;
        if (!inside) {
            const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, 0);
            const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, 0);
            for (int j = 0; j < QUAD; j++)
                if (k + j < first || k + j > last) tried &= ~(0xffu << 8 * j);
        }
        const uint32_t untried = SV_SGM_UNTRIED * 0x01010101u & ~tried;
        const uint2 *own = &left[0][begin + i], *other = &met[from % QUAD][0][from / QUAD + lane];
        const int last_row = i >= 2 && x0 + begin + i - 2 < a.width && k < a.pitch ? rows : 0; /* that is written */
        uint8_t *row_to = to;
        uint32_t above = 0, middle = 0;
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            const uint2 l = own[row * COST_AROUND], r = other[row * COST_MET];
            const uint32_t now = (mismatch(l.x, r.x, l.y, r.y) & tried) | untried;
            if (row >= 2) {
                const uint32_t column = above + middle + now, sum = earlier[row - 2] + before[row - 2] + column;
                earlier[row - 2] = before[row - 2];
                before[row - 2] = column;
                /* sv_sgm_cost, without the carry of the sum. */
                const uint32_t cost = (sum >> 5 & 0x07070707) + (sum >> 4 & 0x01010101);
                if (row - 2 < last_row) *(uint16_t *)row_to = (uint16_t)pack(cost);
                row_to += stride;
            }
            above = middle;
            middle = now;
        }
        if (i >= 2) to += a.pitch / 2;
    }
}

/* Uses blocks of 10 or of 12 rows, whichever gives the busiest multiprocessor less to do. */
static sv_status find_costs(gpu_context *context, const sgm_arguments &a, sv_error *error) {
    dim3 grid(gpu_blocks(a.width, COST_WARPS * COST_COLUMNS), 1, gpu_blocks(a.pitch, COST_CANDIDATES));
    const auto most = [&](int rows) {
        return gpu_blocks(grid.x * gpu_blocks(a.height, rows) * grid.z, context->multiprocessors) * (rows + 2);
    };
    const int rows = most(10) < most(12) ? 10 : 12;
    grid.y = gpu_blocks(a.height, rows);
    if (rows == 10)
        cost_kernel<10><<<grid, COST_WARPS * GPU_WARP, 0, context->compute>>>(a);
    else
        cost_kernel<12><<<grid, COST_WARPS * GPU_WARP, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* A block decides `pixels` pixels of row blockIdx.y of the left map, and lowers the keys of the right pixels that they
 * match, which several blocks share: a candidate's key is its sum in the upper half and its number in the lower one.
 *
 * sums: pixels x stride words: the sums of the candidates of each pixel, NOT_TRIED for those that are not tried. The
 * stride is odd, so that threads of neighbouring pixels, and those that follow a right pixel's candidates across them,
 * read different banks. Four paths add up to less than 255 (stereo/sgm.h).
 *
 * The kernel reads each volume once; with 1242 x 375 pixels and 128 candidates this takes an H200 0.057 ms at least,
 * and the kernel 0.064. */
enum {
    NOT_TRIED = UINT8_MAX,
    AHEAD = 2 /* units that a thread reads at once */
};

/* Reads UNIT bytes, which are not read again. */
template <int UNIT>
__device__ static __forceinline__ void read_unit(const uint8_t *from, uint32_t (&words)[UNIT / QUAD]) {
    if constexpr (UNIT == 16) {
        const uint4 read = __ldcs((const uint4 *)from);
        words[0] = read.x;
        words[1] = read.y;
        words[2] = read.z;
        words[3] = read.w;
    } else {
        const uint2 read = __ldcs((const uint2 *)from);
        words[0] = read.x;
        words[1] = read.y;
    }
}

/* The sums of UNIT candidates, from what was read of each volume. */
template <int UNIT>
__device__ static __forceinline__ void add_up(const uint32_t (&read)[SGM_DIRECTIONS][UNIT / QUAD],
                                              uint32_t (&sums)[UNIT / QUAD]) {
#pragma unroll
    for (int j = 0; j < UNIT / QUAD; j++) {
        sums[j] = 0;
#pragma unroll
        for (int d = 0; d < SGM_DIRECTIONS; d++) sums[j] += read[d][j];
    }
}

/* The least key of the candidates in `count` words. */
__device__ static __forceinline__ uint32_t least_key(const uint32_t *words, int count) {
    /* Separately for each place in a word, two in `even` and two in `odd`: the least of 256 times the sum plus the
     * number of the word, of which there are at most 256. */
    uint32_t even = UINT32_MAX, odd = UINT32_MAX, least = UINT32_MAX;
#pragma unroll 8
    for (int j = 0; j < count; j++) {
        even = __vminu2(even, __byte_perm(words[j], j, 0x2404));
        odd = __vminu2(odd, __byte_perm(words[j], j, 0x3414));
    }
#pragma unroll
    for (int i = 0; i < QUAD; i++) {
        const uint32_t found = (i % 2 ? odd : even) >> i / 2 * 16 & 0xffff;
        least = min(least, (found & 0xff00) << 8 | ((found & 0xff) * QUAD + i));
    }
    return least;
}

/* The least key of `count` candidates, counted from 0, each of a different pixel: the sum of the first is at `at`, and
 * each next one is one candidate and one pixel further. */
__device__ static __forceinline__ uint32_t least_across(const uint8_t *at, int stride, int count) {
    const int step = stride * QUAD + 1;
    /* In each half, for every second candidate, 256 times the sum plus the candidate, which is below BLOCK. */
    uint32_t least = UINT32_MAX, pair = 1 << 16;
#pragma unroll 4
    for (int k = 0; k < count / 2; k++, at += 2 * step, pair += 0x20002)
        least = __vminu2(least, at[0] * 0x100u + (at[step] * 0x1000000u + pair));
    if (count % 2) least = __vminu2(least, at[0] * 0x100u + (pair | 0xffff0000));
    least = min(least & 0xffff, least >> 16);
    return (least & 0xff00) << 8 | (least & 0xff);
}

/* JUDGES: leaves the evidence for the confidence. */
template <int UNIT, bool JUDGES>
__global__ static void __launch_bounds__(BLOCK)
    winner_kernel(const __grid_constant__ sgm_arguments a, int pixels, int stride, bool has_right) {
    enum { WORDS = UNIT / QUAD };
    extern __shared__ uint32_t sums[];
    const int x0 = blockIdx.x * pixels, y = blockIdx.y, count = min(pixels, a.width - x0);
    const size_t row = (size_t)y * a.width;
    const int units = a.pitch / UNIT, all = count * units;
    int pixel = threadIdx.x / units, unit = threadIdx.x % units;
    for (int i = threadIdx.x; i < all; i += AHEAD * BLOCK) {
        uint32_t read[AHEAD][SGM_DIRECTIONS][WORDS];
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
#pragma unroll
            for (int d = 0; d < SGM_DIRECTIONS; d++)
                read_unit<UNIT>(a.paths[d] + (row + x0) * a.pitch + (size_t)min(i + j * BLOCK, all - 1) * UNIT,
                                read[j][d]);
#pragma unroll
        for (int j = 0; j < AHEAD; j++) {
            uint32_t added[WORDS], *to = sums + pixel * stride + WORDS * unit;
            add_up<UNIT>(read[j], added);
            const int first = sv_first_candidate(x0 + pixel, a.width, a.min_disparity, 1, 0) - unit * UNIT;
            const int last = sv_last_candidate(x0 + pixel, a.width, a.min_disparity, 1, a.candidates, 0) - unit * UNIT;
            if (first > 0 || last < UNIT - 1)
#pragma unroll
                for (int k = 0; k < UNIT; k++)
                    if (k < first || k > last) added[k / QUAD] |= (uint32_t)NOT_TRIED << k % QUAD * 8;
            if (i + j * BLOCK < all)
#pragma unroll
                for (int k = 0; k < WORDS; k++) to[k] = added[k];
            pixel += BLOCK / units;
            unit += BLOCK % units;
            if (unit >= units) {
                unit -= units;
                pixel++;
            }
        }
    }
    __syncthreads();

    for (int i = threadIdx.x; i < count; i += BLOCK) {
        const int x = x0 + i;
        const uint32_t *words = sums + i * stride;
        const uint8_t *own = (const uint8_t *)words;
        const uint32_t best = least_key(words, stride - 1);
        uint32_t second = NOT_TRIED;
        const int winner = best >> 16 < NOT_TRIED ? (int)(best & 0xffff) : -1;
        float offset = 0;
        int reason = SV_BORDER;
        if (winner >= 0) {
            const int cost = own[winner];
            if (JUDGES || a.uniqueness)
                for (int k = 0; k < a.candidates; k++)
                    if (k < winner - 1 || k > winner + 1) second = min(second, (uint32_t)own[k]);
            if (second == NOT_TRIED) second = SV_NO_COST;
            if (JUDGES) gpu_row<uint8_t>(a.maps.confidence, y)[x] = (uint8_t)sv_sgm_evidence(cost, second);
            reason = sv_judge_cost(cost, SV_NO_COST, sv_ambiguous_costs(cost, second, a.uniqueness));
            const int before = winner > 0 ? own[winner - 1] : NOT_TRIED;
            const int after = winner < a.candidates - 1 ? own[winner + 1] : NOT_TRIED;
            if (a.subpixel && before != NOT_TRIED && after != NOT_TRIED) offset = sv_equiangular(before, cost, after);
        }
        a.winners[GPU_LEFT][row + x] = (int16_t)winner;
        gpu_row<float>(a.maps.disparity, y)[x] =
            reason == SV_VALID ? sv_disparity(a.min_disparity, winner, offset, 1) : INFINITY;
        gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
    }

    if (!has_right) return;
    const int from = x0 - a.min_disparity; /* the right pixel that the first candidate of the first pixel reaches */
    for (int i = (int)threadIdx.x - (a.candidates - 1); i < count; i += BLOCK) {
        const int match = from + i;
        if (match < 0 || match >= a.width) continue;
        const int first = max(0, -i), tried = min(a.candidates, count - i) - first;
        const uint8_t *at = (const uint8_t *)(sums + (i + first) * stride) + first;
        atomicMin(&a.right_keys[row + match], least_across(at, stride, tried) + first);
    }
}

/* A thread writes the winner of one right pixel. */
__global__ static void __launch_bounds__(BLOCK) right_kernel(const __grid_constant__ sgm_arguments a) {
    const int x = blockIdx.x * BLOCK + threadIdx.x;
    if (x >= a.width) return;
    const size_t pixel = (size_t)blockIdx.y * a.width + x;
    const uint32_t key = a.right_keys[pixel];
    a.winners[GPU_RIGHT][pixel] = (int16_t)(key == UINT32_MAX ? -1 : (int)(key & 0xffff));
}

template <bool JUDGES>
static sv_status find_winners(gpu_context *context, const sgm_arguments &a, bool has_right, sv_error *error) {
    const int stride = a.pitch / QUAD + 1; /* the pitch is a multiple of 8 */
    int pixels = BLOCK;
    while (pixels * stride * sizeof(uint32_t) > WINNER_MEMORY) pixels /= 2;
    const dim3 grid(gpu_blocks(a.width, pixels), a.height);
    const size_t bytes = pixels * stride * sizeof(uint32_t);
    if (a.pitch % 16)
        winner_kernel<8, JUDGES><<<grid, BLOCK, bytes, context->compute>>>(a, pixels, stride, has_right);
    else
        winner_kernel<16, JUDGES><<<grid, BLOCK, bytes, context->compute>>>(a, pixels, stride, has_right);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

/* ---- Launching -------------------------------------------------------------------------------- */

static size_t lay_out(sgm_arguments *a, void *base) {
    const size_t pixels = (size_t)a->width * a->height;
    size_t used = 0;
    for (int side = 0; side < GPU_SIDES; side++) {
        a->census[side] = (uint8_t *)gpu_carve(base, &used, pixels);
        a->gradient[side] = (uint8_t *)gpu_carve(base, &used, pixels);
    }
    for (int i = 0; i < SGM_EDGES; i++)
        a->jumps[i] = (uint32_t *)gpu_carve(base, &used, sizeof *a->jumps[i] * (pixels + a->width + 1));
    a->right_keys = (uint32_t *)gpu_carve(base, &used, sizeof *a->right_keys * pixels);
    a->costs = (uint8_t *)gpu_carve(base, &used, pixels * (a->pitch / 2));
    for (int i = 0; i < SGM_DIRECTIONS; i++) a->paths[i] = (uint8_t *)gpu_carve(base, &used, pixels * a->pitch);
    return used;
}

sv_status gpu_sgm(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    const bool has_right = params->left_right_check >= 0;
    sgm_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    for (int side = 0; side < GPU_SIDES; side++) {
        a.grey[side] = pair->picture[side];
    }
    a.pitch = gpu_sgm_pitch(a.candidates);
    a.distance = sv_census_distance(params->census);
    a.p1 = params->p1;
    a.p2 = params->p2;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));

    const int row_blocks = gpu_blocks(a.width, BLOCK);
    describe_kernel<<<dim3(row_blocks, gpu_blocks(a.height, DESCRIBE_ROWS), GPU_SIDES), BLOCK, 0, context->compute>>>(
        a);
    GPU_TRY(cudaGetLastError());
    GPU_PASS(find_costs(context, a, error));
    GPU_PASS(gpu_sgm_paths(context, a, error));
    GPU_PASS(maps->confidence.data ? find_winners<true>(context, a, has_right, error)
                                   : find_winners<false>(context, a, has_right, error));
    if (has_right) {
        right_kernel<<<dim3(row_blocks, a.height), BLOCK, 0, context->compute>>>(a);
        GPU_TRY(cudaGetLastError());
    }
    return SV_OK;
}
