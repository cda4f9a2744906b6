/* The colours of the synthetic scene's surfaces. */
#ifndef CAPTURE_PAINT_H
#define CAPTURE_PAINT_H

#include "capture/world.h"

typedef struct colour {
    float r, g, b; /* 0..1, may exceed it a little */
} colour;

/* The colour of the hit surface at `point`. It depends on the point alone and not on the eye (no gloss), so that both
 * cameras see the same. `footprint`: metres of the surface that one pixel covers; finer detail is left out. */
colour paint(const world *world, hit hit, vec point, double footprint);

#endif
