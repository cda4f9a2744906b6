/* Where frames come from: one side of a stereo pair.
 *
 * A source belongs to one thread at a time, but source_interrupt may be called from any. */
#ifndef CAPTURE_SOURCE_H
#define CAPTURE_SOURCE_H

#include "capture/pool.h"

#include <stdatomic.h>

typedef struct source_options {
    pool_memory memory;
    bool colour;                   /* fill in frame.colour too, */
    const atomic_bool *colour_now; /* but only while this is true, if it is given; whoever opens the source keeps it */
    bool playlists;                /* open files that name others, too (HLS, DASH, ffconcat) */
} source_options;

/* Whether the frame that is being made is to have colour. */
static inline bool source_wants_colour(const source_options *options) {
    return options->colour && (!options->colour_now || atomic_load(options->colour_now));
}

typedef struct source_info {
    int width, height; /* pixels, of the first frame */
    double rate;       /* frames a second; 0 for pictures, which have no time of their own */
    double duration;   /* seconds, 0 if unknown */
    int64_t frames;    /* how many, -1 if unknown */
    bool pictures;     /* single pictures or a numbered sequence: paired by index, not by time */
    bool seekable;
    bool live;             /* a camera or a broadcast: see source_read; no duration, number of frames or seeking */
    char description[128]; /* "h264 1344x372 10 fps" */
    double start;          /* files: time 0 by the file's own clock, seconds; sequences: the first number */
    char clock[64]; /* files: which clock that is; the starts of two files can be compared if these are equal and not ""
                     */
} source_info;

/* Time stamps that count from 1970 are compared whatever else the files have in common. */
#define SOURCE_WALL_CLOCK "wall clock"

typedef struct source source;

/* What each kind of source provides; see the functions of the same names below. */
typedef struct source_operations {
    sv_status (*read)(source *source, frame **frame, sv_error *error);
    sv_status (*seek)(source *source, double seconds, sv_error *error);
    sv_status (*seek_frame)(source *source, int64_t index, double *seconds, sv_error *error); /* NULL: by the rate */
    void (*interrupt)(source *source);
    void (*close)(source *source);
} source_operations;

struct source {
    const source_operations *operations;
    source_info info;
    char *name;                  /* as the user wrote it, for messages */
    atomic_int_least64_t broken; /* pictures that came broken and were skipped; any thread may look */
};

/* A video file, a picture, or a numbered sequence (printf pattern: left_%06d.png, from its smallest
 * number on, to the first gap). Opened with the "file" protocol alone, and no playlist unless it is allowed. The first
 * frame is decoded so that `info` is true. Errors name the file and what to do. */
sv_status source_open_file(source **out, const char *name, const source_options *options, sv_error *error);

/* The next frame, which the caller releases. SV_END at the end. After SV_FAILED (a broken place, a file
 * that vanished) the source stays at its end. Broken frames are skipped with one log line.
 *
 * A live source has no end but its interruption. Its frame.time is when the picture was taken, or came in where that
 * is not known, by the clock of sv_seconds. It returns SV_FAILED, with the reason, when no more pictures come: a camera
 * within two seconds of its last one, an address after its timeout. The next read then tries to connect again, and the
 * caller waits a while between. */
sv_status source_read(source *source, frame **frame, sv_error *error);

/* Goes to the first frame whose time is at or after `seconds`; for pictures, seconds are indices. */
sv_status source_seek(source *source, double seconds, sv_error *error);

/* Goes to frame `index`, or to the next one where it is broken or missing. `seconds`: the time of that frame, or one
 * behind the end. It takes as long as the packets of a file up to there need to be read. */
sv_status source_seek_frame(source *source, int64_t index, double *seconds, sv_error *error);

/* Makes a read that blocks return SV_END soon, and all later ones at once. Any thread. */
void source_interrupt(source *source);

void source_close(source *source); /* NULL is fine */

#endif
