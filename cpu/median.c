/* The median filter, plain and weighted. Both process a block of neighbouring pixels with the same sequence of
 * operations, so that the compiler can use vectors. */
#include "cpu/cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 64, /* pixels that are processed together */
    MAX_WINDOW = 5 * 5,
    WEIGHTED_BLOCK = 32, /* fewer, because their windows are larger */
    MAX_WEIGHTED_WINDOW = 15 * 15
};

/* A float as an integer that sorts in the same order, and back: compilers vectorise the minimum and maximum of
 * integers. */
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

/* Sorts every column of `v` in ascending order; count x BLOCK, `count` > 1. Batcher's merge exchange (Knuth, The Art of
 * Computer Programming, volume 3, algorithm 5.2.2M): its comparisons do not depend on the data, so one instruction can
 * sort many windows. */
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

/* The median filter for BLOCK pixels from column `x` of row `y`. `before` holds the keys of the unfiltered disparity
 * map, dense. A pixel without a value is an infinity and sorts behind the others; pixels outside the picture have no
 * value. */
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

typedef void block_function(const cpu_job *job, const int32_t *before, int x, int y);
static void median_block_any(const cpu_job *job, const int32_t *before, int x, int y) {
    median_block(job, before, x, y);
}
CPU_AVX2 static void median_block_avx2(const cpu_job *job, const int32_t *before, int x, int y) {
    median_block(job, before, x, y);
}

/* ---- Weighted ---------------------------------------------------------------------------------- */

/* The windows of WEIGHTED_BLOCK neighbouring pixels. The weights of a window sum to at most 225 * 255. */
typedef int16_t value_row[WEIGHTED_BLOCK];
typedef uint16_t weight_row[WEIGHTED_BLOCK];

/* Raises `least` to the smallest value for which the values up to it have at least the weight `need`. That value is at
 * most 2^bits - 1 above the initial one, and is found bit by bit. */
CPU_INLINE void choose(const value_row *values, const weight_row *weights, int count, const uint16_t *need, int bits,
                       int32_t *least) {
    for (int bit = bits - 1; bit >= 0; bit--) {
        value_row middle;
        weight_row below = {0};
        for (int i = 0; i < WEIGHTED_BLOCK; i++) {
            const int32_t value = least[i] + (1 << bit) - 1;
            middle[i] = (int16_t)(value < INT16_MAX ? value : INT16_MAX);
        }
        for (int j = 0; j < count; j++)
            for (int i = 0; i < WEIGHTED_BLOCK; i++)
                below[i] += weights[j][i] & (uint16_t) - (values[j][i] <= middle[i]);
        for (int i = 0; i < WEIGHTED_BLOCK; i++) least[i] += below[i] < need[i] ? 1 << bit : 0;
    }
}

/* The weighted median for WEIGHTED_BLOCK pixels from column `x` of row `y`: the smallest value for which the values up
 * to it have at least half of the total weight. The upper 16 bits of its key are found first, then the lower 16 bits
 * among the values with these upper bits, because a vector holds twice as many 16-bit values. */
CPU_INLINE void weighted_block(const cpu_job *job, const int32_t *before, int x, int y) {
    const int32_t none = to_key(INFINITY);
    const int radius = job->params->weighted_median, width = job->width, height = job->height;
    const int end = x + WEIGHTED_BLOCK < width ? x + WEIGHTED_BLOCK : width;
    value_row upper[MAX_WEIGHTED_WINDOW], lower[MAX_WEIGHTED_WINDOW];
    weight_row weights[MAX_WEIGHTED_WINDOW], half = {0};
    int32_t least[WEIGHTED_BLOCK], lowest[WEIGHTED_BLOCK], highest[WEIGHTED_BLOCK];
    for (int i = 0; i < WEIGHTED_BLOCK; i++) {
        lowest[i] = none;
        highest[i] = INT32_MIN;
    }
    const uint8_t *grey = sv_row(job->left, y), *const table = job->weights;
    int count = 0;
    for (int ny = y - radius > 0 ? y - radius : 0; ny <= y + radius && ny < height; ny++) {
        const int32_t *row = before + (size_t)ny * (size_t)width;
        const uint8_t *other = sv_row(job->left, ny);
        for (int dx = -radius; dx <= radius; dx++, count++) {
            int32_t value[WEIGHTED_BLOCK];
            uint16_t *restrict weight = weights[count];
            for (int i = 0; i < WEIGHTED_BLOCK; i++) value[i] = none;
            for (int i = 0; i < WEIGHTED_BLOCK; i++) weight[i] = 0;
            const int first = x + dx < 0 ? -dx : x, last = end + dx > width ? width - dx : end;
            for (int i = first; i < last; i++) value[i - x] = row[i + dx];
            for (int i = first; i < last; i++) weight[i - x] = table[abs(grey[i] - other[i + dx])];
            for (int i = 0; i < WEIGHTED_BLOCK; i++) {
                const int32_t known = value[i] != none ? value[i] : INT32_MIN;
                lowest[i] = value[i] < lowest[i] ? value[i] : lowest[i];
                highest[i] = known > highest[i] ? known : highest[i];
            }
            for (int i = 0; i < WEIGHTED_BLOCK; i++) {
                upper[count][i] = (int16_t)(value[i] >> 16);
                lower[count][i] = (int16_t)((value[i] & UINT16_MAX) + INT16_MIN);
                weight[i] &= (uint16_t) - (value[i] != none);
                half[i] += weight[i];
            }
        }
    }
    int32_t range = 0; /* the widest one of the upper halves */
    for (int i = 0; i < WEIGHTED_BLOCK; i++) {
        half[i] = (uint16_t)((half[i] + 1) / 2);
        least[i] = lowest[i] >> 16;
        const int32_t wide = (highest[i] >> 16) - least[i];
        range = wide > range ? wide : range;
    }
    int bits = 0;
    while (range >> bits) bits++;
    choose(upper, weights, count, half, bits, least);

    int32_t key[WEIGHTED_BLOCK];
    value_row chosen;
    for (int i = 0; i < WEIGHTED_BLOCK; i++) {
        chosen[i] = (int16_t)least[i];
        key[i] = least[i] * (1 << 16);
        least[i] = INT16_MIN;
    }
    for (int j = 0; j < count; j++)
        for (int i = 0; i < WEIGHTED_BLOCK; i++) {
            half[i] -= weights[j][i] & (uint16_t) - (upper[j][i] < chosen[i]);
            weights[j][i] &= (uint16_t) - (upper[j][i] == chosen[i]);
        }
    choose(lower, weights, count, half, 16, least);

    const int32_t *row = before + (size_t)y * (size_t)width;
    float *disparity = sv_row(job->disparity, y);
    for (int i = x; i < end; i++)
        if (row[i] != none) disparity[i] = from_key(key[i - x] + least[i - x] - INT16_MIN);
}

static void weighted_block_any(const cpu_job *job, const int32_t *before, int x, int y) {
    weighted_block(job, before, x, y);
}
CPU_AVX2 static void weighted_block_avx2(const cpu_job *job, const int32_t *before, int x, int y) {
    weighted_block(job, before, x, y);
}

/* ---- The stages -------------------------------------------------------------------------------- */

static sv_status filter_map(const cpu_job *job, block_function *filter, int block, sv_error *error) {
    const int width = job->width, height = job->height;
    int32_t *before = cpu_reserve(job->scratch, sizeof *before * (size_t)width * (size_t)height, error);
    if (!before) return SV_FAILED;
#pragma omp parallel num_threads(job->threads)
    {
#pragma omp for
        for (int y = 0; y < height; y++) {
            const float *disparity = sv_row(job->disparity, y);
            for (int x = 0; x < width; x++) before[(size_t)y * (size_t)width + (size_t)x] = to_key(disparity[x]);
        }
#pragma omp for schedule(dynamic)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width && !cpu_gives_up(job); x += block) filter(job, before, x, y);
    }
    return SV_OK;
}

sv_status cpu_median(const cpu_job *job, sv_error *error) {
    return filter_map(job, job->set >= CPU_HAS_AVX2 ? median_block_avx2 : median_block_any, BLOCK, error);
}

sv_status cpu_weighted_median(const cpu_job *job, sv_error *error) {
    return filter_map(job, job->set >= CPU_HAS_AVX2 ? weighted_block_avx2 : weighted_block_any, WEIGHTED_BLOCK, error);
}
