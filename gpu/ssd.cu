/* Sum of squared differences with a window that rolls down the rows, read through textures:
 * J. Stam, "Stereo Imaging with CUDA" (2008).
 *
 * As in the paper, a thread owns a column, the column sums of a block are exchanged in shared memory, and a candidate
 * is finished for a strip of rows before the next one begins. Unlike in the paper, four candidates are processed
 * together, so that a reference pixel is fetched, and a barrier passed, once for all four; the columns of the halo have
 * their own threads; and the best candidates stay in registers. */
#include "gpu/best.cuh"

enum {
    CANDIDATES = 4, /* that go together: a uint4 of column sums */
    BLOCK_MAX = 256
};

/* The inputs of one map. */
struct ssd_side {
    cudaTextureObject_t reference; /* 0..255 */
    cudaTextureObject_t other;     /* the same, or interpolated if candidates lie between pixels */
};

struct ssd_arguments : gpu_search {
    ssd_side sides[GPU_SIDES];
    uint32_t limit; /* costs above it are poor */
};

/* The other picture in 1/steps grey level, like sv_between. The weights of the texture filter have 8 fractional bits,
 * so 1/2 and 1/4 are exact; the error of its result is far below half a unit, 1/2040, and rounding removes it. */
template <int STEPS> __device__ static __forceinline__ int fetch(cudaTextureObject_t other, float x, float y) {
    return STEPS > 1 ? __float2int_rn(tex2D<float>(other, x, y) * (float)(255 * STEPS))
                     : (int)tex2D<unsigned char>(other, x, y);
}

__host__ __device__ constexpr int strip_rows(bool unique) { return unique ? 4 : 8; }

/* A block finds the winners of blockDim.x - 2 rho columns and ROWS rows of one map (blockIdx.z); the rest of its
 * threads are the halo, rho on each side. A thread keeps the sums of squared differences of its column, which
 * roll down the rows, and the best candidates of its pixels. Pixels are addressed by their centres, in floats,
 * which saves a conversion for every fetch; the textures are clamped at the picture's edges.
 *
 * columns: 2 x BLOCK_MAX x CANDIDATES, the column sums of a row. Rows alternate between the halves, so that one
 * barrier a row is enough.
 *
 * For a pixel and a candidate: (2 rho_y + 1 + 2 (ROWS - 1)) / ROWS squared differences of 1 + 1/4 fetches and 3
 * operations each; (2 rho + 1) / 4 shared reads of 16 bytes and 2 rho + 1 additions; about 6 operations to
 * consider the cost. With the defaults that is 4 fetches, 11 words of shared memory and some 30 operations, of
 * which the fetches should take longest: a multiprocessor does four in a clock. From memory it reads both pictures
 * about (ROWS + 2 rho_y) / ROWS times, which the caches hold. Strips of 8 rows leave enough registers for four
 * blocks of 128 threads on a multiprocessor; 16 rows would save a fifth of the fetches. With uniqueness, which
 * remembers more of each pixel, a strip has half the rows. ROWS is even, so that the two halves of the shared array
 * alternate without end. */
template <int STEPS, bool UNIQUE>
__global__ static void __launch_bounds__(BLOCK_MAX, 2) ssd_kernel(const __grid_constant__ ssd_arguments a) {
    constexpr int ROWS = strip_rows(UNIQUE), RECENT = UNIQUE ? STEPS : 1;
    __shared__ uint4 columns[2][BLOCK_MAX];
    const int thread = threadIdx.x, side = blockIdx.z;
    const int x = blockIdx.x * (blockDim.x - 2 * a.rho) + thread - a.rho, top = blockIdx.y * ROWS;
    const bool owns_pixels = thread >= a.rho && thread < (int)blockDim.x - a.rho && x < a.width;
    const cudaTextureObject_t reference = a.sides[side].reference, other = a.sides[side].other;
    const int first = sv_first_candidate(x, a.width, a.min_disparity, STEPS, side == GPU_RIGHT);
    const int last = sv_last_candidate(x, a.width, a.min_disparity, STEPS, a.candidates, side == GPU_RIGHT);
    const float x_centre = x + 0.5f, pixels = 1.0f / STEPS;

    gpu_best<gpu_costs, UNIQUE, RECENT> best[ROWS];
    for (int k = 0; k < a.candidates; k += CANDIDATES) {
        float match[CANDIDATES]; /* x of the candidates' centres */
        uint32_t sums[CANDIDATES] = {0};
#pragma unroll
        for (int c = 0; c < CANDIDATES; c++) {
            const float disparity = a.min_disparity + (k + c) * pixels;
            match[c] = side == GPU_RIGHT ? x_centre + disparity : x_centre - disparity;
        }
        /* Adds `sign` times the squared differences of the row whose centre is at `y`. */
        const auto add_row = [&](float y, int sign) {
            const int value = STEPS * (int)tex2D<unsigned char>(reference, x_centre, y);
#pragma unroll
            for (int c = 0; c < CANDIDATES; c++) {
                const int difference = value - fetch<STEPS>(other, match[c], y);
                sums[c] += sign * difference * difference;
            }
        };

        float leaving = top - a.rho_y + 0.5f, entering = leaving;
        /* Unrolled further, this and the sum below would want more registers than there are. */
#pragma unroll 2
        for (int i = 0; i < 2 * a.rho_y; i++) add_row(entering++, 1);
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            if (row > 0) add_row(leaving++, -1);
            add_row(entering++, 1);
            columns[row % 2][thread] = make_uint4(sums[0], sums[1], sums[2], sums[3]);
            __syncthreads();
            if (owns_pixels) {
                uint4 cost = make_uint4(0, 0, 0, 0);
#pragma unroll 4
                for (int i = thread - a.rho; i <= thread + a.rho; i++) {
                    const uint4 column = columns[row % 2][i];
                    cost.x += column.x;
                    cost.y += column.y;
                    cost.z += column.z;
                    cost.w += column.w;
                }
                best[row].consider(k, k >= first && k <= last ? cost.x : SV_NO_COST);
                best[row].consider(k + 1, k + 1 >= first && k + 1 <= last ? cost.y : SV_NO_COST);
                best[row].consider(k + 2, k + 2 >= first && k + 2 <= last ? cost.z : SV_NO_COST);
                best[row].consider(k + 3, k + 3 >= first && k + 3 <= last ? cost.w : SV_NO_COST);
            }
        }
    }

    if (!owns_pixels) return;
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const int y = top + row;
        const gpu_best<gpu_costs, UNIQUE, RECENT> &b = best[row];
        if (y >= a.height) break;
        a.winners[side][(size_t)y * a.width + x] = (int16_t)b.candidate;
        if (side == GPU_RIGHT) continue;
        const bool ambiguous = UNIQUE && sv_ambiguous_costs(b.value, b.second, a.uniqueness);
        float disparity = INFINITY;
        int reason = SV_BORDER;
        if (b.candidate >= 0)
            reason = sv_decide_cost(b.candidate, a.subpixel ? b.before : SV_NO_COST, b.value, b.after, a.limit,
                                    ambiguous, a.min_disparity, STEPS, &disparity);
        gpu_row<float>(a.maps.disparity, y)[x] = disparity;
        gpu_row<uint8_t>(a.maps.reason, y)[x] = (uint8_t)reason;
    }
}

template <int STEPS> static sv_status launch(gpu_context *context, const ssd_arguments *a, int sides, sv_error *error) {
    /* Small blocks for small windows; with large ones the halo would be most of a small block. */
    const int block = a->rho > 8 ? BLOCK_MAX : BLOCK_MAX / 2;
    const dim3 grid(gpu_blocks(a->width, block - 2 * a->rho), gpu_blocks(a->height, strip_rows(a->uniqueness)), sides);
    if (a->uniqueness)
        ssd_kernel<STEPS, true><<<grid, block, 0, context->compute>>>(*a);
    else
        ssd_kernel<STEPS, false><<<grid, block, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

sv_status gpu_ssd(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    const bool fits_tensors = gpu_ssd_fits_tensors(context, params);
    gpu_name_kernels(context, fits_tensors ? "ssd on tensor cores" : "the general kernel of ssd");
    if (fits_tensors) return gpu_ssd_tensors(context, pair, params, maps, error);
    /* It needs no scratch memory; where that is only counted, this ends it. */
    GPU_PASS(gpu_reserve(context->compute, &context->scratch, 0, error));
    const int sides = gpu_sides(params), rho = params->rho, rho_y = sv_rho_y(params);
    const bool between = params->steps > 1;
    ssd_arguments a = {};
    static_cast<gpu_search &>(a) = gpu_search_of(context, params, maps);
    a.limit = sv_cost_limit(params->max_cost, (2 * rho + 1) * (2 * rho_y + 1), params->steps);
    for (int side = 0; side < sides; side++) {
        const int other = GPU_RIGHT - side;
        a.sides[side].reference = pair->nearest[side];
        a.sides[side].other = between ? pair->between[other] : pair->nearest[other];
    }

    switch (params->steps) {
    case 1: return launch<1>(context, &a, sides, error);
    case 2: return launch<2>(context, &a, sides, error);
    case 4: return launch<4>(context, &a, sides, error);
    default: return sv_fail(error, SV_USAGE, "there are no steps of 1/%d pixel on cuda", params->steps);
    }
}
