/* How the disparities of the map on the screen are distributed. The map is read back without waiting for the GPU and
 * counted in parts, so that no frame is delayed.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_HISTOGRAM_H
#define RENDER_VIEW_HISTOGRAM_H

#include "stereo/stereo.h"

/* Bin i counts the disparities that are nearest to min + i pixels; the first and the last one also those beyond. */
typedef struct histogram {
    int min, count;
    int bins[SV_MAX_DISPARITIES];
    int pixels, values;           /* of the map; those that have a disparity */
    int reasons[SV_REASON_COUNT]; /* pixels with each reason */
    int largest;                  /* values at the largest candidate: nearer to it than to the one below, or above it */
    bool unlimited;               /* the method has no candidates, and `min` and `count` are for all values */
} histogram;

/* True if more than 2 % of the values lie at the largest candidate: nearer objects are probably cut off. */
static inline bool histogram_is_cut_off(long long largest, long long values) { return 50 * largest > values; }

/* The disparity in pixels that half of the values do not exceed, to a bin; 0 if there are no values. */
int histogram_median(const histogram *histogram);

/* Writes the 2nd and the 98th percentile of the values, pixels, to a bin, but at least a pixel apart; false if there
 * are no values. */
bool histogram_range(const histogram *histogram, float *min, float *max);

typedef struct histogram_reader histogram_reader;

/* For maps of width x height pixels.
 * Errors: SV_FAILED if OpenGL or the memory fails.
 * Lifetime: the caller destroys it with histogram_destroy, while the context is current. */
sv_status histogram_create(histogram_reader **out, int width, int height, sv_error *error);
void histogram_destroy(histogram_reader *reader); /* accepts NULL */

/* Call it for every drawn frame. `framebuffer` has the map as colour attachment 0 and the reasons as 1;
 * `version` changes with the map, and `params` are those that it was matched with. Maps are counted at most twice a
 * second, and only new ones. Returns the newest counts, which stay until the next call; NULL until there are some. */
const histogram *histogram_follow(histogram_reader *reader, unsigned framebuffer, unsigned long long version,
                                  const sv_params *params);

#endif
