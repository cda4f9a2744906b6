// The cameras: their calibration with a board, which is drawn over both pictures, too, and their alignment.
#include "render/panel/panel_parts.h"

#include <initializer_list>
#include <math.h>
#include <stdio.h>

void board_marks(const panel_board *b, float height, float em, float ratio) {
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    for (int i = 0; i < b->box_count; i++) {
        const panel_box *box = &b->boxes[i];
        draw->AddRectFilled(ImVec2(box->left / ratio + 1, height - box->top / ratio + 1),
                            ImVec2(box->right / ratio - 1, height - box->bottom / ratio - 1),
                            IM_COL32(255, 110, 96, 50));
    }
    for (int i = 0; i < b->mark_count; i++) {
        const ImVec2 at(b->marks[i].x / ratio, height - b->marks[i].y / ratio);
        draw->AddCircle(at, 0.3f * em, IM_COL32(0, 0, 0, 255), 12, 3);
        draw->AddCircle(at, 0.3f * em, CHOSEN, 12, 1.5f);
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

static void save_rig_button(panel *p, const panel_rig *r, bool beside) {
    if (!r->can_save) return;
    if (beside) ImGui::SameLine();
    button(p, "Save calibration", INPUT_SAVE_RIG, 0, ICON_SAVE);
    tooltip(p, "save rig", "write a file that --calibration reads", INPUT_SAVE_RIG);
}

void board_controls(panel *p, const panel_board *b, const panel_rig *rig, float em) {
    if (!ImGui::CollapsingHeader("Calibration", ImGuiTreeNodeFlags_DefaultOpen)) return;
    wrapped(TEXT, b->text);
    if (b->refusal) wrapped(ALARM, b->refusal);
    if (b->result) wrapped(TEXT, b->result);
    if (b->view_count) table(b, em);
    if (b->can_solve) {
        button(p, b->result ? "Calibrate again" : "Calibrate", INPUT_SOLVE, 0);
        tooltip(p, "calibrate", "with the views that there are", INPUT_OPEN_ALONE);
    }
    save_rig_button(p, rig, b->can_solve);
}

// What aligns them without a board.
static void rig_controls(panel *p, const panel_rig *r, bool saves) {
    if (r->text) wrapped(r->is_wrong ? ALARM : TEXT, r->text);
    if (r->drift) wrapped(r->moved ? ALARM : DIM, r->drift);
    if (r->can_align) {
        button(p, r->aligns ? "Stop aligning" : "Align", INPUT_ALIGN, 0, ICON_ALIGN);
        tooltip(p, "align", "estimate from the scene how the cameras are turned, and rectify the pictures",
                INPUT_ALIGN);
    }
    if (saves) save_rig_button(p, r, r->can_align);
}

void alignment_controls(panel *p, const panel_alignment *a, const panel_rig *rig, bool calibrates) {
    if (!ImGui::CollapsingHeader("Alignment", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (a->rows) wrapped(a->misaligned ? ALARM : TEXT, a->rows);
    if (a->brightness) wrapped(a->darker ? ALARM : TEXT, a->brightness);
    rig_controls(p, rig, !calibrates);
}
