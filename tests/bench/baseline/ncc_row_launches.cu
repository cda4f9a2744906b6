/* Propagated correlation as Fan and Dahnoun (2018) launch it: sums and deviations of all windows in blocks of 32 x 8
 * from integral images that the CPU makes, then one launch with blocks of 64 threads for every row; intensities come
 * through textures, everything else from global memory; left map, right map, check.
 *
 * The score is that of stereo/pixel.h. The borders, the rows at the bottom and the seeds of pixels without a match are
 * ours, because a row's winners decide where the next row searches: the maps then agree everywhere. The time excludes
 * the integral images and their upload. */
#include "tests/bench/baseline/baseline.h"

#include "gpu/cuda.cuh"
#include "stereo/pixel.h"

#include <stdlib.h>

/* The paper's radius, fixed so that the compiler unrolls the window and its fetches overlap. */
enum { RADIUS = 3, SIZE = 2 * RADIUS + 1 };
enum { NONE = SV_MIN_DISPARITY - 1, BLOCK_WIDTH = 64 };

struct row_launches {
    cudaTextureObject_t picture[GPU_SIDES];         /* 0..255, clamped */
    uint32_t *sums[GPU_SIDES], *squares[GPU_SIDES]; /* integral images */
    int *window_sum[GPU_SIDES];                     /* height x width, as the rest */
    float *inverse[GPU_SIDES];                      /* 1 / (n sigma), 0 where the window is flat */
    int *winner[GPU_SIDES], *seeds;
    float *disparity;
    int width, height, tau, min_disparity, max_disparity, left_right_check;
};

/* A thread measures the window about one pixel. */
__global__ static void measure_kernel(const __grid_constant__ row_launches a, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= a.width || y >= a.height) return;
    const int stride = a.width + SIZE, below = SIZE * stride;
    const uint32_t *s = a.sums[side] + y * stride + x, *q = a.squares[side] + y * stride + x;
    const uint32_t sum = s[below + SIZE] - s[SIZE] - s[below] + s[0];
    const uint32_t squares = q[below + SIZE] - q[SIZE] - q[below] + q[0];
    a.window_sum[side][y * a.width + x] = sum;
    a.inverse[side][y * a.width + x] = sv_inverse_deviation(SIZE * SIZE, sum, squares);
}

/* Keeps disparity `d` of (x, y) if its score is better than `most`, or equal with a smaller disparity. */
__device__ static void consider(const row_launches &a, int side, int x, int y, int d, int &best, float &most) {
    const int xl = side == GPU_LEFT ? x : x + d, xr = side == GPU_LEFT ? x - d : x;
    if (d < a.min_disparity || d > a.max_disparity || xl < 0 || xl >= a.width || xr < 0 || xr >= a.width) return;
    const int left = y * a.width + xl, right = y * a.width + xr;
    const float left_inverse = a.inverse[GPU_LEFT][left], right_inverse = a.inverse[GPU_RIGHT][right];
    if (left_inverse == 0 || right_inverse == 0) return;
    int products = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; j++)
#pragma unroll
        for (int i = -RADIUS; i <= RADIUS; i++)
            products += tex2D<unsigned char>(a.picture[GPU_LEFT], xl + i + 0.5f, y + j + 0.5f) *
                        tex2D<unsigned char>(a.picture[GPU_RIGHT], xr + i + 0.5f, y + j + 0.5f);
    const float score = sv_correlation_of_few(SIZE * SIZE, products, a.window_sum[GPU_LEFT][left],
                                              a.window_sum[GPU_RIGHT][right], left_inverse, right_inverse);
    if (best == NONE || score > most || (score == most && d < best)) {
        best = d;
        most = score;
    }
}

/* A thread matches one pixel of row y; `before` is the row that was matched before it, or -1 for the full range. */
__global__ static void row_kernel(const __grid_constant__ row_launches a, int side, int y, int before) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    if (x >= a.width) return;
    int best = NONE, seeds[3], any = 0;
    float most = 0;
#pragma unroll
    for (int n = 0; n < 3; n++) {
        const int u = x - 1 + n;
        seeds[n] = before >= 0 && u >= 0 && u < a.width ? a.seeds[before * a.width + u] : NONE;
        any |= seeds[n] != NONE;
    }
    /* The union of the seeds' ranges: each without what earlier ones have covered. */
#pragma unroll
    for (int n = 0; n < 3; n++) {
        if (seeds[n] == NONE) continue;
        for (int d = seeds[n] - a.tau; d <= seeds[n] + a.tau; d++) {
            bool covered = false;
#pragma unroll
            for (int m = 0; m < n; m++) covered |= seeds[m] != NONE && abs(d - seeds[m]) <= a.tau;
            if (!covered) consider(a, side, x, y, d, best, most);
        }
    }
    for (int d = a.min_disparity; !any && d <= a.max_disparity; d++) consider(a, side, x, y, d, best, most);
    a.winner[side][y * a.width + x] = best;
    a.seeds[y * a.width + x] = best == NONE && before >= 0 ? a.seeds[before * a.width + x] : best;
}

/* A thread checks one pixel. */
__global__ static void check_kernel(const __grid_constant__ row_launches a) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= a.width || y >= a.height) return;
    const int i = y * a.width + x, d = a.winner[GPU_LEFT][i];
    const int back = d == NONE ? NONE : a.winner[GPU_RIGHT][i - d];
    a.disparity[i] = back != NONE && abs(back - d) <= a.left_right_check ? d : INFINITY;
}

struct row_launches_context {
    row_launches arguments;
    sv_image picture[GPU_SIDES];                    /* device */
    uint32_t *sums[GPU_SIDES], *squares[GPU_SIDES]; /* host */
    size_t integral;                                /* bytes */
    cudaEvent_t begin, end;
};

static void destroy(void *memory) {
    row_launches_context *c = (row_launches_context *)memory;
    if (!c) return;
    row_launches *a = &c->arguments;
    for (int side = 0; side < GPU_SIDES; side++) {
        if (a->picture[side]) cudaDestroyTextureObject(a->picture[side]);
        cudaFree(c->picture[side].data);
        cudaFree(a->sums[side]);
        cudaFree(a->squares[side]);
        cudaFree(a->window_sum[side]);
        cudaFree(a->inverse[side]);
        cudaFree(a->winner[side]);
        free(c->sums[side]);
        free(c->squares[side]);
    }
    cudaFree(a->seeds);
    cudaFree(a->disparity);
    if (c->begin) cudaEventDestroy(c->begin);
    if (c->end) cudaEventDestroy(c->end);
    free(c);
}

static sv_status create_all(row_launches_context *c, sv_error *error) {
    row_launches *a = &c->arguments;
    const size_t pixels = (size_t)a->width * a->height;
    c->integral = baseline_integral_stride(a->width, RADIUS) * (a->height + SIZE) * sizeof(uint32_t);
    GPU_TRY(cudaSetDevice(0));
    for (int side = 0; side < GPU_SIDES; side++) {
        sv_image *picture = &c->picture[side];
        *picture = {NULL, 0, a->width, a->height, SV_GREY8, SV_DEVICE};
        GPU_TRY(cudaMallocPitch(&picture->data, &picture->stride, a->width, a->height));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = picture->data;
        resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
        resource.res.pitch2D.width = a->width;
        resource.res.pitch2D.height = a->height;
        resource.res.pitch2D.pitchInBytes = picture->stride;
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        GPU_TRY(cudaCreateTextureObject(&a->picture[side], &resource, &how, NULL));
        GPU_TRY(cudaMalloc(&a->sums[side], c->integral));
        GPU_TRY(cudaMalloc(&a->squares[side], c->integral));
        GPU_TRY(cudaMalloc(&a->window_sum[side], pixels * sizeof(int)));
        GPU_TRY(cudaMalloc(&a->inverse[side], pixels * sizeof(float)));
        GPU_TRY(cudaMalloc(&a->winner[side], pixels * sizeof(int)));
        c->sums[side] = (uint32_t *)malloc(c->integral);
        c->squares[side] = (uint32_t *)malloc(c->integral);
        if (!c->sums[side] || !c->squares[side]) return sv_fail(error, SV_FAILED, "out of memory for integral images");
    }
    GPU_TRY(cudaMalloc(&a->seeds, pixels * sizeof(int)));
    GPU_TRY(cudaMalloc(&a->disparity, pixels * sizeof(float)));
    GPU_TRY(cudaEventCreate(&c->begin));
    GPU_TRY(cudaEventCreate(&c->end));
    return SV_OK;
}

static sv_status create(const sv_params *params, const sv_matcher_options *options, void **context, sv_error *error) {
    *context = NULL;
    if (params->reseed || params->left_right_check < 0 || params->rho != RADIUS || sv_rho_y(params) != RADIUS)
        return sv_fail(error, SV_USAGE, "a launch a row is for windows of 7 x 7, both maps and the check");
    row_launches_context *c = (row_launches_context *)calloc(1, sizeof *c);
    if (!c) return sv_fail(error, SV_FAILED, "out of memory for a launch a row");
    row_launches *a = &c->arguments;
    a->width = options->width;
    a->height = options->height;
    a->tau = params->tau;
    a->min_disparity = params->min_disparity;
    a->max_disparity = params->max_disparity;
    a->left_right_check = params->left_right_check;
    const sv_status status = create_all(c, error);
    if (status != SV_OK)
        destroy(c);
    else
        *context = c;
    return status;
}

static sv_status launch_rows(const row_launches *a, int side, sv_error *error) {
    const int blocks = gpu_blocks(a->width, BLOCK_WIDTH), start = max(a->height - RADIUS - 2, 0);
    row_kernel<<<blocks, BLOCK_WIDTH>>>(*a, side, start, -1);
    for (int y = start - 1; y >= 0; y--) row_kernel<<<blocks, BLOCK_WIDTH>>>(*a, side, y, y + 1);
    for (int y = start + 1; y < a->height; y++) row_kernel<<<blocks, BLOCK_WIDTH>>>(*a, side, y, y - 1);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static sv_status run(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    row_launches_context *c = (row_launches_context *)context;
    const row_launches *a = &c->arguments;
    const sv_image *pictures[GPU_SIDES] = {&pair->left, &pair->right};
    for (int side = 0; side < GPU_SIDES; side++) {
        baseline_integral(pictures[side], RADIUS, c->sums[side], c->squares[side]);
        GPU_TRY(cudaMemcpy2D(c->picture[side].data, c->picture[side].stride, pictures[side]->data,
                             pictures[side]->stride, a->width, a->height, cudaMemcpyHostToDevice));
        GPU_TRY(cudaMemcpy(a->sums[side], c->sums[side], c->integral, cudaMemcpyHostToDevice));
        GPU_TRY(cudaMemcpy(a->squares[side], c->squares[side], c->integral, cudaMemcpyHostToDevice));
    }
    const dim3 block(32, 8), grid(gpu_blocks(a->width, block.x), gpu_blocks(a->height, block.y));
    GPU_TRY(cudaEventRecord(c->begin));
    for (int side = 0; side < GPU_SIDES; side++) measure_kernel<<<grid, block>>>(*a, side);
    for (int side = 0; side < GPU_SIDES; side++) GPU_PASS(launch_rows(a, side, error));
    check_kernel<<<grid, block>>>(*a);
    GPU_TRY(cudaGetLastError());
    GPU_TRY(cudaEventRecord(c->end));
    GPU_TRY(cudaEventSynchronize(c->end));
    GPU_TRY(cudaEventElapsedTime(ms, c->begin, c->end));
    if (disparity)
        GPU_TRY(cudaMemcpy(disparity, a->disparity, (size_t)a->width * a->height * sizeof *disparity,
                           cudaMemcpyDeviceToHost));
    return SV_OK;
}

const baseline ncc_row_launches = {"launch a row", &sv_cuda, SV_NCC, 0, create, run, destroy};
