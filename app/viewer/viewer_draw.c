/* Draws a frame of the window: what the panel shows is updated, the views are drawn, and then the panel. */
#include "app/viewer/viewer_state.h"

#include "app/viewer/viewer_measures.h"
#include "render/view/view_cloud.h"

#include <stdio.h>

/* Seconds without the mouse after which the bar hides in full screen. */
static const double bar_delay = 2.5;

/* Follows the map on the screen: the range of its colours, its histogram, its middle, its scores. */
static void follow_map(viewer *v) {
    panel_state *s = &v->state;
    const int leading = viewer_compare_leading(&v->compare, s->view.compared);
    const sv_params *second = viewer_compare_shown(&v->compare);
    const sv_params *shown = v->map.frame < 0 ? viewer_tuner_edited(&v->tuner) : leading ? second : &v->map.params;
    view_limit(v->view, &s->view.limits);
    const histogram *h = view_histogram(v->view, leading, shown);
    view_follow_range(v->view, &s->view, h, !sv_methods[shown->method].runs_model, (float)shown->min_disparity,
                      (float)shown->max_disparity);
    if (viewer_map_follow(&v->map, second ? 2 : 1, leading))
        viewer_compare_describe(&v->compare, &v->map.scores, &s->compare, &s->status);
    view_cloud_follow(v->view,
                      h && h->values ? histogram_median(h) : (shown->min_disparity + shown->max_disparity) / 2.0);
    s->histogram = h;
    s->status.params = shown;
    s->status.range[0] = s->view.colour.min;
    s->status.range[1] = s->view.colour.max;
    s->score = second || !*v->map.score ? NULL : v->map.score;
    s->errors = map_scores_errors(&v->map.scores, leading);
}

/* Follows the range that the pictures need, unless the user chose one. */
static void follow_range(viewer *v) {
    probe_result result;
    sv_params params = *viewer_tuner_edited(&v->tuner);
    if (sv_range_is_chosen(&params)) {
        v->range = (auto_range){0};
        return;
    }
    if (v->session.monitor && pair_monitor_take_probe(v->session.monitor, &result) &&
        auto_range_follow(&v->range, &result, sv_seconds(), &params))
        viewer_tuner_set_range(&v->tuner, &params);
}

/* What the strip shows of the rig, and of how fast it goes. */
static void update_strip(viewer *v, int64_t skipped) {
    panel_state *s = &v->state;
    const options *o = v->session.options;
    const source_info *info = pairing_info(v->session.pairing);
    const bool calibrates = viewer_rig_calibrates(&v->rig);
    const viewer_playing playing = {.paused = viewer_playback_is_paused(&v->playback),
                                    .real_time = v->playback.real_time,
                                    .calibrates = calibrates,
                                    .speed = v->playback.speed,
                                    .scale = viewer_tuner_edited(&v->tuner)->scale};
    const double counted = viewer_figures_update(&v->figures, &v->session, skipped, &s->status, &s->figures);
    const double matched = viewer_pace_follow(&v->pace, &v->session, &playing, counted, &v->notice, &s->status);
    rig_case of = {.params = *viewer_tuner_edited(&v->tuner),
                   .aligned = v->rig.live_align || o->rig.calibration,
                   .moves_right = viewer_playback_moves(&v->playback),
                   .rate = info->rate,
                   .behind = v->pace.pace.behind && !playing.paused,
                   .rates = v->pace.rates,
                   .live = info->live,
                   .real_time = playing.real_time,
                   .paused = playing.paused,
                   .offer = *v->source.offer ? v->source.offer : NULL,
                   .offer_cure = v->source.cure};
    viewer_figures_add_matched(&v->figures, matched);
    if (o->run.benchmark) return;
    viewer_strip_update(&v->strip, &v->session, &of.params, &of, calibrates,
                        v->rig.swapped || viewer_board_is_swapped(v->board));
    view_set_rows(v->view, v->strip.rows_known ? &v->strip.rows : NULL);
}

/* What is under the mouse, in the views that are drawn in `area`, and its costs. `pixel`: room for it, borrowed until
 * the panel has been drawn. */
static void update_pixel(viewer *v, view_pixel *pixel, view_rect area) {
    panel_state *s = &v->state;
    const sv_params *second = viewer_compare_shown(&v->compare);
    int x, y;
    if (panel_has_mouse(v->panel) || !window_mouse(v->window, &x, &y)) x = y = -1;
    s->pixel = view_pick(v->view, &v->drawn, area, x, y, pixel) ? pixel : NULL;
    viewer_map_read(&v->map, s->pixel, second, &s->reading);
    const viewer_costs_of costs = {.frame = v->map.frame,
                                   .pair = &v->map.pair,
                                   .params = {&v->map.params, second},
                                   .leads = viewer_compare_leading(&v->compare, s->view.compared),
                                   .compares = viewer_tuner_compares(&v->tuner),
                                   .winners = view_shows(&v->drawn, VIEW_COST),
                                   .pixel = s->pixel};
    if (v->map.of_map) viewer_costs_follow(&v->costs, &v->session, v->view, &costs);
}

static void update_rows(viewer *v) {
    const sv_params *const sets[2] = {viewer_tuner_of(&v->tuner, 0),
                                      viewer_tuner_compares(&v->tuner) ? viewer_tuner_of(&v->tuner, 1) : NULL};
    if (panel_shows_statistics(&v->state))
        viewer_figures_write_rows(&v->figures, &v->session, sets, v->map.slots.interop, &v->state.figures);
}

/* Updates all that the panel shows. `waiting`: room for a line, borrowed as `pixel` is. */
static void update(viewer *v, player_state *player, view_pixel *pixel, char *waiting, size_t size, view_rect area) {
    panel_state *s = &v->state;
    const sv_rectification *r = session_rectification(&v->session);
    const int64_t frame = v->map.frame;
    s->metric = r->metric ? r : NULL;
    viewer_compare_update(&v->compare, &s->compare);
    viewer_rig_update(&v->rig, &s->rig, &s->status);
    s->board = viewer_board_update(v->board, &s->view, &v->drawn, area, frame);
    *player = player_get_state(v->player);
    const char *recorded = viewer_playback_update(&v->playback, player);
    const bool typing = window_typing(v->window);
    s->looks.full_screen = window_is_full_screen(v->window);
    s->looks.bar_hidden = window_mouse_rest(v->window) > bar_delay && !typing && !panel_has_mouse(v->panel);
    follow_range(v);
    update_strip(v, player->skipped);
    viewer_settings_update(&v->settings);
    viewer_export_update(&v->exported);
    viewer_controls_update(&v->controls);
    viewer_notice_follow_log(&v->notice);
    const bool waits = viewer_map_describe_wait(&v->map, viewer_compare_shown(&v->compare), player, waiting, size);
    viewer_notice_choose(&v->notice, v->session.pairing, player, waits ? waiting : NULL, recorded, &s->message);
    update_pixel(v, pixel, area);
    viewer_measures_update(v->view, &v->notice, &s->measures);
    update_rows(v);
}

/* Gives a snapshot of what has just been drawn in `area` to be written. */
static void take_snapshot(viewer *v, view_rect area) {
    const int which = viewer_compare_leading(&v->compare, v->drawn.compared);
    const frame_pair *pair = &v->map.pair;
    const frame *left = pair->left, *right = pair->right;
    const source_info *info = pairing_info(v->session.pairing);
    const char *note;
    const sv_rig *rig = viewer_rig_known(&v->rig, &note);
    sv_error error;
    snapshot shot = {
        .pair = {frame_retain(pair->left), frame_retain(pair->right)},
        .params = viewer_map_repeat(&v->map, which ? viewer_compare_shown(&v->compare) : &v->map.params),
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
    sv_choose_range(&shot.params, true); /* the map is to be repeated */
    if (rig) shot.rig = *rig;
    shot.geometry.maps[0] = shot.geometry.maps[1] = NULL;
    snprintf(shot.note, sizeof shot.note, "%s", note);
    snprintf(shot.inputs, sizeof shot.inputs, "%s", v->source.both);
    v->snapshot_due = false;
    sv_status status = snapshot_read(&shot, v->view, area, which, &error);
    if (status == SV_OK && !snapshots_give(v->snapshots, &shot))
        status = sv_fail(&error, SV_FAILED, "earlier ones are still being written");
    if (status == SV_OK) return;
    sv_log(SV_LOG_ERROR, "the snapshot was not saved: %s", error.text);
    snapshot_free(&shot);
}

void viewer_draw(viewer *v, double captured, player_state *player) {
    const double start = sv_seconds();
    const source_info *info = pairing_info(v->session.pairing);
    v->state.view.aspect = v->drawn.aspect = (double)info->width / info->height;
    const view_rect area = panel_picture_area(v->panel, &v->state);
    panel_state *s = &v->state;
    view_pixel pixel;
    char waiting[256];
    viewer_compare_take_turns(&v->compare, window_holds(v->window, INPUT_BLINK), &v->drawn.compared);
    follow_map(v);
    update(v, player, &pixel, waiting, sizeof waiting, area);
    v->drawn.colour = s->view.colour; /* with the range that was followed */
    const bool snapshot = v->snapshot_due && v->map.frame >= 0;
    v->drawn.no_cross = snapshot;
    s->lacking = viewer_map_lacks(&v->map);
    s->word_count = viewer_map_words(&v->map, &v->drawn, area, window_scale(v->window), &s->words);
    window_clear(v->window); /* on which panel_build fills backgrounds */
    /* Before anything is drawn: while the panel is built, a busy GPU would change back to the matcher. */
    panel_build(v->panel, s);
    view_draw(v->view, &v->drawn, area);
    if (view_shows(&v->drawn, VIEW_CLOUD))
        stats_set_figure(v->session.stats, "cloud_points", view_cloud_points(v->view));
    if (snapshot) {
        panel_render_picture(v->panel);
        take_snapshot(v, panel_snapshot_area(v->panel, s));
    }
    panel_render(v->panel);
    const double drawn = 1e3 * (sv_seconds() - start);
    /* Before the swap, which may wait for the screen. */
    viewer_tuner_follow_panel(&v->tuner);
    viewer_measures_follow_panel(v->view, &s->measures);
    viewer_follow_tuner(v);
    viewer_rig_pass(&v->rig);
    window_swap(v->window);

    viewer_figures_add_frame(&v->figures, v->session.stats, drawn, captured, view_drawn_parts(v->view));
    viewer_want_colour(v);
    player_want_confidence(v->player, view_shows(&v->drawn, VIEW_CONFIDENCE));
    viewer_playback_follow_panel(&v->playback);
}

void viewer_draw_empty(viewer *v) {
    viewer_notice_follow_log(&v->notice);
    viewer_notice_show(&v->notice, &v->state.message);
    window_clear(v->window);
    panel_build(v->panel, &v->state);
    panel_render(v->panel);
    window_swap(v->window);
}
