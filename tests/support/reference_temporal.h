/* The temporal filter by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_TEMPORAL_H
#define TESTS_SUPPORT_REFERENCE_TEMPORAL_H

#include "stereo/stereo.h"

/* A frame: its left picture, and its maps without the filter, height x width, dense. */
typedef struct reference_frame {
    const sv_image *left;
    const float *disparity;
    const uint8_t *reason;
} reference_frame;

/* Filters the maps of frames[0] with the `count - 1` frames before it: frames[1] is the one just before. */
void reference_temporal(const reference_frame *frames, int count, float *disparity, uint8_t *reason);

#endif
