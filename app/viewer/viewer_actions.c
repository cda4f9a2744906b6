/* What each action of the user does. */
#include "app/viewer/viewer_parts.h"

#include "app/media/recording.h"
#include "render/view/view_measures.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
    sv_params params = v->tuning.now;
    char value[32], line[80];
    if (!sv_uses(params.method, parameter)) {
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

static void reset(viewer *v) {
    tuning_reset(&v->tuning, sv_seconds());
    viewer_follow_tuning(v);
}

static void seek_by(viewer *v, double seconds, int frames) {
    if (v->state.playback.seekable) player_seek_by(v->player, v->state.playback.pictures ? frames : seconds);
}

static void step_back(viewer *v) {
    if (v->state.playback.seekable) player_step(v->player, -1);
}

/* The key has made the window take digits, for which a source that cannot seek has no use. */
static void check_number(viewer *v) {
    if (!v->state.playback.seekable) window_type_number(v->window, false);
}

static void seek_number(viewer *v) {
    if (v->state.playback.seekable) player_seek_frame(v->player, window_typed_number(v->window));
}

/* Tells the player which frames to play. */
static void set_range(viewer *v) {
    panel_state *s = &v->state;
    const frame_range range = marks_range(&v->marks, &v->range);
    s->playback.mark_count = v->marks.count;
    memcpy(s->playback.marks, v->marks.positions, sizeof s->playback.marks);
    player_set_range(v->player, &range);
}

static void set_mark(viewer *v) {
    const marks *m = &v->marks;
    char line[160];
    if (!v->state.playback.seekable || v->frame < 0) return;
    marks_next(&v->marks, v->frame, v->state.playback.position);
    set_range(v);
    if (m->count == 1)
        snprintf(line, sizeof line, "A: frame %" PRId64 "; %s again sets B", v->frame, v->options->keys.of[INPUT_MARK]);
    else if (m->count == 2)
        snprintf(line, sizeof line, "repeating frames %" PRId64 " to %" PRId64 "; %s ends it", m->frames[0],
                 m->frames[1], v->options->keys.of[INPUT_MARK]);
    else
        snprintf(line, sizeof line, "A-B loop off");
    viewer_set_notice(v, line);
}

static void toggle_loop(viewer *v) {
    if (!v->state.playback.seekable) return;
    v->range.loop = !v->range.loop;
    set_range(v);
    viewer_set_notice(v, v->range.loop ? "repeat on" : "repeat off");
}

static void set_speed(viewer *v, double factor) {
    char line[32];
    v->state.playback.speed = fmin(16, fmax(1.0 / 16, v->state.playback.speed * factor));
    player_set_pace(v->player, v->state.playback.speed, v->state.playback.real_time);
    snprintf(line, sizeof line, "speed %g", v->state.playback.speed);
    viewer_set_notice(v, line);
}

void viewer_set_offset(viewer *v, double frames) {
    char line[64];
    if (!v->state.offset.movable) return;
    options *o = &v->opener.each[v->opener.current].options;
    v->state.offset.frames = o->offset = frames;
    o->moves = true; /* also when this input is opened again */
    o->offset_in_ms = false;
    player_set_offset(v->player, viewer_offset_of(v, frames));
    snprintf(line, sizeof line, "right side %+.4g frames", frames);
    viewer_set_notice(v, line);
}

/* The kind of the view where the mouse was, otherwise of the first view. */
static int *kind_under_mouse(viewer *v, const input_event *event) {
    const int which = view_find(&v->state.view, panel_picture_area(v->panel, &v->state), event->x, event->y);
    return &v->state.view.kinds[which < 0 ? 0 : which];
}

/* Shows the next kind of view, or the one before. */
static void change_kind(viewer *v, const input_event *event, int by) {
    int *kind = kind_under_mouse(v, event);
    const unsigned lacking = viewer_lacks(v);
    *kind = by > 0 ? view_kind_after(*kind, lacking) : view_kind_before(*kind, lacking);
    viewer_want_colour(v);
    viewer_set_notice(v, view_kind_name(*kind));
}

/* Shows the cloud, or again what was there before. */
static void toggle_cloud(viewer *v, const input_event *event) {
    int *kind = kind_under_mouse(v, event);
    const int before = *kind;
    *kind = before == VIEW_CLOUD ? v->instead_of_cloud : VIEW_CLOUD;
    if (before != VIEW_CLOUD) v->instead_of_cloud = before;
    viewer_want_colour(v);
    viewer_set_notice(v, view_kind_name(*kind));
}

static void change_layout(viewer *v) {
    v->state.view.layout = (v->state.view.layout + 1) % VIEW_LAYOUT_COUNT;
    viewer_want_colour(v);
    viewer_set_notice(v, view_layout_name(v->state.view.layout));
}

static void change_colours(viewer *v) {
    colour_settings *colour = &v->state.view.colour;
    colour->map = (colour->map + 1) % COLOUR_MAP_COUNT;
    viewer_set_notice(v, colour_map_name(colour->map));
}

static void toggle_metres(viewer *v) {
    v->state.view.metres = !v->state.view.metres;
    if (!v->state.metric) viewer_set_notice(v, "metres need a calibration that gives the baseline in metres");
}

static void show_one_to_one(viewer *v, const input_event *event) {
    view_one_to_one(v->view, &v->state.view, panel_picture_area(v->panel, &v->state), event->x, event->y);
}

static void fit(viewer *v, const input_event *event) {
    if (*kind_under_mouse(v, event) == VIEW_CLOUD)
        view_cloud_home(v->view);
    else
        v->state.view.zoom = (view_zoom){0};
}

/* Opens the file that waits for its other side; without one, solves for the cameras. */
static void open_alone(viewer *v) {
    if (*v->intake.waiting)
        viewer_open_names(v, v->intake.waiting, "");
    else
        viewer_solve_board(v);
}

static void toggle_recording(viewer *v) { recording_toggle(v->options->recording, v->options, v->session.pairing); }

/* Esc: closes what is open above the picture, then leaves full screen. */
static void leave(viewer *v) {
    if (v->state.looks.help)
        v->state.looks.help = false;
    else if (*v->intake.waiting)
        v->intake.waiting[0] = 0;
    else if (v->state.opening.shown)
        v->state.opening.shown = false;
    else if (v->state.settings.shown)
        viewer_act_on_settings(v, v->state.settings.question ? INPUT_DECLINE : INPUT_SETTINGS);
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

/* Does what a button of the advice says. */
static void cure(viewer *v, int button) {
    const sv_params cured = advice_cure(v->advice, &v->facts, button);
    if (v->advice == ADVICE_SWAPPED) viewer_swap(v);
    if (v->advice == ADVICE_ALIGN) viewer_align(v);
    if (v->advice == ADVICE_PACE) v->pace = (pace){.behind = false}; /* it has to show again */
    if (v->advice == ADVICE_PACE && !v->state.playback.live && button == 0) {
        v->state.playback.real_time = true;
        player_set_pace(v->player, v->state.playback.speed, true);
    }
    if (cured.method != v->tuning.now.method)
        set_method(v, cured.method);
    else
        tuning_set(&v->tuning, &cured, sv_seconds());
    viewer_follow_tuning(v);
}

/* A line for each action; the compiler says if one has none. */
void viewer_act(viewer *v, const input_event *event) {
    const input_action action = event->action;
    view_settings *view = &v->state.view;
    if (v->state.empty && !needs_no_input(action)) {
        window_type_number(v->window, false); /* which its key has begun */
        return;
    }
    switch (action) {
    case INPUT_QUIT: v->quit = true; break;
    case INPUT_LEAVE: leave(v); break;
    case INPUT_CURE: cure(v, 0); break;
    case INPUT_CURE_OTHERWISE: cure(v, 1); break;
    case INPUT_DISMISS: v->dismissed |= 1u << v->advice; break;
    case INPUT_OPEN: viewer_ask_for_input(v, !v->state.opening.shown); break;
    case INPUT_OPEN_NAMES: viewer_open_names(v, v->state.opening.names[0], v->state.opening.names[1]); break;
    case INPUT_OPEN_DEMO: viewer_open(v, &(request){.demo = true}, false); break;
    case INPUT_OPEN_ALONE: open_alone(v); break;
    case INPUT_PAUSE: player_toggle_pause(v->player); break;
    case INPUT_STEP: player_step(v->player, 1); break;
    case INPUT_STEP_BACK: step_back(v); break;
    case INPUT_SEEK_BACK: seek_by(v, -INPUT_SEEK_SECONDS, -INPUT_SEEK_FRAMES); break;
    case INPUT_SEEK_ON: seek_by(v, INPUT_SEEK_SECONDS, INPUT_SEEK_FRAMES); break;
    case INPUT_SEEK_TO: player_seek(v->player, v->state.playback.seek); break;
    case INPUT_SLOWER: set_speed(v, 0.5); break;
    case INPUT_FASTER: set_speed(v, 2); break;
    case INPUT_AS_RECORDED: set_speed(v, 1 / v->state.playback.speed); break;
    case INPUT_FRAME: check_number(v); break;
    case INPUT_FRAME_TO: seek_number(v); break;
    case INPUT_LOOP: toggle_loop(v); break;
    case INPUT_MARK: set_mark(v); break;
    case INPUT_METHOD: set_method(v, (v->tuning.now.method + 1) % SV_METHOD_COUNT); break;
    case INPUT_METHOD_TO: set_method(v, v->state.params.method); break;
    case INPUT_DEFAULTS: reset(v); break;
    case INPUT_UNDO: undo(v, true); break;
    case INPUT_REDO: undo(v, false); break;
    case INPUT_RHO_UP: turn(v, "rho", 1); break;
    case INPUT_RHO_DOWN: turn(v, "rho", -1); break;
    case INPUT_TAU_UP: turn(v, "tau", 1); break;
    case INPUT_TAU_DOWN: turn(v, "tau", -1); break;
    case INPUT_DISPARITIES_UP: turn(v, "max-disparity", INPUT_DISPARITIES_STEP); break;
    case INPUT_DISPARITIES_DOWN: turn(v, "max-disparity", -INPUT_DISPARITIES_STEP); break;
    case INPUT_RIGHT_LATER: viewer_set_offset(v, v->state.offset.frames + INPUT_OFFSET_STEP); break;
    case INPUT_RIGHT_EARLIER: viewer_set_offset(v, v->state.offset.frames - INPUT_OFFSET_STEP); break;
    case INPUT_VIEW: change_kind(v, event, 1); break;
    case INPUT_VIEW_BACK: change_kind(v, event, -1); break;
    case INPUT_ONE_TO_ONE: show_one_to_one(v, event); break;
    case INPUT_FIT: fit(v, event); break;
    case INPUT_CLOUD: toggle_cloud(v, event); break;
    case INPUT_PIN: viewer_pin(v, event->x, event->y); break;
    case INPUT_UNPIN: view_remove_measures(v->view); break;
    case INPUT_COSTS: v->state.costs.on = !v->state.costs.on; break;
    case INPUT_CLOUD_HOME: view_cloud_home(v->view); break;
    case INPUT_FLY_AHEAD: view_cloud_fly(v->view, 0, 0, 1); break;
    case INPUT_FLY_BACK: view_cloud_fly(v->view, 0, 0, -1); break;
    case INPUT_FLY_LEFT: view_cloud_fly(v->view, -1, 0, 0); break;
    case INPUT_FLY_RIGHT: view_cloud_fly(v->view, 1, 0, 0); break;
    case INPUT_FLY_UP: view_cloud_fly(v->view, 0, -1, 0); break;
    case INPUT_FLY_DOWN: view_cloud_fly(v->view, 0, 1, 0); break;
    case INPUT_LAYOUT: change_layout(v); break;
    case INPUT_COMPARE: viewer_compare_toggle(v); break;
    case INPUT_COMPARE_EDIT: viewer_compare_edit(v); break;
    case INPUT_COMPARE_VIEW: view->compared = (view->compared + 1) % VIEW_COMPARED_COUNT; break;
    case INPUT_BLINK: viewer_blink(v); break;
    case INPUT_COLOURS: change_colours(v); break;
    case INPUT_REASONS: view->colour.show_reasons = !view->colour.show_reasons; break;
    case INPUT_METRES: toggle_metres(v); break;
    case INPUT_SNAPSHOT: v->snapshot_due = true; break;
    case INPUT_RECORD: toggle_recording(v); break;
    case INPUT_SETTINGS:
    case INPUT_SAVE_SETTINGS:
    case INPUT_LOAD_SETTINGS:
    case INPUT_QUALITY:
    case INPUT_SAVE_QUALITY:
    case INPUT_DELETE_QUALITY:
    case INPUT_CONFIRM:
    case INPUT_DECLINE: viewer_act_on_settings(v, action); break;
    case INPUT_SOLVE: viewer_solve_board(v); break;
    case INPUT_ALIGN: viewer_align(v); break;
    case INPUT_SAVE_RIG: viewer_save_rig(v); break;
    case INPUT_STATISTICS: v->state.looks.statistics = !v->state.looks.statistics; break;
    case INPUT_FULL_SCREEN: window_toggle_full_screen(v->window); break;
    case INPUT_PANEL: v->state.looks.open = !v->state.looks.open; break;
    case INPUT_HELP: v->state.looks.help = !v->state.looks.help; break;
    case INPUT_ACTION_COUNT: break;
    }
}
