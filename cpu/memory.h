/* Memory that a matcher keeps from one pair to the next, and how a block of it is divided. */
#ifndef CPU_MEMORY_H
#define CPU_MEMORY_H

#include "stereo/stereo.h"

/* Memory that grows when it must. {0} has none. Its owner frees `data` with free. */
typedef struct cpu_buffer {
    void *data;
    size_t size; /* bytes */
} cpu_buffer;

/* `bytes` aligned for vectors, holding anything; NULL if there is no memory. The caller frees it with free. */
void *cpu_allocate(size_t bytes);

/* At least `size` bytes, aligned for vectors, holding anything; what was there before is lost. NULL with
 * a message if there is no memory. */
void *cpu_reserve(cpu_buffer *buffer, size_t size, sv_error *error);

/* Takes `size` bytes at `*used` of a block that begins at `base`, aligned as the block is, and moves
 * `*used` on. With a `base` of NULL it only counts, so that one function both measures a layout and
 * makes it. */
void *cpu_carve(void *base, size_t *used, size_t size);

#endif
