/* What is found in the pictures before the first map: the order of the sides of two files, and the range of
 * disparities, -d auto. */
#include "app/calibrate/auto_range.h"

#include "app/media/views.h"

#include <math.h>

enum { PLACES = ARRANGEMENT_TRIALS }; /* in a file at which pairs are measured */

/* Seconds without a need for the largest disparities after which they are left out. */
static const double lowered_after = 10;

/* Seconds that a live source may take to send its first pair. */
static const double longest_wait = 2;

/* Measures the next pair, which it leaves in `pair`, in both orders if `sides`. */
static sv_status measure_next(pairing *pairing, probe *probe, int row_shift, bool sides, frame_pair *pair,
                              arrangement_trial *trial, sv_error *error) {
    const sv_status status = pairing_next(pairing, pair, error);
    if (status != SV_OK) return status;
    const sv_pair pictures = media_host_pictures(pair);
    *trial = (arrangement_trial){.as_is = {.share = 0}};
    return sides ? arrangement_try(probe, &pictures, row_shift, trial, error)
                 : probe_pair(probe, &pictures, row_shift, &trial->as_is, error);
}

/* Measures pairs at places spread over the frames. Skips what cannot be read; the run reports that. */
static int measure_places(const options *o, pairing *pairing, probe *probe, int64_t frames, bool sides,
                          arrangement_trial trials[PLACES]) {
    const source_info *info = pairing_info(pairing);
    const int places = frames < PLACES ? (int)frames : PLACES;
    int count = 0;
    for (int i = 0; i < places; i++) {
        const int64_t index = o->input.frames.first + frames * (2 * i + 1) / (2 * places);
        frame_pair pair = {0};
        const sv_status found =
            pairing_seek(pairing, info->pictures ? (double)index : (double)index / info->rate, NULL);
        if (found == SV_OK &&
            measure_next(pairing, probe, o->match.params.row_shift, sides, &pair, &trials[count], NULL) == SV_OK)
            count++;
        frame_pair_release(&pair);
    }
    return count;
}

/* Measures pairs of the frames that the options name; of one that can be read only once, the first, which is put back.
 */
static sv_status measure(const options *o, pairing *pairing, const sv_rectification *r, bool sides,
                         arrangement_trial trials[PLACES], int *count, sv_error *error) {
    const int64_t frames = views_selected(o, pairing_info(pairing));
    const bool seeks = o->input.frames.first && pairing_info(pairing)->seekable && !o->output.record;
    frame_pair pair = {0};
    probe *probe;
    *count = 0;
    sv_status status = probe_create(&probe, r->width ? r : NULL, o->match.threads, error);
    if (status == SV_OK && frames > 1) *count = measure_places(o, pairing, probe, frames, sides, trials);
    if (status == SV_OK && (frames > 1 || seeks)) status = pairing_seek_frame(pairing, o->input.frames.first, error);
    if (status == SV_OK && frames <= 1 && pairing_wait(pairing, longest_wait))
        *count = measure_next(pairing, probe, o->match.params.row_shift, sides, &pair, trials, NULL) == SV_OK;
    if (pair.left) pairing_put_back(pairing, &pair);
    probe_free(probe);
    return status;
}

/* Sets the range that the pairs show, and logs it. `anew`: measured again, with level rows; nothing is logged unless it
 * is another one. */
static void take_range(match_options *match, const arrangement_trial trials[PLACES], int count, bool swapped,
                       bool anew) {
    const sv_params *params = &match->params;
    probe_result results[PLACES];
    int min, max;
    for (int i = 0; i < count; i++) results[i] = swapped ? trials[i].swapped : trials[i].as_is;
    const bool found = probe_range(results, count, &min, &max);
    if (anew && (!found || (min == params->min_disparity && max == params->max_disparity))) return;
    if (found) sv_set_found_range(&match->params, min, max);
    match->second = sv_with_scene(match->second, params);
    if (found)
        sv_log(SV_LOG_INFO, "disparities %d:%d, found in %d pair%s%s (-d)", params->min_disparity,
               params->max_disparity, count, count == 1 ? "" : "s", anew ? " with level rows" : "");
    else
        sv_log(SV_LOG_INFO, "disparities %d:%d, the default: no range was found in the pictures; set it with -d",
               params->min_disparity, params->max_disparity);
}

/* True if the order of the sides may be changed: that of two files, unless the user has determined it, or what belongs
 * to it. That of one stream was found when it was opened. */
static bool may_swap(const options *o, const pairing *pairing) {
    const source_info *info = pairing_info(pairing);
    const sv_params *params = &o->match.params;
    const bool below_zero = sv_range_is_chosen(params) && params->min_disparity < 0;
    return input_is_files(&o->input) && !info->live && !info->half && !views_order_is_given(o) && !o->output.record &&
           !below_zero && !params->row_shift && o->rig.rows != ROWS_GIVEN;
}

/* Opens the files again with their sides swapped. */
static sv_status swap_sides(options *o, pool_memory memory, const media_colour *colour, pairing **pairing, int pairs,
                            sv_error *error) {
    sv_log(SV_LOG_INFO, "left and right were swapped, as %d pair%s show%s (--swap off prevents this)", pairs,
           pairs == 1 ? "" : "s", pairs == 1 ? "s" : "");
    pairing_close(*pairing);
    *pairing = NULL;
    o->input.split.swap = true;
    o->input.offset.value = -o->input.offset.value;
    return media_open(o, memory, colour, pairing, error);
}

sv_status auto_range_find(options *o, pool_memory memory, const media_colour *colour, pairing **pairing,
                          const sv_rectification *rectification, sv_error *error) {
    const bool unrectified = o->rig.calibrate || (o->rig.align && !o->run.headless);
    const bool range = !sv_range_is_chosen(&o->match.params), sides = may_swap(o, *pairing);
    arrangement_trial trials[PLACES];
    int count;
    if ((!range && !sides) || o->run.benchmark || unrectified) return SV_OK;
    sv_status status = measure(o, *pairing, rectification, sides, trials, &count, error);
    const arrangement_order order = sides && status == SV_OK ? arrangement_order_of(trials, count) : ORDER_UNKNOWN;
    const bool swapped = order == ORDER_SWAPPED;
    if (swapped) status = swap_sides(o, memory, colour, pairing, count, error);
    if (status != SV_OK) return status;
    if (sides)
        o->input.found = (arrangement){.looked = true,
                                       .swapped = swapped,
                                       .share = fmaxf(0, arrangement_share(trials, count)),
                                       .layout_sure = true};
    if (range) take_range(&o->match, trials, count, swapped, false);
    return SV_OK;
}

sv_status auto_range_find_again(options *o, pairing *pairing, const sv_rectification *rectification, sv_error *error) {
    arrangement_trial trials[PLACES];
    int count;
    if (sv_range_is_chosen(&o->match.params) || o->run.benchmark) return SV_OK;
    const sv_status status = measure(o, pairing, rectification, false, trials, &count, error);
    if (status == SV_OK) take_range(&o->match, trials, count, false, true);
    return status;
}

/* An end of the range, as a distance from 0, after what is searched beyond `needed` was not needed for long. */
static int lowered(int end, int needed) {
    const int step = end * 3 / 4 / 8 * 8;
    return needed > step ? needed : step;
}

bool auto_range_follow(auto_range *r, const probe_result *result, double now, sv_params *params) {
    const int low = params->min_disparity, high = params->max_disparity;
    int min, max;
    if (!probe_range(result, 1, &min, &max)) return false;
    const bool begins = r->since <= 0, widens = min < low || max > high;
    const bool over = !begins && !widens && now - r->since >= lowered_after;
    if (begins || min < r->least) r->least = min;
    if (begins || max > r->most) r->most = max;
    int from = min < low ? min : low, to = max > high ? max : high;
    if (over) {
        from = -lowered(-low, -r->least);
        to = lowered(high + 1, r->most + 1) - 1;
    }
    if (widens)
        *r = (auto_range){.since = now};
    else if (begins || over)
        *r = (auto_range){now, min, max};
    if (to - from >= SV_MAX_DISPARITIES) from = to - SV_MAX_DISPARITIES + 1;
    if (from == low && to == high) return false;
    sv_set_found_range(params, from, to);
    return true;
}
