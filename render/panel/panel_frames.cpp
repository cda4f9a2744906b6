// What the parts of the panel are drawn in: see panel_frames.h.
#include "render/panel/panel_frames.h"

#include "render/window/gl.h"

#include <math.h>

// Fills a rectangle of the window with the background's colour, below all that ImGui draws.
static void fill(ImVec2 place, ImVec2 size) {
    const ImGuiIO &io = ImGui::GetIO();
    const ImVec2 scale = io.DisplayFramebufferScale;
    const ImVec4 colour = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    const int left = (int)floorf(place.x * scale.x), right = (int)ceilf((place.x + size.x) * scale.x);
    const int top = (int)floorf(place.y * scale.y), bottom = (int)ceilf((place.y + size.y) * scale.y);
    const int height = (int)roundf(io.DisplaySize.y * scale.y);
    gl_fill(left, height - bottom, right - left, bottom - top, colour.x, colour.y, colour.z);
}

void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags, bool over) {
    ImGui::SetNextWindowPos(place);
    ImGui::SetNextWindowSize(over ? ImVec2(ceilf(size.x), size.y + 1) : size); // ImGui rounds both down
    if (!over) fill(place, size);
    ImGui::Begin(name, nullptr, flags | (over ? 0 : ImGuiWindowFlags_NoBackground));
}

void begin_box(const char *name, ImVec2 place, ImVec2 pivot, float width) {
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
}

void end_box() {
    ImGui::End();
    ImGui::PopStyleVar();
}
