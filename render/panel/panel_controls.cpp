// Small controls of which the parts of the panel are made.
#include "render/panel/panel_controls.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float LABEL_WIDTH = 8.6f;   // em
static const float NUMBER_WIDTH = 4.4f;  // em, beside a slider
static const double TOOLTIP_DELAY = 0.4; // seconds

static panel *own() { return static_cast<panel *>(ImGui::GetIO().UserData); }

void label(const char *text, ImU32 colour, float em) {
    char shown[64], name[72];
    const float room = LABEL_WIDTH * em - ImGui::GetCursorPosX() - 2;
    ImGui::AlignTextToFramePadding();
    coloured(colour, capital(text, shown, sizeof shown));
    own()->label[0] = ImGui::GetItemRectMin();
    own()->label[1] = ImGui::GetItemRectMax();
    snprintf(name, sizeof name, "label %s", text);
    if (*text && ImGui::IsItemVisible())
        report_place(name, own()->label[0], ImVec2(room, ImGui::GetItemRectSize().y), ImGui::GetItemRectSize().x);
    ImGui::SameLine(LABEL_WIDTH * em);
    ImGui::SetNextItemWidth(-FLT_MIN);
}

void enter_layer(const char *name) { own()->places.layer = name; }

void report_place(const char *name, ImVec2 at, ImVec2 size, float needs) {
    places_add(&own()->places, name, at, size, needs);
}

// "panel: NAME at X Y WIDTH HEIGHT", in points from the top left of the window; see tests/support/window.sh.
void report_place(const char *name, float needs) {
    if (!ImGui::IsItemVisible()) return;
    const ImVec2 at = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    report_place(name, at, size, needs);
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

void tooltip(panel *p, const char *name, const char *text, float needs) {
    report_place(name, needs);
    const bool on_label = p->label[1].x > p->label[0].x && ImGui::IsWindowHovered() &&
                          ImGui::IsMouseHoveringRect(p->label[0], p->label[1]);
    p->label[1] = p->label[0];
    if (!ImGui::IsItemHovered() && !on_label) {
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

void give_keyboard(panel *p) {
    ImGui::SetKeyboardFocusHere();
    p->awaits = true;
}

bool has_keys(const panel *p, input_action action) { return *window_keys(p->of)->of[action]; }

void push(panel *p, input_action action) { window_push_action(p->of, action); }

void push(panel *p, input_action action, int x, int y) { window_push_action_at(p->of, action, x, y); }

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

bool entry(const char *name, bool chosen, const char *help) {
    ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const bool clicked = ImGui::Selectable(name, chosen);
    ImGui::PopStyleColor();
    const char *layer = own()->places.layer;
    enter_layer("list");
    report_place(name);
    enter_layer(layer);
    if (help && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
    return clicked;
}

bool choose(const char *id, int *value, int count, const char *(*name)(int), const char *(*help)(int)) {
    const int before = *value;
    if (ImGui::BeginCombo(id, name(*value))) {
        for (int i = 0; i < count; i++)
            if (entry(name(i), i == *value, help ? help(i) : nullptr)) *value = i;
        ImGui::EndCombo();
    }
    return *value != before;
}

bool checkbox(const char *name, bool *value) {
    char shown[64];
    return ImGui::Checkbox(capital(name, shown, sizeof shown), value);
}

bool plain_button(const char *text, float width, icon which) {
    const ImGuiStyle &style = ImGui::GetStyle();
    const float words = ImGui::CalcTextSize(text, nullptr, true).x, size = 0.8f * ImGui::GetFontSize();
    const float beside = which ? size + style.ItemInnerSpacing.x : 0;
    if (width < 0) width = ImGui::GetContentRegionAvail().x;
    if (width == 0) width = words + beside + 2 * style.FramePadding.x;
    const bool has_icon = which && words + beside + 4 <= width;
    ImGui::PushID(text);
    const bool pressed = ImGui::Button("##button", ImVec2(width, 0));
    ImGui::PopID();
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    float x = from.x + (width - words - (has_icon ? beside : 0)) / 2;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(from, to, true);
    if (has_icon) {
        draw_icon(draw, which, ImVec2(roundf(x + size / 2), (from.y + to.y) / 2), size, themed(DIM));
        x += beside;
    }
    draw->AddText(ImVec2(roundf(fmaxf(x, from.x + 2)), from.y + style.FramePadding.y), themed(TEXT), text,
                  strstr(text, "##"));
    draw->PopClipRect();
    report_place(text, words + 2);
    return pressed;
}

bool button(panel *p, const char *text, input_action action, float width, icon which) {
    const bool pressed = plain_button(text, width, which);
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
