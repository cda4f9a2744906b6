/* Sources of every kind: see source.h. */
#include "capture/source.h"

#include <inttypes.h>
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

/* True if no number is missing between the first and the last. */
static bool is_whole(const source_info *info) {
    return info->numbers[info->frames - 1] - info->numbers[0] == info->frames - 1;
}

void sources_remark_on_numbers(const source *left, const source *right) {
    const source_info *l = &left->info, *r = &right->info;
    if (l->frames < 2 || r->frames < 2 || !l->numbers || !r->numbers) return;
    for (int64_t i = 1; i < l->frames && i < r->frames; i++) {
        if (l->numbers[i] - l->numbers[0] == r->numbers[i] - r->numbers[0]) continue;
        sv_log(SV_LOG_WARNING,
               "number %" PRId64 " of %s is paired with number %" PRId64
               " of %s, because a picture is missing on one side; remove its partner, too",
               l->numbers[i], left->name, r->numbers[i], right->name);
        return;
    }
    const int64_t left_first = l->numbers[0], right_first = r->numbers[0];
    if (is_whole(l) && is_whole(r) && left_first != right_first)
        sv_log(SV_LOG_INFO,
               "pairing the first files of both sequences, numbers %" PRId64 " and %" PRId64 "; --offset %" PRId64
               " pairs equal numbers",
               left_first, right_first, left_first - right_first);
}

void source_interrupt(source *source) {
    atomic_store(&source->interrupted, true);
    if (source->operations->interrupt) source->operations->interrupt(source);
}

void source_close(source *source) {
    if (source) source->operations->close(source);
}
