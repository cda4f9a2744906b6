/* What passes between the window and the player: the slots for its maps, and its results. */
#include "app/viewer/viewer_parts.h"

#include <math.h>
#include <string.h>

sv_status viewer_lend_slot(viewer *v, int slot, sv_error *error) {
    sv_output output;
    sv_status status = slots_lend(&v->slots, slot, &output, error);
    if (status == SV_OK && v->compare.on) status = viewer_lend_second(v, slot, error);
    if (status == SV_OK) player_lend(v->player, slot, &output);
    return status;
}

double viewer_offset_of(const viewer *v, double frames) {
    const source_info *info = pairing_info(v->session.pairing);
    return info->pictures ? frames : frames / info->rate;
}

/* Shows the result of a slot. */
static sv_status show_result(viewer *v, player_result *result, sv_error *error) {
    const frame *left = result->pair.left;
    if (v->session.aligner) aligner_offer(v->session.aligner, &result->pair, &result->params);
    sv_status status = slots_show(&v->slots, result->slot, error);
    if (status == SV_OK) status = viewer_show_second(v, result, error);
    const judge_case shown = {.maps = v->compare.shown ? 2 : 1,
                              .frame = left->index,
                              .params = {result->params, result->second_params},
                              .ms = {compare_time(&result->times), compare_time(&result->second_times)}};
    if (status == SV_OK)
        judge_show(&v->judge, v->options, v->view, &shown, v->state.source.width, v->state.source.height);
    v->frame = left->index;
    v->shown = result->params;
    v->shown_by = result->matcher;
    viewer_describe_judgement(v);
    v->state.playback.frame = left->index;
    v->state.playback.position = v->state.playback.pictures ? (double)left->index : left->time;
    v->shown_slot = result->slot;
    pictures_take(&v->pictures, &result->pair);
    return status;
}

static void note_times(viewer *v, const player_result *result) {
    const double now = sv_seconds();
    const frame_pair *pair = &result->pair;
    figures_add(&v->figures, FIGURE_DECODE, now, pair->left->decode_ms);
    if (v->state.playback.live)
        figures_add(&v->figures, FIGURE_SKEW, now, 1e3 * fabs(pair->right->time - pair->left->time));
    pace_add_times(&v->times, &result->params, &result->times, compare_time(&result->second_times));
    for (int i = 0; i < SV_STAGE_COUNT; i++) {
        const double ms = (double)result->times.ms[i];
        if (ms > 0) figures_add(&v->figures, (figure)(FIGURE_UPLOAD + i), now, ms);
    }
}

sv_status viewer_take_results(viewer *v, double *captured, sv_error *error) {
    player_result result, newest = {.slot = -1};
    *captured = 0;
    player_hurry(v->player);
    if (viewer_waits_for_board(v)) return SV_OK;
    /* A buffer that is lent right after it was shown would be waited for until it has been drawn from. */
    sv_status status = v->shown_slot < 0 ? SV_OK : viewer_lend_slot(v, v->shown_slot, error);
    v->shown_slot = -1;
    while (status == SV_OK && player_take(v->player, &result)) {
        note_times(v, &result);
        if (*captured > 0) {
            frame_pair_release(&newest.pair);
            status = viewer_lend_slot(v, newest.slot, error);
        }
        newest = result;
        *captured = media_capture_time(v->session.pairing, &result.pair);
    }
    if (status != SV_OK)
        frame_pair_release(&newest.pair);
    else if (*captured > 0)
        status = show_result(v, &newest, error);
    return status;
}
