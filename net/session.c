/* Opens models. */
#include "net/session.h"

#include "net/onnx_file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- What a graph takes and gives --------------------------------------------------------------- */

static sv_status describe_tensor(const ort *o, OrtTypeInfo *info, char *name, net_tensor *t, const char *path,
                                 sv_error *error) {
    const ort_api *a = o->api;
    const OrtTensorTypeAndShapeInfo *tensor = NULL;
    size_t dimensions = 0;
    int64_t shape[64];
    snprintf(t->name, sizeof t->name, "%s", name);
    if (strlen(name) >= sizeof t->name)
        return sv_fail(error, SV_FAILED, "%s: the name %.90s... is too long", path, name);
    sv_status status = ort_check(o, a->CastTypeInfoToTensorInfo(info, &tensor), error, "%s", path);
    if (status == SV_OK && !tensor) return SV_OK; /* a sequence or a map: no type, no dimensions */
    if (status == SV_OK) status = ort_check(o, a->GetTensorElementType(tensor, &t->type), error, "%s", path);
    if (status == SV_OK) status = ort_check(o, a->GetDimensionsCount(tensor, &dimensions), error, "%s", path);
    if (status == SV_OK && dimensions > sizeof shape / sizeof *shape)
        return sv_fail(error, SV_FAILED, "%s: %s has %zu dimensions", path, name, dimensions);
    if (status == SV_OK) status = ort_check(o, a->GetDimensions(tensor, shape, dimensions), error, "%s", path);
    if (status != SV_OK) return status;
    t->dimensions = (int)dimensions;
    for (int i = 0; i < t->dimensions && i < NET_MAX_DIMENSIONS; i++) t->shape[i] = shape[i] < 0 ? -1 : shape[i];
    return SV_OK;
}

/* Describes input or output `i`. */
static sv_status read_tensor(const ort *o, const char *path, OrtSession *session, bool output, size_t i, net_tensor *t,
                             sv_error *error) {
    const ort_api *a = o->api;
    OrtTypeInfo *info = NULL;
    char *name = NULL;
    sv_status status = ort_check(o,
                                 output ? a->SessionGetOutputName(session, i, o->allocator, &name)
                                        : a->SessionGetInputName(session, i, o->allocator, &name),
                                 error, "%s", path);
    if (status == SV_OK)
        status = ort_check(
            o, output ? a->SessionGetOutputTypeInfo(session, i, &info) : a->SessionGetInputTypeInfo(session, i, &info),
            error, "%s", path);
    if (status == SV_OK) status = describe_tensor(o, info, name, t, path, error);
    if (info) a->ReleaseTypeInfo(info);
    if (name) ort_check(o, a->AllocatorFree(o->allocator, name), NULL, "%s", path);
    return status;
}

static sv_status read_graph(const ort *o, const char *path, OrtSession *session, net_graph *g, sv_error *error) {
    size_t inputs = 0, outputs = 0;
    sv_status status = ort_check(o, o->api->SessionGetInputCount(session, &inputs), error, "%s", path);
    if (status == SV_OK) status = ort_check(o, o->api->SessionGetOutputCount(session, &outputs), error, "%s", path);
    g->input_count = (int)inputs;
    g->output_count = outputs < NET_MAX_TENSORS ? (int)outputs : NET_MAX_TENSORS;
    for (size_t i = 0; i < inputs && i < NET_MAX_TENSORS && status == SV_OK; i++)
        status = read_tensor(o, path, session, false, i, &g->inputs[i], error);
    for (int i = 0; i < g->output_count && status == SV_OK; i++)
        status = read_tensor(o, path, session, true, (size_t)i, &g->outputs[i], error);
    return status;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* What to do about an operator that the runtime does not have. */
static void explain(sv_error *error) {
    if (!error || (!strstr(error->text, "is not a registered function") && !strstr(error->text, "No Op registered") &&
                   !strstr(error->text, "No opset import") && !strstr(error->text, "Could not find an implementation")))
        return;
    const sv_error why = *error;
    sv_fail(
        error, SV_FAILED,
        "%.330s. Operators of plug-ins (of TensorRT, for instance) are not loaded, and newer ones need a newer ONNX "
        "Runtime; export the model with standard operators",
        why.text);
}

static sv_status create_session(const ort *o, const char *path, const net_place *place, const char *model, size_t bytes,
                                OrtSession **session, sv_error *error) {
    OrtSessionOptions *options = NULL;
    const ort_api *a = o->api;
    sv_status status = ort_check(o, a->CreateSessionOptions(&options), error, "%s", path);
    if (status == SV_OK) status = ort_check(o, a->SetIntraOpNumThreads(options, place->threads), error, "%s", path);
    /* Threads that spin between two frames would take the processor from the decoders. */
    if (status == SV_OK)
        status =
            ort_check(o, a->AddSessionConfigEntry(options, "session.intra_op.allow_spinning", "0"), error, "%s", path);
    if (status == SV_OK && place->cuda) status = net_put_on_card(place, options, error);
    if (status == SV_OK) {
        status = ort_check(o, a->CreateSessionFromArray(o->env, model, bytes, options, session), error,
                           "ONNX Runtime %s does not accept %s", o->version, path);
        if (status != SV_OK) explain(error);
    }
    if (options) a->ReleaseSessionOptions(options);
    return status;
}

/* An open session, and what it was opened for. */
typedef struct entry {
    net_session session; /* first, so that its address is the entry's */
    struct stat file;
    net_place place;
    int users;
    struct entry *next;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries;

static bool is_same(const entry *e, const struct stat *file, const net_place *place) {
    return e->file.st_dev == file->st_dev && e->file.st_ino == file->st_ino && e->file.st_size == file->st_size &&
           !memcmp(&e->file.st_mtim, &file->st_mtim, sizeof file->st_mtim) && e->place.threads == place->threads &&
           e->place.cuda == place->cuda && e->place.device == place->device && e->place.stream == place->stream;
}

static void release(const ort *o, entry *e) {
    if (e->session.session) o->api->ReleaseSession(e->session.session);
    if (e->session.memory && e->session.memory != o->host)
        o->api->ReleaseMemoryInfo((OrtMemoryInfo *)e->session.memory);
    free(e);
}

static sv_status open_entry(const ort *o, const char *path, const net_place *place, entry *e, sv_error *error) {
    size_t bytes;
    char *file = net_read_model(path, &bytes, error);
    if (!file) return SV_FAILED;
    const double begun = sv_seconds();
    net_session *s = &e->session;
    OrtMemoryInfo *memory = NULL;
    sv_status status = create_session(o, path, place, file, bytes, &s->session, error);
    free(file);
    if (status == SV_OK) status = read_graph(o, path, s->session, &s->graph, error);
    if (status == SV_OK && place->cuda)
        status = ort_check(
            o, o->api->CreateMemoryInfo("Cuda", ORT_DEVICE_ALLOCATOR, place->device, ORT_MEMORY_DEFAULT, &memory),
            error, "%s", path);
    s->memory = place->cuda ? memory : o->host;
    if (status == SV_OK)
        sv_log(SV_LOG_DEBUG, "%s: %.1f MB, opened in %.0f ms by ONNX Runtime %s%s", path, (double)bytes / 1e6,
               1e3 * (sv_seconds() - begun), o->version, place->cuda ? " for CUDA" : "");
    return status;
}

sv_status net_open_session(const char *path, const net_place *place, net_session **session, sv_error *error) {
    *session = NULL;
    const ort *o = ort_load(error);
    struct stat file = {0};
    if (!o) return SV_FAILED;
    stat(path, &file); /* if it fails, so does reading */
    pthread_mutex_lock(&lock);
    entry *e = entries;
    while (e && !is_same(e, &file, place)) e = e->next;
    sv_status status = SV_OK;
    if (!e) {
        e = calloc(1, sizeof *e);
        status = e ? open_entry(o, path, place, e, error) : sv_fail(error, SV_FAILED, "out of memory for %s", path);
        if (status == SV_OK) {
            e->file = file;
            e->place = *place;
            e->next = entries;
            entries = e;
        } else if (e) {
            release(o, e);
        }
    }
    if (status == SV_OK) {
        e->users++;
        *session = &e->session;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void net_close_session(net_session *session) {
    if (!session) return;
    entry *e = (entry *)session, **to = &entries;
    pthread_mutex_lock(&lock);
    const bool last = !--e->users;
    while (last && *to != e) to = &(*to)->next;
    if (last) *to = e->next;
    pthread_mutex_unlock(&lock);
    if (last) release(ort_load(NULL), e);
}
