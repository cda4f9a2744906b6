/* The context of a matcher: its streams, pictures and buffers. */
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda.cuh"

/* A kernel that does nothing; its attributes say which code the device runs. */
__global__ static void nothing_kernel(void) {}

sv_status gpu_find_capability(int *capability, sv_error *error) {
    cudaFuncAttributes attributes;
    GPU_TRY(cudaFuncGetAttributes(&attributes, nothing_kernel));
    *capability = attributes.ptxVersion;
    return SV_OK;
}

void *gpu_driver_call(const char *name, int version) {
    void *function = NULL;
#if CUDART_VERSION >= 12050
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion(name, &function, (unsigned)version, cudaEnableDefault, NULL);
#else
    (void)version;
    const cudaError_t code = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault);
#endif
    return code == cudaSuccess ? function : NULL;
}

/* ---- Pictures --------------------------------------------------------------------------------- */

static sv_status create_texture(const sv_image *picture, bool between, cudaTextureObject_t *texture, sv_error *error) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = picture->data;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = picture->width;
    resource.res.pitch2D.height = picture->height;
    resource.res.pitch2D.pitchInBytes = picture->stride;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = between ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    GPU_TRY(cudaCreateTextureObject(texture, &resource, &how, NULL));
    return SV_OK;
}

sv_status gpu_create_pictures(gpu_pair *pair, int width, int height, sv_error *error) {
    for (int side = 0; side < GPU_SIDES; side++) {
        sv_image *picture = &pair->picture[side];
        *picture = {NULL, 0, width, height, SV_GREY8, SV_DEVICE};
        GPU_TRY(cudaMallocPitch(&picture->data, &picture->stride, width, height));
        /* Kernels may read whole words at the end of a row. */
        GPU_TRY(cudaMemset(picture->data, 0, picture->stride * height));
        GPU_PASS(create_texture(picture, false, &pair->nearest[side], error));
        GPU_PASS(create_texture(picture, true, &pair->between[side], error));
    }
    GPU_TRY(cudaStreamSynchronize(NULL)); /* the context's streams do not wait for the default stream */
    return SV_OK;
}

void gpu_free_pictures(gpu_pair *pair) {
    for (int side = 0; side < GPU_SIDES; side++) {
        if (pair->nearest[side]) cudaDestroyTextureObject(pair->nearest[side]);
        if (pair->between[side]) cudaDestroyTextureObject(pair->between[side]);
        cudaFree(pair->picture[side].data);
        pair->nearest[side] = pair->between[side] = 0;
        pair->picture[side] = {};
    }
}

sv_status gpu_use_filtered(gpu_context *context, gpu_pair *pair, int side, sv_error *error) {
    gpu_pair *filtered = &context->filtered;
    /* On first use, and again if memory ran out then. */
    if (!filtered->between[GPU_RIGHT]) {
        gpu_free_pictures(filtered);
        GPU_PASS(gpu_create_pictures(filtered, context->width, context->height, error));
    }
    pair->picture[side] = filtered->picture[side];
    pair->nearest[side] = filtered->nearest[side];
    pair->between[side] = filtered->between[side];
    return SV_OK;
}

/* ---- Contexts --------------------------------------------------------------------------------- */

sv_status gpu_reserve_smaller(gpu_context *context, gpu_context **smaller, int width, int height, sv_error *error) {
    gpu_context *made = *smaller;
    if (!made) {
        made = (gpu_context *)calloc(1, sizeof *made);
        if (!made) return sv_fail(error, SV_FAILED, "out of memory for a matcher of %d x %d pixels", width, height);
        *smaller = made; /* the context that `smaller` belongs to frees it, even after a failure below */
        made->device = context->device;
        made->width = width;
        made->height = height;
        made->multiprocessors = context->multiprocessors;
        made->capability = context->capability;
        made->general = context->general;
        made->weights = context->weights;
    }
    const size_t pixels = (size_t)width * height;
    made->compute = context->compute;
    made->model = context->model;
    /* On first use, and again if memory ran out then. */
    if (!made->ready) {
        GPU_PASS(gpu_reserve(made->compute, &made->pairs[0].disparity, pixels * sizeof(float), error));
        GPU_PASS(gpu_reserve(made->compute, &made->pairs[0].reason, pixels, error));
        GPU_PASS(gpu_reserve(made->compute, &made->pairs[0].confidence, pixels, error));
        for (int side = 0; side < GPU_SIDES; side++)
            GPU_PASS(gpu_reserve(made->compute, &made->winners[side], pixels * sizeof(int16_t), error));
        gpu_free_pictures(&made->pairs[0]);
        GPU_PASS(gpu_create_pictures(&made->pairs[0], width, height, error));
        made->ready = true;
    }
    return SV_OK;
}

sv_status gpu_find_device(gpu_context *context, sv_error *error) {
    GPU_TRY(cudaSetDevice(context->device));
    GPU_TRY(cudaDeviceGetAttribute(&context->multiprocessors, cudaDevAttrMultiProcessorCount, context->device));
    GPU_PASS(gpu_find_capability(&context->capability, error));
    const char *general = getenv("SV_CUDA_GENERAL");
    context->general = general && !strcmp(general, "1");
    return SV_OK;
}

static sv_status create_all(gpu_context *context, sv_error *error) {
    const size_t pixels = (size_t)context->width * context->height;
    GPU_PASS(gpu_find_device(context, error));
    GPU_TRY(cudaStreamCreateWithFlags(&context->upload, cudaStreamNonBlocking));
    GPU_TRY(cudaStreamCreateWithFlags(&context->compute, cudaStreamNonBlocking));
    GPU_TRY(cudaStreamCreateWithFlags(&context->download, cudaStreamNonBlocking));
    GPU_TRY(cudaEventCreate(&context->made));
    GPU_TRY(cudaEventRecord(context->made, context->compute));
    for (int i = 0; i < SV_IN_FLIGHT; i++) {
        gpu_pair *pair = &context->pairs[i];
        GPU_PASS(gpu_create_pictures(pair, context->width, context->height, error));
        for (int e = 0; e < GPU_EVENTS; e++) GPU_TRY(cudaEventCreate(&pair->events[e]));
        GPU_TRY(cudaHostAlloc((void **)&pair->lost, sizeof *pair->lost, cudaHostAllocMapped));
        *pair->lost = 0;
    }
    for (int side = 0; side < GPU_SIDES; side++)
        GPU_PASS(gpu_reserve(context->compute, &context->winners[side], pixels * sizeof(int16_t), error));
    return SV_OK;
}

void gpu_drain(gpu_context *context) {
    if (context->upload) cudaStreamSynchronize(context->upload);
    if (context->compute) cudaStreamSynchronize(context->compute);
    if (context->download) cudaStreamSynchronize(context->download);
}

/* Destroys a context that gpu_reserve_smaller made. Accepts NULL. */
static void destroy_smaller(gpu_context *smaller) {
    if (!smaller) return;
    /* These belong to the larger context. */
    smaller->compute = NULL;
    smaller->model = NULL;
    smaller->pairs[0].lost = NULL;
    gpu_destroy_context(smaller);
}

void gpu_destroy_context(gpu_context *context) {
    if (!context) return;
    cudaSetDevice(context->device);
    gpu_drain(context);
    gpu_forget_graphs(&context->graphs);
    for (int i = 0; i < GPU_SCALES; i++) destroy_smaller(context->scaled[i]);
    for (int i = 0; i < SV_IN_FLIGHT; i++) {
        gpu_pair *pair = &context->pairs[i];
        gpu_free_pictures(pair);
        for (int side = 0; side < GPU_SIDES; side++) {
            cudaFree(pair->colour[side].data);
            cudaFree(pair->raw_memory[side].data);
            cudaFree(pair->raw_colour_memory[side].data);
        }
        cudaFree(pair->disparity.data);
        cudaFree(pair->reason.data);
        cudaFree(pair->confidence.data);
        cudaFreeHost((void *)pair->lost);
        for (int e = 0; e < GPU_EVENTS; e++)
            if (pair->events[e]) cudaEventDestroy(pair->events[e]);
    }
    gpu_free_pictures(&context->filtered);
    cudaFree(context->filtered.colour[GPU_RIGHT].data);
    for (int side = 0; side < GPU_SIDES; side++) {
        cudaFree(context->maps[side].data);
        cudaFree(context->winners[side].data);
    }
    cudaFree(context->confidence.data);
    cudaFree(context->spare.data);
    cudaFree(context->history.frames.data);
    cudaFree(context->scratch.data);
    gpu_close_model(context->model);
    if (context->made) cudaEventDestroy(context->made);
    if (context->upload) cudaStreamDestroy(context->upload);
    if (context->compute) cudaStreamDestroy(context->compute);
    if (context->download) cudaStreamDestroy(context->download);
    free(context);
}

sv_status gpu_create_context(int device, int width, int height, gpu_context **context, sv_error *error) {
    gpu_context *made = (gpu_context *)calloc(1, sizeof *made);
    *context = NULL;
    if (!made) return sv_fail(error, SV_FAILED, "out of memory for a matcher");
    made->device = device;
    made->width = width;
    made->height = height;
    sv_make_weights(made->weights.of);
    const sv_status status = create_all(made, error);
    if (status != SV_OK) {
        gpu_destroy_context(made);
        return status;
    }
    *context = made;
    return SV_OK;
}

sv_status gpu_make_picture(gpu_context *context, gpu_buffer *buffer, sv_format format, sv_image *picture,
                           sv_error *error) {
    const size_t stride = context->width * sv_pixel_size(format);
    GPU_PASS(gpu_reserve(context->compute, buffer, stride * context->height, error));
    *picture = {buffer->data, stride, context->width, context->height, format, SV_DEVICE};
    return SV_OK;
}

void gpu_name_kernels(gpu_context *context, const char *kernels) {
    if (context->kernels == kernels || context->scratch.counts) return;
    context->kernels = kernels;
    sv_log(SV_LOG_DEBUG, "pictures of %d x %d are matched by %s", context->width, context->height, kernels);
}

gpu_search gpu_search_of(const gpu_context *context, const sv_params *params, const sv_output *maps) {
    gpu_search search = {};
    for (int side = 0; side < GPU_SIDES; side++) search.winners[side] = (int16_t *)context->winners[side].data;
    search.maps = *maps;
    search.width = context->width;
    search.height = context->height;
    search.rho = params->rho;
    search.rho_y = sv_rho_y(params);
    search.min_disparity = params->min_disparity;
    search.candidates = sv_candidates(params);
    search.uniqueness = params->uniqueness;
    search.subpixel = params->subpixel;
    return search;
}
