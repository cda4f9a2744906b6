// Statistics, in a column of their own between the legend and the panel: each figure with a plot of its last seconds.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
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
        snprintf(text, size, "–");
    else
        snprintf(text, size, "%.*f %s", mean < 100 ? 1 : 0, mean, f->unit);
}

static void figure_row(const panel_figure *f, double now, float em) {
    char text[48], name[48];
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, value_end = fminf(VALUE_END * em, width);
    const float below = width < VALUE_END * em ? 1.1f * em : 0; // where there is no room beside the name
    ImDrawList *draw = ImGui::GetWindowDrawList();
    value_of(f, now, text, sizeof text);
    draw->AddText(place, themed(DIM), capital(f->name, name, sizeof name));
    draw->AddText(ImVec2(place.x + value_end - ImGui::CalcTextSize(text).x, place.y + below), themed(TEXT), text);
    const float left = value_end + 0.6f * em;
    if (width > left + em) plot(draw, f, now, ImVec2(place.x + left, place.y), ImVec2(width - left, em));
    ImGui::Dummy(ImVec2(width, 1.1f * em + below));
}

void statistics(const panel_figures *f, place column, float em) {
    begin_fixed("statistics", column.at, column.size, FIXED & ~ImGuiWindowFlags_NoScrollbar);
    for (int i = 0; i < f->count; i++) figure_row(&f->figures[i], f->now, em);
    ImGui::Spacing();
    for (int i = 0; i < f->row_count; i++) {
        char name[64], text[512];
        if (*f->rows[i][0]) wrapped(DIM, capital(f->rows[i][0], name, sizeof name));
        wrapped(TEXT, minus_signs(f->rows[i][1], text, sizeof text));
    }
    ImGui::End();
}
