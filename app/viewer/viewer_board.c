/* A calibration with a board in the window. */
#include "app/viewer/viewer_board.h"

#include "app/calibrate/board_finder.h"
#include "render/window/window.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double taken_for = 0.3; /* seconds that a view of a recording is shown when it has been taken */

struct viewer_board {
    const session *session; /* borrowed, as are the other pointers */
    viewer_rig *rig;
    viewer_notice *notice;
    viewer_tuner *tuner;
    board_finder *finder;
    board_finder_state state;
    bool asked;           /* for a solution, whose result has not been reported yet */
    int reported;         /* views */
    bool reported_enough; /* that nothing is missing */
    double shown_since;   /* when what was found in the newest pair was first drawn, by sv_seconds; 0: it was not yet */
    panel_board shown;
    panel_board_view views[BOARD_MOST_VIEWS];
    panel_mark marks[2 * BOARD_MOST_POINTS];
    panel_box boxes[2 * BOARD_CELLS_ACROSS * BOARD_CELLS_DOWN];
    char text[512], result[768];
};

/* ---- What is drawn over the pictures ---------------------------------------------------------- */

/* The side of a part of the views, -1 if it shows no picture. */
static int side_of(const view_part *part) { return part->kind == VIEW_LEFT ? 0 : part->kind == VIEW_RIGHT ? 1 : -1; }

static void mark(viewer_board *b, const view_part *part, const sv_rectification *r) {
    const int side = side_of(part);
    const board_sight *s = &b->state.seen[side];
    for (int i = 0; i < s->count && b->shown.mark_count < 2 * BOARD_MOST_POINTS; i++) {
        double at[2] = {(double)s->at[i][0], (double)s->at[i][1]}, x, y;
        if (r->width && !sv_rectify_point(r, side, (const double[]){at[0], at[1]}, at)) continue;
        if (layout_to_screen(&part->pane, at[0] + 0.5, at[1] + 0.5, &x, &y))
            b->marks[b->shown.mark_count++] = (panel_mark){(float)x, (float)y};
    }
}

static const source_info *info_of(const viewer_board *b) { return pairing_info(b->session->pairing); }

/* The cells in which no view has had the board. */
static void mark_missing(viewer_board *b, const view_part *part) {
    const int side = side_of(part);
    const view_pane *p = &part->pane;
    const double width = p->scale_x * info_of(b)->width / BOARD_CELLS_ACROSS;
    const double height = p->scale_y * info_of(b)->height / BOARD_CELLS_DOWN;
    for (int i = 0; i < BOARD_CELLS_ACROSS * BOARD_CELLS_DOWN; i++) {
        const int column = i % BOARD_CELLS_ACROSS, row = i / BOARD_CELLS_ACROSS;
        if (b->state.cells[side][row][column]) continue;
        const double left = p->left + column * width, top = p->top - row * height;
        b->boxes[b->shown.box_count++] = (panel_box){.left = (float)fmax(left, p->shown.x),
                                                     .right = (float)fmin(left + width, p->shown.x + p->shown.width),
                                                     .top = (float)fmin(top, p->shown.y + p->shown.height),
                                                     .bottom = (float)fmax(top - height, p->shown.y)};
    }
}

static void draw_over(viewer_board *b, const view_settings *drawn, view_rect area, int64_t frame) {
    view_part parts[VIEW_MOST_PARTS];
    const sv_rectification *r = session_rectification(b->session);
    const int count = view_parts(drawn, area, info_of(b)->width, info_of(b)->height, parts);
    bool done[2] = {false, false};
    b->shown.mark_count = b->shown.box_count = 0;
    for (int i = 0; i < count; i++) {
        const int side = side_of(&parts[i]);
        if (side < 0 || done[side] || !parts[i].pane.shown.width) continue;
        done[side] = true;
        /* Of live sources the search is late. */
        if ((info_of(b)->live && !b->state.solved) || b->state.frame == frame) mark(b, &parts[i], r);
        if (!r->width) mark_missing(b, &parts[i]);
    }
}

/* ---- What is said ----------------------------------------------------------------------------- */

static const char *advise(board_verdict verdict) {
    switch (verdict) {
    case BOARD_TAKEN: return "View taken; move the board";
    case BOARD_NOT_LEFT: return "The board is not seen in the left picture";
    case BOARD_NOT_RIGHT: return "The board is not seen in the right picture";
    case BOARD_NOT_BOTH: return "Both pictures show too little of the board in common";
    case BOARD_MOVES: return "Hold the board still";
    case BOARD_BLURRED: return "The board is blurred: focus, more light, or hold it still";
    case BOARD_KNOWN: return "There is a view with the board there; move or tilt it";
    default: return "There are as many views as can be used";
    }
}

static void describe_progress(viewer_board *b) {
    const options *o = b->session->options;
    const board_finder_state *s = &b->state;
    if (s->solving) {
        snprintf(b->text, sizeof b->text, "Board %s: calibrating with %d views ...", o->rig.calibrate, s->views);
        return;
    }
    int length = snprintf(b->text, sizeof b->text, "Board %s: %d view%s. %s.", o->rig.calibrate, s->views,
                          s->views == 1 ? "" : "s", advise(s->verdict));
    if (!s->missing) {
        char how[64] = "";
        if (!s->solved) snprintf(how, sizeof how, ": %s calibrates", viewer_notice_keys(b->notice, INPUT_OPEN_ALONE));
        snprintf(b->text + length, sizeof b->text - (size_t)length, " Nothing is missing%s.", how);
        return;
    }
    length += snprintf(b->text + length, sizeof b->text - (size_t)length, " Still missing: ");
    for (int i = 0, said = 0; i < BOARD_NEED_COUNT; i++)
        if (s->missing >> i & 1)
            length += snprintf(b->text + length, sizeof b->text - (size_t)length, "%s%s", said++ ? ", " : "",
                               board_need_name(i));
    snprintf(b->text + length, sizeof b->text - (size_t)length, ".");
}

static void describe_result(viewer_board *b) {
    const board_result *r = &b->state.result;
    char fields[2][48];
    for (int side = 0; side < 2; side++) {
        const board_figure *field = &r->field[side];
        snprintf(fields[side], sizeof fields[side], "unknown");
        if (isfinite(field->deviation))
            snprintf(fields[side], sizeof fields[side], "%.2f +- %.2f", field->value, field->deviation);
    }
    snprintf(b->result, sizeof b->result,
             "%d of %d views count\nreprojection error %.3f px\n  left %.3f px, right %.3f px\n"
             "rectified rows off by %.3f +- %.3f px\nbaseline %.2f +- %.2f mm\n"
             "right camera turned\n  about x by %.2f +- %.2f degrees\n  about y by %.2f +- %.2f degrees\n"
             "  about z by %.2f +- %.2f degrees\nfocal lengths\n  left %.1f +- %.1f px\n  right %.1f +- %.1f px\n"
             "fields of view\n  left %s degrees\n  right %s degrees%s",
             r->used, b->state.solved_views, r->error, r->errors[0], r->errors[1], r->rows.value, r->rows.deviation,
             1e3 * r->baseline.value, 1e3 * r->baseline.deviation, r->rotation[0].value, r->rotation[0].deviation,
             r->rotation[1].value, r->rotation[1].deviation, r->rotation[2].value, r->rotation[2].deviation,
             r->focal[0].value, r->focal[0].deviation, r->focal[1].value, r->focal[1].deviation, fields[0], fields[1],
             r->swapped ? "\nThe cameras are swapped: swap the pictures, and calibrate again." : "");
}

/* Logs what became of a request. */
static void report(viewer_board *b) {
    const board_finder_state *s = &b->state;
    if (s->views > b->reported) sv_log(SV_LOG_INFO, "view %d of the board", s->views);
    b->reported = s->views;
    if (!s->missing && !b->reported_enough)
        sv_log(SV_LOG_INFO, "enough views: %s calibrates", viewer_notice_keys(b->notice, INPUT_OPEN_ALONE));
    b->reported_enough = !s->missing;
    if (!b->asked || s->solving) return;
    b->asked = false;
    for (int i = 0; i < s->solved_views; i++)
        if (s->each[i].dropped)
            sv_log(SV_LOG_WARNING, "frame %" PRId64 " was dropped: %s", s->each[i].frame, s->each[i].dropped);
    if (s->solved)
        sv_log(SV_LOG_INFO,
               "calibrated: reprojection error %.3f px, rows off by %.3f px, baseline %.2f mm; %s saves it",
               s->result.error, s->result.rows.value, 1e3 * s->result.baseline.value,
               viewer_notice_keys(b->notice, INPUT_SAVE_RIG));
    else
        sv_log(SV_LOG_ERROR, "%s", s->refusal.text);
}

/* ---- Beginning, solving, ending --------------------------------------------------------------- */

/* Both pictures beside each other, or the map with the left one. */
static void arrange(view_settings *settings, bool map) {
    settings->layout = map ? VIEW_OVER_UNDER : VIEW_SIDE_BY_SIDE;
    settings->kinds[0] = map ? VIEW_DISPARITY : VIEW_LEFT;
    settings->kinds[1] = map ? VIEW_LEFT : VIEW_RIGHT;
    settings->zoom = (view_zoom){0};
}

sv_status viewer_board_begin(viewer_board **out, const session *session, viewer_rig *rig, viewer_notice *notice,
                             viewer_tuner *tuner, view_settings *settings, sv_error *error) {
    const source_info *info = pairing_info(session->pairing);
    viewer_board *b = *out = sv_alloc(1, sizeof *b);
    b->session = session;
    b->rig = rig;
    b->notice = notice;
    b->tuner = tuner;
    arrange(settings, false);
    return board_finder_open(&b->finder, &session->options->rig, info->width, info->height, info->pictures, window_wake,
                             error);
}

void viewer_board_end(viewer_board *b) {
    if (!b) return;
    board_finder_close(b->finder);
    free(b);
}

void viewer_board_solve(viewer_board *b) {
    if (!b || b->asked) return;
    b->asked = true;
    board_finder_solve(b->finder);
    viewer_notice_set(b->notice, "calibrating ...");
}

bool viewer_board_waits(const viewer_board *b) {
    if (!b || info_of(b)->live || !viewer_rig_calibrates(b->rig)) return false;
    const double shown_for = b->state.verdict == BOARD_TAKEN ? taken_for : 0;
    return board_finder_is_busy(b->finder) || b->shown_since <= 0 || sv_seconds() < b->shown_since + shown_for;
}

void viewer_board_offer(viewer_board *b, const frame_pair *pair) {
    if (b) board_finder_offer(b->finder, pair);
}

bool viewer_board_is_swapped(const viewer_board *b) { return b && b->state.solved && b->state.result.swapped; }

/* Prepares the rig that was found, and shows its map. */
static void take_found(viewer_board *b, view_settings *settings) {
    sv_rectification r;
    sv_rig rig;
    sv_error error;
    char note[160];
    if (!viewer_rig_can_change(b->rig) || !board_finder_take(b->finder, &rig, &r, note, sizeof note)) return;
    if (viewer_rig_use(b->rig, &rig, &r, note, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return;
    }
    arrange(settings, true);
    viewer_tuner_repeat(b->tuner); /* until now, quick parameters were matched with */
}

const panel_board *viewer_board_update(viewer_board *b, view_settings *settings, const view_settings *drawn,
                                       view_rect area, int64_t frame) {
    if (!b) return NULL;
    const bool busy = board_finder_is_busy(b->finder);
    board_finder_get_state(b->finder, &b->state);
    b->shown_since = busy ? 0 : b->shown_since > 0 ? b->shown_since : sv_seconds();
    report(b);
    draw_over(b, drawn, area, frame);
    describe_progress(b);
    if (b->state.solved) describe_result(b);
    panel_board *s = &b->shown;
    s->text = b->text;
    s->result = b->state.solved ? b->result : NULL;
    s->refusal = *b->state.refusal.text ? b->state.refusal.text : NULL;
    s->marks = b->marks;
    s->boxes = b->boxes;
    for (int i = 0; i < b->state.solved_views; i++) {
        const board_finder_view *view = &b->state.each[i];
        b->views[i] = (panel_board_view){.frame = view->frame,
                                         .dropped = view->dropped,
                                         .errors = {view->errors[0], view->errors[1]},
                                         .rows = view->rows};
    }
    s->views = b->views;
    s->view_count = b->state.solved_views;
    s->can_solve = !b->asked && b->state.views >= BOARD_LEAST_VIEWS;
    take_found(b, settings);
    return s;
}
