/* Calls the functions of a source's kind: see source.h. */
#include "capture/source.h"

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

void source_interrupt(source *source) { source->operations->interrupt(source); }

void source_close(source *source) {
    if (source) source->operations->close(source);
}
