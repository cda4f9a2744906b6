/* Matches that the pictures do not show, though both maps may agree on them: shared by cpu/ and gpu/ so that both give
 * the same maps. */
#ifndef STEREO_DOUBT_H
#define STEREO_DOUBT_H

#include "stereo/pixel.h"

/* In a saturated sky, or a blown-out window, every disparity matches, and what a map has there comes from the edges of
 * other things or from chance. A pixel is flat if no two grey values of the left picture in the square around it, 2
 * SV_FLAT_RADIUS + 1 pixels a side and extended beyond the edges as sv_clamp does, differ by more than SV_FLAT_LEVELS.
 * A wall with a camera's noise varies more, and is mostly matched right, as are small parts and what lies near an edge.
 */
enum { SV_FLAT_RADIUS = 12, SV_FLAT_LEVELS = 1 };

/* True if flat pixels get no disparity: colours may differ where grey values do not, and what a model has learnt may
 * hold there, too. */
static inline bool sv_needs_texture(int method) {
    return !sv_methods[method].uses_colour && !sv_methods[method].runs_model;
}

/* At the left edge (with negative disparities, at the right one, too) only some candidates can be tried, and one of
 * them wins although the right one lies outside of the other picture. True if at least a fifth can be tried at column
 * `x`. `min_disparity`, `steps`, `count`: as of sv_first_candidate. */
SV_PIXEL bool sv_has_choice(int x, int width, int min_disparity, int steps, int count) {
    const int first = sv_first_candidate(x, width, min_disparity, steps, 0);
    return 5 * (sv_last_candidate(x, width, min_disparity, steps, count, 0) - first + 1) >= count;
}

#endif
