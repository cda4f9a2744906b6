/* Matchers: the only place that checks their arguments. */
#include "stereo/cancel.h"
#include "stereo/costs.h"
#include "stereo/rig.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------ */

size_t sv_pixel_size(sv_format format) { return format == SV_COLOUR8 || format == SV_FLOAT32 ? 4 : 1; }

const char *sv_reason_name(int reason) {
    static const char *const names[SV_REASON_COUNT] = {
        "valid", "filled", "border", "no texture", "poor match", "ambiguous", "left-right conflict", "speckle",
    };
    return reason >= 0 && reason < SV_REASON_COUNT ? names[reason] : "?";
}

const char *sv_stage_name(int stage) {
    static const char *const names[SV_STAGE_COUNT] = {"upload", "rectify", "match", "refine", "download"};
    return stage >= 0 && stage < SV_STAGE_COUNT ? names[stage] : "?";
}

/* Checks where the rows of a picture lie, whose width and height are at least 1. */
static sv_status check_rows(const char *what, const sv_image *image, sv_error *error) {
    const size_t pixel = sv_pixel_size(image->format);
    if (image->memory != SV_HOST && image->memory != SV_DEVICE)
        return sv_fail(error, SV_USAGE, "the memory of the %s is %d, which is neither SV_HOST nor SV_DEVICE", what,
                       (int)image->memory);
    if (image->stride >= (size_t)image->width * pixel && image->stride % pixel == 0 &&
        image->stride <= PTRDIFF_MAX / (size_t)image->height)
        return SV_OK;
    return sv_fail(error, SV_USAGE, "the %s has a stride of %zu bytes, which does not fit %d x %d pixels of %zu bytes",
                   what, image->stride, image->width, image->height, pixel);
}

sv_status sv_check_host(const char *what, const sv_image *image, sv_error *error) {
    if (!image->data || image->memory != SV_HOST)
        return sv_fail(error, SV_USAGE, "the %s has to be in host memory", what);
    if (image->width < 1 || image->height < 1)
        return sv_fail(error, SV_USAGE, "the %s has %d x %d pixels", what, image->width, image->height);
    return check_rows(what, image, error);
}

/* ---- Matchers --------------------------------------------------------------------------------- */

sv_status sv_check_backend(const sv_backend *backend, const sv_params *params, sv_error *error) {
    const sv_method_traits *method = &sv_methods[params->method];
    sv_error why;
    if (method->runs_model && !params->model)
        return sv_fail(error, SV_USAGE, "the method %s needs a model, an ONNX file: the parameter model names it",
                       method->name);
    if (method->runs_model && backend->check_models && backend->check_models(&why) != SV_OK)
        return sv_fail(error, SV_USAGE, "the %s backend cannot run models: %s; use the cpu backend", backend->name,
                       why.text);
    return SV_OK;
}

struct sv_matcher {
    const sv_backend *backend;
    sv_matcher_options options; /* the size is that of the context */
    bool resizes;               /* takes pairs of any size */
    int in_flight;
    void *context; /* NULL: there is none before the first pair of a matcher for any size */

    /* For the temporal filter: the pair submitted last, and how many before it belong to it. */
    int64_t number; /* 0: what comes next does not follow it */
    int follows;
    sv_params params;
};

static sv_status check_options(const sv_backend *backend, const sv_matcher_options *options, sv_error *error) {
    if (options->width < 1 || options->height < 1 || options->width > SV_MAX_SIDE || options->height > SV_MAX_SIDE)
        return sv_fail(error, SV_USAGE, "pictures of %d x %d pixels cannot be matched; a side is 1 to %d",
                       options->width, options->height, SV_MAX_SIDE);
    const sv_rectification *r = options->rectification;
    if (r && (r->width != options->width || r->height != options->height))
        return sv_fail(error, SV_USAGE, "the rectification is for pictures of %d x %d pixels, the matcher for %d x %d",
                       r->width, r->height, options->width, options->height);
    if (options->threads < 0 || options->threads > SV_MAX_THREADS)
        return sv_fail(error, SV_USAGE, "%d threads cannot be used; choose 1 to %d, or 0 for one per core",
                       options->threads, SV_MAX_THREADS);
    if (options->device && (options->device < 0 || options->device >= backend->count()))
        return sv_fail(error, SV_NO_DEVICE, "the %s backend has no device %d: it has %d, counted from 0", backend->name,
                       options->device, backend->count());
    return SV_OK;
}

sv_status sv_matcher_memory(const sv_backend *backend, const sv_matcher_options *options, const sv_params *params,
                            sv_footprint *footprint, sv_error *error) {
    *footprint = (sv_footprint){0};
    sv_status status = check_options(backend, options, error);
    if (status == SV_OK) status = sv_check_params(params, error);
    if (status == SV_OK) status = sv_check_backend(backend, params, error);
    return status == SV_OK ? backend->footprint(options, params, footprint, error) : status;
}

sv_status sv_matcher_create(const sv_backend *backend, const sv_matcher_options *options, sv_matcher **matcher,
                            sv_error *error) {
    *matcher = NULL;
    const bool resizes = !options->width && !options->height;
    sv_matcher_options checked = *options;
    if (resizes) checked.width = checked.height = SV_MAX_SIDE;
    if (resizes && options->rectification) {
        checked.width = options->rectification->width;
        checked.height = options->rectification->height;
    }
    sv_status status = check_options(backend, &checked, error);
    if (status != SV_OK) return status;
    sv_matcher *m = calloc(1, sizeof *m);
    if (!m) return sv_fail(error, SV_FAILED, "out of memory for a matcher");
    *m = (sv_matcher){.backend = backend, .options = *options, .resizes = resizes};
    if (!resizes) status = backend->create(options, &m->context, error);
    if (status != SV_OK) {
        free(m);
        return status;
    }
    *matcher = m;
    return SV_OK;
}

/* Adapts the matcher to pictures of this size. */
static sv_status resize(sv_matcher *m, int width, int height, sv_error *error) {
    if (m->context && m->options.width == width && m->options.height == height) return SV_OK;
    if (m->in_flight)
        return sv_fail(error, SV_USAGE, "a pair of %d x %d pixels is in flight; wait for it before one of %d x %d",
                       m->options.width, m->options.height, width, height);
    sv_matcher_options options = m->options;
    options.width = width;
    options.height = height;
    const sv_status status = check_options(m->backend, &options, error);
    if (status != SV_OK) return status;
    if (m->context) m->backend->destroy(m->context);
    m->context = NULL;
    m->number = 0;
    m->options = options;
    return m->backend->create(&options, &m->context, error);
}

static sv_status check_image(const char *what, const sv_image *image, sv_format format, const sv_matcher *m,
                             sv_error *error) {
    if (!image->data) return sv_fail(error, SV_USAGE, "the %s has no memory", what);
    if (image->format != format) return sv_fail(error, SV_USAGE, "the %s has the wrong pixel format", what);
    const int width = m->options.width, height = m->options.height;
    if (image->width != width || image->height != height)
        return sv_fail(error, SV_USAGE, "the %s has %d x %d pixels, but the matcher is for %d x %d", what, image->width,
                       image->height, width, height);
    return check_rows(what, image, error);
}

static sv_status check_memory(const sv_image *image, const sv_matcher *m, sv_error *error) {
    if (image->memory != SV_DEVICE || m->backend->memory_of) return SV_OK;
    return sv_fail(error, SV_USAGE, "the %s backend needs pictures and maps in host memory", m->backend->name);
}

/* Checks what is matched, and how. */
static sv_status check_input(const sv_matcher *m, const sv_pair *pair, const sv_params *params, sv_error *error) {
    sv_status status = sv_check_params(params, error);
    if (status == SV_OK) status = sv_check_backend(m->backend, params, error);
    if (status == SV_OK) status = check_image("left picture", &pair->left, SV_GREY8, m, error);
    if (status == SV_OK) status = check_image("right picture", &pair->right, SV_GREY8, m, error);
    if (status == SV_OK && (pair->left_colour.data || pair->right_colour.data)) {
        status = check_image("left colour picture", &pair->left_colour, SV_COLOUR8, m, error);
        if (status == SV_OK) status = check_image("right colour picture", &pair->right_colour, SV_COLOUR8, m, error);
    }
    if (status == SV_OK && pair->number < 0)
        status = sv_fail(error, SV_USAGE, "the number of the pair is %" PRId64 "; it is 0 or more", pair->number);
    const sv_image *const images[] = {&pair->left, &pair->right, &pair->left_colour, &pair->right_colour};
    for (size_t i = 0; i < sizeof images / sizeof *images && status == SV_OK; i++)
        status = check_memory(images[i], m, error);
    return status;
}

/* Checks everything but whether there is room for another pair. */
static sv_status check_pair(const sv_matcher *m, const sv_pair *pair, const sv_params *params, const sv_output *output,
                            sv_error *error) {
    sv_status status = check_input(m, pair, params, error);
    if (status == SV_OK) status = check_image("disparity map", &output->disparity, SV_FLOAT32, m, error);
    if (status == SV_OK) status = check_image("reason map", &output->reason, SV_REASON8, m, error);
    const bool judges = output->confidence.data;
    if (status == SV_OK && judges) status = check_image("confidence map", &output->confidence, SV_GREY8, m, error);
    if (status == SV_OK) status = check_memory(&output->disparity, m, error);
    if (status != SV_OK) return status;
    if (output->disparity.memory != output->reason.memory)
        return sv_fail(error, SV_USAGE, "the disparity map and the reason map must be in the same memory");
    if (judges && output->disparity.memory != output->confidence.memory)
        return sv_fail(error, SV_USAGE, "the disparity map and the confidence map must be in the same memory");
    return SV_OK;
}

/* How many of the pairs before this one the temporal filter looks back over. */
static int count_before(const sv_matcher *m, const sv_pair *pair, const sv_params *params) {
    if (!m->number || pair->number - 1 != m->number || memcmp(params, &m->params, sizeof *params)) return 0;
    return m->follows + 1 < params->temporal ? m->follows + 1 : params->temporal - 1;
}

/* `stream` is used only if `ordered`. */
static sv_status submit(sv_matcher *m, const sv_pair *pair, const sv_params *params, const sv_output *output,
                        bool ordered, void *stream, sv_error *error) {
    sv_status status = m->resizes ? resize(m, pair->left.width, pair->left.height, error) : SV_OK;
    if (status == SV_OK) status = check_pair(m, pair, params, output, error);
    if (status != SV_OK) return status;
    if (m->in_flight == SV_IN_FLIGHT)
        return sv_fail(error, SV_USAGE, "%d pairs are already in flight; wait for one first", SV_IN_FLIGHT);
    const int follows = count_before(m, pair, params);
    m->number = 0;
    if (ordered) status = m->backend->order(m->context, stream, false, error);
    if (status == SV_OK) status = m->backend->submit(m->context, pair, params, follows, output, error);
    if (status != SV_OK) return status;
    m->number = pair->number;
    m->follows = follows;
    m->params = *params;
    m->in_flight++;
    if (ordered) status = m->backend->order(m->context, stream, true, error);
    if (status != SV_OK) sv_wait(m, NULL, NULL);
    return status;
}

sv_status sv_submit(sv_matcher *m, const sv_pair *pair, const sv_params *params, const sv_output *output,
                    sv_error *error) {
    return submit(m, pair, params, output, false, NULL, error);
}

sv_status sv_submit_in_stream(sv_matcher *m, const sv_pair *pair, const sv_params *params, const sv_output *output,
                              void *stream, sv_error *error) {
    if (!m->backend->order)
        return sv_fail(error, SV_USAGE, "the %s backend has no streams; submit without one", m->backend->name);
    return submit(m, pair, params, output, true, stream, error);
}

sv_status sv_wait(sv_matcher *m, sv_times *times, sv_error *error) {
    sv_times unused;
    if (!m->in_flight) return sv_fail(error, SV_USAGE, "no pair is in flight; submit one first");
    m->in_flight--;
    const sv_status status = m->backend->wait(m->context, times ? times : &unused, error);
    if (status != SV_OK) m->number = 0; /* its map may be wrong */
    return status;
}

sv_status sv_match_costs(sv_matcher *m, const sv_pair *pair, const sv_params *params, int x, int y, sv_costs *costs,
                         const sv_image *winners, sv_error *error) {
    if (!m->backend->costs)
        return sv_fail(error, SV_USAGE, "the %s backend does not report costs; ask the cpu backend", m->backend->name);
    if (m->in_flight) return sv_fail(error, SV_USAGE, "a pair is in flight; wait for it first");
    sv_status status = m->resizes ? resize(m, pair->left.width, pair->left.height, error) : SV_OK;
    if (status == SV_OK) status = check_input(m, pair, params, error);
    if (status == SV_OK && sv_methods[params->method].runs_model)
        status = sv_fail(error, SV_USAGE, "the method %s compares no costs", sv_method_name(params->method));
    if (status == SV_OK && winners) status = check_image("picture of costs", winners, SV_FLOAT32, m, error);
    if (status != SV_OK) return status;
    const int width = m->options.width, height = m->options.height;
    if (costs && (x < 0 || y < 0 || x >= width || y >= height))
        return sv_fail(error, SV_USAGE, "there is no pixel (%d, %d) in pictures of %d x %d", x, y, width, height);
    return m->backend->costs(m->context, pair, params, x, y, costs, winners, error);
}

int sv_at_once(const sv_matcher *m) { return m->backend->at_once; }

void sv_matcher_destroy(sv_matcher *m) {
    if (!m) return;
    if (m->context) m->backend->destroy(m->context);
    free(m);
}

/* ---- Cancelling ------------------------------------------------------------------------------- */

sv_cancel *sv_cancel_new(void) { return calloc(1, sizeof(sv_cancel)); }

void sv_cancel_free(sv_cancel *cancel) { free(cancel); }

void sv_cancel_ask(sv_cancel *cancel, bool asked) { atomic_store(&cancel->asked, asked); }
