/* Files opened with FFmpeg's demuxers: from a name to a container and its video stream. */
#ifndef CAPTURE_CONTAINER_H
#define CAPTURE_CONTAINER_H

#include "stereo/stereo.h"

#include <libavformat/avformat.h>

/* Sends FFmpeg's own messages to our log, for debugging. container_open does so too. Any thread. */
void container_take_over_log(void);

/* An error of FFmpeg's in words that say what happened to a file or a connection; good until the end of the block. */
#define container_reason(result) container_reason_in(result, (char[AV_ERROR_MAX_STRING_SIZE]){0})
const char *container_reason_in(int result, char text[AV_ERROR_MAX_STRING_SIZE]);

/* Opens a regular file that is not empty. What kind it is, its content decides. One that names other files is refused
 * unless `playlists` allows it. Only the protocol "file" is allowed, to the file and to whatever it refers to, so that
 * a playlist cannot reach elsewhere. With `protocols` (FFmpeg's names with commas between) it is an address, and these
 * are allowed in its place, and a connection that breaks off is taken up again as capture/web.h says. FFmpeg's own
 * messages go to our log from then on. The caller closes the container with container_close. */
sv_status container_open(AVFormatContext **out, const char *name, const char *protocols, bool playlists,
                         AVIOInterruptCB interrupt, sv_error *error);

/* Cleans up after container_open and sets `*container` to NULL. It may be NULL. */
void container_close(AVFormatContext **container);

/* The file is one picture: its stream 0 has the codec's name and no more. */
bool container_is_picture(const AVFormatContext *container);

/* Finds the video stream and drops all others. */
sv_status container_find_video(AVFormatContext *container, const char *name, int *stream, sv_error *error);

/* Whether a packet may hold half a picture: a field of interlaced H.264 out of a container without frames of its own.
 */
bool container_may_halve_pictures(const AVFormatContext *container, const AVStream *stream);

/* How many pictures of the stream an edit list leaves out, as far as the container's index tells. */
int64_t container_count_left_out(AVStream *stream);

/* Logs that the file asks to be shown turned, which stereo pictures never are. */
void container_say_rotation(const AVStream *stream, const char *name);

#endif
