/* A calibration with a board in the window. */
#include "app/viewer/viewer_board.h"

#include "app/calibrate/board_finder.h"
#include "base/file.h"
#include "render/window/window.h"
#include "rig/board_print.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    char text[512], logged[64], now[64], missing[160];
    char values[PANEL_RESULT_LINES][48];
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

/* ---- Messages ------------------------------------------------------------------------------- */

/* For the person who holds the board. */
static const char *advise(board_verdict verdict) {
    switch (verdict) {
    case BOARD_TAKEN: return "View taken: move the board";
    case BOARD_NOT_LEFT: return "Not in the left picture";
    case BOARD_NOT_RIGHT: return "Not in the right picture";
    case BOARD_NOT_BOTH: return "Show more of it to both";
    case BOARD_MOVES: return "Hold it still";
    case BOARD_BLURRED: return "Blurred: more light, or focus";
    case BOARD_KNOWN: return "Move or tilt it";
    default: return "Enough views";
    }
}

static panel_grade grade_of(board_verdict verdict) {
    return verdict == BOARD_TAKEN || verdict == BOARD_FULL                                ? PANEL_GOOD
           : verdict == BOARD_MOVES || verdict == BOARD_KNOWN || verdict == BOARD_BLURRED ? PANEL_DOUBTFUL
                                                                                          : PANEL_BAD;
}

/* Writes what is missing, in a few words; "" if nothing is. */
static void describe_missing(unsigned missing, char *text, size_t size) {
    static const struct {
        unsigned needs;
        const char *words;
    } words[] = {{1u << BOARD_NEED_NEAR, "nearer"},
                 {1u << BOARD_NEED_FAR, "farther away"},
                 {1u << BOARD_NEED_LEFT, "left side nearer"},
                 {1u << BOARD_NEED_RIGHT, "right side nearer"},
                 {1u << BOARD_NEED_UPPER, "top nearer"},
                 {1u << BOARD_NEED_LOWER, "bottom nearer"},
                 {1u << BOARD_NEED_COVERAGE, "in the red parts"}};
    int length = 0;
    *text = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (missing & words[i].needs)
            length += snprintf(text + length, size - (size_t)length, "%s%s", length ? ", " : "", words[i].words);
}

static void describe_progress(viewer_board *b) {
    const options *o = b->session->options;
    const board_finder_state *s = &b->state;
    char missing[sizeof b->missing - 16];
    panel_board *shown = &b->shown;
    shown->now = shown->missing = NULL;
    if (s->solving) {
        snprintf(b->text, sizeof b->text, "Board %s: calibrating with %d views ...", o->rig.calibrate, s->views);
        return;
    }
    describe_missing(s->missing, missing, sizeof missing);
    snprintf(b->text, sizeof b->text, "Board %s: %d view%s. %s.", o->rig.calibrate, s->views, s->views == 1 ? "" : "s",
             *missing ? "Still needed: the board " : "That is enough");
    if (*missing) snprintf(b->text + strlen(b->text) - 1, sizeof b->text - strlen(b->text), "%s.", missing);
    if (s->solved) return;
    snprintf(b->now, sizeof b->now, "%d  %s", s->views,
             s->pairs ? advise(s->verdict) : "Hold the board in front of both cameras");
    if (*missing)
        snprintf(b->missing, sizeof b->missing, "still needed: %s", missing);
    else
        snprintf(b->missing, sizeof b->missing, "that is enough: %s calibrates",
                 viewer_notice_keys(b->notice, INPUT_OPEN_ALONE));
    shown->now = b->now;
    shown->missing = b->missing;
    shown->progress = s->pairs ? grade_of(s->verdict) : PANEL_UNKNOWN;
    if (strcmp(b->now, b->logged)) sv_log(SV_LOG_DEBUG, "guidance: %s; %s", b->now, b->missing);
    snprintf(b->logged, sizeof b->logged, "%s", b->now);
}

/* Good below the one limit, bad from the other one on. */
static panel_grade judge(double value, double good, double bad) {
    return isnan(value) ? PANEL_UNKNOWN : value < good ? PANEL_GOOD : value < bad ? PANEL_DOUBTFUL : PANEL_BAD;
}

SV_PRINTF(4, 5)
static void line(viewer_board *b, const char *name, panel_grade grade, const char *format, ...) {
    const int i = b->shown.line_count++;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->values[i], sizeof b->values[i], format, arguments);
    va_end(arguments);
    b->shown.lines[i] = (panel_result_line){name, b->values[i], grade};
}

/* A value with its deviation, which should be less than a share of it. */
static void uncertain(viewer_board *b, const char *name, const board_figure *f, double scale, double size, double good,
                      const char *unit) {
    if (!isfinite(f->deviation)) {
        line(b, name, PANEL_UNKNOWN, "unknown");
        return;
    }
    line(b, name, judge(f->deviation / size, good, 5 * good), "%.2f ± %.2f %s", scale * f->value, scale * f->deviation,
         unit);
}

/* Half a pixel of error and a quarter of a pixel between rows are what a careful calibration stays below; a deviation
 * of 1 % of the baseline is one of 1 % of each distance. */
static void describe_result(viewer_board *b) {
    static const char *const axes[] = {"turned about x", "about y", "about z"};
    static const char *const sides[2][2] = {{"focal length left", "right"}, {"field of view left", "right"}};
    const board_result *r = &b->state.result;
    const double degrees = 1;
    b->shown.line_count = 0;
    line(b, "views that count", judge(b->state.solved_views - r->used, 1, 1 + r->used / 2.0), "%d of %d", r->used,
         b->state.solved_views);
    line(b, "reprojection error", judge(r->error, 0.5, 1), "%.3f px", r->error);
    line(b, "left, right", judge(fmax(r->errors[0], r->errors[1]), 0.5, 1), "%.3f, %.3f px", r->errors[0],
         r->errors[1]);
    line(b, "rows off by", judge(r->rows.value, 0.25, 1), "%.3f ± %.3f px", r->rows.value, r->rows.deviation);
    uncertain(b, "baseline", &r->baseline, 1e3, fabs(r->baseline.value), 0.01, "mm");
    for (int i = 0; i < 3; i++) uncertain(b, axes[i], &r->rotation[i], 1, degrees, 0.1, "°");
    for (int i = 0; i < 2; i++) uncertain(b, sides[0][i], &r->focal[i], 1, fabs(r->focal[i].value), 0.005, "px");
    for (int i = 0; i < 2; i++) uncertain(b, sides[1][i], &r->field[i], 1, fabs(r->field[i].value), 0.005, "°");
    if (r->swapped) line(b, "left and right", PANEL_BAD, "swapped: swap them, calibrate again");
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

/* ---- The choice of a board -------------------------------------------------------------------- */

void viewer_board_offer_choice(panel_board_choice *c) {
    static const char *const kinds[] = {"chessboard", "charuco", "aprilgrid", NULL};
    static const char *const sizes[] = {"Columns and rows of inner corners, one fewer than squares:",
                                        "Columns and rows of squares:", "Columns and rows of tags:"};
    *c = (panel_board_choice){.columns = 9, .rows = 6, .square = 25, .kinds = kinds, .sizes = sizes};
    if (board_can_find(NULL) != SV_OK) c->refusal = "This program was built without OpenCV, which finds boards.";
}

sv_status viewer_board_choose(const panel_board_choice *c, char *text, size_t size, sv_error *error) {
    static const char *const prefixes[] = {"", "charuco:", "aprilgrid:"};
    char marker[32] = "";
    board board;
    if (c->kind != BOARD_CHESS && c->marker > 0) snprintf(marker, sizeof marker, ":%.6gmm", (double)c->marker);
    snprintf(text, size, "%s%dx%d:%.6gmm%s", prefixes[c->kind], c->columns, c->rows, (double)c->square, marker);
    return board_parse(text, &board, error);
}

static sv_status print(const panel_board_choice *c, const options *o, sv_error *error) {
    const char *folder = o->output.snapshots;
    char name[64], path[4096];
    board board;
    sv_status status = viewer_board_choose(c, name, sizeof name, error);
    if (status != SV_OK) return status;
    board_parse(name, &board, NULL);
    if (folder && mkdir(folder, 0777) && errno != EEXIST) return file_failed("make the folder", folder, error);
    snprintf(path, sizeof path, "%s%sstereoview_board_%dx%d.pdf", folder ? folder : "", folder ? "/" : "", c->columns,
             c->rows);
    return board_print(path, &board, name, o->rig.paper, error);
}

void viewer_board_print(const panel_board_choice *c, const options *o) {
    sv_error error;
    if (print(c, o, &error) != SV_OK) sv_log(SV_LOG_ERROR, "the board was not written: %s", error.text);
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
    b->tuner->again = true; /* until now, quick parameters were matched with */
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
    s->can_end = !b->asked;
    s->can_solve = !b->asked && b->state.views >= BOARD_LEAST_VIEWS;
    take_found(b, settings);
    return s;
}
