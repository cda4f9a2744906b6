// The list of the messages that were shown, the newest first.
#include "render/panel/panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float WIDTH = 44, HEIGHT = 22; // em

static void one(panel *p, panel_opening *o, const panel_noted *line, int i) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    coloured(DIM, line->time);
    ImGui::TableNextColumn();
    wrapped(line->level == SV_LOG_ERROR ? ALARM : line->level == SV_LOG_WARNING ? ACCENT : TEXT, line->text);
    if (!line->file) return;
    const char *end = strrchr(line->file, '/');
    char folder[1024], name[40];
    snprintf(folder, sizeof folder, "%.*s", end ? (int)(end + 1 - line->file) : 2, end ? line->file : "./");
    wrapped(DIM, folder);
    snprintf(name, sizeof name, "Show folder##%d", i);
    if (plain_button(name, 0, ICON_OPEN)) open_at(p, o, folder);
    ImGui::SameLine();
    snprintf(name, sizeof name, "Copy name##%d", i);
    if (plain_button(name, 0, ICON_COPY)) ImGui::SetClipboardText(line->file);
}

bool has_messages(const panel_messages *m) { return m->shown; }

void message_list(panel *p, panel_messages *m, panel_opening *o, ImVec2 area, float em) {
    if (!m->shown) return;
    begin_box("Messages", ImVec2(area.x / 2, area.y / 2), ImVec2(0.5f, 0.5f), fminf(WIDTH * em, area.x));
    if (!m->count) coloured(DIM, "No messages yet.");
    const float height = fminf(HEIGHT * em, area.y - 6 * em);
    if (m->count && ImGui::BeginTable("lines", 2, ImGuiTableFlags_ScrollY, ImVec2(0, height))) {
        ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed);
        ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
        for (int i = 0; i < m->count; i++) {
            const int at = (m->newest + PANEL_MOST_MESSAGES - i) % PANEL_MOST_MESSAGES;
            one(p, o, &m->lines[at], at);
        }
        ImGui::EndTable();
    }
    button(p, "Close##messages", INPUT_MESSAGES, 0, ICON_CLOSE);
    end_box();
}
