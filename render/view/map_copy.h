/* Copies of the maps on the screen in host memory, read back without waiting for the GPU.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_MAP_COPY_H
#define RENDER_VIEW_MAP_COPY_H

#include "stereo/stereo.h"

/* A copied map. The pictures are dense and in host memory, and stay until the next call of map_copier_follow. */
typedef struct copied_map {
    sv_image disparity;         /* SV_FLOAT32 */
    sv_image reason;            /* SV_REASON8 */
    unsigned long long version; /* as it was passed when copying began (of B: the next number) */
    int64_t frame;              /* as it was passed then */
} copied_map;

/* The maps of one pair. */
typedef struct copied_maps {
    copied_map maps[2]; /* A, B */
    int count;
} copied_maps;

typedef struct map_copier map_copier;

/* For maps of width x height pixels. Memory is allocated when the first copy begins.
 * Lifetime: the caller destroys it with map_copier_destroy, while the context is current. */
map_copier *map_copier_create(int width, int height);
void map_copier_destroy(map_copier *copier); /* accepts NULL */

/* Call it for every drawn frame while copies are wanted. Each of `count` framebuffers, one or two, reads a map as
 * colour attachment 0 and its reasons as 1; `version` changes with the maps, and `frame` is the caller's number for
 * them. Starts copying new maps, unless a copy is under way. Returns the newest copy; NULL until there is one. */
const copied_maps *map_copier_follow(map_copier *copier, const unsigned *framebuffers, int count,
                                     unsigned long long version, int64_t frame);

/* True if the last copy that was begun is of this version. */
bool map_copier_has_begun(const map_copier *copier, unsigned long long version);

#endif
