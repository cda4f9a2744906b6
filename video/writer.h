/* Encodes pictures into a video file, with FFmpeg.
 * Thread: one at a time for each writer. */
#ifndef VIDEO_WRITER_H
#define VIDEO_WRITER_H

#include "stereo/stereo.h"

#include <stdio.h>

typedef enum video_kind {
    VIDEO_GREY16, /* Matroska with FFV1: lossless 16-bit grey */
    VIDEO_COLOUR, /* MP4 with H.264, 8 bit, colours of BT.709; an odd width or height repeats its last pixels */
} video_kind;

typedef struct video_writer video_writer;

/* Begins a video of width x height pixels in `stream`. `rate`: pictures per second, approximately. `name`: of the file,
 * for messages.
 * Errors: SV_FAILED if this FFmpeg lacks the encoder, the stream cannot seek (MP4 has to), or memory runs out.
 * Lifetime: `stream` must outlive the writer, which the caller closes with video_close. */
sv_status video_open(video_writer **out, FILE *stream, const char *name, video_kind kind, int width, int height,
                     double rate, sv_error *error);

/* Adds a picture that is shown at `time`, seconds, later than the one before. VIDEO_GREY16: height x width uint16 in
 * the computer's byte order; VIDEO_COLOUR: SV_COLOUR8; any stride, in host memory.
 * Errors: SV_FAILED if it cannot be encoded or written; the cause of a write error is errno's. */
sv_status video_write(video_writer *writer, const sv_image *picture, double time, sv_error *error);

/* Writes what is left and completes the file. `stream` stays open; its error flag is set if writing failed.
 * Errors: as video_write. */
sv_status video_finish(video_writer *writer, sv_error *error);

/* Frees the writer. Accepts NULL. */
void video_close(video_writer *writer);

#endif
