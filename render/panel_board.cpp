// The calibration with a board: what is drawn over both pictures, and its part of the panel.
#include "render/panel_parts.h"

#include <initializer_list>
#include <math.h>
#include <stdio.h>

void board_marks(const panel_state *s, const layout &l, float ratio) {
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const panel_board *b = s->board;
    for (int i = 0; i < b->box_count; i++) {
        const panel_box *box = &b->boxes[i];
        draw->AddRectFilled(ImVec2(box->left / ratio + 1, l.size.y - box->top / ratio + 1),
                            ImVec2(box->right / ratio - 1, l.size.y - box->bottom / ratio - 1),
                            IM_COL32(255, 110, 96, 50));
    }
    for (int i = 0; i < b->mark_count; i++) {
        const ImVec2 at(b->marks[i].x / ratio, l.size.y - b->marks[i].y / ratio);
        draw->AddCircle(at, 0.3f * l.em, IM_COL32(0, 0, 0, 255), 12, 3);
        draw->AddCircle(at, 0.3f * l.em, ACCENT, 12, 1.5f);
    }
}

static void number(double value) {
    char text[32];
    ImGui::TableNextColumn();
    snprintf(text, sizeof text, "%.3f", value);
    coloured(TEXT, isfinite(value) ? text : "-");
}

// A row for each view, with the pixels by which it is off.
static void table(const panel_board *b, float em) {
    const float rows = (float)b->view_count + 1.5f;
    const ImVec2 size(0, 1.4f * em * (rows < 12 ? rows : 12));
    if (!ImGui::BeginTable("views", 4, ImGuiTableFlags_ScrollY, size)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char *name : {"frame", "left px", "right px", "rows px"}) ImGui::TableSetupColumn(name);
    ImGui::TableHeadersRow();
    for (int i = 0; i < b->view_count; i++) {
        const panel_board_view *v = &b->views[i];
        char text[32];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        snprintf(text, sizeof text, "%lld", v->frame);
        coloured(v->dropped ? ALARM : TEXT, text);
        for (double error : v->errors) number(error);
        if (v->dropped) {
            ImGui::TableNextColumn();
            coloured(ALARM, "dropped");
            if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", v->dropped);
        } else {
            number(v->rows);
        }
    }
    ImGui::EndTable();
}

void board_controls(panel *p, const panel_state *s, float em) {
    const panel_board *b = s->board;
    if (!ImGui::CollapsingHeader("Calibration", ImGuiTreeNodeFlags_DefaultOpen)) return;
    wrapped(TEXT, b->text);
    if (b->doubt) wrapped(ALARM, b->doubt);
    if (b->refusal) wrapped(ALARM, b->refusal);
    if (b->result) wrapped(ACCENT, b->result);
    if (b->view_count) table(b, em);
    if (b->can_solve) {
        button(p, b->result ? "Calibrate again" : "Calibrate", INPUT_SOLVE, 0);
        tooltip(p, "calibrate", "with the views that there are", INPUT_OPEN_ALONE);
    }
    if (b->can_solve && s->can_save_rig) ImGui::SameLine();
    if (s->can_save_rig) save_rig_button(p);
}
