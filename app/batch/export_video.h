/* The maps of a run as a video. */
#ifndef APP_BATCH_EXPORT_VIDEO_H
#define APP_BATCH_EXPORT_VIDEO_H

#include "capture/pool.h"
#include "map/export.h"

/* The frame rate of a video made of pictures without times. */
enum { EXPORT_PICTURE_RATE = 25 };

/* Adds a frame at the time of its left picture.
 * Errors: SV_FAILED, with the path; what was written is removed then. */
sv_status export_video_add(exporter *exporter, const frame *left, const sv_output *maps, sv_error *error);

/* Completes the video, gives it its final name, and frees it. `cut_off`: the run ended before its last frame, which is
 * logged. Does nothing without a video.
 * Errors: SV_FAILED, with the path; no file is left then. */
sv_status export_video_finish(exporter *exporter, bool cut_off, sv_error *error);

#endif
