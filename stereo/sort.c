/* See sort.h. */
#include "stereo/sort.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void sv_sort_floats(float *values, size_t count) { qsort(values, count, sizeof *values, by_value); }
