// Two sets of parameters, A and B: which one the panel changes, what the views show, and how their maps differ.
#include "render/panel/panel_side_parts.h"

#include <stdio.h>

// One of the choices in a row; true if it is clicked and was not chosen.
static bool choice(panel *p, const char *name, bool chosen, bool first, const char *help, input_action action) {
    if (!first) ImGui::SameLine(0, 2 * ImGui::GetStyle().ItemSpacing.x);
    const bool clicked = ImGui::RadioButton(name, chosen);
    tooltip(p, name, help, action);
    return clicked && !chosen;
}

void compare_controls(panel *p, const panel_compare *c, int *compared, float em) {
    if (!c->on) return;
    label("change", TEXT, em);
    if (choice(p, "A##edited", !c->edited, true, "the controls edit A", INPUT_COMPARE_EDIT) ||
        choice(p, "B##edited", c->edited, false, "the controls edit B", INPUT_COMPARE_EDIT))
        push(p, INPUT_COMPARE_EDIT);
    label("show", TEXT, em);
    if (choice(p, "A##shown", *compared == VIEW_A, true, "A alone", INPUT_COMPARE_VIEW)) *compared = VIEW_A;
    if (choice(p, "B##shown", *compared == VIEW_B, false, "B alone", INPUT_COMPARE_VIEW)) *compared = VIEW_B;
    char help[200];
    snprintf(help, sizeof help, "A to the left of a line that you can drag, B to its right\nhold %s to alternate them",
             keys_of(p, INPUT_BLINK));
    if (choice(p, "split##shown", *compared == VIEW_SPLIT, false, help, INPUT_COMPARE_VIEW)) *compared = VIEW_SPLIT;
    for (int i = 0; i < 2; i++)
        if (c->sets[i]) wrapped(i == c->edited ? CHOSEN : TEXT, c->sets[i]);
    if (c->difference) wrapped(DIM, c->difference);
}

void compare_button(panel *p, const panel_compare *c, float width) {
    button(p, c->on ? "Stop comparing" : "Compare A|B", INPUT_COMPARE, width, ICON_COMPARE);
    tooltip(p, "Compare",
            c->on ? "match with A alone" : "match each pair with a second set of parameters, B, and show both",
            INPUT_COMPARE);
}
