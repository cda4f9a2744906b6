/* Pictures with guard bytes before and behind them and between their rows. Errors fail the test. */
#ifndef TESTS_SUPPORT_GUARDED_H
#define TESTS_SUPPORT_GUARDED_H

#include "stereo/stereo.h"

typedef struct picture {
    sv_image image;
    uint8_t *memory;
    size_t size; /* of the memory, bytes */
} picture;

/* `padding`: pixels after each row. Everything is guard bytes at first.
 * Lifetime: the caller frees it with free_picture. */
picture new_picture(sv_format format, int width, int height, int padding);

/* Checks that everything but the pixels is unchanged, and frees the picture. */
void free_picture(const picture *p);

#endif
