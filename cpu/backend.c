/* The CPU backend: matchers that compute with OpenMP in the thread that submits, so that a pair is done
 * before sv_submit returns. */
#include "cpu/cpu.h"
#include "stereo/weights.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* bytes: a cache line, and the widest vector */

typedef struct context {
    int width, height, threads;
    int16_t *winner[2]; /* left, right: height x width */
    double made;        /* when it was created, seconds of OpenMP's clock */
    uint8_t weights[SV_WEIGHTS];
    cpu_buffer scratch, pyramid;
    sv_times times[SV_IN_FLIGHT];   /* of pair i in [i % SV_IN_FLIGHT] */
    unsigned submitted, waited_for; /* pairs so far */
} context;

static void *allocate(size_t bytes) {
    void *memory;
    return posix_memalign(&memory, ALIGNMENT, bytes) ? NULL : memory;
}

void *cpu_reserve(cpu_buffer *buffer, size_t size, sv_error *error) {
    if (buffer->size >= size) return buffer->data;
    free(buffer->data);
    *buffer = (cpu_buffer){.data = allocate(size)};
    if (!buffer->data) {
        sv_fail(error, SV_FAILED,
                "out of memory for %zu MB of matching costs; try a smaller range of disparities or fewer threads",
                size >> 20);
        return NULL;
    }
    buffer->size = size;
    return buffer->data;
}

void *cpu_carve(void *base, size_t *used, size_t size) {
    void *memory = base ? (char *)base + *used : NULL;
    *used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return memory;
}

cpu_set cpu_level(void) {
    const char *wanted = getenv("SV_CPU");
    cpu_set level = CPU_PORTABLE;
#if CPU_VECTORS
    if (__builtin_cpu_supports("avx2")) level = CPU_HAS_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        level = CPU_HAS_AVX512;
#endif
    if (wanted && !strcmp(wanted, "portable")) level = CPU_PORTABLE;
    if (wanted && !strcmp(wanted, "avx2") && level > CPU_HAS_AVX2) level = CPU_HAS_AVX2;
    return level;
}

static sv_status probe(char *device, size_t size, sv_error *error) {
    (void)error;
    int threads = omp_get_max_threads();
    snprintf(device, size, "CPU, %d thread%s", threads, threads == 1 ? "" : "s");
    return SV_OK;
}

static void destroy(void *memory) {
    context *c = memory;
    if (!c) return;
    free(c->winner[0]);
    free(c->winner[1]);
    free(c->scratch.data);
    free(c->pyramid.data);
    free(c);
}

static sv_status create(const sv_matcher_options *options, void **memory, sv_error *error) {
    const size_t bytes = sizeof(int16_t) * (size_t)options->width * (size_t)options->height;
    context *c = calloc(1, sizeof *c);
    if (c) {
        c->width = options->width;
        c->height = options->height;
        c->made = omp_get_wtime();
        c->threads = options->threads ? options->threads : omp_get_max_threads();
        c->winner[0] = allocate(bytes);
        c->winner[1] = allocate(bytes);
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

sv_status cpu_match(const cpu_job *job, sv_error *error) {
    if (job->params->pyramid > 1 && (job->params->method == SV_SSD || job->params->method == SV_ZNCC))
        return cpu_match_pyramid(job, error);
    switch (job->params->method) {
    case SV_SSD: return cpu_match_ssd(job, error);
    case SV_NCC: return cpu_match_ncc(job, error);
    case SV_ZNCC: return cpu_match_zncc(job, error);
    case SV_GFD: return cpu_match_gfd(job, error);
    default:
        return sv_fail(error, SV_USAGE, "the cpu backend does not know the method %s",
                       sv_method_name(job->params->method));
    }
}

static sv_status submit(void *memory, const sv_pair *pair, const sv_params *params, const sv_output *output,
                        sv_error *error) {
    context *c = memory;
    const cpu_job job = {
        .width = c->width,
        .height = c->height,
        .threads = c->threads,
        .params = params,
        .left = &pair->left,
        .right = &pair->right,
        .left_colour = &pair->left_colour,
        .right_colour = &pair->right_colour,
        .disparity = &output->disparity,
        .reason = &output->reason,
        .winner = {c->winner[0], params->left_right_check >= 0 ? c->winner[1] : NULL},
        .weights = c->weights,
        .scratch = &c->scratch,
        .pyramid = &c->pyramid,
    };
    const double start = omp_get_wtime();
    sv_status status = cpu_match(&job, error);
    const double matched = omp_get_wtime();
    if (status == SV_OK) status = cpu_refine(&job, error);
    if (status != SV_OK) return status;
    sv_times *times = &c->times[c->submitted++ % SV_IN_FLIGHT];
    *times = (sv_times){
        .begin = {[SV_MATCH] = (float)(1e3 * (start - c->made)), [SV_REFINE] = (float)(1e3 * (matched - c->made))}};
    times->ms[SV_MATCH] = (float)(1e3 * (matched - start));
    times->ms[SV_REFINE] = (float)(1e3 * (omp_get_wtime() - matched));
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
    .probe = probe,
    .alloc = allocate,
    .free = free,
    .create = create,
    .submit = submit,
    .wait = wait,
    .destroy = destroy,
};
