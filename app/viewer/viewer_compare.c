/* Comparing two sets of parameters in the window. */
#include "app/viewer/viewer_compare.h"

#include "app/options/second_set.h"
#include "render/view/view.h"

#include <stdio.h>
#include <string.h>

/* Seconds that A and B are shown for in turn while they blink. */
static const double blink_interval = 0.4;

/* ---- Beginning and ending --------------------------------------------------------------------- */

void viewer_compare_init(viewer_compare *c, viewer_tuner *tuner, viewer_notice *notice) {
    *c = (viewer_compare){.tuner = tuner, .notice = notice};
}

void viewer_compare_lend(viewer_compare *c, int slot) {
    if (!viewer_tuner_compares(c->tuner)) return;
    const sv_output output = slots_lend(&c->slots, slot);
    player_lend_second(c->player, slot, &output);
}

static sv_status begin(viewer_compare *c, sv_error *error) {
    session *s = c->session;
    const source_info *info = pairing_info(s->pairing);
    sv_status status = sv_check_backend(s->backend, viewer_tuner_of(c->tuner, 1), error);
    if (status == SV_OK) status = session_compare(s, error);
    if (status == SV_OK) status = view_add_second(c->view, error);
    if (status == SV_OK && !c->slots.view)
        status = slots_create(&c->slots, s->backend, s->options->match.device, c->view, SV_OUTPUTS, info->width,
                              info->height, error);
    for (int i = 0; i < SV_OUTPUTS && status == SV_OK; i++) viewer_compare_lend(c, i);
    return status;
}

void viewer_compare_start(viewer_compare *c, const sv_params *b) {
    sv_error error;
    if (c->session && c->session->options->rig.calibrate) {
        viewer_notice_set(c->notice, "save the calibration, and compare with it (--calibration)");
        viewer_tuner_end_second(c->tuner);
        return;
    }
    viewer_tuner_begin_second(c->tuner, b);
    if (!c->session || begin(c, &error) == SV_OK) return;
    sv_log(SV_LOG_ERROR, "B cannot be compared: %s; continuing with A only", error.text);
    viewer_tuner_end_second(c->tuner);
}

void viewer_compare_begin(viewer_compare *c, session *session, view *view, player *player) {
    c->session = session;
    c->view = view;
    c->player = player;
    if (viewer_tuner_compares(c->tuner)) viewer_compare_start(c, NULL);
}

void viewer_compare_end(viewer_compare *c) {
    slots_destroy(&c->slots);
    viewer_compare_init(c, c->tuner, c->notice);
}

void viewer_compare_toggle(viewer_compare *c) {
    if (viewer_tuner_compares(c->tuner)) {
        viewer_tuner_end_second(c->tuner);
        player_stop_comparing(c->player);
        viewer_notice_set(c->notice, "comparison ended: A alone");
        return;
    }
    viewer_compare_start(c, NULL);
    if (!viewer_tuner_compares(c->tuner)) return;
    viewer_tuner_edit(c->tuner, 1);
    viewer_notice_set(c->notice, "comparing: the controls now edit B (%s: A)",
                      viewer_notice_keys(c->notice, INPUT_COMPARE_EDIT));
}

void viewer_compare_edit(viewer_compare *c) {
    if (!viewer_tuner_compares(c->tuner)) {
        viewer_notice_set(c->notice, "there is no B; %s starts comparing",
                          viewer_notice_keys(c->notice, INPUT_COMPARE));
        return;
    }
    viewer_tuner_edit(c->tuner, !c->tuner->edited);
    viewer_notice_set(c->notice, "the controls edit %c", "AB"[c->tuner->edited]);
}

/* ---- Showing ---------------------------------------------------------------------------------- */

sv_status viewer_compare_show(viewer_compare *c, const player_result *result, sv_error *error) {
    c->shown = result->compared && viewer_tuner_compares(c->tuner);
    if (!c->shown) view_forget_second(c->view);
    if (!result->compared) return SV_OK;
    c->params = result->second_params;
    const sv_status status = slots_show(&c->slots, result->slot, result->has_confidence, error);
    if (!c->shown) view_forget_second(c->view);
    return status;
}

const sv_params *viewer_compare_shown(const viewer_compare *c) { return c->shown ? &c->params : NULL; }

int viewer_compare_leading(const viewer_compare *c, int compared) { return c->shown && compared == VIEW_B; }

/* Shortens the path of a model to the name of its file. */
static void shorten_model(char *text) {
    char *path = strstr(text, ",model=");
    if (!path) return;
    path += strlen(",model=");
    const char *name = path;
    for (const char *c = path; *c && *c != ','; c++)
        if (*c == '/') name = c + 1;
    memmove(path, name, strlen(name) + 1);
}

/* Writes what a set is, how long it took, and its errors. */
static void describe_set(viewer_compare *c, const map_scores *scores, int which) {
    const map_scores_case *judged = &scores->of;
    const score *s = map_scores_score(scores, which);
    char text[SECOND_SET_BYTES], errors[96] = "";
    second_set_print(&judged->params[!which], &judged->params[which], text, sizeof text);
    shorten_model(text);
    if (s) snprintf(errors, sizeof errors, "; bad1 %.2f, bad2 %.2f %%, avg %.3f px", s->bad1, s->bad2, s->average);
    snprintf(c->sets[which], sizeof c->sets[which], "%c: %.200s, %.1f ms%s", "AB"[which], text, judged -> ms[which],
             errors);
}

static void note_figures(stats *stats, const map_scores *scores, const comparison *comparison) {
    const compare_shares s = compare_shares_of(comparison);
    stats_set_figure(stats, "compare_both_percent", s.both);
    stats_set_figure(stats, "compare_over_1_percent", s.over1);
    stats_set_figure(stats, "compare_over_2_percent", s.over2);
    stats_set_figure(stats, "compare_only_a_percent", s.only[0]);
    stats_set_figure(stats, "compare_only_b_percent", s.only[1]);
    stats_set_figure(stats, "compare_a_ms", scores->of.ms[0]);
    stats_set_figure(stats, "compare_b_ms", scores->of.ms[1]);
    if (!map_scores_score(scores, 0)) return;
    stats_set_figure(stats, "compare_a_bad1_percent", map_scores_score(scores, 0)->bad1);
    stats_set_figure(stats, "compare_b_bad1_percent", map_scores_score(scores, 1)->bad1);
}

void viewer_compare_describe(viewer_compare *c, const map_scores *scores, panel_compare *shown, panel_status *status) {
    const comparison *comparison = c->shown && scores->compared ? &scores->comparison : NULL;
    for (int i = 0; i < 2; i++) {
        if (comparison) describe_set(c, scores, i);
        shown->sets[i] = status->sets[i] = comparison ? c->sets[i] : NULL;
    }
    shown->difference = status->difference = NULL;
    if (!comparison) return;
    shown->difference = status->difference = compare_describe(comparison, c->difference, sizeof c->difference);
    note_figures(c->session->stats, scores, comparison);
}

void viewer_compare_update(viewer_compare *c, panel_compare *shown) {
    sv_error error;
    if (player_compare_failed(c->player, &error)) {
        sv_log(SV_LOG_ERROR, "B cannot be matched: %s; continuing with A only", error.text);
        viewer_tuner_end_second(c->tuner);
    }
    shown->on = viewer_tuner_compares(c->tuner);
    shown->edited = c->tuner->edited;
}

/* ---- Taking turns ----------------------------------------------------------------------------- */

void viewer_compare_blink(viewer_compare *c) {
    if (c->shown) c->blinks_since = sv_seconds();
}

bool viewer_compare_blinks(const viewer_compare *c) { return c->blinks_since > 0; }

bool viewer_compare_take_turns(viewer_compare *c, bool held, int *compared) {
    if (!held) c->blinks_since = 0;
    if (c->blinks_since <= 0) return false;
    const bool second_turn = (int)((sv_seconds() - c->blinks_since) / blink_interval) % 2;
    *compared = second_turn == (*compared == VIEW_A) ? VIEW_A : VIEW_B;
    return true;
}
