/* The interface of all sources of frames. A source is one side of a stereo pair.
 *
 * A source belongs to one thread at a time, except for source_interrupt. */
#ifndef CAPTURE_SOURCE_H
#define CAPTURE_SOURCE_H

#include "capture/pool.h"

#include <stdatomic.h>

struct AVStream;
struct AVPacket;

/* A tap receives each packet of a source before it is decoded, to record it; it must return soon. `of` and `side` are
 * those of source_options. `lead`: seconds to add to its time stamps to get the times of frames, which for a file count
 * from its first picture.
 * Thread: the source's.
 * Lifetime: the packet and its bytes are valid during the call; a camera frees those that are only referenced. */
typedef void source_tap(void *of, int side, const struct AVStream *stream, const struct AVPacket *packet, double lead);

typedef struct source_options {
    pool_memory memory;
    pool_card card;                /* decodes videos where FFmpeg and it can; the log says where they cannot */
    bool colour;                   /* fill in frame.colour too */
    const atomic_bool *colour_now; /* only while this is true, if not NULL; borrowed until the source is closed */
    /* Of a file with exactly two video tracks: 1 is the first, 2 the second. 0, and any other file: the one that FFmpeg
     * rates best. */
    int track;
    const atomic_bool *abandoned; /* once true, opening fails soon; NULL: it never is; borrowed as colour_now */
    source_tap *tap;              /* NULL: the packets are not wanted; pictures have none */
    void *tap_of;                 /* passed to the tap, as is tap_side */
    int tap_side;
} source_options;

/* True if the frame that is being made needs colour. */
static inline bool source_wants_colour(const source_options *options) {
    return options->colour && (!options->colour_now || atomic_load(options->colour_now));
}

/* True if the source is no longer wanted. */
static inline bool source_is_abandoned(const source_options *options) {
    return options->abandoned && atomic_load(options->abandoned);
}

typedef enum source_views { SOURCE_VIEWS_UNKNOWN, SOURCE_VIEWS_BESIDE, SOURCE_VIEWS_ABOVE } source_views;

typedef struct source_info {
    int width, height; /* pixels, of the first frame */
    double rate;       /* frames a second; 0 for pictures, which have no times */
    double duration;   /* seconds, 0 if unknown */
    int64_t frames;    /* number of frames, -1 if unknown */
    bool pictures;     /* pictures without time stamps: paired by index, not by time */
    bool seekable;
    bool jumps;             /* files: seeks by number are exact, and need not decode from the beginning */
    bool live;              /* a camera or a live stream: see source_read; no duration, number of frames or seeking */
    char description[128];  /* "h264 1344x372 10 fps" */
    double focal_35mm;      /* files: 35 mm equivalent focal length from their tags, millimetres; 0 if none */
    double start;           /* files: time 0 by the file's own clock, seconds */
    const int64_t *numbers; /* pictures: the `frames` numbers in the names of their files, ascending; the source's;
                             * NULL: not every name has one */
    int track;              /* files: the options' track, if the file has two; otherwise 0 */
    source_views views;     /* files: where both views are, by their tags */
    bool right_first;       /* and that the right one comes first */
    bool on_card;           /* source_options.card decodes it; a pairing's: both sides */
    bool half;              /* one of the two pictures of a stream that carries both: see split.h */
    char clock[64];         /* files: that of `start`; two starts can be compared if these are equal and not "" */
} source_info;

/* The clock of time stamps that count from 1970, which can be compared between files of any kind. */
#define SOURCE_WALL_CLOCK "wall clock"

/* That of the tracks of one file. */
#define SOURCE_TRACK_CLOCK "tracks of one file"

typedef struct source source;

/* The functions of a kind of source; see those of the same names below. */
typedef struct source_operations {
    sv_status (*read)(source *source, frame **frame, sv_error *error);
    sv_status (*seek)(source *source, double seconds, sv_error *error);
    sv_status (*seek_frame)(source *source, int64_t index, double *seconds, sv_error *error); /* NULL: by the rate */
    void (*interrupt)(source *source); /* after `interrupted` was set; NULL: the source notices that */
    void (*close)(source *source);
} source_operations;

struct source {
    const source_operations *operations;
    source_info info;
    atomic_bool interrupted;
    /* Not NULL if info.rate is a guess, because a file names none: sets it before the first frame is read. */
    void (*set_rate)(source *source, double rate);
    char *name;                   /* as the user wrote it, for messages */
    const char *stream;           /* of one of the two pictures of a stream: the name of that; otherwise NULL */
    atomic_int_least64_t counted; /* number of frames, where info.frames is unknown, once it was counted; 0 before */
    atomic_int_least64_t broken;  /* broken pictures that were skipped; any thread may read it */
    char *(*picture_file)(const source *source, int64_t index); /* as source_picture_file; NULL: never one */
};

/* Opens a video file, a picture, or the pictures of a folder or a pattern (capture/ffmpeg/sequence.h). Only the
 * "file" protocol is allowed, and no playlists. The first frame is decoded so that `info` is valid.
 * Errors: SV_FAILED, with the name of the file and what to do.
 * Lifetime: the caller closes the source with source_close. */
sv_status source_open_file(source **out, const char *name, const source_options *options, sv_error *error);

/* The same for a recording on a web server, which is read like a file; source_open_network (capture/live/network.h)
 * opens addresses. Only its `protocols` (FFmpeg's names, separated by commas) are allowed. It fails after `timeout`
 * seconds without an answer. Lifetime: `protocols` must outlive the source. */
sv_status source_open_recording(source **out, const char *address, const char *protocols, double timeout,
                                const source_options *options, sv_error *error);

/* A source of `frames` frames, for measurements that exclude decoding and rendering: the first `kept` frames of `from`
 * (fewer if it has fewer) in a loop, with increasing index and time (capture/repeat.c). Reads `from` immediately.
 * Errors: SV_FAILED if `from` cannot be read.
 * Lifetime: closes `from`, also if this fails. The caller closes the result with source_close. */
sv_status source_open_repeat(source **out, source *from, int kept, int64_t frames, sv_error *error);

/* True if the file has exactly two video tracks, the two sides of a pair. */
bool source_is_pair(const char *name);

/* Reads the next frame. Broken frames are skipped; the log reports it once.
 *
 * A live source ends only when it is interrupted. Its frame.time, by sv_seconds, is when the picture was taken or, if
 * that is unknown, when it arrived. If none arrives, it returns SV_FAILED: a camera within two seconds after its last
 * picture, an address after its timeout. The next read reconnects; the caller should wait between attempts.
 * Errors: SV_END at the end. SV_FAILED at a broken place or if the file has vanished; the source then stays at its end.
 * Lifetime: the caller releases the frame. */
sv_status source_read(source *source, frame **frame, sv_error *error);

/* Seeks to the first frame at or after `seconds`; for pictures, seconds are indices. Only where `seekable` is set.
 * Errors: SV_FAILED if the file cannot be read. */
sv_status source_seek(source *source, double seconds, sv_error *error);

/* Seeks to frame `index`, or to the next one if that is broken or missing. `seconds` receives the time of that frame,
 * or a time after the end. This may read all packets of a file up to that frame.
 * Errors: as source_seek; SV_END after source_interrupt. */
sv_status source_seek_frame(source *source, int64_t index, double *seconds, sv_error *error);

/* The name of the file with picture `index`, without its folder, which the caller frees; NULL for other sources.
 * Thread: any. */
char *source_picture_file(const source *source, int64_t index);

/* The number of the first frame at or after `seconds`, of a source whose frames follow at its rate.
 * Thread: any. */
int64_t source_frame_at(const source_info *info, double seconds);

/* Logs a line if the numbers in the names of the files show that unlike pictures are paired: a warning with the first
 * such pair, if a picture is missing on one side, or the difference of the first numbers. */
void sources_remark_on_numbers(const source *left, const source *right);

/* Makes a blocking read return SV_END soon, and all later reads immediately.
 * Thread: any. */
void source_interrupt(source *source);

void source_close(source *source); /* accepts NULL */

#endif
