/* Orders the work of a matcher relative to a stream of the caller, without the host waiting. All work of a pair follows
 * its upload, and is complete at its last event. */
#include "gpu/cuda.cuh"

static sv_status wait_for(gpu_context *context, cudaStream_t stream, cudaEvent_t reached, sv_error *error) {
    GPU_TRY(cudaEventRecord(reached, stream));
    GPU_TRY(cudaStreamWaitEvent(context->upload, reached, 0));
    return SV_OK;
}

sv_status gpu_order(void *memory, void *theirs, bool after, sv_error *error) {
    gpu_context *context = (gpu_context *)memory;
    cudaStream_t stream = (cudaStream_t)theirs;
    GPU_TRY(cudaSetDevice(context->device));
    if (after) {
        const gpu_pair *pair = &context->pairs[(context->submitted - 1) % SV_IN_FLIGHT];
        GPU_TRY(cudaStreamWaitEvent(stream, pair->events[pair->downloaded ? GPU_DOWNLOAD_END : GPU_REFINE_END], 0));
        return SV_OK;
    }
    cudaEvent_t reached;
    GPU_TRY(cudaEventCreateWithFlags(&reached, cudaEventDisableTiming));
    const sv_status status = wait_for(context, stream, reached, error);
    cudaEventDestroy(reached); /* CUDA keeps it until it has been reached */
    return status;
}
