/* Matches that the pictures do not support, though both maps may agree on them. Shared by cpu/ and gpu/. */
#ifndef STEREO_DOUBT_H
#define STEREO_DOUBT_H

#include "stereo/pixel.h"

/* In a saturated sky or a blown-out window every disparity matches. A pixel is flat if no two grey values of the left
 * picture in the square around it, 2 SV_FLAT_RADIUS + 1 pixels a side and extended as sv_clamp does, differ by more
 * than SV_FLAT_LEVELS. A wall with a camera's noise varies more, and is mostly matched right. */
enum { SV_FLAT_RADIUS = 12, SV_FLAT_LEVELS = 1 };

/* True if flat pixels get no disparity. Colours may differ where grey values do not, and a model may know better. */
static inline bool sv_needs_texture(int method) {
    return !sv_methods[method].uses_colour && !sv_methods[method].runs_model;
}

/* Near the edges, the right candidate may lie outside of the other picture, and a wrong one wins. True if at least a
 * fifth of the candidates can be tried at column `x`. `min_disparity`, `steps`, `count`: as of sv_first_candidate. */
SV_PIXEL bool sv_has_choice(int x, int width, int min_disparity, int steps, int count) {
    const int first = sv_first_candidate(x, width, min_disparity, steps, 0);
    return 5 * (sv_last_candidate(x, width, min_disparity, steps, count, 0) - first + 1) >= count;
}

#endif
