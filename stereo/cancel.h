/* A request to cancel a match, for the code that checks for it. C only, because it uses atomics. */
#ifndef STEREO_CANCEL_H
#define STEREO_CANCEL_H

#include "stereo/stereoview.h"

#include <stdatomic.h>

/* Set by one thread while another one matches. Initially {0}. */
struct sv_cancel {
    atomic_bool asked;
};

/* True if there is a request. `cancel` may be NULL.
 * Thread: any. */
static inline bool sv_cancelled(const sv_cancel *cancel) {
    return cancel && atomic_load_explicit(&cancel->asked, memory_order_relaxed);
}

#endif
