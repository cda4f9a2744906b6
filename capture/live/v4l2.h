/* Queries Video4Linux devices: names, pixel formats, sizes and rates. capture/live/camera.h reads their pictures. */
#ifndef CAPTURE_LIVE_V4L2_H
#define CAPTURE_LIVE_V4L2_H

#include "stereo/stereo.h"

#include <stdio.h>

/* Prints every camera with its formats, sizes, rates and controls.
 * Errors: SV_NO_DEVICE if there is none. */
sv_status v4l2_list(FILE *stream, sv_error *error);

/* Writes the devices that are cameras into `devices`, at most `most`; returns how many there are. */
int v4l2_find(char (*devices)[16], int most);

/* Checks that `device` is a camera that may be opened and, if `pixel_format` is not NULL, offers that format. A device
 * that another program uses also passes.
 * Errors: SV_NO_DEVICE if there is no such camera, SV_USAGE for a format that it does not offer, SV_FAILED without
 * permission. */
sv_status v4l2_check(const char *device, const char *pixel_format, sv_error *error);

/* The pixel format with the highest rate for pictures of this size, up to `rate` frames a second, of equals the first:
 * many cameras send large pictures uncompressed only slowly, or not at all. NULL if unknown.
 * Lifetime: a static string. */
const char *v4l2_fastest_format(const char *device, int width, int height, double rate);

/* Makes the error for a device that could not be opened or read. `number` is an errno. */
sv_status v4l2_fail(const char *device, int number, sv_error *error);

/* FFmpeg's name of a pixel format that the command line and the list call `name`.
 * Lifetime: a static string, or `name` itself. */
const char *v4l2_ffmpeg_name(const char *name);

#endif
