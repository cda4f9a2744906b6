/* A calibration with a board: takes the views, has them solved (rig/board.h), and says how good the result is. */
#include "app/calibrate.h"

#include "app/calibration_file.h"
#include "app/log.h"
#include "app/media.h"
#include "app/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_VIEWS = 80 }; /* the solver's time grows with their cube */

/* Parts of the picture's width: the board of a video has moved less since the frame before, and more since every view
 * that was taken. */
static const double still = 0.003, elsewhere = 0.05;

/* Parts of the picture below which it is said that the board was not shown everywhere. */
static const double enough_coverage = 0.6;

typedef struct calibration {
    const options *options;
    pairing *pairing;
    stats *stats;
    board_view *views;
    int count;
    board_sight *before;    /* of the left picture, in the pair before */
    int64_t pairs, missing; /* read; without the board */
    bool full;              /* there were more views than MOST_VIEWS */
} calibration;

/* ---- Views ------------------------------------------------------------------------------------ */

/* True if a view of a video adds something: the board is still, and no view before had it there. */
static bool is_new(const calibration *c, const board_view *view) {
    const source_info *info = pairing_info(c->pairing);
    if (info->pictures) return true;
    if (board_distance(c->before, &view->sides[0]) > still * info->width) return false;
    for (int i = 0; i < c->count; i++)
        if (board_distance(&c->views[i].sides[0], &view->sides[0]) < elsewhere * info->width &&
            board_distance(&c->views[i].sides[1], &view->sides[1]) < elsewhere * info->width)
            return false;
    return true;
}

/* Adds the pair to the views if it shows the board. */
static sv_status look_at(calibration *c, const frame_pair *pair, sv_error *error) {
    const bool quick = !pairing_info(c->pairing)->pictures;
    const board *b = &c->options->board;
    board_view *view = &c->views[c->count]; /* one more than MOST_VIEWS fits */
    board_sight left;
    view->frame = pair->left->index;
    sv_status status = board_find(b, &pair->left->grey, quick, &view->sides[0], error);
    if (status == SV_OK && view->sides[0].count)
        status = board_find(b, &pair->right->grey, quick, &view->sides[1], error);
    if (status != SV_OK) return status;
    left = view->sides[0];
    c->pairs++;
    if (!view->sides[0].count || !view->sides[1].count || board_join(b, view) < BOARD_LEAST_POINTS) {
        c->missing++;
        if (pairing_info(c->pairing)->pictures)
            sv_log(SV_LOG_WARNING, "frame %" PRId64 ": the board is not in %s", view->frame,
                   !view->sides[0].count   ? "the left picture"
                   : !view->sides[1].count ? "the right picture"
                                           : "both pictures");
    } else if (is_new(c, view)) {
        if (c->count < MOST_VIEWS)
            c->count++;
        else
            c->full = true;
    }
    *c->before = left;
    return SV_OK;
}

static void interrupt(void *of) { pairing_interrupt(of); }

static sv_status take_views(calibration *c, sv_error *error) {
    const frame_range *range = &c->options->frames;
    sv_status status = SV_OK;
    if (range->first && pairing_info(c->pairing)->seekable)
        status = pairing_seek_frame(c->pairing, range->first, error);
    while (status == SV_OK) {
        frame_pair pair;
        char line[96];
        /* Live pairs are numbered when they are taken, so the last one is known without waiting for another. */
        if (pairing_info(c->pairing)->live && range->first + c->pairs >= range->end) break;
        status = media_next(c->pairing, range, c->stats, &pair, error);
        if (stop_requested()) return sv_fail(error, SV_FAILED, "interrupted after %" PRId64 " frames", c->pairs);
        if (status != SV_OK) break;
        status = look_at(c, &pair, error);
        frame_pair_release(&pair);
        snprintf(line, sizeof line, "frame %" PRId64 ", %d views of the board", c->pairs, c->count);
        log_progress(line);
    }
    log_progress(NULL);
    return status == SV_END ? SV_OK : status;
}

/* ---- The result ------------------------------------------------------------------------------- */

static void print_views(const calibration *c) {
    printf("reprojection error (RMS) and offset of the rows after rectification (median), pixels\n");
    printf("%8s %8s %8s %8s\n", "frame", "left", "right", "rows");
    for (int i = 0; i < c->count; i++) {
        const board_view *v = &c->views[i];
        printf("%8" PRId64 " %8.3f %8.3f %8.3f%s%s\n", v->frame, v->errors[0], v->errors[1], v->rows,
               v->dropped ? "  dropped: " : "", v->dropped ? v->dropped : "");
    }
}

static void print_result(const calibration *c, const board_result *r) {
    const source_info *info = pairing_info(c->pairing);
    printf("%d of %d views count; reprojection error %.3f px (left %.3f, right %.3f)\n", r->used, c->count, r->error,
           r->errors[0], r->errors[1]);
    printf("rows after rectification: off by %.3f +- %.3f px\n", r->rows.value, r->rows.deviation);
    printf("baseline: %.3f +- %.3f mm\n", 1e3 * r->baseline.value, 1e3 * r->baseline.deviation);
    printf("rotation of the right camera about x, y, z: %.3f +- %.3f, %.3f +- %.3f, %.3f +- %.3f degrees\n",
           r->rotation[0].value, r->rotation[0].deviation, r->rotation[1].value, r->rotation[1].deviation,
           r->rotation[2].value, r->rotation[2].deviation);
    for (int side = 0; side < 2; side++) {
        const double covered = board_coverage(c->views, c->count, side, info->width, info->height);
        char field[48] = "unknown";
        if (isfinite(r->field[side].deviation))
            snprintf(field, sizeof field, "%.2f +- %.2f degrees", r->field[side].value, r->field[side].deviation);
        printf("%s camera: focal length %.2f +- %.2f px, field of view %s, board seen in %.0f %% of the picture\n",
               side ? "right" : "left", r->focal[side].value, r->focal[side].deviation, field, 100 * covered);
        if (covered < enough_coverage)
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

static sv_status solve(calibration *c, sv_error *error) {
    const source_info *info = pairing_info(c->pairing);
    board_result result;
    char what[160];
    if (c->full)
        sv_log(SV_LOG_WARNING, "only the first %d views of the board are used; --frames selects others", MOST_VIEWS);
    sv_log(SV_LOG_INFO, "%d views of the board in %" PRId64 " pairs", c->count, c->pairs);
    sv_status status = board_calibrate(&c->options->board, c->options->lens, info->width, info->height, c->views,
                                       c->count, &result, error);
    if (c->count) print_views(c);
    if (status != SV_OK) return status;
    print_result(c, &result);
    snprintf(what, sizeof what, "calibrated with the board %s, %d views, reprojection error %.3f px",
             c->options->calibrate, result.used, result.error);
    return calibration_file_save(c->options, &result.rig, what, error);
}

sv_status calibrate_run(const options *options, sv_error *error) {
    const sv_backend *backend;
    const media_colour colour = {false, false};
    calibration c = {.options = options,
                     .stats = stats_create(),
                     .views = calloc(MOST_VIEWS + 1, sizeof *c.views),
                     .before = calloc(1, sizeof *c.before)};
    sv_status status = c.stats && c.views && c.before ? SV_OK : sv_fail(error, SV_FAILED, "out of memory");
    if (status == SV_OK) status = sv_find_backend("cpu", 0, &backend, error);
    if (status == SV_OK)
        status = media_open(options, (pool_memory){backend->alloc, backend->free}, &colour, &c.pairing, error);
    if (status == SV_OK && pairing_info(c.pairing)->live && options->frames.end == INT64_MAX)
        status = sv_fail(error, SV_USAGE, "a live source has no end; say how many frames to use: --frames 0:600");
    if (status == SV_OK) {
        stop_in_order(interrupt, c.pairing);
        status = take_views(&c, error);
        stop_in_order(NULL, NULL);
    }
    if (status == SV_OK) status = solve(&c, error);
    pairing_close(c.pairing);
    stats_destroy(c.stats);
    free(c.views);
    free(c.before);
    return status;
}
