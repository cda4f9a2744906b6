// Text of the panel: in a colour of the theme, in lines, and with a capital.
#include "render/panel/panel_text.h"

#include "render/panel/panel_style.h"

#include <stdio.h>
#include <string.h>

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

const char *minus_signs(const char *text, char *buffer, size_t size) {
    size_t length = 0;
    for (const char *at = text; *at && length + 4 < size; at++) {
        const bool sign = *at == '-' && at[1] >= '0' && at[1] <= '9' && (at == text || strchr(" (:", at[-1]));
        if (sign)
            length += (size_t)snprintf(buffer + length, size - length, "−");
        else
            buffer[length++] = *at;
    }
    buffer[length] = 0;
    return buffer;
}

const char *capital(const char *text, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", text);
    if (*buffer >= 'a' && *buffer <= 'z') *buffer = (char)(*buffer - 'a' + 'A');
    return buffer;
}
