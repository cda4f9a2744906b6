/* Loads ONNX Runtime. No other file loads a library, and none that a file names is loaded (see SECURITY.md). */
#include "net/ort.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(ort_api, ReleaseCUDAProviderOptions) == 208 * sizeof(ort_unused), "no function is left out");

/* Debian's name ends with the minor version, too. */
enum { OLDEST_MINOR = 11, NEWEST_MINOR = 60 };

typedef struct ort_api_base {
    const ort_api *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
} ort_api_base;

/* For debugging: the runtime's warnings are about how it optimises. */
static void pass_on(void *of, int level, const char *category, const char *id, const char *place, const char *text) {
    (void)of, (void)category, (void)id, (void)place;
    sv_log(SV_LOG_DEBUG, "ONNX Runtime: %s%.400s", level >= 3 ? "error: " : "", text);
}

static void *open_any(ort *o) {
    const char *named = getenv("ONNXRUNTIME");
    if (named && *named) {
        snprintf(o->file, sizeof o->file, "%s", named);
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    }
    snprintf(o->file, sizeof o->file, "libonnxruntime.so.1");
    void *library = dlopen(o->file, RTLD_NOW | RTLD_LOCAL);
    for (int minor = NEWEST_MINOR; minor >= OLDEST_MINOR && !library; minor--) {
        snprintf(o->file, sizeof o->file, "libonnxruntime.so.1.%d", minor);
        library = dlopen(o->file, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static sv_status load(ort *o, sv_error *error) {
    static const char how[] = "install Debian's libonnxruntime-dev or a release of ONNX Runtime, or set the variable "
                              "ONNXRUNTIME to its library, such as that of 'pip install onnxruntime'";
    const char *named = getenv("ONNXRUNTIME");
    void *library = open_any(o);
    if (!library && named && *named)
        return sv_fail(error, SV_FAILED, "ONNX Runtime, which runs models, cannot be loaded: %.200s", dlerror());
    if (!library)
        return sv_fail(error, SV_FAILED, "there is no ONNX Runtime (libonnxruntime.so.1), which runs models; %s", how);
    const ort_api_base *(*get_base)(void);
    *(void **)&get_base = dlsym(library, "OrtGetApiBase");
    const ort_api_base *base = get_base ? get_base() : NULL;
    if (!base) return sv_fail(error, SV_FAILED, "%s is not ONNX Runtime; %s", o->file, how);
    snprintf(o->version, sizeof o->version, "%s", base->GetVersionString());
    o->api = base->GetApi(ORT_VERSION_ASKED_FOR);
    if (!o->api)
        return sv_fail(error, SV_FAILED, "ONNX Runtime %s is too old: 1.%d or later runs models", o->version,
                       ORT_VERSION_ASKED_FOR);
    return SV_OK;
}

static sv_status start(ort *o, sv_error *error) {
    enum { WARNING = 2 };
    OrtMemoryInfo *host = NULL;
    static const char what[] = "ONNX Runtime does not start";
    sv_status status =
        ort_check(o, o->api->CreateEnvWithCustomLogger(pass_on, NULL, WARNING, "net", &o->env), error, what);
    if (status == SV_OK) status = ort_check(o, o->api->GetAllocatorWithDefaultOptions(&o->allocator), error, what);
    if (status == SV_OK)
        status =
            ort_check(o, o->api->CreateCpuMemoryInfo(ORT_DEVICE_ALLOCATOR, ORT_MEMORY_DEFAULT, &host), error, what);
    o->host = host;
    return status;
}

/* Each step is taken once, and its outcome kept. */
static const ort *take(bool starts, sv_error *error) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static ort loaded;
    static bool tried, started;
    static sv_status status;
    static sv_error why;
    pthread_mutex_lock(&lock);
    if (!tried) status = load(&loaded, &why);
    tried = true;
    if (starts && !started && status == SV_OK) {
        status = start(&loaded, &why);
        started = true;
    }
    pthread_mutex_unlock(&lock);
    if (status == SV_OK) return &loaded;
    sv_fail(error, status, "%s", why.text);
    return NULL;
}

const ort *ort_find(sv_error *error) { return take(false, error); }

const ort *ort_load(sv_error *error) { return take(true, error); }

sv_status ort_check(const ort *o, OrtStatus *status, sv_error *error, const char *format, ...) {
    char what[320], why[320];
    if (!status) return SV_OK;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(why, sizeof why, "%s", o->api->GetErrorMessage(status));
    for (char *c = why; *c; c++)
        if (*c == '\n') *c = ' ';
    o->api->ReleaseStatus(status);
    return sv_fail(error, SV_FAILED, "%s: %s", what, why);
}
