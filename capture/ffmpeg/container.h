/* Files opened with FFmpeg's demuxers: from a name to a container and its video stream. */
#ifndef CAPTURE_FFMPEG_CONTAINER_H
#define CAPTURE_FFMPEG_CONTAINER_H

#include "capture/source.h"

#include <libavformat/avformat.h>

/* Sends FFmpeg's messages to our log, for debugging. container_open does it, too.
 * Thread: any. */
void container_take_over_log(void);

/* Describes an FFmpeg error by what happened to the file or the connection.
 * Lifetime: the result is valid until the end of the block. */
#define container_reason(result) container_reason_in(result, (char[AV_ERROR_MAX_STRING_SIZE]){0})
const char *container_reason_in(int result, char text[AV_ERROR_MAX_STRING_SIZE]);

/* Opens a regular file that is not empty; its content decides its format. A file that refers to others is refused, and
 * only the protocol "file" is allowed. With `protocols` (FFmpeg's names, separated by commas) `name` is an address,
 * these protocols are allowed instead, and a broken connection is resumed if the server sends parts of files.
 * Errors: SV_FAILED, with the name and what to do.
 * Lifetime: the caller closes the container with avformat_close_input. */
sv_status container_open(AVFormatContext **out, const char *name, const char *protocols, AVIOInterruptCB interrupt,
                         sv_error *error);

/* True if the file is a single picture: stream 0 then names its codec and nothing else. */
bool container_is_picture(const AVFormatContext *container);

/* Finds the video stream and discards all others. `track`: as in source_options.
 * Errors: SV_FAILED if there is none. */
sv_status container_find_video(AVFormatContext *container, const char *name, int track, int *stream, sv_error *error);

/* The number of video tracks, not counting pictures that are attached to the file. */
int container_count_tracks(const AVFormatContext *container);

/* Reads the next packet of the stream that is not empty: such a packet stands for an omitted picture, and the decoder
 * would take it as the end of the stream. Returns 0 or FFmpeg's error. */
int container_read(AVFormatContext *container, int stream, AVPacket *packet);

/* True if a packet may hold a single field of a picture: interlaced H.264 in a container that does not store whole
 * frames. */
bool container_may_halve_pictures(const AVFormatContext *container, const AVStream *stream);

/* The number of pictures that the edit list of an MP4 or QuickTime file excludes, according to the index. */
int64_t container_count_left_out(const AVFormatContext *container, AVStream *stream);

/* Where both views of a pair are, by the tags of the stream, and whether the right one comes first. */
source_views container_views(const AVStream *stream, bool *right_first);

/* Warns in the log if the file asks for rotation, which is never applied to stereo pictures. */
void container_warn_of_rotation(const AVStream *stream, const char *name);

#endif
