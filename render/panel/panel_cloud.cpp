// The point cloud: its controls, and the words in its picture.
#include "render/panel/panel_picture_parts.h"
#include "render/panel/panel_side_parts.h"

#include <math.h>
#include <stdio.h>

void cloud_controls(panel *p, view_settings *view, float em) {
    if (!view_shows(view, VIEW_CLOUD)) return;
    if (!ImGui::CollapsingHeader("Point cloud", ImGuiTreeNodeFlags_DefaultOpen)) return;
    cloud_settings *c = &view->cloud;
    label("coloured by", TEXT, em);
    choose("##cloud colours", &c->colours, CLOUD_COLOURS_COUNT, cloud_colours_name);
    tooltip(p, "coloured by", "the colour of the points");
    label("point size", TEXT, em);
    const float least = CLOUD_MIN_SIZE, most = CLOUD_MAX_SIZE;
    char number[32];
    slider(p, "##point size", ImGuiDataType_Float, &c->size, &least, &most, "%.2f", ImGuiSliderFlags_Logarithmic, em);
    snprintf(number, sizeof number, "%.2f", c->size);
    beside_slider(number, "", em);
    tooltip(p, "point size", "1: as large as its pixel is on a surface that faces the camera");
    label("grid", TEXT, em);
    ImGui::Checkbox("##grid", &c->grid);
    tooltip(p, "grid", "the grid, the axes (x red, y green, z blue) and the left camera");
    label("edges", TEXT, em);
    ImGui::Checkbox("##edges", &c->edges);
    tooltip(p, "edges", "also draw points at jumps of the disparity, which often hang between two surfaces");
    button(p, "Reset camera", INPUT_CLOUD_HOME, -1, ICON_RESET);
    char help[320];
    snprintf(help, sizeof help,
             "to the place of the left camera (%s)\nleft button: turn, right button or Shift: move, wheel: zoom\n"
             "fly ahead and back: %s, %s; to the sides: %s, %s; up and down: %s, %s",
             keys_of(p, INPUT_FIT), keys_of(p, INPUT_FLY_AHEAD), keys_of(p, INPUT_FLY_BACK), keys_of(p, INPUT_FLY_LEFT),
             keys_of(p, INPUT_FLY_RIGHT), keys_of(p, INPUT_FLY_UP), keys_of(p, INPUT_FLY_DOWN));
    tooltip(p, "Reset camera", help);
}

// The pills that are placed already.
struct pills {
    ImVec2 at[64], end[64];
    int count;
};

static bool overlaps(const pills &others, ImVec2 at, ImVec2 size) {
    for (int i = 0; i < others.count; i++)
        if (at.x < others.end[i].x && others.at[i].x < at.x + size.x && at.y < others.end[i].y &&
            others.at[i].y < at.y + size.y)
            return true;
    return false;
}

// The place nearest to the wanted one, above or below it, that no other pill covers.
static ImVec2 free_place(const pills &others, ImVec2 at, ImVec2 size, float top, float bottom) {
    for (int i = 0; i < 64; i++) {
        const float away = (float)((i + 1) / 2) * (size.y + 2) / 2 * (i % 2 ? 1.f : -1.f);
        const ImVec2 there(at.x, fmaxf(fminf(at.y + away, bottom - size.y), top));
        if (!overlaps(others, there, size)) return there;
    }
    return at;
}

// Breaks a text after commas and semicolons into lines of at most `room`, where possible. Returns how many.
enum { PILL_LINES = 6 };
static int break_lines(char *text, float room, const char *lines[PILL_LINES]) {
    int count = 1;
    char *last = nullptr; // where the line could end
    lines[0] = text;
    for (char *c = text; *c; c++) {
        if ((*c == ',' || *c == ';') && c[1] == ' ') {
            if (last && count < PILL_LINES && ImGui::CalcTextSize(lines[count - 1], c + 1).x > room) {
                *last = 0;
                lines[count++] = last + 1;
            }
            last = c + 1;
        }
    }
    if (last && count < PILL_LINES && ImGui::CalcTextSize(lines[count - 1]).x > room) {
        *last = 0;
        lines[count++] = last + 1;
    }
    return count;
}

// `from`, `to`: the corners of the view that it stays in.
static void word_on_pill(ImDrawList *draw, const view_word *w, ImVec2 at, ImVec2 from, ImVec2 to, pills &others) {
    const float margin = 0.3f * ImGui::GetFontSize(), line = ImGui::GetFontSize();
    const char *lines[PILL_LINES];
    char words[sizeof w->text], name[32];
    float width = 0;
    snprintf(words, sizeof words, "%s", w->text);
    const int count = break_lines(words, to.x - from.x - 2 * margin, lines);
    for (int i = 0; i < count; i++) width = fmaxf(width, ImGui::CalcTextSize(lines[i]).x);
    const ImVec2 size(width + 2 * margin, (float)count * line + margin);
    at.x = fmaxf(fminf(at.x, to.x - size.x), from.x);
    at = free_place(others, ImVec2(floorf(at.x), floorf(at.y)), size, from.y, to.y);
    if (others.count < IM_ARRAYSIZE(others.at)) {
        others.at[others.count] = at;
        others.end[others.count++] = ImVec2(at.x + size.x, at.y + size.y);
    }
    pill(draw, at, size, ImGui::GetFontSize());
    for (int i = 0; i < count; i++)
        draw->AddText(ImVec2(at.x + margin, at.y + margin / 2 + (float)i * line), TEXT, lines[i]);
    snprintf(name, sizeof name, "pill %d", others.count);
    report_place(name, at, size, width);
}

void words_in_picture(const view_word *words, int count, float height, float ratio) {
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    pills placed = {};
    for (int i = 0; i < count; i++) {
        const view_word *w = &words[i];
        if (!*w->text) continue;
        ImVec2 at(w->x / ratio, height - w->y / ratio - ImGui::GetFontSize());
        if (w->right > 0) at.x = fmaxf(w->left / ratio, fminf(at.x, w->right / ratio - ImGui::CalcTextSize(w->text).x));
        if (w->pill) {
            word_on_pill(draw, w, at, ImVec2(w->left / ratio, height - w->top / ratio),
                         ImVec2(w->right / ratio, height - w->bottom / ratio), placed);
            continue;
        }
        draw->AddText(ImVec2(at.x + 1, at.y + 1), IM_COL32(0, 0, 0, 255), w->text); // readable on any points
        draw->AddText(at, TEXT, w->text);
    }
}
