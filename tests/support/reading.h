/* Helpers for cmocka tests that open and read sources and write pictures. Errors fail the test. */
#ifndef TESTS_SUPPORT_READING_H
#define TESTS_SUPPORT_READING_H

#include "capture/source.h"

#include <string.h>

/* Fails unless `part` is in `text`. */
#define assert_has(text, part)                                                                                         \
    do {                                                                                                               \
        if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);                                           \
    } while (0)

/* Warnings logged since the last open_with, and the last of them; after watch_log. */
extern int warnings;
extern char last_warning[512], last_note[512]; /* the note: the last informational message */
void watch_log(void);
int reading_setup(void **state); /* a program's set-up: watch_log and scratch_setup */

source *open_with(const char *name, source_options options);
source *open_file(const char *name); /* with colour */
frame *read_frame(source *source);
frame *read_first(const char *name); /* of a file */
int read_to_end(source *source);     /* how many frames it still had */

static inline int grey_at(const frame *frame, int x, int y) { return ((uint8_t *)sv_row(&frame->grey, y))[x]; }

/* A map of float32 values, whose rows are `row` values apart. */
static inline sv_image map_of(float *data, int width, int height, int row) {
    return (sv_image){data, (size_t)row * sizeof(float), width, height, SV_FLOAT32, SV_HOST};
}

/* Writes a netpbm picture ("P5", "P6") into the scratch folder, with these bytes as its samples. */
const char *write_pnm(const char *name, int kind, int width, int height, int max, const void *samples, size_t size);
const char *write_flat(const char *name, int width, int height, int value); /* grey, one value */

#endif
