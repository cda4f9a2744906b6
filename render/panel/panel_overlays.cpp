// What lies over the picture: a message, the list of keys.
#include "render/panel/panel_parts.h"

#include <float.h>
#include <math.h>

static const float KEYS_WIDTH = 40; // em: more than the list of keys is wide

static const ImGuiWindowFlags OVERLAY = FIXED | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize;

void message(const panel_message *m, ImVec2 bottom_left, float room, float em) {
    if (!m->text || !*m->text) return;
    const float margin = 0.8f * em;
    ImGui::SetNextWindowPos(ImVec2(bottom_left.x + margin, bottom_left.y - margin), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(room - 2 * margin, FLT_MAX));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("message", nullptr, OVERLAY);
    wrapped(m->is_error ? ALARM : TEXT, m->text, room - 5 * margin);
    ImGui::End();
}

void key_list(const panel *p, bool *shown, ImVec2 area, ImVec2 window, float em) {
    if (!*shown) return;
    // Over the panel too where the picture alone has no room for it; it scrolls in a window that is smaller still.
    const float width = area.x > KEYS_WIDTH * em ? area.x : window.x;
    ImGui::SetNextWindowPos(ImVec2(width / 2, window.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), window);
    ImGui::SetNextWindowBgAlpha(0.95f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin("Keys", shown,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize);
    // Two columns of bindings, read downwards.
    int listed[INPUT_ACTION_COUNT], count = 0;
    for (int i = 0; i < input_binding_count; i++)
        if (has_keys(p, input_bindings[i].action)) listed[count++] = i;
    // In a small window the words are smaller, so that all of them are seen.
    const int rows = (count + 1) / 2;
    const float space = 0.15f * em, line = ImGui::GetTextLineHeight() + 2 * space;
    const float room = 0.96f * window.y - 3 * ImGui::GetFrameHeight(); // the title and the margins stay as they are
    const float fit = fminf(1, fminf(fmaxf(room, line) / ((float)rows * line), 0.96f * window.x / (KEYS_WIDTH * em)));
    ImGui::SetWindowFontScale(fit);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0.6f * fit * em, fit * space));
    if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
        for (int i = 0; i < 2 * rows; i++) {
            const int which = i / 2 + i % 2 * rows;
            if (which >= count) break;
            ImGui::TableNextColumn();
            coloured(ACCENT, keys_of(p, input_bindings[listed[which]].action));
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(input_bindings[listed[which]].help);
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopStyleVar();
}
