/* See sort.h. */
#include "stereo/sort.h"

#include <math.h>
#include <stdlib.h>

static int by_float(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int by_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sv_sort_floats(float *values, size_t count) { qsort(values, count, sizeof *values, by_float); }

void sv_sort_doubles(double *values, size_t count) { qsort(values, count, sizeof *values, by_double); }

double sv_median(double *values, size_t count) {
    if (!count) return NAN;
    sv_sort_doubles(values, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
