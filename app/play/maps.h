/* A disparity map, its reasons and its confidence in the backend's host memory. */
#ifndef APP_PLAY_MAPS_H
#define APP_PLAY_MAPS_H

#include "stereo/stereo.h"

/* Allocates dense maps of width x height in one block; `has_confidence`: with a confidence map.
 * Errors: SV_FAILED when out of memory.
 * Lifetime: the caller frees them with maps_free. */
sv_status maps_alloc(const sv_backend *backend, int width, int height, bool has_confidence, sv_output *maps,
                     sv_error *error);
void maps_free(const sv_backend *backend, sv_output *maps); /* accepts {0} */

/* Maps in existing memory: disparity, height x width float32, at 0; reason and confidence, height x width uint8, at
 * these offsets, or without confidence, which has offset 0 then.
 * Lifetime: the memory stays the caller's. */
sv_output maps_in(void *memory, size_t reason, size_t confidence, int width, int height, sv_memory where);

#endif
