// The cameras: their calibration with a board, which is drawn over both pictures, too, and their alignment.
#include "render/panel/panel_picture_parts.h"
#include "render/panel/panel_side_parts.h"

#include <float.h>
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
    coloured(TEXT, isfinite(value) ? text : "–");
}

// A row for each view, with the pixels by which it is off.
static void table(const panel_board *b, float em) {
    const float rows = (float)b->view_count + 1.5f;
    const ImVec2 size(0, 1.4f * em * (rows < 12 ? rows : 12));
    if (!ImGui::BeginTable("views", 4, ImGuiTableFlags_ScrollY, size)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char *name : {"Frame", "Left px", "Right px", "Rows px"}) ImGui::TableSetupColumn(name);
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

static void end_button(panel *p) {
    button(p, "Stop calibrating", INPUT_CALIBRATE, 0, ICON_CLOSE);
    tooltip(p, "stop calibrating", "back to the maps, with the calibration if it was saved");
}

// The result, in the colours of how good it is.
static void result(const panel_board *b) {
    if (!ImGui::BeginTable("result", 2, ImGuiTableFlags_SizingFixedFit)) return;
    for (int i = 0; i < b->line_count; i++) {
        const panel_result_line *line = &b->lines[i];
        char text[64];
        ImGui::TableNextColumn();
        coloured(DIM, capital(line->name, text, sizeof text));
        ImGui::TableNextColumn();
        coloured(line->grade == PANEL_UNKNOWN ? TEXT : colour_of_grade(line->grade),
                 minus_signs(line->value, text, sizeof text));
    }
    ImGui::EndTable();
}

bool has_result(const panel_board *b) { return b->line_count; }

void board_controls(panel *p, const panel_board *b, const panel_rig *rig, float em) {
    if (!ImGui::CollapsingHeader("Calibration", ImGuiTreeNodeFlags_DefaultOpen)) return;
    wrapped(TEXT, b->text);
    if (b->refusal) wrapped(ALARM, b->refusal);
    if (b->line_count) result(b);
    if (b->view_count) table(b, em);
    if (b->can_solve) {
        button(p, b->line_count ? "Calibrate again" : "Calibrate", INPUT_SOLVE, 0);
        tooltip(p, "calibrate", "with the views taken so far", INPUT_OPEN_ALONE);
    }
    save_rig_button(p, rig, b->can_solve);
    if (b->can_end) end_button(p);
}

// Large over the pictures, for the person who holds the board.
void board_guidance(const panel_board *b, ImVec2 at, ImVec2 size, float em) {
    if (!b->now) return;
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const struct {
        const char *text;
        ImU32 colour;
        float share; // of the height of the first line
    } lines[] = {{b->now, colour_of_grade(b->progress), 1}, {b->missing, TEXT, 0.6f}};
    ImFont *font = ImGui::GetIO().Fonts->Fonts[LARGE_TEXT];
    float bottom = at.y + size.y - 0.5f * em;
    for (int i = 1; i >= 0; i--) {
        if (!lines[i].text) continue;
        float height = lines[i].share * fmaxf(2.5f * em, size.y / 11);
        const float wide = font->CalcTextSizeA(height, FLT_MAX, 0, lines[i].text).x, room = size.x - 2 * em;
        if (wide > room) height *= room / wide;
        const ImVec2 extent = font->CalcTextSizeA(height, FLT_MAX, 0, lines[i].text);
        const ImVec2 place(at.x + (size.x - extent.x) / 2, bottom - extent.y);
        draw->AddRectFilled(ImVec2(place.x - 0.5f * em, place.y), ImVec2(place.x + extent.x + 0.5f * em, bottom), PILL,
                            0.4f * em);
        draw->AddText(font, height, place, lines[i].colour, lines[i].text);
        bottom -= extent.y + 0.3f * em;
    }
}

// ---- What starts both ---------------------------------------------------------------------------

void align_controls(panel *p, const panel_rig *r, bool offered) {
    if (r->text) wrapped(r->is_wrong ? ALARM : TEXT, r->text);
    if (r->drift) wrapped(r->moved ? ALARM : DIM, r->drift);
    const bool shown = r->can_align && (!offered || r->aligns);
    if (shown) {
        button(p, r->aligns ? "Stop aligning" : "Align", INPUT_ALIGN, 0, ICON_ALIGN);
        tooltip(p, "align", "estimate the rotation of the cameras from the scene, and rectify the pictures",
                INPUT_ALIGN);
    }
    save_rig_button(p, r, shown);
}

// A field with its name before it.
static void field(const char *name, ImGuiDataType type, void *value, const char *format, const char *help, panel *p,
                  float em) {
    label(name, TEXT, em);
    ImGui::SetNextItemWidth(6 * em);
    char id[32];
    snprintf(id, sizeof id, "##%s", name);
    ImGui::InputScalar(id, type, value, nullptr, nullptr, format);
    tooltip(p, name, help);
}

void metres(panel *p, panel_metres *m, float em) {
    field("field of view", ImGuiDataType_Float, &m->fov, "%.4g degrees", "horizontal, of each camera", p, em);
    field("baseline", ImGuiDataType_Float, &m->baseline, m->baseline > 0 ? "%.4g mm" : "unknown",
          "the distance between the cameras; 0: unknown", p, em);
    m->fov = fminf(fmaxf(m->fov, 5), 170);
    m->baseline = fmaxf(m->baseline, 0);
    button(p, "Use for metres", INPUT_USE_METRES, 0, ICON_MEASURE);
    tooltip(p, "use metres", "distances in metres, for rectified or aligned pictures");
}

void board_choice(panel *p, panel_board_choice *c, bool runs, float em) {
    if (runs) {
        end_button(p);
        return;
    }
    if (c->refusal) {
        wrapped(DIM, c->refusal);
        return;
    }
    int count = 0;
    while (c->kinds[count]) count++;
    label("board", TEXT, em);
    if (ImGui::BeginCombo("##board", c->kinds[c->kind])) {
        for (int i = 0; i < count; i++)
            if (entry(c->kinds[i], i == c->kind)) c->kind = i;
        ImGui::EndCombo();
    }
    tooltip(p, "board", "the pattern of the board");
    wrapped(DIM, c->sizes[c->kind]);
    field("columns", ImGuiDataType_S32, &c->columns, "%d", c->sizes[c->kind], p, em);
    field("rows", ImGuiDataType_S32, &c->rows, "%d", c->sizes[c->kind], p, em);
    field("square", ImGuiDataType_Float, &c->square, "%.2f mm", "the side of a square or a tag, as printed", p, em);
    if (c->kind)
        field("marker", ImGuiDataType_Float, &c->marker, c->marker > 0 ? "%.2f mm" : "usual",
              "the side of a marker, or the gap between tags; 0: the usual one", p, em);
    button(p, "Write it for printing", INPUT_PRINT_BOARD, 0, ICON_SAVE);
    tooltip(p, "print board", "write a PDF at true size to the folder of the snapshots; print it at 100 %");
    button(p, "Calibrate with this board", INPUT_CALIBRATE, 0, ICON_MEASURE);
    tooltip(p, "start calibrating", "hold the board in front of both cameras; the window says what is still needed");
}
