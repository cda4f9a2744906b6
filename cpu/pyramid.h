/* Image pyramids: coarse levels for near objects, fine levels for far ones (J. Stam, "Stereo Imaging with CUDA", 2008).
 *
 * Level 0 is the pair itself; level l + 1 is level l at half its size. The disparity range is divided, beginning at its
 * far end min, into one part per level. Each part has twice as many disparities as the one before, so that every level
 * searches about the same number of disparities, in pixels of that level. The levels are matched from the coarsest to
 * the finest. At each level, a pixel's winner is the best of
 *     the level's own part of the range, and
 *     the disparities within PYRAMID_REACH pixels of twice the winner that the coarser level found for the pixel
 *     that contains this one.
 * The smaller disparity wins a tie. A winner of a coarse level is thus refined, and costs are compared only between
 * windows of the same level. Both maps are made in this way. Sub-pixel disparities, thresholds, the left-right check
 * and steps of less than a pixel apply to level 0 only. */
#ifndef CPU_PYRAMID_H
#define CPU_PYRAMID_H

#include "stereo/pixel.h"

enum {
    PYRAMID_LEVELS = 6, /* at most */
    PYRAMID_REACH = 1,  /* pixels of the finer level */
    PYRAMID_OVERLAP = 1 /* pixels of a level by which its part extends into the neighbouring ones */
};

/* The disparities of a level, in pixels of the level. */
typedef struct pyramid_range {
    int min, max;         /* all disparities that a pixel may have */
    int own_min, own_max; /* the level's own part */
} pyramid_range;

/* x / 2^level, rounded down, and up. */
static inline int pyramid_floor(int x, int level) { return x >= 0 ? x >> level : -((-x + (1 << level) - 1) >> level); }
static inline int pyramid_ceil(int x, int level) { return -pyramid_floor(-x, level); }

/* The number of full-size disparities in the part of level 0; the part of level l has 2^l times as many. */
static inline int pyramid_part(const sv_params *params) {
    const int parts = (1 << params->pyramid) - 1;
    return (params->max_disparity - params->min_disparity + parts) / parts;
}

/* The number of levels that have a part of the range: fewer than the parameter says if there are few disparities. */
static inline int pyramid_levels(const sv_params *params) {
    const int part = pyramid_part(params);
    int levels = 1;
    while (levels < params->pyramid && params->min_disparity + part * ((1 << levels) - 1) <= params->max_disparity)
        levels++;
    return levels;
}

static inline pyramid_range pyramid_range_of(const sv_params *params, int level) {
    const int part = pyramid_part(params), far = params->min_disparity + part * ((1 << level) - 1);
    const int near = far + part * (1 << level) - 1;
    pyramid_range range;
    range.min = pyramid_floor(params->min_disparity, level);
    range.max = pyramid_ceil(params->max_disparity, level);
    range.own_min = pyramid_floor(far, level) - PYRAMID_OVERLAP;
    range.own_max = pyramid_ceil(near, level) + PYRAMID_OVERLAP;
    if (range.own_min < range.min) range.own_min = range.min;
    if (range.own_max > range.max) range.own_max = range.max;
    return range;
}

/* The parameters to match a level with: its own part of the range and no threshold, which is applied after the levels
 * have been merged. */
static inline sv_params pyramid_params(const sv_params *params, int level) {
    const pyramid_range range = pyramid_range_of(params, level);
    sv_params own = *params;
    own.pyramid = 1;
    own.min_disparity = range.own_min;
    own.max_disparity = range.own_max;
    own.max_cost = 0;
    own.min_correlation = -1;
    if (level > 0) {
        own.steps = 1;
        own.subpixel = 0;
        own.uniqueness = 0;
    }
    return own;
}

/* Width or height of the next level. */
static inline int pyramid_half(int size) { return (size + 1) / 2; }

/* A pixel of the next level, from the four pixels that it covers. */
static inline int pyramid_mean(int a, int b, int c, int d) { return (a + b + c + d + 2) >> 2; }

/* The offset of the parabola's minimum, as sv_parabola_of_costs. The neighbours may be better than the winner, because
 * they need not be among the disparities that were searched. */
static inline float pyramid_offset(int correlate, uint32_t before, uint32_t best, uint32_t after) {
    if (correlate)
        return sv_parabola_of_correlations(sv_correlation_of_cost(before), sv_correlation_of_cost(best),
                                           sv_correlation_of_cost(after));
    const float offset = sv_parabola_of_costs(before, best, after);
    return offset < -0.5f ? -0.5f : offset > 0.5f ? 0.5f : offset;
}

static inline int pyramid_ambiguous(int correlate, int uniqueness, uint32_t best, uint32_t second) {
    if (!correlate) return sv_ambiguous_costs(best, second, uniqueness);
    return sv_ambiguous_correlations(sv_correlation_of_cost(best), sv_correlation_of_cost(second), uniqueness);
}

#endif
