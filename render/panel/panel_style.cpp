// The look of the panel: colours, distances and font.
#include "render/panel/panel_style.h"

#include "render/panel/panel_state.h"

extern "C" {
#include "stereo/whole.h"
}

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
    {ImGuiCol_PopupBg, {IM_COL32(32, 35, 41, 250), IM_COL32(250, 251, 252, 250)}},
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
    {ImGuiCol_TitleBgActive, {IM_COL32(36, 40, 47, 255), IM_COL32(222, 226, 232, 255)}},
};

static int current; // panel_theme

ImU32 themed(ImU32 colour) {
    if (current == PANEL_DARK) return colour;
    switch (colour) {
    case TEXT: return colours[0].of[PANEL_LIGHT];
    case DIM: return colours[1].of[PANEL_LIGHT];
    case ACCENT: return IM_COL32(150, 84, 0, 255);
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
    style.WindowPadding = ImVec2(12, 10);
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 4);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.CellPadding = ImVec2(6, 2);
    style.GrabMinSize = 12;
    style.ScrollbarSize = 11;
    style.ScaleAllSizes(scale);
    for (const auto &c : colours) style.Colors[c.which] = ImGui::ColorConvertU32ToFloat4(c.of[theme]);
}

void load_font(float pixels) {
    static const char *const fonts[] = {
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
        "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    };
    // Latin, Greek and Cyrillic, for the names of files.
    static const ImWchar ranges[] = {0x20, 0x17f, 0x370, 0x52f, 0x2010, 0x2026, 0};
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    for (const char *font : fonts) {
        // Read here, because ImGui ends the program if it cannot open the file.
        const size_t most = 16 << 20;
        size_t size;
        char *file = sv_read_whole(font, most, &size);
        void *copy = file ? IM_ALLOC(size) : nullptr; // which the atlas frees
        if (copy) memcpy(copy, file, size);
        free(file);
        if (copy && atlas->AddFontFromMemoryTTF(copy, (int)size, pixels, nullptr, ranges)) return;
    }
    sv_log(SV_LOG_INFO, "the window's text is plain: no DejaVu, Noto or Liberation font was found; "
                        "on Debian and Ubuntu, fonts-dejavu-core has one");
    ImFontConfig config;
    config.SizePixels = pixels;
    atlas->AddFontDefault(&config);
}
