/* The paths of gfd: costs are aggregated along columns and rows, and the cheapest path through each row is found and
 * traced back. cpu/gfd.c says what is computed.
 *
 * A step of the aggregation is a chain of some 20 dependent instructions: two shuffles, minima and sums, and a minimum
 * over the warp. One launch takes both directions of all columns, and the rows to the left, which take longest because
 * they are longest. Along a row, one warp takes the last direction and another one the search. For each candidate, the
 * first launch moves 11 bytes and the second one 5; 1.1 GB for 1242 x 375 with 71 candidates and both maps, for which
 * an H200 needs 0.25 ms. It takes 0.62, since a step takes 61 instructions of a warp, in the second launch 170, most of
 * which wait for the one before. */
#include <cuda_pipeline_primitives.h>

#include "gpu/gfd.cuh"
#include "gpu/least.cuh"

enum {
    TRACE = GPU_WARP, /* pixels that are traced back at a time */
    FROM_SAME = 0,
    FROM_BELOW,
    FROM_ABOVE,
    FROM_BEST, /* where a path comes from, in the order that ties are decided */
};

/* In the next two kernels a warp follows lines of pixels, and a lane has 2 PAIRS candidates of each, in registers: from
 * 2 PAIRS * lane on, two in a word, each below 2^16. Lanes exchange the outer ones by shuffles; no block barrier is
 * needed. A line is a chain of dependent steps, so its number of pixels determines how long the kernel takes, unless
 * there are more lines than the card holds warps. Therefore pixels are copied to shared memory some chunks of a line
 * early, asynchronously: what is read into registers early is waited for together with what was read last. */
template <int PAIRS> struct alignas(PAIRS < 4 ? 4 * PAIRS : 16) candidates { uint32_t pair[PAIRS]; };

/* The same in memory, with a byte for each. */
template <int PAIRS> struct alignas(PAIRS < 8 ? 2 * PAIRS : 16) bytes { uint32_t four[PAIRS / 2]; };
template <> struct bytes<1> { uint16_t four[1]; };

/* What a line does with what its paths add. */
enum role {
    BEGINS,   /* writes it to `sums`, and the costs */
    ADDS,     /* to `sums` */
    KEEPS,    /* writes it to `ways` */
    COMPLETES /* adds `sums` and `ways` to it */
};

/* The data of successive pixels of a line, by lanes. WAYS: whether a role needs them. */
template <int PAIRS, bool WAYS> struct chunk {
    enum { STEPS = PAIRS < 8 ? 8 / PAIRS : 1, STAGES = 4 };
    bytes<PAIRS> costs[STEPS][GPU_WARP];
    candidates<PAIRS> sums[STEPS][GPU_WARP], ways[WAYS ? STEPS : 1][WAYS ? GPU_WARP : 1];
    uint32_t jumps[STEPS]; /* to the pixels, twice */
};

/* What a lane has of a pixel. */
template <int PAIRS> struct reading {
    bytes<PAIRS> costs;
    candidates<PAIRS> sums, ways;
    uint32_t jump;
};

/* A line of pixels. */
struct path {
    size_t pixel, first; /* its first pixel; of this, the lane's first candidate in the volumes */
    int step, stride;    /* from one pixel to the next, in pixels and in candidates; < 0: backwards */
    int length;
    bool has; /* this lane has candidates */
};

template <int PAIRS>
__device__ static __forceinline__ path path_from(const gfd_arguments &a, size_t pixel, int step, int length, int lane) {
    const int own = lane * 2 * PAIRS;
    return {pixel, pixel * a.pitch + own, step, step * a.pitch, length, own < a.pitch};
}

/* Begins to copy what a lane has of a pixel. With two bytes, which cannot be copied, every second lane copies those of
 * two: the next lane's follow. */
template <typename type> __device__ static __forceinline__ void copy(type *to, const void *from, bool has) {
    enum { SIZE = sizeof(type) < 4 ? 4 : sizeof(type), PIECE = SIZE < 16 ? SIZE : 16 };
    if (sizeof(type) < 4 && threadIdx.x % 2) return;
#pragma unroll
    for (int i = 0; i < SIZE; i += PIECE)
        if (has) __pipeline_memcpy_async((char *)to + i, (const char *)from + i, PIECE);
}

/* Copies the chunks of a line. */
template <role ROLE, int PAIRS> struct copier {
    typedef chunk<PAIRS, ROLE == COMPLETES> to_type;
    const uint8_t *costs;
    const uint16_t *sums, *ways;
    const uint32_t *jump;
    int stride, jump_step, left; /* left: pixels */
    bool has, has_jump;

    /* Backwards, the jump to a pixel is stored with the pixel before it. That to the first pixel has no effect. */
    __device__ copier(const gfd_arguments &a, const uint32_t *jumps, const path &p) {
        const int lane = threadIdx.x, back = p.step < 0;
        costs = a.costs + p.first;
        sums = a.sums + p.first;
        ways = a.ways + p.first;
        jump = jumps + p.pixel + (int64_t)(lane - back) * p.step;
        has_jump = lane >= back;
        stride = p.stride;
        jump_step = p.step;
        left = p.length;
        has = p.has;
    }
    __device__ __forceinline__ void copy_next(to_type *to) {
        enum { STEPS = to_type::STEPS };
        const int lane = threadIdx.x;
        const auto copy_step = [&](int i) {
            copy(&to->costs[i][lane], costs, has);
            if (ROLE == ADDS || ROLE == COMPLETES) copy(&to->sums[i][lane], sums, has);
            if (ROLE == COMPLETES) copy(&to->ways[i][lane], ways, has);
            costs += stride;
            sums += stride;
            ways += stride;
        };
        if (left >= STEPS) {
#pragma unroll
            for (int i = 0; i < STEPS; i++) copy_step(i);
        } else {
#pragma unroll 1
            for (int i = 0; i < left; i++) copy_step(i);
        }
        copy(&to->jumps[min(lane, STEPS - 1)], jump, has_jump && lane < min((int)STEPS, left));
        has_jump = true;
        jump += (ptrdiff_t)jump_step * STEPS;
        left -= STEPS;
        __pipeline_commit();
    }
};

/* Writes a pixel of a line to a volume, and goes on to the next one. */
template <int PAIRS>
__device__ static __forceinline__ void write(const path &p, uint16_t *&to, const candidates<PAIRS> &values) {
    if (p.has) *(candidates<PAIRS> *)to = values;
    to += p.stride;
}

/* Follows a line chunk by chunk. `chunks`: a ring of STAGES. */
template <role ROLE, int PAIRS> struct walker {
    typedef chunk<PAIRS, ROLE == COMPLETES> chunk_type;
    enum { STEPS = chunk_type::STEPS, STAGES = chunk_type::STAGES };
    chunk_type *chunks;
    copier<ROLE, PAIRS> copies;
    int begin, length, now; /* `now`: the chunk of the ring that is next */

    /* Only the warp that `walks` may do so. */
    __device__ walker(const gfd_arguments &a, chunk_type *ring, const uint32_t *jumps, const path &p, bool walks)
        : chunks(ring), copies(a, jumps, p), begin(0), length(p.length), now(0) {
        for (int i = 0; walks && i < STAGES - 1; i++) copies.copy_next(&chunks[i]);
    }
    __device__ __forceinline__ reading<PAIRS> read(int i) const {
        const int lane = threadIdx.x;
        reading<PAIRS> pixel = {};
        pixel.costs = chunks[now].costs[i][lane];
        if (ROLE == ADDS || ROLE == COMPLETES) pixel.sums = chunks[now].sums[i][lane];
        if (ROLE == COMPLETES) pixel.ways = chunks[now].ways[i][lane];
        pixel.jump = chunks[now].jumps[i];
        return pixel;
    }
    /* Calls `follow(i, pixel)` for each pixel of the next chunk, in order; `i` is counted along the line. */
    template <typename follower> __device__ __forceinline__ void walk(const follower &follow) {
        __pipeline_wait_prior(STAGES - 2);
        __syncwarp();
        copies.copy_next(&chunks[(now + STAGES - 1) % STAGES]);
        if (begin + STEPS <= length) {
            reading<PAIRS> pixels[STEPS]; /* read before the chain begins */
#pragma unroll
            for (int i = 0; i < STEPS; i++) pixels[i] = read(i);
#pragma unroll
            for (int i = 0; i < STEPS; i++) follow(begin + i, pixels[i]);
        } else {
#pragma unroll 1
            for (int i = 0; begin + i < length; i++) follow(begin + i, read(i));
        }
        begin += STEPS;
        now = (now + 1) % STAGES;
    }
    /* The ring may be used anew. */
    __device__ __forceinline__ void end(void) {
        __pipeline_wait_prior(0);
        __syncwarp();
    }
};

/* For each candidate of the lane, GFD_FAR if there is none, so that it does not matter what is read for it; otherwise
 * 0.
 */
template <int PAIRS> __device__ static __forceinline__ candidates<PAIRS> far_of(const gfd_arguments &a, int lane) {
    candidates<PAIRS> far;
#pragma unroll
    for (int j = 0; j < PAIRS; j++) {
        const int k = 2 * (lane * PAIRS + j);
        far.pair[j] = (k < a.candidates ? 0 : GFD_FAR) | (k + 1 < a.candidates ? 0 : GFD_FAR << 16);
    }
    return far;
}

template <int PAIRS>
__device__ static __forceinline__ candidates<PAIRS> costs_of(const bytes<PAIRS> &costs, const candidates<PAIRS> &far) {
    candidates<PAIRS> unpacked;
#pragma unroll
    for (int j = 0; j < PAIRS; j++)
        unpacked.pair[j] = __byte_perm(costs.four[j / 2], 0, j % 2 ? 0x4342 : 0x4140) | far.pair[j];
    return unpacked;
}

__device__ static __forceinline__ unsigned least_of_warp(unsigned value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(GPU_LANES, value);
#else
    for (int lanes = GPU_WARP / 2; lanes > 0; lanes /= 2) value = min(value, __shfl_xor_sync(GPU_LANES, value, lanes));
    return value;
#endif
}

/* The path costs along a line, which begins with zeros. */
template <int PAIRS> struct smoothing {
    uint32_t before[PAIRS]; /* path costs of the pixel before */
    uint32_t least;         /* the smallest of them, twice */
    uint32_t way[PAIRS];    /* path costs to this pixel's candidates, without their own costs */
};

template <int PAIRS>
__device__ static __forceinline__ void smooth(smoothing<PAIRS> *s, const candidates<PAIRS> &costs, uint32_t jump,
                                              uint32_t by_one, int lane) {
    uint32_t last = __shfl_up_sync(GPU_LANES, s->before[PAIRS - 1], 1),
             next = __shfl_down_sync(GPU_LANES, s->before[0], 1);
    if (lane == 0) last = GFD_FARS;
    if (lane == GPU_WARP - 1) next = GFD_FARS;
    uint32_t cheapest = UINT32_MAX;
#pragma unroll
    for (int j = 0; j < PAIRS; j++) {
        const uint32_t same = s->before[j], following = j + 1 < PAIRS ? s->before[j + 1 < PAIRS ? j + 1 : 0] : next;
        const uint32_t below = __byte_perm(last, same, 0x5432), above = __byte_perm(same, following, 0x5432);
        const uint32_t near = gpu_least_of_sums(__vminu2(below, above), by_one, same);
        s->way[j] = gpu_least_of_sums(s->least, jump, near) - s->least;
        s->before[j] = costs.pair[j] + s->way[j];
        cheapest = __vminu2(cheapest, s->before[j]);
        last = same;
    }
    s->least = least_of_warp(min(cheapest & 0xffff, cheapest >> 16)) * 0x10001u;
}

/* Follows the paths along a line. */
template <role ROLE, int PAIRS>
__device__ static __forceinline__ void smooth_line(const gfd_arguments &a, chunk<PAIRS, false> *chunks,
                                                   const uint32_t *jumps, const path &p, int lane) {
    const candidates<PAIRS> far = far_of<PAIRS>(a, lane);
    smoothing<PAIRS> s = {};
    walker<ROLE, PAIRS> w(a, chunks, jumps, p, true);
    uint16_t *to = (ROLE == KEEPS ? a.ways : a.sums) + p.first;
    while (w.begin < p.length)
        w.walk([&](int, const reading<PAIRS> &pixel) {
            const candidates<PAIRS> costs = costs_of(pixel.costs, far);
            smooth(&s, costs, pixel.jump, a.by_one * 0x10001u, lane);
            candidates<PAIRS> added = {};
#pragma unroll
            for (int j = 0; j < PAIRS; j++)
                added.pair[j] = s.way[j] + (ROLE == BEGINS ? costs.pair[j] : ROLE == ADDS ? pixel.sums.pair[j] : 0);
            write(p, to, added);
        });
    w.end();
}

/* A block is one warp. The first ones have a row each, to the left, and the others a column, down and then up; those of
 * both sides follow each other. */
template <int PAIRS>
__global__ static void __launch_bounds__(GPU_WARP) smooth_kernel(const __grid_constant__ gfd_arguments a) {
    __shared__ chunk<PAIRS, false> chunks[chunk<PAIRS, false>::STAGES];
    const int lane = threadIdx.x, side = blockIdx.x % a.sides, y = blockIdx.x / a.sides, x = y - a.height;
    if (x < 0) {
        const size_t end = row_of(a, side, y) + a.width - 1;
        smooth_line<KEEPS, PAIRS>(a, chunks, a.across, path_from<PAIRS>(a, end, -1, a.width, lane), lane);
        return;
    }
    const size_t top = row_of(a, side, 0) + x, bottom = row_of(a, side, a.height - 1) + x;
    smooth_line<BEGINS, PAIRS>(a, chunks, a.down, path_from<PAIRS>(a, top, a.width, a.height, lane), lane);
    __threadfence(); /* before the sums are copied */
    smooth_line<ADDS, PAIRS>(a, chunks, a.down, path_from<PAIRS>(a, bottom, -a.width, a.height, lane), lane);
}

/* A word for the predecessors of a lane's candidates: 2 bits each, those of the first candidate lowest. */
template <int PAIRS> struct moves { typedef uint8_t word; };
template <> struct moves<4> { typedef uint16_t word; };
template <> struct moves<8> { typedef uint32_t word; };
template <> struct moves<16> { typedef uint64_t word; };

/* Begins to copy the words of part `part` of a row, TRACE pixels, into shared memory. */
__device__ static __forceinline__ void fetch_moves(uint4 *to, const char *from, int part, size_t bytes, size_t end) {
    for (size_t i = threadIdx.x % GPU_WARP * sizeof(uint4); i < bytes && part * bytes + i < end;
         i += GPU_WARP * sizeof(uint4))
        __pipeline_memcpy_async((char *)to + i, from + part * bytes + i, sizeof(uint4));
    __pipeline_commit();
}

/* The complete sums of a chunk of pixels, by lanes, and the jumps to them. */
template <int PAIRS> struct completed {
    candidates<PAIRS> sums[chunk<PAIRS, true>::STEPS][GPU_WARP];
    uint32_t jumps[chunk<PAIRS, true>::STEPS];
};

/* The search for the cheapest path through the sums of a row.
 *
 * Path costs are relative to the smallest of the pixel before, and at most 240 + 5 * 8 * 16 * 100. They are multiplied
 * by four, with FROM_* in the lower bits: the smallest is then the cheapest and, of equal ones, the first. Likewise,
 * the smallest of 256 times that plus the candidate is the cheapest candidate and, of equal ones, the smallest
 * disparity. */
template <int PAIRS> struct searching {
    enum { OWN = 2 * PAIRS, CANDIDATE_BITS = 10, NEVER = 1 << 20 };
    typedef typename moves<PAIRS>::word word;
    unsigned before[OWN], least, winner;

    /* Goes on to the next pixel; returns where its paths come from. */
    __device__ __forceinline__ word step(const gfd_arguments &a, const candidates<PAIRS> &sums, uint32_t jumps,
                                         int lane) {
        const unsigned from_below = 4 * a.by_one + FROM_BELOW, from_above = 4 * a.by_one + FROM_ABOVE;
        const unsigned jump = 4 * (jumps & 0xffff) + FROM_BEST;
        unsigned last = __shfl_up_sync(GPU_LANES, before[OWN - 1], 1), next = __shfl_down_sync(GPU_LANES, before[0], 1);
        if (lane == 0) last = NEVER;
        if (lane == GPU_WARP - 1) next = NEVER;
        word ways = 0;
        unsigned cheapest[2] = {UINT32_MAX, UINT32_MAX};
#pragma unroll
        for (int j = 0; j < OWN; j++) {
            const int k = lane * OWN + j;
            const unsigned same = before[j], following = j + 1 < OWN ? before[j + 1 < OWN ? j + 1 : 0] : next;
            const unsigned near = gpu_least_of_sum(following, from_above, gpu_least_of_sum(last, from_below, same));
            const unsigned way = gpu_least_of_sum(least, jump, near);
            const unsigned sum = j % 2 ? sums.pair[j / 2] >> 16 : sums.pair[j / 2] & 0xffff;
            ways |= (word)((word)(way & 3) << 2 * j);
            before[j] = k < a.candidates ? (way & ~3u) + (4 * sum - least) : (unsigned)NEVER;
            cheapest[j % 2] = min(cheapest[j % 2], before[j] << (CANDIDATE_BITS - 2) | (unsigned)k);
            last = same;
        }
        const unsigned both = least_of_warp(min(cheapest[0], cheapest[1]));
        least = both >> CANDIDATE_BITS << 2;
        winner = both & ((1u << CANDIDATE_BITS) - 1);
        return ways;
    }
};

/* Aggregates to the right along a row of a side (blockIdx.y), with which the sums are complete, finds the cheapest path
 * through them, and traces it back. A block owns a row, so that rows spread over the multiprocessors. Its first warp
 * aggregates, and the other one searches the chunk before: each is a chain of its own.
 *
 * `from` has, for each pixel, a word of each lane that has candidates. traced: these words of 2 x TRACE pixels: one
 * half is copied while the other is used. */
template <int PAIRS>
__global__ static void __launch_bounds__(2 * GPU_WARP) rows_kernel(const __grid_constant__ gfd_arguments a) {
    enum { OWN = 2 * PAIRS, STEPS = chunk<PAIRS, true>::STEPS };
    typedef typename moves<PAIRS>::word word;
    __shared__ chunk<PAIRS, true> chunks[chunk<PAIRS, true>::STAGES];
    __shared__ completed<PAIRS> halves[2];
    __shared__ uint4 traced[2][TRACE * GPU_WARP * sizeof(word) / sizeof(uint4)];
    const int y = blockIdx.x, lane = threadIdx.x % GPU_WARP, side = blockIdx.y, lanes = a.pitch / OWN;
    const size_t row = row_of(a, side, y);
    int16_t *best = a.best + row;
    char *from = a.from + ((size_t)side * a.height + y) * a.from_pitch;
    const path p = path_from<PAIRS>(a, row, 1, a.width, lane);
    const bool aggregates = threadIdx.x < GPU_WARP, writes = gfd_wants_sums(a);
    const candidates<PAIRS> far = far_of<PAIRS>(a, lane);
    smoothing<PAIRS> last = {}; /* direction */
    searching<PAIRS> s = {};
    walker<COMPLETES, PAIRS> w(a, chunks, a.across, p, aggregates);
    uint16_t *to = a.sums + p.first;
    word *moves = (word *)from + lane;
    const auto search = [&](int x, const candidates<PAIRS> &sums, uint32_t jump) {
        const word ways = s.step(a, sums, jump, lane);
        if (lane < lanes) *moves = ways;
        moves += lanes;
        if (lane == 0) best[x] = (int16_t)s.winner;
    };
    for (int begin = 0; begin < a.width + STEPS; begin += STEPS) {
        const int half = begin / STEPS % 2, first = begin - STEPS; /* of the chunk before */
        const completed<PAIRS> &c = halves[1 - half];
        if (aggregates) {
            if (begin < a.width)
                w.walk([&](int x, const reading<PAIRS> &pixel) {
                    smooth(&last, costs_of(pixel.costs, far), pixel.jump, a.by_one * 0x10001u, lane);
                    candidates<PAIRS> sums;
#pragma unroll
                    for (int j = 0; j < PAIRS; j++)
                        sums.pair[j] = pixel.sums.pair[j] + pixel.ways.pair[j] + last.way[j];
                    if (writes) write(p, to, sums);
                    halves[half].sums[x % STEPS][lane] = sums;
                    if (lane == 0) halves[half].jumps[x % STEPS] = pixel.jump;
                });
        } else if (first >= 0 && first + STEPS <= a.width) {
            candidates<PAIRS> sums[STEPS];
            uint32_t jumps[STEPS];
#pragma unroll
            for (int i = 0; i < STEPS; i++) {
                sums[i] = c.sums[i][lane];
                jumps[i] = c.jumps[i];
            }
#pragma unroll
            for (int i = 0; i < STEPS; i++) search(first + i, sums[i], jumps[i]);
        } else if (first >= 0) {
#pragma unroll 1
            for (int i = 0; first + i < a.width; i++) search(first + i, c.sums[i][lane], c.jumps[i]);
        }
        __syncthreads();
    }
    if (aggregates) return;
    int winner = s.winner;
    /* The row is copied in whole uint4s, so the words after its end are set. */
    const size_t beyond = (size_t)a.width * lanes + lane;
    if (beyond < a.from_pitch / sizeof(word)) ((word *)from)[beyond] = 0;
    __syncwarp();

    const size_t bytes = TRACE * lanes * sizeof(word);
    int part = (a.width - 1) / TRACE;
    fetch_moves(traced[part % 2], from, part, bytes, a.from_pitch);
    int cheapest = best[sv_clamp(part * TRACE + lane - 1, a.width)]; /* of the pixel before this lane's */
    for (; part >= 0; part--) {
        if (part > 0) fetch_moves(traced[(part - 1) % 2], from, part - 1, bytes, a.from_pitch);
        if (part > 0)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        __syncwarp();
        const int next = part > 0 ? best[(part - 1) * TRACE + lane - (part > 1 || lane > 0)] : 0;
        const word *ways = (const word *)traced[part % 2] + lane * lanes;
        const int last = min(TRACE, a.width - part * TRACE) - 1;
        /* Each lane has a pixel and guesses that the path leads through its cheapest candidate. Corrections come from
         * the right until there are none. */
        int mine = __shfl_down_sync(GPU_LANES, cheapest, 1), to_left;
        for (bool changes = true; changes;) {
            if (lane >= last) mine = winner;
            const int way = (int)(ways[mine / OWN] >> mine % OWN * 2) & 3;
            to_left = way == FROM_BEST ? cheapest : mine + (way == FROM_ABOVE) - (way == FROM_BELOW);
            const int better = __shfl_down_sync(GPU_LANES, to_left, 1);
            changes = __any_sync(GPU_LANES, lane < last && mine != better);
            if (lane < last) mine = better;
        }
        winner = __shfl_sync(GPU_LANES, to_left, 0);
        const int x = part * TRACE + lane, d = a.min_disparity + mine, match = side == GPU_RIGHT ? x + d : x - d;
        if (x < a.width)
            a.winners[side][(size_t)y * a.width + x] = (int16_t)(match >= 0 && match < a.width ? mine : -1);
        cheapest = next;
        __syncwarp(); /* before the half that was used is written to */
    }
}

template <int PAIRS> static sv_status find_paths(gpu_context *context, const gfd_arguments &a, sv_error *error) {
    smooth_kernel<PAIRS><<<(a.height + a.width) * a.sides, GPU_WARP, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    rows_kernel<PAIRS><<<dim3(a.height, a.sides), 2 * GPU_WARP, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

size_t gpu_gfd_from_pitch(const gfd_arguments *a) {
    const int own = gpu_share_of_lane(a->candidates), word = own < 4 ? 1 : own / 4;
    return ((size_t)a->width * (a->pitch / own) * word + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4);
}

sv_status gpu_gfd_paths(gpu_context *context, const gfd_arguments &a, sv_error *error) {
    return gpu_with_words(a.candidates, [&](auto words) { return find_paths<words>(context, a, error); });
}
