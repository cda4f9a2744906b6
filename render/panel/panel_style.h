// The look of the panel: colours, distances and font. C++.
#ifndef RENDER_PANEL_PANEL_STYLE_H
#define RENDER_PANEL_PANEL_STYLE_H

#include <imgui.h>

// On a dark background.
constexpr ImU32 TEXT = IM_COL32(222, 226, 232, 255), DIM = IM_COL32(140, 148, 160, 255);
constexpr ImU32 ACCENT = IM_COL32(255, 190, 92, 255), ALARM = IM_COL32(255, 110, 96, 255);

// Colours of a panel_theme, roundings and distances, the latter times `scale`.
void set_style(int theme, float scale);

// The colour that replaces one of those above on the background of the theme.
ImU32 themed(ImU32 colour);

// A readable font from where systems keep them; ImGui's own is a small bitmap.
void load_font(float pixels);

#endif
