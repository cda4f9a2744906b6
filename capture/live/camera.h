/* Cameras as sources: Video4Linux devices, read through libavdevice. */
#ifndef CAPTURE_LIVE_CAMERA_H
#define CAPTURE_LIVE_CAMERA_H

#include "capture/source.h"

/* The format requested from a camera; {0}: as the camera is set. */
typedef struct camera_options {
    int width, height;        /* pixels, or 0 */
    double rate;              /* frames a second, or 0 */
    const char *pixel_format; /* "yuyv422", "mjpeg", "h264", "grey", ... as v4l2_list calls them; NULL: one that is fast
                                 enough; copied */
    const char *const *controls; /* settings for controls_set, applied at each connection; borrowed */
    int control_count;
    const char *equal_to; /* the camera whose values controls_make_equal gives it once it is back; borrowed;
                             NULL: none */
} camera_options;

/* Opens a camera as a live source (see source.h). frame.time is the kernel's time stamp, so the frames of two cameras
 * can be compared. A camera that sends nothing for 1.5 seconds, or for three frame intervals if that is longer, is
 * closed, and opened again by the next reads, for pictures of the same size. The first frame is read so that `info` is
 * valid.
 * Errors: SV_NO_DEVICE if there is no such camera; SV_USAGE for a size or format that it does not support; SV_FAILED if
 * it cannot be read.
 * Lifetime: the caller closes the source with source_close. */
sv_status source_open_camera(source **out, const char *device, const camera_options *camera,
                             const source_options *options, sv_error *error);

#endif
