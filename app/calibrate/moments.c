/* Whether both sides show the same moment, before a run without a window. */
#include "app/calibrate/moments.h"

#include "app/media/media.h"
#include "base/stop.h"
#include "rig/pair_meter.h"

#include <math.h>

enum { PLACES = 3, LEAST_REACH = 9 };

int moments_reach(const source_info *info) {
    const int second = (int)ceil(fmin(info->rate, 2 * RIG_MOMENTS_MOST) / 2);
    int reach = second > LEAST_REACH ? second : LEAST_REACH;
    if (info->frames > 0 && info->frames < 2 * reach + 1) reach = (int)(info->frames - 1) / 2;
    return info->half ? 0 : reach;
}

/* Reads the moments around the frame `middle`, and measures its pair. Frames that cannot be read are left out. */
static sv_status read_moments(const options *o, pairing *pairing, pair_meter *meter, int64_t middle, int reach,
                              rig_facts *facts, sv_error *error) {
    const int64_t first = middle > reach ? middle - reach : 0;
    sv_status status = pairing_seek_frame(pairing, first, error);
    bool goes_on = status == SV_OK;
    pair_meter_begin_moments(meter);
    while (goes_on && status == SV_OK && !stop_requested()) {
        frame_pair pair;
        if (pairing_next(pairing, &pair, NULL) != SV_OK) break;
        const int64_t index = pair.left->index;
        const sv_pair pictures = media_host_pictures(&pair);
        if (index == middle) status = pair_meter_measure(meter, &pictures, &o->match.params, facts, error);
        if (status == SV_OK)
            status = pair_meter_add_moment(meter, &pictures, o->match.params.row_shift, (double)index, index == middle,
                                           error);
        frame_pair_release(&pair);
        goes_on = index < middle + reach;
    }
    return status;
}

/* The same beside a moment near the beginning or the end of a file, to one side: in a short file, all frames. */
static int longest_reach(const source_info *info) {
    source_info endless = *info;
    endless.frames = 0;
    const int reach = moments_reach(&endless);
    return info->frames > 0 && info->frames <= reach ? (int)info->frames - 1 : reach;
}

/* Compares the moments around a place, of so many, or as near to it as there are frames on both sides. A file that is
 * too short for that has its places all over it, and more frames on one side. */
static sv_status find_at(const options *o, pairing *pairing, pair_meter *meter, int place, int reach,
                         rig_moments *moments, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    const int64_t known = media_frames(&o->input.frames, info), frames = known < INT64_MAX ? known : 1;
    const int64_t last = info->frames - 1 - reach;
    const bool is_short = info->frames > 0 && last < reach;
    int64_t middle = is_short ? info->frames * (2 * place + 1) / (2 * PLACES)
                              : o->input.frames.first + frames * (2 * place + 1) / (2 * PLACES);
    rig_facts facts = {.measured = false};
    if (!is_short && info->frames > 0 && middle > last) middle = last;
    if (!is_short && middle < reach) middle = reach;
    const sv_status status = read_moments(o, pairing, meter, middle, reach, &facts, error);
    if (status != SV_OK || !facts.measured) return status;
    return pair_meter_compare_moments(meter, reach, &facts, moments, error);
}

/* Three frames are enough wherever something moves. If they are not, all within the reach are read, in the middle
 * first. */
static sv_status find(const options *o, pairing *pairing, pair_meter *meter, int reach, rig_moments *moments,
                      sv_error *error) {
    static const int order[PLACES] = {1, 0, 2};
    sv_status status = SV_OK;
    for (int i = 0; i < PLACES && status == SV_OK; i++) {
        status = find_at(o, pairing, meter, order[i], 1, moments, error);
        if (rig_find_offset(moments) == 0) return status;
    }
    for (int i = 0; i < PLACES && status == SV_OK && isnan(rig_find_offset(moments)); i++) {
        status = find_at(o, pairing, meter, order[i], reach, moments, error);
        if (moments->reach && moments->shares[moments->reach] >= RIG_SURE) break; /* still, and right as it is */
    }
    return status;
}

sv_status moments_find(const options *o, pairing *pairing, const sv_rectification *rectification, rig_moments *moments,
                       sv_error *error) {
    const source_info *info = pairing_info(pairing);
    const int reach = longest_reach(info);
    pair_meter *meter;
    *moments = (rig_moments){0};
    const bool rendered = o->input.demo || o->input.synthetic_width;
    if (!reach || info->live || !info->seekable || o->run.benchmark || rendered || o->output.record) return SV_OK;
    sv_status status = pair_meter_create(&meter, rectification->width ? rectification : NULL, o->match.threads, error);
    if (status != SV_OK) return status;
    status = find(o, pairing, meter, reach, moments, error);
    pair_meter_free(meter);
    return status == SV_OK ? pairing_seek_frame(pairing, o->input.frames.first, error) : status;
}
