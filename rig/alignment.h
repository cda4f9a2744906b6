/* Are the rows of two pictures common rows? A figure that any scene with texture gives, without a board. */
#ifndef RIG_ALIGNMENT_H
#define RIG_ALIGNMENT_H

#include "stereo/rig.h"

/* What was measured on one pair, after rectification and row_shift. */
typedef struct alignment {
    int points;    /* that were found in both pictures */
    bool known;    /* those are enough to say something */
    float offset;  /* pixels: median of y_right - y_left; positive: the right picture lies lower */
    float spread;  /* pixels: median distance of the points from that; large where no shift would help */
    int row_shift; /* that it was measured with */
} alignment;

/* Above these, in pixels, a warning is due: matching suffers from the offset, and from a spread that is no longer that
 * of a few corners of a repeated pattern that were taken for one another. */
#define ALIGNMENT_LIMIT  1.0f
#define ALIGNMENT_SPREAD 2.0f

/* Looks for corners of the left picture in the right one, over the disparities that are searched and those that are
 * usual, and 24 rows up and down. `pair`: grey, in host memory; `rectification`: NULL if there is none. Takes some tens
 * of milliseconds. SV_FAILED when out of memory. */
sv_status alignment_measure(const sv_pair *pair, const sv_rectification *rectification, const sv_params *params,
                            alignment *result, sv_error *error);

/* True if the pictures are known to be off by more than the limits. */
bool alignment_is_off(const alignment *alignment);

#endif
