/* The session of the window: begins it with what shows it, ends it, and switches to another input or backend. */
#include "app/viewer/viewer_state.h"

#include "app/media/fov.h"
#include "app/media/recording.h"
#include "app/play/overwrite.h"

static const source_info *info_of(const viewer *v) { return pairing_info(v->session.pairing); }

/* Those of A or, before there is a calibration, quick ones. */
static sv_params params_to_match(const viewer *v) {
    sv_params params = *viewer_tuner_of(&v->tuner, 0);
    if (viewer_rig_calibrates(&v->rig) && !v->session.next_matcher) params.scale = 4;
    return params;
}

static void send_params(viewer *v) {
    const sv_params params = params_to_match(v);
    player_set_params(v->player, &params);
    if (viewer_tuner_compares(&v->tuner)) player_compare(v->player, v->session.second, viewer_tuner_of(&v->tuner, 1));
}

/* Decides which sides need colour: both if the method uses it, those that are shown and, for snapshots, the left one;
 * none in other benchmarks. If the current pair lacks it, it is read again. */
void viewer_want_colour(viewer *v) {
    const bool compares = viewer_tuner_compares(&v->tuner);
    const bool matched = sv_methods[viewer_tuner_of(&v->tuner, 0)->method].uses_colour ||
                         (compares && sv_methods[viewer_tuner_of(&v->tuner, 1)->method].uses_colour);
    const unsigned needs = v->session.options->run.benchmark ? 0 : view_needs(&v->state.view) | VIEW_NEEDS_LEFT;
    const bool right = matched || needs & VIEW_NEEDS_RIGHT, left = right || needs & VIEW_NEEDS_LEFT;
    const bool had_left = atomic_exchange(&v->session.colour->left, left);
    const bool had_right = atomic_exchange(&v->session.colour->right, right);
    const bool more = (left && !had_left) || (right && !had_right);
    if (more && !matched && v->player && viewer_playback_is_paused(&v->playback)) send_params(v);
}

void viewer_follow_tuner(viewer *v) {
    if (!v->player || !viewer_tuner_take_change(&v->tuner)) return;
    viewer_want_colour(v);
    send_params(v);
}

void viewer_lend(viewer *v, int slot) {
    viewer_compare_lend(&v->compare, slot);
    viewer_map_lend(&v->map, slot);
}

/* ---- Beginning and ending --------------------------------------------------------------------- */

void viewer_end(viewer *v) {
    viewer_export_end(&v->exported);
    viewer_playback_end(&v->playback);
    player_close(v->player);
    viewer_rig_end(&v->rig);
    viewer_board_end(v->board);
    snapshots_close(v->snapshots);
    viewer_map_end(&v->map);
    viewer_compare_end(&v->compare);
    viewer_costs_end(&v->costs, v->view);
    v->views.view = NULL;
    view_destroy(v->view);
    session_close(&v->session);
    v->player = NULL;
    v->board = NULL;
    v->view = NULL;
    v->snapshots = NULL;
    v->state.empty = true;
}

/* Resets what the panel shows of the previous session. */
static void forget(viewer *v) {
    panel_state *s = &v->state;
    s->status = (panel_status){.backend = v->session.backend->name};
    s->figures = (panel_figures){0};
    s->cost_view = (panel_cost_view){0};
    s->pixel = NULL;
    s->histogram = NULL;
    v->figures = (viewer_figures){0};
    viewer_strip_begin(&v->strip);
    v->snapshot_due = s->empty = false;
    v->pace = (viewer_pace){0};
}

static sv_status open_player(viewer *v, bool paced, sv_error *error) {
    session *s = &v->session;
    const player_options play = {
        .pairing = s->pairing,
        .matcher = s->matcher,
        .colour = s->colour,
        .stats = s->stats,
        .params = params_to_match(v),
        .range = viewer_playback_range(&v->playback),
        .paced = paced,
        .cancel = &s->cancel,
        .on_news = window_wake,
    };
    const sv_status status = player_open(&v->player, &play, error);
    if (status != SV_OK) return status;
    viewer_tuner_take_change(&v->tuner);
    v->map.player = v->player;
    viewer_compare_begin(&v->compare, s, v->view, v->player);
    viewer_follow_tuner(v);
    return SV_OK;
}

sv_status viewer_begin(viewer *v, sv_error *error) {
    session *s = &v->session;
    options *o = &viewer_inputs_current(&v->inputs)->options;
    const source_info *info = info_of(v);
    const bool paced = !o->run.benchmark && !info->live;
    forget(v);
    overwrite_add_inputs(o);
    v->views.pressed = false;
    viewer_playback_begin(&v->playback, s, o, v->inputs.opener.same);
    viewer_tuner_set_range(&v->tuner, &o->match.params);
    v->range = (auto_range){.since = sv_seconds()};
    v->settings.options = o;
    viewer_controls_begin(&v->controls, o, &v->state.controls);
    viewer_rig_begin(&v->rig, s, o);
    v->state.strip.metres = (panel_metres){.shown = !o->rig.calibration && !o->rig.calibrate,
                                           .fov = (float)fov_degrees(&o->rig, info),
                                           .baseline = (float)(1e3 * o->rig.baseline)};
    viewer_source_begin(&v->source, s, v->window, &v->state.source);
    sv_status status = view_create(&v->view, info->width, info->height, SV_OUTPUTS, error);
    if (status == SV_OK) status = viewer_map_begin(&v->map, s, v->view, error);
    if (status == SV_OK) status = view_set_rectification(v->view, session_rectification(s), error);
    if (status == SV_OK) v->snapshots = snapshots_open();
    if (status == SV_OK) status = open_player(v, paced, error);
    if (status == SV_OK && o->rig.calibrate)
        status = viewer_board_begin(&v->board, s, &v->rig, &v->notice, &v->tuner, &v->state.view, error);
    /* With one slot no pair is passed over: the next result comes after this one has been shown. */
    const int slots = v->board && !info->live ? 1 : SV_OUTPUTS;
    for (int i = 0; i < slots && status == SV_OK; i++) viewer_lend(v, i);
    if (status != SV_OK) return status;
    v->views.session = s;
    v->views.view = v->view;
    viewer_rig_play(&v->rig, v->player);
    viewer_want_colour(v);
    viewer_playback_play(&v->playback, v->player, v->window, paced);
    viewer_source_remember(s);
    return SV_OK;
}

/* ---- Other inputs ------------------------------------------------------------------------------- */

/* The session goes on meanwhile unless it is live: a camera cannot be opened twice. */
void viewer_open_input(viewer *v, const viewer_wanted *wanted) {
    sv_error error;
    const bool plays = v->player;
    if (viewer_inputs_busy(&v->inputs)) {
        viewer_notice_set(&v->notice, "another input is still being opened");
        return;
    }
    if (recording_end(viewer_inputs_current(&v->inputs)->options.input.recording, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    if (plays && info_of(v)->live) viewer_end(v);
    viewer_inputs_open(&v->inputs, wanted, plays);
}

void viewer_follow_inputs(viewer *v) {
    viewer_wanted again;
    sv_error error;
    sv_status status;
    /* First the snapshot of what the user saw, unless the device fails, which may be why nothing is drawn. */
    if (v->snapshot_due && v->map.frame >= 0 && v->session.backend == v->backend) return;
    if (!viewer_inputs_take(&v->inputs, &status, &error)) return;
    if (status == SV_OK) {
        viewer_end(v);
        stats_begin_input(v->stats);
        v->session = (session){.backend = v->backend, .stats = v->stats};
        viewer_inputs_switch(&v->inputs, &v->session);
        status = session_open(&v->session, &error);
        if (status == SV_OK) status = viewer_begin(v, &error);
        if (status == SV_OK) {
            v->inputs.reopened = false;
            return;
        }
        viewer_end(v);
        viewer_inputs_switch_back(&v->inputs);
        v->settings.options = &viewer_inputs_current(&v->inputs)->options;
    }
    if (viewer_inputs_failed(&v->inputs, v->player, &error, &again)) viewer_open_input(v, &again);
}

void viewer_follow_drops(viewer *v) {
    char path[1024];
    options whole;
    viewer_wanted wanted;
    if (viewer_inputs_looks(&v->inputs)) return; /* what is dropped meanwhile comes after it */
    if (viewer_inputs_take_drop(&v->inputs, v->window, path, sizeof path)) viewer_settings_load(&v->settings, path);
    /* Settings that name their source open it with a calibration that was dropped with them. */
    const bool dropped_sources = v->inputs.drop.has_sources;
    if (!dropped_sources && viewer_settings_take_source(&v->settings, &whole)) {
        wanted = viewer_inputs_whole(&whole);
        viewer_open_input(v, &wanted);
    } else if (viewer_inputs_dropped(&v->inputs, v->player, &wanted)) {
        viewer_open_input(v, &wanted);
    } else if (!viewer_inputs_busy(&v->inputs) && viewer_inputs_alone(&v->inputs, &wanted)) {
        viewer_inputs_open(&v->inputs, &wanted, v->player);
    }
    viewer_settings_drop_source(&v->settings);
    viewer_inputs_update(&v->inputs, v->state.empty);
}

/* Opens the input of the session again on the CPU, because the device has failed or has no memory left. A benchmark
 * rather ends. */
bool viewer_change_backend(viewer *v, const char *why) {
    options *o = &viewer_inputs_current(&v->inputs)->options;
    if (v->session.backend != v->backend || viewer_inputs_busy(&v->inputs)) return true; /* it is under way, or waits */
    if (v->backend == &sv_cpu || o->run.benchmark) return false;
    sv_log(SV_LOG_WARNING, "%s; matching continues on the CPU", why);
    v->backend = &sv_cpu;
    o->match.device = 0;
    o->match.all_devices = false;
    const viewer_wanted again = viewer_inputs_again(&v->inputs, (pool_memory){sv_cpu.alloc, sv_cpu.free});
    viewer_open_input(v, &again);
    return true;
}
