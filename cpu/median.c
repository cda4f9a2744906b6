/* The median filter, plain and weighted. Both process a block of neighbouring pixels with the same sequence of
 * operations, so that the compiler can use vectors. */
#include "cpu/cpu.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 64,          /* pixels that are processed together */
    MARGIN = 2,          /* pixels around the map for the windows of the plain median */
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

/* The keys of the unfiltered disparity map. A pixel without a value is infinity and sorts after the others. Around the
 * map there are MARGIN pixels without a value, and BLOCK more on the right. */
typedef struct map {
    int32_t *keys; /* of pixel (0, 0) */
    size_t pitch;
} map;

/* In the two functions below, compilers keep the values of some pixels in vectors and leave out what no result needs.
 */
#define SORT(p, q) (lower = p < q ? p : q, q = p < q ? q : p, p = lower)
#define SORT_FIVE(p, q, r, s, t)                                                                                       \
    (SORT(p, q), SORT(s, t), SORT(r, t), SORT(r, s), SORT(q, t), SORT(p, s), SORT(p, r), SORT(q, s), SORT(q, r))

/* The 3 x 3 median filter for BLOCK pixels, whose keys are at `centre`. A network of 25 comparisons sorts each window
 * (Knuth, The Art of Computer Programming, volume 3, section 5.3.4); the median is the lower one of the values, which
 * sort before the pixels without one. */
CPU_INLINE void median_of_nine(const int32_t *centre, size_t pitch, int32_t *restrict medians) {
    const int32_t none = to_key(INFINITY), *above = centre - pitch, *below = centre + pitch;
    for (int i = 0; i < BLOCK; i++) {
        int32_t a = above[i - 1], b = above[i], c = above[i + 1], d = centre[i - 1], e = centre[i], f = centre[i + 1];
        int32_t g = below[i - 1], h = below[i], j = below[i + 1], lower;
        SORT(a, d), SORT(b, h), SORT(c, f), SORT(e, j), SORT(a, h), SORT(c, e), SORT(d, j), SORT(f, g), SORT(a, c);
        SORT(b, d), SORT(e, f), SORT(h, j), SORT(b, e), SORT(d, g), SORT(f, h), SORT(a, b), SORT(c, e), SORT(d, f);
        SORT(g, j), SORT(c, d), SORT(e, f), SORT(g, h), SORT(b, c), SORT(d, e), SORT(f, g);
        int32_t median = c != none ? b : a;
        median = e != none ? c : median;
        median = g != none ? d : median;
        median = j != none ? e : median;
        medians[i] = centre[i] != none ? median : none;
    }
}

/* The same over 5 x 5 pixels. The columns are sorted once for all of the windows that they are in. Then the rows are,
 * after which the columns still are, and 40 more comparisons sort the lower half: those of Batcher's merge exchange
 * (algorithm 5.2.2M) that are left without those that find both values in order already, whatever they are, and those
 * that only the upper half depends on. */
CPU_INLINE void median_of_25(const int32_t *centre, size_t pitch, int32_t *restrict medians) {
    const int32_t none = to_key(INFINITY), *const first = centre - 2 * pitch - 2;
    int32_t columns[5][BLOCK + 4], counts[BLOCK + 4]; /* counts: values in each column */
    for (int i = 0; i < BLOCK + 4; i++) {
        int32_t a = first[i], b = first[pitch + i], c = first[2 * pitch + i];
        int32_t d = first[3 * pitch + i], e = first[4 * pitch + i], lower;
        SORT_FIVE(a, b, c, d, e);
        columns[0][i] = a, columns[1][i] = b, columns[2][i] = c, columns[3][i] = d, columns[4][i] = e;
        counts[i] = (a != none) + (b != none) + (c != none) + (d != none) + (e != none);
    }
    for (int i = 0; i < BLOCK; i++) {
        const int32_t *const r = columns[0] + i, *const s = columns[1] + i, *const t = columns[2] + i;
        const int32_t *const u = columns[3] + i, *const v = columns[4] + i;
        int32_t a0 = r[0], a1 = r[1], a2 = r[2], a3 = r[3], a4 = r[4], b0 = s[0], b1 = s[1], b2 = s[2], b3 = s[3];
        int32_t b4 = s[4], c0 = t[0], c1 = t[1], c2 = t[2], c3 = t[3], c4 = t[4], d0 = u[0], d1 = u[1], d2 = u[2];
        int32_t d3 = u[3], d4 = u[4], e0 = v[0], e1 = v[1], e2 = v[2], e3 = v[3], e4 = v[4], lower;
        SORT_FIVE(a0, a1, a2, a3, a4), SORT_FIVE(b0, b1, b2, b3, b4), SORT_FIVE(c0, c1, c2, c3, c4);
        SORT_FIVE(d0, d1, d2, d3, d4), SORT_FIVE(e0, e1, e2, e3, e4);
        SORT(a4, e0), SORT(a2, c0), SORT(a3, c1), SORT(a4, c2), SORT(b2, d0), SORT(b3, d1), SORT(b4, d2), SORT(c2, e0);
        SORT(c3, e1), SORT(a1, b0), SORT(a2, b1), SORT(a3, b2), SORT(b3, c2), SORT(b4, c3), SORT(c1, d0), SORT(d1, e0);
        SORT(d2, e1), SORT(a4, d1), SORT(a4, b3), SORT(b1, c0), SORT(b2, c1), SORT(c2, d1), SORT(c3, d2), SORT(a4, b1);
        SORT(b3, c0), SORT(b4, c1), SORT(c3, d0), SORT(a3, b0), SORT(b1, b3), SORT(c1, c3), SORT(a2, a3), SORT(a4, b0);
        SORT(b1, b2), SORT(b3, b4), SORT(c0, c1), SORT(c2, c3), SORT(b0, b1), SORT(b2, b3), SORT(b4, c0), SORT(c1, c2);
        const int32_t count = counts[i] + counts[i + 1] + counts[i + 2] + counts[i + 3] + counts[i + 4];
        /* The lower median is the one at `rank`, which is chosen bit by bit. */
        const int32_t rank = (count - 1) / 2;
        const bool odd = rank & 1, two = rank & 2, four = rank & 4, eight = rank & 8;
        const int32_t by_two[] = {odd ? a1 : a0, odd ? a3 : a2, odd ? b0 : a4,
                                  odd ? b2 : b1, odd ? b4 : b3, odd ? c1 : c0};
        const int32_t by_four[] = {two ? by_two[1] : by_two[0], two ? by_two[3] : by_two[2],
                                   two ? by_two[5] : by_two[4]};
        const int32_t by_eight[] = {four ? by_four[1] : by_four[0], four ? c2 : by_four[2]};
        const int32_t median = eight ? by_eight[1] : by_eight[0];
        medians[i] = centre[i] != none ? median : none;
    }
}

#undef SORT
#undef SORT_FIVE

/* The median filter for BLOCK pixels from column `x` of row `y`. */
CPU_INLINE void median_block(const cpu_job *job, const map *before, int x, int y) {
    const int32_t *centre = before->keys + (size_t)y * before->pitch + x;
    int32_t medians[BLOCK];
    if (job->params->median == 3)
        median_of_nine(centre, before->pitch, medians);
    else
        median_of_25(centre, before->pitch, medians);
    float *disparity = sv_row(job->disparity, y);
    for (int i = x; i < x + BLOCK && i < job->width; i++) disparity[i] = from_key(medians[i - x]);
}

CPU_FOR_AVX512(median_block, (const cpu_job *job, const map *before, int x, int y), (job, before, x, y));

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
CPU_INLINE void weighted_block(const cpu_job *job, const map *before, int x, int y) {
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
        const int32_t *row = before->keys + (size_t)ny * before->pitch;
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
    int32_t range = 0; /* the widest range of upper halves */
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

    const int32_t *row = before->keys + (size_t)y * before->pitch;
    float *disparity = sv_row(job->disparity, y);
    for (int i = x; i < end; i++)
        if (row[i] != none) disparity[i] = from_key(key[i - x] + least[i - x] - INT16_MIN);
}

CPU_FOR_AVX2(weighted_block, (const cpu_job *job, const map *before, int x, int y), (job, before, x, y));

/* ---- The stages -------------------------------------------------------------------------------- */

static sv_status filter_map(const cpu_job *job, median_block_function *filter, int block, sv_error *error) {
    const int width = job->width, height = job->height;
    map before = {.pitch = (size_t)(width + 2 * MARGIN + BLOCK)};
    int32_t *const memory =
        cpu_reserve(job->scratch, sizeof *memory * before.pitch * (size_t)(height + 2 * MARGIN), error);
    if (!memory) return SV_FAILED;
    before.keys = memory + MARGIN * before.pitch + MARGIN;
#pragma omp parallel num_threads(job->threads)
    {
#pragma omp for
        for (int y = -MARGIN; y < height + MARGIN; y++) {
            int32_t *keys = before.keys + (ptrdiff_t)before.pitch * y;
            const bool inside = y >= 0 && y < height;
            const float *disparity = inside ? sv_row(job->disparity, y) : NULL;
            for (int x = 0; inside && x < width; x++) keys[x] = to_key(disparity[x]);
            for (int x = -MARGIN; x < 0; x++) keys[x] = to_key(INFINITY);
            for (int x = inside ? width : 0; x < width + MARGIN + BLOCK; x++) keys[x] = to_key(INFINITY);
        }
#pragma omp for schedule(dynamic)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width && !cpu_gives_up(job); x += block) filter(job, &before, x, y);
    }
    return SV_OK;
}

sv_status cpu_median(const cpu_job *job, sv_error *error) {
    return filter_map(job, median_block_of_sets[job->set], BLOCK, error);
}

sv_status cpu_weighted_median(const cpu_job *job, sv_error *error) {
    return filter_map(job, weighted_block_of_sets[job->set], WEIGHTED_BLOCK, error);
}
