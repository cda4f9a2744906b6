/* Generalised Fourier descriptors with dynamic programming. What is computed, and its source, is said in cpu/gfd.c and
 * stereo/fourier.h; here, both maps go through every kernel together.
 *
 * The transforms are summed directly: a 3 x 3 window has five terms in each plane, fewer than a library's transform
 * would read and write.
 *
 * Memory: for each map, two volumes of height x width x candidates of 2 bytes and one of 1 byte. */
#include "gpu/cuda.cuh"
#include "stereo/fourier.h"

enum {
    BLOCK = 128,
    WARP = 32,
    WARPS = 4, /* of a block whose warps have a line of pixels each */
    MAX_RINGS = SV_MAX_RADIUS + 1,
    FAR = 0x7fff, /* above any cost of smoothing */
    DOWN = 0,
    UP,
    RIGHT,
    LEFT, /* directions of smoothing */
    FROM_SAME = 0,
    FROM_BELOW,
    FROM_ABOVE,
    FROM_BEST, /* where a path comes from, in the order that ties are decided */
};
static const unsigned ALL = 0xffffffff;

/* What the kernels are given. Shapes begin with the side. */
struct gfd_arguments {
    sv_image grey[GPU_SIDES];
    const uint32_t *colour[GPU_SIDES]; /* height x width, SV_COLOUR8; NULL: grey stands for it */
    uint32_t *pixels;                  /* 2 x height x width: what was read */
    float *planes;                     /* 2 x SV_PLANES x height x width */
    int16_t *descriptors;              /* 2 x height x components x width */
    uint16_t *costs, *sums;            /* 2 x height x width x count: aggregated costs; the same, smoothed */
    uint8_t *from;                     /* 2 x height x width x count: FROM_* */
    int16_t *best;                     /* 2 x height x width: the cheapest candidate of the path's step */
    int16_t *winners[GPU_SIDES];
    sv_output maps;
    sv_waves waves;
    int width, height, rho, rings, components, min_disparity, count, aggregate, by_one, subpixel, uniqueness;
    float alpha;
};

/* Pixels before row `y` of a side; candidates before it are `count` times as many. */
__device__ static __forceinline__ size_t row_of(const gfd_arguments &a, int side, int y) {
    return ((size_t)side * a.height + y) * a.width;
}

__device__ static __forceinline__ int edge_between(uint32_t p, uint32_t q) {
    return sv_edge((const uint8_t *)&p, (const uint8_t *)&q);
}

/* A thread reads one pixel of row blockIdx.y of a side (blockIdx.z). */
__global__ static void __launch_bounds__(BLOCK) planes_kernel(const __grid_constant__ gfd_arguments a) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y, side = blockIdx.z;
    if (x >= a.width) return;
    const sv_image &picture = a.grey[side];
    const uint8_t *grey = gpu_row<const uint8_t>(picture, y);
    const size_t plane = (size_t)a.width * a.height, pixel = (size_t)y * a.width + x;
    const uint32_t value = a.colour[side] ? a.colour[side][pixel] : grey[x] * 0x01010101u;
    a.pixels[side * plane + pixel] = value;
    float *planes = a.planes + side * SV_PLANES * plane + pixel;
    for (int c = 0; c < 3; c++) planes[c * plane] = (float)(value >> 8 * c & 255);
    planes[3 * plane] = sv_gradient(grey[sv_clamp(x - 1, a.width)], grey[sv_clamp(x + 1, a.width)],
                                    gpu_row<const uint8_t>(picture, sv_clamp(y - 1, a.height))[x],
                                    gpu_row<const uint8_t>(picture, sv_clamp(y + 1, a.height))[x]);
}

/* A block describes BLOCK - 2 rho pixels of a row (blockIdx.y) in one plane of a side (blockIdx.z); the rest of its
 * threads are the halo, rho on each side. A thread sums down its column, and along the row for its pixel. Sums run
 * from the centre outwards, as on the CPU.
 *
 * cosines, sines: 2 x BLOCK, the columns' sums of one v. They alternate between the halves, so that one barrier for
 * each v is enough. energies: MAX_RINGS x BLOCK; a thread uses its own column, since registers cannot be indexed. */
__global__ static void __launch_bounds__(BLOCK) describe_kernel(const __grid_constant__ gfd_arguments a) {
    __shared__ float cosines[2][BLOCK], sines[2][BLOCK], energies[MAX_RINGS][BLOCK];
    const int t = threadIdx.x, y = blockIdx.y, side = blockIdx.z / SV_PLANES, plane = blockIdx.z % SV_PLANES;
    const int x = blockIdx.x * (BLOCK - 2 * a.rho) + t - a.rho, n = 2 * a.rho + 1;
    const bool owns = t >= a.rho && t < BLOCK - a.rho && x < a.width;
    const float *column = a.planes + (size_t)blockIdx.z * a.width * a.height + sv_clamp(x, a.width);
    for (int r = 0; r < a.rings; r++) energies[r][t] = 0;
    for (int v = 0; v < a.rings; v++) {
        float cosine_sum = column[(size_t)y * a.width], sine_sum = 0;
        for (int j = 1, k = v; j <= a.rho; j++, k = k + v < n ? k + v : k + v - n) {
            const float above = column[(size_t)sv_clamp(y - j, a.height) * a.width];
            const float below = column[(size_t)sv_clamp(y + j, a.height) * a.width];
            cosine_sum += (below + above) * a.waves.cosine[k];
            sine_sum += (below - above) * a.waves.sine[k];
        }
        cosines[v % 2][t] = cosine_sum;
        sines[v % 2][t] = sine_sum;
        __syncthreads();
        if (!owns) continue;
        const float *c = &cosines[v % 2][t], *s = &sines[v % 2][t];
        for (int u = 0; u < a.rings && sv_ring(u, v) <= a.rho; u++) {
            float cc = c[0], sc = s[0], cs = 0, ss = 0;
            for (int i = 1, k = u; i <= a.rho; i++, k = k + u < n ? k + u : k + u - n) {
                const float cosine = a.waves.cosine[k], sine = a.waves.sine[k];
                cc += (c[i] + c[-i]) * cosine;
                cs += (c[i] - c[-i]) * sine;
                sc += (s[i] + s[-i]) * cosine;
                ss += (s[i] - s[-i]) * sine;
            }
            energies[sv_ring(u, v)][t] += sv_ring_weight(u, v) * ((cc * cc + cs * cs) + (sc * sc + ss * ss));
        }
    }
    if (!owns) return;
    int16_t *out = a.descriptors + (((size_t)side * a.height + y) * a.components + plane * a.rings) * a.width + x;
    for (int r = 0; r < a.rings; r++) out[(size_t)r * a.width] = sv_component(energies[r][t], n);
}

/* In the next three kernels a thread has one candidate of a pixel of row blockIdx.y of a side (blockIdx.z), and
 * neighbouring threads have neighbouring candidates, so that volumes are read and written in order. */

/* The cost itself, into `costs`. */
__global__ static void __launch_bounds__(BLOCK) cost_kernel(const __grid_constant__ gfd_arguments a) {
    const int i = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y, side = blockIdx.z, x = i / a.count, k = i % a.count;
    if (x >= a.width) return;
    const int d = a.min_disparity + k, match = side == GPU_RIGHT ? x + d : x - d;
    int cost = sv_untried_cost(a.alpha);
    if (match >= 0 && match < a.width) {
        const int16_t *p = a.descriptors + row_of(a, side, y) * a.components + x;
        const int16_t *q = a.descriptors + row_of(a, !side, y) * a.components + match;
        int colour = 0, gradient = 0;
        for (int c = 0; c < a.components; c++) {
            const int difference = p[(size_t)c * a.width] - q[(size_t)c * a.width];
            if (c < 3 * a.rings)
                colour += difference * difference;
            else
                gradient += difference * difference;
        }
        cost = sv_descriptor_cost(colour, gradient, a.alpha);
    }
    a.costs[row_of(a, side, y) * a.count + i] = (uint16_t)cost;
}

/* Sums along the row, from `costs` into `sums`. */
__global__ static void __launch_bounds__(BLOCK) row_sum_kernel(const __grid_constant__ gfd_arguments a) {
    const int i = blockIdx.x * BLOCK + threadIdx.x, x = i / a.count, k = i % a.count;
    if (x >= a.width) return;
    const size_t row = row_of(a, blockIdx.z, blockIdx.y) * a.count;
    int sum = 0;
    for (int j = x - a.aggregate; j <= x + a.aggregate; j++)
        sum += a.costs[row + (size_t)sv_clamp(j, a.width) * a.count + k];
    a.sums[row + i] = (uint16_t)sum;
}

/* The mean over the box, from those sums back into `costs`. */
__global__ static void __launch_bounds__(BLOCK) mean_kernel(const __grid_constant__ gfd_arguments a) {
    const int i = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y, side = blockIdx.z, box = 2 * a.aggregate + 1;
    if (i / a.count >= a.width) return;
    int sum = 0;
    for (int j = y - a.aggregate; j <= y + a.aggregate; j++)
        sum += a.sums[row_of(a, side, sv_clamp(j, a.height)) * a.count + i];
    a.costs[row_of(a, side, y) * a.count + i] = (uint16_t)sv_mean_cost(sum, box * box);
}

/* In the next two kernels a warp follows one line of pixels, and a lane has OWN candidates of each, in registers:
 * candidates OWN * lane .. OWN * lane + OWN - 1. Lanes exchange the outer ones by shuffles; no block barrier is
 * needed. The next pixel's costs are read while this one is worked on. A line is a chain of steps of about 100 clocks,
 * so that the number of pixels along it decides how long the kernel takes, until the lines are more than the card
 * holds warps. Blocks of few warps spread over the multiprocessors. */

__device__ static __forceinline__ unsigned least_of_warp(unsigned value) {
    for (int lanes = WARP / 2; lanes > 0; lanes /= 2) {
        const unsigned other = __shfl_xor_sync(ALL, value, lanes);
        value = other < value ? other : value;
    }
    return value;
}

/* Reads the costs of a lane's candidates; those beyond the last one are `none`. */
template <int OWN>
__device__ static __forceinline__ void read_costs(int *costs, const uint16_t *from, int k, int count) {
#pragma unroll
    for (int j = 0; j < OWN; j++) costs[j] = k + j < count ? from[k + j] : FAR;
}

/* Adds to `sums` what reaching each candidate costs in one direction; the first direction, DOWN, begins the sums. A
 * warp has the line that its number in the grid says, of a side (blockIdx.y). */
template <int OWN>
__global__ static void __launch_bounds__(WARP *WARPS)
    smooth_kernel(const __grid_constant__ gfd_arguments a, int direction) {
    const int line = blockIdx.x * WARPS + threadIdx.x / WARP, lane = threadIdx.x % WARP, side = blockIdx.y;
    const bool vertical = direction == DOWN || direction == UP, backward = direction == UP || direction == LEFT;
    const int length = vertical ? a.height : a.width, k = lane * OWN;
    if (line >= (vertical ? a.width : a.height)) return;
    const ptrdiff_t step = (vertical ? a.width : 1) * (backward ? -1 : 1);
    size_t pixel = row_of(a, side, vertical ? 0 : line) + (vertical ? line : 0);
    if (backward) pixel -= step * (length - 1);

    int before[OWN], costs[OWN], next[OWN];
    uint32_t last = 0, here = 0, ahead = a.pixels[pixel];
    unsigned least = 0;
    read_costs<OWN>(next, a.costs + pixel * a.count, k, a.count);
    for (int i = 0; i < length; i++, pixel += step) {
        last = here;
        here = ahead;
#pragma unroll
        for (int j = 0; j < OWN; j++) costs[j] = next[j];
        if (i + 1 < length) {
            ahead = a.pixels[pixel + step];
            read_costs<OWN>(next, a.costs + (pixel + step) * a.count, k, a.count);
        }
        int way[OWN];
        if (i == 0) {
#pragma unroll
            for (int j = 0; j < OWN; j++) way[j] = 0;
        } else {
            const int jump = (int)least + sv_jump_cost(a.by_one, edge_between(here, last));
            int left = __shfl_up_sync(ALL, before[OWN - 1], 1), right = __shfl_down_sync(ALL, before[0], 1);
            if (lane == 0) left = FAR;
            if (lane == WARP - 1) right = FAR;
#pragma unroll
            for (int j = 0; j < OWN; j++) {
                const int below = (j > 0 ? before[j > 0 ? j - 1 : 0] : left) + a.by_one;
                const int above = (j < OWN - 1 ? before[j < OWN - 1 ? j + 1 : 0] : right) + a.by_one;
                int least_way = before[j] < jump ? before[j] : jump;
                least_way = below < least_way ? below : least_way;
                least_way = above < least_way ? above : least_way;
                way[j] = least_way - (int)least;
            }
        }
        unsigned cheapest = FAR;
        uint16_t *sums = a.sums + pixel * a.count;
#pragma unroll
        for (int j = 0; j < OWN; j++) {
            if (k + j >= a.count) {
                before[j] = FAR;
                continue;
            }
            before[j] = costs[j] + way[j];
            sums[k + j] = (uint16_t)((direction == DOWN ? costs[j] : sums[k + j]) + way[j]);
            cheapest = (unsigned)before[j] < cheapest ? (unsigned)before[j] : cheapest;
        }
        least = least_of_warp(cheapest);
    }
}

/* A warp finds the cheapest path through one row of `sums` of a side (blockIdx.y), from left to right; its first lane
 * traces it back. Costs are relative to the least of the pixel before and stay below 2^17, so that cost and candidate
 * fit one word, whose least is the cheapest and, of equal ones, the lowest. */
template <int OWN>
__global__ static void __launch_bounds__(WARP *WARPS) search_kernel(const __grid_constant__ gfd_arguments a) {
    enum { CANDIDATE_BITS = 10, NEVER = 1 << 20 };
    const int y = blockIdx.x * WARPS + threadIdx.x / WARP, lane = threadIdx.x % WARP, side = blockIdx.y;
    const int k = lane * OWN;
    if (y >= a.height) return;
    const size_t row = row_of(a, side, y);
    int16_t *best = a.best + row;
    uint8_t *from = a.from + row * a.count;

    int before[OWN], costs[OWN], next[OWN];
    uint32_t last = 0, here = 0, ahead = a.pixels[row];
    int least = 0;
    read_costs<OWN>(next, a.sums + row * a.count, k, a.count);
    for (int x = 0; x < a.width; x++) {
        last = here;
        here = ahead;
#pragma unroll
        for (int j = 0; j < OWN; j++) costs[j] = next[j];
        if (x + 1 < a.width) {
            ahead = a.pixels[row + x + 1];
            read_costs<OWN>(next, a.sums + (row + x + 1) * a.count, k, a.count);
        }
        if (x > 0) {
            const int jump = least + sv_jump_cost(a.by_one, edge_between(here, last));
            int left = __shfl_up_sync(ALL, before[OWN - 1], 1), right = __shfl_down_sync(ALL, before[0], 1);
            if (lane == 0) left = NEVER;
            if (lane == WARP - 1) right = NEVER;
#pragma unroll
            for (int j = 0; j < OWN; j++) {
                const int same = before[j], above = (j < OWN - 1 ? before[j < OWN - 1 ? j + 1 : 0] : right) + a.by_one;
                int way = same, source = FROM_SAME;
                if (left + a.by_one < way) way = left + a.by_one, source = FROM_BELOW;
                if (above < way) way = above, source = FROM_ABOVE;
                if (jump < way) way = jump, source = FROM_BEST;
                costs[j] += way - least;
                if (k + j < a.count) from[(size_t)x * a.count + k + j] = (uint8_t)source;
                left = same;
            }
        }
        unsigned cheapest = ALL;
#pragma unroll
        for (int j = 0; j < OWN; j++) {
            before[j] = k + j < a.count ? costs[j] : NEVER;
            const unsigned packed = (unsigned)before[j] << CANDIDATE_BITS | (unsigned)(k + j);
            cheapest = packed < cheapest ? packed : cheapest;
        }
        cheapest = least_of_warp(cheapest);
        least = (int)(cheapest >> CANDIDATE_BITS);
        if (lane == 0) best[x] = (int16_t)(cheapest & ((1u << CANDIDATE_BITS) - 1));
    }
    __syncwarp();
    if (lane != 0) return;
    for (int x = a.width - 1, winner = best[x]; x >= 0; x--) {
        const int d = a.min_disparity + winner, match = side == GPU_RIGHT ? x + d : x - d;
        a.winners[side][(size_t)y * a.width + x] = (int16_t)(match >= 0 && match < a.width ? winner : -1);
        if (x == 0) break;
        const int source = from[(size_t)x * a.count + winner];
        winner = source == FROM_BEST    ? best[x - 1]
                 : source == FROM_BELOW ? winner - 1
                 : source == FROM_ABOVE ? winner + 1
                                        : winner;
    }
}

/* A thread makes a pixel of the left map, in row blockIdx.y, from its winner. */
__global__ static void __launch_bounds__(BLOCK) decide_kernel(const __grid_constant__ gfd_arguments a) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y;
    if (x >= a.width) return;
    const uint16_t *costs = a.sums + ((size_t)y * a.width + x) * a.count;
    const int winner = a.winners[GPU_LEFT][(size_t)y * a.width + x];
    const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, 0);
    const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.count, 0);
    float disparity = INFINITY;
    int reason = SV_BORDER;
    if (winner >= 0) {
        const int best = costs[winner];
        float offset = 0;
        if (a.subpixel && winner > first && winner < last && best <= costs[winner - 1] && best <= costs[winner + 1])
            offset = sv_parabola_of_costs(costs[winner - 1], best, costs[winner + 1]);
        disparity = sv_disparity(a.min_disparity, winner, offset, 1);
        reason = SV_VALID;
        int second = -1;
        for (int k = first; a.uniqueness && k <= last; k++)
            if ((k < winner - 1 || k > winner + 1) && (second < 0 || costs[k] < second)) second = costs[k];
        if (second >= 0 && sv_ambiguous_costs(best, second, a.uniqueness)) {
            disparity = INFINITY;
            reason = SV_AMBIGUOUS;
        }
    }
    gpu_row<float>(a.maps.disparity, y)[x] = disparity;
    gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
}

template <int OWN> static sv_status search(gpu_context *context, const gfd_arguments &a, int sides, sv_error *error) {
    const dim3 columns(gpu_blocks(a.width, WARPS), sides), rows(gpu_blocks(a.height, WARPS), sides);
    for (int direction = DOWN; direction <= LEFT; direction++) {
        const dim3 grid = direction == DOWN || direction == UP ? columns : rows;
        smooth_kernel<OWN><<<grid, WARP * WARPS, 0, context->compute>>>(a, direction);
        GPU_TRY(cudaGetLastError());
    }
    search_kernel<OWN><<<rows, WARP * WARPS, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

/* Takes `bytes` at `*used` of a block, NULL to count only, and moves `*used` on. */
static void *carve(const gpu_buffer *block, size_t *used, size_t bytes) {
    void *memory = block->data ? (char *)block->data + *used : NULL;
    *used += (bytes + 255) / 256 * 256;
    return memory;
}

static size_t lay_out(gfd_arguments *a, const gpu_buffer *block) {
    const size_t pixels = (size_t)GPU_SIDES * a->width * a->height, cells = pixels * a->count;
    size_t used = 0;
    a->pixels = (uint32_t *)carve(block, &used, sizeof *a->pixels * pixels);
    a->planes = (float *)carve(block, &used, sizeof *a->planes * pixels * SV_PLANES);
    a->descriptors = (int16_t *)carve(block, &used, sizeof *a->descriptors * pixels * a->components);
    a->best = (int16_t *)carve(block, &used, sizeof *a->best * pixels);
    a->costs = (uint16_t *)carve(block, &used, sizeof *a->costs * cells);
    a->sums = (uint16_t *)carve(block, &used, sizeof *a->sums * cells);
    a->from = (uint8_t *)carve(block, &used, sizeof *a->from * cells);
    return used;
}

sv_status gpu_gfd(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    const int sides = params->left_right_check >= 0 ? 2 : 1;
    gfd_arguments a = {};
    for (int side = 0; side < GPU_SIDES; side++) {
        a.grey[side] = pair->picture[side];
        a.colour[side] = pair->coloured ? (const uint32_t *)pair->colour[side].data : NULL;
        a.winners[side] = (int16_t *)context->winners[side].data;
    }
    a.maps = *maps;
    sv_make_waves(&a.waves, params->rho);
    a.width = context->width;
    a.height = context->height;
    a.rho = params->rho;
    a.rings = params->rho + 1;
    a.components = SV_PLANES * a.rings;
    a.min_disparity = params->min_disparity;
    a.count = sv_candidates(params);
    a.aggregate = params->aggregate;
    a.by_one = sv_step_cost(params->lambda);
    a.subpixel = params->subpixel;
    a.uniqueness = params->uniqueness;
    a.alpha = params->alpha;
    const gpu_buffer nothing = {};
    GPU_PASS(gpu_reserve(&context->volumes, lay_out(&a, &nothing), error));
    lay_out(&a, &context->volumes);

    const dim3 pixels(gpu_blocks(a.width, BLOCK), a.height, GPU_SIDES);
    const dim3 windows(gpu_blocks(a.width, BLOCK - 2 * a.rho), a.height, GPU_SIDES * SV_PLANES);
    const dim3 cells(gpu_blocks(a.width * a.count, BLOCK), a.height, sides);
    planes_kernel<<<pixels, BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    describe_kernel<<<windows, BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    cost_kernel<<<cells, BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    if (a.aggregate) {
        row_sum_kernel<<<cells, BLOCK, 0, context->compute>>>(a);
        GPU_TRY(cudaGetLastError());
        mean_kernel<<<cells, BLOCK, 0, context->compute>>>(a);
        GPU_TRY(cudaGetLastError());
    }
    if (a.count <= WARP)
        GPU_PASS(search<1>(context, a, sides, error));
    else if (a.count <= 2 * WARP)
        GPU_PASS(search<2>(context, a, sides, error));
    else if (a.count <= 4 * WARP)
        GPU_PASS(search<4>(context, a, sides, error));
    else if (a.count <= 8 * WARP)
        GPU_PASS(search<8>(context, a, sides, error));
    else
        GPU_PASS(search<SV_MAX_DISPARITIES / WARP>(context, a, sides, error));
    decide_kernel<<<dim3(gpu_blocks(a.width, BLOCK), a.height), BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
