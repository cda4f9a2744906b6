/* Filling: pixels without a disparity take one from their neighbours, first along the rows and then, in rows that have
 * none at all, along the columns. For SV_FILL_SURFACE, this fills what cpu/surface.c leaves, and as SV_FILL_ROW does.
 */
#include "cpu/cpu.h"

#include <math.h>
#include <string.h>

/* Fills columns `x`..`end` - 1 of a row of `width` pixels, which have no value. */
static void fill_gap(float *disparity, int x, int end, int width, int kind) {
    const float left = x > 0 ? disparity[x - 1] : INFINITY, right = end < width ? disparity[end] : INFINITY;
    /* How many take the value on the left. For SV_FILL_CROSS, each takes the nearest value, which is the left one up to
     * the middle. For the others, all take the smaller disparity: an occluded pixel belongs to the farther surface. */
    const int gap = end - x;
    int lefts = kind == SV_FILL_CROSS ? (gap + 1) / 2 : left < right ? gap : 0;
    if (isinf(left)) lefts = 0;
    if (isinf(right)) lefts = gap;
    for (int i = 0; i < gap; i++) disparity[x + i] = i < lefts ? left : right;
}

/* Returns false if the row has no value. */
static bool fill_row(const cpu_job *job, int y) {
    const int width = job->width;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    for (int x = 0; x < width; x++) {
        if (!isinf(disparity[x])) continue;
        int end = x;
        while (end < width && isinf(disparity[end])) end++;
        if (end - x == width) return false;
        fill_gap(disparity, x, end, width, job->params->fill);
        memset(reason + x, SV_FILLED, (size_t)(end - x));
        x = end;
    }
    return true;
}

sv_status cpu_fill(const cpu_job *job, sv_error *error) {
    const int width = job->width, height = job->height;
    if (job->params->fill == SV_FILL_SURFACE && cpu_continue_surfaces(job, error) != SV_OK) return SV_FAILED;
    bool *has_values = cpu_reserve(job->scratch, sizeof *has_values * (size_t)height, error);
    if (!has_values) return SV_FAILED;
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < height; y++) has_values[y] = fill_row(job, y);

    int above = -1, below = 0; /* the nearest rows with values */
    for (int y = 0; y < height; y++) {
        if (has_values[y]) {
            above = y;
            continue;
        }
        if (below <= y)
            for (below = y + 1; below < height && !has_values[below];) below++;
        if (above < 0 && below == height) break; /* no row has values */
        const bool upper =
            above >= 0 && (below == height || job->params->fill != SV_FILL_CROSS || y - above <= below - y);
        memcpy(sv_row(job->disparity, y), sv_row(job->disparity, upper ? above : below), sizeof(float) * (size_t)width);
        memset(sv_row(job->reason, y), SV_FILLED, (size_t)width);
    }
    return SV_OK;
}
