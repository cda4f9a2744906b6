// Statistics, in a column of their own between the legend and the panel: each figure with a plot of its last seconds.
#include "render/panel_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const float VALUE_END = 10.5f; // em: name and value; the plot has what is left
static const double RECENT = 2;       // seconds that a figure is the mean of

// A bar for each bin, from 0 to the largest value.
static void plot(ImDrawList *draw, const panel_figure *f, double now, ImVec2 place, ImVec2 size) {
    float values[TRACE_BINS], most = 0;
    trace_values(f->trace, now, f->counts, values);
    for (float value : values) most = value > most ? value : most;
    draw->AddRectFilled(place, ImVec2(place.x + size.x, place.y + size.y), ImGui::GetColorU32(ImGuiCol_FrameBg));
    if (most <= 0) return;
    const float width = size.x / TRACE_BINS;
    for (int i = 0; i < TRACE_BINS; i++)
        if (values[i] > 0)
            draw->AddRectFilled(ImVec2(place.x + width * (float)i, place.y + size.y * (1 - values[i] / most)),
                                ImVec2(place.x + width * (float)(i + 1), place.y + size.y),
                                themed(f->counts ? ALARM : DIM));
}

// What a figure is now: nothing is older than its plot.
static void value_of(const panel_figure *f, double now, char *text, size_t size) {
    const double mean = trace_mean(f->trace, now, RECENT);
    if (f->counts)
        snprintf(text, size, "%lld", f->total);
    else if (isnan(mean))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f %s", mean < 100 ? 1 : 0, mean, f->unit);
}

static void figure_row(const panel_figure *f, double now, float em) {
    char text[48];
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, value_end = fminf(VALUE_END * em, width);
    const float below = width < VALUE_END * em ? 1.1f * em : 0; // where there is no room beside the name
    ImDrawList *draw = ImGui::GetWindowDrawList();
    value_of(f, now, text, sizeof text);
    draw->AddText(place, themed(DIM), f->name);
    draw->AddText(ImVec2(place.x + value_end - ImGui::CalcTextSize(text).x, place.y + below), themed(TEXT), text);
    const float left = value_end + 0.6f * em;
    if (width > left + em) plot(draw, f, now, ImVec2(place.x + left, place.y), ImVec2(width - left, em));
    ImGui::Dummy(ImVec2(width, 1.1f * em + below));
}

SV_PRINTF(2, 3) static void row(const char *name, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (*name) wrapped(DIM, name);
    wrapped(TEXT, text);
}

void statistics(const panel_state *s, const layout &l) {
    char text[96];
    begin_fixed("statistics", ImVec2(l.picture.x + l.legend_width, 0), ImVec2(l.statistics_width, l.picture.y),
                FIXED & ~ImGuiWindowFlags_NoScrollbar);
    for (int i = 0; i < s->figure_count; i++) figure_row(&s->figures[i], s->now, l.em);
    ImGui::Spacing();
    if (const sv_params *q = s->shown) {
        panel_describe_window(q, text, sizeof text);
        row("method", "%s, %s%d:%d px", sv_method_name(q->method), text, q->min_disparity, q->max_disparity);
    }
    for (const char *set : s->sets)
        if (set) row("", "%s", set);
    if (s->difference) row("A|B", "%s", s->difference);
    row("device", "%s; maps are %s OpenGL", s->device ? s->device : "?", s->interop ? "shared with" : "copied to");
    if (s->memory) row("memory for matching", "at most %s", s->memory);
    panel_describe_values(s, text, sizeof text);
    if (*text) row("map", "%s", text);
    row("colours", "%.1f to %.1f px", s->view.colour.min, s->view.colour.max);
    if (s->alignment_points) row("vertical offset", "%.2f rows (%d points)", s->vertical_offset, s->alignment_points);
    if (s->live) row("mean skew", "%.2f ms (tolerance %.2f)", s->skew_ms, s->tolerance_ms);
    ImGui::End();
}
