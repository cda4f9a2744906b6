// Draws the values under the mouse: in a line below the picture, and on a pill next to the pointer.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
#include <string.h>

// The width of a text before its decimal point, or of all of it: numbers are aligned there.
static float before_point(const char *text) {
    const char *point = strchr(text, '.');
    return ImGui::CalcTextSize(text, point).x;
}

static float width_of(const char *text) { return ImGui::CalcTextSize(text).x; }

// A column of numbers: how much they need on both sides of the decimal point.
struct column {
    float before, after;
};

static void widen(column &c, const char *text) {
    const float before = before_point(text);
    c.before = fmaxf(c.before, before);
    c.after = fmaxf(c.after, width_of(text) - before);
}

static void write_number(ImDrawList *draw, const column &c, const char *text, ImVec2 at, ImU32 colour) {
    draw->AddText(ImVec2(at.x + c.before - before_point(text), at.y), colour, text);
}

// ---- The line -----------------------------------------------------------------------------------

// Writes a value at `x`, or only measures it without `draw`; returns where it ends.
static float write_value(ImDrawList *draw, const panel_value &v, float x, float y, float em) {
    const bool both = *v.text[1];
    if (draw) draw->AddText(ImVec2(x, y), themed(DIM), v.brief);
    if (*v.brief) x += width_of(v.brief) + 0.4f * em;
    for (int i = 0; i <= (both ? 1 : 0); i++) {
        column c = {0, 0};
        widen(c, v.widest);
        widen(c, v.text[i]);
        if (draw && i) draw->AddText(ImVec2(x, y), themed(DIM), "|");
        if (i) x += width_of("| ");
        if (draw) write_number(draw, c, v.text[i], ImVec2(x, y), themed(v.is_error[i] ? ALARM : TEXT));
        x += c.before + c.after;
    }
    if (!*v.unit) return x;
    x += 0.25f * em;
    if (draw) draw->AddText(ImVec2(x, y), themed(DIM), v.unit);
    return x + width_of(v.unit);
}

void reading_line(const panel_reading *r, ImVec2 at, float room, float em) {
    panel_value values[PANEL_MAX_VALUES];
    const int count = panel_read(r, values);
    float x = at.x;
    for (int i = 0; i < count; i++) {
        // What has no room is left out; the pill beside the pointer has it.
        const float end = write_value(nullptr, values[i], x, at.y, em);
        if (end > at.x + room) return;
        write_value(ImGui::GetWindowDrawList(), values[i], x, at.y, em);
        report_place(values[i].name, ImVec2(x, at.y), ImVec2(end - x, em));
        x = end + 1.1f * em;
    }
}

// ---- The pill -----------------------------------------------------------------------------------

void pill(ImDrawList *draw, ImVec2 at, ImVec2 size, float em) {
    const ImVec2 end(at.x + size.x, at.y + size.y);
    draw->AddRectFilled(at, end, PILL, 0.35f * em);
    draw->AddRect(at, end, PILL_EDGE, 0.35f * em);
}

// Beside the mouse, on whichever side has room; what stands above it leaves the place below to the plot of the costs.
static ImVec2 beside_mouse(ImVec2 size, bool above, ImVec2 area, float em) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float gap = 1.3f * em;
    ImVec2 at(mouse.x + gap, above ? mouse.y - gap - size.y : mouse.y + gap);
    if (at.x + size.x > area.x) at.x = mouse.x - gap - size.x;
    if (at.y + size.y > area.y) at.y = mouse.y - gap - size.y;
    if (at.y < 0 && !above) at.y = fmaxf(0, area.y - size.y);
    return ImVec2(floorf(fmaxf(at.x, 0)), floorf(fmaxf(at.y, 0)));
}

void reading_pill(const panel_reading *r, bool above, ImVec2 area, float em) {
    panel_value values[PANEL_MAX_VALUES];
    const int count = panel_read(r, values);
    int columns = 1;
    for (int i = 0; i < count; i++) columns = *values[i].text[1] ? 2 : columns;
    if (!count) return;
    begin_text(SMALL_TEXT);
    column numbers[2] = {{0, 0}, {0, 0}};
    float names = 0, units = 0;
    for (int i = 0; i < count; i++) {
        names = fmaxf(names, width_of(values[i].name));
        units = fmaxf(units, width_of(values[i].unit));
        for (int k = 0; k < columns; k++) {
            widen(numbers[k], values[i].widest);
            widen(numbers[k], values[i].text[k]);
        }
    }
    const float line = 1.12f * ImGui::GetFontSize(), margin = 0.5f * em, gap = 0.6f * em;
    float width = names + units + 2 * margin + gap / 2;
    for (int k = 0; k < columns; k++) width += gap + numbers[k].before + numbers[k].after;
    const ImVec2 size(width, (float)(count + columns - 1) * line + 2 * margin),
        at = beside_mouse(size, above, area, em);
    ImDrawList *draw = ImGui::GetForegroundDrawList();
    pill(draw, at, size, em);
    report_place("readings", at, size);
    ImVec2 next(at.x + margin, at.y + margin);
    for (int i = 1 - columns; i < count; i++, next.y += line) { // the first line names A and B
        if (i >= 0) draw->AddText(next, DIM, values[i].name);
        float x = next.x + names + gap;
        for (int k = 0; k < columns; k++) {
            const char *text = i < 0 ? k ? "B" : "A" : !k && !*values[i].text[k] ? "–" : values[i].text[k];
            write_number(draw, numbers[k], text, ImVec2(x, next.y), i < 0 ? DIM : values[i].is_error[k] ? ALARM : TEXT);
            x += numbers[k].before + numbers[k].after + gap;
        }
        if (i >= 0) draw->AddText(ImVec2(x - gap / 2, next.y), DIM, values[i].unit);
    }
    end_text();
}
