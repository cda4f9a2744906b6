/* Reads snapshots off the screen. */
#include "app/viewer/viewer_snapshot.h"

#include "app/play/maps.h"

#include <stdlib.h>

static sv_status read_screen(view *view, view_rect area, int which, snapshot *shot, sv_error *error) {
    const sv_image *left = &shot->pair.left->grey;
    shot->seen = (sv_image){NULL, 4 * (size_t)area.width, area.width, area.height, SV_COLOUR8, SV_HOST};
    shot->seen.data = malloc(shot->seen.stride * (size_t)area.height + 1);
    sv_status status = shot->seen.data ? maps_alloc(&sv_cpu, left->width, left->height, &shot->maps, error)
                                       : sv_fail(error, SV_FAILED, "out of memory for a snapshot");
    if (status == SV_OK) status = view_grab(area, &shot->seen, error);
    if (status == SV_OK) status = view_read_maps(view, which, &shot->maps.disparity, &shot->maps.reason, error);
    return status;
}

void viewer_snapshot_take(snapshots *snapshots, view *view, view_rect area, int which, const frame_pair *pair,
                          const snapshot *of) {
    snapshot shot = *of;
    sv_error error;
    shot.pair = (frame_pair){frame_retain(pair->left), frame_retain(pair->right)};
    sv_status status = read_screen(view, area, which, &shot, &error);
    if (status == SV_OK && !snapshots_give(snapshots, &shot))
        status = sv_fail(&error, SV_FAILED, "earlier ones are still being written");
    if (status == SV_OK) return;
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
    snapshot_free(&shot);
}
