/* Sorting and medians of samples.
 * Thread: any. */
#ifndef STEREO_SORT_H
#define STEREO_SORT_H

#include <stddef.h>

/* Sort `count` values, none of which is NAN, in ascending order. */
void sv_sort_floats(float *values, size_t count);
void sv_sort_doubles(double *values, size_t count);

/* The median of `count` values, none of which is NAN: the middle one, or the mean of the two in the middle. Sorts them.
 * NAN if there is none. */
double sv_median(double *values, size_t count);

#endif
