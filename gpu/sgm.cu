/* Semi-global matching. cpu/sgm.c says what is computed; the costs are in sgm_costs.cu, the paths in
 * sgm_paths.cu.
 *
 * A frame takes three kernels and two small ones. Scratch memory, for n candidates, rounded up to a multiple of 8 (from
 * 65 candidates on of 16, from 513 on of 32): 7/2 n + 16 bytes a pixel, which is 0.22 GB for 1242 x 375 and 128
 * candidates. */
#include "gpu/sgm.cuh"
#include "stereo/confidence.h"

enum {
    BLOCK = 128,
    DESCRIBE_ROWS = 8,
    RIGHT_PIXELS = 4,
    LEAST_PIXELS = 32,
    FARTHEST = 3,            /* the largest sv_census_distance */
    QUAD = 4,                /* candidates in a word of bytes */
    WINNER_MEMORY = 20 << 10 /* bytes of shared memory for a block's sums, but LEAST_PIXELS fit */
};

/* ---- Pictures --------------------------------------------------------------------------------- */

/* Bit l of the result is bit `lane` of the value of lane l: the square of bits is transposed by exchanges of halves, of
 * quarters, ... */
__device__ static __forceinline__ uint32_t bit_of_lanes(uint32_t value, int lane) {
    uint32_t lower = 0x0000ffff;
#pragma unroll
    for (int size = GPU_WARP / 2; size > 0; size /= 2, lower ^= lower << size) {
        const bool is_lower = !(lane & size);
        const uint32_t other = __shfl_xor_sync(GPU_LANES, value, size), kept = is_lower ? lower : ~lower;
        value = (value & kept) | (__funnelshift_l(other, other, is_lower ? size : GPU_WARP - size) & ~kept);
    }
    return value;
}

/* A block describes BLOCK columns and DESCRIBE_ROWS rows of a side (blockIdx.z); of the left picture also the jumps to
 * its pixels, and of the right one a word of each plane in every warp.
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
    if (side == GPU_LEFT)
        for (int i = thread; i < STEPS; i += BLOCK) jump_of[i] = (uint8_t)sv_sgm_jump(a.p1, a.p2, i);
    __syncthreads();
    const int x = x0 + FARTHEST + thread;
    const int word = x / GPU_WARP, lane = thread % GPU_WARP;
    if (side == GPU_LEFT ? x >= a.width : word >= sgm_words(a.width)) return;
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
        const int gradient = sv_sgm_gradient(at[-COLUMNS], at[COLUMNS]) + 128;
        if (side == GPU_RIGHT) {
            const uint32_t plane = bit_of_lanes(bits | gradient << 8, lane);
            const size_t to = (size_t)y * sgm_words(a.width) + sgm_words(a.width) - 1 - word;
            if (lane < SGM_PLANES) a.planes[to * SGM_PLANES + lane] = __brev(plane);
            continue;
        }
        a.census[pixel] = (uint8_t)bits;
        a.gradient[pixel] = (uint8_t)gradient;
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

/* ---- Winners ---------------------------------------------------------------------------------- */

/* A block decides `pixels` pixels of row blockIdx.y of the left map, and lowers the keys of the right pixels that they
 * match, which several blocks share: a candidate's key is its sum in the upper half and its number in the lower one.
 *
 * sums: pixels x stride words: the sums of the candidates of each pixel, NOT_TRIED for those that are not tried. The
 * stride is odd, so that threads of neighbouring pixels, and those that follow a right pixel's candidates across them,
 * read different banks. Four paths add up to less than 255 (stereo/sgm.h).
 *
 * The kernel reads each volume once; with 1242 x 375 pixels and 128 candidates this takes an H200 0.043 ms at least,
 * and the kernel 0.057. */
enum {
    NOT_TRIED = UINT8_MAX,
    AHEAD = 2 /* units that a thread reads at once */
};

/* What is read of UNIT candidates: their lower bits, and their upper ones. */
template <int UNIT> struct unit_bits { uint32_t lower[UNIT / 8], upper; };

/* Reads unit `number` of a volume, which is not read again. */
template <int UNIT>
__device__ static __forceinline__ unit_bits<UNIT> read_unit(const uint8_t *lower, const uint8_t *upper, size_t number) {
    unit_bits<UNIT> bits;
    if constexpr (UNIT == 16) {
        const uint2 read = __ldcs((const uint2 *)lower + number);
        bits.lower[0] = read.x;
        bits.lower[1] = read.y;
        bits.upper = __ldcs((const uint32_t *)upper + number);
    } else {
        bits.lower[0] = __ldcs((const uint32_t *)lower + number);
        bits.upper = __ldcs((const uint16_t *)upper + number);
    }
    return bits;
}

/* The sums of UNIT candidates, from what was read of each volume. */
template <int UNIT>
__device__ static __forceinline__ void add_up(const unit_bits<UNIT> (&read)[SGM_DIRECTIONS],
                                              uint32_t (&sums)[UNIT / QUAD]) {
    /* Of every four candidates: the lower bits of the first two, and of the last two; the upper bits of the first two,
     * and of the last two, in four bits each. */
    uint32_t front[UNIT / 8] = {}, back[UNIT / 8] = {}, front_high = 0, back_high = 0;
#pragma unroll
    for (int d = 0; d < SGM_DIRECTIONS; d++) {
#pragma unroll
        for (int i = 0; i < UNIT / 8; i++) {
            front[i] += read[d].lower[i] & 0x0f0f0f0f;
            back[i] += read[d].lower[i] >> 4 & 0x0f0f0f0f;
        }
        front_high += read[d].upper & 0x33333333;
        back_high += read[d].upper >> 2 & 0x33333333;
    }
    /* The upper bits, 16 times: of the first of four in each byte, of the second, ... */
    const uint32_t first = front_high << 4 & 0xf0f0f0f0, second = front_high & 0xf0f0f0f0;
    const uint32_t third = back_high << 4 & 0xf0f0f0f0, fourth = back_high & 0xf0f0f0f0;
#pragma unroll
    for (int i = 0; i < UNIT / 8; i++) {
        front[i] += __byte_perm(first, second, i ? 0x7362 : 0x5140);
        back[i] += __byte_perm(third, fourth, i ? 0x7362 : 0x5140);
        sums[2 * i] = __byte_perm(front[i], back[i], 0x5410);
        sums[2 * i + 1] = __byte_perm(front[i], back[i], 0x7632);
    }
}

/* The least keys of the candidates in words `begin` to `end` - 1, separately for each place in a word. Each word is
 * `step` words after the one before it. */
__device__ static __forceinline__ void least_keys(const uint32_t *words, int step, int begin, int end,
                                                  uint32_t (&keys)[QUAD]) {
    /* For two places in `even` and two in `odd`: the least of 256 times the sum plus the number of the word, of which
     * there are at most 256. */
    uint32_t even = UINT32_MAX, odd = UINT32_MAX;
#pragma unroll 8
    for (int j = begin; j < end; j++) {
        even = __vminu2(even, __byte_perm(words[j * step], j, 0x2404));
        odd = __vminu2(odd, __byte_perm(words[j * step], j, 0x3414));
    }
#pragma unroll
    for (int i = 0; i < QUAD; i++) {
        const uint32_t found = (i % 2 ? odd : even) >> i / 2 * 16 & 0xffff;
        keys[i] = (found & 0xff00) << 8 | ((found & 0xff) * QUAD + i);
    }
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
        unit_bits<UNIT> read[AHEAD][SGM_DIRECTIONS];
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
#pragma unroll
            for (int d = 0; d < SGM_DIRECTIONS; d++)
                read[j][d] =
                    read_unit<UNIT>(a.lower[d], a.upper[d], (row + x0) * units + (size_t)min(i + j * BLOCK, all - 1));
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
        uint32_t keys[QUAD];
        least_keys(words, 1, 0, stride - 1, keys);
        const uint32_t best = min(min(keys[0], keys[1]), min(keys[2], keys[3]));
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
    /* Word j of pixel i + 4 j has a candidate for each of four right pixels, the same for all j. */
    const int quads = stride - 1;
    for (int i = (int)threadIdx.x - QUAD * (quads - 1); i < count; i += BLOCK) {
        uint32_t keys[QUAD];
        least_keys(sums + i * stride, QUAD * stride + 1, (max(0, -i) + QUAD - 1) / QUAD,
                   min(quads, (count - i + QUAD - 1) / QUAD), keys);
        const int match = x0 - a.min_disparity + i; /* of the first of four */
#pragma unroll
        for (int j = 0; j < QUAD; j++)
            if (keys[j] >> 16 < NOT_TRIED) atomicMin(&a.right_keys[row + match - j], keys[j]);
    }
}

/* A thread writes the winners of RIGHT_PIXELS right pixels, BLOCK from one to the next. */
__global__ static void __launch_bounds__(BLOCK) right_kernel(const __grid_constant__ sgm_arguments a) {
    const size_t pixels = (size_t)a.width * a.height;
#pragma unroll
    for (int i = 0; i < RIGHT_PIXELS; i++) {
        const size_t pixel = ((size_t)blockIdx.x * RIGHT_PIXELS + i) * BLOCK + threadIdx.x;
        if (pixel >= pixels) return;
        const uint32_t key = a.right_keys[pixel];
        a.winners[GPU_RIGHT][pixel] = (int16_t)(key == UINT32_MAX ? -1 : (int)(key & 0xffff));
    }
}

template <bool JUDGES>
static sv_status find_winners(gpu_context *context, const sgm_arguments &a, bool has_right, sv_error *error) {
    const int stride = a.pitch / QUAD + 1; /* the pitch is a multiple of 8 */
    int pixels = BLOCK;
    while (pixels > LEAST_PIXELS && pixels * stride * sizeof(uint32_t) > WINNER_MEMORY) pixels /= 2;
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
    a->census = (uint8_t *)gpu_carve(base, &used, pixels);
    a->gradient = (uint8_t *)gpu_carve(base, &used, pixels);
    a->planes = (uint32_t *)gpu_carve(base, &used, sizeof *a->planes * SGM_PLANES * sgm_words(a->width) * a->height);
    for (int i = 0; i < SGM_EDGES; i++)
        a->jumps[i] = (uint32_t *)gpu_carve(base, &used, sizeof *a->jumps[i] * (pixels + a->width + 1));
    a->right_keys = (uint32_t *)gpu_carve(base, &used, sizeof *a->right_keys * pixels);
    a->costs = (uint8_t *)gpu_carve(base, &used, pixels * (a->pitch / 2));
    for (int i = 0; i < SGM_DIRECTIONS; i++) {
        a->lower[i] = (uint8_t *)gpu_carve(base, &used, pixels * (a->pitch / 2));
        a->upper[i] = (uint8_t *)gpu_carve(base, &used, pixels * (a->pitch / 4));
    }
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
    a.one = 1;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));

    const int row_blocks = gpu_blocks(a.width, BLOCK);
    describe_kernel<<<dim3(row_blocks, gpu_blocks(a.height, DESCRIBE_ROWS), GPU_SIDES), BLOCK, 0, context->compute>>>(
        a);
    GPU_TRY(cudaGetLastError());
    GPU_PASS(gpu_sgm_costs(context, a, error));
    GPU_PASS(gpu_sgm_paths(context, a, error));
    GPU_PASS(maps->confidence.data ? find_winners<true>(context, a, has_right, error)
                                   : find_winners<false>(context, a, has_right, error));
    if (has_right) {
        const size_t pixels = (size_t)a.width * a.height, block = BLOCK * RIGHT_PIXELS;
        right_kernel<<<(unsigned)((pixels + block - 1) / block), BLOCK, 0, context->compute>>>(a);
        GPU_TRY(cudaGetLastError());
    }
    return SV_OK;
}
