/* A run with a window: the main thread draws the results of the player's thread, and passes the user's changes to it.
 */
#include "app/viewer/viewer.h"
#include "app/viewer/viewer_state.h"

#include "app/viewer/window_state.h"
#include "base/stop.h"

#include <math.h>

/* The interval of drawing where nothing new is to be seen: short enough for a responsive panel, and longer where OpenGL
 * runs in software, to leave the processor to the matcher. Where nothing has happened for `settling`, in which what
 * follows the mouse or a map has come to its end, it is enough to keep times and messages up to date. A new map and
 * what the user does are drawn at once, and the values under the mouse, which are read from one frame and shown in the
 * next, soon after: software draws as often as others for `reading`. */
static const double frame_interval = 1.0 / 32, software_interval = 1.0 / 10, idle_interval = 1.0 / 4;
static const double settling = 1, reading = 0.1;

/* The interval in a benchmark without --draw-rate, whose drawing no screen holds back: drawing, with the change from
 * CUDA to OpenGL and back, costs a busy GPU 1 ms, which should stay below a twentieth of its time. */
static const double benchmark_interval = 1.0 / 20;

/* ---- Results ---------------------------------------------------------------------------------- */

/* Shows a result, and describes it. */
static sv_status show_result(viewer *v, player_result *result, sv_error *error) {
    sv_status status = viewer_map_show(&v->map, result, error);
    if (status == SV_OK) status = viewer_compare_show(&v->compare, result, error);
    viewer_playback_show_frame(&v->playback, result->pair.left);
    viewer_map_take(&v->map, result, viewer_compare_shown(&v->compare));
    viewer_compare_describe(&v->compare, &v->map.scores, &v->state.compare, &v->state.status);
    return status;
}

/* Takes the results of the player, and shows the newest. Each slot is lent to the player, returned with a result,
 * shown, and lent again. `captured`: the capture time of the pair of a new map, 0 if the map is not new. */
static sv_status take_results(viewer *v, double *captured, sv_error *error) {
    player_result result, newest = {.slot = -1};
    *captured = 0;
    player_hurry(v->player);
    if (viewer_board_waits(v->board)) return SV_OK;
    const int shown = viewer_map_take_slot(&v->map);
    if (shown >= 0) viewer_lend(v, shown);
    while (player_take(v->player, &result)) {
        viewer_figures_add_result(&v->figures, &result, pairing_info(v->session.pairing)->live);
        viewer_pace_add_times(&v->pace, &result);
        if (*captured > 0) {
            frame_pair_release(&newest.pair);
            viewer_lend(v, newest.slot);
        }
        newest = result;
        *captured = media_capture_time(v->session.pairing, &result.pair);
    }
    return *captured > 0 ? show_result(v, &newest, error) : SV_OK;
}

/* Passes the newest pair to what aligns, calibrates or measures, and switches to the next rig with its first result. */
static sv_status follow_result(viewer *v, sv_error *error) {
    const frame_pair *pair = &v->map.pair;
    sv_status status = SV_OK;
    viewer_board_offer(v->board, pair);
    viewer_rig_offer(&v->rig, pair);
    if (v->session.next_matcher && v->map.matcher == v->session.next_matcher) {
        viewer_costs_end(&v->costs, v->view); /* they use the rectification that is about to be freed */
        viewer_rig_switch(&v->rig);
        status = view_set_rectification(v->view, session_rectification(&v->session), error);
    }
    /* The monitor is another one after a switch, and with pictures no other pair comes. */
    if (v->session.monitor) pair_monitor_offer(v->session.monitor, pair, &v->map.params);
    return status;
}

/* ---- The loop --------------------------------------------------------------------------------- */

/* Waits for events; returns when the next frame is due if nothing happens. `due`: when this one is; `stirred`: when
 * there was a new map. */
static double wait(viewer *v, const options *o, double due, double stirred) {
    const double measured_interval = o->display.draw_rate > 0 ? 1 / o->display.draw_rate : benchmark_interval;
    do {
        window_poll(v->window, fmax(0, due - sv_seconds()));
    } while (o->run.benchmark && sv_seconds() < due && !stop_requested());
    const double now = sv_seconds();
    const bool idle =
        now - stirred > settling && window_rest(v->window) > settling && !viewer_compare_blinks(&v->compare);
    const bool slow = window_in_software(v->window) && window_rest(v->window) > reading;
    return now + (o->run.benchmark ? measured_interval
                  : idle           ? idle_interval
                  : slow           ? software_interval
                                   : frame_interval);
}

/* Draws the session once. `captured`: as of take_results. */
static sv_status play(viewer *v, player_state *player, double *captured, sv_error *error) {
    const options *o = v->session.options;
    sv_status status = take_results(v, captured, error);
    if (status == SV_OK && *captured > 0) status = follow_result(v, error);
    if (status != SV_OK) return viewer_change_backend(v, error->text) ? SV_OK : status;
    /* A source that cannot seek delivers no colour while it rests, so the views do not wait for it. */
    const bool rests = viewer_playback_is_paused(&v->playback) || player->ended || player->failed;
    status = viewer_map_show_pictures(&v->map, &v->state.view,
                                      !o->run.benchmark && (pairing_info(v->session.pairing)->seekable || !rests),
                                      &v->drawn, error);
    if (status == SV_OK) viewer_draw(v, *captured, player);
    return status;
}

static sv_status loop(viewer *v, const options *o, sv_error *error) {
    sv_status status = SV_OK;
    player_state player = {0};
    double due = 0;     /* when to draw the next frame if nothing happens before */
    double stirred = 0; /* when there was a new map */
    while (status == SV_OK && !v->quit && !stop_requested()) {
        input_event event;
        viewer_wanted wanted;
        double captured = 0;
        const double polled = sv_seconds();
        due = wait(v, o, due, stirred);
        const double now = sv_seconds(), used = now - window_rest(v->window); /* when the user did something last */
        viewer_follow_drops(v);
        while (window_next_event(v->window, &event)) {
            if (event.is_mouse)
                viewer_views_follow_mouse(&v->views, v->window, &event.mouse, panel_picture_area(v->panel, &v->state),
                                          panel_covers(v->panel, event.mouse.x, event.mouse.y));
            else if (viewer_act(v, &event, &wanted))
                viewer_open_input(v, &wanted);
        }
        if (v->player) viewer_want_colour(v);
        viewer_follow_tuner(v);
        viewer_follow_inputs(v);
        if (v->player && player.match_failed) viewer_change_backend(v, player.error.text);
        if (!v->player) {
            viewer_draw_empty(v);
            continue;
        }
        status = play(v, &player, &captured, error);
        if (captured > 0) stirred = now;
        if (used > polled) stats_add(v->stats, STATS_RESPOND, 1e3 * (sv_seconds() - used));
        /* A benchmark ends with its files. */
        if (o->run.benchmark && (player.ended || player.failed)) break;
    }
    if (status == SV_OK && o->run.benchmark && player.failed)
        status = sv_fail(error, SV_FAILED, "%s", player.error.text);
    return status;
}

/* ---- The run ---------------------------------------------------------------------------------- */

/* Connects the units with what the panel shows of them. */
static void connect(viewer *v, const options *o) {
    panel_state *s = &v->state;
    v->notice = (viewer_notice){.keys = &o->display.keys, .list = &s->messages};
    viewer_tuner_start(&v->tuner, &o->match.params, &s->params);
    viewer_inputs_init(&v->inputs, o, (pool_memory){v->backend->alloc, v->backend->free}, &v->tuner, &v->notice,
                       &s->opening);
    viewer_playback_init(&v->playback, &v->notice, &s->playback, &s->offset);
    v->views = (viewer_views){.notice = &v->notice, .settings = &s->view};
    viewer_compare_init(&v->compare, &v->tuner, &v->notice);
    v->costs = (viewer_costs){.plot = &s->costs, .shown = &s->cost_view};
    viewer_strip_init(&v->strip, &v->notice, &s->strip);
    viewer_board_offer_choice(&s->board_choice);
    viewer_export_init(&v->exported, &s->exported);
    v->rig = (viewer_rig){.notice = &v->notice, .tuner = &v->tuner};
    viewer_settings_init(&v->settings, &v->compare, &v->tuner, &v->notice, &s->view, &s->settings, &s->qualities);
    v->settings.options = &viewer_inputs_current(&v->inputs)->options;
    if (o->match.compare) viewer_compare_start(&v->compare, &o->match.second);
}

/* Opens the window and, if the command line names an input, the session before it: its errors are reported where the
 * program was started. */
static sv_status open_all(viewer *v, const options *o, sv_error *error) {
    const bool named = input_is_named(&o->input);
    window_state kept = {.width = 1280, .height = 800, .panel = PANEL_WIDTH};
    if (!o->run.benchmark) window_state_read(&kept);
    const window_options look = {.title = "stereoview",
                                 .width = kept.width,
                                 .height = kept.height,
                                 .keys = &o->display.keys,
                                 .vsync = !o->run.benchmark,
                                 .debug = o->log_level == SV_LOG_DEBUG};
    v->state = (panel_state){.empty = true,
                             .looks = {.open = true, .readings = true, .width = kept.panel, .theme = kept.theme},
                             .view = o->display.view};
    connect(v, o);
    opening *first = viewer_inputs_current(&v->inputs);
    v->session =
        (session){.options = &first->options, .backend = v->backend, .stats = v->stats, .colour = &first->colour};
    viewer_want_colour(v);
    sv_status status = named ? session_open(&v->session, error) : SV_OK;
    if (status == SV_OK) status = window_open(&v->window, &look, error);
    if (status == SV_NO_DEVICE && !named) return options_refuse_nothing(error);
    if (status == SV_OK) status = panel_create(&v->panel, v->window, error);
    return status == SV_OK && named ? viewer_begin(v, error) : status;
}

static void keep_looks(const viewer *v) {
    window_state kept = {.panel = v->state.looks.width, .theme = v->state.looks.theme};
    window_frame(v->window, &kept.width, &kept.height);
    window_state_write(&kept);
}

sv_status viewer_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error) {
    viewer v = {.backend = backend, .stats = stats};
    sv_status status = open_all(&v, options, error);
    stop_in_order();
    if (status == SV_OK) status = loop(&v, options, error);
    if (v.window && v.panel && !options->run.benchmark) keep_looks(&v);
    window_hide(v.window);
    viewer_end(&v);
    if (status == SV_OK) status = viewer_rig_check_saved(&v.rig, &viewer_inputs_current(&v.inputs)->options.rig, error);
    viewer_inputs_close(&v.inputs);
    viewer_settings_free(&v.settings);
    panel_destroy(v.panel);
    window_close(v.window);
    return status;
}
