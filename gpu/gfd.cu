/* Generalised Fourier descriptors with dynamic programming. cpu/gfd.c and stereo/fourier.h say what is computed, and
 * name its source; here, every kernel processes both maps together.
 *
 * The transforms are direct sums: a 3 x 3 window has five terms in each plane, fewer than a library's transform would
 * read and write.
 *
 * Memory: for each map, two volumes of height x width x candidates of 2 bytes and one of 2 bits.
 *
 * On an H200, 1242 x 375 with 71 candidates, both maps, in ms at the profiler's clock: descriptors 0.12, costs 0.67,
 * columns 0.24, rows 0.73, all else 0.03. 1.8 GB pass through memory, whose floor is 0.43 at 4.2 TB/s. The costs are
 * bound by 368 million warp instructions, issued at 72 % of the highest rate; the columns move 0.61 GB, at 60 % of that
 * bandwidth; the rows are 750 warps, each a chain of 0.6 us per pixel (see gfd_paths.cu). */
#include "gpu/gfd.cuh"

enum {
    BLOCK = 128,
    COST_BLOCK = 256,
    COST_ROWS = 16,          /* that a cost block goes down */
    COST_TILE = 16,          /* columns of a cost block, at least */
    COST_CANDIDATES = 64,    /* candidates of a cost block, at most */
    COST_MEMORY = 48 * 1024, /* bytes of shared memory that every card gives a block */
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

/* A block describes BLOCK - 2 rho pixels of a row (blockIdx.y) in one plane of a side (blockIdx.z); the rest of its
 * threads are the halo, rho on each side. A thread sums down its column, and along the row for its pixel. Sums run from
 * the centre outwards, as on the CPU.
 *
 * cosines, sines: 2 x BLOCK, the columns' sums of one v. They alternate between the halves, so that one barrier for
 * each v is enough. energies: MAX_RINGS x BLOCK; a thread uses its own column, because registers cannot be indexed. */
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
        for (int u = 0, ring = v; u < a.rings; u++) {
            ring += ring * (ring + 1) < u * u + v * v; /* sv_ring(u, v), which is at most one above the last */
            if (ring > a.rho) break;
            float cc = c[0], sc = s[0], cs = 0, ss = 0;
            for (int i = 1, k = u; i <= a.rho; i++, k = k + u < n ? k + u : k + u - n) {
                const float cosine = a.waves.cosine[k], sine = a.waves.sine[k];
                cc += (c[i] + c[-i]) * cosine;
                cs += (c[i] - c[-i]) * sine;
                sc += (s[i] + s[-i]) * cosine;
                ss += (s[i] - s[-i]) * sine;
            }
            energies[ring][t] += sv_ring_weight(u, v) * ((cc * cc + cs * cs) + (sc * sc + ss * ss));
        }
    }
    if (!owns) return;
    uint32_t *out = (uint32_t *)(a.descriptors + (row_of(a, side, y) + x) * a.ring_pairs) + plane;
    for (int r = 0; r < a.rings; r += 2) {
        const int second = r + 1 < a.rings ? sv_component(energies[r + 1][t], n) : 0;
        out[r / 2 * SV_PLANES] = (uint32_t)(second << 16 | sv_component(energies[r][t], n));
    }
}

/* Adds the squared differences of both components of a pair. Components are not negative, so one subtraction serves
 * both. */
__device__ static __forceinline__ int squares(int sum, uint32_t p, uint32_t q) {
    const int both = (int)(p - q), low = (int16_t)both, high = (both - low) >> 16;
    return sum + low * low + high * high;
}

/* The cost of two pixels, from their components. */
__device__ static __forceinline__ int cost_of(const gfd_arguments &a, const uint4 *left, const uint4 *right) {
    int colour = 0, gradient = 0;
    for (int i = 0; i < a.ring_pairs; i++) {
        const uint4 p = left[i], q = right[i];
        colour = squares(squares(squares(colour, p.x, q.x), p.y, q.y), p.z, q.z);
        gradient = squares(gradient, p.w, q.w);
    }
    return sv_descriptor_cost(colour, gradient, a.alpha);
}

/* Fills in `costs`. A block has `chunk` candidates (from blockIdx.z * chunk) of `tile` columns u, and goes down
 * COST_ROWS rows from blockIdx.y * COST_ROWS. With d the disparity of candidate k, column u stands for pixel u of the
 * left map and for pixel u - d of the right one, because both have the same cost; so u begins at the smallest d, if
 * that is negative. A thread has one candidate and every `slots`-th column.
 *
 * COST_BLOCK threads hide the latency of the descriptors, and with COST_ROWS rows, few of those above and below them
 * are computed twice.
 *
 * line: 2 x (tile + 2 aggregate) x chunk, the costs of one row; two rows alternate, so that one barrier a row is
 * enough. boxes: 2 x (2 aggregate + 1) x tile x chunk, the sums along the last rows for each map; a thread reads only
 * its own. The maps' sums differ only at the edges of a map, because each repeats its own edge. */
__global__ static void __launch_bounds__(COST_BLOCK) cost_kernel(const __grid_constant__ gfd_arguments a) {
    extern __shared__ uint16_t line[];
    const int radius = a.aggregate, box = 2 * radius + 1, columns = a.tile + 2 * radius;
    uint16_t *boxes = line + 2 * columns * a.chunk;
    const int own = threadIdx.x % a.chunk, k = blockIdx.z * a.chunk + own, d = a.min_disparity + k;
    const int slot = threadIdx.x / a.chunk, slots = COST_BLOCK / a.chunk;
    const int begin = min(0, a.min_disparity) + (int)blockIdx.x * a.tile, top = blockIdx.y * COST_ROWS;
    const bool works = slot < slots && k < a.pitch;
    const int untried = sv_untried_cost(a.alpha), first = max(0, d), last = min(0, d) + a.width; /* of u in both */
    const float portion = 1.0f / (float)(box * box);
    for (int i = 0, newest = 0; i < COST_ROWS + 2 * radius; i++, newest = newest + 1 < box ? newest + 1 : 0) {
        const int centre = top + i - 2 * radius; /* whose box is complete with this row */
        if (centre >= a.height) break;
        uint16_t *costs = line + i % 2 * columns * a.chunk + own;
        const int y = sv_clamp(centre + radius, a.height);
        const uint4 *left = a.descriptors + row_of(a, GPU_LEFT, y) * a.ring_pairs;
        const uint4 *right = a.descriptors + row_of(a, GPU_RIGHT, y) * a.ring_pairs;
        for (int p = slot; works && p < columns; p += slots) {
            const int u = begin + p - radius;
            const bool tried = u >= first && u < last;
            costs[p * a.chunk] =
                (uint16_t)(tried ? cost_of(a, left + u * a.ring_pairs, right + (u - d) * a.ring_pairs) : untried);
        }
        __syncthreads();
        uint16_t *out[GPU_SIDES];
        for (int side = 0; side < GPU_SIDES; side++) out[side] = a.costs + row_of(a, side, centre) * a.pitch + k;
        for (int p = slot; works && p < a.tile; p += slots) {
            const int u = begin + p;
            const bool same = u - radius >= first && u + radius < last;
            int mean = GFD_FAR;
#pragma unroll
            for (int side = 0; side < GPU_SIDES; side++) {
                const int x = side == GPU_RIGHT ? u - d : u;
                if (x < 0 || x >= a.width || side >= a.sides) continue;
                if (side == GPU_LEFT || !same) {
                    uint16_t *sums = boxes + (side * box * a.tile + p) * a.chunk + own;
                    const uint16_t *middle = costs + (p + radius) * a.chunk;
                    int sum = 0;
                    if (same)
                        for (int j = -radius; j <= radius; j++) sum += middle[j * a.chunk];
                    else
                        for (int j = -radius; j <= radius; j++) sum += middle[(sv_clamp(x + j, a.width) - x) * a.chunk];
                    sums[newest * a.tile * a.chunk] = (uint16_t)sum;
                    if (i < 2 * radius) continue;
                    sum = 0;
                    for (int j = 0; j < box; j++) sum += sums[j * a.tile * a.chunk];
                    mean = k < a.candidates ? sv_mean_cost(sum, portion) : GFD_FAR;
                }
                if (i >= 2 * radius) out[side][(size_t)x * a.pitch] = (uint16_t)mean;
            }
        }
    }
}

/* A thread decides a pixel of the left map, in row blockIdx.y, from its winner. */
__global__ static void __launch_bounds__(BLOCK) decide_kernel(const __grid_constant__ gfd_arguments a) {
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y;
    if (x >= a.width) return;
    const uint16_t *costs = a.sums + ((size_t)y * a.width + x) * a.pitch;
    const int winner = a.winners[GPU_LEFT][(size_t)y * a.width + x];
    const int first = sv_first_candidate(x, a.width, a.min_disparity, 1, 0);
    const int last = sv_last_candidate(x, a.width, a.min_disparity, 1, a.candidates, 0);
    float disparity = INFINITY;
    int reason = SV_BORDER;
    if (winner >= 0) {
        const uint32_t best = costs[winner];
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

/* Chooses `chunk` and `tile` so that few threads are idle and shared memory suffices; returns the bytes of shared
 * memory. */
static size_t choose_tile(gfd_arguments *a) {
    const int halo = 2 * a->aggregate;
    for (int most = COST_CANDIDATES;; most /= 2) {
        a->chunk = gpu_blocks(a->pitch, gpu_blocks(a->pitch, most));
        const int slots = COST_BLOCK / a->chunk;
        a->tile = gpu_blocks(COST_TILE + halo, slots) * slots - halo;
        const size_t bytes = sizeof(uint16_t) * a->chunk * (2 * (a->tile + halo) + GPU_SIDES * (halo + 1) * a->tile);
        if (bytes <= COST_MEMORY) return bytes;
    }
}

static size_t lay_out(gfd_arguments *a, void *base) {
    const size_t pixels = (size_t)GPU_SIDES * a->width * a->height, cells = pixels * a->pitch;
    size_t used = 0;
    a->across = (uint32_t *)gpu_carve(base, &used, sizeof *a->across * pixels);
    a->down = (uint32_t *)gpu_carve(base, &used, sizeof *a->down * pixels);
    a->planes = (float *)gpu_carve(base, &used, sizeof *a->planes * pixels * SV_PLANES);
    a->descriptors = (uint4 *)gpu_carve(base, &used, sizeof *a->descriptors * pixels * a->ring_pairs);
    a->best = (int16_t *)gpu_carve(base, &used, sizeof *a->best * pixels);
    a->costs = (uint16_t *)gpu_carve(base, &used, sizeof *a->costs * cells);
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
    a.ring_pairs = (a.rings + 1) / 2;
    a.pitch = gpu_blocks(a.candidates, gpu_share_of_lane(a.candidates)) * gpu_share_of_lane(a.candidates);
    a.from_pitch = gpu_gfd_from_pitch(&a);
    a.aggregate = params->aggregate;
    a.by_one = sv_step_cost(params->lambda);
    a.alpha = params->alpha;
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));

    const dim3 pixels(gpu_blocks(a.width, BLOCK), a.height, GPU_SIDES);
    const dim3 windows(gpu_blocks(a.width, BLOCK - 2 * a.rho), a.height, GPU_SIDES * SV_PLANES);
    const int columns = a.width + max(0, a.min_disparity + a.pitch) - min(0, a.min_disparity);
    const size_t shared = choose_tile(&a);
    const dim3 tiles(gpu_blocks(columns, a.tile), gpu_blocks(a.height, COST_ROWS), gpu_blocks(a.pitch, a.chunk));
    planes_kernel<<<pixels, BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    describe_kernel<<<windows, BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    cost_kernel<<<tiles, COST_BLOCK, shared, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    GPU_PASS(gpu_gfd_paths(context, a, error));
    decide_kernel<<<dim3(gpu_blocks(a.width, BLOCK), a.height), BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
