/* FFmpeg's output into a stream of the C library, which the caller owns. */
#ifndef VIDEO_OUTPUT_H
#define VIDEO_OUTPUT_H

#include "stereo/stereo.h"

#include <libavformat/avformat.h>
#include <stdio.h>

/* Opens a muxer that writes to `stream`.
 * Errors: SV_FAILED if this FFmpeg lacks the format or memory runs out.
 * Lifetime: `stream` must outlive the muxer, which the caller closes with output_close. */
sv_status output_open(AVFormatContext **out, FILE *stream, const char *format, const char *name, sv_error *error);

/* Makes the error of a failed write, from FFmpeg's result or, if the stream failed, from errno. */
sv_status output_failed(const AVFormatContext *muxer, const char *name, int result, sv_error *error);

/* Closes what output_open opened and sets `*muxer` to NULL. Accepts a NULL muxer. */
void output_close(AVFormatContext **muxer);

#endif
