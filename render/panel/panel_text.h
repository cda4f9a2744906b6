// Text of the panel: in a colour of the theme, in lines, and with a capital. C++.
#ifndef RENDER_PANEL_PANEL_TEXT_H
#define RENDER_PANEL_PANEL_TEXT_H

#include <imgui.h>

void coloured(ImU32 colour, const char *text);

// Text in lines of at most `room`, which break at spaces: ImGui itself breaks numbers at their decimal point. 0: as
// wide as there is room.
void wrapped(ImU32 colour, const char *text, float room = 0);

// Labels, buttons and headings begin with a capital; values are written as options take them. Returns `buffer`.
const char *capital(const char *text, char *buffer, size_t size);

// With minus signs, as readings have them, in place of the hyphens before digits. Returns `buffer`.
const char *minus_signs(const char *text, char *buffer, size_t size);

#endif
