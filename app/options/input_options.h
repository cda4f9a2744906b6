/* What is opened: the sources, their frames, and how both sides become pairs. */
#ifndef APP_OPTIONS_INPUT_OPTIONS_H
#define APP_OPTIONS_INPUT_OPTIONS_H

#include "capture/live/camera.h"
#include "capture/split.h"
#include "rig/arrangement.h"

#include <stdatomic.h>

enum { OPTIONS_MAX_CONTROLS = 16 };

/* The frames of a run. */
typedef struct frame_range {
    int64_t first, end; /* half open; INT64_MAX: no end */
    int64_t counted;    /* damage before this frame is not counted: only the maps of later frames need it */
    bool loop;          /* played again at the end, in the window */
    bool skip_damaged;  /* pairs with a damaged or mistimed picture are left out */
} frame_range;

/* The cameras of -c. */
typedef struct cameras_options {
    const char *names[2];                          /* the second is NULL for one that sends both pictures */
    camera_options both;                           /* but for the controls: */
    const char *controls[2][OPTIONS_MAX_CONTROLS]; /* of each side, as of controls_set */
    int control_counts[2];
    bool one_sided; /* one of the controls is for one side only */
    bool equal;     /* see controls_make_equal */
} cameras_options;

/* --offset: how much later the right picture is in its file than the left one. */
typedef struct offset_option {
    bool given;
    bool in_ms; /* the unit is the millisecond, not the frame */
    double value;
} offset_option;

/* Strings point into the command line or into a settings file. */
typedef struct input_options {
    const char *left, *right; /* -f */
    const char *whole;        /* -s: one source with both pictures */
    cameras_options cameras;  /* -c */
    bool demo;
    int synthetic_width, synthetic_height; /* --synthetic; 0 without it */

    split_options split; /* how both pictures are in one source; the memory is not filled in */
    bool layout_given;   /* --layout, but for auto */
    bool swap_given;     /* --swap, on or off */
    bool only_if_sure;   /* one stream is opened only if it shows how it holds both views */
    bool again;          /* the sources were opened before, and what they hold is known */
    arrangement found;   /* what the pictures show of both, once they are open */
    offset_option offset;
    double tolerance;   /* largest difference in time of a live pair, seconds; 0: half a frame */
    double timeout;     /* of URLs, seconds */
    frame_range frames; /* --frames, --loop, --damaged */
    bool on_card;       /* --decoder cuda */
    pool_card card;     /* what follows from it; the session sets it */

    const atomic_bool *abandoned; /* see source_options; borrowed */
    struct recording *recording;  /* gets what the sources send; borrowed; NULL: nothing does */
} input_options;

/* True if a source is named. */
bool input_is_named(const input_options *input);

/* True if the source is files or addresses. */
bool input_is_files(const input_options *input);

#endif
