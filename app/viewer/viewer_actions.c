/* What each action of the user does. */
#include "app/viewer/viewer_state.h"

#include "app/viewer/viewer_measures.h"

#include <stdio.h>

/* ---- Parameters ------------------------------------------------------------------------------- */

static void set_method(viewer *v, int method) {
    viewer_tuner_set_method(&v->tuner, method);
    viewer_notice_set(&v->notice, "%s", sv_method_name(method));
}

static void undo(viewer *v, bool back) {
    const bool done = viewer_tuner_step(&v->tuner, back);
    viewer_notice_set(&v->notice, !done ? back ? "nothing to undo" : "nothing to redo" : back ? "undone" : "redone");
}

/* Changes one parameter by `change`, within its range. */
static void turn(viewer *v, const char *name, int change) {
    const sv_parameter *parameter = sv_find_parameter(name);
    sv_params params = *viewer_tuner_edited(&v->tuner);
    char value[32];
    if (!sv_uses(params.method, parameter)) {
        viewer_notice_set(&v->notice, "%s has no %s", sv_method_name(params.method), name);
        return;
    }
    sv_set(&params, parameter, sv_get(&params, parameter) + change);
    if (sv_check_params(&params, NULL) != SV_OK) return;
    viewer_tuner_set(&v->tuner, &params);
    viewer_notice_set(&v->notice, "%s %s", name, sv_print(&params, parameter, value, sizeof value));
}

/* Begins with the pair on the screen: while nothing plays, no other comes. */
static void align(viewer *v) {
    viewer_rig_align(&v->rig);
    if (v->map.of_map) viewer_rig_offer(&v->rig, &v->map.pair);
}

/* Does what a button of the strip says. True if that is another input. */
static bool use_cure(viewer *v, int button, viewer_wanted *wanted) {
    const rig_case *of;
    const cure cure = viewer_strip_cure(&v->strip, button, &of);
    const sv_params cured = cures_apply(cure, of);
    switch (cure) {
    case CURE_NONE: viewer_notice_set(&v->notice, "nothing to fix"); break;
    case CURE_PAIR: viewer_playback_move_right(&v->playback, of->state.items[SV_RIG_TIME].values[0]); break;
    case CURE_ALIGN: align(v); break;
    case CURE_SKIP: viewer_playback_play_in_real_time(&v->playback); break;
    case CURE_SGM: set_method(v, cured.method); break;
    case CURE_SHIFT:
    case CURE_PREFILTER:
    case CURE_WIDEN:
    case CURE_SHRINK: viewer_tuner_set(&v->tuner, &cured); break;
    case CURE_ARRANGE: *wanted = viewer_inputs_arranged(&v->inputs, v->source.layout, v->source.swap); return true;
    case CURE_SWAP: *wanted = viewer_inputs_swapped(&v->inputs); return true;
    }
    if (cure == CURE_SKIP || cure == CURE_SHRINK)
        v->pace.pace = (pace){.behind = false}; /* it has to fall behind again */
    return false;
}

/* Begins to calibrate with the board that was chosen, or ends that. True if that is another input. */
static bool calibrate(viewer *v, viewer_wanted *wanted) {
    char board[64] = REQUEST_NO_BOARD;
    sv_error error;
    if (!v->board && viewer_board_choose(&v->state.board_choice, board, sizeof board, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return false;
    }
    if (viewer_tuner_compares(&v->tuner)) viewer_compare_toggle(&v->compare);
    viewer_strip_close(&v->strip);
    *wanted = viewer_inputs_with_board(&v->inputs, board);
    const char *saved = v->board ? viewer_rig_saved(&v->rig) : NULL;
    if (saved) snprintf(wanted->request.calibration, sizeof wanted->request.calibration, "%s", saved);
    return true;
}

/* ---- Inputs and boxes ------------------------------------------------------------------------- */

/* Opens the file that waits for its other side; without one, solves for the cameras. */
static bool open_alone(viewer *v, viewer_wanted *wanted) {
    const bool waits = viewer_inputs_waiting(&v->inputs, wanted);
    if (!waits) viewer_board_solve(v->board);
    return waits;
}

/* One box at a time. */
static void toggle_opening(viewer *v) {
    viewer_export_hide(&v->exported);
    viewer_settings_hide(&v->settings);
    viewer_opening_show(&v->inputs.box, !viewer_opening_is_shown(&v->inputs.box));
}

static void toggle_settings(viewer *v) {
    viewer_export_hide(&v->exported);
    viewer_opening_show(&v->inputs.box, false);
    viewer_settings_act(&v->settings, INPUT_SETTINGS);
}

static void toggle_export(viewer *v) {
    const frame_range range = viewer_playback_range(&v->playback);
    const int64_t frames = pairing_frames(v->session.pairing);
    const int64_t end = frames > 0 && frames < range.end ? frames : range.end;
    if (pairing_info(v->session.pairing)->live) {
        viewer_notice_set(&v->notice, "a live source is exported from its recording: record it, and open that");
        return;
    }
    viewer_opening_show(&v->inputs.box, false);
    viewer_settings_hide(&v->settings);
    viewer_export_toggle(&v->exported, range.first, end < INT64_MAX ? end - 1 : -1, v->state.metric);
}

/* What is on the screen, for other frames. */
static void start_export(viewer *v) {
    const int which = viewer_compare_leading(&v->compare, v->state.view.compared);
    const char *note;
    const sv_rig *rig = viewer_rig_known(&v->rig, &note);
    export_order order = {.options = replay_with_rows(v->session.options, session_rectification(&v->session)->rows),
                          .backend = v->session.backend,
                          .has_rig = rig != NULL,
                          .colours = v->state.view.colour,
                          .limits = v->state.view.limits};
    order.options.match.params = which ? *viewer_tuner_of(&v->tuner, 1) : *viewer_tuner_of(&v->tuner, 0);
    sv_choose_range(&order.options.match.params, true); /* it is not looked for again */
    if (rig) order.rig = *rig;
    viewer_export_start(&v->exported, &order);
}

/* Esc: closes what is open above the picture, then leaves full screen. */
static void leave(viewer *v) {
    if (!panel_close_help(&v->state) && !viewer_inputs_leave(&v->inputs) && !viewer_settings_leave(&v->settings) &&
        !viewer_notice_close_list(&v->notice) && !viewer_strip_close(&v->strip) && !viewer_export_hide(&v->exported))
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
    case INPUT_MESSAGES:
    case INPUT_HELP: return true;
    default: return false;
    }
}

bool viewer_act(viewer *v, const input_event *event, viewer_wanted *wanted) {
    const input_action action = event->action;
    if (!v->player && !needs_no_input(action)) {
        window_end_typing(v->window); /* which INPUT_FRAME has begun */
        return false;
    }
    switch (action) {
    case INPUT_QUIT: v->quit = true; break;
    case INPUT_LEAVE: leave(v); break;
    case INPUT_CELL: viewer_strip_toggle(&v->strip); break;
    case INPUT_CURE: return use_cure(v, 0, wanted);
    case INPUT_CURE_OTHERWISE: return use_cure(v, 1, wanted);
    case INPUT_SWAP: *wanted = viewer_inputs_swapped(&v->inputs); return true;
    case INPUT_STREAM_LAYOUT:
        *wanted =
            viewer_inputs_arranged(&v->inputs, viewer_source_layout(&v->source), v->session.options->input.split.swap);
        return true;
    case INPUT_OPEN: toggle_opening(v); break;
    case INPUT_OPEN_NAMES: viewer_inputs_take_typed(&v->inputs); break;
    case INPUT_OPEN_DEMO: *wanted = (viewer_wanted){.request.demo = true}; return true;
    case INPUT_OPEN_ALONE: return open_alone(v, wanted);
    case INPUT_METHOD: set_method(v, viewer_tuner_next_method(&v->tuner)); break;
    case INPUT_METHOD_TO: set_method(v, viewer_tuner_chosen(&v->tuner)); break;
    case INPUT_DEFAULTS: viewer_tuner_reset(&v->tuner); break;
    case INPUT_UNDO: undo(v, true); break;
    case INPUT_REDO: undo(v, false); break;
    case INPUT_RHO_UP: turn(v, "rho", 1); break;
    case INPUT_RHO_DOWN: turn(v, "rho", -1); break;
    case INPUT_TAU_UP: turn(v, "tau", 1); break;
    case INPUT_TAU_DOWN: turn(v, "tau", -1); break;
    case INPUT_DISPARITIES_UP: turn(v, "max-disparity", INPUT_DISPARITIES_STEP); break;
    case INPUT_DISPARITIES_DOWN: turn(v, "max-disparity", -INPUT_DISPARITIES_STEP); break;
    case INPUT_MEASURES: viewer_measures_toggle(&v->state.measures); break;
    case INPUT_SAVE_MEASURES: viewer_measures_save(v->view, &v->session.options->output, v->map.frame); break;
    case INPUT_COSTS: viewer_costs_toggle(&v->costs); break;
    case INPUT_COMPARE: viewer_compare_toggle(&v->compare); break;
    case INPUT_COMPARE_EDIT: viewer_compare_edit(&v->compare); break;
    case INPUT_BLINK: viewer_compare_blink(&v->compare); break;
    case INPUT_SNAPSHOT: v->snapshot_due = true; break;
    case INPUT_EXPORT: toggle_export(v); break;
    case INPUT_EXPORT_START: start_export(v); break;
    case INPUT_EXPORT_CANCEL: viewer_export_cancel(&v->exported); break;
    case INPUT_SETTINGS: toggle_settings(v); break;
    case INPUT_CALIBRATE: return calibrate(v, wanted);
    case INPUT_PRINT_BOARD: viewer_board_print(&v->state.board_choice, v->session.options); break;
    case INPUT_USE_METRES:
        *wanted = viewer_inputs_with_metres(&v->inputs, (double)v->state.strip.metres.fov,
                                            1e-3 * (double)v->state.strip.metres.baseline);
        return true;
    case INPUT_SOLVE: viewer_board_solve(v->board); break;
    case INPUT_ALIGN: align(v); break;
    case INPUT_SAVE_RIG: viewer_rig_save(&v->rig); break;
    case INPUT_FULL_SCREEN: window_toggle_full_screen(v->window); break;
    case INPUT_MESSAGES: viewer_notice_toggle_list(&v->notice); break;
    case INPUT_STATISTICS:
    case INPUT_READINGS:
    case INPUT_PANEL:
    case INPUT_HELP: panel_toggle(&v->state, action); break;
    default: /* each unit has a list of its own, and leaves the others' actions */
        viewer_playback_act(&v->playback, action);
        viewer_views_act(&v->views, event, panel_picture_area(v->panel, &v->state), viewer_map_lacks(&v->map));
        viewer_settings_act(&v->settings, action);
        viewer_controls_act(&v->controls, action);
    }
    return false;
}
