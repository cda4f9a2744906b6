// Small controls of which the parts of the panel are made.
#include "render/panel/panel_controls.h"
#include "render/window/gl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float LABEL_WIDTH = 8.6f;   // em
static const float NUMBER_WIDTH = 4.4f;  // em, beside a slider
static const double TOOLTIP_DELAY = 0.4; // seconds

// Fills a rectangle of the window with the background's colour, below all that ImGui draws.
static void fill(ImVec2 place, ImVec2 size) {
    const ImGuiIO &io = ImGui::GetIO();
    const ImVec2 scale = io.DisplayFramebufferScale;
    const ImVec4 colour = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    const int left = (int)floorf(place.x * scale.x), right = (int)ceilf((place.x + size.x) * scale.x);
    const int top = (int)floorf(place.y * scale.y), bottom = (int)ceilf((place.y + size.y) * scale.y);
    const int height = (int)roundf(io.DisplaySize.y * scale.y);
    gl_fill(left, height - bottom, right - left, bottom - top, colour.x, colour.y, colour.z);
}

void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags, bool over) {
    ImGui::SetNextWindowPos(place);
    ImGui::SetNextWindowSize(over ? ImVec2(ceilf(size.x), size.y + 1) : size); // ImGui rounds both down
    if (!over) fill(place, size);
    ImGui::Begin(name, nullptr, flags | (over ? 0 : ImGuiWindowFlags_NoBackground));
}

void begin_box(const char *name, ImVec2 place, ImVec2 pivot, float width) {
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::SetNextWindowBgAlpha(0.95f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
}

void end_box() {
    ImGui::End();
    ImGui::PopStyleVar();
}

void coloured(ImU32 colour, const char *text) {
    ImGui::PushStyleColor(ImGuiCol_Text, themed(colour));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

// Where a line of the text ends that is at most `room` wide, or has one word.
static const char *end_of_line(const char *text, float room) {
    const char *end = text + strcspn(text, " \n");
    while (*end == ' ') {
        const char *next = end + 1 + strcspn(end + 1, " \n");
        if (ImGui::CalcTextSize(text, next).x > room) break;
        end = next;
    }
    return end;
}

void wrapped(ImU32 colour, const char *text, float room) {
    if (room <= 0) room = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleColor(ImGuiCol_Text, themed(colour));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room); // for a word that is longer
    while (*text) {
        const char *end = end_of_line(text, room);
        ImGui::TextUnformatted(text, end);
        text = *end ? end + 1 : end;
    }
    ImGui::PopTextWrapPos();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    ImGui::Spacing();
}

void label(const char *text, ImU32 colour, float em) {
    ImGui::AlignTextToFramePadding();
    coloured(colour, text);
    ImGui::SameLine(LABEL_WIDTH * em);
    ImGui::SetNextItemWidth(-FLT_MIN);
}

// "panel: NAME at X Y WIDTH HEIGHT", in points from the top left of the window; see tests/support/window.sh.
void report_place(const char *name) {
    if (!ImGui::IsItemVisible()) return;
    const ImVec2 at = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    const int place[] = {(int)at.x, (int)at.y, (int)size.x, (int)size.y};
    ImGui::PushID("place");
    int *last = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(name));
    unsigned now = 0;
    ImGui::PopID();
    for (int number : place) now = 8191 * now + (unsigned)number;
    if (*last == (int)now) return;
    *last = (int)now;
    sv_log(SV_LOG_DEBUG, "panel: %s at %d %d %d %d", name, place[0], place[1], place[2], place[3]);
}

void tooltip(panel *p, const char *name, const char *text) {
    report_place(name);
    if (!ImGui::IsItemHovered()) {
        if (p->hovered == name) p->hovered = nullptr;
        return;
    }
    if (p->hovered != name) p->hovered_since = ImGui::GetTime();
    p->hovered = name;
    if (ImGui::GetTime() - p->hovered_since < TOOLTIP_DELAY || ImGui::IsItemActive()) return;
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(text);
    ImGui::EndTooltip();
}

bool has_keys(const panel *p, input_action action) { return *window_keys(p->of)->of[action]; }

void push(panel *p, input_action action) { window_push_action(p->of, action); }

void type_number(panel *p) { window_type_number(p->of, true); }

const char *keys_of(const panel *p, input_action action) {
    const char *keys = window_keys(p->of)->of[action];
    return *keys ? keys : "no key";
}

void tooltip(panel *p, const char *name, const char *text, input_action action) {
    char line[256];
    const char *keys = window_keys(p->of)->of[action];
    snprintf(line, sizeof line, "%s%s%s%s", text, *keys ? " (" : "", keys, *keys ? ")" : "");
    tooltip(p, name, line);
}

bool entry(const char *name, bool chosen) {
    ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const bool clicked = ImGui::Selectable(name, chosen);
    ImGui::PopStyleColor();
    report_place(name);
    return clicked;
}

bool choose(const char *id, int *value, int count, const char *(*name)(int)) {
    const int before = *value;
    if (ImGui::BeginCombo(id, name(*value))) {
        for (int i = 0; i < count; i++)
            if (entry(name(i), i == *value)) *value = i;
        ImGui::EndCombo();
    }
    return *value != before;
}

bool button(panel *p, const char *text, input_action action, float width) {
    const bool pressed = ImGui::Button(text, ImVec2(width, 0));
    report_place(text);
    if (pressed) push(p, action);
    return pressed;
}

bool slider(panel *p, const char *id, ImGuiDataType type, void *value, const void *min, const void *max,
            const char *format, ImGuiSliderFlags flags, float em) {
    const ImGuiID own = ImGui::GetID(id);
    const bool is_typed = p->typed == own && ImGui::GetIO().WantTextInput;
    ImGui::SetNextItemWidth(-NUMBER_WIDTH * em);
    // ImGui writes the value across the grab; an empty format would leave nothing to be typed over.
    if (!is_typed) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
    const bool changed = ImGui::SliderScalar(id, type, value, min, max, format, flags | ImGuiSliderFlags_AlwaysClamp);
    if (!is_typed) ImGui::PopStyleColor();
    if (ImGui::IsItemActive())
        p->typed = own;
    else if (p->typed == own)
        p->typed = 0;
    return changed;
}

void beside_slider(const char *number, const char *units, float em) {
    char text[64];
    const float most = (NUMBER_WIDTH - 0.4f) * em;
    const ImVec2 end(ImGui::GetItemRectMax().x + NUMBER_WIDTH * em, ImGui::GetItemRectMin().y);
    snprintf(text, sizeof text, "%s%s%s", number, *units ? " " : "", units);
    if (ImGui::CalcTextSize(text).x > most) snprintf(text, sizeof text, "%s", number);
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(end.x - ImGui::CalcTextSize(text).x, end.y + ImGui::GetStyle().FramePadding.y), themed(TEXT), text);
}
