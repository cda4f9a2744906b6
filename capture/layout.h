/* Do two pictures show one scene? */
#ifndef CAPTURE_LAYOUT_H
#define CAPTURE_LAYOUT_H

#include "stereo/stereo.h"

/* The share, 0 to 1, of the small patches of `first` with texture that have their like in about the same rows of
 * `second`, which has its like there in turn; -1 if there are too few to tell, or no memory. Both are SV_GREY8 of one
 * size in host memory. Takes some tens of milliseconds.
 *
 * Recorded stereo pairs gave 0.38 to 0.91, such pairs cut in the wrong direction 0.18 at most, the halves of single
 * pictures 0.34 at most. */
float layout_likeness(const sv_image *first, const sv_image *second);

/* From there on two pictures count as of one scene. It is low, so that no layout that is right is warned of. */
#define LAYOUT_ALIKE 0.3f

#endif
