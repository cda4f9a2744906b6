/* Replays the first frames of a source from memory. */
#include "capture/source.h"

#include "stereo/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct repeat_source {
    source base;
    frame **kept;
    int count;
    int64_t next;
} repeat_source;

static void release_kept(void *kept) { frame_release(kept); }

static sv_status repeat_read(source *base, frame **out, sv_error *error) {
    (void)error;
    repeat_source *self = (repeat_source *)base;
    if (atomic_load(&base->interrupted) || self->next >= base->info.frames) return SV_END;
    frame *frame = frame_create(NULL, base->info.width, base->info.height, false, false);
    struct frame *kept = self->kept[self->next % self->count];
    frame->grey = kept->grey;
    frame->colour = kept->colour;
    frame->owner = frame_retain(kept);
    frame->release_owner = release_kept;
    frame->index = self->next++;
    frame->time = base->info.rate > 0 ? (double)frame->index / base->info.rate : (double)frame->index;
    frame->decoded = sv_seconds();
    *out = frame;
    return SV_OK;
}

static sv_status repeat_seek(source *base, double seconds, sv_error *error) {
    (void)error;
    ((repeat_source *)base)->next = source_frame_at(&base->info, seconds);
    return SV_OK;
}

static void repeat_close(source *base) {
    repeat_source *self = (repeat_source *)base;
    for (int i = 0; i < self->count; i++) frame_release(self->kept[i]);
    free(self->kept);
    free(base->name);
    free(base);
}

static const source_operations repeat_operations = {repeat_read, repeat_seek, NULL, NULL, repeat_close};

sv_status source_open_repeat(source **out, source *from, int kept, int64_t frames, sv_error *error) {
    repeat_source *self = sv_alloc(1, sizeof *self);
    self->base = (source){.operations = &repeat_operations, .info = from->info, .name = sv_strdup(from->name)};
    self->kept = sv_alloc((size_t)kept, sizeof *self->kept);
    sv_status status = SV_OK;
    while (status == SV_OK && self->count < kept) {
        status = source_read(from, &self->kept[self->count], error);
        if (status == SV_OK) self->count++;
    }
    if (status == SV_END)
        status = self->count ? SV_OK : sv_fail(error, SV_FAILED, "%s has no frame to repeat", from->name);
    source_close(from);
    if (status != SV_OK) {
        repeat_close(&self->base);
        return status;
    }
    self->base.info.frames = frames;
    if (self->base.info.rate > 0) self->base.info.duration = (double)frames / self->base.info.rate;
    *out = &self->base;
    return SV_OK;
}
