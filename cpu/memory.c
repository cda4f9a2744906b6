/* Memory that a matcher keeps from one pair to the next, and the division of a block into arrays. */
#include "cpu/memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* bytes: a cache line, and the widest vector */

/* Not by posix_memalign, whose failures are taken for FFmpeg's (capture/refusals.h). */
void *cpu_allocate(size_t bytes) {
    return bytes <= SIZE_MAX - ALIGNMENT ? aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)
                                         : NULL;
}

void *cpu_reserve(cpu_buffer *buffer, size_t size, sv_error *error) {
    if (buffer->size >= size) return buffer->data;
    if (buffer->counts) {
        buffer->size = size;
        return NULL;
    }
    free(buffer->data);
    *buffer = (cpu_buffer){.data = cpu_allocate(size)};
    if (!buffer->data) {
        sv_fail(error, SV_FAILED,
                "out of memory for %zu MB of matching costs; try a smaller disparity range or fewer threads",
                size >> 20);
        return NULL;
    }
    buffer->size = size;
    return buffer->data;
}

void *cpu_carve(void *base, size_t *used, size_t size) {
    void *memory = base ? (char *)base + *used : NULL;
    *used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return memory;
}
