// A sentence over the picture about what looks wrong, with the button that cures it.
#include "render/panel_parts.h"

// True if the sentence and both buttons fit beside each other into the picture's width.
static bool fits(const panel_state *s, const layout &l) {
    const ImGuiStyle &style = ImGui::GetStyle();
    const float words =
        ImGui::CalcTextSize(s->advice).x + ImGui::CalcTextSize(s->cure).x + ImGui::CalcTextSize("Not now").x;
    return words + 4 * style.FramePadding.x + 2 * style.ItemSpacing.x + 2 * style.WindowPadding.x <= l.picture.x;
}

void advice_line(panel *p, const panel_state *s, const layout &l) {
    ImGui::SetNextWindowPos(ImVec2(l.picture.x / 2, 2 * l.em), ImGuiCond_Always, ImVec2(0.5f, 0));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("advice", nullptr, FIXED | ImGuiWindowFlags_AlwaysAutoResize);
    const bool beside = fits(s, l);
    if (beside) ImGui::AlignTextToFramePadding();
    ImGui::PushTextWrapPos(beside ? -1 : l.picture.x - 2 * l.em);
    coloured(ACCENT, s->advice);
    ImGui::PopTextWrapPos();
    if (beside) ImGui::SameLine();
    button(p, s->cure, INPUT_CURE, 0);
    ImGui::SameLine();
    button(p, "Not now", INPUT_DISMISS, 0);
    ImGui::End();
}
