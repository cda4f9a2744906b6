/* Copies of the map on the screen in host memory, read back without waiting for the GPU.
 * Thread: main, with the context current. */
#ifndef RENDER_MAP_COPY_H
#define RENDER_MAP_COPY_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A copied map. The pictures are dense and in host memory, and stay until the next call of map_copier_follow. */
typedef struct copied_map {
    sv_image disparity;         /* SV_FLOAT32 */
    sv_image reason;            /* SV_REASON8 */
    unsigned long long version; /* as it was given when copying began, */
    int64_t frame;              /* and this */
} copied_map;

typedef struct map_copier map_copier;

/* For maps of width x height pixels. Memory is taken when the first copy begins.
 * Errors: SV_FAILED when out of memory.
 * Lifetime: the caller destroys it with map_copier_destroy, while the context is current. */
sv_status map_copier_create(map_copier **out, int width, int height, sv_error *error);
void map_copier_destroy(map_copier *copier); /* NULL is fine */

/* Call it for every drawn frame while copies are wanted. `framebuffer` reads the map as colour attachment 0 and the
 * reasons as 1; `version` changes with the map, and `frame` is whatever the caller calls it. Begins to copy a map that
 * is new, unless a copy is under way. Returns the newest copy; NULL until there is one. */
const copied_map *map_copier_follow(map_copier *copier, unsigned framebuffer, unsigned long long version,
                                    int64_t frame);

#ifdef __cplusplus
}
#endif

#endif
