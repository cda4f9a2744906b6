/* Whether both sides show the same moment, before a run without a window. */
#ifndef APP_CALIBRATE_MOMENTS_H
#define APP_CALIBRATE_MOMENTS_H

#include "app/options/options.h"
#include "capture/pair.h"
#include "rig/state.h"

/* How many frames to either side of a picture are searched for its partner: half a second, at least nine; 0 if the
 * sides are parts of one picture, or if there are too few frames. */
int moments_reach(const source_info *info);

/* Compares the moments around up to three places spread over --frames, until one shows whether both sides are of the
 * same moment. The pairing then starts again from its first pair. `moments` becomes {0} in a benchmark, for a rendered
 * scene, with --record and of sources that cannot seek.
 * Errors: SV_FAILED when a side failed or out of memory. */
sv_status moments_find(const options *options, pairing *pairing, const sv_rectification *rectification,
                       rig_moments *moments, sv_error *error);

#endif
