/* The probe: a quick coarse match that shows how well two pictures match, and which of them is the left one. */
#ifndef RIG_PROBE_H
#define RIG_PROBE_H

#include "stereo/rig.h"

/* Which side of a pair is the left one, by what nearness does to a map. Two signs that an offset of all disparities, as
 * in films and with toed-in cameras, does not change: positive if the reference picture is the left one, negative if it
 * is the right one. */
typedef struct depth_order {
    int gaps;    /* places where something near covers what is behind it for one camera only */
    float votes; /* of these, from -gaps to gaps: a gap ends at the edge of the near thing on its right if the order is
                  * right, on its left if the sides are swapped */
    float rise;  /* correlation of the disparities with their row, -1 to 1: what is lower is mostly nearer */
} depth_order;

/* What the probe found. A pair confirms 75 to 98 percent of its pixels; two pictures in a wrong layout or of different
 * scenes at most 13; pictures of different moments, with swapped sides or with rows apart lie between. */
typedef struct probe_result {
    float share;  /* percent of the pixels with texture around them that have a disparity which the left-right check
                   * confirms; 0 if the left picture has too little texture */
    float median; /* of these disparities, pixels of the full size; 0 if no pixel has one */
    float least;  /* their 0.1th and 99.9th percentiles; 0 if no pixel has one */
    float most;
    float negative;    /* percent of them that are below -1 pixel */
    depth_order order; /* of the sides, by nearness */
} probe_result;

/* A CPU matcher with its maps. It belongs to one thread at a time. */
typedef struct probe probe;

/* `rectification`: NULL for none; pictures then have any size. `threads`: of the CPU, 0 for all cores.
 * Errors: SV_FAILED when out of memory.
 * Lifetime: the caller frees the probe with probe_free; `rectification` must stay valid until then. */
sv_status probe_create(probe **out, const sv_rectification *rectification, int threads, sv_error *error);
void probe_free(probe *probe); /* accepts NULL */

/* Matches `pair` with sgm at a quarter of its size, or at half of it if it is less than 600 pixels wide, rectified and
 * with the right picture moved up by `row_shift`, for disparities from -16 pixels of the reduced size to a third of the
 * width. `pair`: grey, in host memory. Nothing is allocated as long as the size stays the same. Takes milliseconds.
 * Errors: SV_FAILED when out of memory; SV_USAGE if the pictures do not fit the rectification. */
sv_status probe_pair(probe *probe, const sv_pair *pair, int row_shift, probe_result *result, sv_error *error);

/* The map of the pair that was probed last: float32, of the full size, right to a pixel or two; where it is not
 * confirmed, +INFINITY.
 * Lifetime: valid until the next pair; without data before the first. */
const sv_image *probe_map(const probe *probe);

/* The percentage of the confirmed disparities of that pair that are not in the range; 0 if there are none. */
float probe_outside(const probe *probe, int min_disparity, int max_disparity);

/* The disparities to search for pairs of one scene: up to the largest confirmed one and a margin, 5 % but at least 4
 * pixels, rounded to a multiple of eight; negative ones only if at least one percent of a pair's are. Results with a
 * share below PROBE_KNOWN do not count. False, and nothing is stored, if none is left. */
bool probe_range(const probe_result *results, int count, int *min_disparity, int *max_disparity);

/* From this share on, percent, the disparities of a pair are more than chance. */
#define PROBE_KNOWN 50.0f

/* Percent: at least the share of a pair in the right layout and order; at most that of pictures of different scenes. */
#define PROBE_RIGHT 60.0f
#define PROBE_WRONG 20.0f

#endif
