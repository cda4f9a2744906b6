// The table of pins and rectangle, between the picture and the bar.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int LEAST_ROWS = 2, MOST_ROWS = 6; // beyond them it scrolls

float measures_height(const panel_measures *m, float em) {
    if (!m->shown) return 0;
    const int rows = m->count < LEAST_ROWS ? LEAST_ROWS : m->count > MOST_ROWS ? MOST_ROWS : m->count;
    return (3.4f + 1.75f * (float)(rows + 1)) * em;
}

// The column where a true distance is typed; the others only have text.
static bool is_known(int column) { return !strcmp(measure_column_name(column), "known m"); }

static bool has_cell(const panel_measures *m, int column) {
    char text[64];
    if (is_known(column)) return m->metres;
    for (int i = 0; i < m->count; i++)
        if (*measure_cell(&m->rows[i], column, text, sizeof text)) return true;
    return false;
}

static void copy(const panel_measures *m) {
    static const size_t size = 16 << 10;
    char *text = static_cast<char *>(malloc(size));
    if (!text) return;
    ImGui::SetClipboardText(measure_print_table(m->rows, m->count, '\t', text, size));
    free(text);
    sv_log(SV_LOG_INFO, "copied the table to the clipboard");
}

static void buttons(panel *p, panel_measures *m) {
    ImGui::AlignTextToFramePadding();
    coloured(DIM, "Measurements");
    ImGui::SameLine();
    if (plain_button("Copy", 0, ICON_COPY)) copy(m);
    tooltip(p, "copy table", "copy the table to the clipboard, with tabs between the columns");
    ImGui::SameLine();
    button(p, "Save CSV", INPUT_SAVE_MEASURES, 0, ICON_SAVE);
    tooltip(p, "save table", "write the table to a file in the folder of the snapshots", INPUT_SAVE_MEASURES);
    ImGui::SameLine();
    button(p, "Clear", INPUT_UNPIN, 0, ICON_RESET);
    tooltip(p, "clear", "remove pins and rectangle", INPUT_UNPIN);
    ImGui::SameLine();
    button(p, "Close##measures", INPUT_MEASURES, 0, ICON_CLOSE);
    tooltip(p, "close measurements", "hide the table", INPUT_MEASURES);
}

// The field for the true distance of a row.
static void known_cell(panel_measures *m, int row, float em) {
    double distance = isfinite(m->rows[row].known) ? m->rows[row].known : 0;
    char id[32];
    snprintf(id, sizeof id, "##known %d", row);
    ImGui::SetNextItemWidth(4.6f * em);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.3f * em, 0));
    ImGui::InputDouble(id, &distance, 0, 0, distance > 0 ? "%.4f" : "", ImGuiInputTextFlags_CharsDecimal);
    ImGui::PopStyleVar();
    snprintf(id, sizeof id, "known %d", row + 1);
    report_place(id);
    if (!ImGui::IsItemDeactivatedAfterEdit()) return;
    m->typed = true;
    m->typed_row = row;
    m->distance = distance;
}

// Numbers and their names end where their column ends.
static void to_the_right(const char *text) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
}

static void cells(panel_measures *m, int row, const int *shown, int count, float em) {
    ImGui::TableNextRow();
    for (int i = 0; i < count; i++) {
        char text[64], written[72];
        ImGui::TableNextColumn();
        if (is_known(shown[i])) {
            known_cell(m, row, em);
            continue;
        }
        measure_cell(&m->rows[row], shown[i], text, sizeof text);
        minus_signs(text, written, sizeof written);
        if (i) to_the_right(written);
        coloured(TEXT, written);
    }
}

static void table(panel_measures *m, float em) {
    int shown[MEASURE_COLUMNS], count = 0;
    for (int i = 0; i < MEASURE_COLUMNS; i++)
        if (has_cell(m, i)) shown[count++] = i;
    if (!ImGui::BeginTable("measures", count,
                           ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                               ImGuiTableFlags_RowBg))
        return;
    ImGui::TableSetupScrollFreeze(1, 1);
    for (int i = 0; i < count; i++) ImGui::TableSetupColumn(measure_column_name(shown[i]));
    ImGui::TableNextRow();
    for (int i = 0; i < count; i++) {
        char name[32];
        ImGui::TableNextColumn();
        const char *column = measure_column_name(shown[i]);
        if (column[1]) column = capital(column, name, sizeof name); // x and y are not X and Y
        if (i) to_the_right(column);
        coloured(DIM, column);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", measure_column_help(shown[i]));
    }
    for (int row = 0; row < m->count; row++) cells(m, row, shown, count, em);
    ImGui::EndTable();
}

void measures_table(panel *p, panel_measures *m, place of, float em) {
    m->typed = false;
    if (!m->shown) return;
    begin_fixed("measures", of.at, of.size, FIXED);
    buttons(p, m);
    begin_text(SMALL_TEXT);
    if (m->count)
        table(m, em);
    else
        wrapped(DIM, "Click to pin a pixel of the map; drag with Shift to measure a rectangle.");
    end_text();
    ImGui::End();
}
