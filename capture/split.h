/* One stream that carries both pictures, taken apart into two sources. */
#ifndef CAPTURE_SPLIT_H
#define CAPTURE_SPLIT_H

#include "capture/source.h"

/* Where the left and the right picture are in a frame. */
typedef enum split_layout {
    SPLIT_SIDE_BY_SIDE,      /* left, right */
    SPLIT_SIDE_BY_SIDE_HALF, /* the same, each squeezed to half of its width */
    SPLIT_TOP_BOTTOM,        /* left above right */
    SPLIT_TOP_BOTTOM_HALF,   /* the same, each squeezed to half of its height */
    SPLIT_LAYOUT_COUNT
} split_layout;

/* "sbs", "sbs-half", "top-bottom", "top-bottom-half"; "?" if out of range. */
const char *split_layout_name(int layout);

/* -1 if there is none of that name. */
int split_layout_of(const char *name);

typedef struct split_options {
    split_layout layout;
    bool swap;          /* the right picture comes first */
    pool_memory memory; /* for pictures that are brought back to their full width or height */
} split_options;

/* Takes over `whole` (closes it, also when it fails) and makes two sources of it, left and right, for the two sides of
 * a pairing: they are read by a thread each, sought together and closed one after the other. Frames of full layouts
 * are views into the whole one, without a copy; both have its index and time. A row or column in the middle that
 * belongs to neither, where the size is odd, is left out. A log line says if the pictures do not look like two of one
 * scene, and which layout would fit. */
sv_status sources_split(source *whole, const split_options *options, source *halves[2], sv_error *error);

#endif
