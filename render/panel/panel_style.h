// The look of the panel: colours, distances, fonts, and how text and windows are drawn with them. C++.
#ifndef RENDER_PANEL_PANEL_STYLE_H
#define RENDER_PANEL_PANEL_STYLE_H

#include <imgui.h>

// On a dark background, each with one meaning: words, and those that matter less; what the user has changed or chosen;
// what deserves attention; what is wrong; what is as it should be.
constexpr ImU32 TEXT = IM_COL32(222, 226, 232, 255), DIM = IM_COL32(140, 148, 160, 255);
constexpr ImU32 CHOSEN = IM_COL32(122, 170, 236, 255), ACCENT = IM_COL32(255, 190, 92, 255);
constexpr ImU32 ALARM = IM_COL32(255, 110, 96, 255), GOOD = IM_COL32(116, 204, 134, 255);

// Over the picture, in both themes: the pills behind words, and a line around them.
constexpr ImU32 PILL = IM_COL32(16, 18, 22, 236), PILL_EDGE = IM_COL32(90, 96, 108, 255);

inline ImU32 opaque(const unsigned char rgb[3]) { return IM_COL32(rgb[0], rgb[1], rgb[2], 255); }

// Colours of a panel_theme, roundings and distances, the latter times `scale`.
void set_style(int theme, float scale);

// The colour that replaces one of those above on the background of the theme.
ImU32 themed(ImU32 colour);

// The sizes of text. Figures have one width in each of them.
typedef enum text_size { SMALL_TEXT, NORMAL_TEXT, LARGE_TEXT, TEXT_SIZE_COUNT } text_size;

// A readable font from where systems keep them, in all sizes, for an em of that many pixels; ImGui's own is a small
// bitmap.
void load_fonts(float em);

// The text between both is of that size.
void begin_text(text_size size);
void end_text();

void coloured(ImU32 colour, const char *text);

// Text in lines of at most `room`, which break at spaces: ImGui itself breaks numbers at their decimal point. 0: as
// wide as there is room.
void wrapped(ImU32 colour, const char *text, float room = 0);

// Labels, buttons and headings begin with a capital; values are written as options take them. Returns `buffer`.
const char *capital(const char *text, char *buffer, size_t size);

// With minus signs, as readings have them, in place of the hyphens before digits. Returns `buffer`.
const char *minus_signs(const char *text, char *buffer, size_t size);

// A message that appears takes no focus: what the mouse holds would be let go.
constexpr ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

// A window that stays where it is, on the background of the theme. `over`: it lies over the picture and what ImGui
// draws there; without, its background is filled in a way that is quicker where OpenGL runs in software.
void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags, bool over = false);

// A box over the picture, with `place` at its `pivot` (0 to 1); as high as what is in it.
void begin_box(const char *name, ImVec2 place, ImVec2 pivot, float width);
void end_box();

#endif
