/* The costs of sgm: stereo/sgm.h says what they are.
 *
 * A lane computes 32 candidates at once: a number has a word for each of its bits (a plane), and bit c of every word
 * belongs to candidate c. Three operands are what one instruction takes, so that an adder of three bits needs two. With
 * a byte for each candidate, four in a word, there were twice as many instructions.
 *
 * For 32 candidates a mismatch takes some 80 logical operations, the sums of 3 x 3 of them 50, the way back to numbers
 * of four bits 35, and everything else 50. With the rows and columns that are computed twice, these are 510 million at
 * 1242 x 375 and 128 candidates, for which an H200 needs 0.032 ms; the kernel takes 0.042. */
#include <limits.h>

#include "gpu/sgm.cuh"

enum {
    WORD = 32,              /* candidates that are computed at once */
    GROUPS = 2,             /* words of candidates of a lane */
    BLOCKS = 16,            /* of a multiprocessor, one warp each */
    COLUMNS = GPU_WARP - 2, /* whose costs a warp writes: the outer lanes have its neighbours */
    QUARTER = 4             /* planes that are read at once */
};

/* ---- Numbers in planes, the lowest bit first -------------------------------------------------- */

/* The two bits of the sum of three. */
__device__ static __forceinline__ uint32_t low_of(uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; }
__device__ static __forceinline__ uint32_t high_of(uint32_t a, uint32_t b, uint32_t c) {
    return (a & b) | (a & c) | (b & c);
}

/* a where `chooses` is set, otherwise b. */
__device__ static __forceinline__ uint32_t choose(uint32_t chooses, uint32_t a, uint32_t b) {
    return (a & chooses) | (b & ~chooses);
}

/* `a` has at least as many bits as `b`. */
template <int A, int B>
__device__ static __forceinline__ void add(const uint32_t (&a)[A], const uint32_t (&b)[B], uint32_t (&sum)[A + 1]) {
    uint32_t carry = 0;
#pragma unroll
    for (int i = 0; i < A; i++) {
        const uint32_t other = i < B ? b[i < B ? i : 0] : 0, both = a[i];
        sum[i] = low_of(both, other, carry);
        carry = high_of(both, other, carry);
    }
    sum[A] = carry;
}

/* sv_sgm_mismatch of a left pixel and 32 right ones. The planes of both are those of SGM_PLANES; each of `left` is all
 * zeros or all ones. SV_SGM_UNTRIED where `tried` is not set. */
__device__ static __forceinline__ void find_mismatch(const uint32_t (&left)[SGM_PLANES],
                                                     const uint32_t (&right)[SGM_PLANES], uint32_t tried,
                                                     uint32_t (&mismatch)[5]) {
    static_assert(SV_SGM_UNTRIED == 1 << 4, "the highest bit alone");
    uint32_t differs[8];
#pragma unroll
    for (int i = 0; i < 8; i++) differs[i] = left[i] ^ right[i];
    const uint32_t a = low_of(differs[0], differs[1], differs[2]), twos_a = high_of(differs[0], differs[1], differs[2]);
    const uint32_t b = low_of(differs[3], differs[4], differs[5]), twos_b = high_of(differs[3], differs[4], differs[5]);
    const uint32_t c = low_of(differs[6], differs[7], a), twos_c = high_of(differs[6], differs[7], a);
    const uint32_t odd = b ^ c, twos_d = b & c;
    const uint32_t any = twos_a | twos_b | twos_c | twos_d;
    const uint32_t several = high_of(twos_a, twos_b, twos_c) | (twos_d & (twos_a | twos_b | twos_c));
    const uint32_t three = several | (any & odd);        /* or more: 16 */
    const uint32_t two = any & ~three, one = odd & ~any; /* 13, 7 */
    const uint32_t by_census[5] = {one | two, one, one | two, two, three};

    uint32_t difference[8], negative = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const uint32_t l = left[8 + i], r = right[8 + i];
        difference[i] = low_of(l, r, negative);
        negative = high_of(~l, r, negative);
    }
    const uint32_t low = difference[0] | difference[1];
    const uint32_t x0 = difference[0], x1 = difference[1] ^ (negative & difference[0]);
    const uint32_t x2 = difference[2] ^ (negative & low);
    const uint32_t some = difference[3] | difference[4] | difference[5] | difference[6] | difference[7];
    const uint32_t all = difference[3] & difference[4] & difference[5] & difference[6] & difference[7];
    const uint32_t large = choose(negative, ~all | ~(low | difference[2]), some); /* 8 or more */
    /* 0, 1, 3, 4, 6, 7, 8, 10, and 11 from 8 on. */
    const uint32_t by_gradient[4] = {large | choose(x2, x0 & ~x1, x0 ^ x1), large | choose(x2, ~x1 | x0, x1 & ~x0),
                                     ~large & choose(x2, ~x1, x0 & x1), large | (x2 & x1)};

    uint32_t sum[6];
    add(by_census, by_gradient, sum); /* at most 27 */
#pragma unroll
    for (int i = 0; i < 4; i++) mismatch[i] = sum[i] & tried;
    mismatch[4] = sum[4] | ~tried;
}

/* Exchanges the bits of `a` that are SHIFT places above those in `mask` with those of `b` that are in it. */
template <int SHIFT> __device__ static __forceinline__ void exchange(uint32_t &a, uint32_t &b, uint32_t mask) {
    const uint32_t kept = choose(mask, a, b << SHIFT);
    b = choose(mask, a >> SHIFT, b);
    a = kept;
}

/* Numbers of four bits in planes become 32 numbers in a row, eight in a word. */
__device__ static __forceinline__ uint4 in_a_row(uint32_t (&planes)[4]) {
    uint32_t &a = planes[0], &b = planes[1], &c = planes[2], &d = planes[3];
    exchange<1>(a, b, 0x55555555);
    exchange<1>(c, d, 0x55555555);
    exchange<2>(a, c, 0x33333333);
    exchange<2>(b, d, 0x33333333);
    /* Now a, b, c, d have every fourth number, from 0, 1, 2, 3 on. */
    exchange<4>(a, b, 0x0f0f0f0f);
    exchange<4>(c, d, 0x0f0f0f0f);
    /* Byte i of them has numbers 8 i and 8 i + 1, 8 i + 4 and 8 i + 5, 8 i + 2 and 8 i + 3, 8 i + 6 and 8 i + 7. */
    const uint32_t low_ac = __byte_perm(a, c, 0x5140), high_ac = __byte_perm(a, c, 0x7362);
    const uint32_t low_bd = __byte_perm(b, d, 0x5140), high_bd = __byte_perm(b, d, 0x7362);
    return make_uint4(__byte_perm(low_ac, low_bd, 0x5410), __byte_perm(low_ac, low_bd, 0x7632),
                      __byte_perm(high_ac, high_bd, 0x5410), __byte_perm(high_ac, high_bd, 0x7632));
}

/* ---- The kernel ------------------------------------------------------------------------------- */

/* All planes of 32 right pixels. */
__device__ static __forceinline__ void read_planes(const uint32_t *from, uint32_t (&planes)[SGM_PLANES]) {
#pragma unroll
    for (int i = 0; i < SGM_PLANES; i += QUARTER) {
        const uint4 read = __ldg((const uint4 *)(from + i));
        planes[i] = read.x;
        planes[i + 1] = read.y;
        planes[i + 2] = read.z;
        planes[i + 3] = read.w;
    }
}

/* Each bit of the census and of the gradient of a left pixel, repeated in a whole word. */
__device__ static __forceinline__ void spread(uint32_t census, uint32_t gradient, uint32_t (&planes)[SGM_PLANES]) {
#pragma unroll
    for (int i = 0; i < 8; i++) {
        planes[i] = (int32_t)(census << (31 - i)) >> 31;
        planes[8 + i] = (int32_t)(gradient << (31 - i)) >> 31;
    }
}

__device__ static __forceinline__ uint4 select(bool first, uint4 a, uint4 b) {
    return make_uint4(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w);
}

/* Writes the costs of a lane's column. Two lanes write those of one column together, and then those of the other one:
 * memory is written in units of 32 bytes. */
__device__ static __forceinline__ void write_pair(const sgm_arguments &a, const uint4 (&costs)[GROUPS], int lane,
                                                  int column, int y, int k0) {
    static_assert(GROUPS == 2, "a pair");
    const bool odd = lane & 1;
    const uint4 sent = select(odd, costs[0], costs[1]);
    const uint4 other = make_uint4(__shfl_xor_sync(GPU_LANES, sent.x, 1), __shfl_xor_sync(GPU_LANES, sent.y, 1),
                                   __shfl_xor_sync(GPU_LANES, sent.z, 1), __shfl_xor_sync(GPU_LANES, sent.w, 1));
    const int k = k0 + (odd ? WORD : 0);
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int at = lane - odd + i, x = column - odd + i; /* lane and column whose costs these are */
        const uint4 now = select(odd == (i == 1), costs[i], other);
        uint8_t *to = a.costs + ((size_t)y * a.width + x) * (a.pitch / 2) + k / 2;
        if (at < 1 || at > COLUMNS || x >= a.width || k >= a.pitch) continue;
        if (a.pitch % WORD == 0) {
            *(uint4 *)to = now;
        } else {
            const uint32_t each[4] = {now.x, now.y, now.z, now.w};
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (k + 8 * j < a.pitch) ((uint32_t *)to)[j] = each[j];
        }
    }
}

/* A warp finds the costs of COLUMNS columns, `rows` rows and GROUPS x WORD candidates (blockIdx.x). A lane has one
 * column and goes down; what it keeps of a group is the mismatch of the last row, and its sum with that of the row
 * before. The sums of three rows are added to those of the lanes beside it.
 *
 * A candidate that is not in the right picture is not tried, and the planes that are read for it do not matter. */
__global__ static void __launch_bounds__(GPU_WARP, BLOCKS)
    cost_kernel(const __grid_constant__ sgm_arguments a, int rows) {
    const int lane = threadIdx.x;
    const int column = blockIdx.y * COLUMNS - 1 + lane, x = sv_clamp(column, a.width);
    const int y0 = blockIdx.z * rows, k0 = blockIdx.x * (GROUPS * WORD);
    /* Candidates follow one another in the order of the planes. */
    const int words = sgm_words(a.width), from = words * WORD - 1 - (x - a.min_disparity - k0), shift = from & 31;
    const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, 0) - k0;
    const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, 0) - k0;
    uint32_t tried[GROUPS];
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const int low = max(first - g * WORD, 0), high = min(last - g * WORD, WORD - 1);
        tried[g] = low > high ? 0 : GPU_LANES << low & GPU_LANES >> (WORD - 1 - high);
    }
    uint32_t before[GROUPS][5] = {}, sums[GROUPS][6] = {};
    for (int row = 0; row < rows + 2; row++) {
        const int y = y0 - 1 + row;
        if (y > a.height) break;
        const size_t pixels = (size_t)sv_clamp(y, a.height) * a.width;
        const uint32_t *planes = a.planes + (size_t)sv_clamp(y, a.height) * words * SGM_PLANES;
        const auto read_word = [&](int number, uint32_t(&to)[SGM_PLANES]) {
            read_planes(planes + sv_clamp((from >> 5) + number, words) * SGM_PLANES, to);
        };
        uint32_t left[SGM_PLANES], low[SGM_PLANES], high[SGM_PLANES];
        spread(a.census[pixels + x], a.gradient[pixels + x], left);
        read_word(0, low);
        uint4 costs[GROUPS] = {};
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int k = k0 + g * WORD;
            if (k >= a.pitch) break;
            read_word(g + 1, high);
            uint32_t right[SGM_PLANES], now[5], three[7];
#pragma unroll
            for (int i = 0; i < SGM_PLANES; i++) {
                right[i] = __funnelshift_r(low[i], high[i], shift);
                low[i] = high[i];
            }
            find_mismatch(left, right, tried[g], now);
            add(sums[g], now, three); /* at most 81 */
            add(before[g], now, sums[g]);
#pragma unroll
            for (int i = 0; i < 5; i++) before[g][i] = now[i];
            if (row < 2) continue;

            uint32_t lows[7], highs[7];
#pragma unroll
            for (int i = 0; i < 7; i++) {
                const uint32_t up = __shfl_up_sync(GPU_LANES, three[i], 1);
                const uint32_t down = __shfl_down_sync(GPU_LANES, three[i], 1);
                lows[i] = low_of(three[i], up, down);
                highs[i] = high_of(three[i], up, down);
            }
            /* The sum of 3 x 3, at most 243. */
            const uint32_t rest[7] = {lows[1], lows[2], lows[3], lows[4], lows[5], lows[6], 0};
            uint32_t sum[8];
            add(rest, highs, sum); /* bits 1 to 8 */
            /* sv_sgm_cost */
            const uint32_t half[1] = {sum[3]}, whole[3] = {sum[4], sum[5], sum[6]};
            uint32_t cost[4];
            add(whole, half, cost);
            costs[g] = in_a_row(cost);
        }
        if (row >= 2) write_pair(a, costs, lane, column, y - 1, k0);
    }
}

sv_status gpu_sgm_costs(gpu_context *context, const sgm_arguments &a, sv_error *error) {
    const int along = gpu_blocks(a.pitch, GROUPS * WORD) * gpu_blocks(a.width, COLUMNS);
    /* As many rows as give the busiest multiprocessor least to do. */
    int best = 0, least = INT_MAX;
    for (int rows = 8; rows <= 64; rows++) {
        const int rounds = gpu_blocks(along * gpu_blocks(a.height, rows), BLOCKS * context->multiprocessors);
        if (rounds * (rows + 2) < least) {
            least = rounds * (rows + 2);
            best = rows;
        }
    }
    const dim3 grid(gpu_blocks(a.pitch, GROUPS * WORD), gpu_blocks(a.width, COLUMNS), gpu_blocks(a.height, best));
    cost_kernel<<<grid, GPU_WARP, 0, context->compute>>>(a, best);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
