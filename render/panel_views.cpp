// The corner of each view: a word that says what it shows and opens the list of all kinds.
#include "render/panel_parts.h"

#include <stdio.h>

// The corner of view `i`, whose cell begins at `place`.
static void view_label(panel *p, panel_state *s, int i, ImVec2 place, float em) {
    char name[32];
    snprintf(name, sizeof name, "view %d", i + 1);
    ImGui::SetNextWindowPos(ImVec2(place.x + 0.4f * em, place.y + 0.4f * em));
    ImGui::SetNextWindowBgAlpha(0.5f);
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
        coloured(DIM,
                 s->view.kinds[i] == VIEW_ERROR ? "needs --truth" : "needs a calibration with the baseline in metres");
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

void view_labels(panel *p, panel_state *s, const layout &l) {
    // Points, from the top: the cells of an area that begins at 0, 0 have their origin at the bottom.
    view_rect cells[VIEW_MOST];
    const view_rect area = panel_picture_area(p, s);
    const int count = layout_cells(s->view.layout, area, cells);
    const float ratio = area.width > 0 ? l.picture.x / (float)area.width : 1;
    for (int i = 0; i < count; i++)
        if (cells[i].width > 0)
            view_label(
                p, s, i,
                ImVec2(ratio * (float)cells[i].x, ratio * (float)(area.y + area.height - cells[i].y - cells[i].height)),
                l.em);
}
