// A sentence over the picture about what looks wrong, with the buttons that cure it.
#include "render/panel/panel_parts.h"

// The width of a button, with the gap before it.
static float width_of(const char *name) {
    const ImGuiStyle &style = ImGui::GetStyle();
    return ImGui::CalcTextSize(name).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
}

void advice_line(panel *p, const panel_advice *a, bool comparing, ImVec2 area, float em) {
    if (!a->text) return;
    const struct {
        const char *name;
        input_action action;
    } buttons[] = {{a->cures[0], INPUT_CURE}, {a->cures[1], INPUT_CURE_OTHERWISE}, {"Not now", INPUT_DISMISS}};
    const float room = area.x - 2 * ImGui::GetStyle().WindowPadding.x;
    float used = ImGui::CalcTextSize(a->text).x;
    for (const auto &b : buttons) used += b.name ? width_of(b.name) : 0;
    const float top = (comparing ? 2.9f : 2) * em; // below the letters of A and B
    ImGui::SetNextWindowPos(ImVec2(area.x / 2, top), ImGuiCond_Always, ImVec2(0.5f, 0));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("advice", nullptr, FIXED | ImGuiWindowFlags_AlwaysAutoResize);
    const bool beside = used <= room; // sentence and buttons
    if (beside) ImGui::AlignTextToFramePadding();
    if (beside)
        coloured(ACCENT, a->text);
    else
        wrapped(ACCENT, a->text, room);
    used = beside ? 0 : room; // of the line so far: where there is no room, the buttons begin a line of their own
    for (const auto &b : buttons) {
        if (!b.name) continue;
        if (used + width_of(b.name) <= room)
            ImGui::SameLine();
        else
            used = 0;
        used += width_of(b.name);
        button(p, b.name, b.action, 0);
    }
    ImGui::End();
}
