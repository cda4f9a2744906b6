/* Writes snapshots. */
#include "app/viewer/snapshot.h"

#include "app/calibrate/calibration_file.h"
#include "app/play/maps.h"
#include "base/file_name.h"
#include "base/log.h"
#include "map/export.h"
#include "map/ply.h"
#include "stereo/alloc.h"
#include "stereo/worker.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAITING = 4, STEM_SIZE = 4080, PATH_SIZE = STEM_SIZE + 32 };

struct snapshots {
    int64_t unfit;             /* see export_map */
    sv_worker worker;          /* its lock guards all that follows */
    snapshot waiting[WAITING]; /* a ring */
    int first, count;
};

sv_status snapshot_read(snapshot *s, view *view, view_rect area, int which, sv_error *error) {
    const sv_image *left = &s->pair.left->grey;
    s->seen = (sv_image){NULL, 4 * (size_t)area.width, area.width, area.height, SV_COLOUR8, SV_HOST};
    s->seen.data = malloc(s->seen.stride * (size_t)area.height + 1);
    if (!s->seen.data) return sv_fail(error, SV_FAILED, "out of memory for a snapshot");
    sv_status status = maps_alloc(&sv_cpu, left->width, left->height, false, &s->maps, error);
    if (status == SV_OK) status = view_grab(area, &s->seen, error);
    if (status == SV_OK) status = view_read_maps(view, which, &s->maps.disparity, &s->maps.reason, error);
    return status;
}

void snapshot_free(snapshot *s) {
    free(s->seen.data);
    maps_free(&sv_cpu, &s->maps);
    frame_pair_release(&s->pair);
    *s = (snapshot){0};
}

/* ---- Names ------------------------------------------------------------------------------------ */

typedef enum part { COLOURS, SEEN, PFM, KITTI, DEPTH, CLOUD, LEFT, RIGHT, CALIBRATION, SETTINGS, PARTS } part;

static const char *const endings[PARTS + 1] = {".color.png",        ".view.png", ".pfm",      ".png",
                                               ".depth.png",        ".ply",      ".left.png", ".right.png",
                                               ".calibration.yaml", ".yaml",     NULL};

static bool is_written(const snapshot *s, part part) {
    if (part == DEPTH) return s->geometry.metric;
    if (part == LEFT || part == RIGHT) return s->live;
    if (part == CALIBRATION) return s->has_rig;
    return true;
}

/* As export_map takes it: a percent sign is written twice. */
static void write_pattern(const char *path, char *pattern) {
    while (*path) {
        if (*path == '%') *pattern++ = '%';
        *pattern++ = *path++;
    }
    *pattern = 0;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

enum { ABOUT_SIZE = 2048 };

SV_PRINTF(2, 3) static void append(char *about, const char *format, ...) {
    const size_t length = strlen(about);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(about + length, ABOUT_SIZE - length, format, arguments);
    va_end(arguments);
}

/* What it was made with, in a line for people: "l.mp4 and r.mp4; frame 12; sgm: disparities 0:63, paths 4". */
static void describe(const snapshot *shot, char about[ABOUT_SIZE]) {
    const replay_frames *f = &shot->frames;
    const sv_params *params = &shot->params;
    snprintf(about, ABOUT_SIZE, "%s; frame %" PRId64, shot->inputs, f->first);
    if (f->moved && f->pictures) append(about, "; right side %+g pictures", f->offset);
    if (f->moved && !f->pictures) append(about, "; right side %+g ms", 1e3 * f->offset);
    if (shot->has_rig)
        append(about, "; calibration: %s", shot->note);
    else if (shot->options.rig.calibration)
        append(about, "; calibration %s", shot->options.rig.calibration);
    else if (shot->geometry.metric)
        append(about, "; focal length %.1f px, baseline %g m", shot->geometry.focal, shot->geometry.baseline);
    append(about, "; %s: disparities %d:%d", sv_method_name(params->method), params->min_disparity,
           params->max_disparity);
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        char value[SV_VALUE_BYTES];
        if (!sv_uses(params->method, p) || !strcmp(p->name, "min-disparity") || !strcmp(p->name, "max-disparity"))
            continue;
        append(about, ", %s %s", p->name, settings_print_value(params, p, value, sizeof value));
    }
    log_clean(about);
}

/* A picture of a live source, in the form that was matched. */
static sv_status write_picture(const char *path, const snapshot *shot, const frame *frame, const char *about,
                               sv_error *error) {
    const bool colour = sv_methods[shot->params.method].uses_colour && frame->colour.data;
    return export_picture_png(path, colour ? &frame->colour : frame_grey(frame), about, error);
}

static sv_status write_settings(const snapshot *shot, const char *path, const char *stem, sv_error *error) {
    char left[PATH_SIZE], right[PATH_SIZE], calibration[PATH_SIZE];
    settings_source source;
    options of = replay_with_rows(&shot->options, shot->geometry.rows);
    replay_frames frames = shot->frames;
    if (shot->live) {
        snprintf(left, sizeof left, "%s%s", stem, endings[LEFT]);
        snprintf(right, sizeof right, "%s%s", stem, endings[RIGHT]);
        of.input.whole = NULL;
        of.input.layout_given = of.input.split.swap = false;
        of.input.swap_given = true;
        of.input.left = left;
        of.input.right = right;
        frames = (replay_frames){.first = 0, .end = 1};
    }
    if (shot->has_rig) {
        snprintf(calibration, sizeof calibration, "%s%s", stem, endings[CALIBRATION]);
        of.rig.calibration = calibration;
        of.rig.rectify_alpha = fmax(0, of.rig.rectify_alpha); /* as it was for the rig in use, not as the file says */
    }
    sv_status status = replay_describe(&of, &frames, &source, error);
    if (status == SV_OK) status = settings_write(path, &shot->params, &shot->view, &source, error);
    settings_free_source(&source);
    return status;
}

static sv_status write_part(snapshots *s, const snapshot *shot, part part, const char *stem, const char *about,
                            sv_error *error) {
    char path[PATH_SIZE], pattern[2 * PATH_SIZE];
    const sv_image *disparity = &shot->maps.disparity, *reason = &shot->maps.reason;
    snprintf(path, sizeof path, "%s%s", stem, endings[part]);
    write_pattern(path, pattern);
    switch (part) {
    case SEEN: return export_picture_png(path, &shot->seen, about, error);
    case COLOURS:
    case PFM:
    case KITTI: return export_map(pattern, 0, disparity, reason, &shot->view.colour, &s->unfit, error);
    case DEPTH: return export_depth(pattern, 0, disparity, &shot->geometry, &s->unfit, error);
    case CLOUD:
        return ply_write(path, disparity, &shot->maps.confidence, frame_picture(shot->pair.left), &shot->geometry,
                         error);
    case LEFT: return write_picture(path, shot, shot->pair.left, about, error);
    case RIGHT: return write_picture(path, shot, shot->pair.right, about, error);
    case CALIBRATION: return calibration_file_write(path, &shot->rig, shot->note, error);
    default: return write_settings(shot, path, stem, error);
    }
}

static void write_all(snapshots *s, const snapshot *shot) {
    char name[64], stem[STEM_SIZE], path[PATH_SIZE], about[ABOUT_SIZE];
    sv_error error;
    int files = 0, part = 0; /* those before `part` were begun */
    snprintf(name, sizeof name, "stereoview_%06" PRId64, shot->frames.first);
    sv_status status = file_find_free(shot->options.output.snapshots, name, endings, stem, sizeof stem, &error);
    describe(shot, about);
    for (; part < PARTS && status == SV_OK; part++) {
        if (!is_written(shot, part)) continue;
        status = write_part(s, shot, part, stem, about, &error);
        files++;
    }
    if (status == SV_OK) {
        log_wrote(stem, "wrote the snapshot %s (%d files)", stem, files);
        return;
    }
    for (int i = 0; i < part - 1; i++) {
        snprintf(path, sizeof path, "%s%s", stem, endings[i]);
        unlink(path);
    }
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
}

static void *run(void *argument) {
    snapshots *s = argument;
    pthread_mutex_lock(&s->worker.lock);
    for (;;) {
        if (!s->count && s->worker.stops) break;
        if (!s->count) {
            pthread_cond_wait(&s->worker.changed, &s->worker.lock);
            continue;
        }
        snapshot shot = s->waiting[s->first];
        pthread_mutex_unlock(&s->worker.lock);
        write_all(s, &shot);
        snapshot_free(&shot);
        pthread_mutex_lock(&s->worker.lock);
        s->first = (s->first + 1) % WAITING;
        s->count--;
    }
    pthread_mutex_unlock(&s->worker.lock);
    return NULL;
}

snapshots *snapshots_open(void) {
    snapshots *s = sv_alloc(1, sizeof *s);
    sv_worker_start(&s->worker, run, s);
    return s;
}

bool snapshots_give(snapshots *s, const snapshot *shot) {
    pthread_mutex_lock(&s->worker.lock);
    const bool room = s->count < WAITING;
    if (room) s->waiting[(s->first + s->count++) % WAITING] = *shot;
    pthread_cond_signal(&s->worker.changed);
    pthread_mutex_unlock(&s->worker.lock);
    return room;
}

void snapshots_close(snapshots *s) {
    if (!s) return;
    sv_worker_stop(&s->worker);
    free(s);
}
