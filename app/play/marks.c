/* The two frames between which playback repeats. */
#include "app/play/marks.h"

void marks_next(marks *m, int64_t frame, double position) {
    if (m->count == 2) {
        m->count = 0;
        return;
    }
    const int at = m->count && frame >= m->frames[0];
    if (m->count && !at) {
        m->frames[1] = m->frames[0];
        m->positions[1] = m->positions[0];
    }
    m->frames[at] = frame;
    m->positions[at] = position;
    m->count++;
}

frame_range marks_range(const marks *m, const frame_range *all) {
    frame_range range = *all;
    if (m->count < 2) return range;
    range.first = m->frames[0];
    range.end = m->frames[1] + 1;
    range.loop = true;
    return range;
}
