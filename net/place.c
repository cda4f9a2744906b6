/* Describes the runtime, and puts sessions on a card. */
#include "net/place.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

char *net_describe(char *text, size_t size) {
    sv_error error;
    const ort *o = ort_find(&error);
    char **names = NULL;
    int count = 0;
    if (!o || ort_check(o, o->api->GetAvailableProviders(&names, &count), &error, "the providers") != SV_OK) {
        snprintf(text, size, "%s", error.text);
        return text;
    }
    snprintf(text, size, "ONNX Runtime %s (", o->version);
    for (int i = 0; i < count; i++) snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", names[i]);
    snprintf(text + strlen(text), size - strlen(text), ")");
    ort_check(o, o->api->ReleaseAvailableProviders(names, count), NULL, "the providers");
    return text;
}

sv_status net_put_on_card(const net_place *place, OrtSessionOptions *options, sv_error *error) {
    const ort *o = ort_load(error);
    if (!o) return SV_FAILED;
    static const char what[] = "ONNX Runtime's CUDA provider";
    OrtCUDAProviderOptionsV2 *cuda = NULL;
    char device[16], stream[32], limit[32];
    snprintf(device, sizeof device, "%d", place->device);
    snprintf(stream, sizeof stream, "%zu", (size_t)place->stream);
    snprintf(limit, sizeof limit, "%zu", place->memory);
    /* Memory is taken as it is needed, not doubled; and convolutions begin at once instead of trying out each algorithm
     * on the first pair. */
    const char *keys[] = {"device_id",     "arena_extend_strategy",   "cudnn_conv_algo_search",
                          "gpu_mem_limit", "has_user_compute_stream", "user_compute_stream"};
    const char *values[] = {device, "kSameAsRequested", "HEURISTIC", limit, "1", stream};
    const size_t count = place->stream ? sizeof keys / sizeof *keys : 3;
    sv_status status = ort_check(o, o->api->CreateCUDAProviderOptions(&cuda), error, what);
    if (status == SV_OK)
        status = ort_check(o, o->api->UpdateCUDAProviderOptions(cuda, keys, values, count), error, what);
    if (status == SV_OK)
        status = ort_check(o, o->api->SessionOptionsAppendExecutionProvider_CUDA_V2(options, cuda), error, what);
    if (cuda) o->api->ReleaseCUDAProviderOptions(cuda);
    return status;
}

static sv_status try_cuda(sv_error *error) {
    const ort *o = ort_load(error);
    OrtSessionOptions *options = NULL;
    char text[256];
    if (!o) return SV_FAILED;
    if (!strstr(net_describe(text, sizeof text), "CUDAExecutionProvider"))
        return sv_fail(error, SV_FAILED, "ONNX Runtime %s has no CUDA provider", o->version);
    sv_status status = ort_check(o, o->api->CreateSessionOptions(&options), error, "ONNX Runtime");
    const net_place first = {.cuda = true};
    if (status == SV_OK) status = net_put_on_card(&first, options, error);
    if (options) o->api->ReleaseSessionOptions(options);
    return status;
}

/* Tried once: the provider's library, and those that it needs, are loaded. */
sv_status net_find_cuda(sv_error *error) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool tried;
    static sv_status status;
    static sv_error why;
    pthread_mutex_lock(&lock);
    if (!tried) status = try_cuda(&why);
    tried = true;
    pthread_mutex_unlock(&lock);
    return status == SV_OK ? SV_OK : sv_fail(error, status, "%s", why.text);
}
