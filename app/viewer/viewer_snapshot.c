/* Reads snapshots off the screen. */
#include "app/viewer/viewer_parts.h"

#include "app/play/maps.h"
#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads what is on the screen, which has just been drawn in `area`, to be written. */
static sv_status read_snapshot(viewer *v, view_rect area, snapshot *shot, sv_error *error) {
    const frame *left = v->pictures.pair.left, *right = v->pictures.pair.right;
    const bool pictures = v->state.playback.pictures;
    const int which = viewer_leading_map(v);
    const viewer_rig *rig = &v->rig;
    *shot = (snapshot){
        .seen = {NULL, 4 * (size_t)area.width, area.width, area.height, SV_COLOUR8, SV_HOST},
        .params = which ? v->compare.params : v->shown,
        .view = v->state.view,
        .frames = {.first = left->index,
                   .end = left->index + 1,
                   .moved = v->state.offset.movable,
                   .pictures = pictures,
                   .offset = pictures ? (double)(right->index - left->index) : right->time - left->time},
        .options = *v->options,
        .live = v->state.playback.live,
        .geometry = *session_rectification(&v->session),
        .has_rig = rig->known,
        .rig = rig->rig,
    };
    shot->geometry.maps[0] = shot->geometry.maps[1] = NULL;
    snprintf(shot->note, sizeof shot->note, "%s", rig->note);
    names_join(v->state.source.names[0], v->state.source.names[1], shot->inputs, sizeof shot->inputs);
    shot->seen.data = malloc(shot->seen.stride * (size_t)area.height + 1);
    sv_status status = shot->seen.data
                           ? maps_alloc(&sv_cpu, v->state.source.width, v->state.source.height, &shot->maps, error)
                           : sv_fail(error, SV_FAILED, "out of memory for a snapshot");
    if (status == SV_OK) status = view_grab(area, &shot->seen, error);
    if (status == SV_OK) status = view_read_maps(v->view, which, &shot->maps.disparity, &shot->maps.reason, error);
    shot->pair = (frame_pair){frame_retain(v->pictures.pair.left), frame_retain(v->pictures.pair.right)};
    return status;
}

void viewer_take_snapshot(viewer *v, view_rect area) {
    snapshot shot;
    sv_error error;
    v->snapshot_due = false;
    sv_status status = read_snapshot(v, area, &shot, &error);
    if (status == SV_OK && !snapshots_give(v->snapshots, &shot))
        status = sv_fail(&error, SV_FAILED, "earlier ones are still being written");
    if (status == SV_OK) return;
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
    snapshot_free(&shot);
}
