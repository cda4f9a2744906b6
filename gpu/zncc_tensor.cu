/* zncc with its sums of products on tensor cores, see tensor_search.cuh: windows of up to 31 x 31 pixels, without
 * uniqueness.
 *
 * That 128 is subtracted from grey values changes no covariance. */
#include "gpu/rows.cuh"
#include "gpu/tensor_search.cuh"
#include "gpu/zncc.cuh"

/* A statistic is the window of a pixel, as in rows.cuh. */
struct zncc_tensor_arguments : tensor_search<gpu_correlations, zncc_job> {
    gpu_rows prepared;
};

/* zncc as a method of tensor_search.cuh.
 *
 * A row of a warp takes TILES + 1 products and, of each lane, 4 (TILES - 1) scores of 8 operations, which take the
 * time: 20 us of an H200's for both maps of 1242 x 375 pixels and 71 candidates, if it began an instruction in every
 * cycle. With the prepared pictures it takes 75: the rest of a row comes to almost as much as the scores, and 16 warps
 * of 128 registers, all that a multiprocessor holds, do not begin an instruction in every cycle. */
template <bool IS_WIDE> struct zncc_method {
    typedef gpu_correlations compared;
    typedef zncc_tensor_arguments arguments;
    typedef gpu_window statistic;
    enum { WIDE = IS_WIDE, OWN_STATISTICS = PIXELS * WARPS, MAX_TILES = 11 };
    static constexpr int blocks(int tiles) { return 8; }

    template <int TILES, int SIDE> struct rule {
        enum { RIGHT = SIDE == GPU_RIGHT };
        float outside[TILES][2]; /* NaN where pixel `group` has no candidate, else 0 */

        __device__ __forceinline__ int start(const arguments &a, int half, int tile, int i, int x, int candidate) {
            if (half == 0) outside[tile][i] = candidate < a.first || candidate >= a.end ? NAN : 0;
            return 0;
        }

        __device__ __forceinline__ float value(const arguments &a, const tensor_windows<gpu_window> &windows, int sum,
                                               int half, int position) const {
            const int n = (2 * a.rho + 1) * (2 * a.rho_y + 1);
            const gpu_window own = windows.own[8 * half], other = windows.others[position];
            return gpu_covariance<WIDE>(n, sum, n * windows.left[half], own.sum, other.sum) *
                   (own.inverse * other.inverse); /* sv_correlation */
        }

        __device__ __forceinline__ void find(const arguments &a, const tensor_windows<gpu_window> &windows,
                                             const int (&sums)[TILES][4],
                                             gpu_winner<gpu_correlations> (&found)[2]) const {
            const int n = (2 * a.rho + 1) * (2 * a.rho_y + 1), member = threadIdx.x % 4;
            const gpu_window own[2] = {windows.own[0], windows.own[8]};
            const int more[2] = {n * windows.left[0], n * windows.left[1]};
            float nearer[2]; /* of the pair of positions that has the best score, the score of the smaller candidate */
                             /* From the larger candidates to the smaller ones, which win a tie; NaN never wins. */
#pragma unroll
            for (int j = 0; j < TILES; j++) {
                const int tile = RIGHT ? TILES - 1 - j : j;
                const int4 pair = *(const int4 *)&windows.others[TILE * tile + 2 * member];
                const gpu_window beside[2] = {{pair.x, __int_as_float(pair.y)}, {pair.z, __int_as_float(pair.w)}};
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    if (!tile_meets(TILES, tile, half)) continue;
                    float scores[2];
#pragma unroll
                    for (int i = 0; i < 2; i++) {
                        const float covariance =
                            gpu_covariance<WIDE>(n, sums[tile][2 * half + i], more[half], own[half].sum, beside[i].sum);
                        /* sv_correlation; NaN is added to what does not count. */
                        scores[i] = fmaf(covariance, own[half].inverse * beside[i].inverse,
                                         outside[half ? max(tile - 1, 0) : tile][i]);
                    }
                    const float better = fmaxf(scores[0], scores[1]);
                    if (better >= found[half].value) {
                        nearer[half] = scores[!RIGHT];
                        found[half].candidate = TILE * tile;
                    }
                    found[half].value = fmaxf(found[half].value, better);
                }
            }
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float &best = found[half].value;
                int &at = found[half].candidate;
                if (at >= 0) at += 2 * member + ((nearer[half] == best) != RIGHT);
#pragma unroll
                for (int step = 1; step <= 2; step *= 2) { /* among the lanes of the group */
                    const float rival = __shfl_xor_sync(GPU_LANES, best, step);
                    const int rival_at = __shfl_xor_sync(GPU_LANES, at, step);
                    if (rival > best || (rival == best && (rival_at > at) != RIGHT)) {
                        best = rival;
                        at = rival_at;
                    }
                }
            }
        }

        __device__ __forceinline__ int rest(const tensor_windows<gpu_window> &, int) const { return 0; }

        __device__ __forceinline__ void write(const arguments &a, gpu_winner<gpu_correlations> best, int, int x,
                                              int y) const {
            if (!(best.value > SV_NO_CORRELATION)) best.candidate = GPU_FLAT;
            if (!keeps(a, SIDE, x, y, best.candidate, best.value)) return;
            const gpu_window *windows =
                (const gpu_window *)(a.statistics[SIDE] + (size_t)(y + 2 * a.rho_y) * a.pitch) + a.pad;
            zncc_write(a, SIDE, x, y, best, best.candidate < 0 && isnan(windows[x].inverse), false);
        }
    };
};

bool gpu_zncc_fits_tensors(const gpu_context *context, const zncc_job *job) {
    return !context->general && context->capability >= GPU_TENSOR_CAPABILITY && max(job->rho, job->rho_y) <= MAX_RHO &&
           !job->uniqueness && (size_t)job->width * job->height <= GPU_ROWS_PIXELS;
}

static size_t lay_out(zncc_tensor_arguments *a, void *base) {
    size_t used = 0;
    gpu_lay_out_rows(&a->prepared, a->width, a->height, a->rho_y, GPU_ROWS_PAD, base, &used);
    lay_out_best(a, base, &used);
    return used;
}

sv_status gpu_zncc_tensors(gpu_context *context, const gpu_pair *pair, const zncc_job *job, int sides,
                           sv_error *error) {
    zncc_tensor_arguments a = {};
    static_cast<zncc_job &>(a) = *job;
    a.share = share_of<zncc_method<false>>(a.candidates);
    GPU_PASS(gpu_use_scratch(context, lay_out, &a, error));
    GPU_PASS(gpu_prepare_rows(context, pair, job->rho, job->rho_y, &a.prepared, error));
    a.pad = a.prepared.pad;
    a.stride = a.prepared.stride;
    a.pitch = gpu_pitch(a.stride);
    for (int side = 0; side < GPU_SIDES; side++) {
        a.words[side] = a.prepared.rows + (size_t)side * a.prepared.picture;
        a.statistics[side] = a.words[side] + a.stride * sizeof(uint32_t);
    }
    return max(job->rho, job->rho_y) > NARROW_RADIUS ? launch_passes<zncc_method<true>, 11>(context, &a, sides, error)
                                                     : launch_passes<zncc_method<false>, 11>(context, &a, sides, error);
}
