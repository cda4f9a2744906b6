/* The CUDA backend: upload, matching, refinement and download of a pair, without waiting.
 *
 * Upload, kernels and download have a stream each, and events order them, so that one pair is uploaded or downloaded
 * while another is matched. Every pair in flight has its own pictures and staging buffers; the scratch memory of the
 * kernels is shared, because they run one after another. */
#include <atomic>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>

#include "gpu/cuda.cuh"
#include "net/net.h"
#include "stereo/doubt.h"

/* ---- Host memory ------------------------------------------------------------------------------ */

/* Pinned memory is visible to all devices, but allocating it initialises CUDA on the current one, which takes device
 * memory: so it is allocated on a device that is used, the one that was probed last. */
static std::atomic<int> allocating_device;

static void *alloc(size_t bytes) {
    void *memory = NULL;
    if (cudaSetDevice(allocating_device) == cudaSuccess &&
        cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) == cudaSuccess)
        return memory;
    cudaGetLastError();
    return NULL;
}

static void *alloc_on(int device, size_t bytes) {
    void *memory = NULL;
    if (cudaSetDevice(device) == cudaSuccess && cudaMalloc(&memory, bytes) == cudaSuccess) return memory;
    cudaGetLastError();
    return NULL;
}

static void release(void *memory) {
    cudaPointerAttributes of;
    if (!memory || cudaPointerGetAttributes(&of, memory) != cudaSuccess) return;
    if (of.type == cudaMemoryTypeDevice)
        cudaFree(memory);
    else
        cudaFreeHost(memory);
}

/* ---- Finding the device ----------------------------------------------------------------------- */

static int count(void) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess) return devices;
    cudaGetLastError();
    return 0;
}

static sv_status probe(int device, char *name, size_t size, sv_error *error) {
    enum { LEAST_MAJOR = 7, LEAST_MINOR = 5 };
    int devices = 0, driver = 0, runtime = 0;
    const cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess || !devices) {
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
    if (device < 0 || device >= devices)
        return sv_fail(error, SV_NO_DEVICE, "there is no device %d: there %s %d, counted from 0", device,
                       devices == 1 ? "is" : "are", devices);
    cudaDeviceProp properties;
    GPU_TRY(cudaGetDeviceProperties(&properties, device));
    const int major = properties.major, minor = properties.minor;
    if (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR))
        return sv_fail(error, SV_NO_DEVICE, "%s has compute capability %d.%d, and %d.%d is the least that is supported",
                       properties.name, major, minor, LEAST_MAJOR, LEAST_MINOR);
    GPU_TRY(cudaSetDevice(device));
    int capability;
    if (gpu_find_capability(&capability, NULL) != SV_OK)
        return sv_fail(error, SV_NO_DEVICE,
                       "this program has no code for %s, compute capability %d.%d; build it again with CUDA_ARCHS=%d%d",
                       properties.name, major, minor, major, minor);
    allocating_device = device;
    snprintf(name, size, "%s, %.0f GiB, compute capability %d.%d", properties.name,
             (double)properties.totalGlobalMem / (1 << 30), major, minor);
    return SV_OK;
}

/* ---- Creating and destroying ------------------------------------------------------------------ */

static void destroy(void *memory) { gpu_destroy_context((gpu_context *)memory); }

static sv_status create(const sv_matcher_options *options, void **memory, sv_error *error) {
    gpu_context *context;
    *memory = NULL;
    GPU_PASS(gpu_create_context(options->device, options->width, options->height, &context, error));
    context->threads = options->threads > 0 ? options->threads : (int)std::thread::hardware_concurrency();
    const sv_status status = gpu_create_rectification(context, options->rectification, error);
    if (status != SV_OK) {
        gpu_destroy_context(context);
        return status;
    }
    *memory = context;
    return SV_OK;
}

/* ---- Matching a pair -------------------------------------------------------------------------- */

/* Copies a picture from or to device memory. */
static cudaError_t copy(const sv_image *to, const sv_image *from, cudaStream_t stream) {
    const cudaMemcpyKind kind = from->memory == SV_HOST ? cudaMemcpyHostToDevice
                                : to->memory == SV_HOST ? cudaMemcpyDeviceToHost
                                                        : cudaMemcpyDeviceToDevice;
    return cudaMemcpy2DAsync(to->data, to->stride, from->data, from->stride, to->width * sv_pixel_size(to->format),
                             to->height, kind, stream);
}

static sv_status fetch(int device, const sv_image *from, const sv_image *to, sv_error *error) {
    GPU_TRY(cudaSetDevice(device));
    GPU_TRY(copy(to, from, cudaStreamPerThread));
    GPU_TRY(cudaStreamSynchronize(cudaStreamPerThread));
    return SV_OK;
}

static sv_status upload(gpu_context *context, gpu_pair *pair, const sv_pair *from, const sv_params *params,
                        sv_error *error) {
    const sv_image *const grey[] = {&from->left, &from->right};
    const sv_image *const colour[] = {&from->left_colour, &from->right_colour};
    sv_image grey_to[GPU_SIDES], colour_to[GPU_SIDES];
    pair->coloured = sv_methods[params->method].uses_colour && from->left_colour.data;
    pair->rectified = context->maps[GPU_LEFT].data || context->maps[GPU_RIGHT].data || params->row_shift;
    for (int side = 0; side < GPU_SIDES; side++) {
        grey_to[side] = pair->picture[side];
        if (pair->coloured)
            GPU_PASS(gpu_make_picture(context, &pair->colour[side], SV_COLOUR8, &colour_to[side], error));
        if (!pair->rectified) continue;
        GPU_PASS(gpu_make_picture(context, &pair->raw_memory[side], SV_GREY8, &pair->raw[side], error));
        grey_to[side] = pair->raw[side];
        if (!pair->coloured) continue;
        GPU_PASS(gpu_make_picture(context, &pair->raw_colour_memory[side], SV_COLOUR8, &pair->raw_colour[side], error));
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

static sv_status prefilter(gpu_context *context, gpu_pair *pair, const sv_params *params, sv_error *error) {
    if (!sv_prefilters(params)) return SV_OK;
    return params->prefilter == SV_PREFILTER_CONTRAST ? gpu_contrast(context, pair, error)
                                                      : gpu_expose(context, pair, error);
}

/* True if there is anything to refine. */
static bool refines(const sv_params *params) {
    return params->left_right_check >= 0 || params->min_confidence || sv_needs_texture(params->method) ||
           params->speckle_size || gpu_refine_passes(params);
}

static sv_status launch_kernels(gpu_context *context, gpu_pair *pair, const sv_params *params, const sv_output *output,
                                sv_error *error) {
    sv_output all = *output; /* with the confidence if it is wanted or needed */
    const sv_output *const result = &all;
    if (params->min_confidence && !all.confidence.data)
        GPU_PASS(gpu_make_picture(context, &context->confidence, SV_GREY8, &all.confidence, error));
    /* Matches the pair, or its smaller pictures in their own context. */
    gpu_context *own = context;
    const gpu_pair *pictures = pair;
    sv_output found = *result;
    const sv_params scaled = sv_scaled_params(*params);
    const bool judged = result->confidence.data, judges = judged && !gpu_model_judges(context, params);
    if (params->scale > 1) {
        GPU_PASS(gpu_reduce(context, pair, params, &own, &found, error));
        pictures = &own->pairs[0];
    }
    /* The filters alternate between two maps, so that the last one writes `found`. */
    const int passes = gpu_refine_passes(params);
    sv_output maps = found;
    sv_image spare = {};
    if (passes) GPU_PASS(gpu_make_picture(own, &own->spare, SV_FLOAT32, &spare, error));
    if (passes % 2) {
        maps.disparity = spare;
        spare = found.disparity;
    }
    gpu_pair matched = *pictures; /* refinement uses the unfiltered pictures */
    GPU_PASS(prefilter(own, &matched, params, error));
    sv_params matching = scaled;
    if (judges) matching.left_right_check = max(matching.left_right_check, 0);
    GPU_PASS(gpu_match(own, &matched, &matching, &maps, error));
    if (judges) GPU_PASS(gpu_judge(own, &matching, &maps, error));
    if (pair->rectified) GPU_PASS(gpu_mark_outside(context, params, &maps, params->scale, true, error));
    const unsigned how = context->graphs.capturing ? cudaEventRecordExternal : cudaEventRecordDefault;
    GPU_TRY(cudaEventRecordWithFlags(pair->events[GPU_MATCH_END], context->compute, how));
    if (refines(params)) GPU_PASS(gpu_refine(own, pictures, &scaled, &maps, &spare, error));
    if (params->scale > 1) GPU_PASS(gpu_enlarge(context, pair, own, params->scale, &found, result, error));
    /* Only filling and enlarging give a value to pixels without one. */
    if ((params->holes || params->fill != SV_FILL_NONE || params->scale > 1) && context->maps[GPU_LEFT].data)
        GPU_PASS(gpu_mark_outside(context, params, result, 1, false, error));
    if (judged) GPU_PASS(gpu_withdraw(context, result, error));
    return SV_OK;
}

static sv_status match(gpu_context *context, gpu_pair *pair, const sv_params *params, int follows,
                       const sv_output *result, sv_error *error) {
    pair->refined = refines(params) || params->scale > 1 || params->temporal > 1 || result->confidence.data;
    GPU_TRY(cudaStreamWaitEvent(context->compute, pair->events[GPU_UPLOAD_END], 0));
    GPU_TRY(cudaEventRecord(pair->events[GPU_RECTIFY_BEGIN], context->compute));
    if (pair->rectified) GPU_PASS(gpu_rectify(context, pair, params, error));
    GPU_TRY(cudaEventRecord(pair->events[GPU_MATCH_BEGIN], context->compute));
    /* What the runtime does cannot be captured. */
    GPU_PASS(sv_methods[params->method].runs_model ? launch_kernels(context, pair, params, result, error)
                                                   : gpu_run(launch_kernels, context, pair, params, result, error));
    if (params->temporal > 1) GPU_PASS(gpu_temporal(context, pair, params, follows, result, error));
    GPU_TRY(cudaEventRecord(pair->events[GPU_REFINE_END], context->compute));
    return SV_OK;
}

/* Copies to memory from `alloc` are asynchronous; for other memory, CUDA makes the caller wait. */
static sv_status download(gpu_context *context, gpu_pair *pair, const sv_output *from, const sv_output *to,
                          sv_error *error) {
    GPU_TRY(cudaStreamWaitEvent(context->download, pair->events[GPU_REFINE_END], 0));
    GPU_TRY(cudaEventRecord(pair->events[GPU_DOWNLOAD_BEGIN], context->download));
    GPU_TRY(copy(&to->disparity, &from->disparity, context->download));
    GPU_TRY(copy(&to->reason, &from->reason, context->download));
    if (to->confidence.data) GPU_TRY(copy(&to->confidence, &from->confidence, context->download));
    GPU_TRY(cudaEventRecord(pair->events[GPU_DOWNLOAD_END], context->download));
    return SV_OK;
}

static sv_status submit_stages(gpu_context *context, gpu_pair *pair, const sv_pair *pictures, const sv_params *params,
                               int follows, const sv_output *output, sv_error *error) {
    sv_output result = *output;
    GPU_TRY(cudaSetDevice(context->device));
    pair->downloaded = output->disparity.memory == SV_HOST;
    if (pair->downloaded) {
        GPU_PASS(gpu_make_picture(context, &pair->disparity, SV_FLOAT32, &result.disparity, error));
        GPU_PASS(gpu_make_picture(context, &pair->reason, SV_REASON8, &result.reason, error));
        if (output->confidence.data)
            GPU_PASS(gpu_make_picture(context, &pair->confidence, SV_GREY8, &result.confidence, error));
    }
    GPU_PASS(gpu_open_model(context, params, error));
    GPU_PASS(upload(context, pair, pictures, params, error));
    GPU_PASS(match(context, pair, params, follows, &result, error));
    if (pair->downloaded) GPU_PASS(download(context, pair, &result, output, error));
    return SV_OK;
}

static sv_status submit(void *memory, const sv_pair *pictures, const sv_params *params, int follows,
                        const sv_output *output, sv_error *error) {
    gpu_context *context = (gpu_context *)memory;
    gpu_pair *pair = &context->pairs[context->submitted % SV_IN_FLIGHT];
    const sv_params own = net_params(params);
    const sv_status status = submit_stages(context, pair, pictures, &own, follows, output, error);
    /* Once a failure is returned, the caller may free the pictures. */
    if (status != SV_OK)
        gpu_drain(context);
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
    GPU_TRY(cudaSetDevice(context->device));
    GPU_TRY(cudaEventSynchronize(pair->events[pair->downloaded ? GPU_DOWNLOAD_END : GPU_REFINE_END]));
    if (*pair->lost) {
        *pair->lost = 0;
        return sv_fail(error, SV_FAILED,
                       "a part of ncc's kernel timed out waiting for the part next to it, so the map is wrong; if it "
                       "happens again, use the cpu backend");
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

static sv_status wait_for(gpu_context *context, cudaStream_t stream, cudaEvent_t reached, sv_error *error) {
    GPU_TRY(cudaEventRecord(reached, stream));
    GPU_TRY(cudaStreamWaitEvent(context->upload, reached, 0));
    return SV_OK;
}

/* Without the host waiting: all work of a pair follows its upload, and is complete at its last event. */
static sv_status order(void *memory, void *theirs, bool after, sv_error *error) {
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

const sv_backend sv_cuda = {
    "cuda",
    SV_IN_FLIGHT,
    "CUDA",
    net_find_cuda,
    count,
    probe,
    alloc,
    release,
    alloc_on,
    fetch,
    gpu_decoder_context,
    gpu_decoders,
    gpu_decoder_stream,
    gpu_free_stream,
    gpu_grey_of_luma,
    create,
    submit,
    wait,
    destroy,
    NULL, /* no costs */
    gpu_share,
    gpu_unshare,
    order,
    gpu_footprint,
};
