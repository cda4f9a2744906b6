/* Medians of measurements.
 * Thread: any. */
#ifndef RIG_MEDIAN_H
#define RIG_MEDIAN_H

/* Sorts `count` values, none of which is NAN, in ascending order. */
void median_sort(double *values, int count);

/* The median of `count` values, none of which is NAN: the middle one, or the mean of the two in the middle. Sorts them.
 * NAN if there is none. */
double median_of(double *values, int count);

#endif
