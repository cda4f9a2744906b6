/* A run with a window: the main thread draws the results of the player's thread, and passes the user's changes to it.
 * Each slot is lent to the player, returned with a result, shown, and lent again. */
#include "app/viewer/viewer.h"
#include "app/viewer/viewer_state.h"

#include "app/media/recording.h"
#include "app/play/overwrite.h"
#include "app/viewer/short_waits.h"
#include "app/viewer/window_state.h"
#include "base/stop.h"
#include "render/view/view_cloud.h"

#include <math.h>
#include <stdio.h>

/* The interval of drawing where nothing new is to be seen: short enough for a responsive panel, and longer where OpenGL
 * runs in software, to leave the processor to the matcher. Where nothing has happened for `settling`, in which what
 * follows the mouse or a map has come to its end, it is enough to keep times and messages up to date. A new map and
 * what the user does are drawn at once, and the values under the mouse, which are read from one frame and shown in the
 * next, soon after: software draws as often as others for `reading`. */
static const double frame_interval = 1.0 / 32, software_interval = 1.0 / 10, idle_interval = 1.0 / 4;
static const double settling = 1, reading = 0.1;

/* The interval in a benchmark without --draw-rate, whose drawing no screen holds back: changing from CUDA to OpenGL and
 * back costs a busy GPU 1.5 ms, which should stay below a twentieth of its time. */
static const double benchmark_interval = 1.0 / 20;

/* Seconds without the mouse after which the bar hides in full screen. */
static const double bar_patience = 2.5;

static const source_info *info_of(const viewer *v) { return pairing_info(v->session.pairing); }

/* ---- Parameters and colour -------------------------------------------------------------------- */

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
static void want_colour(viewer *v) {
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

/* Passes changed parameters on to the player. */
static void follow_tuner(viewer *v) {
    if (!v->player || !viewer_tuner_take_change(&v->tuner)) return;
    want_colour(v);
    send_params(v);
}

/* ---- Sessions --------------------------------------------------------------------------------- */

/* Ends the session, and all that shows it. */
static void end(viewer *v) {
    player_close(v->player);
    viewer_playback_end(&v->playback);
    viewer_rig_end(&v->rig);
    viewer_board_end(v->board);
    snapshots_close(v->snapshots);
    viewer_map_end(&v->map);
    viewer_compare_end(&v->compare);
    viewer_costs_end(&v->costs, v->view);
    viewer_views_end(&v->views);
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
    s->alignment = (panel_alignment){0};
    s->advice = (panel_advice){0};
    s->cost_view = (panel_cost_view){0};
    s->pixel = NULL;
    s->histogram = NULL;
    v->figures = (viewer_figures){0};
    v->cameras = (viewer_cameras){0};
    v->snapshot_due = s->empty = false;
    viewer_advice_begin(&v->advice, viewer_inputs_same(&v->inputs));
}

/* Lends a slot to the player. */
static sv_status lend(viewer *v, int slot, sv_error *error) {
    const sv_status status = viewer_compare_lend(&v->compare, slot, error);
    return status == SV_OK ? viewer_map_lend(&v->map, slot, error) : status;
}

static sv_status open_player(viewer *v, bool paced, sv_error *error) {
    session *s = &v->session;
    const player_options play = {
        .pairing = s->pairing,
        .matcher = s->matchers[0],
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
    viewer_map_play(&v->map, v->player);
    viewer_compare_begin(&v->compare, s, v->view, v->player);
    follow_tuner(v);
    return SV_OK;
}

/* Shows and plays the session, which is open. */
static sv_status begin(viewer *v, sv_error *error) {
    session *s = &v->session;
    options *o = &viewer_inputs_current(&v->inputs)->options;
    const source_info *info = info_of(v);
    const bool paced = !o->run.benchmark && !info->live;
    forget(v);
    overwrite_add_inputs(o);
    viewer_views_forget_mouse(&v->views, v->window);
    viewer_playback_begin(&v->playback, s, o, viewer_inputs_same(&v->inputs));
    viewer_tuner_begin(&v->tuner, s->backend);
    viewer_settings_begin(&v->settings, o);
    viewer_rig_begin(&v->rig, s, o);
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
    for (int i = 0; i < slots && status == SV_OK; i++) status = lend(v, i, error);
    if (status != SV_OK) return status;
    viewer_views_begin(&v->views, s, v->view);
    viewer_rig_play(&v->rig, v->player);
    want_colour(v);
    viewer_playback_play(&v->playback, v->player, v->window, paced);
    viewer_source_remember(s);
    return SV_OK;
}

/* Begins to open an input, while the session goes on unless it is live: a camera cannot be opened twice. */
static void open_input(viewer *v, const viewer_wanted *wanted) {
    sv_error error;
    const bool plays = v->player;
    if (viewer_inputs_busy(&v->inputs)) {
        viewer_notice_set(&v->notice, "another input is still being opened");
        return;
    }
    viewer_playback_keep(&v->playback, wanted->same);
    if (recording_end(viewer_inputs_current(&v->inputs)->options.input.recording, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    if (plays && info_of(v)->live) end(v);
    viewer_inputs_open(&v->inputs, wanted, plays);
}

/* Switches to the input that has been opened. */
static void follow_inputs(viewer *v) {
    viewer_wanted again;
    sv_error error;
    sv_status status;
    if (!viewer_inputs_take(&v->inputs, &status, &error)) return;
    if (status == SV_OK) {
        end(v);
        stats_begin_input(v->stats);
        v->session = (session){.backend = v->backend, .stats = v->stats};
        viewer_inputs_switch(&v->inputs, &v->session);
        status = session_open(&v->session, &error);
        if (status == SV_OK) status = begin(v, &error);
        if (status == SV_OK) {
            viewer_inputs_began(&v->inputs);
            return;
        }
        end(v);
        viewer_inputs_switch_back(&v->inputs);
        viewer_settings_begin(&v->settings, &viewer_inputs_current(&v->inputs)->options);
    }
    if (viewer_inputs_failed(&v->inputs, v->player, &error, &again)) open_input(v, &again);
}

/* Uses what was dropped onto the window. */
static void follow_drops(viewer *v) {
    char path[1024];
    options whole;
    viewer_wanted wanted;
    if (viewer_inputs_take_drop(&v->inputs, v->window, path, sizeof path)) viewer_settings_load(&v->settings, path);
    /* Settings that name their source open it with a calibration that was dropped with them. */
    const bool dropped_sources = viewer_inputs_has_sources(&v->inputs);
    if (!dropped_sources && viewer_settings_take_source(&v->settings, &whole)) {
        wanted = viewer_inputs_whole(&whole);
        open_input(v, &wanted);
    } else if (viewer_inputs_dropped(&v->inputs, v->player, &wanted)) {
        open_input(v, &wanted);
    }
    viewer_settings_drop_source(&v->settings);
    viewer_inputs_update(&v->inputs, v->state.empty);
}

/* Opens the input of the session again on the CPU, because the device has failed or has no memory left. False if there
 * is nothing else to match with; a benchmark, too, rather ends. */
static bool change_backend(viewer *v, const char *why) {
    options *o = &viewer_inputs_current(&v->inputs)->options;
    if (v->session.backend != v->backend || viewer_inputs_busy(&v->inputs)) return true; /* it is under way, or waits */
    if (v->backend == &sv_cpu || o->run.benchmark) return false;
    sv_log(SV_LOG_WARNING, "%s; matching continues on the CPU", why);
    v->backend = &sv_cpu;
    o->match.device = 0;
    o->match.all_devices = false;
    const viewer_wanted again = viewer_inputs_again(&v->inputs, (pool_memory){sv_cpu.alloc, sv_cpu.free});
    open_input(v, &again);
    return true;
}

/* ---- Results ---------------------------------------------------------------------------------- */

/* Shows a result, and describes it. */
static sv_status show_result(viewer *v, player_result *result, sv_error *error) {
    if (v->session.monitor) pair_monitor_offer(v->session.monitor, &result->pair, &result->params);
    sv_status status = viewer_map_show(&v->map, result, error);
    if (status == SV_OK) status = viewer_compare_show(&v->compare, result, error);
    viewer_playback_show_frame(&v->playback, result->pair.left);
    viewer_map_take(&v->map, result, viewer_compare_shown(&v->compare));
    viewer_compare_describe(&v->compare, viewer_map_scores(&v->map), &v->state.compare, &v->state.status);
    return status;
}

/* Shows the newest result. `captured`: the capture time of its pair, 0 if there is none. */
static sv_status take_results(viewer *v, double *captured, sv_error *error) {
    player_result result, newest = {.slot = -1};
    *captured = 0;
    player_hurry(v->player);
    if (viewer_board_waits(v->board)) return SV_OK;
    const int shown = viewer_map_take_slot(&v->map);
    sv_status status = shown < 0 ? SV_OK : lend(v, shown, error);
    while (status == SV_OK && player_take(v->player, &result)) {
        viewer_figures_add_result(&v->figures, &result, info_of(v)->live);
        viewer_advice_add_times(&v->advice, &result);
        if (*captured > 0) {
            frame_pair_release(&newest.pair);
            status = lend(v, newest.slot, error);
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

/* After a result has been taken: passes its pair to what aligns or calibrates, and switches to its rig if that is the
 * next one. */
static sv_status follow_result(viewer *v, sv_error *error) {
    viewer_board_offer(v->board, viewer_map_pair(&v->map));
    viewer_rig_offer(&v->rig, viewer_map_pair(&v->map));
    if (!v->session.next_matcher || viewer_map_matcher(&v->map) != v->session.next_matcher) return SV_OK;
    viewer_costs_end(&v->costs, v->view); /* they use the rectification that is about to be freed */
    viewer_rig_switch(&v->rig);
    viewer_cameras_forget_rows(&v->cameras, &v->state.alignment, &v->state.status);
    return view_set_rectification(v->view, session_rectification(&v->session), error);
}

/* ---- Drawing ---------------------------------------------------------------------------------- */

/* Follows the map on the screen: the range of its colours, how its disparities are distributed, where its middle is,
 * how good it is. */
static void follow_map(viewer *v) {
    panel_state *s = &v->state;
    const int leading = viewer_compare_leading(&v->compare, s->view.compared);
    const sv_params *second = viewer_compare_shown(&v->compare);
    const sv_params *shown = viewer_map_frame(&v->map) < 0 ? viewer_tuner_edited(&v->tuner)
                             : leading                     ? second
                                                           : viewer_map_params(&v->map);
    view_follow_range(v->view, &s->view, (float)shown->min_disparity, (float)shown->max_disparity);
    const histogram *h = view_histogram(v->view, leading, shown);
    if (viewer_map_follow(&v->map, second ? 2 : 1, leading))
        viewer_compare_describe(&v->compare, viewer_map_scores(&v->map), &s->compare, &s->status);
    view_cloud_follow(v->view,
                      h && h->values ? histogram_median(h) : (shown->min_disparity + shown->max_disparity) / 2.0);
    s->histogram = h;
    s->status.params = shown;
    s->score = second ? NULL : viewer_map_score(&v->map);
    s->errors = viewer_map_errors(&v->map, leading);
}

/* What the panel shows of the cameras, of how fast it goes, and of what looks wrong. */
static void update_advice(viewer *v, int64_t skipped) {
    panel_state *s = &v->state;
    const options *o = v->session.options;
    const bool swapped = viewer_rig_is_swapped(&v->rig) || viewer_board_is_swapped(v->board);
    viewer_facts facts = {.params = viewer_tuner_edited(&v->tuner),
                          .paused = viewer_playback_is_paused(&v->playback),
                          .real_time = viewer_playback_is_in_real_time(&v->playback),
                          .speed = viewer_playback_speed(&v->playback),
                          .calibrates = viewer_rig_calibrates(&v->rig),
                          .aligned = viewer_rig_is_aligning(&v->rig) || o->rig.calibration,
                          .swapped = swapped,
                          .silent = o->run.benchmark || (v->board && !swapped),
                          .histogram = viewer_map_frame(&v->map) < 0 ? NULL : s->histogram};
    const double matched = viewer_figures_update(&v->figures, &v->session, skipped, &s->status, &s->figures);
    viewer_cameras_update(&v->cameras, &v->session, facts.params, facts.calibrates, swapped, &s->alignment, &s->status);
    facts.darker = viewer_cameras_are_darker(&s->alignment);
    viewer_figures_add_matched(
        &v->figures, viewer_advice_follow_pace(&v->advice, &v->session, &facts, matched, &v->notice, &s->status));
    viewer_advice_update(&v->advice, &v->session, &facts, &s->advice, &s->status);
}

/* What is under the mouse, in the views that are drawn in `area`, and its costs. `pixel`: room for it, borrowed until
 * the panel has been drawn. */
static void update_pixel(viewer *v, view_pixel *pixel, view_rect area) {
    panel_state *s = &v->state;
    const sv_params *second = viewer_compare_shown(&v->compare);
    int x, y;
    if (panel_has_mouse(v->panel) || !window_mouse(v->window, &x, &y)) x = y = -1;
    s->pixel = view_pick(v->view, &v->drawn, area, x, y, pixel) ? pixel : NULL;
    s->status.shades = viewer_map_shades(&v->map, s->pixel);
    const viewer_costs_of costs = {.frame = viewer_map_frame(&v->map),
                                   .pair = viewer_map_pair(&v->map),
                                   .params = {viewer_map_params(&v->map), second},
                                   .leads = viewer_compare_leading(&v->compare, s->view.compared),
                                   .compares = viewer_tuner_compares(&v->tuner),
                                   .winners = view_shows(&v->drawn, VIEW_COST),
                                   .pixel = s->pixel};
    if (viewer_map_has_pair(&v->map)) viewer_costs_follow(&v->costs, &v->session, v->view, &costs);
}

static void update_rows(viewer *v) {
    const sv_params *second = viewer_tuner_compares(&v->tuner) ? viewer_tuner_of(&v->tuner, 1) : NULL;
    const viewer_rows rows = {.sets = {viewer_tuner_of(&v->tuner, 0), second},
                              .of_map = viewer_map_frame(&v->map) < 0 ? NULL : v->state.status.params,
                              .words = {viewer_compare_words(&v->compare, 0), viewer_compare_words(&v->compare, 1)},
                              .difference = viewer_compare_difference(&v->compare),
                              .histogram = v->state.histogram,
                              .colours = &v->state.view.colour,
                              .interop = viewer_map_has_interop(&v->map)};
    if (panel_shows_statistics(&v->state))
        viewer_figures_write_rows(&v->figures, &v->session, &rows, &v->state.figures);
}

/* Updates all that the panel shows. `waiting`: room for a line, borrowed as `pixel` is. */
static void update(viewer *v, player_state *player, view_pixel *pixel, char *waiting, size_t size, view_rect area) {
    panel_state *s = &v->state;
    const sv_rectification *r = session_rectification(&v->session);
    const int64_t frame = viewer_map_frame(&v->map);
    s->metric = r->metric ? r : NULL;
    viewer_compare_update(&v->compare, &s->compare);
    viewer_rig_update(&v->rig, &s->rig, &s->status);
    s->board = viewer_board_update(v->board, &s->view, &v->drawn, area, frame);
    *player = player_get_state(v->player);
    const char *recorded = viewer_playback_update(&v->playback, player);
    const bool typing = window_typing(v->window);
    s->looks.full_screen = window_is_full_screen(v->window);
    s->looks.bar_hidden = window_mouse_rest(v->window) > bar_patience && !typing && !panel_has_mouse(v->panel);
    update_advice(v, player->skipped);
    viewer_settings_update(&v->settings);
    viewer_notice_follow_log(&v->notice);
    const bool waits = viewer_map_describe_wait(&v->map, viewer_compare_shown(&v->compare), player, waiting, size);
    viewer_notice_choose(&v->notice, v->session.pairing, player, waits ? waiting : NULL, recorded, &s->message);
    update_pixel(v, pixel, area);
    update_rows(v);
}

/* Gives a snapshot of what has just been drawn in `area` to be written. */
static void take_snapshot(viewer *v, view_rect area) {
    const int which = viewer_compare_leading(&v->compare, v->state.view.compared);
    const frame_pair *pair = viewer_map_pair(&v->map);
    const frame *left = pair->left, *right = pair->right;
    const source_info *info = info_of(v);
    const char *note;
    const sv_rig *rig = viewer_rig_known(&v->rig, &note);
    sv_error error;
    snapshot shot = {
        .pair = {frame_retain(pair->left), frame_retain(pair->right)},
        .params = which ? *viewer_compare_shown(&v->compare) : *viewer_map_params(&v->map),
        .view = v->state.view,
        .frames = {.first = left->index,
                   .end = left->index + 1,
                   .moved = viewer_playback_moves(&v->playback),
                   .pictures = info->pictures,
                   .offset = info->pictures ? (double)(right->index - left->index) : right->time - left->time},
        .options = *v->session.options,
        .live = info->live,
        .geometry = *session_rectification(&v->session),
        .has_rig = rig != NULL,
    };
    if (rig) shot.rig = *rig;
    shot.geometry.maps[0] = shot.geometry.maps[1] = NULL;
    snprintf(shot.note, sizeof shot.note, "%s", note);
    snprintf(shot.inputs, sizeof shot.inputs, "%s", viewer_source_names(&v->source));
    v->snapshot_due = false;
    sv_status status = snapshot_read(&shot, v->view, area, which, &error);
    if (status == SV_OK && !snapshots_give(v->snapshots, &shot))
        status = sv_fail(&error, SV_FAILED, "earlier ones are still being written");
    if (status == SV_OK) return;
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
    snapshot_free(&shot);
}

/* Draws one frame of the window. `captured`: when the pair of a new map was captured, 0 if the map is not new. */
static void draw(viewer *v, double captured, player_state *player) {
    const double start = sv_seconds();
    const view_rect area = panel_picture_area(v->panel, &v->state);
    panel_state *s = &v->state;
    view_pixel pixel;
    char waiting[256];
    viewer_compare_take_turns(&v->compare, window_holds(v->window, INPUT_BLINK), &v->drawn.compared);
    follow_map(v);
    update(v, player, &pixel, waiting, sizeof waiting, area);
    window_clear(v->window);
    v->drawn.colour = s->view.colour; /* with the range that was followed */
    view_draw(v->view, &v->drawn, area);
    if (v->snapshot_due && viewer_map_frame(&v->map) >= 0) take_snapshot(v, area);
    s->lacking = viewer_map_lacks(&v->map);
    if (view_shows(&v->drawn, VIEW_CLOUD))
        stats_set_figure(v->session.stats, "cloud_points", view_cloud_points(v->view));
    s->word_count = viewer_map_words(&v->map, &v->drawn, area, window_scale(v->window), &s->words);
    panel_draw(v->panel, s);
    const double drawn = 1e3 * (sv_seconds() - start);
    /* Before the swap, which may wait for the screen. */
    viewer_tuner_follow_panel(&v->tuner);
    follow_tuner(v);
    viewer_rig_pass(&v->rig);
    window_swap(v->window);

    viewer_figures_add_frame(&v->figures, v->session.stats, drawn, captured, view_drawn_parts(v->view));
    want_colour(v);
    viewer_playback_follow_panel(&v->playback);
}

/* Draws the window while no input is open. */
static void draw_empty(viewer *v) {
    viewer_notice_follow_log(&v->notice);
    viewer_notice_show(&v->notice, &v->state.message);
    window_clear(v->window);
    panel_draw(v->panel, &v->state);
    window_swap(v->window);
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
    viewer_views_follow_mouse(&v->views, v->window, panel_picture_area(v->panel, &v->state), panel_has_mouse(v->panel));
    sv_status status = take_results(v, captured, error);
    if (status == SV_OK && *captured > 0) status = follow_result(v, error);
    if (status != SV_OK) return change_backend(v, error->text) ? SV_OK : status;
    /* A source that cannot seek delivers no colour while it rests, so the views do not wait for it. */
    const bool rests = viewer_playback_is_paused(&v->playback) || player->ended || player->failed;
    status = viewer_map_show_pictures(&v->map, &v->state.view, !o->run.benchmark && (info_of(v)->seekable || !rests),
                                      &v->drawn, error);
    if (status == SV_OK) draw(v, *captured, player);
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
        follow_drops(v);
        while (window_next_action(v->window, &event))
            if (viewer_act(v, &event, &wanted)) open_input(v, &wanted);
        if (v->player) want_colour(v);
        follow_tuner(v);
        follow_inputs(v);
        if (v->player && player.match_failed) change_backend(v, player.error.text);
        if (!v->player) {
            viewer_views_forget_mouse(&v->views, v->window);
            draw_empty(v);
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
    viewer_notice_init(&v->notice, &o->display.keys);
    viewer_tuner_start(&v->tuner, &o->match.params, &s->params);
    viewer_inputs_init(&v->inputs, o, (pool_memory){v->backend->alloc, v->backend->free}, &v->tuner, &v->notice,
                       &s->opening);
    viewer_playback_init(&v->playback, &v->notice, &s->playback, &s->offset);
    viewer_views_init(&v->views, &v->notice, &s->view);
    viewer_compare_init(&v->compare, &v->tuner, &v->notice);
    viewer_costs_init(&v->costs, &s->costs, &s->cost_view);
    viewer_rig_init(&v->rig, &v->notice, &v->tuner);
    viewer_settings_init(&v->settings, &v->compare, &v->tuner, &v->notice, &s->view, &s->settings, &s->qualities);
    viewer_settings_begin(&v->settings, &viewer_inputs_current(&v->inputs)->options);
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
    v->state = (panel_state){
        .empty = true, .looks = {.open = true, .width = kept.panel, .theme = kept.theme}, .view = o->display.view};
    connect(v, o);
    opening *first = viewer_inputs_current(&v->inputs);
    v->session =
        (session){.options = &first->options, .backend = v->backend, .stats = v->stats, .colour = &first->colour};
    want_colour(v);
    sv_status status = named ? session_open(&v->session, error) : SV_OK;
    if (status == SV_OK) status = window_open(&v->window, &look, error);
    if (status == SV_NO_DEVICE && !named) return options_refuse_nothing(error);
    if (status == SV_OK) status = panel_create(&v->panel, v->window, error);
    return status == SV_OK && named ? begin(v, error) : status;
}

static void keep_looks(const viewer *v) {
    window_state kept = {.panel = v->state.looks.width, .theme = v->state.looks.theme};
    window_frame(v->window, &kept.width, &kept.height);
    window_state_write(&kept);
}
sv_status viewer_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error) {
    viewer v = {.backend = backend, .stats = stats};
    short_waits waits;
    short_waits_begin(&waits);
    sv_status status = open_all(&v, options, error);
    stop_in_order();
    if (status == SV_OK) status = loop(&v, options, error);
    if (v.window && v.panel && !options->run.benchmark) keep_looks(&v);
    window_hide(v.window);
    end(&v);
    if (status == SV_OK) status = viewer_rig_check_saved(&v.rig, &viewer_inputs_current(&v.inputs)->options.rig, error);
    viewer_inputs_close(&v.inputs);
    viewer_settings_free(&v.settings);
    panel_destroy(v.panel);
    window_close(v.window);
    short_waits_end(&waits);
    return status;
}
