// Two sets of parameters, A and B: which one the panel changes, what the views show, and how their maps differ.
#include "render/panel_parts.h"

#include <stdio.h>

// One of the choices in a row; true if it is clicked and was not chosen.
static bool choice(panel *p, const char *name, bool chosen, bool first, const char *help, input_action action) {
    if (!first) ImGui::SameLine();
    const bool clicked = ImGui::RadioButton(name, chosen);
    tooltip(p, name, help, action);
    return clicked && !chosen;
}

void compare_controls(panel *p, panel_state *s, float em) {
    if (!s->comparing) return;
    label("change", TEXT, em);
    if (choice(p, "A##edited", !s->edited, true, "the panel and the keys change A", INPUT_COMPARE_EDIT) ||
        choice(p, "B##edited", s->edited, false, "the panel and the keys change B", INPUT_COMPARE_EDIT))
        window_push_action(p->of, INPUT_COMPARE_EDIT);
    label("show", TEXT, em);
    if (choice(p, "A##shown", s->view.compared == VIEW_A, true, "A alone", INPUT_COMPARE_VIEW))
        s->view.compared = VIEW_A;
    if (choice(p, "B##shown", s->view.compared == VIEW_B, false, "B alone", INPUT_COMPARE_VIEW))
        s->view.compared = VIEW_B;
    char help[200];
    snprintf(help, sizeof help,
             "A at the left of a line that can be dragged, B at its right\n%s, while it is held, lets both take turns",
             keys_of(p, INPUT_BLINK));
    if (choice(p, "split##shown", s->view.compared == VIEW_SPLIT, false, help, INPUT_COMPARE_VIEW))
        s->view.compared = VIEW_SPLIT;
    for (int i = 0; i < 2; i++)
        if (s->sets[i]) wrapped(i == s->edited ? ACCENT : TEXT, s->sets[i]);
    if (s->difference) wrapped(DIM, s->difference);
}

void compare_button(panel *p, const panel_state *s, float width) {
    button(p, s->comparing ? "Stop comparing" : "Compare A|B", INPUT_COMPARE, width);
    tooltip(p, "Compare",
            s->comparing ? "match with A alone" : "match each pair with a second set of parameters, B, and show both",
            INPUT_COMPARE);
}
