/* Opens and runs models. */
#include "net/net.h"

#include "net/onnx_file.h"
#include "net/ort.h"
#include "stereo/cancel.h"
#include "stereo/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The map, the confidence, the visible and the hidden pixels. */
enum { MAX_OUTPUTS = 4 };

struct net_model {
    char path[SV_VALUE_BYTES];
    int threads;
    OrtSession *session;
    OrtRunOptions *run_options;
    net_graph graph;
    net_conventions conventions;
    void *tensors[NET_MAX_INPUTS]; /* the inputs, of these sizes: */
    size_t bytes[NET_MAX_INPUTS];
    bool checked; /* the sign and the scale of the map */
};

/* ---- Opening ----------------------------------------------------------------------------------- */

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
static sv_status read_tensor(const ort *o, const net_model *m, bool output, size_t i, net_tensor *t, sv_error *error) {
    const ort_api *a = o->api;
    OrtTypeInfo *info = NULL;
    char *name = NULL;
    sv_status status = ort_check(o,
                                 output ? a->SessionGetOutputName(m->session, i, o->allocator, &name)
                                        : a->SessionGetInputName(m->session, i, o->allocator, &name),
                                 error, "%s", m->path);
    if (status == SV_OK)
        status = ort_check(o,
                           output ? a->SessionGetOutputTypeInfo(m->session, i, &info)
                                  : a->SessionGetInputTypeInfo(m->session, i, &info),
                           error, "%s", m->path);
    if (status == SV_OK) status = describe_tensor(o, info, name, t, m->path, error);
    if (info) a->ReleaseTypeInfo(info);
    if (name) ort_check(o, a->AllocatorFree(o->allocator, name), NULL, "%s", m->path);
    return status;
}

static sv_status read_graph(const ort *o, net_model *m, sv_error *error) {
    net_graph *g = &m->graph;
    size_t inputs = 0, outputs = 0;
    sv_status status = ort_check(o, o->api->SessionGetInputCount(m->session, &inputs), error, "%s", m->path);
    if (status == SV_OK)
        status = ort_check(o, o->api->SessionGetOutputCount(m->session, &outputs), error, "%s", m->path);
    g->input_count = (int)inputs;
    g->output_count = outputs < NET_MAX_TENSORS ? (int)outputs : NET_MAX_TENSORS;
    for (size_t i = 0; i < inputs && i < NET_MAX_TENSORS && status == SV_OK; i++)
        status = read_tensor(o, m, false, i, &g->inputs[i], error);
    for (int i = 0; i < g->output_count && status == SV_OK; i++)
        status = read_tensor(o, m, true, (size_t)i, &g->outputs[i], error);
    return status;
}

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

static sv_status create_session(const ort *o, net_model *m, const char *model, size_t bytes, sv_error *error) {
    OrtSessionOptions *options = NULL;
    const ort_api *a = o->api;
    sv_status status = ort_check(o, a->CreateSessionOptions(&options), error, "%s", m->path);
    if (status == SV_OK) status = ort_check(o, a->SetIntraOpNumThreads(options, m->threads), error, "%s", m->path);
    /* Threads that spin between two frames would take the processor from the decoders. */
    if (status == SV_OK)
        status = ort_check(o, a->AddSessionConfigEntry(options, "session.intra_op.allow_spinning", "0"), error, "%s",
                           m->path);
    if (status == SV_OK) {
        status = ort_check(o, a->CreateSessionFromArray(o->env, model, bytes, options, &m->session), error,
                           "ONNX Runtime %s does not take %s", o->version, m->path);
        if (status != SV_OK) explain(error);
    }
    if (options) a->ReleaseSessionOptions(options);
    return status;
}

sv_status net_open(const char *path, int threads, net_model **model, sv_error *error) {
    *model = NULL;
    size_t bytes;
    const ort *o = ort_load(error);
    char *file = o ? net_read_model(path, &bytes, error) : NULL;
    if (!file) return SV_FAILED;
    net_model *m = calloc(1, sizeof *m);
    if (!m) {
        free(file);
        return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    }
    snprintf(m->path, sizeof m->path, "%s", path);
    m->threads = threads;
    const double begun = sv_seconds();
    sv_status status = create_session(o, m, file, bytes, error);
    free(file);
    if (status == SV_OK) status = ort_check(o, o->api->CreateRunOptions(&m->run_options), error, "%s", path);
    if (status == SV_OK) status = read_graph(o, m, error);
    if (status == SV_OK) status = net_find_conventions(path, &m->graph, &m->conventions, error);
    if (status == SV_OK)
        sv_log(SV_LOG_DEBUG, "%s: %.1f MB, opened in %.0f ms by ONNX Runtime %s", path, (double)bytes / 1e6,
               1e3 * (sv_seconds() - begun), o->version);
    if (status != SV_OK) {
        net_close(m);
        return status;
    }
    *model = m;
    return SV_OK;
}

void net_close(net_model *m) {
    const ort *o = m ? ort_load(NULL) : NULL;
    if (!o) return;
    if (m->run_options) o->api->ReleaseRunOptions(m->run_options);
    if (m->session) o->api->ReleaseSession(m->session);
    for (int i = 0; i < NET_MAX_INPUTS; i++) free(m->tensors[i]);
    free(m);
}

bool net_judges(const net_model *m) { return m->conventions.confidence >= 0; }

/* ---- Cancelling -------------------------------------------------------------------------------- */

/* A thread that waits for a request while the model runs, because the runtime does not look at ours. */
typedef struct watch {
    const ort *ort;
    OrtRunOptions *options;
    const sv_cancel *cancel;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
} watch;

static void *wait_for_request(void *argument) {
    watch *w = argument;
    pthread_mutex_lock(&w->lock);
    while (!w->done && !sv_cancelled(w->cancel)) sv_condition_wait(&w->changed, &w->lock, sv_seconds() + 0.01);
    if (!w->done) ort_check(w->ort, w->ort->api->RunOptionsSetTerminate(w->options), NULL, "terminating");
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static bool start_watch(watch *w) {
    if (!w->cancel) return false;
    pthread_mutex_init(&w->lock, NULL);
    sv_condition_init(&w->changed);
    if (!pthread_create(&w->thread, NULL, wait_for_request, w)) return true;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    return false; /* the run cannot be cancelled, which does no other harm */
}

static void end_watch(watch *w) {
    pthread_mutex_lock(&w->lock);
    w->done = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    ort_check(w->ort, w->ort->api->RunOptionsUnsetTerminate(w->options), NULL, "terminating");
}

/* ---- Running ----------------------------------------------------------------------------------- */

static sv_status fill(const ort *o, net_model *m, const net_frame *f, const sv_pair *pair, bool mirrored,
                      OrtValue *values[NET_MAX_INPUTS], sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; i < m->conventions.input_count && status == SV_OK; i++) {
        int64_t shape[4];
        const size_t bytes = net_shape(&m->graph, &m->conventions, i, f, shape);
        if (m->bytes[i] != bytes) {
            free(m->tensors[i]);
            m->tensors[i] = malloc(bytes);
            m->bytes[i] = m->tensors[i] ? bytes : 0;
        }
        if (!m->tensors[i]) return sv_fail(error, SV_FAILED, "out of memory for the pictures of %s", m->path);
        net_fill(&m->graph, &m->conventions, i, f, pair, mirrored, m->threads, m->tensors[i]);
        status = ort_check(o,
                           o->api->CreateTensorWithDataAsOrtValue(o->host, m->tensors[i], bytes, shape, 4,
                                                                  m->graph.inputs[m->conventions.inputs[i]].type,
                                                                  &values[i]),
                           error, "%s", m->path);
    }
    return status;
}

/* Finds the map in an output. */
static sv_status find_plane(const ort *o, const net_model *m, const net_frame *f, OrtValue *value, int channel,
                            net_plane *plane, sv_error *error) {
    OrtTensorTypeAndShapeInfo *info = NULL;
    size_t dimensions = 0;
    int64_t shape[NET_MAX_DIMENSIONS];
    void *data = NULL;
    int type = 0;
    sv_status status = ort_check(o, o->api->GetTensorTypeAndShape(value, &info), error, "%s", m->path);
    if (status == SV_OK) status = ort_check(o, o->api->GetTensorElementType(info, &type), error, "%s", m->path);
    if (status == SV_OK) status = ort_check(o, o->api->GetDimensionsCount(info, &dimensions), error, "%s", m->path);
    if (dimensions > NET_MAX_DIMENSIONS) dimensions = 0; /* no map */
    if (status == SV_OK) status = ort_check(o, o->api->GetDimensions(info, shape, dimensions), error, "%s", m->path);
    if (status == SV_OK) status = ort_check(o, o->api->GetTensorMutableData(value, &data), error, "%s", m->path);
    if (info) o->api->ReleaseTensorTypeAndShapeInfo(info);
    sv_error why;
    if (status == SV_OK && net_find_plane(f, data, type, shape, (int)dimensions, channel, plane, &why) != SV_OK)
        status = sv_fail(error, SV_FAILED, "%s: %s", m->path, why.text);
    return status;
}

static sv_status run_session(const ort *o, net_model *m, const sv_cancel *cancel, OrtValue *const *inputs,
                             const int *outputs, int count, OrtValue **values, sv_error *error) {
    const char *input_names[NET_MAX_INPUTS], *output_names[MAX_OUTPUTS];
    const OrtValue *given[NET_MAX_INPUTS];
    for (int i = 0; i < m->conventions.input_count; i++) {
        input_names[i] = m->graph.inputs[m->conventions.inputs[i]].name;
        given[i] = inputs[i];
    }
    for (int i = 0; i < count; i++) output_names[i] = m->graph.outputs[outputs[i]].name;
    watch w = {.ort = o, .options = m->run_options, .cancel = cancel};
    const bool watched = start_watch(&w);
    OrtStatus *ended = o->api->Run(m->session, m->run_options, input_names, given, (size_t)m->conventions.input_count,
                                   output_names, (size_t)count, values);
    if (watched) end_watch(&w);
    const sv_status status = ort_check(o, ended, error, "%s failed", m->path);
    return status != SV_OK && sv_cancelled(cancel) ? SV_CANCELLED : status;
}

/* The outputs that are used, the map first. Returns their number. */
static int list_outputs(const net_conventions *c, bool judged, int outputs[MAX_OUTPUTS], net_planes *p,
                        net_plane *planes[MAX_OUTPUTS]) {
    const int all[] = {c->output, judged ? c->confidence : -1, c->visible, c->hidden};
    net_plane *const of[] = {&p->disparity, &p->confidence, &p->visible, &p->hidden};
    int count = 0;
    for (int i = 0; i < MAX_OUTPUTS; i++) {
        if (all[i] < 0) continue;
        planes[count] = of[i];
        outputs[count++] = all[i];
    }
    return count;
}

sv_status net_run(net_model *m, const sv_pair *pair, bool mirrored, const sv_cancel *cancel, const net_maps *maps,
                  net_times *times, sv_error *error) {
    const ort *o = ort_load(error);
    const net_conventions *c = &m->conventions;
    net_frame f;
    sv_error why;
    if (net_fit(c, pair->left.width, pair->left.height, &f, &why) != SV_OK)
        return sv_fail(error, SV_FAILED, "%s: %s", m->path, why.text);
    OrtValue *inputs[NET_MAX_INPUTS] = {NULL}, *values[MAX_OUTPUTS] = {NULL};
    net_planes planes = {.disparity.data = NULL};
    net_plane *of[MAX_OUTPUTS];
    int outputs[MAX_OUTPUTS];
    const int count = list_outputs(c, maps->confidence.data, outputs, &planes, of);
    const double begun = sv_seconds();
    sv_status status = fill(o, m, &f, pair, mirrored, inputs, error);
    const double filled = sv_seconds();
    if (status == SV_OK) status = run_session(o, m, cancel, inputs, outputs, count, values, error);
    const double ran = sv_seconds();
    for (int i = 0; i < count && status == SV_OK; i++)
        status = find_plane(o, m, &f, values[i], i ? 0 : c->channel, of[i], error);
    if (status == SV_OK) net_take_maps(c, &f, &planes, mirrored, m->threads, maps);
    *times = (net_times){filled - begun, ran - filled, sv_seconds() - ran};
    if (status == SV_OK && !mirrored && !m->checked) {
        net_check_signs(m->path, c, &f, pair, &maps->disparity);
        m->checked = true;
    }
    for (int i = 0; i < NET_MAX_INPUTS; i++)
        if (inputs[i]) o->api->ReleaseValue(inputs[i]);
    for (int i = 0; i < MAX_OUTPUTS; i++)
        if (values[i]) o->api->ReleaseValue(values[i]);
    return status;
}

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
