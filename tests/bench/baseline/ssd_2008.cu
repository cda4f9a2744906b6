/* The kernel of J. Stam, "Stereo Imaging with CUDA" (2008), with its blocks of 64 threads, 40 rows per thread, one
 * candidate per pass, the best so far in global memory, and interpolated fetches of normalised floats.
 *
 * Changed so that it computes what is intended: pixels are fetched at their centres (as printed, at their corners,
 * which blends four), rounded to nearest (as printed, truncated, which makes some a level too low), and the last column
 * of the window is summed too (as printed, 10 of 11). Each takes almost no time. The radius is fixed as
 * printed; size and range are arguments. */
#include "tests/bench/baseline/baseline.h"

#include "gpu/cuda.cuh"

#include <stdlib.h>

enum { RADIUS = 5, BLOCK_WIDTH = 64, ROWS = 40, SIDES = 2 };

/* A block owns BLOCK_WIDTH columns and ROWS rows; a thread owns one column, and each of the first 2 RADIUS threads also
 * one of the halo. columns: BLOCK_WIDTH + 2 RADIUS, sums of squared differences over the rows of the window. */
__global__ static void ssd_2008_kernel(cudaTextureObject_t left, cudaTextureObject_t right, float *disparity,
                                       float *least, int width, int height, size_t pitch, float min_disparity,
                                       float max_disparity) {
    extern __shared__ int columns[];
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * ROWS;
    const int extra = threadIdx.x < 2 * RADIUS ? BLOCK_WIDTH + threadIdx.x : 0;

    const auto squared_difference = [&](float column, float row, float d) {
        const int difference = __float2int_rn(255.0f * tex2D<float>(left, column, row)) -
                               __float2int_rn(255.0f * tex2D<float>(right, column - d, row));
        return difference * difference;
    };
    const auto compare = [&](int row, float d) {
        int ssd = 0;
        for (int i = 0; i <= 2 * RADIUS; i++) ssd += columns[i + threadIdx.x];
        if (ssd < least[row * pitch + x]) {
            disparity[row * pitch + x] = d;
            least[row * pitch + x] = ssd;
        }
    };

    if (x < width)
        for (int i = 0; i < ROWS && y + i < height; i++) {
            disparity[(y + i) * pitch + x] = INFINITY;
            least[(y + i) * pitch + x] = INFINITY;
        }
    __syncthreads();

    if (x < width + RADIUS && y <= height) {
        const float column = x - RADIUS + 0.5f;
        for (float d = min_disparity; d <= max_disparity; d += 1.0f) {
            columns[threadIdx.x] = 0;
            if (extra > 0) columns[extra] = 0;
            float row = y - RADIUS + 0.5f;
            for (int i = 0; i <= 2 * RADIUS; i++) {
                columns[threadIdx.x] += squared_difference(column, row, d);
                if (extra > 0) columns[extra] += squared_difference(column + BLOCK_WIDTH, row, d);
                row += 1.0f;
            }
            __syncthreads();
            if (x < width && y < height) compare(y, d);
            __syncthreads();

            row = y - RADIUS + 0.5f; /* the row that leaves the window */
            for (int i = 1; i < ROWS && y + i < height + RADIUS; i++) {
                const float entering = row + (2 * RADIUS + 1);
                columns[threadIdx.x] -= squared_difference(column, row, d);
                columns[threadIdx.x] += squared_difference(column, entering, d);
                if (extra > 0) {
                    columns[extra] -= squared_difference(column + BLOCK_WIDTH, row, d);
                    columns[extra] += squared_difference(column + BLOCK_WIDTH, entering, d);
                }
                row += 1.0f;
                __syncthreads();
                if (x < width && y + i < height) compare(y + i, d);
                __syncthreads();
            }
        }
    }
}

struct ssd_2008_context {
    sv_params params;
    int width, height;
    cudaArray_t picture[SIDES];
    cudaTextureObject_t texture[SIDES];
    float *disparity, *least; /* device, height x pitch */
    size_t pitch;             /* floats */
    cudaEvent_t begin, end;
};

static void destroy(void *memory) {
    ssd_2008_context *c = (ssd_2008_context *)memory;
    if (!c) return;
    for (int side = 0; side < SIDES; side++) {
        if (c->texture[side]) cudaDestroyTextureObject(c->texture[side]);
        cudaFreeArray(c->picture[side]);
    }
    cudaFree(c->disparity);
    cudaFree(c->least);
    if (c->begin) cudaEventDestroy(c->begin);
    if (c->end) cudaEventDestroy(c->end);
    free(c);
}

static sv_status create_all(ssd_2008_context *c, sv_error *error) {
    const cudaChannelFormatDesc grey = cudaCreateChannelDesc<unsigned char>();
    size_t bytes;
    GPU_TRY(cudaSetDevice(0));
    for (int side = 0; side < SIDES; side++) {
        GPU_TRY(cudaMallocArray(&c->picture[side], &grey, c->width, c->height));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = c->picture[side];
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        how.filterMode = cudaFilterModeLinear;
        how.readMode = cudaReadModeNormalizedFloat;
        GPU_TRY(cudaCreateTextureObject(&c->texture[side], &resource, &how, NULL));
    }
    GPU_TRY(cudaMallocPitch((void **)&c->disparity, &bytes, c->width * sizeof(float), c->height));
    GPU_TRY(cudaMallocPitch((void **)&c->least, &bytes, c->width * sizeof(float), c->height));
    c->pitch = bytes / sizeof(float);
    GPU_TRY(cudaEventCreate(&c->begin));
    GPU_TRY(cudaEventCreate(&c->end));
    return SV_OK;
}

static sv_status create(const sv_params *params, const sv_matcher_options *options, void **context, sv_error *error) {
    *context = NULL;
    if (params->rho != RADIUS || sv_rho_y(params) != RADIUS || params->steps != 1 || params->left_right_check >= 0)
        return sv_fail(error, SV_USAGE, "the 2008 kernel has windows of 11 x 11, whole steps and the left map alone");
    ssd_2008_context *c = (ssd_2008_context *)calloc(1, sizeof *c);
    if (!c) return sv_fail(error, SV_FAILED, "out of memory for the 2008 kernel");
    c->params = *params;
    c->width = options->width;
    c->height = options->height;
    const sv_status status = create_all(c, error);
    if (status != SV_OK)
        destroy(c);
    else
        *context = c;
    return status;
}

static sv_status run(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    ssd_2008_context *c = (ssd_2008_context *)context;
    const sv_image *pictures[SIDES] = {&pair->left, &pair->right};
    for (int side = 0; side < SIDES; side++)
        GPU_TRY(cudaMemcpy2DToArray(c->picture[side], 0, 0, pictures[side]->data, pictures[side]->stride, c->width,
                                    c->height, cudaMemcpyHostToDevice));
    const dim3 grid(gpu_blocks(c->width, BLOCK_WIDTH), gpu_blocks(c->height, ROWS));
    GPU_TRY(cudaEventRecord(c->begin));
    ssd_2008_kernel<<<grid, BLOCK_WIDTH, (BLOCK_WIDTH + 2 * RADIUS) * sizeof(int)>>>(
        c->texture[0], c->texture[1], c->disparity, c->least, c->width, c->height, c->pitch, c->params.min_disparity,
        c->params.max_disparity);
    GPU_TRY(cudaGetLastError());
    GPU_TRY(cudaEventRecord(c->end));
    GPU_TRY(cudaEventSynchronize(c->end));
    GPU_TRY(cudaEventElapsedTime(ms, c->begin, c->end));
    if (!disparity) return SV_OK;
    const size_t row = c->width * sizeof(float);
    GPU_TRY(
        cudaMemcpy2D(disparity, row, c->disparity, c->pitch * sizeof(float), row, c->height, cudaMemcpyDeviceToHost));
    baseline_blank_border(&c->params, c->width, c->height, disparity);
    return SV_OK;
}

const baseline ssd_2008 = {"2008 kernel", &sv_cuda, SV_SSD, 0, create, run, destroy};
