/* The filling of holes: a pixel without a disparity takes the median of the surrounding 5 x 5 pixels if enough of them
 * have one and all of these lie on one surface. Occlusions at depth edges stay empty, because the values around them do
 * not agree. Within a pass, filled values do not fill other pixels; --hole-passes repeats the pass. */
#include "cpu/cpu.h"

#include <math.h>
#include <string.h>

enum { RADIUS = 2, MOST = (2 * RADIUS + 1) * (2 * RADIUS + 1) - 1 };

/* Collects the values around (x, y) and returns their number. `before`: height x width, dense. */
static int collect(const cpu_job *job, const float *before, int x, int y, float *values) {
    const int width = job->width, height = job->height;
    int count = 0;
    for (int j = y - RADIUS < 0 ? 0 : y - RADIUS; j <= y + RADIUS && j < height; j++)
        for (int i = x - RADIUS < 0 ? 0 : x - RADIUS; i <= x + RADIUS && i < width; i++) {
            const float value = before[(size_t)j * (size_t)width + (size_t)i];
            values[count] = value;
            count += !isinf(value);
        }
    return count;
}

/* The difference between the largest and the smallest of `count` values; `count` is at least 1. */
static float spread(const float *values, int count) {
    float least = values[0], most = values[0];
    for (int i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    return most - least;
}

/* The lower median; sorts the values. */
static float median_of(float *values, int count) {
    for (int i = 1; i < count; i++) {
        const float value = values[i];
        int at = i;
        for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
        values[at] = value;
    }
    return values[(count - 1) / 2];
}

static void fill_row(const cpu_job *job, const float *before, int y) {
    const sv_params *params = job->params;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    for (int x = 0; x < job->width; x++) {
        float values[MOST + 1];
        if (!isinf(disparity[x])) continue;
        const int count = collect(job, before, x, y, values);
        if (count < params->holes || count == 0 || spread(values, count) > params->speckle_range) continue;
        disparity[x] = median_of(values, count);
        reason[x] = SV_FILLED;
    }
}

sv_status cpu_fill_holes(const cpu_job *job, sv_error *error) {
    const size_t line = sizeof(float) * (size_t)job->width;
    float *before = cpu_reserve(job->scratch, line * (size_t)job->height, error);
    if (!before) return SV_FAILED;
#pragma omp parallel num_threads(job->threads)
    {
#pragma omp for
        for (int y = 0; y < job->height; y++)
            memcpy(before + (size_t)y * (size_t)job->width, sv_row(job->disparity, y), line);
#pragma omp for schedule(dynamic, 8)
        for (int y = 0; y < job->height; y++) fill_row(job, before, y);
    }
    return SV_OK;
}
