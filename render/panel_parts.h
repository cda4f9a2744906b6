// What the files of the panel share: its state, where its parts lie, and small controls. C++; the interface is panel.h.
//
// Sizes are in ImGui's units, "points": those of the window's coordinates, origin top left. `em` is the
// height of the text in them; all else is a multiple of it, which is what makes a dense screen come out right.
#ifndef RENDER_PANEL_PARTS_H
#define RENDER_PANEL_PARTS_H

#include "render/panel.h"

#include <imgui.h>

struct panel {
    window *of;
    ImGuiContext *context;
    float font_pixels;      // height of the font as it was rasterised
    const char *hovered;    // the control under the mouse, by its label, for tooltips that wait a little
    double hovered_since;   // seconds
    ImGuiID typed;          // the slider whose value is being typed; 0: none
    bool dragging_position; // then `position` is what the slider shows
    double position;
    bool was_opening; // the opening was shown when it was last drawn
    bool was_setting; // the settings were
    int theme;        // panel_theme, whose style is set for this scale
    float style_scale;
};

// Where everything goes.
struct layout {
    ImVec2 size; // of the window
    float em;
    float panel_width, legend_width, statistics_width, bar_height;
    bool seeks_above; // the bar is so narrow that the slider of the position has a line of its own
    ImVec2 picture;   // size of the picture's area, which begins at the top left
};

// On a dark background.
constexpr ImU32 TEXT = IM_COL32(222, 226, 232, 255), DIM = IM_COL32(140, 148, 160, 255);
constexpr ImU32 ACCENT = IM_COL32(255, 190, 92, 255), ALARM = IM_COL32(255, 110, 96, 255);

// A message that appears takes no focus: what the mouse holds would be let go.
constexpr ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

// ---- panel_style.cpp ----------------------------------------------------------------------------

// Colours of a panel_theme, roundings and distances, the latter times `scale`.
void set_style(int theme, float scale);

// The colour that replaces one of those above on the background of the theme.
ImU32 themed(ImU32 colour);

// A readable font from where systems keep them; ImGui's own is a small bitmap.
void load_font(float pixels);

// ---- panel_controls.cpp -------------------------------------------------------------------------

// A window that stays where it is, on the background of the theme. `over`: it lies over the picture and what ImGui
// draws there; without, its background is filled in a way that is quicker where OpenGL runs in software.
void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags, bool over = false);
void coloured(ImU32 colour, const char *text);

// Text in lines of at most `room`, which break at spaces: ImGui itself breaks numbers at their decimal point. 0: as
// wide as there is room.
void wrapped(ImU32 colour, const char *text, float room = 0);

inline ImU32 opaque(const uint8_t rgb[3]) { return IM_COL32(rgb[0], rgb[1], rgb[2], 255); }

// The label of the control that follows, at the left of its row.
void label(const char *text, ImU32 colour, float em);

// Shows `text` when the mouse has rested on the last item, which `name` stands for.
void tooltip(panel *p, const char *name, const char *text);

// The same, followed by the keys of an action: "save a snapshot (s)".
void tooltip(panel *p, const char *name, const char *text, input_action action);

// The keys of an action, "no key" if it has none.
const char *keys_of(const panel *p, input_action action);

// An entry of a list, marked if it is chosen; true if it is clicked.
bool entry(const char *name, bool chosen);

// A combo box of `count` names; true if another was chosen.
bool choose(const char *id, int *value, int count, const char *(*name)(int));

// A box over the picture, with `place` at its `pivot` (0 to 1); as high as what is in it.
void begin_box(const char *name, ImVec2 place, ImVec2 pivot, float width);
void end_box();

bool button(panel *p, const char *text, input_action action, float width);

// A slider that is narrower than its row; true if its value was changed. `format`: of a value that is typed. What the
// value is goes beside it, where no grab can cover it: `units` behind the number where there is room for both.
bool slider(panel *p, const char *id, ImGuiDataType type, void *value, const void *min, const void *max,
            const char *format, ImGuiSliderFlags flags, float em);
void beside_slider(const char *number, const char *units, float em);

// ---- The parts, each in the file of its name ----------------------------------------------------

void parameters(panel *p, panel_state *s, float em);       // of the matching
void compare_controls(panel *p, panel_state *s, float em); // of two sets, while there are two
void compare_button(panel *p, const panel_state *s, float width);
void side_panel(panel *p, panel_state *s, const layout &l);           // with the parameters
void board_marks(const panel_state *s, const layout &l, float ratio); // as words_in_picture
void board_controls(panel *p, const panel_state *s, float em);
void rig_controls(panel *p, const panel_state *s); // what aligns the cameras
void save_rig_button(panel *p);
void cloud_controls(panel *p, panel_state *s, float em);
void words_in_picture(const panel_state *s, const layout &l, float ratio); // `ratio`: framebuffer pixels for a point
void playback_bar(panel *p, panel_state *s, const layout &l);
void legend(const panel_state *s, const layout &l);
void colour_bar_across(ImDrawList *draw, int map, ImVec2 place, ImVec2 size);       // a colour map, from left to right
void view_labels(panel *p, panel_state *s, const layout &l, const view_rect &area); // with the lists of their kinds
void costs_plot(const panel_state *s, const layout &l);
void statistics(const panel_state *s, const layout &l);
void message(const panel_state *s, const layout &l);
void key_list(const panel *p, panel_state *s, const layout &l);
void opening(panel *p, panel_state *s, const layout &l);  // what asks for another input
void settings(panel *p, panel_state *s, const layout &l); // saves and loads them
void advice_line(panel *p, const panel_state *s, const layout &l);
void waiting_file(panel *p, const panel_state *s, const layout &l);

#endif
