/* The costs that the window shows. */
#include "app/viewer/viewer_costs.h"

#include "render/window/window.h"

#include <math.h>
#include <string.h>

void viewer_costs_toggle(viewer_costs *c) { c->plot->on = !c->plot->on; }

void viewer_costs_end(viewer_costs *c, view *view) {
    costs_close(c->costs);
    c->costs = NULL;
    c->plot->costs = NULL;
    c->shown->known = false;
    if (view) view_set_costs(view, NULL, NULL);
}

static bool is_same(const costs_question *a, const costs_question *b) {
    return a->frame == b->frame && !memcmp(&a->params, &b->params, sizeof a->params);
}

/* Passes the costs of the winners to the view, once. */
static void show_winners(viewer_costs *c, view *view, const costs_answer *answer) {
    panel_cost_view *shown = c->shown;
    sv_error error;
    if (shown->known && is_same(&c->of_view, &answer->question)) return;
    if (view_set_costs(view, answer->winners, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        view_set_costs(view, NULL, NULL);
    }
    c->of_view = answer->question;
    shown->known = view_costs_range(view, &shown->min, &shown->max);
    shown->method = answer->question.params.method;
}

/* Says what the view of the costs shows. `answer`: the newest one, NULL if there is none. */
static void describe_view(viewer_costs *c, view *view, const costs_answer *answer, const viewer_costs_of *of) {
    panel_cost_view *shown = c->shown;
    const view_pixel *pixel = of->pixel;
    const sv_image *winners = answer ? answer->winners : NULL;
    if (winners) show_winners(c, view, answer);
    shown->age = NULL;
    if (shown->known)
        shown->age = costs_describe_age(&c->of_view, of->frame, of->params[of->leads], c->view_age, sizeof c->view_age);
    shown->at_mouse = NAN;
    if (!winners || !pixel) return;
    const float cost = ((const float *)sv_row(winners, pixel->y))[pixel->x];
    if (isfinite(cost)) shown->at_mouse = (double)cost;
}

/* Shows the plot of the newest answer; NULL: there is none. `params`: of the map. */
static void describe_plot(viewer_costs *c, const costs_answer *answer, const viewer_costs_of *of,
                          const sv_params *params) {
    panel_costs *plot = c->plot;
    plot->costs = answer ? answer->pixel : NULL;
    plot->params = answer ? &answer->question.params : NULL;
    plot->compared = of->compares;
    plot->second = answer && answer->question.second;
    plot->age = NULL;
    if (answer) plot->age = costs_describe_age(&answer->question, of->frame, params, c->plot_age, sizeof c->plot_age);
}

void viewer_costs_follow(viewer_costs *c, const session *session, view *view, const viewer_costs_of *of) {
    const view_pixel *pixel = c->plot->on ? of->pixel : NULL;
    c->plot->costs = NULL;
    if (!pixel && !of->winners) return;
    if (!c->costs) {
        const source_info *info = pairing_info(session->pairing);
        c->costs = costs_open(info->width, info->height, session_rectification(session));
    }
    /* The plot is of the map under the mouse, unless a view shows the costs, which are those of the leading map. */
    const bool second = of->params[1] && (of->winners ? of->leads : pixel->shows_second);
    const costs_question question = {.frame = of->frame,
                                     .params = *of->params[second],
                                     .second = second,
                                     .x = pixel ? pixel->x : -1,
                                     .y = pixel ? pixel->y : -1,
                                     .winners = of->winners};
    costs_ask(c->costs, &question, of->pair, window_wake);
    const costs_answer *answer = costs_latest(c->costs);
    describe_plot(c, answer, of, of->params[second]);
    if (of->winners) describe_view(c, view, answer, of);
}
