/* Sorting of samples. */
#ifndef STEREO_SORT_H
#define STEREO_SORT_H

#include <stddef.h>

/* Sorts `count` values, none of which is NAN, in ascending order.
 * Thread: any. */
void sv_sort_floats(float *values, size_t count);

#endif
