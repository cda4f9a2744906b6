// The strip above the views: a cell for each thing that can be wrong with the rig; a click opens the cell's pane.
#include "render/panel/panel_side_parts.h"

#include <math.h>
#include <stdio.h>

static const float PANE_WIDTH = 27, PLOT_HEIGHT = 5; // em

// ---- The cells ----------------------------------------------------------------------------------

// Their names for tests: other controls have the same words.
static char places[PANEL_MOST_CELLS][40];

static void cell(panel *p, panel_strip *s, int i, float width, float height, float em) {
    const panel_cell *c = &s->cells[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *draw = ImGui::GetWindowDrawList();
    char name[32], id[40], help[200], figure[48];
    snprintf(id, sizeof id, "##%s", c->name);
    if (ImGui::InvisibleButton(id, ImVec2(width - 1, height))) s->opened = s->opened == i ? -1 : i;
    if (s->opened == i || ImGui::IsItemHovered())
        draw->AddRectFilled(at, ImVec2(at.x + width - 1, at.y + height),
                            ImGui::GetColorU32(s->opened == i ? ImGuiCol_ButtonActive : ImGuiCol_ButtonHovered));
    const ImU32 colour = themed(colour_of_grade(c->grade));
    draw->AddRectFilled(ImVec2(at.x, at.y + height - 0.2f * em), ImVec2(at.x + width - 1, at.y + height), colour);
    begin_text(SMALL_TEXT);
    const float line = ImGui::GetTextLineHeight(), y = at.y + (height - 0.2f * em - line) / 2, gap = 0.35f * em;
    minus_signs(c->figure, figure, sizeof figure);
    const float room = width - 2 * gap - 1, of_figure = *figure ? ImGui::CalcTextSize(figure).x : 0;
    capital(c->name, name, sizeof name);
    const float with_figure = of_figure > 0 ? of_figure + gap : 0;
    if (ImGui::CalcTextSize(name).x + with_figure > room) capital(c->brief, name, sizeof name);
    const float of_name = ImGui::CalcTextSize(name).x;
    draw->AddText(ImVec2(at.x + gap, y), themed(c->grade == PANEL_UNKNOWN ? DIM : TEXT), name);
    if (of_figure > 0 && of_name + with_figure <= room)
        draw->AddText(ImVec2(at.x + width - 1 - gap - of_figure, y), colour, figure);
    end_text();
    snprintf(help, sizeof help, "%s\nclick: what it means, and how to fix it (%s)", c->finding, keys_of(p, INPUT_CELL));
    snprintf(places[i], sizeof places[i], "cell %s", c->name);
    if (s->opened == i) // its pane says so
        report_place(places[i], of_name);
    else
        tooltip(p, places[i], help, of_name);
}

bool has_strip(const panel_strip *s) { return s->count; }

bool has_pane(const panel_strip *s) { return s->opened >= 0 && s->opened < s->count; }

void strip(panel *p, panel_strip *s, place at, float em) {
    if (!s->count) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(1, 0));
    begin_fixed("strip", at.at, at.size, FIXED);
    float left = 0;
    for (int i = 0; i < s->count; i++) {
        const float right = floorf(at.size.x * (float)(i + 1) / (float)s->count);
        ImGui::SetCursorPos(ImVec2(left, 0));
        cell(p, s, i, right - left, at.size.y, em);
        left = right;
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

// ---- The pane of a cell -------------------------------------------------------------------------

// The figure over the last minutes, newest at the right.
static void plot(const panel_history *h, const char *unit, double now, float em) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, PLOT_HEIGHT * em);
    ImDrawList *draw = ImGui::GetWindowDrawList();
    float low = 0, high = 0;
    char text[48], shown[56];
    for (int i = 0; i < h->count; i++) {
        const float value = h->values[(h->first + i) % PANEL_HISTORY];
        low = fminf(low, value);
        high = fmaxf(high, value);
    }
    if (high - low < 1e-3f) high = low + 1;
    const double oldest = h->count ? h->at[h->first] : now, seconds = fmax(60, now - oldest);
    const auto place_of = [&](double when, float value) {
        return ImVec2(at.x + size.x * (float)(1 - (now - when) / seconds),
                      at.y + 0.3f * em + (size.y - 0.6f * em) * (high - value) / (high - low));
    };
    draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), ImGui::GetColorU32(ImGuiCol_FrameBg), 3);
    draw->AddLine(place_of(now - seconds, 0), place_of(now, 0), themed(DIM));
    ImVec2 last;
    for (int i = 0; i < h->count; i++) {
        const int k = (h->first + i) % PANEL_HISTORY;
        const ImVec2 here = place_of(h->at[k], h->values[k]);
        if (i && h->at[k] - h->at[(k + PANEL_HISTORY - 1) % PANEL_HISTORY] < 5)
            draw->AddLine(last, here, themed(CHOSEN), 0.12f * em);
        draw->AddRectFilled(ImVec2(here.x - 1, here.y - 1), ImVec2(here.x + 1, here.y + 1), themed(CHOSEN));
        last = here;
    }
    ImGui::Dummy(size);
    begin_text(SMALL_TEXT);
    low = roundf(100 * low) / 100;
    high = roundf(100 * high) / 100;
    if (h->count)
        snprintf(text, sizeof text, "%.4g to %.4g %s, the last %.0f %s", (double)low, (double)high, unit,
                 seconds < 100 ? seconds : seconds / 60, seconds < 100 ? "s" : "minutes");
    else
        snprintf(text, sizeof text, "not measured yet");
    coloured(DIM, minus_signs(text, shown, sizeof shown));
    end_text();
}

static void cures(panel *p, const panel_cell *c) {
    static const input_action actions[PANEL_CELL_CURES] = {INPUT_CURE, INPUT_CURE_OTHERWISE};
    for (int i = 0; i < PANEL_CELL_CURES; i++) {
        if (!c->cures[i]) continue;
        if (i) ImGui::SameLine();
        button(p, c->cures[i], actions[i], 0);
    }
}

void strip_pane(panel *p, panel_strip *s, const panel_rig *rig, panel_board_choice *choice, bool board, place under,
                float em) {
    if (!has_pane(s)) return;
    const panel_cell *c = &s->cells[s->opened];
    const float width = fminf(PANE_WIDTH * em, under.size.x);
    const float left = fminf(under.at.x + under.size.x / (float)s->count * (float)s->opened, under.size.x - width);
    char name[32];
    begin_box(capital(c->name, name, sizeof name), ImVec2(left, under.at.y + under.size.y), ImVec2(0, 0), width);
    wrapped(colour_of_grade(c->grade), c->finding);
    cures(p, c);
    if (c->aligns && !board) align_controls(p, rig, c->cures[0] != nullptr);
    if (c->calibrates && s->metres.shown) metres(p, &s->metres, em);
    if (c->calibrates) board_choice(p, choice, board, em);
    if (c->history) plot(c->history, c->unit, s->now, em);
    begin_text(SMALL_TEXT);
    wrapped(DIM, c->meaning);
    end_text();
    if (plain_button("Close##cell", 0, ICON_CLOSE)) s->opened = -1;
    tooltip(p, "close cell", "close this", INPUT_LEAVE);
    end_box();
}
