/* The moving average over a square window. Sums are of integers, so that their order does not matter: first down the
 * columns of the window, then along the row of column sums. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { NONE = INT32_MIN };

/* For each column of a row's windows, the sum and the number of its values: width + 2 SV_AVERAGE_RADIUS, zeros outside
 * the picture. */
typedef struct columns {
    int32_t *sums, *counts;
} columns;

CPU_INLINE void average_row(const cpu_job *job, const int32_t *before, const columns *c, int y) {
    const int width = job->width, height = job->height, radius = job->params->average / 2;
    int32_t *restrict sums = c->sums + SV_AVERAGE_RADIUS, *restrict counts = c->counts + SV_AVERAGE_RADIUS;
    for (int x = 0; x < width; x++) sums[x] = counts[x] = 0;
    for (int ny = y - radius > 0 ? y - radius : 0; ny <= y + radius && ny < height; ny++) {
        const int32_t *row = before + (size_t)ny * (size_t)width;
        for (int x = 0; x < width; x++) {
            sums[x] += row[x] != NONE ? row[x] : 0;
            counts[x] += row[x] != NONE;
        }
    }
    const int32_t *own = before + (size_t)y * (size_t)width;
    float *disparity = sv_row(job->disparity, y);
    for (int x = 0; x < width; x++) {
        int32_t sum = 0, count = 0;
        for (int i = -radius; i <= radius; i++) {
            sum += sums[x + i];
            count += counts[x + i];
        }
        disparity[x] = own[x] != NONE ? (float)sum / (float)count / SV_AVERAGE_UNIT : INFINITY;
    }
}

static size_t lay_out(columns *c, void *base, const cpu_job *job) {
    const size_t bytes = sizeof(int32_t) * (size_t)(job->width + 2 * SV_AVERAGE_RADIUS);
    size_t used = 0;
    c->sums = cpu_carve(base, &used, bytes);
    c->counts = cpu_carve(base, &used, bytes);
    return used;
}

CPU_FOR_AVX2(average_row, (const cpu_job *job, const int32_t *before, const columns *c, int y), (job, before, c, y));

sv_status cpu_average(const cpu_job *job, sv_error *error) {
    average_row_function *const average = average_row_of_sets[job->set];
    const int width = job->width, height = job->height;
    columns measure;
    const size_t size = lay_out(&measure, NULL, job);
    char *memory = cpu_reserve(job->scratch,
                               size * (size_t)job->threads + sizeof(int32_t) * (size_t)width * (size_t)height, error);
    if (!memory) return SV_FAILED;
    int32_t *before = (int32_t *)(memory + size * (size_t)job->threads);
#pragma omp parallel num_threads(job->threads)
    {
        columns c;
        char *own = memory + size * (size_t)omp_get_thread_num();
        lay_out(&c, own, job);
        memset(own, 0, size);
#pragma omp for
        for (int y = 0; y < height; y++) {
            const float *disparity = sv_row(job->disparity, y);
            int32_t *to = before + (size_t)y * (size_t)width;
            for (int x = 0; x < width; x++)
                to[x] = isinf(disparity[x]) ? NONE : (int32_t)rintf(SV_AVERAGE_UNIT * disparity[x]);
        }
#pragma omp for
        for (int y = 0; y < height; y++) average(job, before, &c, y);
    }
    return SV_OK;
}
