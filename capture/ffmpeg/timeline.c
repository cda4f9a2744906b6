/* The presentation times of a video's pictures: see timeline.h. */
#include "capture/ffmpeg/timeline.h"

#include "stereo/alloc.h"

#include <libavutil/avutil.h>
#include <stdlib.h>
#include <string.h>

void timeline_add(timeline *t, int64_t stamp) {
    enum { MOST = 1 << 24 };
    if (t->irregular || stamp == AV_NOPTS_VALUE) {
        t->irregular = true;
        return;
    }
    const int64_t place = timeline_find(t, stamp);
    const bool crowds_later = place < t->count && t->stamps[place] - stamp <= t->least;
    const bool crowds_earlier = place > 0 && stamp - t->stamps[place - 1] <= t->least;
    if (crowds_later || crowds_earlier || t->count - place > TIMELINE_REORDER || t->count == MOST) t->irregular = true;
    if (t->irregular) return;
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 1024;
        t->stamps = sv_realloc(t->stamps, (size_t)t->capacity, sizeof *t->stamps);
    }
    memmove(t->stamps + place + 1, t->stamps + place, (size_t)(t->count - place) * sizeof *t->stamps);
    t->stamps[place] = stamp;
    t->count++;
}

int64_t timeline_find(const timeline *t, int64_t stamp) {
    int64_t low = 0, high = t->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (t->stamps[middle] < stamp)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool timeline_has(const timeline *t, int64_t stamp) {
    const int64_t place = timeline_find(t, stamp);
    return place < t->count && t->stamps[place] == stamp;
}

bool timeline_is_sure(const timeline *t, int64_t number) { return t->complete || number + TIMELINE_REORDER < t->count; }

void timeline_free(timeline *t) {
    free(t->stamps);
    *t = (timeline){0};
}
