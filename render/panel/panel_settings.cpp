// The box that saves and loads settings and qualities, and asks before something is lost.
#include "render/panel/panel_side_parts.h"
#include "stereo/quality.h"

#include <math.h>
#include <stdio.h>

static const float WIDTH = 34; // em

static void file(panel *p, panel_settings *f, float em) {
    label("file", TEXT, em);
    if (!p->was_setting) give_keyboard(p);
    const bool entered = ImGui::InputText("##file", f->file, PANEL_MAX_NAME, ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::Button("Save##file") || entered) push(p, INPUT_SAVE_SETTINGS);
    tooltip(p, "Save##file", "everything that the panel sets; --settings reads it, too");
    ImGui::SameLine();
    button(p, "Load", INPUT_LOAD_SETTINGS, 0);
    ImGui::SameLine();
    button(p, "Close", INPUT_SETTINGS, 0);
    tooltip(p, "Close", "close it", INPUT_SETTINGS);
    if (!f->recent_count) return;
    coloured(DIM, "Recent files; a click loads one");
    for (int i = 0; i < f->recent_count; i++) {
        char name[256], text[300];
        panel_shorten(f->recent[i], 64, name, sizeof name);
        snprintf(text, sizeof text, "%s##recent %d", name, i);
        if (!ImGui::Selectable(text)) continue;
        snprintf(f->file, sizeof f->file, "%s", f->recent[i]);
        push(p, INPUT_LOAD_SETTINGS);
    }
}

static void looks(panel *p, int *theme, float em) {
    ImGui::Separator();
    label("theme", TEXT, em);
    choose("##theme", theme, PANEL_THEME_COUNT, panel_theme_name);
    tooltip(p, "theme", "of the panel; kept for the next start, as are the sizes of the window and of the panel");
}

static void qualities(panel *p, panel_qualities *q, float em) {
    ImGui::Separator();
    label("quality", TEXT, em);
    const bool entered = ImGui::InputTextWithHint("##quality", "a name for these parameters", q->name, sizeof q->name,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::Button("Save##quality") || entered) push(p, INPUT_SAVE_QUALITY);
    tooltip(p, "Save##quality",
            "the method and its parameters, under a name for the list in the panel and --quality\n"
            "the disparity range and the row shift belong to the scene and are not part of it");
    for (int i = q->built_in; i < q->count; i++) {
        ImGui::PushID(i);
        if (ImGui::Button("Delete")) {
            snprintf(q->name, sizeof q->name, "%s", q->names[i]);
            push(p, INPUT_DELETE_QUALITY);
        }
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(q->names[i]);
        ImGui::PopID();
    }
}

// The built-in qualities, and the user's below a line.
void quality_list(panel *p, panel_qualities *q, float em) {
    label("quality", TEXT, em);
    if (ImGui::BeginCombo("##quality", q->current < 0 ? "custom" : q->names[q->current])) {
        for (int i = 0; i < q->count; i++) {
            if (i == q->built_in) ImGui::Separator();
            if (entry(q->names[i], i == q->current)) {
                q->chosen = i;
                push(p, INPUT_QUALITY);
            }
            if (i < q->built_in) tooltip(p, q->names[i], sv_qualities[i].help);
        }
        ImGui::EndCombo();
    }
    tooltip(p, "quality", "a method with its parameters; yours are saved under Settings", INPUT_SETTINGS);
}

static void box(panel *p, panel_settings *s, panel_qualities *q, int *theme, ImVec2 area, float em) {
    begin_box("Settings", ImVec2(area.x / 2, area.y / 2), ImVec2(0.5f, 0.5f), fminf(WIDTH * em, area.x));
    if (s->question) {
        wrapped(ACCENT, s->question);
        button(p, "Yes", INPUT_CONFIRM, 0);
        ImGui::SameLine();
        button(p, "No", INPUT_DECLINE, 0);
    } else {
        file(p, s, em);
        qualities(p, q, em);
        looks(p, theme, em);
    }
    end_box();
}

bool asks_for_settings(const panel_settings *s) { return s->shown; }

void settings(panel *p, panel_settings *s, panel_qualities *q, int *theme, ImVec2 area, float em) {
    if (s->shown) box(p, s, q, theme, area, em);
    p->was_setting = s->shown;
}
