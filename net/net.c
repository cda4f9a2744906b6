/* Runs models. */
#include "net/net.h"

#include "net/session.h"
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
    net_place place;
    net_session *session;
    OrtRunOptions *run_options;
    net_conventions conventions;
    void *tensors[NET_MAX_INPUTS]; /* on the CPU: the inputs, of these sizes */
    size_t bytes[NET_MAX_INPUTS];
};

/* ---- The CPU as a place -------------------------------------------------------------------------- */

static sv_status reserve_on_cpu(void *of, int i, size_t bytes, void **tensor, sv_error *error) {
    net_model *m = of;
    if (m->bytes[i] != bytes) {
        free(m->tensors[i]);
        m->tensors[i] = malloc(bytes);
        m->bytes[i] = m->tensors[i] ? bytes : 0;
    }
    *tensor = m->tensors[i];
    return *tensor ? SV_OK : sv_fail(error, SV_FAILED, "out of memory for the pictures of %s", m->path);
}

static sv_status fill_on_cpu(void *of, const net_input *input, sv_error *error) {
    (void)error;
    net_fill(input, ((net_model *)of)->place.threads);
    return SV_OK;
}

static sv_status take_on_cpu(void *of, const net_output *output, sv_error *error) {
    (void)error;
    net_take_maps(output, ((net_model *)of)->place.threads);
    return SV_OK;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

sv_status net_open(const char *path, const net_place *place, net_model **model, sv_error *error) {
    *model = NULL;
    net_session *session;
    const sv_status opened = net_open_session(path, place, &session, error);
    if (opened != SV_OK) return opened;
    const ort *o = ort_load(NULL);
    net_model *m = calloc(1, sizeof *m);
    if (!m) {
        net_close_session(session);
        return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    }
    snprintf(m->path, sizeof m->path, "%s", path);
    m->session = session;
    m->place = *place;
    if (!place->cuda)
        m->place = (net_place){
            .threads = place->threads, .of = m, .reserve = reserve_on_cpu, .fill = fill_on_cpu, .take = take_on_cpu};
    sv_status status = ort_check(o, o->api->CreateRunOptions(&m->run_options), error, "%s", path);
    /* Later work on a card is queued in the same stream, so nothing has to wait. */
    if (status == SV_OK && place->cuda)
        status = ort_check(o, o->api->AddRunConfigEntry(m->run_options, "disable_synchronize_execution_providers", "1"),
                           error, "%s", path);
    if (status == SV_OK) status = net_find_conventions(path, &session->graph, &m->conventions, error);
    if (status != SV_OK) {
        net_close(m);
        return status;
    }
    *model = m;
    return SV_OK;
}

void net_close(net_model *m) {
    if (!m) return;
    if (m->run_options) ort_load(NULL)->api->ReleaseRunOptions(m->run_options);
    net_close_session(m->session);
    for (int i = 0; i < NET_MAX_INPUTS; i++) free(m->tensors[i]);
    free(m);
}

bool net_judges(const net_model *m) { return m->conventions.confidence >= 0; }

sv_params net_params(const sv_params *params) {
    sv_params own = *params;
    if (!sv_methods[params->method].runs_model) return own;
    own.min_disparity = SV_MIN_DISPARITY;
    own.max_disparity = SV_MAX_DISPARITY;
    return own;
}

/* ---- Cancelling -------------------------------------------------------------------------------- */

/* A thread that waits for a request while the model runs, and passes it to the runtime. */
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
    const net_place *place = &m->place;
    sv_status status = SV_OK;
    for (int i = 0; i < m->conventions.input_count && status == SV_OK; i++) {
        net_input input;
        int64_t shape[4];
        const size_t bytes =
            net_describe_input(&m->session->graph, &m->conventions, i, f, pair, mirrored, &input, shape);
        status = place->reserve(place->of, i, bytes, &input.tensor, error);
        if (status == SV_OK) status = place->fill(place->of, &input, error);
        if (status == SV_OK)
            status = ort_check(o,
                               o->api->CreateTensorWithDataAsOrtValue(m->session->memory, input.tensor, bytes, shape, 4,
                                                                      input.type, &values[i]),
                               error, "%s", m->path);
    }
    return status == SV_OK && place->cuda ? place->wait(place->of, error) : status;
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

/* Runs the model; its outputs stay where it ran. */
static sv_status run_bound(const ort *o, net_model *m, const sv_cancel *cancel, const OrtIoBinding *binding,
                           sv_error *error) {
    watch w = {.ort = o, .options = m->run_options, .cancel = cancel};
    const bool watched = start_watch(&w);
    OrtStatus *ended = o->api->RunWithBinding(m->session->session, m->run_options, binding);
    if (watched) end_watch(&w);
    const sv_status status = ort_check(o, ended, error, "%s failed", m->path);
    return status != SV_OK && sv_cancelled(cancel) ? SV_CANCELLED : status;
}

static sv_status run_session(const ort *o, net_model *m, const sv_cancel *cancel, OrtValue *const *inputs,
                             const int *outputs, int count, OrtValue **values, sv_error *error) {
    const ort_api *a = o->api;
    const net_graph *g = &m->session->graph;
    OrtIoBinding *binding = NULL;
    OrtValue **bound = NULL;
    size_t many = 0;
    sv_status status = ort_check(o, a->CreateIoBinding(m->session->session, &binding), error, "%s", m->path);
    for (int i = 0; i < m->conventions.input_count && status == SV_OK; i++)
        status = ort_check(o, a->BindInput(binding, g->inputs[m->conventions.inputs[i]].name, inputs[i]), error, "%s",
                           m->path);
    for (int i = 0; i < count && status == SV_OK; i++)
        status = ort_check(o, a->BindOutputToDevice(binding, g->outputs[outputs[i]].name, m->session->memory), error,
                           "%s", m->path);
    if (status == SV_OK) status = run_bound(o, m, cancel, binding, error);
    if (status == SV_OK)
        status = ort_check(o, a->GetBoundOutputValues(binding, o->allocator, &bound, &many), error, "%s", m->path);
    for (size_t i = 0; i < many && i < MAX_OUTPUTS; i++) values[i] = bound[i];
    if (bound) ort_check(o, a->AllocatorFree(o->allocator, bound), NULL, "%s", m->path);
    if (binding) a->ReleaseIoBinding(binding);
    return status;
}

/* Lists the outputs that are used, each once, the map first; `which` receives where in the list that of each plane is,
 * -1: there is none. Returns their number. */
static int list_outputs(const net_conventions *c, bool has_confidence, int outputs[MAX_OUTPUTS],
                        int which[MAX_OUTPUTS]) {
    const int all[] = {c->output, has_confidence ? c->confidence : -1, c->visible, c->hidden};
    int count = 0;
    for (int i = 0; i < MAX_OUTPUTS; i++) {
        which[i] = -1;
        for (int k = 0; k < count && all[i] >= 0; k++)
            if (outputs[k] == all[i]) which[i] = k;
        if (all[i] < 0 || which[i] >= 0) continue;
        which[i] = count;
        outputs[count++] = all[i];
    }
    return count;
}

/* Compares the map with the pictures, wherever they are. */
static sv_status check_signs(const net_model *m, const net_frame *f, const sv_pair *pair, const sv_image *disparity,
                             sv_error *error) {
    const sv_image *const from[] = {&pair->left, &pair->right, disparity};
    sv_image to[3];
    sv_status status = SV_OK;
    for (int i = 0; i < 3; i++) {
        to[i] = *from[i];
        if (from[i]->memory == SV_HOST) continue;
        to[i].memory = SV_HOST;
        to[i].stride = (size_t)to[i].width * sv_pixel_size(to[i].format);
        to[i].data = malloc(to[i].stride * (size_t)to[i].height);
        if (status == SV_OK)
            status = to[i].data ? m->place.fetch(m->place.of, from[i], &to[i], error)
                                : sv_fail(error, SV_FAILED, "out of memory for the pictures of %s", m->path);
    }
    const sv_pair copies = {.left = to[0], .right = to[1]};
    if (status == SV_OK) net_check_signs(m->path, &m->conventions, f, &copies, &to[2]);
    for (int i = 0; i < 3; i++)
        if (to[i].data != from[i]->data) free(to[i].data);
    return status;
}

sv_status net_run(net_model *m, const sv_pair *pair, bool mirrored, const sv_cancel *cancel, const net_maps *maps,
                  net_times *times, sv_error *error) {
    const ort *o = ort_load(error);
    const net_conventions *c = &m->conventions;
    net_output out = {.mirrored = mirrored, .maps = *maps};
    net_frame *f = &out.frame;
    sv_error why;
    if (net_fit(c, pair->left.width, pair->left.height, f, &why) != SV_OK)
        return sv_fail(error, SV_FAILED, "%s: %s", m->path, why.text);
    OrtValue *inputs[NET_MAX_INPUTS] = {NULL}, *values[MAX_OUTPUTS] = {NULL};
    net_plane *const planes[] = {&out.disparity, &out.confidence, &out.visible, &out.hidden};
    int outputs[MAX_OUTPUTS], which[MAX_OUTPUTS];
    const int count = list_outputs(c, maps->confidence.data, outputs, which);
    const double begun = sv_seconds();
    sv_status status = fill(o, m, f, pair, mirrored, inputs, error);
    const double filled = sv_seconds();
    if (status == SV_OK) status = run_session(o, m, cancel, inputs, outputs, count, values, error);
    const double ran = sv_seconds();
    for (int i = 0; i < MAX_OUTPUTS && status == SV_OK; i++)
        if (which[i] >= 0) status = find_plane(o, m, f, values[which[i]], i ? 0 : c->channel, planes[i], error);
    out.unit = (c->negative ? -1.0f : 1.0f) * (c->of_width ? (float)f->width : c->scale);
    out.exact = f->inner_width == f->pair_width && f->inner_height == f->pair_height && out.disparity.width == f->width;
    if (status == SV_OK) status = m->place.take(m->place.of, &out, error);
    *times = (net_times){filled - begun, ran - filled, sv_seconds() - ran};
    if (status == SV_OK && !mirrored && !atomic_exchange(&m->session->checked, true))
        status = check_signs(m, f, pair, &maps->disparity, error);
    for (int i = 0; i < NET_MAX_INPUTS; i++)
        if (inputs[i]) o->api->ReleaseValue(inputs[i]);
    for (int i = 0; i < MAX_OUTPUTS; i++)
        if (values[i]) o->api->ReleaseValue(values[i]);
    return status;
}
