/* The CPU backend: matchers that compute with OpenMP in the thread that submits, so that a pair is complete before
 * sv_submit returns. */
#include "cpu/cpu.h"
#include "net/net.h"
#include "stereo/rig.h"
#include "stereo/weights.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct context {
    int width, height, threads;
    cpu_set set;
    int16_t *winner[2]; /* left, right: height x width */
    double made;        /* when it was created, seconds of OpenMP's clock */
    uint8_t weights[SV_WEIGHTS];
    const sv_rectification *rectification; /* borrowed; NULL: none */
    const sv_cancel *cancel;               /* borrowed; NULL: never */
    cpu_buffer scratch, rectified, filtered, reduced, costs, confidence;
    cpu_history history;
    cpu_net net;
    sv_times times[SV_IN_FLIGHT];   /* those of pair i are in [i % SV_IN_FLIGHT] */
    unsigned submitted, waited_for; /* number of pairs so far */
} context;

static int count(void) { return 1; }

static sv_status probe(int device, char *name, size_t size, sv_error *error) {
    if (device) return sv_fail(error, SV_NO_DEVICE, "there is no device %d: there is only 0", device);
    const int threads = omp_get_max_threads();
    const char *set = cpu_set_name(cpu_available());
    snprintf(name, size, "CPU, %d thread%s%s%s", threads, threads == 1 ? "" : "s", *set ? ", " : "", set);
    return SV_OK;
}

static void destroy(void *memory) {
    context *c = memory;
    if (!c) return;
    free(c->winner[0]);
    free(c->winner[1]);
    const cpu_buffer all[] = {c->scratch, c->rectified,  c->filtered,      c->reduced,
                              c->costs,   c->confidence, c->history.frames};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i].data);
    cpu_close_net(&c->net);
    free(c);
}

static sv_status create(const sv_matcher_options *options, void **memory, sv_error *error) {
    const size_t bytes = sizeof(int16_t) * (size_t)options->width * (size_t)options->height;
    context *c = calloc(1, sizeof *c);
    if (c) {
        c->width = options->width;
        c->height = options->height;
        c->made = omp_get_wtime();
        c->threads = cpu_threads(options);
        c->set = cpu_available();
        c->rectification = options->rectification;
        c->cancel = options->cancel;
        c->winner[0] = cpu_allocate(bytes);
        c->winner[1] = cpu_allocate(bytes);
        sv_make_weights(c->weights);
    }
    if (!c || !c->winner[0] || !c->winner[1]) {
        destroy(c);
        return sv_fail(error, SV_FAILED, "out of memory for a matcher of %d x %d pixels", options->width,
                       options->height);
    }
    *memory = c;
    return SV_OK;
}

/* Matches only the rows that the costs of the probe's pixel depend on, for methods whose rows are independent. */
static sv_status match_probed_rows(const cpu_job *job, sv_error *error) {
    const int y = job->probe->y, rho = sv_rho_y(job->params);
    const int top = y > rho ? y - rho : 0, bottom = y + rho < job->height ? y + rho + 1 : job->height;
    cpu_probe probe = *job->probe;
    sv_image pictures[] = {*job->left, *job->right, *job->disparity, *job->reason};
    for (int i = 0; i < 4; i++) {
        pictures[i].data = sv_row(&pictures[i], top);
        pictures[i].height = bottom - top;
    }
    cpu_job rows = *job;
    probe.y -= top;
    rows.height = bottom - top;
    rows.left = &pictures[0];
    rows.right = &pictures[1];
    rows.disparity = &pictures[2];
    rows.reason = &pictures[3];
    rows.winner[0] += (size_t)top * (size_t)job->width;
    rows.winner[1] = NULL;
    rows.probe = &probe;
    return cpu_match(&rows, error);
}

static bool needs_few_rows(const cpu_job *job) {
    return job->probe && !job->cost[0] && sv_methods[job->params->method].matches_rows_alone;
}

/* Computes the maps of a job; `rectifies`: its pictures were rectified. `matched` receives the time at
 * which matching ended, in seconds of OpenMP's clock. */
static sv_status match(context *c, const cpu_job *job, bool rectifies, double *matched, sv_error *error) {
    /* Refinement uses the unfiltered pictures. */
    sv_pair filtered = {
        .left = *job->left, .right = *job->right, .left_colour = *job->left_colour, .right_colour = *job->right_colour};
    cpu_job matching = *job;
    matching.left = &filtered.left;
    matching.right = &filtered.right;
    matching.left_colour = &filtered.left_colour;
    matching.right_colour = &filtered.right_colour;
    const bool judges = job->confidence && !cpu_net_judges(job);
    if (judges) matching.winner[1] = c->winner[1];
    sv_status status = cpu_prefilter(job, &filtered, &c->filtered, error);
    if (status == SV_OK)
        status = needs_few_rows(&matching) ? match_probed_rows(&matching, error) : cpu_match(&matching, error);
    if (status == SV_OK && cpu_gives_up(job)) status = SV_CANCELLED;
    if (job->probe) return status;
    if (status == SV_OK && judges) status = cpu_judge(&matching, error);
    if (status == SV_OK && rectifies) cpu_mark_outside(job, true);
    *matched = omp_get_wtime();
    if (status == SV_OK) status = cpu_refine(job, error);
    return status == SV_OK && cpu_gives_up(job) ? SV_CANCELLED : status;
}

/* The job of a pair at full size. It refers to `pictures`, which rectification replaces. */
static cpu_job job_of(context *c, sv_pair *pictures, const sv_params *params, const sv_output *output) {
    return (cpu_job){
        .width = c->width,
        .height = c->height,
        .full_width = c->width,
        .full_height = c->height,
        .scale = 1,
        .threads = c->threads,
        .set = c->set,
        .params = params,
        .left = &pictures->left,
        .right = &pictures->right,
        .left_colour = &pictures->left_colour,
        .right_colour = &pictures->right_colour,
        .disparity = &output->disparity,
        .reason = &output->reason,
        .confidence = output->confidence.data ? &output->confidence : NULL,
        .winner = {c->winner[0], params->left_right_check >= 0 ? c->winner[1] : NULL},
        .weights = c->weights,
        .rectification = c->rectification,
        .cancel = c->cancel,
        .scratch = &c->scratch,
        .net = &c->net,
    };
}

static sv_status submit(void *memory, const sv_pair *pair, const sv_params *params, int follows,
                        const sv_output *output, sv_error *error) {
    context *c = memory;
    const bool mapped = sv_has_maps(c->rectification), rectifies = mapped || params->row_shift;
    const sv_params own = net_params(params);
    sv_pair pictures = *pair;
    cpu_job job = job_of(c, &pictures, &own, output);
    sv_image confidence;
    if (params->min_confidence && !job.confidence) {
        confidence = cpu_make_confidence(&job, &c->confidence, error);
        if (!confidence.data) return SV_FAILED;
        job.confidence = &confidence;
    }
    sv_status status = cpu_open_net(&job, error);
    const double start = omp_get_wtime();
    if (status == SV_OK && rectifies) status = cpu_rectify(&job, &pictures, &c->rectified, error);
    const double rectified = omp_get_wtime();
    double matched = rectified;
    if (status == SV_OK && params->scale > 1) {
        cpu_scaled scaled;
        cpu_job small;
        status = cpu_reduce(&job, &scaled, &small, &c->reduced, error);
        if (status == SV_OK) status = match(c, &small, rectifies, &matched, error);
        if (status == SV_OK) cpu_enlarge(&small, &scaled, &job);
    } else if (status == SV_OK) {
        status = match(c, &job, rectifies, &matched, error);
    }
    if (status != SV_OK) return status;
    /* Only filling and enlarging give a value to pixels without one. */
    if (mapped && (params->holes || params->fill || params->scale > 1)) cpu_mark_outside(&job, false);
    if (job.confidence) cpu_withdraw(&job);
    if (params->temporal > 1) status = cpu_temporal(&job, &c->history, follows, error);
    if (status != SV_OK) return status;
    sv_times *times = &c->times[c->submitted++ % SV_IN_FLIGHT];
    *times = (sv_times){.begin = {[SV_RECTIFY] = (float)(1e3 * (start - c->made)),
                                  [SV_MATCH] = (float)(1e3 * (rectified - c->made)),
                                  [SV_REFINE] = (float)(1e3 * (matched - c->made))}};
    if (rectifies) times->ms[SV_RECTIFY] = (float)(1e3 * (rectified - start));
    if (sv_methods[params->method].runs_model) {
        times->ms[SV_UPLOAD] = (float)(1e3 * c->net.in);
        times->ms[SV_DOWNLOAD] = (float)(1e3 * c->net.out);
    }
    times->ms[SV_MATCH] = (float)(1e3 * (matched - rectified)) - times->ms[SV_UPLOAD] - times->ms[SV_DOWNLOAD];
    times->ms[SV_REFINE] = (float)(1e3 * (omp_get_wtime() - matched));
    return SV_OK;
}

/* The memory of a match that is run only for its costs. */
typedef struct probing {
    cpu_probe probe;
    sv_output maps;
    uint32_t *winners; /* height x width: the costs of the winners */
} probing;

static size_t lay_out_probing(probing *p, void *base, const context *c) {
    size_t used = 0;
    p->probe.costs = cpu_carve(base, &used, sizeof(uint32_t) * SV_MAX_CANDIDATES);
    p->probe.tried = cpu_carve(base, &used, SV_MAX_CANDIDATES);
    p->winners = cpu_carve(base, &used, sizeof(uint32_t) * (size_t)c->width * (size_t)c->height);
    p->maps.disparity = cpu_carve_image(base, &used, c->width, c->height, SV_FLOAT32);
    p->maps.reason = cpu_carve_image(base, &used, c->width, c->height, SV_REASON8);
    return used;
}

static sv_status match_costs(void *memory, const sv_pair *pair, const sv_params *params, int x, int y, sv_costs *costs,
                             const sv_image *winners, sv_error *error) {
    context *c = memory;
    probing p = {0};
    void *block = cpu_reserve(&c->costs, lay_out_probing(&p, NULL, c), error);
    if (!block) return SV_FAILED;
    lay_out_probing(&p, block, c);
    memset(p.probe.costs, 0xff, sizeof(uint32_t) * SV_MAX_CANDIDATES); /* SV_NO_COST */
    memset(p.probe.tried, 0, SV_MAX_CANDIDATES);
    p.probe.x = costs ? x / params->scale : -1;
    p.probe.y = y / params->scale;
    sv_pair pictures = *pair;
    const bool rectifies = sv_has_maps(c->rectification) || params->row_shift;
    cpu_job job = job_of(c, &pictures, params, &p.maps), small = job;
    job.winner[1] = NULL;
    job.probe = &p.probe;
    job.cost[0] = winners ? p.winners : NULL;
    cpu_scaled scaled;
    double matched;
    sv_status status = rectifies ? cpu_rectify(&job, &pictures, &c->rectified, error) : SV_OK;
    if (status == SV_OK && params->scale > 1)
        status = cpu_reduce(&job, &scaled, &small, &c->reduced, error);
    else
        small = job;
    if (status == SV_OK) status = match(c, &small, rectifies, &matched, error);
    if (status != SV_OK) return status;
    if (winners) cpu_report_winners(&small, winners);
    if (!costs) return SV_OK;
    costs->x = x;
    costs->y = y;
    cpu_report_costs(&small, costs);
    return SV_OK;
}

static sv_status wait(void *memory, sv_times *times, sv_error *error) {
    (void)error;
    context *c = memory;
    *times = c->times[c->waited_for++ % SV_IN_FLIGHT];
    return SV_OK;
}

const sv_backend sv_cpu = {
    .name = "cpu",
    .at_once = 1,
    .count = count,
    .probe = probe,
    .alloc = cpu_allocate,
    .free = free,
    .create = create,
    .submit = submit,
    .wait = wait,
    .destroy = destroy,
    .footprint = cpu_footprint,
    .costs = match_costs,
};
