/* The pictures that the benchmark matches: several pairs used in rotation, so that no cache still holds the next one.
 */
#ifndef TESTS_BENCH_BENCH_PICTURES_H
#define TESTS_BENCH_BENCH_PICTURES_H

#include "stereo/stereo.h"

enum { BENCH_FRAMES = 8 };

typedef struct bench_pictures {
    int count; /* up to BENCH_FRAMES */
    sv_pair pairs[BENCH_FRAMES];
    /* Private. */
    const sv_backend *backend; /* whose memory the pairs are in */
    int width, height, min_disparity, max_disparity;
    bool colour;
    void *memory;
    sv_image scene, truth; /* the synthetic scene's left side and its disparities */
} bench_pictures;

/* Makes the pairs in memory of the backend, unless `pictures` already holds them. The left picture is the synthetic
 * scene; the right one is rendered from it by its true disparities, scaled to fill the range. Each further pair is the
 * one before with its rows rotated. They are the same on every machine. Begin with {0}. */
sv_status bench_pictures_make(bench_pictures *pictures, const sv_backend *backend, int width, int height,
                              int min_disparity, int max_disparity, bool colour, sv_error *error);

/* Writes the pairs as PGM files: left_0.pgm, right_0.pgm, ... */
sv_status bench_pictures_write(const bench_pictures *pictures, const char *folder, sv_error *error);

void bench_pictures_free(bench_pictures *pictures);

#endif
