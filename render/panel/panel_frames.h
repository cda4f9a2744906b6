// What the parts of the panel are drawn in: windows that stay where they are, boxes and a menu over the picture. C++.
#ifndef RENDER_PANEL_PANEL_FRAMES_H
#define RENDER_PANEL_PANEL_FRAMES_H

#include <imgui.h>

// A message that appears takes no focus: what the mouse holds would be let go.
constexpr ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

// A window that stays where it is, on the background of the theme. `over`: it lies over the picture and what ImGui
// draws there; without, its background is filled in a way that is quicker where OpenGL runs in software.
void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags, bool over = false);

// Where the menu of a view was opened.
struct view_menu {
    int view, x, y;  // framebuffer pixels
    char value[192]; // of the pixel there; empty: none
};

// A box over the picture, with `place` at its `pivot` (0 to 1); as high as what is in it.
void begin_box(const char *name, ImVec2 place, ImVec2 pivot, float width);
void end_box();

#endif
