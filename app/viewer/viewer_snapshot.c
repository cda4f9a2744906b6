/* A snapshot: all that it keeps of what has just been drawn. */
#include "app/viewer/viewer_state.h"

#include <stdio.h>

void viewer_take_snapshot(viewer *v, view_rect area) {
    const int which = viewer_compare_leading(&v->compare, v->state.view.compared);
    const frame_pair *pair = &v->map.pair;
    const frame *left = pair->left, *right = pair->right;
    const source_info *info = pairing_info(v->session.pairing);
    const char *note;
    const sv_rig *rig = viewer_rig_known(&v->rig, &note);
    sv_error error;
    snapshot shot = {
        .pair = {frame_retain(pair->left), frame_retain(pair->right)},
        .params = viewer_map_repeat(&v->map, which ? viewer_compare_shown(&v->compare) : &v->map.params),
        .view = v->state.view,
        .frames = {.first = left->index,
                   .end = left->index + 1,
                   .moved = viewer_playback_moves(&v->playback),
                   .pictures = info->pictures,
                   .offset = info->pictures ? (double)(right->index - left->index) : right->time - left->time},
        .options = *v->session.options,
        .live = info->live,
        .geometry = *session_rectification(&v->session),
        .has_rig = rig != NULL,
    };
    sv_choose_range(&shot.params, true); /* the map is to be repeated */
    if (rig) shot.rig = *rig;
    shot.geometry.maps[0] = shot.geometry.maps[1] = NULL;
    snprintf(shot.note, sizeof shot.note, "%s", note);
    snprintf(shot.inputs, sizeof shot.inputs, "%s", v->source.both);
    v->snapshot_due = false;
    sv_status status = snapshot_read(&shot, v->view, area, which, &error);
    if (status == SV_OK && !snapshots_give(v->snapshots, &shot))
        status = sv_fail(&error, SV_FAILED, "earlier ones are still being written");
    if (status == SV_OK) return;
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
    snapshot_free(&shot);
}
