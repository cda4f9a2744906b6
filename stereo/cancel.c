/* Requests to cancel a match, for programs that use the library. */
#include "stereo/cancel.h"

#include <stdlib.h>

sv_cancel *sv_cancel_new(void) { return calloc(1, sizeof(sv_cancel)); }

void sv_cancel_free(sv_cancel *cancel) { free(cancel); }

void sv_cancel_ask(sv_cancel *cancel, bool asked) { atomic_store(&cancel->asked, asked); }
