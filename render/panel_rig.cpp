// What aligns the cameras without a board, in the panel.
#include "render/panel_parts.h"

void save_rig_button(panel *p) {
    button(p, "Save calibration", INPUT_SAVE_RIG, 0);
    tooltip(p, "save rig", "write a file that --calibration reads", INPUT_SAVE_RIG);
}

void rig_controls(panel *p, const panel_state *s) {
    if (s->rig) wrapped(s->rig_is_wrong ? ALARM : TEXT, s->rig);
    if (s->drift) wrapped(s->moved ? ALARM : DIM, s->drift);
    if (s->can_align) {
        button(p, s->aligns ? "Stop aligning" : "Align", INPUT_ALIGN, 0);
        tooltip(p, "align", "estimate from the scene how the cameras are turned, and rectify the pictures",
                INPUT_ALIGN);
    }
    if (!s->can_save_rig || s->board) return; // board_controls has it
    if (s->can_align) ImGui::SameLine();
    save_rig_button(p);
}
