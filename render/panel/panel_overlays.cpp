// What lies over the picture: a message, the list of keys.
#include "render/panel/panel_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ImGuiWindowFlags OVERLAY = FIXED | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize;

void message(const panel_message *m, ImVec2 bottom_left, float room, float em) {
    if (!m->text || !*m->text) return;
    const float margin = 0.8f * em;
    ImGui::SetNextWindowPos(ImVec2(bottom_left.x + margin, bottom_left.y - margin), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(room - 2 * margin, FLT_MAX));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("message", nullptr, OVERLAY);
    wrapped(m->is_error ? ALARM : TEXT, m->text, room - 5 * margin);
    report_place("message", ImGui::GetWindowPos(), ImGui::GetWindowSize());
    ImGui::End();
}

// A line of the list: a heading, or keys and what they do.
struct key_line {
    const char *keys, *help; // `help` NULL: `keys` is a heading
};

// The headings, above the binding of the action.
static const struct {
    input_action above;
    const char *heading;
} subjects[] = {{INPUT_PAUSE, "Playback"},  {INPUT_METHOD, "Matching"}, {INPUT_OPEN, "Input"},
                {INPUT_VIEW, "Views"},      {INPUT_FLY_AHEAD, "Cloud"}, {INPUT_PIN, "Measuring"},
                {INPUT_COMPARE, "A and B"}, {INPUT_CELL, "Rig"},        {INPUT_SNAPSHOT, "Program"}};

static const key_line mouse[] = {{"Mouse", nullptr},
                                 {"Wheel", "zoom at the pointer"},
                                 {"Drag", "move the picture"},
                                 {"Click", "pin or unpin a pixel"},
                                 {"Shift+drag", "measure a rectangle"},
                                 {"Double click", "full screen"},
                                 {"Drag", "cloud: turn; right button: move"},
                                 {"Right click", "a menu; on a control: its default"},
                                 {"Ctrl+click", "on a slider: type the value"}};

enum { KEY_LINES_MOST = INPUT_ACTION_COUNT + IM_ARRAYSIZE(subjects) + IM_ARRAYSIZE(mouse) + 4 };

// A heading stands above the first of its bindings that has keys.
static int list_keys(const panel *p, key_line lines[KEY_LINES_MOST]) {
    const char *heading = nullptr;
    int count = 0;
    for (int i = 0; i < input_binding_count; i++) {
        for (const auto &subject : subjects)
            if (subject.above == input_bindings[i].action) heading = subject.heading;
        if (!has_keys(p, input_bindings[i].action)) continue;
        if (heading) lines[count++] = {heading, nullptr};
        heading = nullptr;
        lines[count++] = {keys_of(p, input_bindings[i].action), input_bindings[i].help};
    }
    for (const key_line &line : mouse) lines[count++] = line;
    return count;
}

static void key_cells(const key_line &line) {
    ImGui::TableNextColumn();
    coloured(line.help ? CHOSEN : DIM, line.keys);
    ImGui::TableNextColumn();
    if (line.help) ImGui::TextUnformatted(line.help);
}

// Moves headings that would end a column of that many rows to the next one. Returns how many lines there are then.
static int keep_headings(key_line lines[KEY_LINES_MOST], int count, int rows) {
    for (int i = rows - 1; i < count && count < KEY_LINES_MOST; i += rows) {
        if (lines[i].help || !*lines[i].keys) continue;
        memmove(lines + i + 1, lines + i, sizeof *lines * (size_t)(count - i));
        lines[i] = {"", nullptr};
        count++;
    }
    return count;
}

// The width of a column of the list: keys, what they do, and the room around both.
static float width_of(const key_line *lines, int count, float em) {
    float keys = 0, help = 0;
    for (int i = 0; i < count; i++) {
        keys = fmaxf(keys, ImGui::CalcTextSize(lines[i].keys).x);
        if (lines[i].help) help = fmaxf(help, ImGui::CalcTextSize(lines[i].help).x);
    }
    return keys + help + 2.4f * em;
}

void key_list(const panel *p, bool *shown, ImVec2 area, ImVec2 window, float em) {
    if (!*shown) return;
    key_line lines[KEY_LINES_MOST];
    const int count = list_keys(p, lines);
    // In as many columns, read downwards, as make the words largest: in a small window they are smaller, so that all of
    // them are seen.
    const float space = 0.15f * em, line = ImGui::GetTextLineHeight() + 2 * space;
    const float room = 0.98f * window.y - 3 * ImGui::GetFrameHeight(); // the title and the margins stay as they are
    const float width_of_column = width_of(lines, count, em);
    float fit = 0.1f; // even without any room, because ImGui takes no scale of 0
    int columns = 1;
    for (int i = 1; i <= 4; i++) {
        const float of_rows = room / ((float)((count + i - 1) / i) * line);
        const float fits = fminf(1, fminf(of_rows, (window.x - 2 * em) / ((float)i * width_of_column)));
        if (fits > fit + 0.001f) columns = i;
        fit = fmaxf(fit, fits);
    }
    // Over the panel too where the picture alone has no room for it.
    const float width = area.x > (float)columns * width_of_column * fit + 2 * em ? area.x : window.x;
    ImGui::SetNextWindowPos(ImVec2(width / 2, window.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), window);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin("Keys and mouse", shown,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoScrollbar);
    enter_layer("keys");
    report_place("keys", ImGui::GetWindowPos(), ImGui::GetWindowSize());
    ImGui::SetWindowFontScale(fit);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0.6f * fit * em, fit * space));
    int rows = (count + columns - 1) / columns;
    int total = keep_headings(lines, count, rows);
    if (total > columns * rows) total = keep_headings(lines, total, ++rows);
    if (ImGui::BeginTable("keys", 2 * columns, ImGuiTableFlags_SizingFixedFit)) {
        for (int i = 0; i < columns * rows; i++) {
            const int which = i / columns + i % columns * rows;
            key_cells(which < total ? lines[which] : key_line{"", nullptr});
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopStyleVar();
}
