/* See guarded.h. */
#include "tests/support/guarded.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { GUARD = 64, GUARD_BYTE = 0xa5 }; /* bytes before and behind each picture, and between its rows */

picture new_picture(sv_format format, int width, int height, int padding) {
    const size_t stride = ((size_t)width + (size_t)padding) * sv_pixel_size(format);
    picture p = {.size = stride * (size_t)height + 2 * GUARD};
    p.memory = malloc(p.size);
    assert_non_null(p.memory);
    memset(p.memory, GUARD_BYTE, p.size);
    p.image =
        (sv_image){.data = p.memory + GUARD, .stride = stride, .width = width, .height = height, .format = format};
    return p;
}

void free_picture(const picture *p) {
    const size_t line = (size_t)p->image.width * sv_pixel_size(p->image.format);
    for (size_t i = 0; i < p->size; i++) {
        const size_t at = i - GUARD;
        const int pixel = i >= GUARD && i < p->size - GUARD && at % p->image.stride < line;
        if (!pixel && p->memory[i] != GUARD_BYTE) fail_msg("byte %zd of a picture was written over", (ssize_t)at);
    }
    free(p->memory);
}
