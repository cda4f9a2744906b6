/* Calibrates with a board: takes the views, has them solved (rig/board.h), and reports how good the result is. */
#include "app/calibrate/calibrate.h"

#include "app/calibrate/calibration_file.h"
#include "app/media/media.h"
#include "base/log.h"
#include "base/stop.h"
#include "rig/board_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct calibration {
    const options *options;
    pairing *pairing;
    stats *stats;
    board_views views;
} calibration;

/* ---- Views ------------------------------------------------------------------------------------ */

static void interrupt(void *of) { pairing_interrupt(of); }

/* For pictures, reports where there is no board. */
static void report_missing(const calibration *c, const frame_pair *pair, board_verdict verdict) {
    const bool right = verdict == BOARD_NOT_RIGHT;
    if (!c->views.pictures || verdict < BOARD_NOT_LEFT || verdict > BOARD_NOT_BOTH) return;
    char *file = pairing_picture_file(c->pairing, right, (right ? pair->right : pair->left)->index);
    sv_log(SV_LOG_WARNING, "%s (frame %" PRId64 "): the board is not in %s", file ? file : "?", pair->left->index,
           verdict == BOARD_NOT_LEFT ? "the left picture"
           : right                   ? "the right picture"
                                     : "both pictures");
    free(file);
}

static sv_status take_views(calibration *c, sv_error *error) {
    const frame_range *range = &c->options->input.frames;
    sv_status status = SV_OK;
    if (range->first && pairing_info(c->pairing)->seekable)
        status = pairing_seek_frame(c->pairing, range->first, error);
    while (status == SV_OK) {
        frame_pair pair;
        board_verdict verdict;
        char line[96];
        /* Live pairs are numbered when they are taken, so the last one is known without waiting for another. */
        if (pairing_info(c->pairing)->live && range->first + c->views.pairs >= range->end) break;
        status = media_next(c->pairing, range, c->stats, &pair, error);
        if (stop_requested()) return sv_fail(error, SV_FAILED, "interrupted after %" PRId64 " frames", c->views.pairs);
        if (status != SV_OK) break;
        const board_pair of = {{frame_grey(pair.left), frame_grey(pair.right)}, pair.left->index, pair.left->time};
        status = board_views_look(&c->views, &of, &verdict, error);
        if (status == SV_OK) report_missing(c, &pair, verdict);
        frame_pair_release(&pair);
        snprintf(line, sizeof line, "frame %" PRId64 ", %d views of the board", c->views.pairs, c->views.count);
        log_progress(line);
    }
    log_progress(NULL);
    return status == SV_END ? SV_OK : status;
}

/* ---- The result ------------------------------------------------------------------------------- */

static void print_views(const calibration *c) {
    printf("reprojection error (RMS) and offset of the rows after rectification (median), pixels\n");
    printf("%8s %8s %8s %8s\n", "frame", "left", "right", "rows");
    for (int i = 0; i < c->views.count; i++) {
        const board_view *v = &c->views.views[i];
        char *file = pairing_picture_file(c->pairing, false, v->frame);
        printf("%8" PRId64 " %8.3f %8.3f %8.3f%s%s%s%s\n", v->frame, v->errors[0], v->errors[1], v->rows,
               file ? "  " : "", file ? file : "", v->dropped ? "  dropped: " : "", v->dropped ? v->dropped : "");
        free(file);
    }
}

static void print_result(const calibration *c, const board_result *r) {
    const source_info *info = pairing_info(c->pairing);
    printf("%d of %d views count; reprojection error %.3f px (left %.3f, right %.3f)\n", r->used, c->views.count,
           r->error, r->errors[0], r->errors[1]);
    printf("rows after rectification: off by %.3f +- %.3f px\n", r->rows.value, r->rows.deviation);
    printf("baseline: %.3f +- %.3f mm\n", 1e3 * r->baseline.value, 1e3 * r->baseline.deviation);
    printf("rotation of the right camera about x, y, z: %.3f +- %.3f, %.3f +- %.3f, %.3f +- %.3f degrees\n",
           r->rotation[0].value, r->rotation[0].deviation, r->rotation[1].value, r->rotation[1].deviation,
           r->rotation[2].value, r->rotation[2].deviation);
    for (int side = 0; side < 2; side++) {
        const double covered = board_coverage(c->views.views, c->views.count, side, info->width, info->height);
        char field[48] = "unknown";
        if (isfinite(r->field[side].deviation))
            snprintf(field, sizeof field, "%.2f +- %.2f degrees", r->field[side].value, r->field[side].deviation);
        printf("%s camera: focal length %.2f +- %.2f px, field of view %s, board seen in %.0f %% of the picture\n",
               side ? "right" : "left", r->focal[side].value, r->focal[side].deviation, field, 100 * covered);
        if (covered < BOARD_ENOUGH_COVERAGE)
            sv_log(SV_LOG_WARNING,
                   "the board was seen in %.0f %% of the %s picture; beyond that its lens is not known: show the board "
                   "near the edges and in the corners too",
                   100 * covered, side ? "right" : "left");
    }
    if (r->swapped)
        sv_log(SV_LOG_WARNING,
               "the cameras are swapped: the right one stands to the left of the left one; swap left and right "
               "(--swap) and calibrate again");
}

char *calibrate_note(const rig_options *options, const board_result *r, char *text, size_t size) {
    snprintf(text, size, "calibrated with the board %s, %d views, reprojection error %.3f px", options->calibrate,
             r->used, r->error);
    return text;
}

static sv_status solve(calibration *c, sv_error *error) {
    const source_info *info = pairing_info(c->pairing);
    board_result result;
    char what[160];
    if (c->views.full)
        sv_log(SV_LOG_WARNING, "only the first %d views of the board are used; --frames selects others",
               BOARD_MOST_VIEWS);
    sv_log(SV_LOG_INFO, "%d view%s of the board in %" PRId64 " pair%s", c->views.count, c->views.count == 1 ? "" : "s",
           c->views.pairs, c->views.pairs == 1 ? "" : "s");
    sv_status status = board_calibrate(&c->options->rig.board, c->options->rig.lens, info->width, info->height,
                                       c->views.views, c->views.count, NULL, NULL, &result, error);
    if (c->views.count >= BOARD_LEAST_VIEWS) print_views(c);
    if (status != SV_OK) return status;
    print_result(c, &result);
    return calibration_file_save(&c->options->rig, &result.rig,
                                 calibrate_note(&c->options->rig, &result, what, sizeof what), NULL, 0, error);
}

sv_status calibrate_run(const options *asked, sv_error *error) {
    options own = *asked; /* with what is found of the layout */
    const options *options = &own;
    const media_colour colour = {false, false};
    calibration c = {.options = options, .stats = stats_create()};
    sv_status status = media_open(&own, (pool_memory){sv_cpu.alloc, sv_cpu.free}, &colour, &c.pairing, error);
    if (status == SV_OK && pairing_info(c.pairing)->live && options->input.frames.end == INT64_MAX)
        status = sv_fail(error, SV_USAGE, "a live source has no end; give the number of frames to use: --frames 0:600");
    if (status == SV_OK) {
        const source_info *info = pairing_info(c.pairing);
        status = board_views_open(&c.views, &options->rig.board, info->width, info->height, info->pictures, error);
    }
    if (status == SV_OK) {
        stop_wait wait;
        stop_in_order();
        stop_wait_begin(&wait, interrupt, c.pairing);
        status = take_views(&c, error);
        stop_wait_end(&wait);
    }
    if (status == SV_OK) status = solve(&c, error);
    pairing_close(c.pairing);
    stats_destroy(c.stats);
    board_views_close(&c.views);
    return status;
}
