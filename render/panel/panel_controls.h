// The panel's own state, and the small controls of which its parts are made. C++.
#ifndef RENDER_PANEL_PANEL_CONTROLS_H
#define RENDER_PANEL_PANEL_CONTROLS_H

#include "render/panel/panel_style.h"
#include "render/window/window.h"

struct panel {
    window *of;
    ImGuiContext *context;
    float font_pixels; // height of the font as it was rasterised
    int theme;         // panel_theme, whose style is set for this scale
    float style_scale;
    const char *hovered;    // the control under the mouse, by its label, for tooltips that wait a little
    double hovered_since;   // seconds
    ImGuiID typed;          // the slider whose value is being typed; 0: none
    bool dragging_position; // then `position` is what the slider shows
    double position;
    bool was_opening; // the opening was shown when it was last drawn
    bool was_setting; // the settings were
};

// A message that appears takes no focus: what the mouse holds would be let go.
constexpr ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

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

// Logs NAME and where the last item is, if that has changed, for tests. What has a tooltip, buttons and entries do so.
void report_place(const char *name);

// Shows `text` when the mouse has rested on the last item, which `name` stands for.
void tooltip(panel *p, const char *name, const char *text);

// The same, followed by the keys of an action: "save a snapshot (s)".
void tooltip(panel *p, const char *name, const char *text, input_action action);

// The keys of an action, "no key" if it has none.
const char *keys_of(const panel *p, input_action action);

bool has_keys(const panel *p, input_action action);

// Triggers an action, as its keys do.
void push(panel *p, input_action action);

// Lets the user type the number of a frame.
void type_number(panel *p);

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

#endif
