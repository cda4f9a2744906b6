/* Opens what the command line names. */
#include "app/media/media.h"

#include "app/media/fov.h"
#include "app/media/recording.h"
#include "app/media/views.h"
#include "base/places.h"
#include "capture/live/camera.h"
#include "capture/live/controls.h"
#include "capture/live/network.h"
#include "capture/split.h"
#include "capture/synthetic/synthetic.h"
#include "map/export.h"
#include "rig/calibration.h"
#include "rig/length.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Splits one stream, which it takes ownership of, into both pictures. */
static sv_status split(options *o, pool_memory memory, source *whole, source *sources[2], sv_error *error) {
    frame *first = NULL;
    const sv_status status = o->input.again ? SV_OK : views_find(o, whole, &first, error);
    if (status != SV_OK) {
        if (first) frame_release(first);
        source_close(whole);
        return status;
    }
    split_options how = o->input.split;
    how.memory = memory;
    how.first = first;
    return sources_split(whole, &how, sources, error);
}

/* Two cameras, or the two halves of one. */
static sv_status open_cameras(options *o, const source_options side[2], source *sources[2], sv_error *error) {
    const input_options *input = &o->input;
    source *first;
    const bool swap = input->split.swap && input->cameras.names[1];
    const char *const names[2] = {input->cameras.names[swap], input->cameras.names[!swap]};
    camera_options how[2];
    for (int i = 0; i < 2; i++) {
        how[i] = input->cameras.both;
        how[i].controls = input->cameras.controls[i];
        how[i].control_count = input->cameras.control_counts[i];
        how[i].equal_to = input->cameras.equal ? names[!i] : NULL;
    }
    sv_status status = source_open_camera(&first, names[0], &how[0], &side[0], error);
    if (status != SV_OK) return status;
    if (!input->cameras.names[1]) return split(o, side[0].memory, first, sources, error);
    sources[0] = first;
    status = source_open_camera(&sources[1], names[1], &how[1], &side[1], error);
    if (status == SV_OK && input->cameras.equal) {
        status = controls_make_equal(names[0], names[1], error);
        if (status != SV_OK) source_close(sources[1]);
    }
    if (status != SV_OK) source_close(first);
    return status;
}

/* A file, or an address unless there is a file of that name. */
static sv_status open_one(const input_options *input, const char *name, const source_options *side, source **out,
                          sv_error *error) {
    if (network_is_address(name) && access(name, F_OK))
        return source_open_network(out, name, input->timeout, side, error);
    return source_open_file(out, name, side, error);
}

/* One name for both sides: a file with a video track for each, or a stream whose pictures hold both. */
static sv_status open_whole(options *o, const source_options side[2], source *sources[2], sv_error *error) {
    const input_options *input = &o->input;
    source *first;
    sv_status status = open_one(input, input->whole, &side[0], &first, error);
    if (status != SV_OK) return status;
    /* What needs the right picture in colour needs the left one, too. */
    if (!first->info.track) return split(o, side[0].memory, first, sources, error);
    sources[0] = first;
    status = open_one(input, input->whole, &side[1], &sources[1], error);
    if (status != SV_OK) source_close(first);
    return status;
}

/* One side on its way. */
typedef struct opening {
    const input_options *input;
    const char *name;
    const source_options *side;
    source *source; /* NULL unless the status is SV_OK */
    sv_status status;
    sv_error error;
} opening;

static void *open_side(void *argument) {
    opening *o = argument;
    sv_log_nothing(o->input->again);
    o->status = open_one(o->input, o->name, o->side, &o->source, &o->error);
    return NULL;
}

/* Opens both at the same time: a sender may wait until the other stream is read, too, and two that do not answer take
 * one timeout together. */
static sv_status open_files(const input_options *input, const char *left, const char *right,
                            const source_options side[2], source *sources[2], sv_error *error) {
    const bool swap = input->split.swap;
    opening sides[2] = {{.input = input, .name = swap ? right : left, .side = &side[0]},
                        {.input = input, .name = swap ? left : right, .side = &side[1]}};
    pthread_t thread;
    sv_thread_start(&thread, open_side, &sides[1]);
    open_side(&sides[0]);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++) {
        sources[i] = sides[i].source;
        if (sides[i].status == SV_OK) continue;
        if (sides[!i].status == SV_OK) source_close(sides[!i].source);
        *error = sides[i].error;
        return sides[i].status;
    }
    return SV_OK;
}

/* Warns if both names are those of one file. */
static void remark_same(const char *left, const char *right) {
    struct stat of_left, of_right;
    if (!strcmp(left, right) || (!stat(left, &of_left) && !stat(right, &of_right) &&
                                 of_left.st_dev == of_right.st_dev && of_left.st_ino == of_right.st_ino))
        sv_log(SV_LOG_WARNING,
               "%s is both the left and the right picture, so all disparities are 0; name a file that holds both once",
               left);
}

/* The scene, rendered as it is read; a benchmark repeats a few frames of it from memory. */
static sv_status open_scene(source **out, const input_options *input, bool benchmark, scene_side side,
                            const source_options *how, sv_error *error) {
    enum { KEPT = 8, BENCHMARK_FRAMES = 2000 };
    const scene scene = scene_of_size(input->synthetic_width, input->synthetic_height);
    source *rendered = source_open_synthetic(&scene, side, how);
    if (!benchmark) {
        *out = rendered;
        return SV_OK;
    }
    sv_log(SV_LOG_INFO, "rendering %d %s pictures of %d x %d for the benchmark", KEPT,
           side == SCENE_LEFT ? "left" : "right", input->synthetic_width, input->synthetic_height);
    return source_open_repeat(out, rendered, KEPT, input->frames.end < INT64_MAX ? input->frames.end : BENCHMARK_FRAMES,
                              error);
}

/* The two sides of the scene. */
static sv_status open_scenes(const input_options *input, bool benchmark, const source_options side[2],
                             source *sources[2], sv_error *error) {
    const bool swap = input->split.swap;
    sv_status status = open_scene(&sources[0], input, benchmark, swap ? SCENE_RIGHT : SCENE_LEFT, &side[0], error);
    if (status != SV_OK) return status;
    status = open_scene(&sources[1], input, benchmark, swap ? SCENE_LEFT : SCENE_RIGHT, &side[1], error);
    if (status != SV_OK) source_close(sources[0]);
    return status;
}

static void log_offset(double offset, bool pictures) {
    const double distance = pictures ? fabs(offset) : 1e3 * fabs(offset);
    const char *unit = !pictures ? "ms" : distance == 1 ? "picture" : "pictures";
    if (distance == 0)
        sv_log(SV_LOG_INFO, "pairing the first pictures with each other (--offset)");
    else
        sv_log(SV_LOG_INFO, "pairing each left picture with the right one %.4g %s %s (--offset)", distance, unit,
               offset < 0 ? "earlier" : "later");
}

/* Moves the right side by --offset, or else by the files' own time stamps. */
static sv_status move_right(const input_options *input, pairing *pairing, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    if (!input->offset.given) {
        if (input_is_files(input) && !info->half) pairing_follow_clocks(pairing);
        return SV_OK;
    }
    if (info->half)
        return sv_fail(error, SV_USAGE, "--offset is for two files (-f): the pictures of one stream are simultaneous");
    if (info->live)
        return sv_fail(error, SV_USAGE, "--offset is for files: live pictures are paired by their time stamps");
    if (input->offset.in_ms && info->pictures)
        return sv_fail(error, SV_USAGE, "--offset %gms: pictures have no time stamps; give a number of frames",
                       input->offset.value);
    const double frame = info->pictures ? 1 : 1 / info->rate;
    const double offset = input->offset.value * (input->offset.in_ms ? 1e-3 : frame);
    pairing_set_offset(pairing, offset);
    log_offset(offset, info->pictures);
    return SV_OK;
}

/* Opens both sides; may store in the options how one stream holds both. */
static sv_status open_sides(options *o, pool_memory memory, const media_colour *colour, pairing **out,
                            sv_error *error) {
    enum { DECODED_AHEAD = 4 };
    const input_options *input = &o->input;
    const bool swap = input->split.swap;
    /* A file with two tracks is a pair, unless --layout gives what its pictures hold. */
    const bool tracks = input->whole ? !(input->layout_given && input->split.layout)
                                     : input->left && !strcmp(input->left, input->right);
    source_options side[2];
    for (int i = 0; i < 2; i++)
        side[i] = (source_options){.memory = memory,
                                   .card = input->card,
                                   .colour = true,
                                   .colour_now = i ? &colour->right : &colour->left,
                                   .track = tracks ? (swap ? 2 - i : i + 1) : 0,
                                   .abandoned = input->abandoned,
                                   .tap = input->recording ? recording_tap : NULL,
                                   .tap_of = input->recording,
                                   .tap_side = i};
    char left[PLACES_BYTES], right[PLACES_BYTES];
    source *sources[2];
    sv_status status = SV_OK;
    *out = NULL;
    if (input->cameras.names[0]) {
        status = open_cameras(o, side, sources, error);
    } else if (input->demo) {
        status = places_find_demo(left, right, sizeof left, error);
        if (status == SV_OK) status = open_files(input, left, right, side, sources, error);
    } else if (input->synthetic_width > 0) {
        status = open_scenes(input, o->run.benchmark, side, sources, error);
    } else if (input->whole && places_find_sides(input->whole, left, right, sizeof left)) {
        status = open_files(input, left, right, side, sources, error);
    } else if (input->whole) {
        status = open_whole(o, side, sources, error);
    } else {
        status = open_files(input, input->left, input->right, side, sources, error);
        if (status == SV_OK && input->offset.value == 0 && !sources[0]->info.track && !input->again)
            remark_same(input->left, input->right);
    }
    return status == SV_OK ? pairing_open(out, sources[0], sources[1], DECODED_AHEAD, error) : status;
}

sv_status media_open(options *o, pool_memory memory, const media_colour *colour, pairing **out, sv_error *error) {
    const sv_status status = open_sides(o, memory, colour, out, error);
    if (status != SV_OK) return status;
    if (o->input.tolerance > 0 && pairing_info(*out)->live) pairing_set_tolerance(*out, o->input.tolerance);
    return move_right(&o->input, *out, error);
}

sv_status media_open_again(const options *of, pool_memory memory, const media_colour *colour, pairing *open,
                           pairing **out, sv_error *error) {
    options o = *of;
    o.input.again = true;
    sv_log_nothing(true);
    const sv_status status = open_sides(&o, memory, colour, out, error);
    sv_log_nothing(false);
    if (status == SV_OK) pairing_set_offset(*out, pairing_offset(open));
    return status;
}

sv_status media_open_one(const options *o, const char *name, const source_options *how, source **out, sv_error *error) {
    return places_is_device(name) ? source_open_camera(out, name, &o->input.cameras.both, how, error)
                                  : open_one(&o->input, name, how, out, error);
}

int64_t media_frames(const frame_range *range, const source_info *info) {
    const int64_t end = info->frames > 0 && info->frames < range->end ? info->frames : range->end;
    return end < INT64_MAX ? end - range->first : INT64_MAX;
}

/* Logs what is done with each of the first few frames that are damaged or, at least, mistimed. */
static void note_damage(const frame_pair *pair, bool skip, stats *stats) {
    enum { MOST_REPORTED = 10 };
    const stats_damage before = stats_get_damage(stats);
    const int64_t known = before.kept + before.skipped;
    const bool mistimed = !pair->left->damaged && !pair->right->damaged;
    const bool left = mistimed ? pair->left->mistimed : pair->left->damaged;
    const bool right = mistimed ? pair->right->mistimed : pair->right->damaged;
    const char *which = !right ? "the left picture is" : !left ? "the right picture is" : "both pictures are";
    if (known < MOST_REPORTED)
        sv_log(SV_LOG_WARNING, "frame %" PRId64 ": %s %s; %s", pair->left->index, which,
               mistimed ? "mistimed" : "damaged", skip ? "it is skipped" : "its map is kept (--damaged)");
    else if (known == MOST_REPORTED)
        sv_log(SV_LOG_WARNING, "further damaged or mistimed frames are only counted");
    stats_add_damage(stats, (stats_damage){.kept = !skip, .skipped = skip, .mistimed = mistimed});
}

sv_status media_next(pairing *pairing, const frame_range *range, stats *stats, frame_pair *pair, sv_error *error) {
    for (;;) {
        const double start = sv_seconds();
        sv_status status = pairing_next(pairing, pair, error);
        if (status != SV_OK) return status;
        const int64_t index = pair->left->index;
        const bool wanted = index >= range->first && index < range->end;
        const bool doubtful = frame_is_doubtful(pair->left) || frame_is_doubtful(pair->right);
        const bool counts = wanted && index >= range->counted;
        if (counts) stats_add_damage(stats, (stats_damage){.lost = pair->left->lost + pair->right->lost});
        if (counts && doubtful) note_damage(pair, range->skip_damaged, stats);
        if (wanted && !(doubtful && range->skip_damaged)) {
            stats_add(stats, STATS_WAIT, 1e3 * (sv_seconds() - start));
            stats_add(stats, STATS_DECODE, pair->left->decode_ms);
            stats_tick(stats, STATS_CAPTURED, sv_seconds()); /* which may be long after it was decoded */
            return SV_OK;
        }
        frame_pair_release(pair);
        if (index >= range->end) return SV_END;
    }
}

double media_capture_time(const pairing *pairing, const frame_pair *pair) {
    return pairing_info(pairing)->live ? pair->left->time : pair->left->decoded;
}

sv_pair media_pictures(const frame_pair *pair) {
    sv_pair pictures = {.left = pair->left->grey, .right = pair->right->grey, .number = pair->left->index + 1};
    if (pair->left->colour.data && pair->right->colour.data) {
        pictures.left_colour = pair->left->colour;
        pictures.right_colour = pair->right->colour;
    }
    return pictures;
}

sv_pair media_host_pictures(const frame_pair *pair) {
    sv_pair pictures = media_pictures(pair);
    pictures.left = *frame_grey(pair->left);
    pictures.right = *frame_grey(pair->right);
    return pictures;
}

bool media_lacks_colour(const frame_pair *pair, const media_colour *colour) {
    return (atomic_load(&colour->left) && !pair->left->colour.data) ||
           (atomic_load(&colour->right) && !pair->right->colour.data);
}

/* Applies the unit that the user names to a file that names none. */
static void take_unit(const rig_options *options, sv_rig *rig) {
    if (!options->unit) return;
    if (rig->metric) {
        sv_log(SV_LOG_WARNING, "%s: --unit %s is not used: the file gives its lengths in metres", options->calibration,
               options->unit);
        return;
    }
    for (int i = 0; i < 3; i++) rig->translation[i] *= length_unit(options->unit);
    rig->metric = true;
}

/* Without a file, --fov and --baseline describe rectified pictures, unless the cameras are aligned or calibrated. */
static sv_status rectify_pinholes(const options *options, const source_info *info, sv_rectification *r,
                                  sv_error *error) {
    if (options->rig.align || options->rig.calibrate) return SV_OK;
    sv_status status = fov_check(&options->rig, info, error);
    if (status != SV_OK) return status;
    const sv_rig rig = fov_rig(&options->rig, info);
    fov_log(&options->rig, info);
    return sv_rectify(&rig, info->width, info->height, -1, r, error);
}

sv_status media_rectify(const options *options, const pairing *pairing, sv_rectification *r, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    sv_rig rig;
    const char *format;
    *r = (sv_rectification){0};
    if (!options->rig.calibration) return options->rig.baseline > 0 ? rectify_pinholes(options, info, r, error) : SV_OK;
    sv_status status = calibration_read(options->rig.calibration, info->width, info->height, &rig, &format, error);
    if (status == SV_OK) take_unit(&options->rig, &rig);
    if (status == SV_OK) status = sv_rectify(&rig, info->width, info->height, options->rig.rectify_alpha, r, error);
    if (status != SV_OK) return status;
    sv_log(SV_LOG_INFO, "calibration: %s, %s f %.1f px, baseline %.3f %s", format,
           r->rectified ? "pictures rectified already, with" : "rectified to", r->focal, r->baseline,
           r->metric ? "m" : "in an unknown unit: no depth in metres without --unit");
    if (options->input.split.swap)
        sv_log(SV_LOG_INFO, "calibration: its left camera belongs to the left pictures after --swap");
    for (int i = 0; i < options->output.count && !r->metric; i++)
        if (export_is_depth(options->output.files[i]))
            return sv_fail(error, SV_FAILED,
                           "%s: there is no depth in metres for %s, because the unit of the baseline is unknown: set "
                           "it with --unit mm (or cm, m)",
                           options->rig.calibration, options->output.files[i]);
    return SV_OK;
}

pairing_counts media_count(stats *stats, pairing *pairing, const pairing_counts *others) {
    pairing_counts counts = pairing_count(pairing);
    counts.dropped_left += others->dropped_left;
    counts.dropped_right += others->dropped_right;
    stats_set_drops(stats, "left without partner", counts.dropped_left);
    stats_set_drops(stats, "right without partner", counts.dropped_right);
    if (!pairing_info(pairing)->live) return counts;
    stats_set_drops(stats, "late", counts.dropped_late);
    stats_set_drops(stats, "broken", counts.broken);
    stats_set_figure(stats, "skew_ms", 1e3 * counts.skew_mean);
    stats_set_figure(stats, "tolerance_ms", 1e3 * pairing_tolerance(pairing));
    return counts;
}
