// The panel at the right: parameters, display, alignment, actions.
#include "render/panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void display(panel *p, panel_state *s, float em) {
    if (!ImGui::CollapsingHeader("Display", ImGuiTreeNodeFlags_DefaultOpen)) return;
    colour_settings *c = &s->view.colour;
    label("views", TEXT, em);
    choose("##views", &s->view.layout, VIEW_LAYOUT_COUNT, view_layout_name);
    tooltip(p, "views", "how many views (w); the word in its corner changes what a view shows");
    label("colours", TEXT, em);
    choose("##colours", &c->map, COLOUR_MAP_COUNT, colour_map_name);
    label("range", TEXT, em);
    choose("##range", &s->view.range, VIEW_RANGE_COUNT, view_range_name);
    tooltip(p, "range",
            "the disparities that the colours cover:\nsearched: the searched range\n"
            "automatic: the range found in the map\nfixed: as set here");
    if (s->view.range == VIEW_RANGE_FIXED) {
        label("", TEXT, em);
        ImGui::DragFloatRange2("##fixed", &c->min, &c->max, 0.25f, SV_MIN_DISPARITY, SV_MAX_DISPARITY, "%.1f px",
                               "%.1f px", ImGuiSliderFlags_AlwaysClamp);
    }
    float empty[3] = {c->empty[0] / 255.f, c->empty[1] / 255.f, c->empty[2] / 255.f};
    label("no disparity", TEXT, em);
    if (ImGui::ColorEdit3("##empty", empty, ImGuiColorEditFlags_DisplayHex))
        for (int i = 0; i < 3; i++) c->empty[i] = (uint8_t)lroundf(empty[i] * 255);
    label("show reasons", TEXT, em);
    ImGui::Checkbox("##reasons", &c->show_reasons);
    tooltip(p, "show reasons", "colour pixels without a disparity, or with a filled-in one, by their reason");
    label("legend", TEXT, em);
    ImGui::Checkbox("##legend", &s->view.legend);
    if (!s->rectification) return;
    label("in metres", TEXT, em);
    ImGui::Checkbox("##metres", &s->view.metres);
    tooltip(p, "metres", "show distances in the legend (z)");
}

static void alignment(const panel_state *s) {
    if (!s->alignment || !ImGui::CollapsingHeader("Alignment", ImGuiTreeNodeFlags_DefaultOpen)) return;
    ImGui::PushTextWrapPos(0);
    coloured(s->misaligned ? ALARM : TEXT, s->alignment);
    if (s->brightness) coloured(ALARM, s->brightness);
    ImGui::PopTextWrapPos();
}

// The name of a source, as much of it as fits.
static void source_name(panel *p, const char *name) {
    const float room = ImGui::GetContentRegionAvail().x;
    char shown[256];
    int most = sizeof shown / 4;
    do {
        panel_shorten(name, most, shown, sizeof shown);
        most--;
    } while (most > 4 && ImGui::CalcTextSize(shown).x > room);
    ImGui::TextUnformatted(shown);
    if (strcmp(shown, name)) tooltip(p, name, name);
}

void side_panel(panel *p, panel_state *s, const layout &l) {
    char text[256];
    begin_fixed("panel", ImVec2(l.size.x - l.panel_width, 0), ImVec2(l.panel_width, l.size.y),
                FIXED & ~ImGuiWindowFlags_NoScrollbar);
    for (const char *source : s->sources)
        if (source) source_name(p, source);
    snprintf(text, sizeof text, "%d x %d on %s", s->width, s->height, s->device ? s->device : "?");
    coloured(DIM, text);
    ImGui::Spacing();
    parameters(p, s, l.em);
    ImGui::Spacing();
    display(p, s, l.em);
    ImGui::Spacing();
    cloud_controls(p, s, l.em);
    ImGui::Spacing();
    alignment(s);
    ImGui::Spacing();
    if (ImGui::CollapsingHeader("Actions", ImGuiTreeNodeFlags_DefaultOpen)) {
        const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
        button(p, "Snapshot", INPUT_SNAPSHOT, half);
        ImGui::SameLine();
        button(p, "Save settings", INPUT_SAVE_SETTINGS, half);
        button(p, "Statistics", INPUT_STATISTICS, half);
        ImGui::SameLine();
        button(p, "Keys", INPUT_HELP, half);
        button(p, "Full screen", INPUT_FULL_SCREEN, half);
        ImGui::SameLine();
        button(p, "Hide panel", INPUT_PANEL, half);
    }
    ImGui::End();
}
