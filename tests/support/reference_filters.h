/* The filters of --prefilter by definition: slow, short, and sharing no code with the backends. */
#ifndef TESTS_SUPPORT_REFERENCE_FILTERS_H
#define TESTS_SUPPORT_REFERENCE_FILTERS_H

#include "stereo/stereo.h"

/* The pictures that are matched in place of `pair` with this sv_prefilter. They are copies, which
 * reference_free_filtered frees. */
sv_pair reference_filter(const sv_pair *pair, int prefilter);
void reference_free_filtered(sv_pair *filtered);

#endif
