/* The costs that a method compared to find the disparity of one pixel. */
#ifndef STEREO_COSTS_H
#define STEREO_COSTS_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SV_MAX_CANDIDATES = 4 * (SV_MAX_DISPARITIES - 1) + 1 };

/* The candidates of a pixel of the left picture, and what they cost: for ssd the mean squared difference of (filtered)
 * grey, for ncc and zncc the correlation, of which the largest is the best (sv_method_traits.correlates), for gfd and
 * sgm the sum of the costs along the paths. Candidate k is the disparity first + k * step, in pixels. */
typedef struct sv_costs {
    int x, y; /* the pixel */
    int count;
    double first, step;
    double costs[SV_MAX_CANDIDATES]; /* NAN: none; it is outside the other picture, or a window is flat */
    bool tried[SV_MAX_CANDIDATES];   /* compared by the method; the costs of the others are for information */
    int winner;                      /* -1: none */
    int second; /* the best candidate tried that a worse one parts from the winner, a pixel or more away; -1: none */
    float disparity; /* the winner's disparity before refinement, pixels; +INFINITY: none */
} sv_costs;

/* Matches a pair while none is in flight, and reports the costs that the method compares. Both backends give the same
 * maps, so either will do. With --scale, the costs are those of the small pixel that contains this one, and disparities
 * are in full pixels.
 *
 * `costs`: those of the pixel x, y; NULL: not wanted. `winners`: SV_FLOAT32 of the maps' size in host memory, receives
 * the cost of each pixel's winner, +INFINITY without one; NULL: not wanted.
 * Errors: SV_USAGE for arguments that are out of range, or if the backend has no such function; SV_FAILED without
 * memory; SV_CANCELLED. */
sv_status sv_match_costs(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, int x, int y,
                         sv_costs *costs, const sv_image *winners, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
