// The look of the panel: colours, distances, fonts, and how text and windows are drawn with them.
#include "render/panel/panel_style.h"

#include "render/panel/panel_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The colours of both themes, and of what ImGui draws with them.
static const struct {
    ImGuiCol which;
    ImU32 of[PANEL_THEME_COUNT];
} colours[] = {
    {ImGuiCol_Text, {TEXT, IM_COL32(28, 32, 38, 255)}},
    {ImGuiCol_TextDisabled, {DIM, IM_COL32(96, 104, 116, 255)}},
    {ImGuiCol_WindowBg, {IM_COL32(24, 26, 31, 255), IM_COL32(238, 240, 243, 255)}},
    {ImGuiCol_PopupBg, {IM_COL32(32, 35, 41, 255), IM_COL32(250, 251, 252, 255)}},
    {ImGuiCol_Border, {IM_COL32(60, 66, 76, 255), IM_COL32(176, 182, 192, 255)}},
    {ImGuiCol_FrameBg, {IM_COL32(43, 47, 55, 255), IM_COL32(216, 220, 227, 255)}},
    {ImGuiCol_FrameBgHovered, {IM_COL32(54, 59, 69, 255), IM_COL32(203, 209, 219, 255)}},
    {ImGuiCol_FrameBgActive, {IM_COL32(62, 68, 80, 255), IM_COL32(192, 200, 213, 255)}},
    {ImGuiCol_SliderGrab, {IM_COL32(96, 140, 200, 120), IM_COL32(70, 118, 190, 120)}},
    {ImGuiCol_SliderGrabActive, {IM_COL32(122, 170, 236, 150), IM_COL32(48, 100, 180, 150)}},
    {ImGuiCol_CheckMark, {IM_COL32(122, 170, 236, 255), IM_COL32(38, 92, 176, 255)}},
    {ImGuiCol_Button, {IM_COL32(48, 53, 62, 255), IM_COL32(208, 213, 222, 255)}},
    {ImGuiCol_ButtonHovered, {IM_COL32(66, 74, 88, 255), IM_COL32(190, 199, 213, 255)}},
    {ImGuiCol_ButtonActive, {IM_COL32(80, 94, 116, 255), IM_COL32(166, 182, 206, 255)}},
    {ImGuiCol_Header, {IM_COL32(36, 40, 47, 255), IM_COL32(222, 226, 232, 255)}},
    {ImGuiCol_HeaderHovered, {IM_COL32(50, 56, 66, 255), IM_COL32(206, 212, 222, 255)}},
    {ImGuiCol_HeaderActive, {IM_COL32(60, 68, 82, 255), IM_COL32(192, 200, 213, 255)}},
    {ImGuiCol_PlotHistogram, {IM_COL32(58, 88, 132, 255), IM_COL32(150, 182, 228, 255)}},
    {ImGuiCol_TitleBgActive, {IM_COL32(36, 40, 47, 255), IM_COL32(222, 226, 232, 255)}},
};

static int current; // panel_theme

ImU32 themed(ImU32 colour) {
    if (current == PANEL_DARK) return colour;
    switch (colour) {
    case TEXT: return colours[0].of[PANEL_LIGHT];
    case DIM: return colours[1].of[PANEL_LIGHT];
    case CHOSEN: return IM_COL32(28, 84, 168, 255);
    case ACCENT: return IM_COL32(150, 84, 0, 255);
    case GOOD: return IM_COL32(18, 112, 44, 255);
    case ALARM: return IM_COL32(186, 32, 20, 255);
    default: return colour;
    }
}

void set_style(int theme, float scale) {
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    current = theme;
    if (theme == PANEL_LIGHT)
        ImGui::StyleColorsLight();
    else
        ImGui::StyleColorsDark();
    style.WindowRounding = 0;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.PopupRounding = style.FrameRounding = style.GrabRounding = 4;
    style.WindowPadding = ImVec2(12, 6);
    style.FramePadding = ImVec2(8, 3);
    style.ItemSpacing = ImVec2(8, 3);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.CellPadding = ImVec2(6, 2);
    style.GrabMinSize = 12;
    style.ScrollbarSize = 11;
    style.ScaleAllSizes(scale);
    for (const auto &c : colours) style.Colors[c.which] = ImGui::ColorConvertU32ToFloat4(c.of[theme]);
}

// Fonts whose figures have one width, and how many of their pixels make an em: some are small for their size.
static const struct {
    const char *path;
    float height;
} fonts[] = {
    {"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf", 17 / 15.f},
    {"/usr/share/fonts/truetype/roboto/hinted/Roboto-Regular.ttf", 17 / 15.f},
    {"/usr/share/fonts/google-roboto/Roboto-Regular.ttf", 17 / 15.f},
    {"/usr/share/fonts/TTF/Roboto-Regular.ttf", 17 / 15.f},
    {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 1},
    {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", 1.2f},
    {"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", 1.1f},
    {"/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf", 1.1f},
    {"/usr/share/fonts/TTF/DejaVuSans.ttf", 1},
    {"/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", 1},
};
static const float sizes[TEXT_SIZE_COUNT] = {0.83f, 1, 1.5f};

// Adds the font in that size; false without the file.
static bool add_font(const char *path, float pixels) {
    // Latin with the signs ± × °, Greek and Cyrillic, for the names of files; dashes and dots.
    static const ImWchar ranges[] = {0x20, 0x17f, 0x370, 0x52f, 0x2010, 0x2026, 0x2212, 0x2212, 0};
    // Read here, because ImGui ends the program if it cannot open the file.
    const size_t most = 16 << 20;
    size_t size;
    char *file = sv_read_whole(path, most, &size);
    void *copy = file ? IM_ALLOC(size) : nullptr; // which the atlas frees
    if (copy) memcpy(copy, file, size);
    free(file);
    return copy && ImGui::GetIO().Fonts->AddFontFromMemoryTTF(copy, (int)size, pixels, nullptr, ranges);
}

void load_fonts(float em) {
    for (const auto &font : fonts) {
        int added = 0;
        for (float size : sizes) added += add_font(font.path, roundf(size * font.height * em));
        if (added == TEXT_SIZE_COUNT) return;
        ImGui::GetIO().Fonts->Clear();
    }
    sv_log(SV_LOG_INFO, "the window's text is plain: no Roboto, DejaVu, Noto or Liberation font was found; "
                        "on Debian and Ubuntu, fonts-roboto-unhinted has one");
    for (float size : sizes) {
        ImFontConfig config;
        config.SizePixels = roundf(size * em);
        ImGui::GetIO().Fonts->AddFontDefault(&config);
    }
}

void begin_text(text_size size) { ImGui::PushFont(ImGui::GetIO().Fonts->Fonts[size]); }

void end_text() { ImGui::PopFont(); }

// ---- Text ---------------------------------------------------------------------------------------

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

// ---- Windows ------------------------------------------------------------------------------------

// Fills a rectangle of the window with the background's colour, below all that ImGui draws.
static void fill(ImVec2 place, ImVec2 size) {
    const ImGuiIO &io = ImGui::GetIO();
    const ImVec2 scale = io.DisplayFramebufferScale;
    const ImVec4 colour = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    const int left = (int)floorf(place.x * scale.x), right = (int)ceilf((place.x + size.x) * scale.x);
    const int top = (int)floorf(place.y * scale.y), bottom = (int)ceilf((place.y + size.y) * scale.y);
    const int height = (int)roundf(io.DisplaySize.y * scale.y);
    gl_fill(left, height - bottom, right - left, bottom - top, colour.x, colour.y, colour.z);
}

void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags, bool over) {
    ImGui::SetNextWindowPos(place);
    ImGui::SetNextWindowSize(over ? ImVec2(ceilf(size.x), size.y + 1) : size); // ImGui rounds both down
    if (!over) fill(place, size);
    ImGui::Begin(name, nullptr, flags | (over ? 0 : ImGuiWindowFlags_NoBackground));
}

void begin_box(const char *name, ImVec2 place, ImVec2 pivot, float width) {
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
}

void end_box() {
    ImGui::End();
    ImGui::PopStyleVar();
}
