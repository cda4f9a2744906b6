/* The paths of gfd: costs are aggregated along columns and rows, and the cheapest path through each row is found and
 * traced back. cpu/gfd.c says what is computed.
 *
 * A step of the aggregation is a chain of some 40 dependent instructions: two shuffles, eight words of minima and sums,
 * and a minimum over the warp, 0.14 us in all on an H200. One launch takes both directions of all columns, another one
 * those of all rows. Along a row, the last direction runs together with the search, so that their instructions fill
 * each other's gaps. Asynchronous copies into shared memory (cp.async) instead of reads into registers were no
 * faster. */
#include <cuda_pipeline_primitives.h>

#include "gpu/gfd.cuh"

enum {
    COLUMN_WARPS = 4, /* of a block whose warps have a column of pixels each */
    TRACE = GPU_WARP, /* pixels that are traced back at a time */
    FROM_SAME = 0,
    FROM_BELOW,
    FROM_ABOVE,
    FROM_BEST, /* where a path comes from, in the order that ties are decided */
};

/* In the next two kernels a warp follows lines of pixels, and a lane has 2 PAIRS candidates of each, in registers: from
 * 2 PAIRS * lane on, two in a word, each below 2^16. Lanes exchange the outer ones by shuffles; no block barrier is
 * needed. A line is a chain of dependent steps, so its number of pixels determines how long the kernel takes, unless
 * there are more lines than the card holds warps. Therefore pixels are read AHEAD steps early. */
template <int PAIRS> struct alignas(PAIRS < 4 ? 4 * PAIRS : 16) candidates { uint32_t pair[PAIRS]; };

/* The data of a pixel that a lane reads. */
template <int PAIRS> struct reading {
    enum { AHEAD = PAIRS < 4 ? 8 : 16 / PAIRS };
    candidates<PAIRS> costs, sums;
    uint32_t jump; /* to it, twice */
};

/* A line of pixels. Pointers are to the data that is read next, and to where the next sums are written. */
struct path {
    const uint32_t *jump;
    const uint16_t *costs, *sums;
    uint16_t *out;
    ptrdiff_t step, stride; /* from one pixel to the next, in pixels and in candidates; < 0: backwards */
    int length;
    bool begins; /* this is the first term of the sums, which are not read */
    bool has;    /* this lane has candidates */
};

/* The line that begins at `pixel`. Backwards, the jump to a pixel is stored with the pixel before it. */
template <int PAIRS>
__device__ static __forceinline__ path path_from(const gfd_arguments &a, const uint32_t *jumps, size_t pixel, int step,
                                                 int length, bool begins, int lane) {
    const size_t first = pixel * a.pitch + lane * 2 * PAIRS;
    return {jumps + pixel,
            a.costs + first,
            a.sums + first,
            a.sums + first,
            step,
            (ptrdiff_t)step * a.pitch,
            length,
            begins,
            lane * 2 * PAIRS < a.pitch};
}

/* Reads the pixel of step `i`, if the line is that long. */
template <int PAIRS> __device__ static __forceinline__ void read_ahead(reading<PAIRS> *to, path *p, int i) {
    if (i < p->length) {
        to->jump = *p->jump;
        if (p->has) to->costs = *(const candidates<PAIRS> *)p->costs;
        if (p->has && !p->begins) to->sums = *(const candidates<PAIRS> *)p->sums;
    }
    p->jump += p->step;
    p->costs += p->stride;
    p->sums += p->stride;
}

template <int PAIRS> __device__ static __forceinline__ void begin_reading(reading<PAIRS> *to, path *p) {
#pragma unroll
    for (int i = 0; i < reading<PAIRS>::AHEAD; i++) {
#pragma unroll
        for (int j = 0; j < PAIRS; j++) to[i].costs.pair[j] = to[i].sums.pair[j] = GFD_FARS;
        read_ahead(&to[i], p, i);
        /* The first jump has no effect; backwards, its entry also holds the second one. */
        if (i == 0 && p->step < 0) p->jump -= p->step;
    }
}

/* Writes the sums of the next step. */
template <int PAIRS> __device__ static __forceinline__ void write_sums(path *p, const candidates<PAIRS> &sums) {
    if (p->has) *(candidates<PAIRS> *)p->out = sums;
    p->out += p->stride;
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
__device__ static __forceinline__ void smooth(smoothing<PAIRS> *s, const reading<PAIRS> &pixel, uint32_t by_one,
                                              int lane) {
    const uint32_t jump = s->least + pixel.jump;
    uint32_t last = __shfl_up_sync(GPU_LANES, s->before[PAIRS - 1], 1),
             next = __shfl_down_sync(GPU_LANES, s->before[0], 1);
    if (lane == 0) last = GFD_FARS;
    if (lane == GPU_WARP - 1) next = GFD_FARS;
    uint32_t cheapest = UINT32_MAX;
#pragma unroll
    for (int j = 0; j < PAIRS; j++) {
        const uint32_t same = s->before[j], following = j + 1 < PAIRS ? s->before[j + 1 < PAIRS ? j + 1 : 0] : next;
        const uint32_t below = __byte_perm(last, same, 0x5432), above = __byte_perm(same, following, 0x5432);
        s->way[j] = __vminu2(__vminu2(same, jump), __vminu2(below, above) + by_one) - s->least;
        s->before[j] = pixel.costs.pair[j] + s->way[j];
        cheapest = __vminu2(cheapest, s->before[j]);
        last = same;
    }
    s->least = least_of_warp(min(cheapest & 0xffff, cheapest >> 16)) * 0x10001u;
}

/* Adds the path costs along a line to `sums`. */
template <int PAIRS> __device__ static __forceinline__ void smooth_line(const gfd_arguments &a, path p, int lane) {
    enum { AHEAD = reading<PAIRS>::AHEAD };
    reading<PAIRS> read[AHEAD];
    begin_reading(read, &p);
    smoothing<PAIRS> s = {};
    for (int begin = 0; begin < p.length; begin += AHEAD)
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            if (begin + i >= p.length) break;
            smooth(&s, read[i], a.by_one * 0x10001u, lane);
            candidates<PAIRS> sums = p.begins ? read[i].costs : read[i].sums;
#pragma unroll
            for (int j = 0; j < PAIRS; j++) sums.pair[j] += s.way[j];
            write_sums(&p, sums);
            read_ahead(&read[i], &p, begin + i + AHEAD);
        }
}

/* Aggregates down and up the columns of a side (blockIdx.y); a warp owns a column. */
template <int PAIRS>
__global__ static void __launch_bounds__(GPU_WARP *COLUMN_WARPS)
    columns_kernel(const __grid_constant__ gfd_arguments a) {
    const int x = blockIdx.x * COLUMN_WARPS + threadIdx.x / GPU_WARP, lane = threadIdx.x % GPU_WARP, side = blockIdx.y;
    if (x >= a.width) return;
    const size_t top = row_of(a, side, 0) + x, bottom = row_of(a, side, a.height - 1) + x;
    smooth_line<PAIRS>(a, path_from<PAIRS>(a, a.down, top, a.width, a.height, true, lane), lane);
    smooth_line<PAIRS>(a, path_from<PAIRS>(a, a.down, bottom, -a.width, a.height, false, lane), lane);
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

/* Aggregates to the left, then to the right along the rows of a side (blockIdx.y). A block is one warp and owns a row,
 * so that rows spread over the multiprocessors. On the way to the right it also finds the cheapest path through the
 * sums, which are then complete, and traces it back.
 *
 * Path costs are relative to the smallest of the pixel before, and at most 240 + 5 * 8 * 16 * 100. They are multiplied
 * by four, with FROM_* in the lower bits: the smallest is then the cheapest and, of equal ones, the first. Likewise,
 * the smallest of 256 times that plus the candidate is the cheapest candidate and, of equal ones, the smallest
 * disparity.
 *
 * `from` has, for each pixel, a word of each lane that has candidates. traced: these words of 2 x TRACE pixels: one
 * half is copied while the other is used. */
template <int PAIRS>
__global__ static void __launch_bounds__(GPU_WARP) rows_kernel(const __grid_constant__ gfd_arguments a) {
    enum { AHEAD = reading<PAIRS>::AHEAD, OWN = 2 * PAIRS, CANDIDATE_BITS = 10, NEVER = 1 << 20 };
    typedef typename moves<PAIRS>::word word;
    __shared__ uint4 traced[2][TRACE * GPU_WARP * sizeof(word) / sizeof(uint4)];
    const int y = blockIdx.x, lane = threadIdx.x, side = blockIdx.y, lanes = a.pitch / OWN, k = lane * OWN;
    const size_t row = row_of(a, side, y);
    smooth_line<PAIRS>(a, path_from<PAIRS>(a, a.across, row + a.width - 1, -1, a.width, false, lane), lane);

    int16_t *best = a.best + row;
    char *from = a.from + ((size_t)side * a.height + y) * a.from_pitch;
    path p = path_from<PAIRS>(a, a.across, row, 1, a.width, false, lane);
    reading<PAIRS> read[AHEAD];
    begin_reading(read, &p);
    smoothing<PAIRS> s = {};
    unsigned before[OWN] = {}, least = 0, winner = 0;
    const unsigned from_below = 4 * a.by_one + FROM_BELOW, from_above = 4 * a.by_one + FROM_ABOVE;
    for (int begin = 0; begin < a.width; begin += AHEAD)
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            const int x = begin + i;
            if (x >= a.width) break;
            smooth(&s, read[i], a.by_one * 0x10001u, lane);
            candidates<PAIRS> sums = read[i].sums;
#pragma unroll
            for (int j = 0; j < PAIRS; j++) sums.pair[j] += s.way[j];
            write_sums(&p, sums);

            const unsigned jump = least + 4 * (read[i].jump & 0xffff) + FROM_BEST;
            unsigned last = __shfl_up_sync(GPU_LANES, before[OWN - 1], 1),
                     next = __shfl_down_sync(GPU_LANES, before[0], 1);
            if (lane == 0) last = NEVER;
            if (lane == GPU_WARP - 1) next = NEVER;
            word ways = 0;
            unsigned cheapest = UINT32_MAX;
#pragma unroll
            for (int j = 0; j < OWN; j++) {
                const unsigned same = before[j], following = j + 1 < OWN ? before[j + 1 < OWN ? j + 1 : 0] : next;
                const unsigned way = min(min(same, last + from_below), min(following + from_above, jump));
                const unsigned sum = j % 2 ? sums.pair[j / 2] >> 16 : sums.pair[j / 2] & 0xffff;
                ways |= (word)((word)(way & 3) << 2 * j);
                before[j] = k + j < a.candidates ? (way & ~3u) - least + 4 * sum : NEVER;
                cheapest = min(cheapest, before[j] << (CANDIDATE_BITS - 2) | (unsigned)(k + j));
                last = same;
            }
            cheapest = least_of_warp(cheapest);
            least = cheapest >> CANDIDATE_BITS << 2;
            winner = cheapest & ((1u << CANDIDATE_BITS) - 1);
            if (lane < lanes) ((word *)from)[x * lanes + lane] = ways;
            if (lane == 0) best[x] = (int16_t)winner;
            read_ahead(&read[i], &p, x + AHEAD);
        }
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
        const word *ways = (const word *)traced[part % 2];
        int mine = 0;
        for (int i = min(TRACE, a.width - part * TRACE) - 1; i >= 0; i--) {
            if (lane == i) mine = winner;
            const int way = (int)(ways[i * lanes + winner / OWN] >> winner % OWN * 2) & 3;
            const int jump = __shfl_sync(GPU_LANES, cheapest, i);
            winner = way == FROM_BEST ? jump : winner + (way == FROM_ABOVE) - (way == FROM_BELOW);
        }
        const int x = part * TRACE + lane, d = a.min_disparity + mine, match = side == GPU_RIGHT ? x + d : x - d;
        if (x < a.width)
            a.winners[side][(size_t)y * a.width + x] = (int16_t)(match >= 0 && match < a.width ? mine : -1);
        cheapest = next;
        __syncwarp(); /* before the half that was used is written to */
    }
}

template <int PAIRS> static sv_status find_paths(gpu_context *context, const gfd_arguments &a, sv_error *error) {
    columns_kernel<PAIRS>
        <<<dim3(gpu_blocks(a.width, COLUMN_WARPS), a.sides), GPU_WARP * COLUMN_WARPS, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    rows_kernel<PAIRS><<<dim3(a.height, a.sides), GPU_WARP, 0, context->compute>>>(a);
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
