/* The CUDA backend: upload, matching, refinement and download of a pair, without waiting.
 *
 * Each of upload, kernels and download has a stream, and events order them, so that one pair is uploaded and
 * another downloaded while a third is matched. Every pair in flight has its own pictures and staging buffers; the
 * scratch memory of the kernels is shared, because they run one after another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda.cuh"

/* ---- Errors and host memory ------------------------------------------------------------------------ */

sv_status gpu_fail(sv_error *error, const char *call, cudaError_t code) {
    const char *advice = "if it happens again, run with --backend cpu";
    if (code == cudaErrorMemoryAllocation)
        advice = "try smaller pictures, or close other programs that use the card";
    else if (code == cudaErrorNoKernelImageForDevice)
        advice = "this program has no code for this card; build it again with CUDA_ARCHS set to its compute capability";
    cudaGetLastError();
    return sv_fail(error, SV_FAILED, "CUDA's %.*s failed: %s (%s); %s", (int)strcspn(call, "("), call,
                   cudaGetErrorString(code), cudaGetErrorName(code), advice);
}

static void *alloc(size_t bytes) {
    void *memory = NULL;
    if (cudaSetDevice(GPU_DEVICE) == cudaSuccess && cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) == cudaSuccess)
        return memory;
    cudaGetLastError();
    return NULL;
}

static void release(void *memory) {
    if (memory) cudaFreeHost(memory);
}

/* ---- Finding the device ----------------------------------------------------------------------- */

__global__ static void nothing_kernel(void) {}

static sv_status probe(char *device, size_t size, sv_error *error) {
    enum { LEAST_MAJOR = 7, LEAST_MINOR = 5 };
    int count = 0, driver = 0, runtime = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || !count) {
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        cudaGetLastError();
        if (code == cudaErrorInsufficientDriver && driver)
            return sv_fail(error, SV_NO_DEVICE,
                           "the NVIDIA driver supports CUDA %d.%d and this program needs %d.%d; update the driver, or "
                           "build with an older CUDA Toolkit",
                           driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
        if (!driver)
            return sv_fail(error, SV_NO_DEVICE, "there is no NVIDIA driver; install it if there is an NVIDIA card");
        return sv_fail(error, SV_NO_DEVICE, "there is no NVIDIA card that CUDA can use (%s)", cudaGetErrorString(code));
    }
    cudaDeviceProp properties;
    GPU_TRY(cudaGetDeviceProperties(&properties, GPU_DEVICE));
    const int major = properties.major, minor = properties.minor;
    if (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR))
        return sv_fail(error, SV_NO_DEVICE, "%s has compute capability %d.%d, and %d.%d is the least that is supported",
                       properties.name, major, minor, LEAST_MAJOR, LEAST_MINOR);
    GPU_TRY(cudaSetDevice(GPU_DEVICE));
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, nothing_kernel) != cudaSuccess) {
        cudaGetLastError();
        return sv_fail(error, SV_NO_DEVICE,
                       "this program has no code for %s, compute capability %d.%d; build it again with CUDA_ARCHS=%d%d",
                       properties.name, major, minor, major, minor);
    }
    snprintf(device, size, "%s, %.0f GiB, compute capability %d.%d", properties.name,
             (double)properties.totalGlobalMem / (1 << 30), major, minor);
    return SV_OK;
}

/* ---- Creating and destroying ------------------------------------------------------------------ */

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
    GPU_TRY(cudaStreamSynchronize(NULL)); /* our streams do not wait for it */
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
    /* If there was not enough memory for all of them, the next pair tries again. */
    if (!filtered->between[GPU_RIGHT]) {
        gpu_free_pictures(filtered);
        GPU_PASS(gpu_create_pictures(filtered, context->width, context->height, error));
    }
    pair->picture[side] = filtered->picture[side];
    pair->nearest[side] = filtered->nearest[side];
    pair->between[side] = filtered->between[side];
    return SV_OK;
}

sv_status gpu_reserve_smaller(gpu_context *context, gpu_context **smaller, int width, int height, sv_error *error) {
    gpu_context *made = *smaller;
    if (!made) {
        made = (gpu_context *)calloc(1, sizeof *made);
        if (!made) return sv_fail(error, SV_FAILED, "out of memory for a matcher of %d x %d pixels", width, height);
        *smaller = made; /* which owns it, whatever happens */
        made->width = width;
        made->height = height;
        made->multiprocessors = context->multiprocessors;
        made->capability = context->capability;
        made->general = context->general;
        made->fault = context->fault;
        made->weights = context->weights;
    }
    const size_t pixels = (size_t)width * height;
    made->compute = context->compute;
    /* If memory ran out in the middle of it, the next pair tries again. */
    if (!made->ready) {
        GPU_PASS(gpu_reserve(made, &made->pairs[0].disparity, pixels * sizeof(float), error));
        GPU_PASS(gpu_reserve(made, &made->pairs[0].reason, pixels, error));
        for (int side = 0; side < GPU_SIDES; side++)
            GPU_PASS(gpu_reserve(made, &made->winners[side], pixels * sizeof(int16_t), error));
        gpu_free_pictures(&made->pairs[0]);
        GPU_PASS(gpu_create_pictures(&made->pairs[0], width, height, error));
        made->ready = true;
    }
    return SV_OK;
}

static sv_status read_fault(gpu_fault *fault, sv_error *error) {
    static const char *const names[GPU_FAULTS] = {"", "capture", "reserve", "strip"};
    const char *name = getenv("SV_CUDA_FAULT");
    for (int i = 0; name && i < GPU_FAULTS; i++)
        if (!strcmp(name, names[i])) {
            *fault = (gpu_fault)i;
            return SV_OK;
        }
    return name ? sv_fail(error, SV_USAGE, "SV_CUDA_FAULT is capture, reserve or strip, not %s", name) : SV_OK;
}

static sv_status create_all(gpu_context *context, sv_error *error) {
    const size_t pixels = (size_t)context->width * context->height;
    GPU_TRY(cudaSetDevice(GPU_DEVICE));
    GPU_TRY(cudaDeviceGetAttribute(&context->multiprocessors, cudaDevAttrMultiProcessorCount, GPU_DEVICE));
    cudaFuncAttributes attributes;
    GPU_TRY(cudaFuncGetAttributes(&attributes, nothing_kernel));
    context->capability = attributes.ptxVersion;
    const char *general = getenv("SV_CUDA_GENERAL");
    context->general = general && !strcmp(general, "1");
    GPU_PASS(read_fault(&context->fault, error));
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
        GPU_PASS(gpu_reserve(context, &context->winners[side], pixels * sizeof(int16_t), error));
    return SV_OK;
}

/* Waits until all work of the context is complete. */
static void drain(gpu_context *context) {
    if (context->upload) cudaStreamSynchronize(context->upload);
    if (context->compute) cudaStreamSynchronize(context->compute);
    if (context->download) cudaStreamSynchronize(context->download);
}

static void destroy(void *memory);

/* Destroys a context that gpu_reserve_smaller made; NULL is fine. */
static void destroy_smaller(gpu_context *smaller) {
    if (!smaller) return;
    /* These are not its own. */
    smaller->compute = NULL;
    smaller->pairs[0].lost = NULL;
    destroy(smaller);
}

static void destroy(void *memory) {
    gpu_context *context = (gpu_context *)memory;
    if (!context) return;
    cudaSetDevice(GPU_DEVICE);
    drain(context);
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
    cudaFree(context->spare.data);
    cudaFree(context->scratch.data);
    if (context->made) cudaEventDestroy(context->made);
    if (context->upload) cudaStreamDestroy(context->upload);
    if (context->compute) cudaStreamDestroy(context->compute);
    if (context->download) cudaStreamDestroy(context->download);
    free(context);
}

static sv_status create(const sv_matcher_options *options, void **memory, sv_error *error) {
    *memory = NULL;
    gpu_context *context = (gpu_context *)calloc(1, sizeof *context);
    if (!context) return sv_fail(error, SV_FAILED, "out of memory for a matcher");
    context->width = options->width;
    context->height = options->height;
    sv_make_weights(context->weights.of);
    sv_status status = create_all(context, error);
    if (status == SV_OK) status = gpu_create_rectification(context, options->rectification, error);
    if (status != SV_OK) {
        destroy(context);
        return status;
    }
    *memory = context;
    return SV_OK;
}

/* ---- Matching a pair -------------------------------------------------------------------------- */

/* Copies a dense or strided picture between any two memories. */
static cudaError_t copy(const sv_image *to, const sv_image *from, cudaStream_t stream) {
    const cudaMemcpyKind kind = from->memory == SV_HOST ? cudaMemcpyHostToDevice
                                : to->memory == SV_HOST ? cudaMemcpyDeviceToHost
                                                        : cudaMemcpyDeviceToDevice;
    return cudaMemcpy2DAsync(to->data, to->stride, from->data, from->stride, to->width * sv_pixel_size(to->format),
                             to->height, kind, stream);
}

/* A dense picture in `buffer`. */
static sv_status make_map(gpu_context *context, gpu_buffer *buffer, sv_format format, sv_image *map, sv_error *error) {
    const size_t stride = context->width * sv_pixel_size(format);
    GPU_PASS(gpu_reserve(context, buffer, stride * context->height, error));
    *map = {buffer->data, stride, context->width, context->height, format, SV_DEVICE};
    return SV_OK;
}

static sv_status upload(gpu_context *context, gpu_pair *pair, const sv_pair *from, const sv_params *params,
                        sv_error *error) {
    const sv_image *const grey[] = {&from->left, &from->right};
    const sv_image *const colour[] = {&from->left_colour, &from->right_colour};
    sv_image grey_to[GPU_SIDES], colour_to[GPU_SIDES];
    pair->coloured = sv_methods[params->method].uses_colour && from->left_colour.data;
    pair->rectified = context->maps[GPU_LEFT].data || params->row_shift;
    for (int side = 0; side < GPU_SIDES; side++) {
        grey_to[side] = pair->picture[side];
        if (pair->coloured) GPU_PASS(make_map(context, &pair->colour[side], SV_COLOUR8, &colour_to[side], error));
        if (!pair->rectified) continue;
        GPU_PASS(make_map(context, &pair->raw_memory[side], SV_GREY8, &pair->raw[side], error));
        grey_to[side] = pair->raw[side];
        if (!pair->coloured) continue;
        GPU_PASS(make_map(context, &pair->raw_colour_memory[side], SV_COLOUR8, &pair->raw_colour[side], error));
        colour_to[side] = pair->raw_colour[side];
    }
    GPU_TRY(cudaEventRecord(pair->events[GPU_UPLOAD_BEGIN], context->upload));
    for (int side = 0; side < GPU_SIDES; side++) {
        GPU_TRY(copy(&grey_to[side], grey[side], context->upload));
        if (pair->coloured) GPU_TRY(copy(&colour_to[side], colour[side], context->upload));
    }
    GPU_TRY(cudaEventRecord(pair->events[GPU_UPLOAD_END], context->upload));
    return SV_OK;
}

void gpu_name_kernels(gpu_context *context, const char *kernels) {
    if (context->kernels == kernels) return;
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

static sv_status match_by_method(gpu_context *context, const gpu_pair *pair, const sv_params *params,
                                 const sv_output *maps, sv_error *error) {
    switch (params->method) {
    case SV_SSD: return gpu_ssd(context, pair, params, maps, error);
    case SV_NCC: return gpu_ncc(context, pair, params, maps, error);
    case SV_ZNCC: return gpu_zncc(context, pair, params, maps, error);
    case SV_GFD: return gpu_gfd(context, pair, params, maps, error);
    case SV_SGM: return gpu_sgm(context, pair, params, maps, error);
    default: return sv_fail(error, SV_USAGE, "the cuda backend has no method %s", sv_method_name(params->method));
    }
}

static sv_status prefilter(gpu_context *context, gpu_pair *pair, const sv_params *params, sv_error *error) {
    if (!sv_prefilters(params)) return SV_OK;
    return params->prefilter == SV_PREFILTER_CONTRAST ? gpu_contrast(context, pair, error)
                                                      : gpu_expose(context, pair, error);
}

/* True if there is anything to refine. */
static bool refines(const sv_params *params) {
    return params->left_right_check >= 0 || params->speckle_size || gpu_refine_passes(params);
}

static sv_status launch_kernels(gpu_context *context, gpu_pair *pair, const sv_params *params, const sv_output *result,
                                sv_error *error) {
    /* Matches the pair, or its smaller pictures in their own context. */
    gpu_context *own = context;
    const gpu_pair *pictures = pair;
    sv_output found = *result;
    const sv_params scaled = sv_scaled_params(*params);
    if (params->scale > 1) {
        GPU_PASS(gpu_reduce(context, pair, params, &own, &found, error));
        pictures = &own->pairs[0];
    }
    /* The filters alternate between two maps, such that the last one writes `found`. */
    const int passes = gpu_refine_passes(params);
    sv_output maps = found;
    sv_image spare = {};
    if (passes) GPU_PASS(make_map(own, &own->spare, SV_FLOAT32, &spare, error));
    if (passes % 2) {
        maps.disparity = spare;
        spare = found.disparity;
    }
    gpu_pair matched = *pictures; /* refinement uses the unfiltered pictures */
    GPU_PASS(prefilter(own, &matched, params, error));
    GPU_PASS(match_by_method(own, &matched, &scaled, &maps, error));
    if (pair->rectified) GPU_PASS(gpu_mark_outside(context, params, &maps, params->scale, true, error));
    const unsigned how = context->graphs.capturing ? cudaEventRecordExternal : cudaEventRecordDefault;
    GPU_TRY(cudaEventRecordWithFlags(pair->events[GPU_MATCH_END], context->compute, how));
    if (refines(params)) GPU_PASS(gpu_refine(own, pictures, &scaled, &maps, &spare, error));
    if (params->scale > 1) GPU_PASS(gpu_enlarge(context, pair, own, params->scale, &found, result, error));
    /* Only filling and enlarging give a value to pixels without one. */
    if ((params->holes || params->fill != SV_FILL_NONE || params->scale > 1) && context->maps[GPU_LEFT].data)
        GPU_PASS(gpu_mark_outside(context, params, result, 1, false, error));
    return SV_OK;
}

static sv_status match(gpu_context *context, gpu_pair *pair, const sv_params *params, const sv_output *result,
                       sv_error *error) {
    pair->refined = refines(params) || params->scale > 1;
    GPU_TRY(cudaStreamWaitEvent(context->compute, pair->events[GPU_UPLOAD_END], 0));
    GPU_TRY(cudaEventRecord(pair->events[GPU_RECTIFY_BEGIN], context->compute));
    if (pair->rectified) GPU_PASS(gpu_rectify(context, pair, params, error));
    GPU_TRY(cudaEventRecord(pair->events[GPU_MATCH_BEGIN], context->compute));
    GPU_PASS(gpu_run(launch_kernels, context, pair, params, result, error));
    GPU_TRY(cudaEventRecord(pair->events[GPU_REFINE_END], context->compute));
    return SV_OK;
}

/* Copies to memory that `alloc` made proceed by themselves; to other memory, CUDA makes the caller wait. */
static sv_status download(gpu_context *context, gpu_pair *pair, const sv_output *from, const sv_output *to,
                          sv_error *error) {
    GPU_TRY(cudaStreamWaitEvent(context->download, pair->events[GPU_REFINE_END], 0));
    GPU_TRY(cudaEventRecord(pair->events[GPU_DOWNLOAD_BEGIN], context->download));
    GPU_TRY(copy(&to->disparity, &from->disparity, context->download));
    GPU_TRY(copy(&to->reason, &from->reason, context->download));
    GPU_TRY(cudaEventRecord(pair->events[GPU_DOWNLOAD_END], context->download));
    return SV_OK;
}

static sv_status submit_stages(gpu_context *context, gpu_pair *pair, const sv_pair *pictures, const sv_params *params,
                               const sv_output *output, sv_error *error) {
    sv_output result = *output;
    GPU_TRY(cudaSetDevice(GPU_DEVICE));
    pair->downloaded = output->disparity.memory == SV_HOST;
    if (pair->downloaded) {
        GPU_PASS(make_map(context, &pair->disparity, SV_FLOAT32, &result.disparity, error));
        GPU_PASS(make_map(context, &pair->reason, SV_REASON8, &result.reason, error));
    }
    GPU_PASS(upload(context, pair, pictures, params, error));
    GPU_PASS(match(context, pair, params, &result, error));
    if (pair->downloaded) GPU_PASS(download(context, pair, &result, output, error));
    return SV_OK;
}

static sv_status submit(void *memory, const sv_pair *pictures, const sv_params *params, const sv_output *output,
                        sv_error *error) {
    gpu_context *context = (gpu_context *)memory;
    gpu_pair *pair = &context->pairs[context->submitted % SV_IN_FLIGHT];
    const sv_status status = submit_stages(context, pair, pictures, params, output, error);
    /* Once a failure is returned the caller may free the pictures. */
    if (status != SV_OK)
        drain(context);
    else
        context->submitted++;
    return status;
}

static sv_status time_stage(const gpu_context *context, const gpu_pair *pair, sv_stage stage, int begin, int end,
                            sv_times *times, sv_error *error) {
    GPU_TRY(cudaEventElapsedTime(&times->begin[stage], context->made, pair->events[begin]));
    GPU_TRY(cudaEventElapsedTime(&times->ms[stage], pair->events[begin], pair->events[end]));
    return SV_OK;
}

static sv_status wait(void *memory, sv_times *times, sv_error *error) {
    gpu_context *context = (gpu_context *)memory;
    const gpu_pair *pair = &context->pairs[context->waited++ % SV_IN_FLIGHT];
    *times = {};
    GPU_TRY(cudaSetDevice(GPU_DEVICE));
    GPU_TRY(cudaEventSynchronize(pair->events[pair->downloaded ? GPU_DOWNLOAD_END : GPU_REFINE_END]));
    if (*pair->lost) {
        *pair->lost = 0;
        return sv_fail(error, SV_FAILED,
                       "a part of ncc's kernel waited in vain for the part beside it, so the map is not right; if it "
                       "happens again, run with --backend cpu");
    }
    GPU_PASS(time_stage(context, pair, SV_UPLOAD, GPU_UPLOAD_BEGIN, GPU_UPLOAD_END, times, error));
    if (pair->rectified)
        GPU_PASS(time_stage(context, pair, SV_RECTIFY, GPU_RECTIFY_BEGIN, GPU_MATCH_BEGIN, times, error));
    GPU_PASS(time_stage(context, pair, SV_MATCH, GPU_MATCH_BEGIN, GPU_MATCH_END, times, error));
    if (pair->refined) GPU_PASS(time_stage(context, pair, SV_REFINE, GPU_MATCH_END, GPU_REFINE_END, times, error));
    if (pair->downloaded)
        GPU_PASS(time_stage(context, pair, SV_DOWNLOAD, GPU_DOWNLOAD_BEGIN, GPU_DOWNLOAD_END, times, error));
    return SV_OK;
}

const sv_backend sv_cuda = {
    "cuda",        SV_IN_FLIGHT,    "CUDA device 0",
    false,         probe,           alloc,
    release,       create,          submit,
    wait,          destroy,         gpu_share_register,
    gpu_share_map, gpu_share_unmap, gpu_share_unregister,
};
