/* --scale: pictures are reduced before they are matched, and the maps enlarged afterwards. stereo/pixel.h
 * defines both.
 *
 * To enlarge, each row of the small map is spread over the columns of the full one, once with the nearest small pixel
 * of each column and once with the second nearest in the row. A row of the full map then combines the same columns of
 * four such rows, which the compiler can vectorise. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- Reducing --------------------------------------------------------------------------------- */

/* Fills in row `y` of the small picture `to`, with `bytes` bytes per pixel. */
CPU_INLINE void reduce_row(const sv_image *from, const sv_image *to, int y, int scale, int bytes) {
    const uint8_t *rows[SV_MAX_SCALE];
    uint8_t *restrict out = sv_row(to, y);
    for (int j = 0; j < scale; j++) rows[j] = sv_row(from, sv_clamp(scale * y + j, from->height));
    const int inside = from->width / scale; /* small pixels that lie completely in the picture */
    for (int x = 0; x < inside; x++)
        for (int c = 0; c < bytes; c++) {
            int sum = 0;
            for (int j = 0; j < scale; j++)
                for (int i = 0; i < scale; i++) sum += rows[j][(scale * x + i) * bytes + c];
            out[x * bytes + c] = (uint8_t)sv_area_mean(sum, scale);
        }
    for (int x = inside; x < to->width; x++)
        for (int c = 0; c < bytes; c++) {
            int sum = 0;
            for (int j = 0; j < scale; j++)
                for (int i = 0; i < scale; i++) sum += rows[j][sv_clamp(scale * x + i, from->width) * bytes + c];
            out[x * bytes + c] = (uint8_t)sv_area_mean(sum, scale);
        }
}

/* The scale and the size of a pixel are constants in each of the loops. */
CPU_INLINE void reduce_any(const sv_image *from, const sv_image *to, int y, int scale) {
    if (from->format == SV_COLOUR8)
        reduce_row(from, to, y, scale, 4);
    else if (scale == 2)
        reduce_row(from, to, y, 2, 1);
    else
        reduce_row(from, to, y, 4, 1);
}

CPU_FOR_AVX2(reduce_any, (const sv_image *from, const sv_image *to, int y, int scale), (from, to, y, scale));

/* ---- Enlarging -------------------------------------------------------------------------------- */

/* A row of the small map and picture, spread over the columns of the full one: [0] has the values of the small pixel
 * that a column lies in, [1] those of the second nearest in the row. */
typedef struct spread {
    float *disparity[2]; /* padded, like the others */
    uint8_t *grey[2], *reason[2], *confidence[2];
    int row; /* -1: none */
} spread;

/* A thread's memory: small row y is in rows[y % 3]. */
typedef struct enlarging {
    spread rows[3];
    uint8_t *chosen; /* full width: which of the four small pixels was chosen */
} enlarging;

/* Padding before and after a row: at least half a small pixel. */
enum { PAD = 64 };

static size_t lay_out_rows(enlarging *w, void *base, int width) {
    const size_t padded = (size_t)width + 2 * PAD;
    size_t used = 0;
    for (int i = 0; i < 3; i++) {
        spread *s = &w->rows[i];
        s->row = -1;
        for (int n = 0; n < 2; n++) {
            s->disparity[n] = cpu_carve(base, &used, sizeof(float) * padded);
            s->grey[n] = cpu_carve(base, &used, padded);
            s->reason[n] = cpu_carve(base, &used, padded);
            s->confidence[n] = cpu_carve(base, &used, padded);
            if (!base) continue;
            s->disparity[n] += PAD;
            s->grey[n] += PAD;
            s->reason[n] += PAD;
            s->confidence[n] += PAD;
        }
    }
    w->chosen = cpu_carve(base, &used, (size_t)width);
    return used;
}

/* Repeats each of `width` values `scale` times, and the first and the last one into the padding. Those of the second
 * nearest are the same values, half a small pixel to the left or to the right. */
#define SPREAD(type, from, to, width, scale)                                                                           \
    do {                                                                                                               \
        const type *restrict values = (from);                                                                          \
        type *restrict own = (to)[0], *restrict second = (to)[1];                                                      \
        for (int x = 0; x < (width); x++)                                                                              \
            for (int i = 0; i < (scale); i++) own[(scale)*x + i] = values[x];                                          \
        for (int i = 1; i <= (scale) / 2; i++) {                                                                       \
            own[-i] = values[0];                                                                                       \
            own[(scale) * (width) + i - 1] = values[(width)-1];                                                        \
        }                                                                                                              \
        for (int x = 0; x < (scale) * (width); x++) {                                                                  \
            const type before = own[x - (scale) / 2], after = own[x + (scale) / 2];                                    \
            second[x] = (x & ((scale)-1)) < (scale) / 2 ? before : after;                                              \
        }                                                                                                              \
    } while (0)

CPU_INLINE void spread_columns(const cpu_job *small, spread *s, int y, int scale) {
    const int width = small->width;
    SPREAD(float, sv_row(small->disparity, y), s->disparity, width, scale);
    SPREAD(uint8_t, sv_row(small->left, y), s->grey, width, scale);
    SPREAD(uint8_t, sv_row(small->reason, y), s->reason, width, scale);
    if (small->confidence) SPREAD(uint8_t, sv_row(small->confidence, y), s->confidence, width, scale);
}

/* Spreads small row `y` into its place in `w`. */
CPU_INLINE const spread *spread_row(const cpu_job *small, enlarging *w, int y, int scale) {
    spread *s = &w->rows[y % 3];
    if (s->row != y) spread_columns(small, s, y, scale);
    s->row = y;
    return s;
}

/* Takes each pixel's byte from the small pixel that was chosen for it: `near` and `far` have two each. */
CPU_INLINE void take_chosen(uint8_t *const *near, uint8_t *const *far, const uint8_t *restrict chosen, int width,
                            uint8_t *restrict to) {
    const uint8_t *restrict b0 = near[0], *restrict b1 = near[1], *restrict b2 = far[0], *restrict b3 = far[1];
    for (int x = 0; x < width; x++) {
        const uint8_t all[] = {b0[x], b1[x], b2[x], b3[x]};
        uint8_t from = all[0];
        from = chosen[x] == 1 ? all[1] : from;
        from = chosen[x] == 2 ? all[2] : from;
        to[x] = chosen[x] == 3 ? all[3] : from;
    }
}

/* Fills in row `y` of the full map. The four small pixels are in the order of sv_choose_pixel. */
CPU_INLINE void enlarge_row(const cpu_job *full, const spread *near, const spread *far, uint8_t *restrict chosen, int y,
                            int scale) {
    const int width = full->width;
    const uint8_t *restrict grey = sv_row(full->left, y);
    const uint8_t *restrict g0 = near->grey[0], *restrict g1 = near->grey[1], *restrict g2 = far->grey[0],
                            *restrict g3 = far->grey[1];
    const float *restrict d0 = near->disparity[0], *restrict d1 = near->disparity[1], *restrict d2 = far->disparity[0],
                          *restrict d3 = far->disparity[1];
    float *restrict disparity = sv_row(full->disparity, y);
    for (int x = 0; x < width; x++) chosen[x] = (uint8_t)sv_choose_pixel(grey[x], g0[x], g1[x], g2[x], g3[x]);
    for (int x = 0; x < width; x++) disparity[x] = sv_enlarged(d0[x], d1[x], d2[x], d3[x], chosen[x], x, y, scale);
    take_chosen(near->reason, far->reason, chosen, width, sv_row(full->reason, y));
    if (full->confidence) take_chosen(near->confidence, far->confidence, chosen, width, sv_row(full->confidence, y));
}

/* The same from the small map; the scale is a constant in the loops. */
CPU_INLINE void enlarge_from(const cpu_job *small, const cpu_job *full, enlarging *w, int y, int scale) {
    const spread *near = spread_row(small, w, y / scale, scale);
    const spread *far = spread_row(small, w, sv_second_nearest(y, scale, small->height), scale);
    enlarge_row(full, near, far, w->chosen, y, scale);
}
CPU_INLINE void enlarge_any(const cpu_job *small, const cpu_job *full, enlarging *w, int y) {
    if (small->scale == 2)
        enlarge_from(small, full, w, y, 2);
    else
        enlarge_from(small, full, w, y, 4);
}

CPU_FOR_AVX512(enlarge_any, (const cpu_job *small, const cpu_job *full, enlarging *w, int y), (small, full, w, y));

/* ---- The stages ------------------------------------------------------------------------------- */

static size_t lay_out(cpu_scaled *s, void *base, const cpu_job *full, int scale, bool coloured, char **spaces) {
    const int width = sv_reduced(full->width, scale), height = sv_reduced(full->height, scale);
    enlarging measure;
    size_t used = 0;
    s->pictures = (sv_pair){.number = 0};
    s->pictures.left = cpu_carve_image(base, &used, width, height, SV_GREY8);
    s->pictures.right = cpu_carve_image(base, &used, width, height, SV_GREY8);
    if (coloured) {
        s->pictures.left_colour = cpu_carve_image(base, &used, width, height, SV_COLOUR8);
        s->pictures.right_colour = cpu_carve_image(base, &used, width, height, SV_COLOUR8);
    }
    s->disparity = cpu_carve_image(base, &used, width, height, SV_FLOAT32);
    s->reason = cpu_carve_image(base, &used, width, height, SV_REASON8);
    s->confidence = cpu_carve_image(base, &used, width, height, SV_GREY8);
    *spaces = cpu_carve(base, &used, lay_out_rows(&measure, NULL, full->width) * (size_t)full->threads);
    return used;
}

sv_status cpu_reduce(const cpu_job *full, cpu_scaled *scaled, cpu_job *small, cpu_buffer *buffer, sv_error *error) {
    reduce_any_function *const reduce = reduce_any_of_sets[full->set];
    const bool coloured = sv_methods[full->params->method].uses_colour && full->left_colour->data;
    const int scale = full->params->scale;
    void *memory = cpu_reserve(buffer, lay_out(scaled, NULL, full, scale, coloured, &scaled->spaces), error);
    if (memory) lay_out(scaled, memory, full, scale, coloured, &scaled->spaces);
    scaled->params = sv_scaled_params(*full->params);
    sv_pair *pictures = &scaled->pictures;
    const sv_image *const from[] = {full->left, full->right, full->left_colour, full->right_colour};
    const sv_image *const to[] = {&pictures->left, &pictures->right, &pictures->left_colour, &pictures->right_colour};
    *small = *full;
    small->scale = scale;
    small->width = pictures->left.width;
    small->height = pictures->left.height;
    small->params = &scaled->params;
    small->left = to[0];
    small->right = to[1];
    small->left_colour = to[2];
    small->right_colour = to[3];
    small->disparity = &scaled->disparity;
    small->reason = &scaled->reason;
    small->confidence = full->confidence ? &scaled->confidence : NULL;
    if (!memory) return SV_FAILED;
    for (int i = 0; i < (coloured ? 4 : 2); i++) {
#pragma omp parallel for num_threads(full->threads)
        for (int y = 0; y < to[i]->height; y++) reduce(from[i], to[i], y, scale);
    }
    return SV_OK;
}

void cpu_enlarge(const cpu_job *small, const cpu_scaled *scaled, const cpu_job *full) {
    enlarge_any_function *const enlarge = enlarge_any_of_sets[cpu_choose(full, full->set)];
#pragma omp parallel num_threads(full->threads)
    {
        enlarging w;
        const size_t own = lay_out_rows(&w, NULL, full->width);
        lay_out_rows(&w, scaled->spaces + own * (size_t)omp_get_thread_num(), full->width);
#pragma omp for schedule(static)
        for (int y = 0; y < full->height; y++) enlarge(small, full, &w, y);
    }
}
