/* Splits one stream that carries both views into two sources. */
#ifndef CAPTURE_SPLIT_H
#define CAPTURE_SPLIT_H

#include "capture/source.h"

/* The positions of the left and the right view in a frame. */
typedef enum split_layout {
    SPLIT_SIDE_BY_SIDE,      /* left, right */
    SPLIT_SIDE_BY_SIDE_HALF, /* the same, each squeezed to half of its width */
    SPLIT_TOP_BOTTOM,        /* left above right */
    SPLIT_TOP_BOTTOM_HALF,   /* the same, each squeezed to half of its height */
    SPLIT_LAYOUT_COUNT
} split_layout;

/* "sbs", "sbs-half", "top-bottom", "top-bottom-half"; "?" if out of range. */
const char *split_layout_name(int layout);

/* True if the views are side by side, squeezed or not. */
bool split_is_beside(split_layout layout);

/* The part of a picture that holds the first (0) or the second (1) view, as it is there; empty if the picture is.
 * Lifetime: that of the picture. */
sv_image split_part(const sv_image *whole, split_layout layout, int which);

typedef struct split_options {
    split_layout layout;
    bool swap;          /* the right view comes first */
    pool_memory memory; /* for views that are scaled back to their full width or height */
    frame *first;       /* of the whole, that has been read from it; NULL: none; taken over */
} split_options;

/* Makes two sources of `whole`, left and right, each read by its own thread; the caller seeks and closes both together.
 * Frames have the index and the time of the whole frame; those of full layouts are views into it. If the size is odd,
 * the middle row or column is omitted.
 * Errors: SV_FAILED if the pictures are too small or memory runs out.
 * Lifetime: the halves own `whole`, which is closed if this fails. The caller closes both with source_close. */
sv_status sources_split(source *whole, const split_options *options, source *halves[2], sv_error *error);

#endif
