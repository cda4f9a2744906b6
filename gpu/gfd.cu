/* Generalised Fourier descriptors with dynamic programming. cpu/gfd.c and stereo/fourier.h say what is computed, and
 * name its source; here, every kernel processes both maps together.
 *
 * The transforms are direct sums: a 3 x 3 window has five terms in each plane, fewer than a library's transform would
 * read and write.
 *
 * Memory: for each map, three volumes of height x width x candidates, one of bytes and two of 2 bytes, and one of 2
 * bits.
 *
 * On an H200, 1242 x 375 with 71 candidates, both maps, in ms: descriptors 0.05, costs 0.18, their means 0.08, columns
 * and rows to the left 0.34, rows to the right and the search 0.28. 1.3 GB pass through memory, whose floor is 0.32 at
 * 4.2 TB/s. The costs are bound by 147 million warp instructions, at 81 % of the highest rate, and the paths by their
 * chains (see gfd_paths.cu). */
#include "gpu/gfd.cuh"

enum {
    BLOCK = 128,
    COST_BLOCK = 256,
    COST_COLUMNS = 96, /* of a block of costs */
    MEAN_BLOCK = 256,
    MEAN_ROWS = 16, /* of a block of means */
    MAX_RINGS = SV_MAX_RADIUS + 1,
};

/* The pixel of a side in colour, or in grey if there is no colour; the edges of the picture are repeated. */
__device__ static __forceinline__ uint32_t pixel_at(const gfd_arguments &a, int side, int x, int y) {
    x = sv_clamp(x, a.width);
    y = sv_clamp(y, a.height);
    return a.colour[side] ? a.colour[side][(size_t)y * a.width + x]
                          : gpu_row<const uint8_t>(a.grey[side], y)[x] * 0x01010101u;
}

__device__ static __forceinline__ uint32_t jump_between(const gfd_arguments &a, uint32_t p, uint32_t q) {
    return 0x10001u * sv_jump_cost(a.by_one, sv_edge((const uint8_t *)&p, (const uint8_t *)&q));
}

/* A thread reads one pixel of row blockIdx.y of a side (blockIdx.z). */
__global__ static void __launch_bounds__(BLOCK) planes_kernel(const __grid_constant__ gfd_arguments a) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y, side = blockIdx.z;
    if (x >= a.width) return;
    const sv_image &picture = a.grey[side];
    const uint8_t *grey = gpu_row<const uint8_t>(picture, y);
    const size_t plane = (size_t)a.width * a.height, pixel = (size_t)y * a.width + x;
    const uint32_t value = pixel_at(a, side, x, y);
    a.across[side * plane + pixel] = jump_between(a, value, pixel_at(a, side, x - 1, y));
    a.down[side * plane + pixel] = jump_between(a, value, pixel_at(a, side, x, y - 1));
    float *planes = a.planes + side * SV_PLANES * plane + pixel;
    for (int c = 0; c < 3; c++) planes[c * plane] = (float)(value >> 8 * c & 255);
    planes[3 * plane] = sv_gradient(grey[sv_clamp(x - 1, a.width)], grey[sv_clamp(x + 1, a.width)],
                                    gpu_row<const uint8_t>(picture, sv_clamp(y - 1, a.height))[x],
                                    gpu_row<const uint8_t>(picture, sv_clamp(y + 1, a.height))[x]);
}

/* A block describes BLOCK - 2 rho pixels of a row (blockIdx.y) of a side (blockIdx.z); the rest of its threads are the
 * halo, rho on each side. A thread sums down its column, and along the row for its pixel. Sums run from the centre
 * outwards, as on the CPU. RHO: the radius, so that loops over it are unrolled; 0: any.
 *
 * cosines, sines: 2 x BLOCK, the columns' sums of one v in one plane. They alternate between the halves, so that one
 * barrier for each is enough. energies: MAX_RINGS x BLOCK; a thread uses its own column, because registers cannot be
 * indexed. */
template <int RHO>
__global__ static void __launch_bounds__(BLOCK) describe_kernel(const __grid_constant__ gfd_arguments a) {
    __shared__ float cosines[2][BLOCK], sines[2][BLOCK], energies[RHO ? 1 : (int)MAX_RINGS][BLOCK];
    float unrolled[RHO + 1] = {}; /* energies */
    float4 found[RHO + 1] = {};   /* written at once, if RHO is set */
    const int rho = RHO ? RHO : a.rho, rings = rho + 1, n = 2 * rho + 1;
    const int t = threadIdx.x, y = blockIdx.y, side = blockIdx.z;
    const int x = blockIdx.x * (BLOCK - 2 * rho) + t - rho;
    const bool owns = t >= rho && t < BLOCK - rho && x < a.width;
    const auto energy = [&](int r) -> float & { return RHO ? unrolled[r] : energies[r][t]; };
    float4 *out = a.descriptors + row_of(a, side, y) + sv_clamp(x, a.width);
    const size_t pixels = row_of(a, GPU_SIDES, 0);
#pragma unroll
    for (int plane = 0; plane < SV_PLANES; plane++) {
        const float *column = a.planes + (size_t)(side * SV_PLANES + plane) * a.width * a.height + sv_clamp(x, a.width);
        for (int r = 0; r < rings; r++) energy(r) = 0;
#pragma unroll(RHO ? RHO + 1 : 1)
        for (int v = 0; v < rings; v++) {
            float cosine_sum = column[(size_t)y * a.width], sine_sum = 0;
            for (int j = 1, k = v; j <= rho; j++, k = k + v < n ? k + v : k + v - n) {
                const float above = column[(size_t)sv_clamp(y - j, a.height) * a.width];
                const float below = column[(size_t)sv_clamp(y + j, a.height) * a.width];
                cosine_sum += (below + above) * a.waves.cosine[k];
                sine_sum += (below - above) * a.waves.sine[k];
            }
            const int half = (plane * rings + v) % 2;
            cosines[half][t] = cosine_sum;
            sines[half][t] = sine_sum;
            __syncthreads();
            if (!owns) continue;
            const float *c = &cosines[half][t], *s = &sines[half][t];
#pragma unroll(RHO ? RHO + 1 : 1)
            for (int u = 0, ring = v; u < rings; u++) {
                ring += ring * (ring + 1) < u * u + v * v; /* sv_ring(u, v), which is at most one above the last */
                if (ring > rho) break;
                float cc = c[0], sc = s[0], cs = 0, ss = 0;
                for (int i = 1, k = u; i <= rho; i++, k = k + u < n ? k + u : k + u - n) {
                    const float cosine = a.waves.cosine[k], sine = a.waves.sine[k];
                    cc += (c[i] + c[-i]) * cosine;
                    cs += (c[i] - c[-i]) * sine;
                    sc += (s[i] + s[-i]) * cosine;
                    ss += (s[i] - s[-i]) * sine;
                }
                energy(ring) += sv_ring_weight(u, v) * ((cc * cc + cs * cs) + (sc * sc + ss * ss));
            }
        }
        for (int r = 0; owns && r < rings; r++) {
            float *to = RHO ? (float *)&found[r] : (float *)&out[r * pixels];
            to[plane] = sv_component(energy(r), n);
        }
    }
    if constexpr (RHO > 0)
        for (int r = 0; owns && r < rings; r++) out[r * pixels] = found[r];
}

/* ---- Costs ------------------------------------------------------------------------------------ */

/* The rounded root of a number from 1e-30 to 2^24: what sqrtf does, without a test for numbers beyond these. */
__device__ static __forceinline__ float root_of(float number) {
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(number));
    const float root = number * inverse;
    return __fmaf_rn(__fmaf_rn(-root, root, number), 0.5f * inverse, root);
}

/* What (int)(number + 0.5f) is, in the lowest byte, for numbers from 0 to 255: conversions take four times as long. */
__device__ static __forceinline__ uint32_t rounded(float number) {
    const float whole = 8388608.0f; /* 2^23: larger numbers have no fraction */
    return (uint32_t)__float_as_int(__fadd_rd(number + 0.5f, whole));
}

/* sv_descriptor_cost, see `rounded`. The sums of squares are exact as long as they matter, because distances are
 * truncated far below 2^24. They begin with a number that is lost in them, for root_of. RINGS: 0: any. */
template <int RINGS>
__device__ static __forceinline__ uint32_t cost_of(const gfd_arguments &a, const float4 *one, const float4 *other,
                                                   size_t pixels) {
    float colour = 1e-30f, gradient = 1e-30f;
    const auto add = [](float &sum, float difference) { sum = __fmaf_rn(difference, difference, sum); };
#pragma unroll(RINGS ? RINGS : 1)
    for (int i = 0; i < (RINGS ? RINGS : a.rings); i++) {
        const float4 p = one[i * pixels], q = other[i * pixels];
        add(colour, p.x - q.x);
        add(colour, p.y - q.y);
        add(colour, p.z - q.z);
        add(gradient, p.w - q.w);
    }
    const float c = root_of(fminf(colour, SV_COLOUR_LIMIT * SV_COLOUR_LIMIT));
    const float g = root_of(fminf(gradient, SV_GRADIENT_LIMIT * SV_GRADIENT_LIMIT));
    return rounded(a.alpha * c + (1.0f - a.alpha) * g);
}

/* Fills in `single` of both sides, which have the same costs: of COST_COLUMNS columns of the left picture in row
 * blockIdx.y, for which a block needs few more descriptors than it has columns and candidates. A thread has one
 * candidate of every `slots`-th column. Columns are counted from `origin`, since matches of the right side may lie
 * beyond the left picture.
 *
 * tile: the costs, as far apart that those of a right column, a diagonal, are in different banks. */
template <int RINGS>
__global__ static void __launch_bounds__(COST_BLOCK)
    cost_kernel(const __grid_constant__ gfd_arguments a, int chunk, int origin) {
    __shared__ uint8_t tile[COST_COLUMNS][COST_BLOCK / 2 + 3];
    const int y = blockIdx.y, first = blockIdx.z * chunk, count = min(chunk, a.pitch - first);
    const int own = threadIdx.x % chunk, slot = threadIdx.x / chunk, slots = COST_BLOCK / chunk;
    const int begin = origin + blockIdx.x * COST_COLUMNS, nearest = a.min_disparity + first;
    const uint32_t untried = sv_untried_cost(a.alpha);
    const size_t pixels = row_of(a, GPU_SIDES, 0);
    const float4 *left = a.descriptors + row_of(a, GPU_LEFT, y), *right = a.descriptors + row_of(a, GPU_RIGHT, y);
    uint8_t *to_left = a.single + row_of(a, GPU_LEFT, y) * a.pitch + first;
    uint8_t *to_right = a.single + row_of(a, GPU_RIGHT, y) * a.pitch + first;
    if (slot < slots && own < count)
#pragma unroll 4
        for (int i = slot; i < COST_COLUMNS; i += slots) {
            const int x = begin + i, match = x - nearest - own;
            const bool inside = x >= 0 && x < a.width;
            const uint32_t found =
                cost_of<RINGS>(a, left + sv_clamp(x, a.width), right + sv_clamp(match, a.width), pixels);
            const uint32_t cost = inside && match >= 0 && match < a.width ? found : untried;
            tile[i][own] = (uint8_t)cost;
            if (inside) to_left[x * a.pitch + own] = (uint8_t)cost;
        }
    if (a.sides == 1) return;
    __syncthreads();
    /* A warp takes a column at a time; `i`: where its first candidate would be in the tile. */
    for (int i = 1 - count + (int)threadIdx.x / GPU_WARP; i < COST_COLUMNS; i += COST_BLOCK / GPU_WARP) {
        const int x = begin + i - nearest;
        if (x < 0 || x >= a.width) continue;
        for (int k = max(0, -i) + threadIdx.x % GPU_WARP; k < min(count, COST_COLUMNS - i); k += GPU_WARP)
            to_right[x * a.pitch + k] = tile[i + k][k];
    }
}

/* Sums of the costs of four candidates, in 16 bits each: of the first and the third, and of the others. */
struct four_sums {
    uint32_t even, odd;
};
__device__ static __forceinline__ four_sums operator+(four_sums a, four_sums b) {
    return {a.even + b.even, a.odd + b.odd};
}
__device__ static __forceinline__ four_sums operator-(four_sums a, four_sums b) {
    return {a.even - b.even, a.odd - b.odd};
}
__device__ static __forceinline__ four_sums four_of(uint32_t bytes) {
    return {bytes & 0x00ff00ff, bytes >> 8 & 0x00ff00ff};
}

/* Fills in `costs`. A block has `chunk` words of four candidates (from blockIdx.y * chunk) of `tile` columns, and goes
 * down a band of MEAN_ROWS rows (blockIdx.z: the bands of both sides). A thread has one word of one column; those of
 * the outer columns are the halo. The box is moved down the columns; along the rows it is summed anew. RADIUS: of the
 * box, so that loops over it are unrolled; 0: any.
 *
 * columns: 2 x MEAN_BLOCK, the sums down the columns of the box around one row; two rows alternate, so that one barrier
 * a row is enough. */
template <int RADIUS>
__global__ static void __launch_bounds__(MEAN_BLOCK) mean_kernel(const __grid_constant__ gfd_arguments a) {
    enum { MOST = 8 }; /* columns of 31 costs of at most 240 that 16 bits hold */
    __shared__ four_sums columns[2][MEAN_BLOCK];
    const int radius = RADIUS ? RADIUS : a.aggregate, box = 2 * radius + 1;
    const int bands = (a.height + MEAN_ROWS - 1) / MEAN_ROWS, side = blockIdx.z / bands;
    const int top = blockIdx.z % bands * MEAN_ROWS, end = min(top + MEAN_ROWS, a.height);
    const int slot = threadIdx.x / a.chunk, words = a.pitch / 4;
    const int wanted = blockIdx.y * a.chunk + threadIdx.x % a.chunk, word = min(wanted, words - 1);
    const int x = (int)blockIdx.x * a.tile + slot - radius;
    const bool owns = slot >= radius && slot < radius + a.tile && x < a.width && wanted < words;
    const float portion = 1.0f / (float)(box * box);
    const int row = a.width * words;
    const uint32_t *single =
        (const uint32_t *)a.single + row_of(a, side, 0) * words + sv_clamp(x, a.width) * words + word;
    uint32_t *costs = (uint32_t *)a.costs + (row_of(a, side, top) + sv_clamp(x, a.width)) * words + word;
    const auto read = [&](int y) { return four_of(single[(size_t)sv_clamp(y, a.height) * row]); };
    four_sums sum = {};
    for (int j = -radius - 1; j < radius; j++) sum = sum + read(top + j);
    for (int y = top; y < end; y++, costs += row) {
        sum = sum + read(y + radius) - read(y - radius - 1);
        four_sums *own = &columns[y % 2][threadIdx.x];
        *own = sum;
        __syncthreads();
        if (!owns) continue;
        int sums[4] = {};
        for (int from = -radius; from <= radius; from += MOST) {
            four_sums part = {};
            for (int j = from; j <= min(from + MOST - 1, radius); j++) part = part + own[j * a.chunk];
            sums[0] += part.even & 0xffff;
            sums[1] += part.odd & 0xffff;
            sums[2] += part.even >> 16;
            sums[3] += part.odd >> 16;
        }
        uint32_t means[4]; /* sv_mean_cost */
#pragma unroll
        for (int i = 0; i < 4; i++) means[i] = rounded((float)sums[i] * portion);
        *costs = __byte_perm(__byte_perm(means[0], means[1], 0x0040), __byte_perm(means[2], means[3], 0x0040), 0x5410);
    }
}

/* ---- Decisions -------------------------------------------------------------------------------- */

/* A thread decides a pixel of the left map, in row blockIdx.y, from its winner. */
__global__ static void __launch_bounds__(BLOCK) decide_kernel(const __grid_constant__ gfd_arguments a) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y;
    if (x >= a.width) return;
    const uint16_t *costs = a.sums + ((size_t)y * a.width + x) * a.pitch; /* if they are wanted */
    const int winner = a.winners[GPU_LEFT][(size_t)y * a.width + x];
    const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, 0);
    const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, 0);
    float disparity = INFINITY;
    int reason = SV_BORDER;
    if (winner >= 0) {
        const uint32_t best = gfd_wants_sums(a) ? costs[winner] : 0;
        const bool refined =
            a.subpixel && winner > first && winner < last && best <= costs[winner - 1] && best <= costs[winner + 1];
        uint32_t second = SV_NO_COST;
        for (int k = first; a.uniqueness && k <= last; k++)
            if ((k < winner - 1 || k > winner + 1) && costs[k] < second) second = costs[k];
        reason = sv_decide_cost(winner, refined ? costs[winner - 1] : SV_NO_COST, best,
                                refined ? costs[winner + 1] : SV_NO_COST, SV_NO_COST,
                                sv_ambiguous_costs(best, second, a.uniqueness), a.min_disparity, 1, &disparity);
    }
    gpu_row<float>(a.maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
}

/* ---- Launching -------------------------------------------------------------------------------- */

/* Chooses `chunk` and `tile` so that few threads are idle. */
static void choose_tile(gfd_arguments *a) {
    enum { LEAST = 16 }; /* columns of a block, without the halo */
    const int halo = 2 * a->aggregate, words = a->pitch / 4, most = MEAN_BLOCK / (halo + LEAST);
    a->chunk = gpu_blocks(words, gpu_blocks(words, most));
    a->tile = MEAN_BLOCK / a->chunk - halo;
}

static size_t lay_out(gfd_arguments *a, void *base) {
    const size_t pixels = (size_t)GPU_SIDES * a->width * a->height, cells = pixels * a->pitch;
    size_t used = 0;
    a->across = (uint32_t *)gpu_carve(base, &used, sizeof *a->across * pixels);
    a->down = (uint32_t *)gpu_carve(base, &used, sizeof *a->down * pixels);
    a->planes = (float *)gpu_carve(base, &used, sizeof *a->planes * pixels * SV_PLANES);
    a->descriptors = (float4 *)gpu_carve(base, &used, sizeof *a->descriptors * pixels * a->rings);
    a->best = (int16_t *)gpu_carve(base, &used, sizeof *a->best * pixels);
    a->costs = (uint8_t *)gpu_carve(base, &used, cells);
    a->ways = (uint16_t *)gpu_carve(base, &used, sizeof *a->ways * cells);
    a->single = (uint8_t *)a->ways; /* no longer needed once there are ways */
    a->sums = (uint16_t *)gpu_carve(base, &used, sizeof *a->sums * cells);
    a->from = (char *)gpu_carve(base, &used, a->from_pitch * GPU_SIDES * a->height);
    return used;
}

sv_status gpu_gfd(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    gfd_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    for (int side = 0; side < GPU_SIDES; side++) {
        a.grey[side] = pair->picture[side];
        a.colour[side] = pair->coloured ? (const uint32_t *)pair->colour[side].data : NULL;
    }
    sv_make_waves(&a.waves, params->rho);
    a.sides = gpu_sides(params);
    a.rings = params->rho + 1;
    const int unit = max(gpu_share_of_lane(a.candidates), 4);
    a.pitch = gpu_blocks(a.candidates, unit) * unit;
    a.from_pitch = gpu_gfd_from_pitch(&a);
    a.aggregate = params->aggregate;
    a.by_one = sv_step_cost(params->lambda);
    a.alpha = params->alpha;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));

    const dim3 pixels(gpu_blocks(a.width, BLOCK), a.height, GPU_SIDES);
    const dim3 windows(gpu_blocks(a.width, BLOCK - 2 * a.rho), a.height, GPU_SIDES);
    choose_tile(&a);
    const int cost_chunk = gpu_blocks(a.pitch, gpu_blocks(a.pitch, COST_BLOCK / 2));
    const int origin = min(0, a.min_disparity), end = a.width + max(0, a.min_disparity + a.pitch - 1);
    const dim3 costs(gpu_blocks(end - origin, COST_COLUMNS), a.height, gpu_blocks(a.pitch, cost_chunk));
    const dim3 means(gpu_blocks(a.width, a.tile), gpu_blocks(a.pitch / 4, a.chunk),
                     gpu_blocks(a.height, MEAN_ROWS) * a.sides);
    planes_kernel<<<pixels, BLOCK, 0, context->compute>>>(a);
    /* These radii, of which 1 is the default, have kernels of their own, whose loops are unrolled. */
    const auto describe_and_compare = [&](auto rho) {
        describe_kernel<rho><<<windows, BLOCK, 0, context->compute>>>(a);
        cost_kernel<rho ? rho + 1 : 0><<<costs, COST_BLOCK, 0, context->compute>>>(a, cost_chunk, origin);
    };
    switch (a.rho) {
    case 1: describe_and_compare(std::integral_constant<int, 1>()); break;
    case 2: describe_and_compare(std::integral_constant<int, 2>()); break;
    case 3: describe_and_compare(std::integral_constant<int, 3>()); break;
    default: describe_and_compare(std::integral_constant<int, 0>());
    }
    if (a.aggregate == 1)
        mean_kernel<1><<<means, MEAN_BLOCK, 0, context->compute>>>(a);
    else
        mean_kernel<0><<<means, MEAN_BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    GPU_PASS(gpu_gfd_paths(context, a, error));
    decide_kernel<<<dim3(gpu_blocks(a.width, BLOCK), a.height), BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
