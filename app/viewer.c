/* A run with a window: the main thread draws the results of the player's thread, and passes the user's changes to it.
 * Each slot is lent to the player, returned with a result, shown, and lent again. */
#include "app/viewer.h"
#include "app/viewer_parts.h"

#include "app/log.h"
#include "app/maps.h"
#include "app/names.h"
#include "app/overwrite.h"
#include "app/recording.h"
#include "app/settings.h"
#include "app/stop.h"
#include "app/waiting.h"
#include "render/view_cloud.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The interval of drawing without a new map: short enough for a responsive panel, long enough to leave the processor of
 * a software renderer to the matcher. */
static const double frame_interval = 1.0 / 32;

/* Seconds without the mouse after which the bar hides in full screen. */
static const double bar_patience = 2.5;

void viewer_set_notice(viewer *v, const char *text) {
    snprintf(v->notice, sizeof v->notice, "%s", text);
    v->notice_until = sv_seconds() + 4;
    v->notice_is_error = false;
}

/* ---- Results ---------------------------------------------------------------------------------- */

sv_status viewer_lend_slot(viewer *v, int slot, sv_error *error) {
    sv_output output;
    sv_status status = slots_lend(&v->slots, slot, &output, error);
    if (status == SV_OK) player_lend(v->player, slot, &output);
    return status;
}

void viewer_want_colour(viewer *v) {
    const bool matched = sv_methods[v->state.params.method].uses_colour;
    const unsigned needs = v->options->benchmark ? 0 : view_needs(&v->state.view) | VIEW_NEEDS_LEFT;
    const bool right = matched || needs & VIEW_NEEDS_RIGHT, left = right || needs & VIEW_NEEDS_LEFT;
    const bool had_left = atomic_exchange(&v->session.colour->left, left);
    const bool had_right = atomic_exchange(&v->session.colour->right, right);
    const bool more = (left && !had_left) || (right && !had_right);
    if (more && !matched && v->player && v->state.paused) player_set_params(v->player, &v->state.params);
}

/* Shows the result of a slot. */
static sv_status show_result(viewer *v, player_result *result, sv_error *error) {
    const frame *left = result->pair.left;
    if (v->session.aligner) aligner_offer(v->session.aligner, &result->pair, &result->params);
    sv_status status = slots_show(&v->slots, result->slot, error);
    if (status == SV_OK) judge_map(&v->judge, v->options, v->view, v->state.width, v->state.height, left->index);
    v->state.score = judge_describe(&v->judge, v->score, sizeof v->score);
    v->state.errors = v->judge.known ? &v->judge.errors : NULL;
    v->frame = left->index;
    v->shown = result->params;
    v->state.shown = &v->shown;
    v->state.frame = left->index;
    v->state.position = v->state.pictures ? (double)left->index : left->time;
    v->shown_slot = result->slot;
    pictures_take(&v->pictures, &result->pair);
    return status;
}

static double smooth(double old, double sample) { return old > 0 ? old + 0.1 * (sample - old) : sample; }

/* Shows the newest result. `captured`: the capture time of its pair, 0 if there is none. */
static sv_status take_results(viewer *v, double *captured, sv_error *error) {
    player_result result, newest = {.slot = -1};
    /* Asked for at once after it was shown, a buffer would be waited for until it has been drawn from. */
    sv_status status = v->shown_slot < 0 ? SV_OK : viewer_lend_slot(v, v->shown_slot, error);
    v->shown_slot = -1;
    *captured = 0;
    while (status == SV_OK && player_take(v->player, &result)) {
        v->stage_ms[0] = smooth(v->stage_ms[0], result.pair.left->decode_ms);
        for (int i = 0; i < SV_STAGE_COUNT; i++) v->stage_ms[1 + i] = smooth(v->stage_ms[1 + i], result.times.ms[i]);
        if (*captured > 0) {
            frame_pair_release(&newest.pair);
            status = viewer_lend_slot(v, newest.slot, error);
        }
        newest = result;
        *captured = media_capture_time(v->session.pairing, &result.pair);
    }
    if (status != SV_OK)
        frame_pair_release(&newest.pair);
    else if (*captured > 0)
        status = show_result(v, &newest, error);
    return status;
}

/* ---- What the user does ----------------------------------------------------------------------- */

void viewer_follow_tuning(viewer *v) {
    if (!memcmp(&v->tuning.now, &v->state.params, sizeof v->tuning.now)) return;
    v->state.params = v->tuning.now;
    viewer_want_colour(v);
    player_set_params(v->player, &v->state.params);
}

static void set_method(viewer *v, int method) {
    tuning_set_method(&v->tuning, method, sv_seconds());
    viewer_follow_tuning(v);
    viewer_set_notice(v, sv_method_name(method));
}

static void undo(viewer *v, bool back) {
    const bool done = back ? tuning_undo(&v->tuning) : tuning_redo(&v->tuning);
    viewer_follow_tuning(v);
    viewer_set_notice(v, !done ? back ? "nothing to undo" : "nothing to redo" : back ? "undone" : "redone");
}

/* Changes one parameter by `change`, within its range. */
static void turn(viewer *v, const char *name, int change) {
    const sv_parameter *parameter = sv_find_parameter(name);
    sv_params params = v->state.params;
    char value[32], line[80];
    if (!(parameter->methods >> params.method & 1)) {
        snprintf(line, sizeof line, "%s has no %s", sv_method_name(params.method), name);
        viewer_set_notice(v, line);
        return;
    }
    sv_set(&params, parameter, sv_get(&params, parameter) + change);
    if (sv_check_params(&params, NULL) != SV_OK) return;
    tuning_set(&v->tuning, &params, sv_seconds());
    viewer_follow_tuning(v);
    snprintf(line, sizeof line, "%s %s", name, sv_print(&params, parameter, value, sizeof value));
    viewer_set_notice(v, line);
}

static void seek_by(viewer *v, double seconds, int frames) {
    if (v->state.seekable) player_seek_by(v->player, v->state.pictures ? frames : seconds);
}

/* Reads what is on the screen, which has just been drawn in `area`, to be written. */
static sv_status read_snapshot(viewer *v, view_rect area, snapshot *shot, sv_error *error) {
    const frame *left = v->pictures.pair.left, *right = v->pictures.pair.right;
    const bool pictures = v->state.pictures;
    *shot = (snapshot){
        .seen = {NULL, 4 * (size_t)area.width, area.width, area.height, SV_COLOUR8, SV_HOST},
        .params = v->shown,
        .view = v->state.view,
        .frames = {.first = left->index,
                   .end = left->index + 1,
                   .moved = v->state.movable,
                   .pictures = pictures,
                   .offset = pictures ? (double)(right->index - left->index) : right->time - left->time},
    };
    shot->seen.data = malloc(shot->seen.stride * (size_t)area.height + 1);
    sv_status status = shot->seen.data ? maps_alloc(&sv_cpu, v->state.width, v->state.height, &shot->maps, error)
                                       : sv_fail(error, SV_FAILED, "out of memory");
    if (status == SV_OK) status = view_grab(area, &shot->seen, error);
    if (status == SV_OK) status = view_read_maps(v->view, &shot->maps.disparity, &shot->maps.reason, error);
    shot->pair = (frame_pair){frame_retain(v->pictures.pair.left), frame_retain(v->pictures.pair.right)};
    return status;
}

static void take_snapshot(viewer *v, view_rect area) {
    snapshot shot;
    sv_error error;
    v->snapshot_due = false;
    sv_status status = read_snapshot(v, area, &shot, &error);
    if (status == SV_OK && !snapshots_give(v->snapshots, &shot))
        status = sv_fail(&error, SV_FAILED, "earlier ones are still being written");
    if (status == SV_OK) return;
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
    snapshot_free(&shot);
}

static void save_settings(viewer *v) {
    char path[4096];
    sv_error error;
    /* Only the file that the user named is replaced, and no snapshot's, which would then name no frame. */
    const char *named = v->options->in_settings.count ? NULL : v->options->settings;
    snprintf(path, sizeof path, "%s", named ? named : "stereoview.yaml");
    for (int i = 2; !named && !access(path, F_OK) && i < 1000; i++)
        snprintf(path, sizeof path, "stereoview_%d.yaml", i);
    if (overwrite_check_one(v->options, "saving", path, &error) == SV_OK &&
        settings_write(path, &v->state.params, &v->state.view, NULL, &error) == SV_OK)
        sv_log(SV_LOG_INFO, "wrote the settings to %s; --settings %s reads them", path, path);
    else
        sv_log(SV_LOG_ERROR, "the settings were not saved: %s", error.text);
}

/* Tells the player which frames to play. */
static void set_range(viewer *v) {
    panel_state *s = &v->state;
    const frame_range range = marks_range(&v->marks, &v->range);
    s->mark_count = v->marks.count;
    memcpy(s->marks, v->marks.positions, sizeof s->marks);
    player_set_range(v->player, &range);
}

static void set_mark(viewer *v) {
    const marks *m = &v->marks;
    char line[96];
    if (!v->state.seekable || v->frame < 0) return;
    marks_next(&v->marks, v->frame, v->state.position);
    set_range(v);
    if (m->count == 1)
        snprintf(line, sizeof line, "A: frame %" PRId64 "; l again sets B", v->frame);
    else if (m->count == 2)
        snprintf(line, sizeof line, "repeating frames %" PRId64 " to %" PRId64 "; l ends it", m->frames[0],
                 m->frames[1]);
    else
        snprintf(line, sizeof line, "A-B loop off");
    viewer_set_notice(v, line);
}

static void toggle_loop(viewer *v) {
    if (!v->state.seekable) return;
    v->range.loop = !v->range.loop;
    set_range(v);
    viewer_set_notice(v, v->range.loop ? "repeat on" : "repeat off");
}

static void set_speed(viewer *v, double factor) {
    char line[32];
    v->state.speed = fmin(16, fmax(1.0 / 16, v->state.speed * factor));
    player_set_pace(v->player, v->state.speed, v->state.real_time);
    snprintf(line, sizeof line, "speed %g", v->state.speed);
    viewer_set_notice(v, line);
}

double viewer_offset_of(const viewer *v, double frames) {
    const source_info *info = pairing_info(v->session.pairing);
    return info->pictures ? frames : frames / info->rate;
}

static void set_offset(viewer *v, double frames) {
    char line[64];
    if (!v->state.movable) return;
    options *o = &v->opener.each[v->opener.current].options;
    v->state.offset = o->offset = frames;
    o->moves = true; /* also when this input is opened again */
    o->offset_in_ms = false;
    player_set_offset(v->player, viewer_offset_of(v, frames));
    snprintf(line, sizeof line, "right side %+.4g frames", frames);
    viewer_set_notice(v, line);
}

/* The kind of the view where the mouse is, otherwise of the first view. */
static int *kind_under_mouse(viewer *v) {
    int x, y, which = -1;
    if (window_mouse(v->window, &x, &y))
        which = view_find(&v->state.view, panel_picture_area(v->panel, &v->state), x, y);
    return &v->state.view.kinds[which < 0 ? 0 : which];
}

/* Shows the next kind of view, or the one before. */
static void change_kind(viewer *v, int by) {
    int *kind = kind_under_mouse(v);
    const unsigned lacking = view_lacks(v->view);
    *kind = by > 0 ? view_kind_after(*kind, lacking) : view_kind_before(*kind, lacking);
    viewer_want_colour(v);
    viewer_set_notice(v, view_kind_name(*kind));
}

/* Shows the cloud, or again what was there before. */
static void toggle_cloud(viewer *v) {
    int *kind = kind_under_mouse(v);
    const int before = *kind;
    *kind = before == VIEW_CLOUD ? v->instead_of_cloud : VIEW_CLOUD;
    if (before != VIEW_CLOUD) v->instead_of_cloud = before;
    viewer_want_colour(v);
    viewer_set_notice(v, view_kind_name(*kind));
}

static void zoom_one_to_one(viewer *v) {
    int x, y;
    if (!window_mouse(v->window, &x, &y)) x = y = -1;
    view_one_to_one(v->view, &v->state.view, panel_picture_area(v->panel, &v->state), x, y);
}

/* Esc: closes what is open above the picture, then leaves full screen. */
static void leave(viewer *v) {
    if (v->state.help)
        v->state.help = false;
    else if (*v->intake.waiting)
        v->intake.waiting[0] = 0;
    else if (v->state.opening.shown)
        v->state.opening.shown = false;
    else
        window_leave_full_screen(v->window);
}

/* What can be done while no input is open. */
static bool needs_no_input(input_action action) {
    switch (action) {
    case INPUT_QUIT:
    case INPUT_LEAVE:
    case INPUT_OPEN:
    case INPUT_OPEN_NAMES:
    case INPUT_OPEN_DEMO:
    case INPUT_OPEN_ALONE:
    case INPUT_FULL_SCREEN:
    case INPUT_HELP: return true;
    default: return false;
    }
}

/* Does what the advice says. */
static void cure(viewer *v) {
    const sv_params cured = advice_cure(v->advice, &v->facts);
    if (v->advice == ADVICE_EXCHANGED) viewer_exchange(v);
    if (v->advice == ADVICE_PACE && !v->state.live) {
        v->state.real_time = true;
        player_set_pace(v->player, v->state.speed, true);
    }
    if (cured.method != v->state.params.method)
        set_method(v, cured.method);
    else
        tuning_set(&v->tuning, &cured, sv_seconds());
    viewer_follow_tuning(v);
}

static void act(viewer *v, input_action action) {
    view_settings *view = &v->state.view;
    if (v->state.empty && !needs_no_input(action)) {
        window_type_number(v->window, false); /* which its key has begun */
        return;
    }
    switch (action) {
    case INPUT_QUIT: v->quit = true; break;
    case INPUT_LEAVE: leave(v); break;
    case INPUT_CURE: cure(v); break;
    case INPUT_DISMISS: v->dismissed |= 1u << v->advice; break;
    case INPUT_OPEN: viewer_ask_for_input(v, !v->state.opening.shown); break;
    case INPUT_OPEN_NAMES: viewer_open_names(v, v->state.opening.names[0], v->state.opening.names[1]); break;
    case INPUT_OPEN_DEMO: viewer_open(v, &(request){.demo = true}, false); break;
    case INPUT_OPEN_ALONE:
        if (*v->intake.waiting) viewer_open_names(v, v->intake.waiting, "");
        break;
    case INPUT_PAUSE: player_toggle_pause(v->player); break;
    case INPUT_STEP: player_step(v->player, 1); break;
    case INPUT_STEP_BACK:
        if (v->state.seekable) player_step(v->player, -1);
        break;
    case INPUT_SEEK_BACK: seek_by(v, -INPUT_SEEK_SECONDS, -INPUT_SEEK_FRAMES); break;
    case INPUT_SEEK_ON: seek_by(v, INPUT_SEEK_SECONDS, INPUT_SEEK_FRAMES); break;
    case INPUT_SEEK_TO: player_seek(v->player, v->state.seek); break;
    case INPUT_SLOWER: set_speed(v, 0.5); break;
    case INPUT_FASTER: set_speed(v, 2); break;
    case INPUT_AS_RECORDED: set_speed(v, 1 / v->state.speed); break;
    case INPUT_FRAME:
        if (!v->state.seekable) window_type_number(v->window, false);
        break;
    case INPUT_FRAME_TO:
        if (v->state.seekable) player_seek_frame(v->player, window_typed_number(v->window));
        break;
    case INPUT_LOOP: toggle_loop(v); break;
    case INPUT_MARK: set_mark(v); break;
    case INPUT_METHOD: set_method(v, (v->state.params.method + 1) % SV_METHOD_COUNT); break;
    case INPUT_METHOD_TO: set_method(v, v->state.method); break;
    case INPUT_DEFAULTS:
        tuning_reset(&v->tuning, sv_seconds());
        viewer_follow_tuning(v);
        break;
    case INPUT_UNDO: undo(v, true); break;
    case INPUT_REDO: undo(v, false); break;
    case INPUT_RHO_UP: turn(v, "rho", 1); break;
    case INPUT_RHO_DOWN: turn(v, "rho", -1); break;
    case INPUT_TAU_UP: turn(v, "tau", 1); break;
    case INPUT_TAU_DOWN: turn(v, "tau", -1); break;
    case INPUT_DISPARITIES_UP: turn(v, "max-disparity", INPUT_DISPARITIES_STEP); break;
    case INPUT_DISPARITIES_DOWN: turn(v, "max-disparity", -INPUT_DISPARITIES_STEP); break;
    case INPUT_RIGHT_LATER: set_offset(v, v->state.offset + INPUT_OFFSET_STEP); break;
    case INPUT_RIGHT_EARLIER: set_offset(v, v->state.offset - INPUT_OFFSET_STEP); break;
    case INPUT_VIEW: change_kind(v, 1); break;
    case INPUT_VIEW_BACK: change_kind(v, -1); break;
    case INPUT_ONE_TO_ONE: zoom_one_to_one(v); break;
    case INPUT_FIT:
        if (*kind_under_mouse(v) == VIEW_CLOUD)
            view_cloud_home(v->view);
        else
            view->zoom = (view_zoom){0};
        break;
    case INPUT_CLOUD: toggle_cloud(v); break;
    case INPUT_CLOUD_HOME: view_cloud_home(v->view); break;
    case INPUT_FLY_AHEAD: view_cloud_fly(v->view, 0, 0, 1); break;
    case INPUT_FLY_BACK: view_cloud_fly(v->view, 0, 0, -1); break;
    case INPUT_FLY_LEFT: view_cloud_fly(v->view, -1, 0, 0); break;
    case INPUT_FLY_RIGHT: view_cloud_fly(v->view, 1, 0, 0); break;
    case INPUT_FLY_UP: view_cloud_fly(v->view, 0, -1, 0); break;
    case INPUT_FLY_DOWN: view_cloud_fly(v->view, 0, 1, 0); break;
    case INPUT_LAYOUT:
        view->layout = (view->layout + 1) % VIEW_LAYOUT_COUNT;
        viewer_want_colour(v);
        viewer_set_notice(v, view_layout_name(view->layout));
        break;
    case INPUT_COLOURS:
        view->colour.map = (view->colour.map + 1) % COLOUR_MAP_COUNT;
        viewer_set_notice(v, colour_map_name(view->colour.map));
        break;
    case INPUT_REASONS: view->colour.show_reasons = !view->colour.show_reasons; break;
    case INPUT_METRES:
        view->metres = !view->metres;
        if (!v->state.rectification)
            viewer_set_notice(v, "metres need a calibration that gives the baseline in metres");
        break;
    case INPUT_SNAPSHOT: v->snapshot_due = true; break;
    case INPUT_RECORD:
        recording_toggle(v->options->recording, v->options, v->state.live, pairing_offset(v->session.pairing));
        break;
    case INPUT_SAVE_SETTINGS: save_settings(v); break;
    case INPUT_STATISTICS: v->state.statistics = !v->state.statistics; break;
    case INPUT_FULL_SCREEN: window_toggle_full_screen(v->window); break;
    case INPUT_PANEL: v->state.open = !v->state.open; break;
    case INPUT_HELP: v->state.help = !v->state.help; break;
    case INPUT_ACTION_COUNT: break;
    }
}

/* ---- The loop --------------------------------------------------------------------------------- */

/* `skipped`: pairs that the player has left out. */
static void update_drops(viewer *v, int64_t skipped) {
    panel_state *s = &v->state;
    const pairing_counts counts = media_count(v->session.stats, v->session.pairing);
    const panel_drop drops[] = {{"left without partner", counts.dropped_left},
                                {"right without partner", counts.dropped_right},
                                {"late", counts.dropped_late + skipped},
                                {"broken", counts.broken}};
    if (skipped) stats_set_drops(v->session.stats, "late", skipped);
    s->drop_count = 0;
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
        if (drops[i].count) s->drops[s->drop_count++] = drops[i];
    s->skew_ms = 1e3 * counts.skew_mean;
    s->tolerance_ms = 1e3 * pairing_tolerance(v->session.pairing);
}

static void update_alignment(viewer *v) {
    alignment figure;
    if (!v->session.aligner || !aligner_latest(v->session.aligner, &figure)) return;
    alignment_count(&figure, v->session.stats);
    v->state.vertical_offset = (double)figure.offset;
    v->state.alignment_points = figure.known ? figure.points : 0;
    v->state.misaligned = alignment_is_off(&figure);
    v->state.alignment = alignment_describe(&figure, v->options->calibration, v->alignment, sizeof v->alignment);
    if (v->state.misaligned && !v->warned) sv_log(SV_LOG_WARNING, "%s", v->alignment);
    v->warned |= v->state.misaligned;
    brightness bright;
    if (!aligner_brightness(v->session.aligner, &bright)) return;
    v->state.brightness = brightness_describe(&bright, &v->state.params, v->brightness, sizeof v->brightness);
    if (v->state.brightness && !v->warned_of_brightness) sv_log(SV_LOG_WARNING, "%s", v->brightness);
    v->warned_of_brightness |= v->state.brightness != NULL;
}

/* Pairs a second that the source delivers; 0: not known, or pictures, which have no rate of their own. */
static double source_rate(viewer *v, double now) {
    const source_info *info = pairing_info(v->session.pairing);
    const pairing_counts counts = pairing_count(v->session.pairing);
    if (info->live) return pace_arrival_rate(&v->arrivals, counts.pairs + counts.dropped_late, now);
    return info->pictures ? 0 : info->rate * v->state.speed;
}

/* What looks wrong, after all else was updated. */
static void update_advice(viewer *v) {
    panel_state *s = &v->state;
    advice_facts *f = &v->facts;
    const histogram *h = s->histogram;
    *f = (advice_facts){.params = s->params,
                        .darker = s->brightness != NULL,
                        .behind = v->pace.behind && !s->paused,
                        .live = s->live,
                        .real_time = s->real_time};
    if (v->session.aligner && aligner_latest(v->session.aligner, &f->alignment))
        f->exchanged = aligner_exchanged(v->session.aligner);
    /* Only maps of the range that is set say anything about it, and the counts may be of an older one. */
    const bool of_range = h && h->min == s->params.min_disparity && h->min + h->count - 1 == s->params.max_disparity;
    if (of_range && v->frame >= 0) {
        f->values = h->values;
        f->largest = h->largest;
    }
    v->advice = v->options->benchmark ? ADVICE_NONE : advice_choose(f, v->dismissed);
    s->cure = advice_describe(v->advice, f, v->advice_text, sizeof v->advice_text);
    s->advice = v->advice ? v->advice_text : NULL;
}

/* While it plays: whether the matcher keeps up. */
static void update_pace(viewer *v, double now) {
    panel_state *s = &v->state;
    pace_rates rates = {.source = source_rate(v, now), .matched = s->matched_rate};
    for (int i = 0; i < SV_STAGE_COUNT; i++) {
        const double ms = v->stage_ms[i + 1];
        *(i == SV_MATCH ? &rates.match_ms : &rates.rest_ms) += ms;
    }
    /* Fewer than two pairs in the last seconds have no rate. */
    if (rates.matched <= 0 && rates.match_ms > 0) rates.matched = 1e3 / (rates.match_ms + rates.rest_ms);
    if (s->paused)
        v->pace.since = 0;
    else
        pace_update(&v->pace, &rates, now);
    s->pace = v->pace.behind ? pace_describe(&rates, s->params.scale, v->pace_text, sizeof v->pace_text) : NULL;
    if (v->pace.behind && !v->warned_of_pace) sv_log(SV_LOG_WARNING, "%s", v->pace_text);
    v->warned_of_pace |= v->pace.behind;
}

/* The newest line of the log becomes the notice. */
static void notice_log(viewer *v) {
    sv_level level;
    char line[512];
    const unsigned lines = log_latest(&level, line, sizeof line);
    if (lines != v->lines_seen && level <= SV_LOG_INFO) viewer_set_notice(v, line);
    if (lines != v->lines_seen) v->notice_is_error = level == SV_LOG_ERROR;
    v->lines_seen = lines;
}

/* Updates the panel's figures. `message` and `pixel` are borrowed for one frame. */
static void update_state(viewer *v, player_state *player, view_pixel *pixel, view_rect area) {
    panel_state *s = &v->state;
    const double now = sv_seconds();
    int x, y;

    *player = player_get_state(v->player);
    s->typed = window_typing(v->window);
    if (!s->frames && !s->live) s->frames = (long long)fmax(0, (double)pairing_frames(v->session.pairing));
    s->full_screen = window_is_full_screen(v->window);
    s->bar_hidden = window_mouse_rest(v->window) > bar_patience && !s->typed && !panel_has_mouse(v->panel);
    s->paused = player->paused;
    s->shown_rate = stats_recent_rate(v->session.stats, STATS_DRAWN, now);
    s->matched_rate = stats_recent_rate(v->session.stats, STATS_MATCHED, now);
    s->captured_rate = stats_recent_rate(v->session.stats, STATS_CAPTURED, now);
    s->latency_ms = v->latency_ms;
    s->stage_count = 0;
    for (int i = 0; i < SV_STAGE_COUNT + 2; i++) {
        const char *name = i == 0 ? "decode" : i <= SV_STAGE_COUNT ? sv_stage_name(i - 1) : "draw";
        if (v->stage_ms[i] > 0) s->stages[s->stage_count++] = (panel_stage){name, (float)v->stage_ms[i]};
    }
    update_drops(v, player->skipped);
    update_alignment(v);
    update_pace(v, now);
    update_advice(v);

    notice_log(v);
    const bool trouble = pairing_trouble(v->session.pairing, v->trouble, sizeof v->trouble);
    log_clean(v->trouble);
    log_clean(player->error.text);
    if (player->ended && !v->was_ended && s->frames != 1) viewer_set_notice(v, "the end; Space plays it again");
    v->was_ended = player->ended;
    const char *recorded = recording_describe(v->options->recording, v->recorded, sizeof v->recorded);
    s->recording = recorded != NULL;
    const bool waits = waiting_describe(s->shown, player, now, v->waiting, sizeof v->waiting);
    s->message = player->failed          ? player->error.text
                 : trouble               ? v->trouble
                 : waits                 ? v->waiting
                 : now < v->notice_until ? v->notice
                                         : recorded;
    s->message_is_error = player->failed || trouble || (s->message == v->notice && v->notice_is_error);
    if (panel_has_mouse(v->panel) || !window_mouse(v->window, &x, &y)) x = y = -1;
    s->pixel = view_pick(v->view, &v->drawn, area, x, y, pixel) ? pixel : NULL;
}

/* Passes on what the mouse did to the views. */
static void follow_mouse(viewer *v) {
    const view_rect area = panel_picture_area(v->panel, &v->state);
    mouse_event event;
    while (window_next_mouse(v->window, &event)) {
        const bool over_panel = panel_has_mouse(v->panel);
        if (event.twice && !over_panel && v->pressed_picture) window_toggle_full_screen(v->window);
        if (event.kind == MOUSE_PRESS) v->pressed_picture = !over_panel;
        if (!over_panel || event.kind == MOUSE_RELEASE || event.kind == MOUSE_MOVE)
            view_mouse(v->view, &v->state.view, area, &event);
    }
}

/* Follows the map on the screen: the range of its colours, how its disparities are distributed, where its middle is. */
static void follow_map(viewer *v) {
    const sv_params *shown = v->state.shown ? v->state.shown : &v->state.params;
    view_follow_range(v->view, &v->state.view, (float)shown->min_disparity, (float)shown->max_disparity);
    const histogram *h = view_histogram(v->view, shown);
    v->state.histogram = h;
    view_cloud_follow(v->view,
                      h && h->values ? histogram_median(h) : (shown->min_disparity + shown->max_disparity) / 2.0);
}

/* Draws one frame of the window. `captured`: when the pair of the map that is new was, 0 if none is. */
static void draw(viewer *v, double captured, player_state *player) {
    const double start = sv_seconds();
    const view_rect area = panel_picture_area(v->panel, &v->state);
    view_pixel pixel;
    follow_map(v);
    update_state(v, player, &pixel, area);
    window_clear(v->window);
    v->drawn.colour = v->state.view.colour; /* with the range that was followed */
    view_draw(v->view, &v->drawn, area);
    if (v->snapshot_due && v->frame >= 0) take_snapshot(v, area);
    v->state.lacking = view_lacks(v->view);
    if (view_shows(&v->drawn, VIEW_CLOUD))
        stats_set_figure(v->session.stats, "cloud_points", view_cloud_points(v->view));
    v->state.words = v->words;
    v->state.word_count = view_cloud_words(v->view, &v->drawn, area, 40 * window_scale(v->window), v->words,
                                           sizeof v->words / sizeof *v->words);
    const sv_params before = v->state.params;
    const double speed = v->state.speed, offset = v->state.offset;
    const bool real_time = v->state.real_time;
    panel_draw(v->panel, &v->state);
    const double drawn = 1e3 * (sv_seconds() - start);
    window_swap(v->window);

    const double now = sv_seconds();
    stats_tick(v->session.stats, STATS_DRAWN, now);
    stats_add(v->session.stats, STATS_DRAW, drawn);
    v->stage_ms[SV_STAGE_COUNT + 1] = smooth(v->stage_ms[SV_STAGE_COUNT + 1], drawn);
    if (captured > 0) {
        stats_add(v->session.stats, STATS_LATENCY, 1e3 * (now - captured));
        v->latency_ms = smooth(v->latency_ms, 1e3 * (now - captured));
    }
    viewer_want_colour(v);
    if (memcmp(&before, &v->state.params, sizeof before)) {
        tuning_set(&v->tuning, &v->state.params, now);
        player_set_params(v->player, &v->state.params);
    }
    if (speed != v->state.speed || real_time != v->state.real_time)
        player_set_pace(v->player, v->state.speed, v->state.real_time);
    if (offset != v->state.offset) set_offset(v, v->state.offset);
}

/* Draws the window while no input is open. */
static void draw_empty(viewer *v) {
    notice_log(v);
    v->state.message = sv_seconds() < v->notice_until ? v->notice : NULL;
    v->state.message_is_error = v->notice_is_error;
    window_clear(v->window);
    panel_draw(v->panel, &v->state);
    window_swap(v->window);
}

static sv_status loop(viewer *v, sv_error *error) {
    sv_status status = SV_OK;
    player_state player = {0};
    double due = 0; /* when to draw the next frame if nothing happens before */
    while (status == SV_OK && !v->quit && !stop_requested()) {
        input_action action;
        double captured;
        do {
            window_poll(v->window, fmax(0, due - sv_seconds()));
        } while (v->options->benchmark && sv_seconds() < due && !stop_requested());
        due = sv_seconds() + (v->options->benchmark ? 1 / v->options->draw_rate : frame_interval);
        viewer_follow_drops(v);
        while (window_next_action(v->window, &action)) act(v, action);
        viewer_follow_opener(v);
        if (v->state.empty) {
            viewer_forget_mouse(v);
            draw_empty(v);
            continue;
        }
        follow_mouse(v);
        status = take_results(v, &captured, error);
        /* A source that cannot go back brings no colour while it rests: the views do not wait for it. */
        const bool rests = v->state.paused || player.ended || player.failed;
        v->pictures.in_colour = !v->options->benchmark && (v->state.seekable || !rests);
        if (status == SV_OK)
            status =
                pictures_show(&v->pictures, v->player, v->view, &v->state.view, v->shown.row_shift, &v->drawn, error);
        if (status != SV_OK) break;
        draw(v, captured, &player);
        /* A benchmark ends with its files. */
        if (v->options->benchmark && (player.ended || player.failed)) break;
    }
    if (status == SV_OK && v->options->benchmark && player.failed)
        status = sv_fail(error, SV_FAILED, "%s", player.error.text);
    return status;
}

/* Opens the window and, if the command line names an input, the session before it: what is wrong with that is said
 * where the program was started. */
static sv_status open_all(viewer *v, const options *o, sv_error *error) {
    const bool named = options_have_source(o);
    const window_options look = {.title = "stereoview",
                                 .width = 1280,
                                 .height = 800,
                                 .vsync = !o->benchmark,
                                 .debug = o->log_level == SV_LOG_DEBUG};
    opener_init(&v->opener, o, (pool_memory){v->backend->alloc, v->backend->free});
    opening *first = &v->opener.each[0];
    v->options = &first->options;
    v->state = (panel_state){.params = o->params, .view = o->view, .open = true, .speed = 1, .empty = true};
    v->resume = -1;
    tuning_start(&v->tuning, &o->params);
    v->session = (session){.options = v->options, .backend = v->backend, .stats = v->stats, .colour = &first->colour};
    viewer_want_colour(v);
    sv_status status = named ? session_open(&v->session, error) : SV_OK;
    if (status == SV_OK) status = window_open(&v->window, &look, error);
    if (status == SV_NO_DEVICE && !named) return options_refuse_nothing(error);
    if (status == SV_OK) status = panel_create(&v->panel, v->window, error);
    return status == SV_OK && named ? viewer_begin(v, error) : status;
}

sv_status viewer_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error) {
    viewer v = {.backend = backend, .stats = stats};
    sv_status status = open_all(&v, options, error);
    stop_in_order(NULL, NULL);
    if (status == SV_OK) status = loop(&v, error);
    window_hide(v.window);
    viewer_end(&v);
    opener_close(&v.opener);
    recent_free(&v.recent);
    panel_destroy(v.panel);
    window_close(v.window);
    return status;
}
