/* Exports a range of frames while the window keeps running: with a source and a matcher of its own, in a thread of its
 * own, and the files that -o of a run without a window writes.
 * Thread: one, for all functions. */
#ifndef APP_PLAY_EXPORT_JOB_H
#define APP_PLAY_EXPORT_JOB_H

#include "app/options/options.h"
#include "map/colour.h"
#include "map/space.h"
#include "stereo/rig.h"

/* What is exported. */
typedef struct export_order {
    options options; /* name the source, its calibration and the row correction; with the parameters */
    const sv_backend *backend;
    bool has_rig; /* the cameras are those of `rig`, in place of a calibration file */
    sv_rig rig;
    colour_settings colours;
    space_limits limits;
    char pattern[2048];  /* as for -o */
    int64_t first, last; /* frames; last INT64_MAX: to the end */
} export_order;

typedef struct export_progress {
    int64_t done, all; /* frames; all: 0 while unknown */
    int64_t files;     /* that were written; once it has ended */
    bool ended;
    sv_status status; /* of the end */
    sv_error error;
} export_progress;

typedef struct export_job export_job;

/* Begins to export. `news` is called by the threads when there is something new to show.
 * Lifetime: what the strings of the options point to outlives the job; the caller closes it with export_job_close. */
export_job *export_job_open(const export_order *order, void (*news)(void));

export_progress export_job_progress(export_job *job);

/* Ends it after the frame under way; what was written stays, and a video is complete up to there. */
void export_job_cancel(export_job *job);

/* Cancels it and waits for its end. Accepts NULL. */
void export_job_close(export_job *job);

#endif
