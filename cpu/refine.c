/* Refinement of a disparity map: the removal of what the pictures or the right map do not confirm, and the order of the
 * steps. */
#include "cpu/cpu.h"
#include "stereo/doubt.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { BLOCK = 256 }; /* pixels that are checked together */

/* Invalidates the pixels `begin`..`end` - 1 of row `y`, at most BLOCK, whose match in the right picture does not point
 * back. There are no branches, because whether a pixel fails is hard to predict, and several loops, because only the
 * one that reads the matches cannot be vectorised; so it does nothing else. Columns and candidates have 16 bits. */
CPU_INLINE void check_block(const cpu_job *job, int y, int begin, int end, int steps) {
    const sv_params *params = job->params;
    const int width = job->width, count = end - begin;
    const int least = params->min_disparity * steps;
    const int tolerance = params->left_right_check * steps;
    const size_t row = (size_t)y * (size_t)width;
    const int16_t *restrict left = job->winner[0] + row + begin, *restrict right = job->winner[1] + row;
    float *restrict disparity = (float *)sv_row(job->disparity, y) + begin;
    uint8_t *restrict reason = (uint8_t *)sv_row(job->reason, y) + begin;
    int16_t matches[BLOCK], clamped[BLOCK], backs[BLOCK], fails[BLOCK];
    for (int i = 0; i < count; i++) {
        const int16_t match = (int16_t)(steps == 1 ? begin + i - (least + left[i])
                                                   : sv_nearest_column(steps * (begin + i) - (least + left[i]), steps));
        matches[i] = match;
        clamped[i] = (int16_t)sv_clamp(match, width);
    }
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) {
        CPU_ONE_BY_ONE();
        backs[i] = right[clamped[i]];
    }
    for (int i = 0; i < count; i++) {
        const int16_t back = backs[i], apart = (int16_t)(back - left[i]);
        fails[i] = (reason[i] == SV_VALID) &
                   ((matches[i] != clamped[i]) | (back < 0) | (apart > tolerance) | (apart < -tolerance));
    }
    for (int i = 0; i < count; i++) disparity[i] = fails[i] ? INFINITY : disparity[i];
    for (int i = 0; i < count; i++) reason[i] = (uint8_t)(fails[i] ? SV_LEFT_RIGHT_CONFLICT : reason[i]);
}

CPU_INLINE void check_row(const cpu_job *job, int y) {
    const int width = job->width, steps = sv_steps(job->params);
    for (int x = 0; x < width; x += BLOCK) {
        const int end = x + BLOCK < width ? x + BLOCK : width;
        if (steps == 1)
            check_block(job, y, x, end, 1); /* inlined, so that the vectors have 16 bits */
        else
            check_block(job, y, x, end, steps);
    }
}

CPU_FOR_AVX512(check_row, (const cpu_job *job, int y), (job, y));

CPU_INLINE uint8_t lesser(uint8_t a, uint8_t b) { return a < b ? a : b; }
CPU_INLINE uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }

/* Sets a[i] to the least (`least`) or the largest of a[i]..a[i + 2 SV_FLAT_RADIUS], for `count` of them, by windows of
 * twice the size in turn. */
CPU_INLINE void widen(uint8_t *a, int count, bool least) {
    enum { WINDOW = 2 * SV_FLAT_RADIUS + 1 };
    for (int size = 1; size < WINDOW; size *= 2) {
        const int step = 2 * size < WINDOW ? size : WINDOW - size;
        count -= step;
        for (int i = 0; i < count; i++) {
            const uint8_t other = a[i + step];
            a[i] = least ? lesser(a[i], other) : larger(a[i], other);
        }
    }
}

/* Removes the matches of row `y` that the picture does not show, see stereo/doubt.h. `least`, `most`: width + 2
 * SV_FLAT_RADIUS each. */
CPU_INLINE void remove_flat(const cpu_job *job, int y, uint8_t *restrict least, uint8_t *restrict most) {
    _Static_assert(SV_FLAT_RADIUS % 2 == 0, "four rows are taken together");
    const int width = job->width, height = job->height, all = width + 2 * SV_FLAT_RADIUS;
    float *restrict disparity = sv_row(job->disparity, y);
    uint8_t *restrict reason = sv_row(job->reason, y);
    memset(least, UINT8_MAX, (size_t)all);
    memset(most, 0, (size_t)all);
    memcpy(least + SV_FLAT_RADIUS, sv_row(job->left, y), (size_t)width);
    memcpy(most + SV_FLAT_RADIUS, sv_row(job->left, y), (size_t)width);
    for (int j = 1; j <= SV_FLAT_RADIUS; j += 2) {
        const uint8_t *restrict a = sv_row(job->left, sv_clamp(y - j, height));
        const uint8_t *restrict b = sv_row(job->left, sv_clamp(y + j, height));
        const uint8_t *restrict c = sv_row(job->left, sv_clamp(y - j - 1, height));
        const uint8_t *restrict d = sv_row(job->left, sv_clamp(y + j + 1, height));
        uint8_t *restrict low = least + SV_FLAT_RADIUS, *restrict high = most + SV_FLAT_RADIUS;
        for (int x = 0; x < width; x++) {
            low[x] = lesser(low[x], lesser(lesser(a[x], b[x]), lesser(c[x], d[x])));
            high[x] = larger(high[x], larger(larger(a[x], b[x]), larger(c[x], d[x])));
        }
    }
    /* Pixels beyond the edges, which repeat those at them, have nothing to add. */
    widen(least, all, true);
    widen(most, all, false);
    for (int x = 0; x < width; x++) {
        const bool fails = (reason[x] == SV_VALID) & (most[x] - least[x] <= SV_FLAT_LEVELS);
        disparity[x] = fails ? INFINITY : disparity[x];
        reason[x] = (uint8_t)(fails ? SV_NO_TEXTURE : reason[x]);
    }
}

CPU_FOR_AVX2(remove_flat, (const cpu_job *job, int y, uint8_t *least, uint8_t *most), (job, y, least, most));

static sv_status remove_all_flat(const cpu_job *job, sv_error *error) {
    remove_flat_function *const remove = remove_flat_of_sets[job->set];
    const size_t size = (size_t)job->width + 2 * SV_FLAT_RADIUS;
    uint8_t *memory = cpu_reserve(job->scratch, 2 * size * (size_t)job->threads, error);
    if (!memory) return SV_FAILED;
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) {
        uint8_t *least = memory + 2 * size * (size_t)omp_get_thread_num();
        if (!cpu_gives_up(job)) remove(job, y, least, least + size);
    }
    return SV_OK;
}

/* Removes the matches of row `y` that are not sure enough. */
static void remove_unsure(const cpu_job *job, int y) {
    const int least = job->params->min_confidence;
    const uint8_t *restrict confidence = sv_row(job->confidence, y);
    float *restrict disparity = sv_row(job->disparity, y);
    uint8_t *restrict reason = sv_row(job->reason, y);
    for (int x = 0; x < job->width; x++) {
        const bool fails = (reason[x] == SV_VALID) & (confidence[x] < least);
        disparity[x] = fails ? INFINITY : disparity[x];
        reason[x] = (uint8_t)(fails ? SV_POOR_MATCH : reason[x]);
    }
}

sv_status cpu_refine(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    sv_status status = SV_OK;
    if (job->winner[1]) {
        check_row_function *const check = check_row_of_sets[cpu_choose(job, job->set)];
#pragma omp parallel for num_threads(job->threads)
        for (int y = 0; y < job->height; y++) check(job, y);
    }
    if (params->min_confidence) {
#pragma omp parallel for num_threads(job->threads)
        for (int y = 0; y < job->height; y++) remove_unsure(job, y);
    }
    if (sv_needs_texture(params->method)) status = remove_all_flat(job, error);
    if (status == SV_OK && params->speckle_size) status = cpu_remove_speckles(job, error);
    for (int i = 0; status == SV_OK && params->holes && i < params->hole_passes && !cpu_gives_up(job); i++)
        status = cpu_fill_holes(job, error);
    if (status == SV_OK && params->fill) status = cpu_fill(job, error);
    if (status == SV_OK && params->median) status = cpu_median(job, error);
    if (status == SV_OK && params->weighted_median) status = cpu_weighted_median(job, error);
    if (status == SV_OK && params->average) status = cpu_average(job, error);
    return status;
}
