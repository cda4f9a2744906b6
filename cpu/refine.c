/* What is done to a map once it is matched: the left-right check and the median filter. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <omp.h>
#include <string.h>

/* Takes the value from pixels of row `y` whose match in the right picture does not point back. */
static void check_row(const cpu_job *job, int y) {
    const sv_params *params = job->params;
    const int steps = sv_steps(params), tolerance = params->left_right_check * steps;
    const int16_t *left = job->winner[0] + (size_t)y * (size_t)job->width;
    const int16_t *right = job->winner[1] + (size_t)y * (size_t)job->width;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    for (int x = 0; x < job->width; x++) {
        if (reason[x] != SV_VALID) continue;
        const int match = sv_nearest_column(steps * x - (params->min_disparity * steps + left[x]), steps);
        if (match >= 0 && match < job->width && right[match] >= 0 && right[match] <= left[x] + tolerance &&
            right[match] >= left[x] - tolerance)
            continue;
        disparity[x] = INFINITY;
        reason[x] = SV_LEFT_RIGHT_CONFLICT;
    }
}

enum {
    MAX_WINDOW = 5 * 5,
    BLOCK = 64 /* pixels whose windows are sorted together */
};

/* A float as an integer of the same order, and back: vectors of integers have a minimum and a maximum
 * that compilers know to use. */
static inline int32_t to_key(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}
static inline float from_key(int32_t key) {
    float value;
    const int32_t bits = key < 0 ? key ^ INT32_MAX : key;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Puts every column of `v` into rising order, `count` x BLOCK, `count` > 1: Batcher's merge exchange
 * (Knuth, The Art of Computer Programming, volume 3, algorithm 5.2.2M). Its comparisons do not depend
 * on the data, so that one instruction does them for many windows. */
CPU_INLINE void sort_columns(int32_t (*v)[BLOCK], int count) {
    int top = 1;
    while (2 * top < count) top *= 2;
    for (int p = top; p > 0; p /= 2) {
        int q = top, r = 0, d = p;
        for (;;) {
            for (int i = 0; i < count - d; i++) {
                if ((i & p) != r) continue;
                int32_t *restrict low = v[i], *restrict high = v[i + d];
                for (int x = 0; x < BLOCK; x++) {
                    const int32_t a = low[x], b = high[x];
                    low[x] = a < b ? a : b;
                    high[x] = a < b ? b : a;
                }
            }
            if (q == p) break;
            d = q - p;
            q /= 2;
            r = p;
        }
    }
}

/* The median filter for BLOCK pixels from column `x` of row `y`; `before` is the map's keys before it,
 * dense. A pixel without a value is an infinity and so sorts behind the others; beyond the edge there
 * are none. */
CPU_INLINE void median_block(const cpu_job *job, const int32_t *before, int x, int y) {
    const int32_t none = to_key(INFINITY);
    const int radius = job->params->median / 2, width = job->width, height = job->height;
    const int end = x + BLOCK < width ? x + BLOCK : width;
    int32_t values[MAX_WINDOW][BLOCK];
    int counts[BLOCK] = {0}, count = 0;
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++, count++) {
            for (int i = 0; i < BLOCK; i++) values[count][i] = none;
            if (y + dy < 0 || y + dy >= height) continue;
            const int32_t *row = before + (size_t)(y + dy) * (size_t)width;
            const int first = x + dx < 0 ? -dx : x, last = end + dx > width ? width - dx : end;
            for (int i = first; i < last; i++) values[count][i - x] = row[i + dx];
            for (int i = 0; i < BLOCK; i++) counts[i] += values[count][i] != none;
        }
    }
    sort_columns(values, count);
    const int32_t *row = before + (size_t)y * (size_t)width;
    float *disparity = sv_row(job->disparity, y);
    for (int i = x; i < end; i++)
        if (row[i] != none) disparity[i] = from_key(values[(counts[i - x] - 1) / 2][i - x]);
}

typedef void median_block_function(const cpu_job *job, const int32_t *before, int x, int y);
static void median_block_any(const cpu_job *job, const int32_t *before, int x, int y) {
    median_block(job, before, x, y);
}
CPU_AVX2 static void median_block_avx2(const cpu_job *job, const int32_t *before, int x, int y) {
    median_block(job, before, x, y);
}

sv_status cpu_refine(const cpu_job *job, sv_error *error) {
    const int width = job->width, height = job->height;
    if (job->winner[1]) {
#pragma omp parallel for num_threads(job->threads)
        for (int y = 0; y < height; y++) check_row(job, y);
    }
    if (!job->params->median) return SV_OK;

    median_block_function *const filter = cpu_has_avx2() ? median_block_avx2 : median_block_any;
    int32_t *before = cpu_reserve(job->scratch, sizeof *before * (size_t)width * (size_t)height, error);
    if (!before) return SV_FAILED;
#pragma omp parallel num_threads(job->threads)
    {
#pragma omp for
        for (int y = 0; y < height; y++) {
            const float *disparity = sv_row(job->disparity, y);
            for (int x = 0; x < width; x++) before[(size_t)y * (size_t)width + (size_t)x] = to_key(disparity[x]);
        }
#pragma omp for
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x += BLOCK) filter(job, before, x, y);
    }
    return SV_OK;
}
