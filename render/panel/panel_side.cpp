// The panel at the right: its frame, the source, the actions, the display.
#include "render/panel/panel_side_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A checkbox with its name, in the left or the right half of its row.
static void box(const char *name, bool *value, bool at_right) {
    if (at_right) ImGui::SameLine(ImGui::GetWindowContentRegionMax().x / 2);
    checkbox(name, value);
}

// An end of the depths that are shown; 0 is none. `name` is also that of its place.
static void depth_limit(panel *p, const char *name, double *depth, const char *unit, float width, const char *help) {
    char id[32], format[24];
    snprintf(id, sizeof id, "##%s", name);
    snprintf(format, sizeof format, *depth > 0 ? "%%.2f %s" : "any", unit);
    ImGui::SetNextItemWidth(width);
    const double none = 0, most = SPACE_MOST_LIMIT;
    const float speed = *depth > 0 ? (float)(0.01 * *depth) : 0.02f;
    ImGui::DragScalar(id, ImGuiDataType_Double, depth, speed, &none, &most, format, ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right) || *depth < SPACE_LEAST_LIMIT) *depth = 0;
    tooltip(p, name, help);
}

static void depth_limits(panel *p, space_limits *l, bool has_metres, float em) {
    const char *unit = has_metres ? "m" : "bl";
    char help[2][320];
    for (int i = 0; i < 2; i++)
        snprintf(help[i], sizeof help[i],
                 "remove what is %s (%s: the depth under the mouse)%s\n"
                 "drag, or double click to type; right click: no limit\n--%s",
                 i ? "farther" : "nearer", keys_of(p, i ? INPUT_LIMIT_FAR : INPUT_LIMIT_NEAR),
                 has_metres ? "" : "; in baselines (bl)", i ? "max-depth" : "min-depth");
    label("depth", l->nearest > 0 || l->farthest > 0 ? CHOSEN : TEXT, em);
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
    const space_limits before = *l;
    depth_limit(p, "min depth", &l->nearest, unit, half, help[0]);
    ImGui::SameLine(0, gap);
    depth_limit(p, "max depth", &l->farthest, unit, half, help[1]);
    // The other end gives way.
    if (l->farthest > 0 && l->nearest >= l->farthest) {
        if (l->nearest != before.nearest)
            l->farthest = 0;
        else
            l->nearest = 0;
    }
}

void display_controls(panel *p, view_settings *view, bool *readings, bool has_metres, float em) {
    if (!ImGui::CollapsingHeader("Display", ImGuiTreeNodeFlags_DefaultOpen)) return;
    colour_settings *c = &view->colour;
    label("views", TEXT, em);
    choose("##views", &view->layout, VIEW_LAYOUT_COUNT, view_layout_name);
    tooltip(p, "views", "how many views; the word in its corner changes what a view shows", INPUT_LAYOUT);
    label("colours", TEXT, em);
    choose("##colours", &c->map, COLOUR_MAP_COUNT, colour_map_name);
    tooltip(p, "colours", "the colour map of disparities, depths and costs", INPUT_COLOURS);
    label("range", TEXT, em);
    choose("##range", &view->range, VIEW_RANGE_COUNT, view_range_name);
    tooltip(p, "range",
            "the disparities that the colours cover:\nsearched: the searched range\n"
            "automatic: the range found in the map\nfixed: as set here");
    if (view->range == VIEW_RANGE_FIXED) {
        label("", TEXT, em);
        ImGui::DragFloatRange2("##fixed", &c->min, &c->max, 0.25f, SV_MIN_DISPARITY, SV_MAX_DISPARITY, "%.1f px",
                               "%.1f px", ImGuiSliderFlags_AlwaysClamp);
    }
    depth_limits(p, &view->limits, has_metres, em);
    box("reasons", &c->show_reasons, false);
    tooltip(p, "reasons", "colour pixels without a disparity, or with a filled-in one, by their reason", INPUT_REASONS);
    if (has_metres) {
        box("metres", &view->metres, true);
        tooltip(p, "metres", "show distances in the legend", INPUT_METRES);
    }
    if (!ImGui::TreeNodeEx("More##display", ImGuiTreeNodeFlags_NoTreePushOnOpen)) return;
    float empty[3] = {c->empty[0] / 255.f, c->empty[1] / 255.f, c->empty[2] / 255.f};
    label("no disparity", TEXT, em);
    if (ImGui::ColorEdit3("##empty", empty, ImGuiColorEditFlags_DisplayHex))
        for (int i = 0; i < 3; i++) c->empty[i] = (uint8_t)lroundf(empty[i] * 255);
    tooltip(p, "no disparity", "the colour of pixels without a disparity");
    box("readings", readings, false);
    tooltip(p, "readings", "also show the values under the mouse next to the pointer", INPUT_READINGS);
    box("legend", &view->legend, true);
    tooltip(p, "legend", "show the legend; without it, the views use its space, too");
}

struct action_button {
    const char *name;
    input_action action;
    const char *help;
    icon which;
};

static void buttons(panel *p, const action_button *all, int count, int columns) {
    const float gap = ImGui::GetStyle().ItemSpacing.x / 2;
    const float width = (ImGui::GetContentRegionAvail().x - (float)(columns - 1) * gap) / (float)columns;
    for (int i = 0; i < count; i++) {
        if (i % columns) ImGui::SameLine(0, gap);
        button(p, all[i].name, all[i].action, width, all[i].which);
        tooltip(p, all[i].name, all[i].help, all[i].action);
    }
}

void action_buttons(panel *p) {
    static const action_button wide[] = {
        {"Measurements", INPUT_MEASURES, "a table of pins and rectangle, with accuracy and precision", ICON_MEASURE},
        {"Messages", INPUT_MESSAGES, "list the messages", ICON_MESSAGES}};
    static const action_button narrow[] = {
        {"Swap sides", INPUT_SWAP, "swap left and right", ICON_SWAP},
        {"Open ...", INPUT_OPEN, "open another input", ICON_OPEN},
        {"Export ...", INPUT_EXPORT, "write frames to files or a video", ICON_SAVE},
        {"Snapshot", INPUT_SNAPSHOT, "save the map", ICON_SNAPSHOT},
        {"Settings", INPUT_SETTINGS, "save and load settings and qualities", ICON_SETTINGS},
        {"Statistics", INPUT_STATISTICS, "rates and times", ICON_STATISTICS},
        {"Keys", INPUT_HELP, "list the keys", ICON_KEYS},
        {"Full screen", INPUT_FULL_SCREEN, "full screen", ICON_FULL_SCREEN},
        {"Hide panel", INPUT_PANEL, "hide the panel", ICON_PANEL}};
    buttons(p, wide, IM_ARRAYSIZE(wide), 2);
    buttons(p, narrow, IM_ARRAYSIZE(narrow), 3);
}

// The name of a source, shortened to fit.
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

// The left edge of the panel, which the mouse moves.
static void edge(ImVec2 place, ImVec2 end, float em, double *width) {
    const ImVec2 cursor = ImGui::GetCursorPos();
    ImGui::PushClipRect(place, end, false); // the window's own leaves out its margin
    ImGui::SetCursorScreenPos(place);
    ImGui::InvisibleButton("##edge", ImVec2(0.5f * em, (end.y - place.y) / 2));
    ImGui::PopClipRect();
    report_place("edge");
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActive())
        *width = fmin(fmax((end.x - ImGui::GetIO().MousePos.x) / em, PANEL_LEAST_WIDTH), PANEL_MOST_WIDTH);
    ImGui::SetCursorPos(cursor);
}

void side_begin(place side, float em, double *width) {
    begin_fixed("panel", side.at, side.size, FIXED & ~ImGuiWindowFlags_NoScrollbar);
    edge(side.at, ImVec2(side.at.x + side.size.x, side.at.y + side.size.y), em, width);
}

void side_end() { ImGui::End(); }

void source_controls(panel *p, panel_source *s, float em) {
    char text[256];
    for (const char *name : s->names)
        if (name) source_name(p, name);
    snprintf(text, sizeof text, "%d x %d on %s", s->width, s->height, s->device ? s->device : "?");
    coloured(DIM, text);
    if (s->layout_name && s->layout >= 0) {
        label("layout", TEXT, em);
        if (choose("##layout", &s->layout, s->layout_count, s->layout_name)) push(p, INPUT_STREAM_LAYOUT);
        tooltip(p, "layout", "how the pictures hold both views", INPUT_STREAM_LAYOUT);
    }
}
