/* The contrast filter of both grey pictures (sv_contrast, --prefilter contrast). The sums of each column of the window
 * roll down the rows; the sum over the window slides along a row. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <string.h>

enum { RADIUS = SV_CONTRAST_RADIUS, SUM = 0, SQUARES = 1 };

/* A thread's memory. Entry i of `columns` is column i - RADIUS of the picture, clamped. */
typedef struct space {
    int32_t *columns[2]; /* width + 2 RADIUS: sums of values, and of their squares, down the window */
    int32_t *windows[2]; /* width: the same over the window around each pixel */
} space;

static size_t lay_out(space *w, void *base, int width) {
    size_t used = 0;
    for (int i = 0; i < 2; i++) {
        w->columns[i] = cpu_carve(base, &used, sizeof(int32_t) * (size_t)(width + 2 * RADIUS));
        w->windows[i] = cpu_carve(base, &used, sizeof(int32_t) * (size_t)width);
    }
    return used;
}

CPU_INLINE void add_value(const space *w, int i, int value, int sign) {
    w->columns[SUM][i] += sign * value;
    w->columns[SQUARES][i] += sign * value * value;
}

/* Adds row `y`, clamped, to the columns (`sign` 1), or subtracts it (-1). */
CPU_INLINE void add_row(const space *w, const sv_image *picture, int y, int sign) {
    const int width = picture->width;
    const uint8_t *restrict row = sv_row(picture, sv_clamp(y, picture->height));
    int32_t *restrict sums = w->columns[SUM] + RADIUS, *restrict squares = w->columns[SQUARES] + RADIUS;
    for (int i = 0; i < RADIUS; i++) add_value(w, i, row[0], sign);
    for (int x = 0; x < width; x++) {
        sums[x] += sign * row[x];
        squares[x] += sign * row[x] * row[x];
    }
    for (int i = width + RADIUS; i < width + 2 * RADIUS; i++) add_value(w, i, row[width - 1], sign);
}

CPU_INLINE void add_columns(const int32_t *columns, int32_t *windows, int width) {
    int32_t sum = 0;
    for (int i = 0; i < 2 * RADIUS; i++) sum += columns[i];
    for (int x = 0; x < width; x++) {
        sum += columns[x + 2 * RADIUS];
        windows[x] = sum;
        sum -= columns[x];
    }
}

CPU_INLINE void filter_rows(const space *w, const sv_image *from, const sv_image *to, int begin, int end) {
    const int width = from->width;
    for (int i = 0; i < 2; i++) memset(w->columns[i], 0, sizeof(int32_t) * (size_t)(width + 2 * RADIUS));
    for (int y = begin - RADIUS; y < begin + RADIUS; y++) add_row(w, from, y, 1);
    for (int y = begin; y < end; y++) {
        const uint8_t *in = sv_row(from, y);
        uint8_t *restrict out = sv_row(to, y);
        add_row(w, from, y + RADIUS, 1);
        for (int i = 0; i < 2; i++) add_columns(w->columns[i], w->windows[i], width);
        const int32_t *sums = w->windows[SUM], *squares = w->windows[SQUARES];
        for (int x = 0; x < width; x++) out[x] = (uint8_t)sv_contrast(in[x], sums[x], squares[x]);
        add_row(w, from, y - RADIUS, -1);
    }
}

CPU_FOR_AVX2(filter_rows, (const space *w, const sv_image *from, const sv_image *to, int begin, int end),
             (w, from, to, begin, end));

/* Divides a block into the filtered pictures and the memory of the threads, `own` bytes each. */
static size_t lay_out_all(void *base, size_t pixels, size_t own, int threads, uint8_t *filtered[2], uint8_t **spaces) {
    size_t used = 0;
    for (int side = 0; side < 2; side++) filtered[side] = cpu_carve(base, &used, pixels);
    *spaces = cpu_carve(base, &used, own * (size_t)threads);
    return used;
}

sv_status cpu_contrast(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error) {
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    const int threads = job->threads;
    uint8_t *filtered[2], *spaces;
    space measure;
    const size_t own = lay_out(&measure, NULL, job->width);
    filter_rows_function *const filter = filter_rows_of_sets[job->set];
    void *memory = cpu_reserve(buffer, lay_out_all(NULL, pixels, own, threads, filtered, &spaces), error);
    if (!memory) return SV_FAILED;
    lay_out_all(memory, pixels, own, threads, filtered, &spaces);
    for (int side = 0; side < 2; side++) {
        sv_image *picture = side ? &pictures->right : &pictures->left;
        const sv_image to = {filtered[side], (size_t)job->width, job->width, job->height, SV_GREY8, SV_HOST};
#pragma omp parallel for num_threads(threads)
        for (int t = 0; t < threads; t++) {
            space w;
            lay_out(&w, spaces + (size_t)t * own, job->width);
            filter(&w, picture, &to, job->height * t / threads, job->height * (t + 1) / threads);
        }
        *picture = to;
    }
    pictures->left_colour = pictures->right_colour = (sv_image){.data = NULL};
    return SV_OK;
}
