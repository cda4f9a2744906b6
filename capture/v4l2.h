/* What Video4Linux devices say about themselves: names, pixel formats, sizes and rates. The pictures come through
 * capture/camera.h. */
#ifndef CAPTURE_V4L2_H
#define CAPTURE_V4L2_H

#include "stereo/stereo.h"

#include <stdio.h>

/* Prints every camera with its formats, sizes and rates. SV_NO_DEVICE if there is none. */
sv_status v4l2_list(FILE *stream, sv_error *error);

/* Fails unless `device` is a camera, may be opened, and, if `pixel_format` is not NULL, sends that: SV_NO_DEVICE if
 * there is no such camera, SV_USAGE for a format that it does not have. A device that another program uses passes. */
sv_status v4l2_check(const char *device, const char *pixel_format, sv_error *error);

/* Writes the sizes that the camera has for a pixel format (NULL: for any), "320x180, 640x360", or "" if it does not
 * tell. Returns `text`. */
const char *v4l2_sizes(const char *device, const char *pixel_format, char *text, size_t size);

/* The pixel format in which the camera sends pictures of this size fastest, up to `rate` frames a second: many send
 * large ones uncompressed only slowly, or not at all. Of equals the one that the camera names first; NULL if it does
 * not tell. */
const char *v4l2_fastest_format(const char *device, int width, int height, double rate);

/* The message for a device that could not be opened or read: `number` is an errno. */
sv_status v4l2_fail(const char *device, int number, sv_error *error);

/* What FFmpeg calls the pixel format that our command line and list call `name`; `name` itself if there is no other
 * name. */
const char *v4l2_ffmpeg_name(const char *name);

#endif
