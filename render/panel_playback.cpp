// The bar under the picture: playback, and a line about what is shown.
#include "render/panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float BAR_MARGIN = 0.5f; // em, above the buttons; about as much is below the last line

enum icon { PLAY, HALT, BACK, ON };

static bool icon_button(panel *p, const char *id, icon what, input_action action, float em) {
    const float height = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::Button(id, ImVec2(1.4f * height, height));
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const float x = at.x + 0.7f * height, y = at.y + 0.5f * height, r = 0.36f * em, side = what == BACK ? -1.f : 1.f;
    if (what == HALT) {
        draw->AddRectFilled(ImVec2(x - r, y - r), ImVec2(x - 0.3f * r, y + r), themed(TEXT));
        draw->AddRectFilled(ImVec2(x + 0.3f * r, y - r), ImVec2(x + r, y + r), themed(TEXT));
    } else if (what == PLAY) {
        draw->AddTriangleFilled(ImVec2(x - 0.8f * r, y - r), ImVec2(x + r, y), ImVec2(x - 0.8f * r, y + r),
                                themed(TEXT));
    } else {
        draw->AddTriangleFilled(ImVec2(x - side * 0.9f * r, y - r), ImVec2(x + side * 0.5f * r, y),
                                ImVec2(x - side * 0.9f * r, y + r), themed(TEXT));
        const float bar = x + side * 0.8f * r;
        draw->AddRectFilled(ImVec2(bar - 0.18f * r, y - r), ImVec2(bar + 0.18f * r, y + r), themed(TEXT));
    }
    if (pressed) window_push_action(p->of, action);
    return pressed;
}

static void position_slider(panel *p, panel_state *s, float width) {
    const double from = 0;
    double position = p->dragging_position ? p->position : s->position;
    ImGui::SetNextItemWidth(width);
    // While it is dragged it stays under the mouse, however long a seek takes.
    if (ImGui::SliderScalar("##position", ImGuiDataType_Double, &position, &from, &s->duration, "",
                            ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput)) {
        p->position = s->seek = s->pictures ? round(position) : position;
        window_push_action(p->of, INPUT_SEEK_TO);
    }
    if (ImGui::IsItemActivated()) p->position = position;
    p->dragging_position = ImGui::IsItemActive();
    // A and B.
    const ImVec2 left = ImGui::GetItemRectMin(), right = ImGui::GetItemRectMax();
    const float grab = ImGui::GetStyle().GrabMinSize;
    for (int i = 0; i < s->mark_count; i++) {
        const float x = left.x + grab / 2 + (right.x - left.x - grab) * (float)(s->marks[i] / s->duration);
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - 1, left.y), ImVec2(x + 1, right.y), ACCENT);
    }
}

static void playback_buttons(panel *p, const panel_state *s, const layout &l) {
    icon_button(p, "##pause", s->paused ? PLAY : HALT, INPUT_PAUSE, l.em);
    tooltip(p, "pause", s->paused ? "resume" : "pause", INPUT_PAUSE);
    if (s->seekable) {
        ImGui::SameLine();
        icon_button(p, "##back", BACK, INPUT_STEP_BACK, l.em);
        tooltip(p, "back", "one frame back", INPUT_STEP_BACK);
    }
    if (!s->live) {
        ImGui::SameLine();
        icon_button(p, "##step", ON, INPUT_STEP, l.em);
        tooltip(p, "step", "one frame forward", INPUT_STEP);
    }
}

// The position, as a slider and as a number, which a click lets the user type.
static void position(panel *p, panel_state *s, const layout &l) {
    char text[96];
    if (s->typed)
        snprintf(text, sizeof text, "go to frame %s_", s->typed);
    else
        panel_describe_position(s, text, sizeof text);
    const float after =
        (ImGui::CalcTextSize(text).x) + (s->open ? 4.6f : 9.2f) * l.em + 2 * ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x - after;
    if (s->seekable && s->duration > 0 && !l.seeks_above) {
        position_slider(p, s, room);
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    if (s->typed) {
        coloured(ACCENT, text);
    } else {
        ImGui::TextUnformatted(text);
        if (s->seekable && ImGui::IsItemClicked()) window_type_number(p->of, true);
        if (s->seekable) tooltip(p, "number", "click to type the number of a frame", INPUT_FRAME);
    }
}

static void speed_list(panel *p, panel_state *s, const layout &l) {
    static const double speeds[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    char text[16];
    snprintf(text, sizeof text, "%gx", s->speed);
    ImGui::SetNextItemWidth(4.6f * l.em);
    if (ImGui::BeginCombo("##speed", text, ImGuiComboFlags_HeightLarge)) {
        for (double speed : speeds) {
            snprintf(text, sizeof text, "%gx", speed);
            if (entry(text, speed == s->speed)) s->speed = speed;
        }
        ImGui::Separator();
        if (entry("every frame", !s->real_time)) s->real_time = false;
        if (entry("real time", s->real_time)) s->real_time = true;
        ImGui::EndCombo();
    }
    char help[240];
    snprintf(help, sizeof help,
             "speed (%s and %s)\nevery frame: plays more slowly if matching takes longer\n"
             "real time: leaves out frames that would be late",
             keys_of(p, INPUT_SLOWER), keys_of(p, INPUT_FASTER));
    tooltip(p, "speed", help);
}

static void playback(panel *p, panel_state *s, const layout &l) {
    if (l.seeks_above) position_slider(p, s, ImGui::GetContentRegionAvail().x);
    playback_buttons(p, s, l);
    ImGui::SameLine();
    position(p, s, l);
    ImGui::SameLine();
    if (s->live) {
        button(p, s->recording ? "Stop recording" : "Record", INPUT_RECORD, 0);
        tooltip(p, "record", "write what the cameras or live streams send into a file", INPUT_RECORD);
    } else {
        speed_list(p, s, l);
    }
}

// A button that brings the panel back, at the right end of the line above.
static void panel_button(panel *p, const panel_state *s) {
    if (s->open) return;
    const float width = ImGui::CalcTextSize("Panel").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    button(p, "Panel", INPUT_PANEL, width);
    tooltip(p, "panel", "show the panel", INPUT_PANEL);
}

struct part {
    ImU32 colour;
    const char *text; // NULL or empty: left out
};

// The width of parts beside each other, with the gap after each.
static float width_of(const part *parts, int count, float em) {
    float width = 0;
    for (int i = 0; i < count; i++)
        if (parts[i].text && *parts[i].text) width += ImGui::CalcTextSize(parts[i].text).x + 2 * em;
    return width;
}

// Where `text` has to end to be at most `room` wide.
static const char *end_within(const char *text, float room) {
    const char *end = text + strlen(text);
    while (end > text && ImGui::CalcTextSize(text, end).x > room) {
        end--;
        while (end > text && (*end & 0xc0) == 0x80) end--; // characters of UTF-8 stay whole
    }
    return end;
}

// Writes parts beside each other. If they need more than `room`, they end in dots, and a tooltip has all of them.
static void write_parts(const part *parts, int count, ImVec2 at, float room, float em) {
    const float limit = at.x + room, dots = ImGui::CalcTextSize("...").x;
    ImDrawList *draw = ImGui::GetWindowDrawList();
    bool whole = true;
    ImVec2 next = at;
    for (int i = 0; i < count && whole; i++) {
        const char *text = parts[i].text;
        if (!text || !*text) continue;
        const ImU32 colour = themed(parts[i].colour);
        const float width = ImGui::CalcTextSize(text).x;
        whole = next.x + width <= limit;
        const char *end = end_within(text, whole ? width : limit - next.x - dots);
        draw->AddText(next, colour, text, end);
        if (!whole) draw->AddText(ImVec2(next.x + ImGui::CalcTextSize(text, end).x, next.y), colour, "...");
        next.x += width + 2 * em;
    }
    if (whole || !ImGui::IsMouseHoveringRect(at, ImVec2(limit, at.y + em))) return;
    ImGui::BeginTooltip();
    for (int i = 0; i < count; i++)
        if (parts[i].text && *parts[i].text) coloured(parts[i].colour, parts[i].text);
    ImGui::EndTooltip();
}

// One line about the map; below, what is wrong and, at the right, the pixel under the mouse and what both pictures show
// there. Where that is too much for a line, the pixel stands beside the map, and the pictures' values are left out.
static void status_lines(const panel_state *s, float em) {
    char text[960], values[96], pixel[192];
    panel_describe_map(s, text, sizeof text);
    panel_describe_values(s, values, sizeof values);
    panel_describe_pixel(s, pixel, sizeof pixel);
    const ImVec2 next = ImGui::GetCursorScreenPos(), from(next.x, next.y - 0.1f * em),
                 below(from.x, from.y + 1.1f * em);
    const float width = ImGui::GetContentRegionAvail().x, of_pixel = ImGui::CalcTextSize(pixel).x;
    const histogram *h = s->histogram;
    const bool cut_off = h && histogram_is_cut_off(h->largest, h->values);
    // The share of values is always seen, in its place; the ends of long lines are in tooltips.
    const part known[] = {
        {cut_off ? ALARM : DIM, values}, {DIM, text}, {TEXT, s->difference}, {DIM, s->moved ? NULL : s->drift}};
    const part wrong[] = {{ALARM, s->misaligned ? "the rows of the pictures are not aligned" : NULL},
                          {ALARM, s->moved ? s->drift : NULL}};
    const part there[] = {{TEXT, pixel}, {TEXT, *pixel ? s->shades : NULL}};
    const float room = width - width_of(wrong, IM_ARRAYSIZE(wrong), em), all = width_of(there, 2, em) - 2 * em;
    const bool beside = of_pixel > room;
    write_parts(known, IM_ARRAYSIZE(known), from, width - (beside ? of_pixel + em : 0), em);
    write_parts(wrong, IM_ARRAYSIZE(wrong), below, width, em);
    if (!*pixel) return;
    const float taken = all <= room ? all : of_pixel;
    write_parts(there, all <= room ? 2 : 1, ImVec2(from.x + width - taken, beside ? from.y : below.y), taken + 1, em);
}

void playback_bar(panel *p, panel_state *s, const layout &l) {
    begin_fixed("bar", ImVec2(0, l.size.y - l.bar_height), ImVec2(l.size.x - l.panel_width, l.bar_height), FIXED,
                s->full_screen);
    ImGui::SetCursorPosY(BAR_MARGIN * l.em);
    playback(p, s, l);
    panel_button(p, s);
    status_lines(s, l.em);
    ImGui::End();
}
