/* Not a matcher: a copy of 1 GiB within the device, whose time bounds from below how fast bytes are read and written.
 */
#include "gpu/cuda.cuh"
#include "tests/bench/baseline/baseline.h"

static const size_t BYTES = (size_t)1 << 30;

typedef struct copy_context {
    void *from, *to;
    cudaEvent_t begin, end;
} copy_context;

static void destroy(void *memory) {
    copy_context *c = (copy_context *)memory;
    if (!c) return;
    cudaFree(c->from);
    cudaFree(c->to);
    if (c->begin) cudaEventDestroy(c->begin);
    if (c->end) cudaEventDestroy(c->end);
    free(c);
}

static sv_status create_all(copy_context *c, sv_error *error) {
    GPU_TRY(cudaMalloc(&c->from, BYTES));
    GPU_TRY(cudaMalloc(&c->to, BYTES));
    GPU_TRY(cudaMemset(c->from, 0x5a, BYTES));
    GPU_TRY(cudaEventCreate(&c->begin));
    GPU_TRY(cudaEventCreate(&c->end));
    return SV_OK;
}

static sv_status create(const sv_params *params, const sv_matcher_options *options, void **context, sv_error *error) {
    copy_context *c = (copy_context *)calloc(1, sizeof *c);
    *context = NULL;
    if (!c) return sv_fail(error, SV_FAILED, "out of memory for the copy");
    const sv_status status = create_all(c, error);
    if (status != SV_OK)
        destroy(c);
    else
        *context = c;
    return status;
}

static sv_status run(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    copy_context *c = (copy_context *)context;
    GPU_TRY(cudaEventRecord(c->begin));
    GPU_TRY(cudaMemcpyAsync(c->to, c->from, BYTES, cudaMemcpyDeviceToDevice));
    GPU_TRY(cudaEventRecord(c->end));
    GPU_TRY(cudaEventSynchronize(c->end));
    GPU_TRY(cudaEventElapsedTime(ms, c->begin, c->end));
    return SV_OK;
}

const baseline device_copy = {BASELINE_COPY, &sv_cuda, SV_SSD, 1, create, run, destroy};
