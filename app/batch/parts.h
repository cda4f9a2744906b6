/* The frames of a run without a window, matched in parts: runs of consecutive frames that are matched side by side,
 * each with its own decoders and its own matcher, on one device or on several. A card has several decoding engines, and
 * decodes one stream with one of them. Most runs have one part. */
#ifndef APP_BATCH_PARTS_H
#define APP_BATCH_PARTS_H

#include "app/batch/comparer.h"
#include "app/batch/workers.h"
#include "app/play/session.h"
#include "app/play/sinks.h"

#include <pthread.h>

typedef struct parts {
    /* Filled in by the caller; the pointers are borrowed. */
    const options *options;
    session *session; /* its sources and its matcher match the first part */
    sinks *sinks;     /* for the pairs of all parts */
    comparer *comparer;
    space space; /* of the maps, for the limits of their depth */
    frame_range range;
    int count, workers; /* how many parts, and how many at a time; 1 and 1, or see parts_plan */
    double began;       /* by sv_seconds */

    /* What was done. */
    atomic_int_least64_t frames, there; /* matched; whose files already exist */
    pairing_counts others;              /* of the sources beside the session's, without the skew */

    /* Private. */
    pthread_mutex_t lock;          /* of `others` and what follows */
    pthread_cond_t news;           /* `led` was set */
    bool led;                      /* the session has matched a pair, or ends */
    int next;                      /* the part that is taken next, */
    frame_range back[WORKERS_MAX]; /* after what was given back */
    int backs;
    atomic_bool failed;
} parts;

/* The part of a range that has `all` frames. A file may have more frames than it declares: they belong to the last
 * part. */
frame_range parts_divide(frame_range range, int64_t all, share share);

/* Sets into how many parts a run over so many frames is divided, and how many of them are matched at a time.
 * `decoders`: how many decoding engines each device has, or 1; `streams`: how many each part has. More streams than
 * engines take longer to begin than they save. */
void parts_plan(parts *parts, int64_t frames, int devices, int decoders, int streams);

/* Matches every pair of the range, or what is possible until stop_requested, and passes the maps to the sinks. A
 * failure ends all parts. Afterwards the session has no matcher.
 * Errors: that of a part or sink which failed; what was matched before is passed on. */
sv_status parts_match(parts *parts, sv_error *error);

#endif
