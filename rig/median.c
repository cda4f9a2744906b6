/* See median.h. */
#include "rig/median.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void median_sort(double *values, int count) { qsort(values, (size_t)count, sizeof *values, by_value); }

double median_of(double *values, int count) {
    if (!count) return NAN;
    median_sort(values, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
