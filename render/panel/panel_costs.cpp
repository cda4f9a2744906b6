// The plot of the costs of the pixel under the mouse: which candidate won, which was second, and the curve between.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
#include <stdio.h>

static const float WIDTH = 26, HEIGHT = 11; // em, of the plot itself

// A place for values in the plot.
struct axes {
    ImVec2 place, size;
    double left, right, low, high; // disparities, costs
};

static ImVec2 at(const axes &a, double disparity, double cost) {
    const double x = (disparity - a.left) / (a.right - a.left), y = (cost - a.low) / (a.high - a.low);
    return ImVec2(a.place.x + (float)(x * a.size.x), a.place.y + (float)((1 - y) * a.size.y));
}

static double disparity_of(const sv_costs *c, double k) { return c->first + k * c->step; }

static axes axes_of(const sv_costs *c, ImVec2 place, ImVec2 size) {
    axes a = {place, size, disparity_of(c, 0), disparity_of(c, c->count - 1), INFINITY, -INFINITY};
    for (int k = 0; k < c->count; k++) {
        if (isnan(c->costs[k])) continue;
        a.low = fmin(a.low, c->costs[k]);
        a.high = fmax(a.high, c->costs[k]);
    }
    if (!(a.high >= a.low)) a.low = a.high = 0;
    const double margin = a.high > a.low ? 0.06 * (a.high - a.low) : 1;
    a.low -= margin;
    a.high += margin;
    if (!(a.right > a.left)) {
        a.left -= 0.5;
        a.right += 0.5;
    }
    return a;
}

static void curve(ImDrawList *draw, const axes &a, const sv_costs *c) {
    for (int k = 0; k < c->count; k++) {
        if (isnan(c->costs[k])) continue;
        const ImVec2 here = at(a, disparity_of(c, k), c->costs[k]);
        const ImU32 colour = c->tried[k] ? TEXT : IM_COL32(96, 104, 116, 255);
        if (k + 1 < c->count && !isnan(c->costs[k + 1]))
            draw->AddLine(here, at(a, disparity_of(c, k + 1), c->costs[k + 1]), colour);
        if (c->count <= 64) draw->AddCircleFilled(here, 1.7f, colour);
    }
}

// The parabola through the winner and its neighbours, or the two lines of opposite slope, and their minimum.
static void fit(ImDrawList *draw, const axes &a, const sv_costs *c, const sv_params *params) {
    const int k = c->winner;
    if (!params->subpixel || k < 1 || k + 1 >= c->count || !isfinite(c->disparity)) return;
    const double before = c->costs[k - 1], best = c->costs[k], after = c->costs[k + 1];
    if (isnan(before) || isnan(after)) return;
    const double peak = (c->disparity - c->first) / c->step - k;
    ImVec2 points[25];
    for (int i = 0; i < 25; i++) {
        const double t = i / 12.0 - 1;
        double cost = best + (after - before) / 2 * t + ((after + before) / 2 - best) * t * t;
        if (sv_methods[params->method].fits_lines) {
            const double slope = fmax(before, after) - best;
            cost = fmax(before - slope * (t + 1), after + slope * (t - 1));
        }
        points[i] = at(a, disparity_of(c, k + t), fmin(fmax(cost, a.low), a.high));
    }
    draw->AddPolyline(points, 25, CHOSEN, 0, 1.5f);
    const float x = at(a, disparity_of(c, k + peak), best).x;
    draw->AddLine(ImVec2(x, a.place.y), ImVec2(x, a.place.y + a.size.y), IM_COL32(122, 170, 236, 120));
}

// A limit of the costs: max-cost or min-correlation.
static void limit(ImDrawList *draw, const axes &a, const sv_params *params) {
    const sv_method_traits *method = &sv_methods[params->method];
    const bool correlates = method->correlates;
    const double value = correlates ? params->min_correlation : params->max_cost;
    if (!method->sums_squares && !correlates) return;
    if (correlates ? value <= -1 : value <= 0) return;
    if (value > a.low && value < a.high) draw->AddLine(at(a, a.left, value), at(a, a.right, value), ALARM);
}

// The true disparity, if it is known.
static void mark_truth(ImDrawList *draw, const axes &a, double disparity) {
    if (!(disparity >= a.left && disparity <= a.right)) return;
    const float x = at(a, disparity, a.low).x;
    draw->AddLine(ImVec2(x, a.place.y), ImVec2(x, a.place.y + a.size.y), GOOD);
    draw->AddText(ImVec2(x + 0.3f * ImGui::GetFontSize(), a.place.y), GOOD, "truth");
}

void panel_describe_costs(const panel_costs *s, const view_pixel *at, char *pixel, char *winner, char *second,
                          size_t size) {
    const sv_costs *c = s->costs;
    const char *unit = panel_unit_of_costs(s->params->method);
    const char *kind = sv_methods[s->params->method].correlates ? "" : "cost ";
    char cost[32];
    const char *set = !s->compared ? "" : s->second ? "B " : "A ";
    const bool same = at && at->x == c->x && at->y == c->y;
    const float disparity = !same ? INFINITY : s->second ? at->second_disparity : at->disparity;
    const char *reason = !same ? "" : sv_reason_name(s->second ? at->second_reason : at->reason);
    *winner = *second = 0;
    if (s->age)
        snprintf(pixel, size, "%s(%d, %d), %s", set, c->x, c->y, s->age);
    else if (!same)
        snprintf(pixel, size, "%s(%d, %d)", set, c->x, c->y);
    else if (isfinite(disparity))
        snprintf(pixel, size, "%s(%d, %d): %.2f px, %s", set, c->x, c->y, (double)disparity, reason);
    else
        snprintf(pixel, size, "%s(%d, %d): none, %s", set, c->x, c->y, reason);
    if (c->winner < 0)
        snprintf(winner, size, "no candidate has a cost");
    else
        snprintf(winner, size, "winner %g px: %s%s%s", c->first + c->winner * c->step, kind,
                 measure_number(c->costs[c->winner], 4, cost, sizeof cost), unit);
    if (c->second >= 0)
        snprintf(second, size, "second %g px: %s%s%s", c->first + c->second * c->step, kind,
                 measure_number(c->costs[c->second], 4, cost, sizeof cost), unit);
}

bool plots_costs(const panel_costs *c) { return c->on; }

void costs_plot(const panel_costs *of, const view_pixel *pixel, double truth, ImVec2 area, float em) {
    if (!of->on || !pixel) return;
    const sv_costs *c = of->costs;
    char words[3][160] = {"costs are being computed ..."};
    if (c) panel_describe_costs(of, pixel, words[0], words[1], words[2], sizeof words[0]);
    // In a small picture it is as wide as its words.
    float width = fminf(WIDTH * em, 0.6f * area.x);
    for (const char *line : words) width = fmaxf(width, fminf(ImGui::CalcTextSize(line).x, area.x - 1.6f * em));
    const ImVec2 size(width + 1.6f * em, (HEIGHT + 5.2f) * em), mouse = ImGui::GetIO().MousePos;
    // Beside the mouse, on whichever side has room.
    ImVec2 place(mouse.x + 1.5f * em, mouse.y + 1.5f * em);
    if (place.x + size.x > area.x) place.x = fmaxf(0, mouse.x - 1.5f * em - size.x);
    if (place.y + size.y > area.y) place.y = fmaxf(0, mouse.y - 1.5f * em - size.y);
    ImDrawList *draw = ImGui::GetForegroundDrawList();
    draw->AddRectFilled(place, ImVec2(place.x + size.x, place.y + size.y), PILL, 4);
    draw->AddRect(place, ImVec2(place.x + size.x, place.y + size.y), PILL_EDGE, 4);
    const ImVec2 text(place.x + 0.8f * em, place.y + 0.5f * em);
    if (!c) {
        draw->AddText(text, DIM, words[0]);
        return;
    }
    draw->PushClipRect(place, ImVec2(place.x + size.x, place.y + size.y));
    char shown[160];
    for (int i = 0; i < 3; i++)
        draw->AddText(ImVec2(text.x, text.y + (float)i * 1.2f * em), i == 1 ? CHOSEN : TEXT,
                      minus_signs(words[i], shown, sizeof shown));
    draw->PopClipRect();
    const axes a = axes_of(c, ImVec2(text.x, text.y + 4.2f * em), ImVec2(width, (HEIGHT - 1) * em));
    limit(draw, a, of->params);
    if (pixel->x == c->x && pixel->y == c->y) mark_truth(draw, a, truth);
    if (c->second >= 0)
        draw->AddCircle(at(a, disparity_of(c, c->second), c->costs[c->second]), 0.35f * em, DIM, 0, 1.5f);
    curve(draw, a, c);
    fit(draw, a, c, of->params);
    if (c->winner >= 0)
        draw->AddCircle(at(a, disparity_of(c, c->winner), c->costs[c->winner]), 0.35f * em, CHOSEN, 0, 1.5f);
    char end[32];
    snprintf(end, sizeof end, "%g", a.left);
    draw->AddText(ImVec2(a.place.x, a.place.y + a.size.y), DIM, minus_signs(end, shown, sizeof shown));
    snprintf(end, sizeof end, "%g px", a.right);
    minus_signs(end, shown, sizeof shown);
    draw->AddText(ImVec2(a.place.x + a.size.x - ImGui::CalcTextSize(shown).x, a.place.y + a.size.y), DIM, shown);
}
