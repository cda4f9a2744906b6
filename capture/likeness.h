/* Estimates whether two pictures show the same scene. */
#ifndef CAPTURE_LIKENESS_H
#define CAPTURE_LIKENESS_H

#include "stereo/stereo.h"

/* The fraction, 0 to 1, of the textured patches of `first` whose best match in nearly the same rows of `second` has the
 * patch as its own best match; -1 if there are too few patches, or no memory. Both pictures are SV_GREY8 of one size in
 * host memory. Takes tens of milliseconds.
 *
 * Recorded stereo pairs gave 0.38 to 0.91, such pairs split in the wrong direction at most 0.18, and the halves of
 * single pictures at most 0.34.
 * Thread: any. */
float likeness_measure(const sv_image *first, const sv_image *second);

/* From this value on, two pictures count as views of one scene. It is low, so that a correct layout never causes a
 * warning. */
#define LIKENESS_ALIKE 0.3f

#endif
