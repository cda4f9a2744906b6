/* Memory that a matcher keeps from one pair to the next, and the division of a block into arrays. */
#ifndef CPU_MEMORY_H
#define CPU_MEMORY_H

#include "stereo/stereo.h"

/* Memory that grows on demand; {0} is empty. Its owner frees `data` with free. */
typedef struct cpu_buffer {
    void *data;
    size_t size; /* bytes */
    bool counts; /* never has memory: `size` is the largest that was requested, see cpu/footprint.c */
} cpu_buffer;

/* Allocates uninitialised memory, aligned for vectors; NULL if there is none.
 * Lifetime: the caller frees it with free. */
void *cpu_allocate(size_t bytes);

/* Makes the buffer hold at least `size` bytes, aligned for vectors. Its contents are lost if it grows.
 * Errors: NULL, with a message, if there is no memory; NULL if the buffer only counts. */
void *cpu_reserve(cpu_buffer *buffer, size_t size, sv_error *error);

/* Takes `size` bytes at `*used` of the block that begins at `base`, and advances `*used` so that the next array is
 * aligned as the block is. If `base` is NULL it only counts, so that one function can both measure and make a
 * layout. */
void *cpu_carve(void *base, size_t *used, size_t size);

/* Takes a picture or a map without gaps between its rows. */
sv_image cpu_carve_image(void *base, size_t *used, int width, int height, sv_format format);

#endif
