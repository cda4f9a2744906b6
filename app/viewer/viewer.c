/* A run with a window: the main thread draws the results of the player's thread, and passes the user's changes to it.
 * Each slot is lent to the player, returned with a result, shown, and lent again. */
#include "app/viewer/viewer.h"
#include "app/viewer/viewer_parts.h"

#include "app/viewer/looks.h"
#include "base/stop.h"
#include "render/view/view_cloud.h"
#include "stereo/worker.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

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
    const sv_params *shown = v->frame >= 0 ? v->state.status.params : &v->tuning.now;
    view_follow_range(v->view, &v->state.view, (float)shown->min_disparity, (float)shown->max_disparity);
    const histogram *h = view_histogram(v->view, viewer_leading_map(v), shown);
    v->state.histogram = h;
    viewer_follow_readings(v);
    view_cloud_follow(v->view,
                      h && h->values ? histogram_median(h) : (shown->min_disparity + shown->max_disparity) / 2.0);
}

/* Draws one frame of the window. `captured`: when the pair of a new map was captured, 0 if the map is not new. */
static void draw(viewer *v, double captured, player_state *player) {
    const double start = sv_seconds();
    const view_rect area = panel_picture_area(v->panel, &v->state);
    view_pixel pixel;
    viewer_follow_comparison(v);
    follow_map(v);
    viewer_update_rig(v);
    viewer_update_board(v);
    viewer_update_state(v, player, &pixel, area);
    window_clear(v->window);
    v->drawn.colour = v->state.view.colour; /* with the range that was followed */
    view_draw(v->view, &v->drawn, area);
    if (v->snapshot_due && v->frame >= 0) viewer_take_snapshot(v, area);
    v->state.lacking = viewer_lacks(v);
    if (view_shows(&v->drawn, VIEW_CLOUD))
        stats_set_figure(v->session.stats, "cloud_points", view_cloud_points(v->view));
    viewer_write_words(v, area);
    const double speed = v->state.playback.speed, offset = v->state.offset.frames;
    const bool real_time = v->state.playback.real_time;
    panel_draw(v->panel, &v->state);
    const double drawn = 1e3 * (sv_seconds() - start);
    /* Before the swap, which may wait for the screen. */
    if (v->state.params.wants) tuning_set(&v->tuning, &v->state.params.wanted, sv_seconds());
    viewer_follow_tuning(v);
    window_swap(v->window);

    const double now = sv_seconds();
    stats_tick(v->session.stats, STATS_DRAWN, now);
    stats_set_figure(v->session.stats, "drawn_frames", (double)stats_count(v->session.stats, STATS_DRAWN));
    stats_set_figure(v->session.stats, "drawn_views", (double)view_drawn_parts(v->view));
    stats_add(v->session.stats, STATS_DRAW, drawn);
    figures_add(&v->figures, FIGURE_DRAW, now, drawn);
    if (captured > 0 && captured != v->captured) { /* not when a pair is matched again */
        stats_add(v->session.stats, STATS_LATENCY, 1e3 * (now - captured));
        figures_add(&v->figures, FIGURE_LATENCY, now, 1e3 * (now - captured));
    }
    if (captured > 0) v->captured = captured;
    viewer_want_colour(v);
    if (speed != v->state.playback.speed || real_time != v->state.playback.real_time)
        player_set_pace(v->player, v->state.playback.speed, v->state.playback.real_time);
    if (offset != v->state.offset.frames) viewer_set_offset(v, v->state.offset.frames);
}

/* Draws the window while no input is open. */
static void draw_empty(viewer *v) {
    viewer_notice_log(v);
    v->state.message.text = sv_seconds() < v->notice_until ? v->notice : NULL;
    v->state.message.is_error = v->notice_is_error;
    window_clear(v->window);
    panel_draw(v->panel, &v->state);
    window_swap(v->window);
}

static sv_status loop(viewer *v, sv_error *error) {
    sv_status status = SV_OK;
    player_state player = {0};
    const double draw_rate = v->options->draw_rate,
                 measured_interval = draw_rate > 0 ? 1 / draw_rate : benchmark_interval;
    double due = 0;     /* when to draw the next frame if nothing happens before */
    double stirred = 0; /* when there was a new map */
    while (status == SV_OK && !v->quit && !stop_requested()) {
        input_event event;
        double captured;
        const double polled = sv_seconds();
        do {
            window_poll(v->window, fmax(0, due - sv_seconds()));
        } while (v->options->benchmark && sv_seconds() < due && !stop_requested());
        const double now = sv_seconds(), used = now - window_rest(v->window); /* when the user did something last */
        const bool idle = now - stirred > settling && window_rest(v->window) > settling && v->compare.blinks_since <= 0;
        const bool slow = window_in_software(v->window) && window_rest(v->window) > reading;
        const double busy_interval = slow ? software_interval : frame_interval;
        due = now + (v->options->benchmark ? measured_interval : idle ? idle_interval : busy_interval);
        viewer_follow_drops(v);
        while (window_next_action(v->window, &event)) viewer_act(v, &event);
        viewer_follow_opener(v);
        if (!v->state.empty && player.match_failed) viewer_change_backend(v, player.error.text);
        if (v->state.empty) {
            viewer_forget_mouse(v);
            draw_empty(v);
            continue;
        }
        follow_mouse(v);
        status = viewer_take_results(v, &captured, error);
        if (captured > 0) stirred = now;
        if (status == SV_OK && captured > 0) {
            viewer_show_board(v, &v->pictures.pair);
            status = viewer_follow_result(v, error);
        }
        if (status != SV_OK && viewer_change_backend(v, error->text)) {
            status = SV_OK;
            continue;
        }
        /* A source that cannot seek delivers no colour while it rests, so the views do not wait for it. */
        const bool rests = v->state.playback.paused || player.ended || player.failed;
        v->pictures.in_colour = !v->options->benchmark && (v->state.playback.seekable || !rests);
        if (status == SV_OK)
            status =
                pictures_show(&v->pictures, v->player, v->view, &v->state.view, v->shown.row_shift, &v->drawn, error);
        if (status != SV_OK) break;
        draw(v, captured, &player);
        if (used > polled) stats_add(v->session.stats, STATS_RESPOND, 1e3 * (sv_seconds() - used));
        /* A benchmark ends with its files. */
        if (v->options->benchmark && (player.ended || player.failed)) break;
    }
    if (status == SV_OK && v->options->benchmark && player.failed)
        status = sv_fail(error, SV_FAILED, "%s", player.error.text);
    return status;
}

/* Opens the window and, if the command line names an input, the session before it: its errors are reported where the
 * program was started. */
static sv_status open_all(viewer *v, const options *o, sv_error *error) {
    const bool named = options_have_source(o);
    looks kept = {.width = 1280, .height = 800, .panel = PANEL_WIDTH};
    if (!o->benchmark) looks_read(&kept);
    const window_options look = {.title = "stereoview",
                                 .width = kept.width,
                                 .height = kept.height,
                                 .keys = &o->keys,
                                 .vsync = !o->benchmark,
                                 .debug = o->log_level == SV_LOG_DEBUG};
    opener_init(&v->opener, o, (pool_memory){v->backend->alloc, v->backend->free});
    opening *first = &v->opener.each[0];
    v->options = &first->options;
    v->state = (panel_state){.empty = true,
                             .looks = {.open = true, .width = kept.panel, .theme = kept.theme},
                             .view = o->view,
                             .playback.speed = 1,
                             .params.now = &v->tuning.now};
    v->resume = -1;
    tuning_start(&v->tuning, &o->params);
    v->passed = o->params;
    qualities_read(&v->qualities);
    if (o->compare) viewer_compare_take(v, &o->second);
    v->session = (session){.options = v->options, .backend = v->backend, .stats = v->stats, .colour = &first->colour};
    viewer_want_colour(v);
    sv_status status = named ? session_open(&v->session, error) : SV_OK;
    if (status == SV_OK) status = window_open(&v->window, &look, error);
    if (status == SV_NO_DEVICE && !named) return options_refuse_nothing(error);
    if (status == SV_OK) status = panel_create(&v->panel, v->window, error);
    return status == SV_OK && named ? viewer_begin(v, error) : status;
}

static void keep_looks(const viewer *v) {
    looks kept = {.panel = v->state.looks.width, .theme = v->state.looks.theme};
    window_frame(v->window, &kept.width, &kept.height);
    looks_write(&kept);
}

/* Has a thread of OpenMP that does nothing until the worker ends. Threads of the CPU backend that wait for one another
 * would keep processors busy for milliseconds, which drawing in software lacks; GCC's OpenMP lets them wait for
 * microseconds where it has more threads than there are processors. */
static void *crowd(void *of) {
    sv_worker *worker = of;
#pragma omp parallel num_threads(2)
    sv_log(SV_LOG_DEBUG, "thread %d of OpenMP only shortens how long others wait", omp_get_thread_num());
    pthread_mutex_lock(&worker->lock);
    while (!worker->stops) pthread_cond_wait(&worker->changed, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

sv_status viewer_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error) {
    viewer v = {.backend = backend, .stats = stats};
    sv_worker worker;
    sv_error why;
    const bool crowded =
        !getenv("OMP_WAIT_POLICY") && sv_worker_start(&worker, crowd, &worker, "shortens waiting", &why) == SV_OK;
    sv_status status = open_all(&v, options, error);
    stop_in_order();
    if (status == SV_OK) status = loop(&v, error);
    if (v.window && v.panel && !options->benchmark) keep_looks(&v);
    window_hide(v.window);
    viewer_end(&v);
    if (status == SV_OK) status = viewer_check_saved(&v, error);
    opener_close(&v.opener);
    recent_free(&v.recent);
    recent_free(&v.recent_settings);
    settings_free_source(&v.named);
    panel_destroy(v.panel);
    window_close(v.window);
    if (crowded) sv_worker_stop(&worker);
    return status;
}
