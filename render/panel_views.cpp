// The corner of each view: a word that says what it shows and opens the list of all kinds.
#include "render/panel_parts.h"

#include <math.h>
#include <stdio.h>

// What the colours of the costs stand for, with a mark at that of the pixel under the mouse, and of which map they are.
// It is at most `room` wide.
static void cost_key(const panel_state *s, float room, float em) {
    const panel_cost_view *c = &s->cost_view;
    const char *unit = panel_unit_of_costs(c->method);
    char text[64], most[64], number[32];
    if (!c->known) {
        coloured(DIM, "being computed ...");
        return;
    }
    snprintf(text, sizeof text, "%s ", measure_number(c->min, 3, number, sizeof number));
    snprintf(most, sizeof most, " %s%s", measure_number(c->max, 3, number, sizeof number), unit);
    float rest = room - ImGui::CalcTextSize(text).x - ImGui::CalcTextSize(most).x;
    if (rest < 2 * em) {
        snprintf(most, sizeof most, " %s", number);
        rest += ImGui::CalcTextSize(unit).x;
    }
    coloured(TEXT, text);
    ImGui::SameLine(0, 0);
    const ImVec2 place = ImGui::GetCursorScreenPos(), size(fminf(7 * em, fmaxf(rest, em)), em);
    colour_bar_across(ImGui::GetWindowDrawList(), s->view.colour.map, place, size);
    if (!isnan(c->at_mouse) && c->max > c->min) {
        const double share = fmin(fmax((c->at_mouse - c->min) / ((double)c->max - c->min), 0), 1);
        const float x = place.x + (float)share * size.x;
        ImGui::GetWindowDrawList()->AddLine(ImVec2(x, place.y), ImVec2(x, place.y + size.y), IM_COL32_BLACK, 3);
        ImGui::GetWindowDrawList()->AddLine(ImVec2(x, place.y), ImVec2(x, place.y + size.y), IM_COL32_WHITE, 1);
    }
    ImGui::Dummy(size);
    ImGui::SameLine(0, 0);
    coloured(TEXT, most);
    if (!isnan(c->at_mouse)) {
        snprintf(text, sizeof text, "here %s", measure_number(c->at_mouse, 4, number, sizeof number));
        coloured(TEXT, text);
    }
    if (c->age) wrapped(ACCENT, c->age, room);
}

// The corner of view `i`, whose cell begins at `place` and is `width` wide.
static void view_label(panel *p, panel_state *s, int i, ImVec2 place, float width, float em) {
    const float room = width - 0.8f * em;
    char name[32];
    snprintf(name, sizeof name, "view %d", i + 1);
    ImGui::SetNextWindowPos(ImVec2(place.x + 0.4f * em, place.y + 0.4f * em));
    ImGui::SetNextWindowBgAlpha(0.8f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(name, nullptr, FIXED | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar(2);
    if (ImGui::SmallButton(view_kind_name(s->view.kinds[i]))) ImGui::OpenPopup("kinds");
    char help[160];
    snprintf(help, sizeof help, "what this view shows (%s and %s)", keys_of(p, INPUT_VIEW),
             keys_of(p, INPUT_VIEW_BACK));
    tooltip(p, view_kind_name(s->view.kinds[i]), help);
    if (view_kind_needs(s->view.kinds[i]) & s->lacking)
        wrapped(DIM,
                s->view.kinds[i] == VIEW_ERROR ? "needs --truth" : "needs a calibration with the baseline in metres",
                room);
    if (s->view.kinds[i] == VIEW_COST) cost_key(s, room, em);
    if (s->view.kinds[i] == VIEW_CLOUD) {
        ImGui::SameLine();
        if (ImGui::SmallButton("reset")) window_push_action(p->of, INPUT_CLOUD_HOME);
        tooltip(p, "reset", "back to the place of the left camera", INPUT_FIT);
    }
    if (ImGui::BeginPopup("kinds")) {
        for (int kind = 0; kind < VIEW_KIND_COUNT; kind++)
            if (!(view_kind_needs(kind) & s->lacking) && entry(view_kind_name(kind), kind == s->view.kinds[i]))
                s->view.kinds[i] = kind;
        ImGui::EndPopup();
    }
    ImGui::End();
}

void view_labels(panel *p, panel_state *s, const layout &l, const view_rect &area) {
    // Points, from the top: the cells of an area that begins at 0, 0 have their origin at the bottom.
    view_rect cells[VIEW_MOST];
    const int count = layout_cells(s->view.layout, area, cells);
    const float ratio = area.width > 0 ? l.picture.x / (float)area.width : 1;
    for (int i = 0; i < count; i++)
        if (cells[i].width > 0)
            view_label(
                p, s, i,
                ImVec2(ratio * (float)cells[i].x, ratio * (float)(area.y + area.height - cells[i].y - cells[i].height)),
                ratio * (float)cells[i].width, l.em);
}
