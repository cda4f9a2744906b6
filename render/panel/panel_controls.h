// The panel's own state, and the small controls of which its parts are made. C++.
#ifndef RENDER_PANEL_PANEL_CONTROLS_H
#define RENDER_PANEL_PANEL_CONTROLS_H

#include "render/panel/panel_c.h"
#include "render/panel/panel_icons.h"
#include "render/panel/panel_places.h"
#include "render/panel/panel_style.h"

struct panel {
    window *of;
    ImGuiContext *context;
    float em_pixels; // framebuffer pixels of an em, the unit of all sizes
    int theme;       // panel_theme, whose style is set for this scale
    float style_scale;
    const char *hovered;    // the control under the mouse, by its label, for tooltips that wait a little
    double hovered_since;   // seconds
    ImGuiID typed;          // the slider whose value is being typed; 0: none
    bool dragging_position; // then `position` is what the slider shows
    double position;
    opening_box opening;
    bool was_setting; // the settings were shown when they were last drawn
    ImVec2 label[2];  // the corners of the label whose control follows; empty: it has none
    panel_places places;
    bool awaits;            // a field gets the keyboard: see give_keyboard
    ImVector<ImWchar> held; // what was typed before it has it
    bool is_built;          // what panel_build has made can be rendered
    struct view_menu {      // of which view, and where it was opened
        int view, x, y;     // framebuffer pixels
        char value[192];    // of the pixel there; empty: none
    } menu;
};

// The label of the control that follows, at the left of its row. The tooltip of the control is shown for both.
void label(const char *text, ImU32 colour, float em);

// Logs NAME and where the last item is, if that has changed, for tests, as labels, buttons and entries do; `needs`: the
// width of its text, 0: it is not checked. What follows lies in the layer of that name, which lies over the others.
void report_place(const char *name, float needs = 0);
void report_place(const char *name, ImVec2 at, ImVec2 size, float needs = 0);
void enter_layer(const char *name);

// Shows `text` when the mouse has rested on the last item, which `name` stands for. `needs`: as above.
void tooltip(panel *p, const char *name, const char *text, float needs = 0);

// The same, followed by the keys of an action: "save a snapshot (s)".
void tooltip(panel *p, const char *name, const char *text, input_action action);

// The keys of an action, "no key" if it has none.
const char *keys_of(const panel *p, input_action action);

bool has_keys(const panel *p, input_action action);

void give_keyboard(panel *p); // to the field that follows, with what is typed already

// Triggers an action, as its keys do.
void push(panel *p, input_action action);
void push(panel *p, input_action action, int x, int y); // as if the mouse were there

// An entry of a list, marked if it is chosen, with a tooltip unless `help` is NULL; true if it is clicked.
bool entry(const char *name, bool chosen, const char *help = nullptr);

// A combo box of `count` names, each with a tooltip if there is `help`; true if another was chosen.
bool choose(const char *id, int *value, int count, const char *(*name)(int), const char *(*help)(int) = nullptr);

// A checkbox with its name; true if it was clicked.
bool checkbox(const char *name, bool *value);

// A button with a word and, where there is room, an icon before it; true if it is clicked, which triggers the action.
// `width`: 0: as wide as both, -1: as its row. "text##id": the id is not shown.
bool button(panel *p, const char *text, input_action action, float width, icon which = ICON_NONE);
bool plain_button(const char *text, float width, icon which = ICON_NONE); // one that triggers nothing

// A slider that is narrower than its row; true if its value was changed. `format`: of a value that is typed. What the
// value is goes beside it, where no grab can cover it: `units` behind the number where there is room for both.
bool slider(panel *p, const char *id, ImGuiDataType type, void *value, const void *min, const void *max,
            const char *format, ImGuiSliderFlags flags, float em);
void beside_slider(const char *number, const char *units, float em);

#endif
