// What asks for another input: names to type, cameras, recent ones; and what a single dropped file waits for.
#include "render/panel/panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float WIDTH = 40; // em

static void push_names(panel *p, panel_opening *o, const char *left, const char *right) {
    if (left != o->names[0]) snprintf(o->names[0], PANEL_MAX_NAME, "%s", left);
    if (right != o->names[1]) snprintf(o->names[1], PANEL_MAX_NAME, "%s", right ? right : "");
    if (o->names[0][0]) push(p, INPUT_OPEN_NAMES);
}

// A field for a name; true if Enter was pressed in it.
static bool name_field(const char *text, const char *id, char *name, float em) {
    label(text, TEXT, em);
    return ImGui::InputText(id, name, PANEL_MAX_NAME, ImGuiInputTextFlags_EnterReturnsTrue);
}

static void typed(panel *p, panel_opening *o, bool empty, float em) {
    if (!p->was_opening) ImGui::SetKeyboardFocusHere();
    bool chosen = name_field("left", "##left", o->names[0], em);
    chosen |= name_field("right", "##right", o->names[1], em);
    wrapped(DIM, "Videos, pictures, left_%06d.png, left_*.png, folders or URLs.");
    wrapped(DIM, "If \"right\" is empty, the left file holds both pictures.");
    if (ImGui::Button("Open") || chosen) push_names(p, o, o->names[0], o->names[1]);
    ImGui::SameLine();
    button(p, "Demo", INPUT_OPEN_DEMO, 0);
    if (empty) return;
    ImGui::SameLine();
    button(p, "Cancel", INPUT_OPEN, 0);
}

// A click puts a camera into the first field that is free.
static void cameras(panel_opening *o) {
    if (!o->camera_count) return;
    ImGui::Separator();
    coloured(DIM, "Cameras");
    for (int i = 0; i < o->camera_count; i++)
        if (ImGui::Selectable(o->cameras[i]))
            snprintf(o->names[o->names[0][0] && strcmp(o->names[0], o->cameras[i])], PANEL_MAX_NAME, "%s",
                     o->cameras[i]);
}

static void recent(panel *p, panel_opening *o) {
    if (!o->recent_count) return;
    ImGui::Separator();
    coloured(DIM, "Recent");
    for (int i = 0; i < o->recent_count; i++) {
        char left[256], right[256] = "", text[600];
        panel_shorten(o->recent[i][0], o->recent[i][1] ? 36 : 72, left, sizeof left);
        if (o->recent[i][1]) panel_shorten(o->recent[i][1], 36, right, sizeof right);
        snprintf(text, sizeof text, "%s%s%s##recent %d", left, *right ? "  |  " : "", right, i);
        if (ImGui::Selectable(text)) push_names(p, o, o->recent[i][0], o->recent[i][1]);
    }
}

static void box(panel *p, panel_opening *o, bool empty, ImVec2 area, float em) {
    begin_box("Open", ImVec2(area.x / 2, area.y / 2), ImVec2(0.5f, 0.5f), fminf(WIDTH * em, area.x));
    wrapped(TEXT, "Drop videos, folders, a calibration or settings here, or type names:");
    typed(p, o, empty, em);
    cameras(o);
    recent(p, o);
    end_box();
}

bool asks_for_input(const panel_opening *o) { return o->shown; }

void opening(panel *p, panel_opening *o, bool empty, ImVec2 area, float em) {
    if (o->shown) box(p, o, empty, area, em);
    p->was_opening = o->shown;
}

void waiting_file(panel *p, const panel_opening *o, ImVec2 area, float em) {
    char name[256], text[400];
    if (!o->waiting) return;
    panel_shorten(o->waiting, 60, name, sizeof name);
    snprintf(text, sizeof text, "%s is one side; now drop the other.", name);
    begin_box("One side", ImVec2(area.x / 2, 2 * em), ImVec2(0.5f, 0), fminf(WIDTH * em, area.x));
    wrapped(TEXT, text);
    snprintf(text, sizeof text, "It has both pictures (%s)", keys_of(p, INPUT_OPEN_ALONE));
    button(p, text, INPUT_OPEN_ALONE, 0);
    ImGui::SameLine();
    snprintf(text, sizeof text, "Cancel (%s)", keys_of(p, INPUT_LEAVE));
    button(p, text, INPUT_LEAVE, 0);
    end_box();
}
