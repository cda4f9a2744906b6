/* Replays the first frames of a source from memory, for measurements that exclude decoding and rendering. */
#ifndef CAPTURE_REPEAT_H
#define CAPTURE_REPEAT_H

#include "capture/source.h"

/* A source of `frames` frames: the first `kept` frames of `from` (fewer if it has fewer) in a loop, with increasing
 * index and time. Reads `from` immediately.
 * Errors: SV_FAILED if `from` cannot be read.
 * Lifetime: closes `from`, also if this fails. The caller closes the result with source_close. */
sv_status source_open_repeat(source **out, source *from, int kept, int64_t frames, sv_error *error);

#endif
