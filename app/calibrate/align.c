/* An alignment without a board: gathers points (rig/align_points.h) over many pairs, has the rig estimated
 * (rig/selfalign.h), and reports how good it is. */
#include "app/calibrate/align.h"

#include "app/calibrate/calibration_file.h"
#include "app/media/fov.h"
#include "app/media/media.h"
#include "base/log.h"
#include "base/stop.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The deviation of the yaw, degrees, above which it counts as poorly determined. */
static const double unsure_yaw = 0.5;

/* ---- The estimate ----------------------------------------------------------------------------- */

sv_status align_find_points(const rig_options *options, const source_info *info, const sv_pair *pair, int threads,
                            selfalign_point points[ALIGN_POINTS_MOST], int *count, sv_error *error) {
    return align_points_find(pair, fov_focal(options, info), options->align_lens, threads, points, count, error);
}

sv_status align_estimate(const rig_options *options, const source_info *info, const selfalign_point *points, int count,
                         selfalign_result *result, sv_rig *rig, sv_error *error) {
    const sv_status status = selfalign(points, count, info->width, info->height, fov_focal(options, info),
                                       options->align_lens, result, error);
    *rig = result->rig;
    rig->metric = options->baseline > 0;
    for (int i = 0; i < 3 && rig->metric; i++) rig->translation[i] *= options->baseline;
    return status;
}

char *align_note(const rig_options *options, const source_info *info, const selfalign_result *r, char *text,
                 size_t size) {
    snprintf(text, size, "aligned without a board, %d points, rows off by %.3f px, field of view %s%.4g degrees",
             r->used, r->rows,
             options->fov > 0       ? ""
             : info->focal_35mm > 0 ? "of the file's focal length, "
                                    : "assumed, ",
             fov_degrees(options, info));
    return text;
}

/* ---- A run ------------------------------------------------------------------------------------ */

static void interrupt(void *of) { pairing_interrupt(of); }

/* Reads pairs and finds their points. */
static sv_status gather(const options *options, pairing *pairing, stats *stats, selfalign_point *points, int *count,
                        sv_error *error) {
    const frame_range *range = &options->input.frames;
    const source_info *info = pairing_info(pairing);
    /* The pairs are spread over a long file. */
    const int64_t frames = media_frames(range, info);
    const int64_t every = frames < INT64_MAX ? (frames + ALIGN_MOST_PAIRS - 1) / ALIGN_MOST_PAIRS : 1;
    sv_status status = SV_OK;
    int pairs = 0;
    if (range->first && info->seekable) status = pairing_seek_frame(pairing, range->first, error);
    for (int64_t n = 0; status == SV_OK && pairs < ALIGN_MOST_PAIRS; n++) {
        frame_pair pair;
        int found;
        char line[96];
        /* Live pairs are numbered when they are taken, so the last one is known without waiting for another. */
        if (info->live && range->first + n >= range->end) break;
        status = media_next(pairing, range, stats, &pair, error);
        if (stop_requested()) return sv_fail(error, SV_FAILED, "interrupted after %d pairs", pairs);
        if (status != SV_OK) break;
        if (n % (every > 1 ? every : 1) == 0) {
            const sv_pair pictures = media_host_pictures(&pair);
            status = align_find_points(&options->rig, info, &pictures, options->match.threads, points + *count, &found,
                                       error);
            *count += found;
            pairs++;
        }
        frame_pair_release(&pair);
        snprintf(line, sizeof line, "%d pairs, %d points", pairs, *count);
        log_progress(line);
    }
    log_progress(NULL);
    if (status == SV_OK || status == SV_END)
        sv_log(SV_LOG_INFO, "%d points in %d pair%s", *count, pairs, pairs == 1 ? "" : "s");
    return status == SV_END ? SV_OK : status;
}

static void print_result(const rig_options *options, const selfalign_result *r) {
    printf("%d of %d points agree; their rows after rectification: off by %.3f px\n", r->used, r->points, r->rows);
    printf("rotation of the right camera about x, y, z: %.3f +- %.3f, %.3f +- %.3f, %.3f +- %.3f degrees\n",
           r->rotation[0].value, r->rotation[0].deviation, r->rotation[1].value, r->rotation[1].deviation,
           r->rotation[2].value, r->rotation[2].deviation);
    printf("ratio of focal lengths, right to left: %.4f +- %.4f\n", r->ratio.value, r->ratio.deviation);
    if (options->align_lens)
        printf("radial coefficient k4: left %.3f +- %.3f, right %.3f +- %.3f\n", r->radial[0].value,
               r->radial[0].deviation, r->radial[1].value, r->radial[1].deviation);
    if (r->rotation[1].deviation > unsure_yaw)
        sv_log(SV_LOG_WARNING,
               "the rotation about y is poorly determined: all disparities may be off by the same amount; show nearer "
               "objects, or calibrate with a board");
}

/* Gathers points, estimates the rig, prints and saves it. */
static sv_status align(const options *options, pairing *pairing, sv_rig *rig, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    stats *stats = stats_create(); /* not those of the run, in which these pairs may occur again */
    selfalign_point *points = sv_alloc((size_t)ALIGN_POINTS_MOST * ALIGN_MOST_PAIRS, sizeof *points);
    selfalign_result result;
    char note[160];
    int count = 0;
    sv_status status = fov_check(&options->rig, info, error);
    if (status == SV_OK) {
        fov_log(&options->rig, info);
        sv_log(SV_LOG_INFO, "aligning the cameras with up to %d pairs", ALIGN_MOST_PAIRS);
        stop_wait wait;
        stop_in_order();
        stop_wait_begin(&wait, interrupt, pairing);
        status = gather(options, pairing, stats, points, &count, error);
        stop_wait_end(&wait);
    }
    if (status == SV_OK) status = align_estimate(&options->rig, info, points, count, &result, rig, error);
    if (status == SV_OK) {
        print_result(&options->rig, &result);
        if (options->rig.saved_count)
            status = calibration_file_save(&options->rig, rig,
                                           align_note(&options->rig, info, &result, note, sizeof note), NULL, 0, error);
    }
    stats_destroy(stats);
    free(points);
    return status;
}

sv_status align_pairing(const options *options, pairing *pairing, sv_rectification *r, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    sv_rig rig;
    sv_status status = align(options, pairing, &rig, error);
    if (status == SV_OK) status = sv_rectify(&rig, info->width, info->height, options->rig.rectify_alpha, r, error);
    if (status != SV_OK) return status;
    pairing_number_anew(pairing);
    return info->seekable ? pairing_seek_frame(pairing, options->input.frames.first, error) : SV_OK;
}

sv_status align_run(const options *asked, sv_error *error) {
    options own = *asked; /* with what is found of the layout */
    own.run.benchmark = false;
    const media_colour colour = {false, false};
    pairing *pairing;
    sv_rig rig;
    sv_status status = media_open(&own, (pool_memory){sv_cpu.alloc, sv_cpu.free}, &colour, &pairing, error);
    if (status == SV_OK) status = align(&own, pairing, &rig, error);
    pairing_close(pairing);
    return status;
}
