/* A quantity in each of the last hundred frames that were measured: see measure_series.h. */
#include "render/view/measure_series.h"

#include "stereo/alloc.h"
#include "stereo/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void measure_series_add(measure_series *s, double value) {
    s->values[s->next] = value;
    s->next = (s->next + 1) % MEASURE_FRAMES;
    if (s->count < MEASURE_FRAMES) s->count++;
}

double measure_series_mean(const measure_series *s) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (isfinite(s->values[i])) sum += s->values[i], count++;
    return count ? sum / count : NAN;
}

double measure_series_deviation(const measure_series *s) {
    const double mean = measure_series_mean(s);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (isfinite(s->values[i])) sum += (s->values[i] - mean) * (s->values[i] - mean), count++;
    return count ? sqrt(sum / count) : NAN;
}

double measure_series_median(const measure_series *s) {
    double values[MEASURE_FRAMES];
    size_t count = 0;
    for (int i = 0; i < s->count; i++)
        if (isfinite(s->values[i])) values[count++] = s->values[i];
    return sv_median(values, count);
}

void measure_noise_add(measure_noise *n, const float *values, int pixels) {
    if (n->pixels != pixels) {
        measure_noise_free(n);
        n->pixels = pixels;
        n->values = sv_alloc((size_t)MEASURE_FRAMES * (size_t)pixels, sizeof *n->values);
    }
    memcpy(n->values + (size_t)n->next * (size_t)pixels, values, (size_t)pixels * sizeof *values);
    n->next = (n->next + 1) % MEASURE_FRAMES;
    if (n->count < MEASURE_FRAMES) n->count++;
}

double measure_noise_median(const measure_noise *n) {
    double deviations[NOISE_PIXELS];
    size_t known = 0;
    for (int p = 0; p < n->pixels; p++) {
        measure_series of = {.count = n->count};
        int finite = 0;
        for (int i = 0; i < n->count; i++) {
            of.values[i] = n->values[(size_t)i * (size_t)n->pixels + (size_t)p];
            finite += isfinite(of.values[i]);
        }
        if (finite > 1) deviations[known++] = measure_series_deviation(&of);
    }
    return sv_median(deviations, known);
}

void measure_noise_free(measure_noise *n) {
    free(n->values);
    *n = (measure_noise){0};
}
