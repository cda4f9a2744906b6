/* The views from which cameras are calibrated with a board. */
#include "rig/board_views.h"

#include "stereo/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Fractions of the picture's width, and seconds. In a video, a board must move by less than `still` for `still_for`
 * seconds, because cameras are not quite simultaneous. A board nearer than `elsewhere` to another view's is in the same
 * place. */
static const double still = 0.003, still_for = 0.3, elsewhere = 0.05;

/* Values of board_sharpness: a picture is blurred below `least_sharp`, and below the fraction `nearly_sharpest` of the
 * sharpest one so far unless it reaches `sharp_enough`. */
static const double least_sharp = 0.12, nearly_sharpest = 0.6, sharp_enough = 0.25;

/* Values of board_posture: a board is near from `near_size` on, far up to `far_size`, and tilted from `tilted` on. */
static const double near_size = 0.45, far_size = 0.35, tilted = 0.08;

sv_status board_views_open(board_views *v, const board *board, int width, int height, bool pictures, sv_error *error) {
    *v = (board_views){.board = board, .width = width, .height = height, .pictures = pictures};
    v->views = sv_alloc(BOARD_MOST_VIEWS + 1, sizeof *v->views);
    v->postures = sv_alloc(BOARD_MOST_VIEWS + 1, sizeof *v->postures);
    v->seen = sv_alloc(2, sizeof *v->seen);
    v->rest = sv_alloc(2, sizeof *v->rest);
    return board_can_find(error);
}

void board_views_close(board_views *v) {
    free(v->views);
    free(v->postures);
    free(v->seen);
    free(v->rest);
    *v = (board_views){.count = 0};
}

/* ---- Taking views ----------------------------------------------------------------------------- */

/* Only the times of the pairs matter, not how many are examined. */
static bool is_still(board_views *v, double time) {
    bool moved = !(time >= v->rests_since); /* played again */
    for (int side = 0; side < 2; side++) moved |= board_distance(&v->rest[side], &v->seen[side]) > still * v->width;
    if (!moved) return time - v->rests_since >= still_for;
    v->rest[0] = v->seen[0];
    v->rest[1] = v->seen[1];
    v->rests_since = time;
    return false;
}

static bool is_sharp(board_views *v, const board_pair *pair) {
    bool sharp = true;
    for (int side = 0; side < 2; side++) {
        const double slope = board_sharpness(pair->pictures[side], &v->seen[side]);
        v->sharpest[side] = fmax(v->sharpest[side], slope);
        sharp =
            sharp && slope >= least_sharp && (slope >= sharp_enough || slope >= nearly_sharpest * v->sharpest[side]);
    }
    return sharp;
}

/* What a view shows: bit 1 << board_need. */
static unsigned shows(const board_posture *p) {
    if (!(p->size > 0)) return 0;
    return (p->size >= near_size ? 1u << BOARD_NEED_NEAR : 0) | (p->size <= far_size ? 1u << BOARD_NEED_FAR : 0) |
           (p->across <= -tilted ? 1u << BOARD_NEED_LEFT : 0) | (p->across >= tilted ? 1u << BOARD_NEED_RIGHT : 0) |
           (p->down <= -tilted ? 1u << BOARD_NEED_UPPER : 0) | (p->down >= tilted ? 1u << BOARD_NEED_LOWER : 0);
}

static bool is_elsewhere(const board_views *v, const board_view *a, const board_view *b) {
    return board_distance(&a->sides[0], &b->sides[0]) >= elsewhere * v->width ||
           board_distance(&a->sides[1], &b->sides[1]) >= elsewhere * v->width;
}

/* A tilt counts like another place; one that no view shows is new anywhere. */
static bool is_new(const board_views *v, const board_view *view, const board_posture *p) {
    if (!v->pictures && shows(p) & ~v->shown) return true;
    for (int i = 0; i < v->count; i++) {
        const board_posture *q = &v->postures[i];
        const bool turned = fabs(p->across - q->across) >= tilted || fabs(p->down - q->down) >= tilted;
        if (v->pictures ? v->views[i].frame == view->frame : !turned && !is_elsewhere(v, &v->views[i], view))
            return false;
    }
    return true;
}

static board_verdict verdict_of(board_views *v, const board_pair *pair, board_view *view, board_posture *posture) {
    *view = (board_view){.frame = pair->frame, .sides = {v->seen[0], v->seen[1]}};
    if (!v->seen[0].count) return BOARD_NOT_LEFT;
    if (!v->seen[1].count) return BOARD_NOT_RIGHT;
    if (board_join(v->board, view) < BOARD_LEAST_POINTS) return BOARD_NOT_BOTH;
    if (!v->pictures && !is_still(v, pair->time)) return BOARD_MOVES;
    if (!board_find_posture(v->board, &view->sides[0], v->width, v->height, posture))
        *posture = (board_posture){.size = 0};
    if (!is_new(v, view, posture)) return BOARD_KNOWN;
    if (!v->pictures && !is_sharp(v, pair)) return BOARD_BLURRED;
    return v->count < BOARD_MOST_VIEWS ? BOARD_TAKEN : BOARD_FULL;
}

board_verdict board_views_add(board_views *v, const board_pair *pair) {
    board_view *view = &v->views[v->count]; /* one more than BOARD_MOST_VIEWS fits */
    const board_verdict verdict = verdict_of(v, pair, view, &v->postures[v->count]);
    v->pairs++;
    v->full |= verdict == BOARD_FULL;
    if (verdict != BOARD_TAKEN) return verdict;
    v->shown |= shows(&v->postures[v->count]);
    v->count++;
    return verdict;
}

sv_status board_views_look(board_views *v, const board_pair *pair, board_verdict *verdict, sv_error *error) {
    v->seen[1].count = 0;
    sv_status status = board_find(v->board, pair->pictures[0], !v->pictures, &v->seen[0], error);
    /* Without the board on one side the pair is useless, and a search that finds nothing takes longest. */
    if (status == SV_OK && v->seen[0].count)
        status = board_find(v->board, pair->pictures[1], !v->pictures, &v->seen[1], error);
    if (status == SV_OK) *verdict = board_views_add(v, pair);
    return status;
}

/* ---- What is missing -------------------------------------------------------------------------- */

unsigned board_views_missing(const board_views *v) {
    unsigned shown = v->shown;
    if (board_coverage(v->views, v->count, 0, v->width, v->height) >= BOARD_ENOUGH_COVERAGE &&
        board_coverage(v->views, v->count, 1, v->width, v->height) >= BOARD_ENOUGH_COVERAGE)
        shown |= 1u << BOARD_NEED_COVERAGE;
    return ~shown & ((1u << BOARD_NEED_COUNT) - 1);
}
