/* The colours of the synthetic scene's surfaces. */
#ifndef CAPTURE_SYNTHETIC_PAINT_H
#define CAPTURE_SYNTHETIC_PAINT_H

#include "capture/synthetic/world.h"

typedef struct colour {
    float r, g, b; /* 0..1, may exceed it a little */
} colour;

/* The colour of the hit surface at `point`, from any direction, so that both cameras see the same. `footprint`: metres
 * of the surface that one pixel covers; finer detail is omitted.
 * Thread: any. */
colour paint(const world *world, hit hit, vec point, double footprint);

#endif
