/* The part of ONNX Runtime's C API that is used. The library is loaded when a model is first opened, so that one build
 * serves machines with and without it.
 *
 * The declarations are our own, because Debian 12 and PyPI have the library without its header. The API is a table of
 * functions that only grows at its end, and each version of it stays as it is (onnxruntime_c_api.h); from_N is
 * the place of function N in that table. tests/unit/net/test_net.c calls every function, and compares the table with
 * the header where that is installed. */
#ifndef NET_ORT_H
#define NET_ORT_H

#include "stereo/stereo.h"

/* Present from version 1.11 on. */
enum { ORT_VERSION_ASKED_FOR = 11 };

typedef struct OrtStatus OrtStatus; /* NULL: success */
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtIoBinding OrtIoBinding;
typedef struct OrtCUDAProviderOptionsV2 OrtCUDAProviderOptionsV2;

/* ONNXTensorElementDataType: those that are used. */
enum { ORT_FLOAT = 1, ORT_UINT8 = 2, ORT_FLOAT16 = 10 };

/* OrtAllocatorType and OrtMemType. */
enum { ORT_DEVICE_ALLOCATOR = 0, ORT_MEMORY_DEFAULT = 0 };

typedef void ort_log(void *of, int level, const char *category, const char *id, const char *place, const char *text);
typedef void (*ort_unused)(void);

typedef struct ort_api {
    ort_unused from_0[2];
    const char *(*GetErrorMessage)(const OrtStatus *status);
    ort_unused from_3[1];
    OrtStatus *(*CreateEnvWithCustomLogger)(ort_log *log, void *of, int level, const char *id, OrtEnv **env);
    ort_unused from_5[3];
    OrtStatus *(*CreateSessionFromArray)(const OrtEnv *env, const void *model, size_t bytes,
                                         const OrtSessionOptions *options, OrtSession **session);
    ort_unused from_9[1];
    OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **options);
    ort_unused from_11[13];
    OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *options, int threads);
    ort_unused from_25[5];
    OrtStatus *(*SessionGetInputCount)(const OrtSession *session, size_t *count);
    OrtStatus *(*SessionGetOutputCount)(const OrtSession *session, size_t *count);
    ort_unused from_32[1];
    OrtStatus *(*SessionGetInputTypeInfo)(const OrtSession *session, size_t index, OrtTypeInfo **info);
    OrtStatus *(*SessionGetOutputTypeInfo)(const OrtSession *session, size_t index, OrtTypeInfo **info);
    ort_unused from_35[1];
    OrtStatus *(*SessionGetInputName)(const OrtSession *session, size_t index, OrtAllocator *by, char **name);
    OrtStatus *(*SessionGetOutputName)(const OrtSession *session, size_t index, OrtAllocator *by, char **name);
    ort_unused from_38[1];
    OrtStatus *(*CreateRunOptions)(OrtRunOptions **options);
    ort_unused from_40[6];
    OrtStatus *(*RunOptionsSetTerminate)(OrtRunOptions *options);
    OrtStatus *(*RunOptionsUnsetTerminate)(OrtRunOptions *options);
    ort_unused from_48[1];
    OrtStatus *(*CreateTensorWithDataAsOrtValue)(const OrtMemoryInfo *memory, void *data, size_t bytes,
                                                 const int64_t *shape, size_t dimensions, int type, OrtValue **value);
    ort_unused from_50[1];
    OrtStatus *(*GetTensorMutableData)(OrtValue *value, void **data);
    ort_unused from_52[3];
    OrtStatus *(*CastTypeInfoToTensorInfo)(const OrtTypeInfo *info, const OrtTensorTypeAndShapeInfo **tensor);
    ort_unused from_56[4];
    OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *tensor, int *type);
    OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *tensor, size_t *count);
    OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *tensor, int64_t *shape, size_t count);
    ort_unused from_63[2];
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *value, OrtTensorTypeAndShapeInfo **tensor);
    ort_unused from_66[2];
    OrtStatus *(*CreateMemoryInfo)(const char *name, int allocator, int device, int memory, OrtMemoryInfo **info);
    OrtStatus *(*CreateCpuMemoryInfo)(int allocator, int memory, OrtMemoryInfo **info);
    ort_unused from_70[6];
    OrtStatus *(*AllocatorFree)(OrtAllocator *by, void *memory);
    ort_unused from_77[1];
    OrtStatus *(*GetAllocatorWithDefaultOptions)(OrtAllocator **allocator);
    ort_unused from_79[14];
    void (*ReleaseStatus)(OrtStatus *status);
    void (*ReleaseMemoryInfo)(OrtMemoryInfo *info);
    void (*ReleaseSession)(OrtSession *session);
    void (*ReleaseValue)(OrtValue *value);
    void (*ReleaseRunOptions)(OrtRunOptions *options);
    void (*ReleaseTypeInfo)(OrtTypeInfo *info);
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *tensor);
    void (*ReleaseSessionOptions)(OrtSessionOptions *options);
    ort_unused from_101[24];
    OrtStatus *(*GetAvailableProviders)(char ***names, int *count);
    OrtStatus *(*ReleaseAvailableProviders)(char **names, int count);
    ort_unused from_127[3];
    OrtStatus *(*AddSessionConfigEntry)(OrtSessionOptions *options, const char *key, const char *value);
    ort_unused from_131[2];
    OrtStatus *(*RunWithBinding)(OrtSession *session, const OrtRunOptions *options, const OrtIoBinding *binding);
    OrtStatus *(*CreateIoBinding)(OrtSession *session, OrtIoBinding **binding);
    void (*ReleaseIoBinding)(OrtIoBinding *binding);
    OrtStatus *(*BindInput)(OrtIoBinding *binding, const char *name, const OrtValue *value);
    ort_unused from_137[1];
    OrtStatus *(*BindOutputToDevice)(OrtIoBinding *binding, const char *name, const OrtMemoryInfo *memory);
    ort_unused from_139[1];
    OrtStatus *(*GetBoundOutputValues)(const OrtIoBinding *binding, OrtAllocator *by, OrtValue ***values,
                                       size_t *count);
    ort_unused from_141[24];
    OrtStatus *(*AddRunConfigEntry)(OrtRunOptions *options, const char *key, const char *value);
    ort_unused from_166[38];
    OrtStatus *(*SessionOptionsAppendExecutionProvider_CUDA_V2)(OrtSessionOptions *options,
                                                                const OrtCUDAProviderOptionsV2 *cuda);
    OrtStatus *(*CreateCUDAProviderOptions)(OrtCUDAProviderOptionsV2 **cuda);
    OrtStatus *(*UpdateCUDAProviderOptions)(OrtCUDAProviderOptionsV2 *cuda, const char *const *keys,
                                            const char *const *values, size_t count);
    ort_unused from_207[1];
    void (*ReleaseCUDAProviderOptions)(OrtCUDAProviderOptionsV2 *cuda);
} ort_api;

typedef struct ort {
    const ort_api *api;
    OrtEnv *env;
    OrtAllocator *allocator;
    const OrtMemoryInfo *host;
    char version[32];
    char file[256]; /* as it was loaded */
} ort;

/* Loads the library, the first time: the file that the variable ONNXRUNTIME of the environment names, or else
 * libonnxruntime as the linker finds it. Its log becomes ours.
 * Errors: NULL, with what to install.
 * Thread: any.
 * Lifetime: the library and its environment stay until the program ends. */
const ort *ort_load(sv_error *error);

/* The same without starting it: only its version and its providers are available. */
const ort *ort_find(sv_error *error);

/* Turns a status into one of ours, and releases it. `format`: what failed, "the model %s cannot be read".
 * Errors: SV_FAILED, with the runtime's message in one line. */
sv_status ort_check(const ort *ort, OrtStatus *status, sv_error *error, const char *format, ...) SV_PRINTF(4, 5);

#endif
