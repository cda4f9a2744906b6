/* The paths of sgm: for each direction, the cost of the cheapest path to every candidate of a pixel. cpu/sgm.c says
 * what is computed.
 *
 * All directions run in one launch, and each writes a volume of its own, six bits per candidate. The costs that they
 * read are half a byte. At 1242 x 375 and 128 candidates four directions write 180 MB and read 120, mostly from the L2
 * cache; for the 250 MB that reach memory an H200 needs 0.06 ms, and the kernel takes 0.125. A path is one chain of
 * steps, each of which waits for the one before. Rows have the most steps, so a warp has one row, and each lane as few
 * candidates as possible. Of columns a warp has several, so that fewer instructions are spent on what is done once per
 * lane, and warps write longer runs of bytes: on an H200, with a byte per candidate, the kernel took 0.128 ms with one
 * column per warp, and 0.103 like this. In smaller pictures there are so few columns that their time is that of one
 * chain, and one column per warp is better (640 x 480: 0.080 ms, not 0.092).
 */
#include <cuda_pipeline_primitives.h>

#include "gpu/least.cuh"
#include "gpu/paths.cuh"
#include "gpu/sgm.cuh"

/* FAR is above any path cost, and leaves room for what is added to it. */
enum { FAR = 0x4000, NIBBLES = 0x000f000f };

/* LANES lanes follow a line of pixels. A lane has 2 WORDS candidates of each, from 2 WORDS * lane on, in registers:
 * word j has candidates j and j + WORDS, so that the neighbours of most candidates are in neighbouring words of the
 * lane, and lanes exchange only the outer ones. In memory the costs of a lane are WORDS bytes. */
template <int WORDS> struct stored { typedef uint4 costs; };
template <> struct stored<1> { typedef uint8_t costs; };
template <> struct stored<2> { typedef uint16_t costs; };
template <> struct stored<4> { typedef uint32_t costs; };
template <> struct stored<8> { typedef uint2 costs; };

/* How columns are distributed over lanes, by the WORDS of rows, which have all lanes of a warp. */
template <int ROW_WORDS> struct columns {
    enum { WORDS = ROW_WORDS, LANES = GPU_WARP };
};
template <> struct columns<1> {
    enum { WORDS = 4, LANES = 8 };
};
template <> struct columns<2> {
    enum { WORDS = 8, LANES = 8 };
};
template <> struct columns<4> {
    enum { WORDS = 8, LANES = 16 };
};

/* A line of pixels. */
struct line {
    int direction;
    size_t first; /* pixel */
    int64_t step; /* pixels */
    int length;
};

/* The smallest of the halves of all lanes of a line, in both halves. */
template <int LANES> __device__ static __forceinline__ uint32_t least_of_line(uint32_t value) {
#if __CUDA_ARCH__ >= 800
    enum { REDUCES = LANES == GPU_WARP };
#else
    enum { REDUCES = false };
#endif
    if constexpr (!REDUCES)
#pragma unroll
        for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
            value = __vminu2(value, __shfl_xor_sync(GPU_LANES, value, lanes));
    value = __vminu2(value, __byte_perm(value, 0, 0x1032));
#if __CUDA_ARCH__ >= 800
    if constexpr (REDUCES) value = __reduce_min_sync(GPU_LANES, value);
#endif
    return value;
}

/* The costs of a lane as words. `far`: FAR in the halves of candidates that do not exist. */
template <int WORDS>
__device__ static __forceinline__ void unpack(const typename stored<WORDS>::costs &from, const uint32_t (&far)[WORDS],
                                              uint32_t (&costs)[WORDS]) {
    uint32_t bits[WORDS < 8 ? 1 : WORDS / 4]; /* four candidates, and in the upper half those WORDS later */
    if constexpr (WORDS == 1) {
        bits[0] = from | from << 12;
    } else if constexpr (WORDS == 2) {
        bits[0] = __byte_perm(from, 0, 0x4140);
    } else if constexpr (WORDS == 4) {
        bits[0] = from;
    } else if constexpr (WORDS == 8) {
        bits[0] = __byte_perm(from.x, from.y, 0x5410);
        bits[1] = __byte_perm(from.x, from.y, 0x7632);
    } else {
        bits[0] = __byte_perm(from.x, from.z, 0x5410);
        bits[1] = __byte_perm(from.x, from.z, 0x7632);
        bits[2] = __byte_perm(from.y, from.w, 0x5410);
        bits[3] = __byte_perm(from.y, from.w, 0x7632);
    }
#pragma unroll
    for (int j = 0; j < WORDS; j++) costs[j] = ((bits[j / 4] >> j % 4 * 4) & NIBBLES) | far[j];
}

/* Writes a value if `writes` is set. It is a predicated instruction, because an `if` would become a branch, which
 * prevents the instructions of different steps from being interleaved. The values are read once, by another kernel, and
 * need not stay in the cache. */
__device__ static __forceinline__ void store_one(uint8_t *to, uint32_t value, int bytes, bool writes) {
#define STORE(type)                                                                                                    \
    asm volatile("{\n .reg .pred p;\n setp.ne.s32 p, %2, 0;\n @p st.global.cs." type " [%0], %1;\n}" ::"l"(to),        \
                 "r"(value), "r"((int)writes)                                                                          \
                 : "memory")
    if (bytes == 1)
        STORE("u8");
    else if (bytes == 2)
        STORE("u16");
    else
        STORE("u32");
#undef STORE
}
__device__ static __forceinline__ void store_two(uint8_t *to, const uint32_t *words, bool writes) {
    asm volatile("{\n .reg .pred p;\n setp.ne.s32 p, %3, 0;\n @p st.global.cs.v2.u32 [%0], {%1, %2};\n}" ::"l"(to),
                 "r"(words[0]), "r"(words[1]), "r"((int)writes)
                 : "memory");
}
__device__ static __forceinline__ void store_four(uint8_t *to, const uint32_t *words, bool writes) {
    asm volatile(
        "{\n .reg .pred p;\n setp.ne.s32 p, %5, 0;\n @p st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};\n}" ::"l"(to),
        "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"((int)writes)
        : "memory");
}

/* Writes the words of a lane to `lower` and `upper` as sgm_arguments says. With one word, two lanes have the four
 * candidates that share bytes, and the first of them writes. Bits are moved by multiplications: see `step`. */
template <int WORDS>
__device__ static __forceinline__ void store(uint8_t *lower, uint8_t *upper, const uint32_t (&words)[WORDS],
                                             uint32_t one, bool writes) {
    enum : uint32_t { LOWER = 0x0f0f0f0f, UPPER = 0x30303030 };
    if constexpr (WORDS <= 2) {
        /* Bytes: candidates 0, 1, 2, 3. */
        const uint32_t next = WORDS == 1 ? __shfl_down_sync(GPU_LANES, words[0], 1) : words[WORDS - 1];
        const uint32_t four = WORDS == 1 ? __byte_perm(words[0], next, 0x6420) : words[0] + next * 256;
        store_one(lower, (four & LOWER) * 0x00010010 >> 16, 2, writes);
        store_one(upper, (four & UPPER) * 0x00110044 >> 24, 1, writes);
    } else {
        enum { SETS = WORDS / 4 };
        /* Of each set, the lower bits of candidates 4 i.., and in the upper half of WORDS + 4 i..; the upper bits of
         * these in bytes 1 and 3. */
        uint32_t low[SETS], high[SETS];
#pragma unroll
        for (int i = 0; i < SETS; i++) {
            /* Bytes: candidates 0, 1, WORDS, WORDS + 1 of the set, and those two after them. */
            const uint32_t a = words[4 * i] + words[4 * i + 1] * 256, b = words[4 * i + 2] + words[4 * i + 3] * 256;
            const uint32_t low_a = a & LOWER, low_b = b & LOWER;
            low[i] = low_a + low_b * (16 * one);
            high[i] = ((a * one - low_a) + (b * one - low_b) * 4) * 17;
        }
        if constexpr (WORDS == 4) {
            store_one(lower, low[0], 4, writes);
            store_one(upper, __byte_perm(high[0], 0, 0x4431), 2, writes);
        } else {
            uint32_t lows[2 * SETS / 2], pairs[SETS];
#pragma unroll
            for (int i = 0; i < SETS / 2; i++) {
                lows[i] = __byte_perm(low[2 * i], low[2 * i + 1], 0x5410);
                lows[SETS / 2 + i] = __byte_perm(low[2 * i], low[2 * i + 1], 0x7632);
                pairs[i] = __byte_perm(high[2 * i], high[2 * i + 1], 0x7351);
            }
            if constexpr (WORDS == 8) {
                store_two(lower, lows, writes);
                store_one(upper, pairs[0], 4, writes);
            } else {
                const uint32_t highs[2] = {__byte_perm(pairs[0], pairs[1], 0x5410),
                                           __byte_perm(pairs[0], pairs[1], 0x7632)};
                store_four(lower, lows, writes);
                store_two(upper, highs, writes);
            }
        }
    }
}

/* Path costs of the candidates of the pixel before. A line begins with zeros. */
template <int WORDS> struct path {
    uint32_t before[WORDS];
    uint32_t least; /* of them, in both halves */
};

/* Eq. 13: advances by one pixel. What depends on the smallest cost of the pixel before comes last.
 *
 * Minima, permutations, logic and sums occupy one pipeline of a multiprocessor, and products another one; each
 * takes an instruction every other cycle. So sums are products with `one`, which is 1 and which the compiler must not
 * know, `p1` is added to each word once, to both halves, and three words are compared at once.
 *
 * `outer` has the first and the last candidate of the lane. At the ends of a line a shuffle returns the lane's own
 * word, and the selectors `below_first` and `above_last` of __byte_perm take the candidate itself from it in place of
 * the missing neighbour: its cost plus p1 never beats its cost. */
template <int WORDS, int LANES>
__device__ static __forceinline__ void step(path<WORDS> *p, const uint32_t (&costs)[WORDS], uint32_t jump, uint32_t p1,
                                            uint32_t one, unsigned below_first, unsigned above_last) {
    uint32_t near[WORDS], cheapest = UINT32_MAX; /* the costs of a change by one candidate */
#pragma unroll
    for (int j = 0; j < WORDS; j++) near[j] = p1 * 0x10001u + p->before[j];
    const uint32_t outer = __byte_perm(near[0], near[WORDS - 1], 0x7610);
    const uint32_t up = __shfl_up_sync(GPU_LANES, outer, 1, LANES), down = __shfl_down_sync(GPU_LANES, outer, 1, LANES);
#pragma unroll
    for (int j = 0; j < WORDS; j++) {
        const uint32_t below = j ? near[j ? j - 1 : 0] : __byte_perm(up, near[WORDS - 1], below_first);
        const uint32_t above = j + 1 < WORDS ? near[j + 1 < WORDS ? j + 1 : 0] : __byte_perm(near[0], down, above_last);
        const uint32_t least = gpu_least_of_three(below, above, p->before[j]);
        p->before[j] = gpu_least_of_sums(p->least, jump, least) * one + (costs[j] * one - p->least);
        cheapest = __vminu2(cheapest, p->before[j]);
    }
    p->least = least_of_line<LANES>(cheapest);
}

/* The data of STEPS pixels of the lines of a warp. It is copied asynchronously, STAGES - 1 chunks ahead: the compiler
 * would move plain reads to the end of a loop, where they are too late. */
template <int WORDS, int LANES> struct chunk {
    enum {
        STEPS = LANES == GPU_WARP && WORDS < 8 ? 8
                : WORDS < 16                   ? 4
                                               : 2,
        STAGES = 4,
        JUMPS = LANES == GPU_WARP ? 1 : GPU_WARP
    };
    typename stored<WORDS>::costs costs[STEPS][GPU_WARP];
    uint32_t jumps[STEPS][JUMPS]; /* to the pixels, in both halves: for each lane, or for all */
};

/* Copies the chunks of lines; each lane copies what it needs itself. */
template <int WORDS, int LANES> struct copier {
    typedef chunk<WORDS, LANES> to_type;
    const uint8_t *costs;
    const uint32_t *jump;
    int64_t pitch;
    int left; /* steps */

    __device__ copier(const sgm_arguments &a, const line &l, const uint32_t *jumps, int lane) {
        /* Lanes without candidates copy the costs of other lanes. */
        const int k = min(lane % LANES * 2 * WORDS, a.pitch - 2 * WORDS);
        pitch = a.pitch / 2;
        costs = a.costs + l.first * pitch + k / 2;
        jump = jumps;
        left = l.length;
    }
    __device__ __forceinline__ void copy(to_type *to, const line &l, const sgm_arguments &, int lane) {
        enum { STEPS = to_type::STEPS };
        const auto copy_step = [&](int i) {
            __pipeline_memcpy_async(&to->costs[i][lane], costs, sizeof **to->costs);
            if (to_type::JUMPS > 1 || lane == 0)
                __pipeline_memcpy_async(&to->jumps[i][lane % to_type::JUMPS], jump, sizeof *jump);
            costs += l.step * pitch;
            jump += l.step;
        };
        if (left >= STEPS) {
#pragma unroll
            for (int i = 0; i < STEPS; i++) copy_step(i);
        } else {
#pragma unroll 1
            for (int i = 0; i < left; i++) copy_step(i);
        }
        left -= STEPS;
    }
};

/* For a line that has all lanes: they divide the costs of its pixels in memory among themselves, in units of
 * UNIT bytes. */
template <int WORDS> struct copier<WORDS, GPU_WARP> {
    typedef chunk<WORDS, GPU_WARP> to_type;
    enum {
        STEPS = to_type::STEPS,
        UNIT = WORDS == 1   ? 4
               : WORDS < 16 ? 8
                            : 16, /* which divides half the pitch: see gpu_sgm_pitch */
        COPIES = STEPS * WORDS / UNIT
    };
    const uint8_t *costs[COPIES];
    int to_byte[COPIES], step_of[COPIES];
    const uint32_t *jump;
    int left;

    __device__ copier(const sgm_arguments &a, const line &l, const uint32_t *jumps, int lane) {
        const int pitch = a.pitch / 2, units = pitch / UNIT;
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            const int unit = i * GPU_WARP + lane, byte = unit % units * UNIT;
            step_of[i] = unit / units;
            to_byte[i] = step_of[i] * GPU_WARP * WORDS + byte;
            costs[i] = a.costs + (l.first + step_of[i] * l.step) * pitch + byte;
            if (step_of[i] >= STEPS) step_of[i] = l.length; /* there is nothing for this lane to copy */
        }
        jump = jumps + lane * l.step;
        left = l.length;
    }
    __device__ __forceinline__ void copy(to_type *to, const line &l, const sgm_arguments &a, int lane) {
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            if (step_of[i] < left) __pipeline_memcpy_async((uint8_t *)to->costs + to_byte[i], costs[i], UNIT);
            costs[i] += STEPS * l.step * (a.pitch / 2);
        }
        if (lane < min(STEPS, left)) __pipeline_memcpy_async(to->jumps[lane], jump, sizeof *jump);
        jump += STEPS * l.step;
        left -= STEPS;
    }
};

/* Follows a line. `lane`: of the warp. `has`: whether the line exists. `chunks`: a ring of STAGES. */
template <int WORDS, int LANES>
__device__ static __forceinline__ void follow(const sgm_arguments &a, const line &l, int lane, bool has,
                                              chunk<WORDS, LANES> *chunks) {
    enum { STEPS = chunk<WORDS, LANES>::STEPS, STAGES = chunk<WORDS, LANES>::STAGES };
    const int k = lane % LANES * 2 * WORDS;
    const unsigned below_first = lane % LANES == 0 ? 0x5410 : 0x5432;
    const unsigned above_last = lane % LANES == LANES - 1 ? 0x7632 : 0x5432;
    uint32_t far[WORDS];
    has = has && k < a.pitch && (WORDS > 1 || lane % 2 == 0);
#pragma unroll
    for (int j = 0; j < WORDS; j++)
        far[j] = (k + j < a.candidates ? 0 : FAR) | (k + j + WORDS < a.candidates ? 0 : FAR << 16);

    /* Between two pixels the jump is stored with the one that is further down, or further right in a row. */
    const uint32_t *jumps = a.jumps[l.direction / 2] + l.first - (l.direction % 2 ? l.step : 0);
    copier<WORDS, LANES> copies(a, l, jumps, lane);
    const int64_t ahead = l.step * (a.pitch / 4); /* the bytes of `upper` from one step to the next */
    uint8_t *lower = a.lower[l.direction] + (l.first * a.pitch + k) / 2;
    uint8_t *upper = a.upper[l.direction] + (l.first * a.pitch + k) / 4;
    path<WORDS> p = {};
    const auto walk = [&](const chunk<WORDS, LANES> &c, int i) {
        uint32_t costs[WORDS];
        unpack<WORDS>(c.costs[i][lane], far, costs);
        step<WORDS, LANES>(&p, costs, c.jumps[i][lane % chunk<WORDS, LANES>::JUMPS], a.p1, a.one, below_first,
                           above_last);
        store<WORDS>(lower, upper, p.before, a.one, has);
        lower += 2 * ahead;
        upper += ahead;
    };
    const auto copy = [&](int number) {
        copies.copy(&chunks[number % STAGES], l, a, lane);
        __pipeline_commit();
    };
    for (int i = 0; i < STAGES - 1; i++) copy(i);
    int number = 0;
    for (int left = l.length; left > 0; left -= STEPS, number++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncwarp();
        copy(number + STAGES - 1);
        const chunk<WORDS, LANES> &c = chunks[number % STAGES];
        if (left >= STEPS) {
#pragma unroll
            for (int i = 0; i < STEPS; i++) walk(c, i);
        } else {
#pragma unroll 1
            for (int i = 0; i < left; i++) walk(c, i);
        }
    }
}

/* Blocks of one warp spread best over the multiprocessors. The first blocks have a row each, rightwards and then
 * leftwards, because rows take longest; then come columns, down and up. ALONE: columns have all lanes of a warp, too.
 */
template <int WORDS, bool ALONE>
__global__ static void __launch_bounds__(GPU_WARP) paths_kernel(const __grid_constant__ sgm_arguments a) {
    enum {
        COLUMN_WORDS = ALONE ? WORDS : (int)columns<WORDS>::WORDS,
        LANES = ALONE ? (int)GPU_WARP : (int)columns<WORDS>::LANES,
        LINES = GPU_WARP / LANES
    };
    __shared__ union {
        chunk<WORDS, GPU_WARP> row[chunk<WORDS, GPU_WARP>::STAGES];
        chunk<COLUMN_WORDS, LANES> column[chunk<COLUMN_WORDS, LANES>::STAGES];
    } chunks;
    const int lane = threadIdx.x, column_blocks = (a.width + LINES - 1) / LINES;
    int index = blockIdx.x;
    line l = {};
    if (index < 2 * a.height) {
        l.direction = index / a.height;
        l.step = l.direction ? -1 : 1;
        l.first = (size_t)(index % a.height) * a.width + (l.direction ? a.width - 1 : 0);
        l.length = a.width;
        follow<WORDS, GPU_WARP>(a, l, lane, true, chunks.row);
        return;
    }
    index -= 2 * a.height;
    const int column = index % column_blocks * LINES + lane / LANES, x = min(column, a.width - 1);
    l.direction = 2 + index / column_blocks;
    l.length = a.height;
    l.step = l.direction % 2 ? -a.width : a.width;
    l.first = x + (l.direction % 2 ? (size_t)(a.height - 1) * a.width : 0);
    follow<COLUMN_WORDS, LANES>(a, l, lane, column < a.width, chunks.column);
}

template <int WORDS> static sv_status launch(gpu_context *context, const sgm_arguments &a, sv_error *error) {
    enum { SCHEDULERS = 4 }; /* of a multiprocessor */
    const int column_blocks = gpu_blocks(a.width, GPU_WARP / columns<WORDS>::LANES);
    /* With less than one warp of columns per scheduler, the time is that which a warp takes for a column. */
    if (2 * column_blocks < SCHEDULERS * context->multiprocessors)
        paths_kernel<WORDS, true><<<2 * a.height + 2 * a.width, GPU_WARP, 0, context->compute>>>(a);
    else
        paths_kernel<WORDS, false><<<2 * a.height + 2 * column_blocks, GPU_WARP, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

int gpu_sgm_pitch(int count) {
    const int share = gpu_share_of_lane(count), least = share < 4 ? 8 : 16, unit = share > least ? share : least;
    return gpu_blocks(count, unit) * unit;
}

sv_status gpu_sgm_paths(gpu_context *context, const sgm_arguments &a, sv_error *error) {
    return gpu_with_words(a.candidates, [&](auto words) { return launch<words>(context, a, error); });
}
