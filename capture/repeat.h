/* The first frames of a source, kept in memory and given again and again: for measurements that neither decoding nor
 * rendering should be part of. */
#ifndef CAPTURE_REPEAT_H
#define CAPTURE_REPEAT_H

#include "capture/source.h"

/* A source of `frames` frames, which are the first `kept` of `from` (fewer if it has fewer) in turn; their index and
 * time count on. Takes over `from`, reads it now and closes it, also when it fails. */
sv_status source_open_repeat(source **out, source *from, int kept, int64_t frames, sv_error *error);

#endif
