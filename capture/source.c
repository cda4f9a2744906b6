/* Calls the functions of a source's kind: see source.h. */
#include "capture/source.h"

#include <math.h>

sv_status source_read(source *source, frame **frame, sv_error *error) {
    return source->operations->read(source, frame, error);
}

sv_status source_seek(source *source, double seconds, sv_error *error) {
    return source->operations->seek(source, seconds, error);
}

sv_status source_seek_frame(source *source, int64_t index, double *seconds, sv_error *error) {
    if (source->operations->seek_frame) return source->operations->seek_frame(source, index, seconds, error);
    *seconds = source->info.rate > 0 ? (double)index / source->info.rate : (double)index;
    return source_seek(source, *seconds, error);
}

char *source_picture_file(const source *source, int64_t index) {
    return source->picture_file ? source->picture_file(source, index) : NULL;
}

int64_t source_frame_at(const source_info *info, double seconds) {
    /* Slightly less, so that index / rate gives that index. */
    const double index = ceil(info->rate > 0 ? seconds * info->rate - 1e-6 : seconds);
    return (int64_t)fmin(fmax(index, 0), (double)info->frames);
}

void source_interrupt(source *source) {
    atomic_store(&source->interrupted, true);
    if (source->operations->interrupt) source->operations->interrupt(source);
}

void source_close(source *source) {
    if (source) source->operations->close(source);
}
