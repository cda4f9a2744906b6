/* Writes the frames of a run: maps, depth, points or a video. */
#include "app/batch/exporter.h"

#include "app/batch/export_video.h"
#include "base/file_name.h"
#include "base/places.h"
#include "map/ply.h"

static sv_status write_cloud(const exporter *e, const frame *left, const sv_image *disparity, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = file_name(e->pattern, left->index, path, sizeof path, error);
    const sv_image *picture = left->colour.data ? &left->colour : &left->grey;
    return status == SV_OK ? ply_write(path, disparity, picture, e->rectification, error) : status;
}

sv_status exporter_use(void *of, const frame *left, const sv_output *maps, sv_error *error) {
    exporter *e = of;
    if (export_is_video(e->pattern)) return export_video_add(e, left, maps, error);
    sv_status status =
        export_is_cloud(e->pattern) ? write_cloud(e, left, &maps->disparity, error)
        : export_is_depth(e->pattern)
            ? export_depth(e->pattern, left->index, &maps->disparity, e->rectification, &e->unfit, error)
            : export_map(e->pattern, left->index, &maps->disparity, &maps->reason, &e->colours, &e->unfit, error);
    e->files += status == SV_OK;
    return status;
}
