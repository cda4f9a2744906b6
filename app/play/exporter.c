/* Writes the frames of a run: maps, depth, points or a video. */
#include "app/play/exporter.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/places.h"
#include "capture/ffmpeg/container.h"
#include "map/ply.h"
#include "stereo/alloc.h"
#include "video/writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* It has a temporary name until it is complete. */
struct export_video {
    file_writer file;
    video_writer *writer;
    sv_image picture; /* as video_write takes it */
    double start;     /* the source's time that is time 0 of the video, seconds */
    int64_t first, last, frames;
};

static void discard(exporter *e) {
    if (!e->video) return;
    video_close(e->video->writer);
    file_discard(&e->video->file);
    free(e->video->picture.data);
    free(e->video);
    e->video = NULL;
}

/* The frame rate of a video made of pictures without times. */
enum { PICTURE_RATE = 25 };

static sv_status open_video(exporter *e, const sv_image *map, sv_error *error) {
    const bool colour = export_is_colour_video(e->pattern);
    char path[PLACES_BYTES];
    sv_status status = file_name(e->pattern, 0, path, sizeof path, error);
    if (status != SV_OK) return status;
    struct export_video *v = e->video = sv_alloc(1, sizeof *v);
    v->picture = *map;
    v->picture.format = colour ? SV_COLOUR8 : SV_GREY8;
    v->picture.stride = (size_t)map->width * (colour ? 4 : 2);
    v->picture.data = malloc(v->picture.stride * (size_t)map->height);
    if (!v->picture.data) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    container_take_over_log();
    status = file_create(&v->file, path, error);
    if (status != SV_OK) return status;
    return video_open(&v->writer, v->file.stream, path, colour ? VIDEO_COLOUR : VIDEO_GREY16, map->width, map->height,
                      e->rate > 0 ? e->rate : PICTURE_RATE, error);
}

/* The video is complete. */
static sv_status add_frame(exporter *e, const frame *left, const sv_output *maps, sv_error *error) {
    struct export_video *v = e->video;
    sv_status status = SV_OK;
    if (export_is_colour_video(e->pattern))
        status = colour_picture(&e->colours, &maps->disparity, &maps->reason, &v->picture, error);
    else
        export_kitti_values(e->pattern, &maps->disparity, v->picture.data, &e->unfit);
    if (!v->frames && e->live) v->start = left->time;
    const double time = e->rate > 0 ? left->time - v->start : (double)left->index / PICTURE_RATE;
    if (status == SV_OK) status = video_write(v->writer, &v->picture, time, error);
    if (status != SV_OK) return status;
    if (!v->frames++) v->first = left->index;
    v->last = left->index;
    return SV_OK;
}

static sv_status add_to_video(exporter *e, const frame *left, const sv_output *maps, sv_error *error) {
    sv_status status = e->video ? SV_OK : open_video(e, &maps->disparity, error);
    if (status == SV_OK) status = add_frame(e, left, maps, error);
    if (status != SV_OK) discard(e);
    return status;
}

static sv_status write_cloud(const exporter *e, const frame *left, const sv_output *maps, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = file_name(e->pattern, left->index, path, sizeof path, error);
    const sv_image *picture = frame_picture(left);
    return status == SV_OK ? ply_write(path, &maps->disparity, &maps->confidence, picture, e->rectification, error)
                           : status;
}

bool exporter_needs_confidence(const char *pattern) {
    return export_is_confidence(pattern) || export_is_cloud(pattern);
}

sv_status exporter_use(void *of, const frame *left, const sv_output *maps, sv_error *error) {
    exporter *e = of;
    if (export_is_video(e->pattern)) return add_to_video(e, left, maps, error);
    sv_status status =
        export_is_cloud(e->pattern)        ? write_cloud(e, left, maps, error)
        : export_is_confidence(e->pattern) ? export_confidence(e->pattern, left->index, &maps->confidence, error)
        : export_is_depth(e->pattern)
            ? export_depth(e->pattern, left->index, &maps->disparity, e->rectification, &e->unfit, error)
            : export_map(e->pattern, left->index, &maps->disparity, &maps->reason, &e->colours, &e->unfit, error);
    if (status == SV_OK) atomic_fetch_add(&e->files, 1);
    return status;
}

sv_status exporter_finish(exporter *e, bool cut_off, sv_error *error) {
    struct export_video *v = e->video;
    if (!v) return SV_OK;
    sv_status status = video_finish(v->writer, error);
    if (status == SV_OK) status = file_commit(&v->file, error);
    if (status == SV_OK) e->files++;
    if (status == SV_OK && cut_off)
        sv_log(SV_LOG_WARNING, "%s is complete up to where the run ended: frames %" PRId64 " to %" PRId64, e->pattern,
               v->first, v->last);
    discard(e);
    return status;
}
