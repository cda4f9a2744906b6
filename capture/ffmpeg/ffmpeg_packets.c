/* The packets of a file. Pictures need no demuxer: each file is a packet, with its number as its time stamp, so that a
 * broken one does not shift those after it. */
#include "capture/ffmpeg/ffmpeg_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void ffmpeg_note_broken(file_source *self, const char *name, const char *reason) {
    char where[40] = ""; /* the name of a picture says it, and nothing does after a jump */
    if (self->next_index >= 0)
        snprintf(where, sizeof where, " at frame %" PRId64, self->next_index);
    else if (self->pictures.count == 0 && self->read == 0)
        snprintf(where, sizeof where, " before the first picture");
    if (!self->reported_broken)
        sv_log(SV_LOG_WARNING, "%s: damaged data%s (%s); further damage is not reported", name, where, reason);
    self->reported_broken = true;
    self->losses.all++;
    atomic_fetch_add(&self->base.broken, 1);
}

/* Reads the whole file into the packet. */
static sv_status read_file(AVPacket *packet, const char *name, sv_error *error) {
    FILE *file = fopen(name, "rb");
    struct stat info;
    sv_status status = SV_OK;
    if (!file || fstat(fileno(file), &info) != 0)
        status = sv_fail(error, SV_FAILED, "%s: cannot be read: %s", name, strerror(errno));
    else if (info.st_size >= INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE)
        status = sv_fail(error, SV_FAILED, "%s: has 2 GiB or more, which is too much for a picture", name);
    else if (av_new_packet(packet, (int)info.st_size) < 0)
        status = sv_fail(error, SV_FAILED, "%s: out of memory to read it", name);
    else /* A file that shrinks in the meantime gives a shorter packet. */
        av_shrink_packet(packet, (int)fread(packet->data, 1, packet->size, file));
    if (file) fclose(file);
    return status;
}

static sv_status read_picture(file_source *self, sv_error *error) {
    const sv_status status = read_file(self->packet, self->pictures.files[self->next_picture], error);
    if (status != SV_OK) return status;
    self->packet->pts = self->packet->dts = self->next_picture++;
    self->packet->flags |= AV_PKT_FLAG_KEY;
    return SV_OK;
}

static void tap_packet(file_source *self) {
    const AVPacket *packet = self->packet;
    const int64_t stamp = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (!self->options.tap || stamp == AV_NOPTS_VALUE) return;
    const int64_t first = self->numbers.first_stamp != AV_NOPTS_VALUE ? self->numbers.first_stamp : stamp;
    self->options.tap(self->options.tap_of, self->options.tap_side,
                      self->demuxer.container->streams[self->demuxer.stream], packet,
                      -(double)first * av_q2d(self->tick));
}

sv_status ffmpeg_read_packet(file_source *self, sv_error *error) {
    enum { MOST_BROKEN = 1000 }; /* consecutive broken places that count as the end */
    if (self->pictures.count > 0) return self->next_picture < self->pictures.count ? read_picture(self, error) : SV_END;
    for (int broken = 0; broken < MOST_BROKEN;) {
        self->demuxer.deadline = sv_seconds() + self->demuxer.timeout;
        int result = container_read(self->demuxer.container, self->demuxer.stream, self->packet);
        if (atomic_load(&self->base.interrupted)) return SV_END;
        if (result >= 0) {
            tap_packet(self);
            if (self->numbers.feeding) ffmpeg_note_packet(self, self->demuxer.container, self->packet);
            return SV_OK;
        }
        if (result == AVERROR_EOF) break;
        if (result != AVERROR_INVALIDDATA)
            return sv_fail(error, SV_FAILED, "%s: cannot be read after frame %" PRId64 ": %s", self->base.name,
                           self->read, container_reason(result));
        ffmpeg_note_broken(self, self->base.name, av_err2str(result));
        broken++;
    }
    self->numbers.timeline.complete |= self->numbers.feeding;
    return SV_END;
}
