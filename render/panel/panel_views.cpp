// The corner of each view: a word that says what it shows and opens the list of all kinds.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
#include <stdio.h>

// What the colours of the costs stand for, with a mark at that of the pixel under the mouse, and of which map they are.
// It is at most `room` wide.
static void cost_key(const panel_cost_view *c, int colour_map, float room, float em) {
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
    colour_bar_across(ImGui::GetWindowDrawList(), colour_map, place, size);
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
static void view_label(panel *p, view_settings *view, int i, const panel_cost_view *costs, unsigned lacking,
                       ImVec2 place, float width, float em) {
    int *shown = &view->kinds[i];
    const float room = width - 0.8f * em;
    char name[32], title[32];
    snprintf(name, sizeof name, "view %d", i + 1);
    ImGui::SetNextWindowPos(ImVec2(place.x + 0.4f * em, place.y + 0.4f * em));
    ImGui::SetNextWindowBgAlpha(0.8f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(name, nullptr, FIXED | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar(2);
    if (ImGui::SmallButton(capital(view_kind_name(*shown), title, sizeof title))) ImGui::OpenPopup("kinds");
    char help[160];
    snprintf(help, sizeof help, "what this view shows (%s and %s)", keys_of(p, INPUT_VIEW),
             keys_of(p, INPUT_VIEW_BACK));
    tooltip(p, view_kind_name(*shown), help);
    if (view_kind_needs(*shown) & lacking)
        wrapped(DIM,
                *shown == VIEW_ERROR ? "needs ground truth: name it in Open, or with --truth"
                                     : "needs a calibration with the baseline in metres",
                room);
    if (*shown == VIEW_COST) cost_key(costs, view->colour.map, room, em);
    if (*shown == VIEW_CLOUD) {
        ImGui::SameLine();
        if (ImGui::SmallButton("Reset")) push(p, INPUT_CLOUD_HOME);
        tooltip(p, "reset", "back to the place of the left camera", INPUT_FIT);
    }
    if (ImGui::BeginPopup("kinds")) {
        for (int kind = 0; kind < VIEW_KIND_COUNT; kind++)
            if (!(view_kind_needs(kind) & lacking) &&
                entry(capital(view_kind_name(kind), title, sizeof title), kind == *shown))
                *shown = kind;
        ImGui::EndPopup();
    }
    ImGui::End();
}

void view_labels(panel *p, view_settings *view, const panel_cost_view *costs, unsigned lacking, ImVec2 area,
                 const view_rect &pixels, float top, float em) {
    // Points, from the top: the cells of an area that begins at 0, 0 have their origin at the bottom.
    view_rect cells[VIEW_MOST];
    const int count = layout_cells(view->layout, pixels, view->aspect, cells);
    const float ratio = pixels.width > 0 ? area.x / (float)pixels.width : 1;
    for (int i = 0; i < count; i++) {
        const view_rect *c = &cells[i];
        const ImVec2 place(ratio * (float)c->x, top + ratio * (float)(pixels.y + pixels.height - c->y - c->height));
        if (c->width > 0) view_label(p, view, i, costs, lacking, place, ratio * (float)c->width, em);
    }
}
