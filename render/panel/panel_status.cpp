// The two lines at the bottom of the bar: the map on the screen, and the pixel under the mouse.
#include "render/panel/panel_parts.h"

#include <stdio.h>
#include <string.h>

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

// One line about the map; below, what is wrong, and the pixel under the mouse.
void status_lines(const panel_status *s, const panel_reading *reading, const histogram *h, float em) {
    char map[960], text[960], values[96];
    panel_describe_map(s, map, sizeof map);
    minus_signs(map, text, sizeof text);
    panel_describe_values(h, values, sizeof values);
    const ImVec2 next = ImGui::GetCursorScreenPos(), from(next.x, next.y - 0.2f * em),
                 below(from.x, from.y + 1.2f * em);
    const float width = ImGui::GetContentRegionAvail().x;
    const bool cut_off = h && histogram_is_cut_off(h->largest, h->values);
    // What is cut off at the end is in a tooltip.
    const part known[] = {
        {cut_off ? ALARM : DIM, values}, {TEXT, s->difference}, {DIM, text}, {DIM, s->moved ? NULL : s->drift}};
    const part wrong = {ALARM, s->moved ? s->drift : NULL};
    const float used = width_of(&wrong, 1, em);
    write_parts(known, IM_ARRAYSIZE(known), from, width, em);
    write_parts(&wrong, 1, below, width, em);
    reading_line(reading, ImVec2(below.x + used, below.y), width - used, em);
}
