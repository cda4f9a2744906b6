/* Writes the frames of a run: maps, depth, points or a video. */
#ifndef APP_PLAY_EXPORTER_H
#define APP_PLAY_EXPORTER_H

#include "capture/pool.h"
#include "map/export.h"

#include <stdatomic.h>

/* The output of a run to one pattern; the state of a sink (app/play/sinks.h). */
typedef struct exporter {
    const char *pattern;
    colour_settings colours;               /* for .color.png */
    const sv_rectification *rectification; /* borrowed; for depth and points */
    double rate;                           /* of the source, frames a second; 0: pictures, whose time is their number */
    bool live;                             /* the first frame of a video is at time 0 */
    int64_t unfit;                         /* see export_map */
    atomic_int_least64_t files;            /* written so far */
    struct export_video *video;            /* NULL before the first frame, and without a video */
} exporter;

/* True if files of this pattern hold the confidence. */
bool exporter_needs_confidence(const char *pattern);

/* Writes the file of a frame, or adds the frame to a video at the time of its left picture; an exporter's sink_use.
 * Errors: as export_map; what was written of a video is removed then.
 * Thread: any for files, one at a time for a video. */
sv_status exporter_use(void *exporter, const frame *left, const sv_output *maps, sv_error *error);

/* Completes the video, gives it its final name, and frees it. `cut_off`: the run ended before its last frame, which is
 * logged. Does nothing without a video.
 * Errors: SV_FAILED, with the path; no file is left then. */
sv_status exporter_finish(exporter *exporter, bool cut_off, sv_error *error);

#endif
