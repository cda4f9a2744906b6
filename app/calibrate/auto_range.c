/* The range of disparities that is found in the pictures: -d auto. */
#include "app/calibrate/auto_range.h"

#include <inttypes.h>
#include <math.h>

enum { PLACES = 5 }; /* in a file at which pairs are measured */

/* Seconds without a need for the largest disparities after which they are left out. */
static const double patience = 10;

/* Seconds that a live source may take to send its first pair. */
static const double live_patience = 2;

/* Measures the next pair, which it leaves in `pair`. */
static sv_status measure_next(pairing *pairing, probe *probe, int row_shift, frame_pair *pair, probe_result *result,
                              sv_error *error) {
    const sv_status status = pairing_next(pairing, pair, error);
    if (status != SV_OK) return status;
    const sv_pair pictures = {.left = pair->left->grey, .right = pair->right->grey};
    return probe_pair(probe, &pictures, row_shift, result, error);
}

/* The number of frames to choose from, 1 if it is not known. */
static int64_t selected(const options *o, const pairing *pairing) {
    const source_info *info = pairing_info(pairing);
    const frame_range *range = &o->input.frames;
    int64_t end = info->frames > 0 && info->frames < range->end ? info->frames : range->end;
    if (end == INT64_MAX && info->duration > 0) end = (int64_t)(info->duration * info->rate);
    /* What a recording copies is read once, from the beginning. */
    const bool seeks = info->seekable && !info->live && !o->output.record;
    return seeks && end < INT64_MAX && end > range->first ? end - range->first : 1;
}

/* Measures pairs at places spread over the frames. A place that cannot be read counts as not measured: the run itself
 * reports it, if it gets there. */
static int measure_places(const options *o, pairing *pairing, probe *probe, int64_t frames,
                          probe_result results[PLACES]) {
    const source_info *info = pairing_info(pairing);
    int count = 0;
    for (int i = 0; i < PLACES; i++) {
        const int64_t index = o->input.frames.first + frames * (2 * i + 1) / (2 * PLACES);
        frame_pair pair = {0};
        const sv_status found =
            pairing_seek(pairing, info->pictures ? (double)index : (double)index / info->rate, NULL);
        if (found == SV_OK &&
            measure_next(pairing, probe, o->match.params.row_shift, &pair, &results[count], NULL) == SV_OK)
            count++;
        frame_pair_release(&pair);
    }
    return count;
}

static sv_status measure(const options *o, pairing *pairing, probe *probe, probe_result results[PLACES], int *count,
                         sv_error *error) {
    const int64_t frames = selected(o, pairing);
    if (frames > 1) {
        *count = measure_places(o, pairing, probe, frames, results);
        return pairing_seek_frame(pairing, o->input.frames.first, error);
    }
    frame_pair pair = {0};
    *count = 0;
    if (o->input.frames.first && pairing_info(pairing)->seekable && !o->output.record) {
        const sv_status status = pairing_seek_frame(pairing, o->input.frames.first, error);
        if (status != SV_OK) return status;
    }
    if (!pairing_wait(pairing, live_patience)) return SV_OK;
    *count = measure_next(pairing, probe, o->match.params.row_shift, &pair, results, NULL) == SV_OK;
    if (pair.left) pairing_put_back(pairing, &pair);
    return SV_OK;
}

static void report(const sv_params *params, bool found, int pairs) {
    if (found)
        sv_log(SV_LOG_INFO, "disparities %d:%d, found in %d pair%s (-d)", params->min_disparity, params->max_disparity,
               pairs, pairs == 1 ? "" : "s");
    else
        sv_log(SV_LOG_INFO,
               "disparities %d:%d, the default: the pictures do not show which there are; set them with -d",
               params->min_disparity, params->max_disparity);
}

sv_status auto_range_find(options *o, pairing *pairing, const sv_rectification *rectification, sv_error *error) {
    match_options *match = &o->match;
    const bool unrectified = o->rig.calibrate || (o->rig.align && !o->run.headless);
    if (sv_range_is_chosen(&match->params) || o->run.benchmark || unrectified) return SV_OK;
    probe_result results[PLACES] = {{0}};
    probe *probe;
    int count, min, max;
    sv_status status = probe_create(&probe, rectification->width ? rectification : NULL, match->threads, error);
    if (status != SV_OK) return status;
    status = measure(o, pairing, probe, results, &count, error);
    probe_free(probe);
    if (status != SV_OK) return status;
    const bool found = probe_range(results, count, &min, &max);
    if (found) {
        sv_set_found_range(&match->params, min, max);
        match->second = sv_with_scene(match->second, &match->params);
    }
    report(&match->params, found, count);
    return SV_OK;
}

bool auto_range_follow(auto_range *r, const probe_result *result, double now, sv_params *params) {
    int min, max;
    if (!probe_range(result, 1, &min, &max)) return false;
    const bool begins = r->since <= 0, raises = max > params->max_disparity;
    const bool over = !begins && now - r->since >= patience;
    if (begins || max > r->most) r->most = max;
    int next = params->max_disparity;
    if (raises) {
        next = max;
    } else if (over && r->most < next) {
        const int step = (next + 1) * 3 / 4 / 8 * 8 - 1;
        next = r->most > step ? r->most : step;
    }
    if (begins || raises || over) *r = (auto_range){.most = raises ? 0 : max, .since = now};
    if (min > params->min_disparity) min = params->min_disparity;
    if (next - min >= SV_MAX_DISPARITIES) min = next - SV_MAX_DISPARITIES + 1;
    if (min == params->min_disparity && next == params->max_disparity) return false;
    sv_set_found_range(params, min, next);
    return true;
}
