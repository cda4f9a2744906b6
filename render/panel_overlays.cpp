// What lies over the picture: a message, the list of keys.
#include "render/panel_parts.h"

#include <float.h>
#include <math.h>

static const float KEYS_WIDTH = 40; // em: more than the list of keys is wide

static const ImGuiWindowFlags OVERLAY = FIXED | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize;

void message(const panel_state *s, const layout &l) {
    const float margin = 0.8f * l.em;
    ImGui::SetNextWindowPos(ImVec2(margin, l.size.y - l.bar_height - margin), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(l.picture.x - 2 * margin, FLT_MAX));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("message", nullptr, OVERLAY);
    wrapped(s->message_is_error ? ALARM : TEXT, s->message, l.picture.x - 5 * margin);
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
    // In a small window the words are smaller, so that all of them are seen.
    const int rows = (count + 1) / 2;
    const float space = 0.15f * l.em, line = ImGui::GetTextLineHeight() + 2 * space;
    const float room = 0.96f * l.size.y - 3 * ImGui::GetFrameHeight(); // the title and the margins stay as they are
    const float fit = fminf(1, fminf(fmaxf(room, line) / ((float)rows * line), 0.96f * l.size.x / (KEYS_WIDTH * l.em)));
    ImGui::SetWindowFontScale(fit);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0.6f * fit * l.em, fit * space));
    if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
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
