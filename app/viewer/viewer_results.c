/* Takes the results of the player, and shows the newest. Each slot is lent to the player, returned with a result,
 * shown, and lent again. */
#include "app/viewer/viewer_state.h"

static const source_info *info_of(const viewer *v) { return pairing_info(v->session.pairing); }

void viewer_lend(viewer *v, int slot) {
    viewer_compare_lend(&v->compare, slot);
    viewer_map_lend(&v->map, slot);
}

/* Shows a result, and describes it. */
static sv_status show_result(viewer *v, player_result *result, sv_error *error) {
    sv_status status = viewer_map_show(&v->map, result, error);
    if (status == SV_OK) status = viewer_compare_show(&v->compare, result, error);
    viewer_playback_show_frame(&v->playback, result->pair.left);
    viewer_map_take(&v->map, result, viewer_compare_shown(&v->compare));
    viewer_compare_describe(&v->compare, &v->map.scores, &v->state.compare, &v->state.status);
    return status;
}

sv_status viewer_take_results(viewer *v, double *captured, sv_error *error) {
    player_result result, newest = {.slot = -1};
    *captured = 0;
    player_hurry(v->player);
    if (viewer_board_waits(v->board)) return SV_OK;
    const int shown = viewer_map_take_slot(&v->map);
    if (shown >= 0) viewer_lend(v, shown);
    while (player_take(v->player, &result)) {
        viewer_figures_add_result(&v->figures, &result, info_of(v)->live);
        viewer_pace_add_times(&v->pace, &result);
        if (*captured > 0) {
            frame_pair_release(&newest.pair);
            viewer_lend(v, newest.slot);
        }
        newest = result;
        *captured = media_capture_time(v->session.pairing, &result.pair);
    }
    return *captured > 0 ? show_result(v, &newest, error) : SV_OK;
}

/* Passes the newest pair to what aligns, calibrates or measures, and switches to the next rig with its first result. */
sv_status viewer_follow_result(viewer *v, sv_error *error) {
    const frame_pair *pair = &v->map.pair;
    sv_status status = SV_OK;
    viewer_board_offer(v->board, pair);
    viewer_rig_offer(&v->rig, pair);
    if (v->session.next_matcher && v->map.matcher == v->session.next_matcher) {
        viewer_costs_end(&v->costs, v->view); /* they use the rectification that is about to be freed */
        viewer_rig_switch(&v->rig);
        status = view_set_rectification(v->view, session_rectification(&v->session), error);
    }
    /* The monitor is another one after a switch, and with pictures no other pair comes. */
    if (v->session.monitor) pair_monitor_offer(v->session.monitor, pair, &v->map.params);
    return status;
}
