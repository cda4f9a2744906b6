/* What the panel shows about playback and matching, and what the user can change there. Strings are borrowed for the
 * call that draws. */
#ifndef RENDER_PANEL_PANEL_RUN_H
#define RENDER_PANEL_PANEL_RUN_H

#include "stereo/stereo.h"

/* The input, and what matches it. */
typedef struct panel_source {
    const char *names[2]; /* of both sides; the second is NULL if one source has both */
    const char *device;   /* "NVIDIA H200" */
    int width, height;    /* of the pictures */
    int layout;           /* of one stream; written together with INPUT_STREAM_LAYOUT; -1: the sides are two sources */
    int layout_count;
    const char *(*layout_name)(int layout);
} panel_source;

/* The bar under the picture. Positions are seconds; of pictures, indices. */
typedef struct panel_playback {
    bool paused;
    bool seekable;
    bool live;                 /* a camera or a live stream: no position to show, no speed */
    bool pictures;             /* the input consists of pictures */
    bool recording;            /* what a live source sends is being written */
    double rate;               /* of the recording, frames a second; 0: unknown */
    double position, duration; /* duration 0: unknown */
    long long frame, frames;   /* counted from 0; frames 0: unknown */
    const char *typed;         /* the number of a frame, as typed so far; NULL: none is */
    int mark_count;            /* of A and B, between which playback repeats */
    double marks[2];           /* their positions */
    double speed;              /* 1: as recorded; written */
    bool real_time;            /* pairs that come too late are left out; false: every pair is matched; written */
    double seek;               /* written together with INPUT_SEEK_TO */
    bool seeking;              /* to `sought`, which is not on the screen yet */
    double sought;
} panel_playback;

/* How much later the right picture is than the left one. */
typedef struct panel_offset {
    bool movable;
    double frames; /* written */
} panel_offset;

/* The parameters of the matching. */
typedef struct panel_params {
    const sv_params *now; /* those that are in use, valid for sv_check_params */
    bool wants;           /* set if the user has changed one, to: */
    sv_params wanted;     /* valid for sv_check_params, too */
    int method;           /* written together with INPUT_METHOD_TO: sv_method */
} panel_params;

/* Two sets of parameters, A and B. */
typedef struct panel_compare {
    bool on;                /* each pair is matched with both */
    int edited;             /* the one that the panel changes: 0 A, 1 B; INPUT_COMPARE_EDIT changes it */
    const char *sets[2];    /* each in words, with its time and errors; NULL: not known */
    const char *difference; /* how their maps differ, in words; NULL: not known */
} panel_compare;

bool panel_is_still(const panel_playback *playback); /* one pair of pictures, which nothing plays */

/* Writes where the map on the screen is ("" if it is still): "frame 7 / 23", with the number of the last frame (~23: by
 * the duration, while the frames have not been counted), or with the time as well. */
void panel_describe_position(const panel_playback *playback, char *text, size_t size);

#endif
