/* The features of pictures for semi-global matching, row by row. */
#ifndef CPU_SGM_FEATURES_H
#define CPU_SGM_FEATURES_H

#include "cpu/cpu.h"
#include "stereo/sgm.h"

#include <stdlib.h>

/* The census at column `x`. `rows`: the picture's rows `distance` above, at, and `distance` below the pixel. */
CPU_INLINE int sgm_census_at(const uint8_t *const rows[3], int x, int distance, int width) {
    const int columns[3] = {sv_clamp(x - distance, width), x, sv_clamp(x + distance, width)};
    int bits = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            if (i != 1 || j != 1) bits = 2 * bits + sv_census_bit(rows[j][columns[i]], rows[1][x]);
    return bits;
}

/* The same for columns `begin` to `end` - 1, all of whose neighbours are inside the picture. */
CPU_INLINE void sgm_census_inside(const uint8_t *const rows[3], int begin, int end, int distance,
                                  uint8_t *restrict census) {
    const uint8_t *restrict centre = rows[1];
    for (int x = begin; x < end; x++) {
        unsigned bits = 0;
        for (int j = 0; j < 3; j++)
            for (int i = -1; i <= 1; i++)
                if (i || j != 1) bits = 2 * bits + (unsigned)sv_census_bit(rows[j][x + i * distance], centre[x]);
        census[x] = (uint8_t)bits;
    }
}

/* Computes the census, and the gradient, which is signed, of row `y`. */
CPU_INLINE void sgm_describe_row(const cpu_job *job, const sv_image *picture, int y, uint8_t *census,
                                 uint8_t *gradient) {
    const int width = job->width, height = job->height, distance = sv_census_distance(job->params->census);
    const uint8_t *const rows[3] = {sv_row(picture, sv_clamp(y - distance, height)), sv_row(picture, y),
                                    sv_row(picture, sv_clamp(y + distance, height))};
    const uint8_t *above = sv_row(picture, sv_clamp(y - 1, height)), *below = sv_row(picture, sv_clamp(y + 1, height));
    const int begin = distance < width ? distance : width, end = width - distance > begin ? width - distance : begin;
    for (int x = 0; x < begin; x++) census[x] = (uint8_t)sgm_census_at(rows, x, distance, width);
    sgm_census_inside(rows, begin, end, distance, census);
    for (int x = end; x < width; x++) census[x] = (uint8_t)sgm_census_at(rows, x, distance, width);
    for (int x = 0; x < width; x++) gradient[x] = (uint8_t)sv_sgm_gradient(above[x], below[x]);
}

/* Looks up the jumps of row `y` from the pixel to the left and from the one above in `jump`, a table of sv_sgm_jump by
 * the difference of grey levels. */
CPU_INLINE void sgm_find_jumps(const cpu_job *job, const uint8_t *restrict jump, int y, uint8_t *restrict across,
                               uint8_t *restrict down) {
    const uint8_t *restrict grey = sv_row(job->left, y), *restrict above =
                                                             sv_row(job->left, sv_clamp(y - 1, job->height));
    const int width = job->width;
    /* First the differences, as vectors. */
    across[0] = 0;
    for (int x = 1; x < width; x++) across[x] = (uint8_t)abs(grey[x] - grey[x - 1]);
    for (int x = 0; x < width; x++) down[x] = (uint8_t)abs(grey[x] - above[x]);
#pragma GCC unroll 8
    for (int x = 0; x < width; x++) {
        CPU_ONE_BY_ONE();
        across[x] = jump[across[x]];
        down[x] = jump[down[x]];
    }
}

#endif
