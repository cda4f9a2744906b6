// One line over the picture about what looks wrong, with the button that cures it.
#include "render/panel_parts.h"

void advice_line(panel *p, const panel_state *s, const layout &l) {
    ImGui::SetNextWindowPos(ImVec2(l.picture.x / 2, 2 * l.em), ImGuiCond_Always, ImVec2(0.5f, 0));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("advice", nullptr, FIXED | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::AlignTextToFramePadding();
    coloured(ACCENT, s->advice);
    ImGui::SameLine();
    button(p, s->cure, INPUT_CURE, 0);
    ImGui::SameLine();
    button(p, "Not now", INPUT_DISMISS, 0);
    ImGui::End();
}
