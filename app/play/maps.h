/* A disparity map, its reasons and its confidence in the backend's host memory. */
#ifndef APP_PLAY_MAPS_H
#define APP_PLAY_MAPS_H

#include "stereo/stereo.h"

/* Allocates dense maps of width x height in one block, the second function with a confidence map.
 * Errors: SV_FAILED when out of memory.
 * Lifetime: the caller frees them with maps_free. */
sv_status maps_alloc(const sv_backend *backend, int width, int height, sv_output *maps, sv_error *error);
sv_status maps_alloc_judged(const sv_backend *backend, int width, int height, sv_output *maps, sv_error *error);
void maps_free(const sv_backend *backend, sv_output *maps); /* accepts {0} */

/* The same layout in existing memory: disparity, height x width float32, at 0, and reason, height x width uint8, at
 * reason_offset; without confidence.
 * Lifetime: the memory stays the caller's. */
sv_output maps_in(void *memory, size_t reason_offset, int width, int height, sv_memory where);

#endif
