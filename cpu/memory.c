/* Memory that a matcher keeps from one pair to the next, and the division of a block into arrays. */
#include "cpu/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 64,  /* bytes: a cache line, and the widest vector */
    LARGE = 8 << 20, /* bytes: an allocation of this size or more asks for huge pages */
    PAGE = 4096      /* bytes: the smallest page of any system */
};

/* Large blocks ask for huge pages: a matcher passes through all of its memory for each pair, and with small pages would
 * need a new address translation every 4 kB. The system may ignore the advice. */
static void ask_for_huge_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
    const uintptr_t begin = (uintptr_t)memory / PAGE * PAGE;
    madvise((void *)begin, (uintptr_t)memory + size - begin, MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

void *cpu_allocate(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT) return NULL;
    const size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = aligned_alloc(ALIGNMENT, size);
    if (memory && size >= LARGE) ask_for_huge_pages(memory, size);
    return memory;
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
                "out of memory for a buffer of %zu MB; try a smaller disparity range or fewer threads", size >> 20);
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

sv_image cpu_carve_image(void *base, size_t *used, int width, int height, sv_format format) {
    const size_t line = (size_t)width * sv_pixel_size(format);
    return (sv_image){cpu_carve(base, used, line * (size_t)height), line, width, height, format, SV_HOST};
}
