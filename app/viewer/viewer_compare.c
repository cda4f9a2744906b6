/* Comparing two sets of parameters in the window: A, which the command line and the settings name, and B. One of them
 * is edited, which means that the panel and the keys change it. */
#include "app/viewer/viewer_parts.h"

#include "app/options/second_set.h"
#include "app/options/settings.h"

#include <stdlib.h>
#include <string.h>

/* Seconds that A and B are shown for in turn while they blink. */
static const double blink_interval = 0.4;

int viewer_leading_map(const viewer *v) { return v->compare.shown && v->state.view.compared == VIEW_B; }

/* Edits A (0) or B (1). */
static void edit_set(viewer *v, int which) {
    viewer_compare *c = &v->compare;
    if (which == c->edited) return;
    const tuning other = c->other;
    c->other = v->tuning;
    v->tuning = other;
    c->edited = which;
    v->passed = v->tuning.now;
    v->state.compare.edited = which;
}

/* ---- Beginning and ending --------------------------------------------------------------------- */

/* Lends B's output of a slot to the player. */
sv_status viewer_lend_second(viewer *v, int slot, sv_error *error) {
    sv_output output;
    sv_status status = slots_lend(&v->compare.slots, slot, &output, error);
    if (status == SV_OK) player_lend_second(v->player, slot, &output);
    return status;
}

static sv_status begin(viewer *v, sv_error *error) {
    viewer_compare *c = &v->compare;
    sv_status status = sv_check_backend(v->backend, viewer_set(v, 1), error);
    if (status == SV_OK) status = session_compare(&v->session, error);
    if (status == SV_OK) status = view_add_second(v->view, error);
    if (status == SV_OK && !c->slots.view)
        status = slots_create(&c->slots, v->backend, v->options->device, v->view, SV_OUTPUTS, v->state.source.width,
                              v->state.source.height, error);
    for (int i = 0; i < SV_OUTPUTS && status == SV_OK; i++) status = viewer_lend_second(v, i, error);
    return status;
}

static void stop(viewer *v) {
    v->compare.on = v->state.compare.on = false;
    edit_set(v, 0);
    viewer_want_colour(v);
}

void viewer_compare_begin(viewer *v) {
    viewer_compare *c = &v->compare;
    sv_error error;
    if (v->options->calibrate) {
        viewer_set_notice(v, "save the calibration, and compare with it (--calibration)");
        stop(v);
        return;
    }
    if (!c->begun) tuning_start(&c->other, &v->tuning.now);
    c->begun = c->on = v->state.compare.on = true;
    if (begin(v, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "B cannot be compared: %s; A goes on alone", error.text);
        stop(v);
        return;
    }
    viewer_want_colour(v);
    viewer_send_params(v);
}

void viewer_compare_take(viewer *v, const sv_params *b) {
    v->compare.begun = v->compare.on = true;
    tuning_start(&v->compare.other, b);
}

void viewer_compare_toggle(viewer *v) {
    if (!v->compare.on) {
        viewer_compare_begin(v);
        if (!v->compare.on) return;
        edit_set(v, 1);
        char line[96];
        snprintf(line, sizeof line, "A|B: the panel and the keys now change B (%s: A)",
                 viewer_keys(v, INPUT_COMPARE_EDIT));
        viewer_set_notice(v, line);
        return;
    }
    stop(v);
    player_stop_comparing(v->player);
    viewer_set_notice(v, "A alone");
}

void viewer_compare_edit(viewer *v) {
    if (!v->compare.on) {
        char line[96];
        snprintf(line, sizeof line, "there is no B; %s begins to compare", viewer_keys(v, INPUT_COMPARE));
        viewer_set_notice(v, line);
        return;
    }
    edit_set(v, !v->compare.edited);
    viewer_set_notice(v, v->compare.edited ? "the panel and the keys change B" : "the panel and the keys change A");
}

void viewer_compare_end(viewer *v) {
    slots_destroy(&v->compare.slots);
    v->compare.shown = false;
    v->compare.blinks_since = 0;
}

/* ---- Settings --------------------------------------------------------------------------------- */

sv_status viewer_write_settings(viewer *v, const char *path, sv_error *error) {
    char text[SECOND_SET_BYTES];
    settings_source source = {.count = 0};
    const sv_params *a = viewer_set(v, 0), *b = viewer_set(v, 1);
    sv_status status = SV_OK;
    if (v->compare.on)
        status = settings_add_source(&source, "compare", error, "%s", second_set_print(a, b, text, sizeof text));
    if (status == SV_OK) status = settings_write(path, a, &v->state.view, &source, error);
    settings_free_source(&source);
    return status;
}

/* Goes on with the parameters `a`. */
static void take_settings(viewer *v, const sv_params *a) {
    edit_set(v, 0);
    tuning_set_method(&v->tuning, a->method, sv_seconds());
    tuning_set(&v->tuning, a, sv_seconds());
    viewer_follow_tuning(v);
}

sv_status viewer_read_settings(viewer *v, const char *path, sv_error *error) {
    sv_params a = *viewer_set(v, 0), b;
    settings_source source = {.count = 0};
    view_settings view = v->state.view;
    sv_status status = settings_read(path, &a, &view, &source, error);
    if (status != SV_OK) return status;
    const char *text = settings_source_value(&source, "compare");
    if (text) status = second_set_parse(text, &a, &b, error);
    if (status != SV_OK) {
        settings_free_source(&source);
        return status;
    }
    settings_free_source(&v->named);
    v->named = source;
    v->state.view = view;
    take_settings(v, &a);
    if (!text) return SV_OK;
    viewer_compare_take(v, &b);
    if (v->player) viewer_compare_begin(v);
    return SV_OK;
}

/* ---- Showing ---------------------------------------------------------------------------------- */

sv_status viewer_show_second(viewer *v, const player_result *result, sv_error *error) {
    viewer_compare *c = &v->compare;
    c->shown = result->compared && c->on;
    if (!c->shown) view_forget_second(v->view);
    if (!result->compared) return SV_OK;
    c->params = result->second_params;
    const sv_status status = slots_show(&c->slots, result->slot, error);
    if (!c->shown) view_forget_second(v->view);
    return status;
}

/* Writes what a set is, how long it took, and its errors. */
static void describe_set(viewer *v, int which) {
    viewer_compare *c = &v->compare;
    const judge_case *judged = &v->judge.of;
    char text[SECOND_SET_BYTES], errors[96] = "";
    const score *s = &v->judge.each[which].score;
    second_set_print(&judged->params[!which], &judged->params[which], text, sizeof text);
    if (v->judge.known)
        snprintf(errors, sizeof errors, "; bad1 %.2f, bad2 %.2f %%, avg %.3f px", s->bad1, s->bad2, s->average);
    snprintf(c->sets[which], sizeof c->sets[which], "%c: %.200s, %.1f ms%s", "AB"[which], text, judged -> ms[which],
             errors);
    v->state.compare.sets[which] = v->state.status.sets[which] = c->sets[which];
}

void viewer_describe_comparison(viewer *v) {
    viewer_compare *c = &v->compare;
    stats *stats = v->session.stats;
    panel_compare *words = &v->state.compare;
    panel_status *status = &v->state.status;
    for (int i = 0; i < 2; i++) words->sets[i] = status->sets[i] = NULL;
    words->difference = status->difference = NULL;
    if (!c->shown || !v->judge.compared) return;
    describe_set(v, 0);
    describe_set(v, 1);
    words->difference = status->difference =
        compare_describe(&v->judge.comparison, c->difference, sizeof c->difference);
    const compare_shares s = compare_shares_of(&v->judge.comparison);
    stats_set_figure(stats, "compare_both_percent", s.both);
    stats_set_figure(stats, "compare_over_1_percent", s.over1);
    stats_set_figure(stats, "compare_over_2_percent", s.over2);
    stats_set_figure(stats, "compare_only_a_percent", s.only[0]);
    stats_set_figure(stats, "compare_only_b_percent", s.only[1]);
    stats_set_figure(stats, "compare_a_ms", v->judge.of.ms[0]);
    stats_set_figure(stats, "compare_b_ms", v->judge.of.ms[1]);
    if (!v->judge.known) return;
    stats_set_figure(stats, "compare_a_bad1_percent", v->judge.each[0].score.bad1);
    stats_set_figure(stats, "compare_b_bad1_percent", v->judge.each[1].score.bad1);
}

void viewer_blink(viewer *v) {
    if (v->compare.shown) v->compare.blinks_since = sv_seconds();
}

void viewer_follow_comparison(viewer *v) {
    viewer_compare *c = &v->compare;
    panel_state *s = &v->state;
    const double now = sv_seconds();
    const int leading = viewer_leading_map(v);
    sv_error error;
    if (player_compare_failed(v->player, &error)) {
        sv_log(SV_LOG_ERROR, "B cannot be matched: %s; A goes on alone", error.text);
        stop(v);
    }
    s->status.params = v->frame < 0 ? &v->tuning.now : leading ? &c->params : &v->shown;
    s->score = c->shown ? NULL : *v->score ? v->score : NULL;
    s->errors = v->judge.known && leading < v->judge.of.maps ? &v->judge.each[leading].errors : NULL;
    if (!window_holds(v->window, INPUT_BLINK)) c->blinks_since = 0;
    if (c->blinks_since <= 0) return;
    const bool second_turn = (int)((now - c->blinks_since) / blink_interval) % 2;
    v->drawn.compared = second_turn == (s->view.compared == VIEW_A) ? VIEW_A : VIEW_B;
}
