// The controls of the cameras: exposure, gain, white balance and the like, of each side or of both.
#include "render/panel/panel_side_parts.h"

#include <stdio.h>

static const char *side_name(int side) {
    static const char *const names[] = {"both cameras", "left camera", "right camera"};
    return names[side];
}

static const float LABEL_ROOM = 7.2f; // em

// The name of the control that follows: beside it, or above it where it is long.
static void name_control(const panel_control *c, float em) {
    const ImU32 colour = c->is_fixed ? DIM : TEXT;
    char name[48], shown[48];
    snprintf(name, sizeof name, "%s", c->name);
    for (char *at = name; *at; at++)
        if (*at == '_') *at = ' ';
    const bool is_long = ImGui::CalcTextSize(name).x > LABEL_ROOM * em;
    if (is_long) coloured(colour, capital(name, shown, sizeof shown));
    label(is_long ? "" : name, colour, em);
}

// A row; true if its value was changed, to `value`.
static bool control(panel *p, const panel_control *c, int *value, float em) {
    bool changed = false;
    char number[16];
    *value = c->value;
    ImGui::PushID(c->name);
    name_control(c, em);
    if (c->is_fixed) {
        snprintf(number, sizeof number, "%d", c->value);
        coloured(DIM, number);
        tooltip(p, c->name, "the camera sets it automatically, or it cannot be set");
    } else if (c->is_switch) {
        bool on = c->value;
        changed = ImGui::Checkbox("##switch", &on);
        *value = on;
        tooltip(p, c->name, "a control of the camera; it keeps the value");
    } else {
        // ImGui ends the program where a slider's range is more than half of its type's.
        ImS64 wanted = c->value;
        const ImS64 min = c->min, max = c->max;
        changed = slider(p, "##value", ImGuiDataType_S64, &wanted, &min, &max, "%lld", 0, em);
        *value = (int)wanted;
        tooltip(p, c->name, "a control of the camera; it keeps the value");
        snprintf(number, sizeof number, "%d", *value);
        beside_slider(number, "", em);
    }
    ImGui::PopID();
    return changed;
}

void camera_controls(panel *p, panel_controls *c, float em) {
    if (!c->has_cameras) return;
    ImGui::SetNextItemOpen(c->shown);
    c->shown = ImGui::CollapsingHeader("Cameras");
    report_place("Cameras");
    if (!c->shown) return;
    if (c->has_two) {
        label("set", TEXT, em);
        choose("##side", &c->side, 3, side_name);
        tooltip(p, "set", "the camera to control; for both, the values of the left one are shown");
        button(p, "Lock and make equal", INPUT_EQUAL_CAMERAS, 0);
        tooltip(p, "Lock and make equal",
                "gives both the left one's exposure, gain, white balance and focus,\n"
                "and switches their automatic controls off");
    }
    if (!c->count) coloured(DIM, "no controls that can be set");
    for (int i = 0; i < c->count; i++) {
        int value;
        if (!control(p, &c->each[i], &value, em)) continue;
        c->each[i].value = c->wanted = value;
        c->changed = i;
        push(p, INPUT_CAMERA_CONTROL);
    }
}
