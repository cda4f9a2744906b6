/* The costs that the window shows: of the pixel under the mouse as a plot, of all winners as a view. */
#include "app/viewer/viewer_parts.h"

#include <math.h>
#include <string.h>

#include "render/view/view_costs.h"

void viewer_end_costs(viewer *v) {
    costs_close(v->costs);
    v->costs = NULL;
    v->state.costs.costs = NULL;
    v->state.cost_view.known = false;
    if (v->view) view_set_costs(v->view, NULL, NULL);
}

static bool is_same(const costs_question *a, const costs_question *b) {
    return a->frame == b->frame && !memcmp(&a->params, &b->params, sizeof a->params);
}

/* Passes the costs of the winners to the view, once. */
static void show_winners(viewer *v, const costs_answer *answer) {
    panel_cost_view *c = &v->state.cost_view;
    sv_error error;
    if (c->known && is_same(&v->cost_view, &answer->question)) return;
    if (view_set_costs(v->view, answer->winners, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        view_set_costs(v->view, NULL, NULL);
    }
    v->cost_view = answer->question;
    c->known = view_costs_range(v->view, &c->min, &c->max);
    c->method = answer->question.params.method;
}

/* Says what the view of the costs shows. `answer`: the newest one, NULL if there is none. */
static void describe_view(viewer *v, const costs_answer *answer) {
    panel_cost_view *c = &v->state.cost_view;
    const view_pixel *pixel = v->state.pixel;
    const sv_image *winners = answer ? answer->winners : NULL;
    if (winners) show_winners(v, answer);
    c->age = c->known
                 ? costs_describe_age(&v->cost_view, v->frame, v->state.status.params, v->cost_age, sizeof v->cost_age)
                 : NULL;
    c->at_mouse = NAN;
    if (!winners || !pixel) return;
    const float cost = ((const float *)sv_row(winners, pixel->y))[pixel->x];
    if (isfinite(cost)) c->at_mouse = (double)cost;
}

/* Stops showing costs, because they cannot be computed. */
static void give_up(viewer *v) {
    v->state.costs.on = false;
    for (int i = 0; i < VIEW_MOST; i++)
        if (v->state.view.kinds[i] == VIEW_COST) v->state.view.kinds[i] = VIEW_DISPARITY;
}

void viewer_ask_for_costs(viewer *v) {
    panel_state *s = &v->state;
    const view_pixel *pixel = s->costs.on ? s->pixel : NULL;
    const bool winners = view_shows(&v->drawn, VIEW_COST);
    sv_error error;
    s->costs.costs = NULL;
    if ((!pixel && !winners) || !v->pictures.of_map || v->frame < 0) return;
    if (!v->costs &&
        costs_open(&v->costs, s->source.width, s->source.height, session_rectification(&v->session), &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        give_up(v);
        return;
    }
    /* The plot is of the map under the mouse, unless a view shows the costs, which are those of the leading map. */
    const bool second = winners ? viewer_leading_map(v) : pixel->shows_second;
    const sv_params *params = second ? &v->compare.params : &v->shown;
    const costs_question question = {.frame = v->frame,
                                     .params = *params,
                                     .second = second,
                                     .x = pixel ? pixel->x : -1,
                                     .y = pixel ? pixel->y : -1,
                                     .winners = winners};
    costs_ask(v->costs, &question, &v->pictures.pair, window_wake);
    const costs_answer *answer = costs_latest(v->costs);
    s->costs.costs = answer ? answer->pixel : NULL;
    s->costs.params = answer ? &answer->question.params : NULL;
    s->costs.compared = v->compare.on;
    s->costs.second = answer && answer->question.second;
    s->costs.age =
        answer ? costs_describe_age(&answer->question, v->frame, params, v->plot_age, sizeof v->plot_age) : NULL;
    if (winners) describe_view(v, answer);
}
