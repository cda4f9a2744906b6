// What lies over the picture: statistics, a message, the list of keys.
#include "render/panel_parts.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

static const float KEYS_WIDTH = 40; // em: more than the list of keys is wide

static const ImGuiWindowFlags OVERLAY = FIXED | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize;

SV_PRINTF(2, 3) static void row(const char *name, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ImGui::TableNextColumn();
    coloured(DIM, name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text);
}

void statistics(const panel_state *s, float em) {
    float total = 0;
    char values[96];
    ImGui::SetNextWindowPos(ImVec2(0.8f * em, 0.8f * em));
    ImGui::SetNextWindowBgAlpha(0.82f);
    ImGui::Begin("statistics", nullptr, OVERLAY);
    if (ImGui::BeginTable("rows", 2, ImGuiTableFlags_SizingFixedFit)) {
        row("pictures", "%d x %d", s->width, s->height);
        row("frame", "%lld", s->frame);
        row("shown", "%.1f a second", s->shown_rate);
        row("matched", "%.1f a second", s->matched_rate);
        row("captured", "%.1f a second", s->captured_rate);
        row("latency", "%.1f ms", s->latency_ms);
        for (int i = 0; i < s->stage_count && i < PANEL_MAX_STAGES; i++) {
            total += s->stages[i].ms;
            row(s->stages[i].name, "%7.2f ms", s->stages[i].ms);
        }
        row("all stages", "%7.2f ms", total);
        if (const sv_params *q = s->shown) {
            char window[48];
            panel_describe_window(q, window, sizeof window);
            row("method", "%s, %s%d:%d px", sv_method_name(q->method), window, q->min_disparity, q->max_disparity);
        }
        for (const char *set : s->sets)
            if (set) row("", "%s", set);
        if (s->difference) row("A|B", "%s", s->difference);
        row("backend", "%s", s->backend ? s->backend : "?");
        row("device", "%s", s->device ? s->device : "?");
        row("to OpenGL", "%s", s->interop ? "shared buffers" : "copied");
        panel_describe_values(s, values, sizeof values);
        if (*values) row("map", "%s", values);
        row("colours", "%.1f to %.1f px", s->view.colour.min, s->view.colour.max);
        if (s->alignment_points)
            row("vertical offset", "%.2f rows (%d points)", s->vertical_offset, s->alignment_points);
        if (s->live) row("skew", "%.2f ms (tolerance %.2f)", s->skew_ms, s->tolerance_ms);
        for (int i = 0; i < s->drop_count && i < PANEL_MAX_DROPS; i++)
            row(s->drops[i].cause, "%lld dropped", s->drops[i].count);
        ImGui::EndTable();
    }
    ImGui::End();
}

void message(const panel_state *s, const layout &l) {
    const float margin = 0.8f * l.em;
    ImGui::SetNextWindowPos(ImVec2(margin, l.size.y - l.bar_height - margin), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(l.picture.x - 2 * margin, FLT_MAX));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("message", nullptr, OVERLAY);
    ImGui::PushTextWrapPos(l.picture.x - 4 * margin);
    coloured(s->message_is_error ? ALARM : TEXT, s->message);
    ImGui::PopTextWrapPos();
    ImGui::End();
}

void key_list(const panel *p, panel_state *s, const layout &l) {
    // Over the panel too where the picture alone has no room for it; it scrolls in a window that is smaller still.
    const float width = l.picture.x > KEYS_WIDTH * l.em ? l.picture.x : l.size.x;
    ImGui::SetNextWindowPos(ImVec2(width / 2, l.size.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), l.size);
    ImGui::SetNextWindowBgAlpha(0.95f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin("Keys", &s->help,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize);
    // Two columns of bindings, read downwards.
    const input_keys *keys = window_keys(p->of);
    int shown[INPUT_ACTION_COUNT], count = 0;
    for (int i = 0; i < input_binding_count; i++)
        if (*keys->of[input_bindings[i].action]) shown[count++] = i;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0.6f * l.em, 0.15f * l.em));
    if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
        const int rows = (count + 1) / 2;
        for (int i = 0; i < 2 * rows; i++) {
            const int which = i / 2 + i % 2 * rows;
            if (which >= count) break;
            ImGui::TableNextColumn();
            coloured(ACCENT, keys->of[input_bindings[shown[which]].action]);
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(input_bindings[shown[which]].help);
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopStyleVar();
}
