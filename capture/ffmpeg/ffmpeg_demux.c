/* Opens the container of a video, and opens it again: to read it from its beginning, or a second time for its numbers.
 */
#include "capture/ffmpeg/ffmpeg_parts.h"

/* FFmpeg calls this while it waits. */
static int must_stop(void *argument) {
    const file_source *self = argument;
    return atomic_load(&self->base.interrupted) || source_is_abandoned(&self->options) ||
           (self->demuxer.protocols && sv_seconds() > self->demuxer.deadline);
}

sv_status ffmpeg_open_container(file_source *self, AVFormatContext **out, const char *name, sv_error *error) {
    self->demuxer.deadline = sv_seconds() + self->demuxer.timeout;
    return container_open(out, name, self->demuxer.protocols, (AVIOInterruptCB){must_stop, self}, error);
}

sv_status ffmpeg_open_again(file_source *self, AVFormatContext **out, sv_error *error) {
    int stream;
    sv_status status = ffmpeg_open_container(self, out, self->base.name, error);
    if (status == SV_OK) status = container_find_video(*out, self->base.name, self->options.track, &stream, error);
    if (status == SV_OK && stream != self->demuxer.stream)
        status = sv_fail(error, SV_FAILED, "%s: the file has changed; open it again", self->base.name);
    return status;
}

sv_status ffmpeg_rewind(file_source *self, sv_error *error) {
    avformat_close_input(&self->demuxer.container);
    const sv_status status = ffmpeg_open_again(self, &self->demuxer.container, error);
    self->read = 0;
    return status;
}
