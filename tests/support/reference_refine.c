/* The steps of refinement that change a map alone, written pixel by pixel. Each rounding of a float is a cast, so that
 * the backends can be compared bit by bit. */
#include "tests/support/reference_refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct map {
    const sv_image *left;
    const sv_params *params;
    int width, height;
    const float *right;
    const uint8_t *confirmed;
    float *disparity;
    uint8_t *reason;
} map;

/* Lists the pixels of the region of `start`, marks them as seen, and returns their number. `patch`: room for all. */
static int flood(const map *m, int start, int *patch, char *seen) {
    static const int steps[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int count = 1;
    patch[0] = start;
    seen[start] = 1;
    for (int next = 0; next < count; next++)
        for (int j = 0; j < 4; j++) {
            const int x = patch[next] % m->width + steps[j][0], y = patch[next] / m->width + steps[j][1];
            const int i = y * m->width + x;
            if (x < 0 || x >= m->width || y < 0 || y >= m->height || seen[i] || isinf(m->disparity[i])) continue;
            if (!((float)fabsf((float)(m->disparity[i] - m->disparity[patch[next]])) <= m->params->speckle_range))
                continue;
            seen[i] = 1;
            patch[count++] = i;
        }
    return count;
}

static int grey_at_edge(const sv_image *left, int x, int y) {
    const int column = x < 0 ? 0 : x >= left->width ? left->width - 1 : x;
    const int row = y < 0 ? 0 : y >= left->height ? left->height - 1 : y;
    return ((const uint8_t *)sv_row(left, row))[column];
}

void reference_remove_flat(const sv_image *left, float *disparity, uint8_t *reason) {
    for (int i = 0; i < left->width * left->height; i++) {
        int least = 255, most = 0;
        for (int j = 0; reason[i] == SV_VALID && j < 25 * 25; j++) {
            const int grey = grey_at_edge(left, i % left->width + j % 25 - 12, i / left->width + j / 25 - 12);
            if (grey < least) least = grey;
            if (grey > most) most = grey;
        }
        if (reason[i] != SV_VALID || most - least > 1) continue;
        disparity[i] = INFINITY;
        reason[i] = SV_NO_TEXTURE;
    }
}

static void remove_speckles(const map *m) {
    const size_t pixels = (size_t)m->width * (size_t)m->height;
    int *patch = malloc(sizeof *patch * pixels);
    char *seen = calloc(pixels, 1), *gone = calloc(pixels, 1);
    for (int i = 0; i < m->width * m->height; i++) {
        if (seen[i] || isinf(m->disparity[i])) continue;
        const int count = flood(m, i, patch, seen);
        for (int j = 0; count <= m->params->speckle_size && j < count; j++) gone[patch[j]] = 1;
    }
    for (int i = 0; i < m->width * m->height; i++) {
        if (!gone[i]) continue;
        m->disparity[i] = INFINITY;
        m->reason[i] = SV_SPECKLE;
    }
    free(patch);
    free(seen);
    free(gone);
}

/* The number of steps of `stride` pixels from pixel i to a value, at most `most`; most + 1 if there is none. */
static int distance_to_value(const float *map, int i, int stride, int most) {
    int n = 1;
    while (n <= most && isinf(map[i + n * stride])) n++;
    return n;
}

static void fill(const map *m) {
    const int width = m->width, height = m->height, cross = m->params->fill == SV_FILL_CROSS;
    const size_t bytes = sizeof(float) * (size_t)(width * height);
    float *before = malloc(bytes);
    /* Along the rows, then along the columns of the result. */
    for (int down = 0; down < 2; down++) {
        memcpy(before, m->disparity, bytes);
        for (int i = 0; i < width * height; i++) {
            if (!isinf(before[i])) continue;
            const int x = i % width, y = i / width, stride = down ? width : 1;
            const int to_first = down ? y : x, to_last = down ? height - 1 - y : width - 1 - x;
            const int near = distance_to_value(before, i, -stride, to_first);
            const int far = distance_to_value(before, i, stride, to_last);
            const int has_near = near <= to_first, has_far = far <= to_last;
            if (!has_near && !has_far) continue;
            int take_near = has_near;
            if (has_near && has_far) {
                if (cross)
                    take_near = near <= far;
                else
                    take_near = down || before[i - near * stride] <= before[i + far * stride];
            }
            m->disparity[i] = take_near ? before[i - near * stride] : before[i + far * stride];
            m->reason[i] = SV_FILLED;
        }
    }
    free(before);
}

static int grey_of(const map *m, int i) { return ((const uint8_t *)sv_row(m->left, i / m->width))[i % m->width]; }

/* Whether the right map has, where pixel `i` would be with this disparity, one that is smaller by more than 1. */
static int is_refuted(const map *m, int i, float disparity) {
    const int x = i % m->width, match = (int)floorf((float)((float)((float)x - disparity) + 0.5f));
    return m->right && match >= 0 && match < m->width && m->right[i - x + match] < (float)(disparity - 1);
}

/* Whether a fifth of the candidates lie inside the right picture. */
static int has_choice(const map *m, int x) {
    const int steps = m->params->method == SV_SSD ? m->params->steps : 1;
    const int most = m->params->max_disparity * steps;
    int inside = 0, all = 0;
    for (int d = m->params->min_disparity * steps; d <= most; d++) {
        inside += steps * x - d >= 0 && steps * x - d <= steps * (m->width - 1);
        all++;
    }
    return 5 * inside >= all;
}

/* Follows four ways from each pixel that is not sure, and takes the value of the cheapest one that is not refuted. */
static void continue_surfaces(const map *m) {
    static const int ways[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const int pixels = m->width * m->height;
    float *source = malloc(sizeof *source * (size_t)pixels);
    for (int i = 0; i < pixels; i++) {
        source[i] = m->disparity[i];
        for (int j = 0; j <= 1; j++) {
            const int x = i % m->width + j;
            if (x == m->width) continue;
            if (m->reason[i + j] == SV_VALID && (!m->confirmed || m->confirmed[i + j]) && has_choice(m, x)) continue;
            source[i] = INFINITY;
        }
    }
    for (int i = 0; i < pixels; i++) {
        float value[4];
        int cost[4], best = -1;
        if (!isinf(source[i])) continue;
        for (int j = 0; j < 4; j++) {
            int x = i % m->width, y = i / m->width;
            value[j] = INFINITY;
            cost[j] = 0;
            while (isinf(value[j])) {
                const int from = y * m->width + x;
                x += ways[j][0];
                y += ways[j][1];
                if (x < 0 || x >= m->width || y < 0 || y >= m->height) break;
                cost[j] += 1 + abs(grey_of(m, y * m->width + x) - grey_of(m, from));
                value[j] = source[y * m->width + x];
            }
            if (cost[j] > 500) value[j] = INFINITY;
        }
        const float farther = value[0] < value[1] ? value[0] : value[1];
        for (int j = 0; j < 4; j++) {
            if (value[j] > (float)(farther + 1)) cost[j] += 20;
            if (isinf(value[j]) || is_refuted(m, i, value[j])) continue;
            if (best < 0 || cost[j] < cost[best]) best = j;
        }
        if (best < 0) continue;
        m->disparity[i] = value[best];
        m->reason[i] = SV_FILLED;
    }
    free(source);
}

/* A pixel's new value, from the `count` values in its window and the pixels that have them. */
typedef float window_function(const map *m, int i, int count, const float *values, const int *pixels);

/* Replaces each value by the function of its window, clipped to the picture, in the map before. */
static void filter(const map *m, int radius, window_function *function) {
    const size_t bytes = sizeof(float) * (size_t)(m->width * m->height);
    float *before = malloc(bytes), values[15 * 15];
    int pixels[15 * 15];
    memcpy(before, m->disparity, bytes);
    for (int i = 0; i < m->width * m->height; i++) {
        if (isinf(before[i])) continue;
        int count = 0;
        for (int y = i / m->width - radius; y <= i / m->width + radius; y++)
            for (int x = i % m->width - radius; x <= i % m->width + radius; x++) {
                if (x < 0 || x >= m->width || y < 0 || y >= m->height || isinf(before[y * m->width + x])) continue;
                pixels[count] = y * m->width + x;
                values[count++] = before[y * m->width + x];
            }
        m->disparity[i] = function(m, i, count, values, pixels);
    }
    free(before);
}

static int compare_floats(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median(const map *m, int i, int count, const float *values, const int *pixels) {
    (void)m;
    (void)i;
    (void)pixels;
    float sorted[25];
    memcpy(sorted, values, sizeof *values * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    return sorted[(count - 1) / 2];
}

static float weighted_median(const map *m, int i, int count, const float *values, const int *pixels) {
    int weights[15 * 15], all = 0;
    float best = INFINITY;
    for (int j = 0; j < count; j++) {
        const int difference = grey_of(m, i) - grey_of(m, pixels[j]);
        const int weight = (int)floor(255 * exp(-abs(difference) / 12.0) + 0.5);
        weights[j] = weight < 1 ? 1 : weight;
        all += weights[j];
    }
    for (int j = 0; j < count; j++) {
        int below = 0;
        for (int n = 0; n < count; n++) below += values[n] <= values[j] ? weights[n] : 0;
        if (2 * below >= all && values[j] < best) best = values[j];
    }
    return best;
}

static float mean(const map *m, int i, int count, const float *values, const int *pixels) {
    (void)m;
    (void)i;
    (void)pixels;
    int64_t sum = 0;
    for (int j = 0; j < count; j++) sum += (int64_t)nearbyint(4096 * (double)values[j]);
    return (float)((float)sum / (float)count) / 4096;
}

/* Fills empty pixels that have at least `holes` values around them, all of one surface, with their median. */
static void fill_holes(const map *m) {
    const size_t bytes = sizeof(float) * (size_t)(m->width * m->height);
    float *before = malloc(bytes);
    memcpy(before, m->disparity, bytes);
    for (int i = 0; i < m->width * m->height; i++) {
        float values[25];
        int count = 0;
        if (!isinf(before[i])) continue;
        for (int y = i / m->width - 2; y <= i / m->width + 2; y++)
            for (int x = i % m->width - 2; x <= i % m->width + 2; x++)
                if (x >= 0 && x < m->width && y >= 0 && y < m->height && !isinf(before[y * m->width + x]))
                    values[count++] = before[y * m->width + x];
        if (count < m->params->holes) continue;
        qsort(values, (size_t)count, sizeof *values, compare_floats);
        if ((float)(values[count - 1] - values[0]) > m->params->speckle_range) continue;
        m->disparity[i] = values[(count - 1) / 2];
        m->reason[i] = SV_FILLED;
    }
    free(before);
}

void reference_refine(const sv_image *left, const sv_params *params, const float *right, const uint8_t *confirmed,
                      float *disparity, uint8_t *reason) {
    const map m = {left, params, left->width, left->height, right, confirmed, disparity, reason};
    reference_remove_flat(left, disparity, reason);
    if (params->speckle_size > 0) remove_speckles(&m);
    for (int i = 0; params->holes > 0 && i < params->hole_passes; i++) fill_holes(&m);
    if (params->fill == SV_FILL_SURFACE) continue_surfaces(&m);
    if (params->fill != SV_FILL_NONE) fill(&m);
    if (params->median > 0) filter(&m, params->median / 2, median);
    if (params->weighted_median > 0) filter(&m, params->weighted_median, weighted_median);
    if (params->average > 0) filter(&m, params->average / 2, mean);
}
