// The panel, the playback bar, the legend and the overlays, made with Dear ImGui 1.86 or later.
//
// Sizes are in ImGui's units, "points": those of the window's coordinates, origin top left. `em` is the
// height of the text in them; all else is a multiple of it, which is what makes a dense screen come out right.
#include "render/panel.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

struct panel {
    window *of;
    ImGuiContext *context;
    float font_pixels;      // height of the font as it was rasterised
    const char *hovered;    // the control under the mouse, by its label, for tooltips that wait a little
    double hovered_since;   // seconds
    bool dragging_position; // then `position` is what the slider shows
    double position;
};

static const float FONT_HEIGHT = 15;     // points on a screen of plain density
static const float PANEL_WIDTH = 22;     // em
static const float LEGEND_WIDTH = 5;     // em
static const float REASONS_WIDTH = 11;   // em: the legend when it names the reasons
static const float BAR_HEIGHT = 4.7f;    // em
static const float LABEL_WIDTH = 8.6f;   // em
static const double TOOLTIP_DELAY = 0.4; // seconds

static const ImU32 TEXT = IM_COL32(222, 226, 232, 255), DIM = IM_COL32(140, 148, 160, 255);
static const ImU32 ACCENT = IM_COL32(255, 190, 92, 255), ALARM = IM_COL32(255, 110, 96, 255);

// ---- Making and freeing -------------------------------------------------------------------------

static void set_style(float scale) {
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 0;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.PopupRounding = style.FrameRounding = style.GrabRounding = 4;
    style.WindowPadding = ImVec2(12, 10);
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 6);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.CellPadding = ImVec2(6, 2);
    style.GrabMinSize = 12;
    style.ScrollbarSize = 11;
    style.ScaleAllSizes(scale);

    struct {
        ImGuiCol which;
        ImU32 colour;
    } const colours[] = {
        {ImGuiCol_Text, TEXT},
        {ImGuiCol_TextDisabled, DIM},
        {ImGuiCol_WindowBg, IM_COL32(24, 26, 31, 255)},
        {ImGuiCol_PopupBg, IM_COL32(32, 35, 41, 250)},
        {ImGuiCol_Border, IM_COL32(60, 66, 76, 255)},
        {ImGuiCol_FrameBg, IM_COL32(43, 47, 55, 255)},
        {ImGuiCol_FrameBgHovered, IM_COL32(54, 59, 69, 255)},
        {ImGuiCol_FrameBgActive, IM_COL32(62, 68, 80, 255)},
        {ImGuiCol_SliderGrab, IM_COL32(96, 140, 200, 255)},
        {ImGuiCol_SliderGrabActive, IM_COL32(122, 170, 236, 255)},
        {ImGuiCol_CheckMark, IM_COL32(122, 170, 236, 255)},
        {ImGuiCol_Button, IM_COL32(48, 53, 62, 255)},
        {ImGuiCol_ButtonHovered, IM_COL32(66, 74, 88, 255)},
        {ImGuiCol_ButtonActive, IM_COL32(80, 94, 116, 255)},
        {ImGuiCol_Header, IM_COL32(36, 40, 47, 255)},
        {ImGuiCol_HeaderHovered, IM_COL32(50, 56, 66, 255)},
        {ImGuiCol_HeaderActive, IM_COL32(60, 68, 82, 255)},
        {ImGuiCol_TitleBgActive, IM_COL32(36, 40, 47, 255)},
    };
    for (const auto &c : colours) style.Colors[c.which] = ImGui::ColorConvertU32ToFloat4(c.colour);
}

// A readable font from where systems keep them; ImGui's own is a small bitmap.
static void load_font(float pixels) {
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
        FILE *file = fopen(font, "rb");
        if (!file) continue;
        fclose(file);
        if (atlas->AddFontFromFileTTF(font, pixels, nullptr, ranges)) return;
    }
    sv_log(SV_LOG_INFO, "the window's text is plain: no DejaVu, Noto or Liberation font was found; "
                        "on Debian and Ubuntu, fonts-dejavu-core has one");
    ImFontConfig config;
    config.SizePixels = pixels;
    atlas->AddFontDefault(&config);
}

// Framebuffer pixels for a point: 1 under X11, more where the system scales windows.
static ImVec2 pixels_per_point(const panel *p) {
    int width, height, pixels_x, pixels_y;
    glfwGetWindowSize(static_cast<GLFWwindow *>(window_handle(p->of)), &width, &height);
    window_size(p->of, &pixels_x, &pixels_y);
    if (width < 1 || height < 1 || pixels_x < 1 || pixels_y < 1) return ImVec2(1, 1);
    return ImVec2((float)pixels_x / width, (float)pixels_y / height);
}

extern "C" sv_status panel_create(panel **out, window *of, sv_error *error) {
    *out = nullptr;
    panel *p = static_cast<panel *>(calloc(1, sizeof *p));
    if (!p) return sv_fail(error, SV_FAILED, "out of memory for the panel");
    p->of = of;
    p->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(p->context);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // nothing of ours is written beside the user's files
    io.LogFilename = nullptr;
    const float ratio = pixels_per_point(p).x;
    p->font_pixels = roundf(FONT_HEIGHT * window_scale(of));
    load_font(p->font_pixels);
    io.FontGlobalScale = 1 / ratio;
    set_style(window_scale(of) / ratio);
    const bool on_window = ImGui_ImplGlfw_InitForOpenGL(static_cast<GLFWwindow *>(window_handle(of)), true);
    if (on_window && ImGui_ImplOpenGL3_Init("#version 330 core")) {
        *out = p;
        return SV_OK;
    }
    if (on_window) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(p->context);
    free(p);
    return sv_fail(error, SV_FAILED, "Dear ImGui cannot use this window and its OpenGL");
}

extern "C" void panel_destroy(panel *p) {
    if (!p) return;
    ImGui::SetCurrentContext(p->context);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(p->context);
    free(p);
}

extern "C" bool panel_has_mouse(const panel *p) {
    ImGui::SetCurrentContext(p->context);
    return ImGui::GetIO().WantCaptureMouse;
}

// ---- Where everything goes ----------------------------------------------------------------------

struct layout {
    ImVec2 size; // of the window
    float em;
    float panel_width, legend_width, bar_height;
    ImVec2 picture; // size of the picture's area, which begins at the top left
};

static bool legend_shown(const panel_state *s) { return s->view.legend && s->view.layout != VIEW_LEFT; }

static layout lay_out(const panel *p, const panel_state *s) {
    const ImVec2 ratio = pixels_per_point(p);
    int width, height;
    window_size(p->of, &width, &height);
    layout l;
    l.size = ImVec2(width / ratio.x, height / ratio.y);
    l.em = p->font_pixels / ratio.x;
    // A window that is too small for all gives the picture its half.
    l.panel_width = s->open ? fminf(PANEL_WIDTH * l.em, l.size.x / 2) : 0;
    const float legend = (s->view.colour.show_reasons ? REASONS_WIDTH : LEGEND_WIDTH) * l.em;
    l.legend_width = legend_shown(s) ? fminf(legend, (l.size.x - l.panel_width) / 2) : 0;
    l.bar_height = fminf(BAR_HEIGHT * l.em, l.size.y / 2);
    l.picture = ImVec2(l.size.x - l.panel_width - l.legend_width, l.size.y - l.bar_height);
    return l;
}

extern "C" view_rect panel_picture_area(const panel *p, const panel_state *s) {
    const layout l = lay_out(p, s);
    const ImVec2 ratio = pixels_per_point(p);
    int width, height;
    window_size(p->of, &width, &height);
    view_rect area = {0, 0, (int)roundf(l.picture.x * ratio.x), (int)roundf(l.picture.y * ratio.y)};
    area.y = height - area.height;
    return area;
}

static const ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                      ImGuiWindowFlags_NoBringToFrontOnFocus;

static void begin_fixed(const char *name, ImVec2 place, ImVec2 size, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos(place);
    ImGui::SetNextWindowSize(size);
    ImGui::Begin(name, nullptr, flags);
}

// ---- Controls -----------------------------------------------------------------------------------

static void coloured(ImU32 colour, const char *text) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

// The label of the control that follows, at the left of its row.
static void label(const char *text, ImU32 colour, float em) {
    ImGui::AlignTextToFramePadding();
    coloured(colour, text);
    ImGui::SameLine(LABEL_WIDTH * em);
    ImGui::SetNextItemWidth(-FLT_MIN);
}

// Shows `text` when the mouse has rested on the last item, which `name` stands for.
static void tooltip(panel *p, const char *name, const char *text) {
    if (!ImGui::IsItemHovered()) {
        if (p->hovered == name) p->hovered = nullptr;
        return;
    }
    if (p->hovered != name) p->hovered_since = ImGui::GetTime();
    p->hovered = name;
    if (ImGui::GetTime() - p->hovered_since < TOOLTIP_DELAY || ImGui::IsItemActive()) return;
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(text);
    ImGui::EndTooltip();
}

// A combo box of `count` names; true if another was chosen.
static bool choose(const char *id, int *value, int count, const char *(*name)(int)) {
    const int before = *value;
    if (ImGui::BeginCombo(id, name(*value))) {
        for (int i = 0; i < count; i++)
            if (ImGui::Selectable(name(i), i == *value)) *value = i;
        ImGui::EndCombo();
    }
    return *value != before;
}

static bool button(panel *p, const char *text, input_action action, float width) {
    const bool pressed = ImGui::Button(text, ImVec2(width, 0));
    if (pressed) window_push_action(p->of, action);
    return pressed;
}

static const char *short_unit(const char *unit) { return !strcmp(unit, "pixels") ? "px" : unit; }

// A printf format for the parameter's value, or the word that stands for it.
static void value_format(const sv_parameter *q, double value, char *format, size_t size) {
    if (q->min_word && value <= q->min) {
        snprintf(format, size, "%s", q->min_word);
        return;
    }
    const char *number = q->kind == SV_INTEGER ? "%d" : q->max - q->min > 100 ? "%.0f" : "%.2f";
    if (q->unit && !strcmp(q->unit, "percent"))
        snprintf(format, size, "%s %%%%", number);
    else
        snprintf(format, size, "%s %s", number, q->unit ? short_unit(q->unit) : "");
}

static void parameter_help(panel *p, const sv_params *params, const sv_parameter *q) {
    char range[96] = "", initial[32], text[512];
    sv_params defaults = sv_default_params(static_cast<sv_method>(params->method));
    if (q->kind == SV_INTEGER || q->kind == SV_REAL)
        snprintf(range, sizeof range, "%g to %g%s%s%s%s\n", q->min, q->max, q->unit ? " " : "", q->unit ? q->unit : "",
                 q->min_word ? ", smallest: " : "", q->min_word ? q->min_word : "");
    snprintf(text, sizeof text, "%s\n%sdefault %s (right click)\n--%s", q->help, range,
             sv_print(&defaults, q, initial, sizeof initial), q->name);
    tooltip(p, q->name, text);
}

static void parameter_control(panel *p, sv_params *params, const sv_parameter *q, float em) {
    const sv_params defaults = sv_default_params(static_cast<sv_method>(params->method));
    const double value = sv_get(params, q);
    char name[64], id[64], format[64];
    snprintf(name, sizeof name, "%s", q->name);
    for (char *c = name; *c; c++)
        if (*c == '-') *c = ' ';
    snprintf(id, sizeof id, "##%s", q->name);
    value_format(q, value, format, sizeof format);

    // What was changed stands out.
    label(name, value == sv_get(&defaults, q) ? TEXT : ACCENT, em);
    if (q->kind == SV_SWITCH) {
        bool on = value != 0;
        if (ImGui::Checkbox(id, &on)) sv_set(params, q, on);
    } else if (q->kind == SV_CHOICE) {
        char chosen[32];
        if (ImGui::BeginCombo(id, sv_print(params, q, chosen, sizeof chosen))) {
            for (int i = 0; i < SV_MAX_CHOICES && q->choices[i]; i++)
                if (ImGui::Selectable(q->choices[i], q->choice_values[i] == (int)value))
                    sv_set(params, q, q->choice_values[i]);
            ImGui::EndCombo();
        }
    } else if (q->kind == SV_INTEGER) {
        int whole = (int)value;
        if (ImGui::SliderInt(id, &whole, (int)q->min, (int)q->max, format, ImGuiSliderFlags_AlwaysClamp))
            sv_set(params, q, whole);
    } else {
        float real = (float)value;
        const bool wide = q->max - q->min > 1000;
        if (ImGui::SliderFloat(id, &real, (float)q->min, (float)q->max, format,
                               ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0)))
            sv_set(params, q, real);
    }
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) sv_reset(params, q);
    parameter_help(p, params, q);
}

// Both ends of the range in one control, which keeps them in order. Where there would be too many, the
// end that was not moved follows.
static void disparities_control(panel *p, sv_params *params, float em) {
    const sv_params defaults = sv_default_params(static_cast<sv_method>(params->method));
    int min = params->min_disparity, max = params->max_disparity;
    const bool changed = min != defaults.min_disparity || max != defaults.max_disparity;
    label("disparities", changed ? ACCENT : TEXT, em);
    if (ImGui::DragIntRange2("##disparities", &min, &max, 0.25f, SV_MIN_DISPARITY, SV_MAX_DISPARITY, "%d px", "%d px",
                             ImGuiSliderFlags_AlwaysClamp)) {
        const int most = SV_MAX_DISPARITIES - 1;
        if (max - min > most && min != params->min_disparity) max = min + most;
        if (max - min > most) min = max - most;
        sv_set(params, sv_find_parameter("min-disparity"), min);
        sv_set(params, sv_find_parameter("max-disparity"), max);
    }
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
        sv_reset(params, sv_find_parameter("min-disparity"));
        sv_reset(params, sv_find_parameter("max-disparity"));
    }
    tooltip(p, "disparities",
            "smallest and largest disparity that are searched, inclusive\n"
            "drag, or double click to type; right click: default\n--disparities MIN:MAX");
}

// How far the right side is moved in time, where that can be chosen.
static void offset_control(panel *p, panel_state *s, float em) {
    if (!s->movable) return;
    const int most = 100;
    int frames = (int)lround(s->offset);
    char format[32];
    snprintf(format, sizeof format, "%.4g frames", s->offset);
    label("right later", s->offset == 0 ? TEXT : ACCENT, em);
    if (ImGui::SliderInt("##offset", &frames, -most, most, format, ImGuiSliderFlags_AlwaysClamp)) s->offset = frames;
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) s->offset = 0;
    tooltip(p, "offset",
            "pairs each left picture with the right one that is this many frames later (o and O)\n"
            "right click: 0\n--offset N");
}

// ---- The panel ----------------------------------------------------------------------------------

static void matching(panel *p, panel_state *s, float em) {
    if (!ImGui::CollapsingHeader("Matching", ImGuiTreeNodeFlags_DefaultOpen)) return;
    int method = s->params.method;
    label("method", TEXT, em);
    if (choose("##method", &method, SV_METHOD_COUNT, sv_method_name))
        s->params = sv_with_method(s->params, static_cast<sv_method>(method));
    disparities_control(p, &s->params, em);
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *q = &sv_parameters[i];
        const bool end_of_range =
            q->offset == offsetof(sv_params, min_disparity) || q->offset == offsetof(sv_params, max_disparity);
        if (q->methods >> s->params.method & 1 && !end_of_range) parameter_control(p, &s->params, q, em);
    }
    offset_control(p, s, em);
    if (ImGui::Button("Defaults", ImVec2(-FLT_MIN, 0)))
        s->params = sv_default_params(static_cast<sv_method>(s->params.method));
}

static ImU32 entry(const uint8_t rgb[3]) { return IM_COL32(rgb[0], rgb[1], rgb[2], 255); }

static void display(panel *p, panel_state *s, float em) {
    if (!ImGui::CollapsingHeader("Display", ImGuiTreeNodeFlags_DefaultOpen)) return;
    colour_settings *c = &s->view.colour;
    label("view", TEXT, em);
    choose("##view", &s->view.layout, VIEW_LAYOUT_COUNT, view_layout_name);
    label("colours", TEXT, em);
    choose("##colours", &c->map, COLOUR_MAP_COUNT, colour_map_name);
    label("range", TEXT, em);
    choose("##range", &s->view.range, VIEW_RANGE_COUNT, view_range_name);
    tooltip(p, "range",
            "the disparities that the colours cover:\nsearched: the searched range\n"
            "automatic: the range found in the map\nfixed: as set here");
    if (s->view.range == VIEW_RANGE_FIXED) {
        label("", TEXT, em);
        ImGui::DragFloatRange2("##fixed", &c->min, &c->max, 0.25f, SV_MIN_DISPARITY, SV_MAX_DISPARITY, "%.1f px",
                               "%.1f px", ImGuiSliderFlags_AlwaysClamp);
    }
    float empty[3] = {c->empty[0] / 255.f, c->empty[1] / 255.f, c->empty[2] / 255.f};
    label("no disparity", TEXT, em);
    if (ImGui::ColorEdit3("##empty", empty, ImGuiColorEditFlags_DisplayHex))
        for (int i = 0; i < 3; i++) c->empty[i] = (uint8_t)lroundf(empty[i] * 255);
    label("show reasons", TEXT, em);
    ImGui::Checkbox("##reasons", &c->show_reasons);
    tooltip(p, "show reasons", "colour pixels without a disparity, or with a filled-in one, by their reason");
    label("legend", TEXT, em);
    ImGui::Checkbox("##legend", &s->view.legend);
    if (!s->rectification) return;
    label("in metres", TEXT, em);
    ImGui::Checkbox("##metres", &s->view.metres);
    tooltip(p, "metres", "show distances in the legend (z)");
}

static void alignment(const panel_state *s) {
    if (!s->alignment || !ImGui::CollapsingHeader("Alignment", ImGuiTreeNodeFlags_DefaultOpen)) return;
    ImGui::PushTextWrapPos(0);
    coloured(s->misaligned ? ALARM : TEXT, s->alignment);
    if (s->brightness) coloured(ALARM, s->brightness);
    ImGui::PopTextWrapPos();
}

static void side_panel(panel *p, panel_state *s, const layout &l) {
    char text[256];
    begin_fixed("panel", ImVec2(l.size.x - l.panel_width, 0), ImVec2(l.panel_width, l.size.y),
                FIXED & ~ImGuiWindowFlags_NoScrollbar);
    ImGui::TextUnformatted(s->source ? s->source : "stereoview");
    snprintf(text, sizeof text, "%d x %d on %s", s->width, s->height, s->device ? s->device : "?");
    coloured(DIM, text);
    ImGui::Spacing();
    matching(p, s, l.em);
    ImGui::Spacing();
    display(p, s, l.em);
    ImGui::Spacing();
    alignment(s);
    ImGui::Spacing();
    if (ImGui::CollapsingHeader("Actions", ImGuiTreeNodeFlags_DefaultOpen)) {
        const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
        button(p, "Snapshot", INPUT_SNAPSHOT, half);
        ImGui::SameLine();
        button(p, "Save settings", INPUT_SAVE_SETTINGS, half);
        button(p, "Statistics", INPUT_STATISTICS, half);
        ImGui::SameLine();
        button(p, "Keys", INPUT_HELP, half);
        button(p, "Full screen", INPUT_FULL_SCREEN, half);
        ImGui::SameLine();
        button(p, "Hide panel", INPUT_PANEL, half);
    }
    ImGui::End();
}

// ---- The bar under the picture ------------------------------------------------------------------

enum icon { PLAY, HALT, BACK, ON };

static bool icon_button(panel *p, const char *id, icon what, input_action action, float em) {
    const float height = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::Button(id, ImVec2(1.4f * height, height));
    ImDrawList *draw = ImGui::GetWindowDrawList();
    const float x = at.x + 0.7f * height, y = at.y + 0.5f * height, r = 0.36f * em, side = what == BACK ? -1.f : 1.f;
    if (what == HALT) {
        draw->AddRectFilled(ImVec2(x - r, y - r), ImVec2(x - 0.3f * r, y + r), TEXT);
        draw->AddRectFilled(ImVec2(x + 0.3f * r, y - r), ImVec2(x + r, y + r), TEXT);
    } else if (what == PLAY) {
        draw->AddTriangleFilled(ImVec2(x - 0.8f * r, y - r), ImVec2(x + r, y), ImVec2(x - 0.8f * r, y + r), TEXT);
    } else {
        draw->AddTriangleFilled(ImVec2(x - side * 0.9f * r, y - r), ImVec2(x + side * 0.5f * r, y),
                                ImVec2(x - side * 0.9f * r, y + r), TEXT);
        const float bar = x + side * 0.8f * r;
        draw->AddRectFilled(ImVec2(bar - 0.18f * r, y - r), ImVec2(bar + 0.18f * r, y + r), TEXT);
    }
    if (pressed) window_push_action(p->of, action);
    return pressed;
}

static void print_time(char *text, size_t size, double seconds) {
    const int minutes = (int)(seconds / 60);
    snprintf(text, size, "%d:%04.1f", minutes, seconds - 60 * minutes);
}

static void print_position(const panel_state *s, char *text, size_t size) {
    char at[32], of[32] = "";
    if (s->pictures || s->live) {
        if (s->frames > 0) snprintf(of, sizeof of, " / %lld", s->frames);
        snprintf(text, size, "frame %lld%s", s->frame, of);
        return;
    }
    print_time(at, sizeof at, s->position);
    if (s->duration > 0) print_time(of, sizeof of, s->duration);
    snprintf(text, size, "%s%s%s   frame %lld", at, *of ? " / " : "", of, s->frame);
}

static void position_slider(panel *p, panel_state *s, float width) {
    const double from = 0;
    double position = p->dragging_position ? p->position : s->position;
    ImGui::SetNextItemWidth(width);
    // While it is dragged it stays under the mouse, however long a seek takes.
    if (ImGui::SliderScalar("##position", ImGuiDataType_Double, &position, &from, &s->duration, "",
                            ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput)) {
        p->position = s->seek = s->pictures ? round(position) : position;
        window_push_action(p->of, INPUT_SEEK_TO);
    }
    if (ImGui::IsItemActivated()) p->position = position;
    p->dragging_position = ImGui::IsItemActive();
}

static void playback(panel *p, panel_state *s, const layout &l) {
    static const double speeds[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    char text[96];
    icon_button(p, "##pause", s->paused ? PLAY : HALT, INPUT_PAUSE, l.em);
    tooltip(p, "pause", s->paused ? "resume (Space)" : "pause (Space)");
    if (s->seekable) {
        ImGui::SameLine();
        icon_button(p, "##back", BACK, INPUT_STEP_BACK, l.em);
        tooltip(p, "back", "one frame back (,)");
    }
    if (!s->live) {
        ImGui::SameLine();
        icon_button(p, "##step", ON, INPUT_STEP, l.em);
        tooltip(p, "step", "one frame forward (.)");
    }
    ImGui::SameLine();
    print_position(s, text, sizeof text);
    const float after = ImGui::CalcTextSize(text).x + 4.6f * l.em + 2 * ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x - after;
    if (s->seekable && s->duration > 0 && room > 4 * l.em) {
        position_slider(p, s, room);
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    if (s->live) return;
    ImGui::SameLine();
    snprintf(text, sizeof text, "%gx", s->speed);
    ImGui::SetNextItemWidth(4.6f * l.em);
    if (ImGui::BeginCombo("##speed", text)) {
        for (double speed : speeds) {
            snprintf(text, sizeof text, "%gx", speed);
            if (ImGui::Selectable(text, speed == s->speed)) s->speed = speed;
        }
        ImGui::EndCombo();
    }
    tooltip(p, "speed", "speed ([ and ])");
}

// One line: how fast, by what, with which parameters; at the right, the pixel under the mouse.
static void status_line(const panel_state *s, float em) {
    char text[320], pixel[128] = "";
    const sv_params *q = &s->params;
    int used = snprintf(text, sizeof text, "%.0f fps shown, %.1f matched     %s on %s     rho %d", s->shown_rate,
                        s->matched_rate, sv_method_name(q->method), s->backend ? s->backend : "?", q->rho);
    const sv_parameter *tau = sv_find_parameter("tau");
    if (tau && tau->methods >> q->method & 1) used += snprintf(text + used, sizeof text - used, ", tau %d", q->tau);
    snprintf(text + used, sizeof text - used, ", disparities %d:%d px", q->min_disparity, q->max_disparity);

    if (const view_pixel *at = s->pixel) {
        char metres[32] = "";
        if (s->rectification && isfinite(sv_depth(s->rectification, at->disparity)))
            snprintf(metres, sizeof metres, ", %.3g m", sv_depth(s->rectification, at->disparity));
        if (isfinite(at->disparity))
            snprintf(pixel, sizeof pixel, "(%d, %d)  %.2f px%s%s%s", at->x, at->y, at->disparity, metres,
                     at->reason ? ", " : "", at->reason ? sv_reason_name(at->reason) : "");
        else
            snprintf(pixel, sizeof pixel, "(%d, %d)  none: %s", at->x, at->y, sv_reason_name(at->reason));
    }
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, right = *pixel ? ImGui::CalcTextSize(pixel).x : 0;
    ImGui::PushClipRect(from, ImVec2(from.x + width - right - (*pixel ? em : 0), from.y + 2 * em), true);
    coloured(DIM, text);
    if (s->misaligned) {
        ImGui::SameLine(0, 2 * em);
        coloured(ALARM, "the rows of the pictures are not aligned");
    }
    ImGui::PopClipRect();
    if (!*pixel) return;
    ImGui::SetCursorScreenPos(ImVec2(from.x + width - right, from.y));
    coloured(TEXT, pixel);
}

static void bar(panel *p, panel_state *s, const layout &l) {
    begin_fixed("bar", ImVec2(0, l.picture.y), ImVec2(l.size.x - l.panel_width, l.bar_height), FIXED);
    playback(p, s, l);
    status_line(s, l.em);
    ImGui::End();
}

// ---- The legend ---------------------------------------------------------------------------------

// The step of ticks that are 1, 2 or 5 times a power of ten apart, at most `most` of them.
static double tick_step(double range, int most) {
    const double least = range / most, power = pow(10, floor(log10(least)));
    const double factor = least / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

static void colour_bar(ImDrawList *draw, const colour_settings *c, ImVec2 place, ImVec2 size) {
    uint8_t table[COLOUR_ENTRIES][3];
    colour_table(c->map, table);
    for (int i = 0; i + 1 < COLOUR_ENTRIES; i++) {
        const float bottom = place.y + size.y * (1 - i / 255.f), top = place.y + size.y * (1 - (i + 1) / 255.f);
        const ImU32 below = entry(table[i]), above = entry(table[i + 1]);
        draw->AddRectFilledMultiColor(ImVec2(place.x, top), ImVec2(place.x + size.x, bottom), above, above, below,
                                      below);
    }
}

// A tick at the right of the bar, which begins at x.
static void tick(ImDrawList *draw, float x, float y, double value, float em) {
    char text[32];
    draw->AddLine(ImVec2(x, y), ImVec2(x + 0.35f * em, y), DIM);
    snprintf(text, sizeof text, "%g", value);
    draw->AddText(ImVec2(x + 0.55f * em, y - 0.5f * em), TEXT, text);
}

static void pixel_ticks(ImDrawList *draw, const colour_settings *c, ImVec2 place, ImVec2 size, float em) {
    const double range = (double)c->max - c->min;
    const int most = (int)fmaxf(2, size.y / (2.4f * em));
    const double step = tick_step(range, most);
    for (double value = ceil(c->min / step) * step; value <= c->max + 1e-6 * step; value += step) {
        const float y = place.y + size.y * (float)(1 - (value - c->min) / range);
        tick(draw, place.x + size.x, y, fabs(value) < 1e-6 * step ? 0 : value, em);
    }
}

// The bar is even in disparities; depths get closer to each other towards its lower, far end, until they do not fit.
static void metre_ticks(ImDrawList *draw, const colour_settings *c, const sv_rectification *r, ImVec2 place,
                        ImVec2 size, float em) {
    static const double factors[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    float last = place.y - FLT_MAX;
    for (double power = 1e-3; power < 1e5; power *= 10)
        for (double factor : factors) {
            const double metres = factor * power, d = r->focal * r->baseline / metres - r->doffs;
            const float y = place.y + size.y * (float)(1 - (d - c->min) / ((double)c->max - c->min));
            if (d > c->max || d < c->min || y < last + 2.4f * em) continue;
            tick(draw, place.x + size.x, y, metres, em);
            last = y;
        }
}

static void legend(const panel_state *s, const layout &l) {
    const colour_settings *c = &s->view.colour;
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const float em = l.em, left = l.picture.x + 0.8f * em, line = 1.6f * em;
    const float reasons = c->show_reasons ? line * (SV_REASON_COUNT + 0.5f) : 0;
    const ImVec2 place(left, 2.6f * em), size(1.1f * em, l.picture.y - reasons - 3.6f * em);
    if (size.y < 4 * em) return;
    const bool metres = s->view.metres && s->rectification;
    draw->AddText(ImVec2(left, 0.8f * em), DIM, metres ? "m" : "px");
    colour_bar(draw, c, place, size);
    if (c->max > c->min && metres) metre_ticks(draw, c, s->rectification, place, size, em);
    if (c->max > c->min && !metres) pixel_ticks(draw, c, place, size, em);
    if (!c->show_reasons) return;
    for (int i = SV_VALID + 1; i <= SV_REASON_COUNT; i++) { // the last line is for no reason at all
        const bool named = i < SV_REASON_COUNT;
        const float y = place.y + size.y + line * i;
        uint8_t rgb[3];
        memcpy(rgb, c->empty, sizeof rgb);
        if (named) colour_of_reason(i, rgb);
        draw->AddRectFilled(ImVec2(left, y), ImVec2(left + em, y + em), entry(rgb), 2);
        draw->AddRect(ImVec2(left, y), ImVec2(left + em, y + em), IM_COL32(90, 96, 108, 255), 2);
        draw->AddText(ImVec2(left + 1.5f * em, y), TEXT, named ? sv_reason_name(i) : "no disparity");
    }
}

// ---- Over the picture ---------------------------------------------------------------------------

static const ImGuiWindowFlags OVERLAY = FIXED | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize;

SV_PRINTF(2, 3) static void row(const char *name, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ImGui::TableNextColumn();
    coloured(DIM, name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text);
}

static void statistics(const panel_state *s, float em) {
    float total = 0;
    ImGui::SetNextWindowPos(ImVec2(0.8f * em, 0.8f * em));
    ImGui::SetNextWindowBgAlpha(0.82f);
    ImGui::Begin("statistics", nullptr, OVERLAY);
    if (ImGui::BeginTable("rows", 2, ImGuiTableFlags_SizingFixedFit)) {
        row("pictures", "%d x %d", s->width, s->height);
        row("frame", "%lld", s->frame);
        row("shown", "%.1f a second", s->shown_rate);
        row("matched", "%.1f a second", s->matched_rate);
        row("captured", "%.1f a second", s->captured_rate);
        row("latency", "%.1f ms", s->latency_ms);
        for (int i = 0; i < s->stage_count && i < PANEL_MAX_STAGES; i++) {
            total += s->stages[i].ms;
            row(s->stages[i].name, "%7.2f ms", s->stages[i].ms);
        }
        row("all stages", "%7.2f ms", total);
        row("method", "%s, rho %d, %d:%d px", sv_method_name(s->params.method), s->params.rho, s->params.min_disparity,
            s->params.max_disparity);
        row("backend", "%s", s->backend ? s->backend : "?");
        row("device", "%s", s->device ? s->device : "?");
        row("to OpenGL", "%s", s->interop ? "shared buffers" : "copied");
        row("colours", "%.1f to %.1f px", s->view.colour.min, s->view.colour.max);
        if (s->alignment_points) row("offset", "%.2f rows (%d points)", s->vertical_offset, s->alignment_points);
        if (s->live) row("skew", "%.2f ms (tolerance %.2f)", s->skew_ms, s->tolerance_ms);
        for (int i = 0; i < s->drop_count && i < PANEL_MAX_DROPS; i++)
            row(s->drops[i].cause, "%lld dropped", s->drops[i].count);
        ImGui::EndTable();
    }
    ImGui::End();
}

static void message(const panel_state *s, const layout &l) {
    const float margin = 0.8f * l.em;
    ImGui::SetNextWindowPos(ImVec2(margin, l.picture.y - margin), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(l.picture.x - 2 * margin, FLT_MAX));
    ImGui::SetNextWindowBgAlpha(0.9f);
    ImGui::Begin("message", nullptr, OVERLAY);
    ImGui::PushTextWrapPos(l.picture.x - 4 * margin);
    coloured(s->message_is_error ? ALARM : TEXT, s->message);
    ImGui::PopTextWrapPos();
    ImGui::End();
}

static void help(panel_state *s, const layout &l) {
    ImGui::SetNextWindowPos(ImVec2(l.picture.x / 2, l.picture.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(0.95f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
    ImGui::Begin("Keys", &s->help,
                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize);
    // Two columns of bindings, read downwards.
    int shown[64], count = 0;
    for (int i = 0; i < input_binding_count && count < 64; i++)
        if (input_bindings[i].help) shown[count++] = i;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0.6f * l.em, 0.15f * l.em));
    if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
        const int rows = (count + 1) / 2;
        for (int i = 0; i < 2 * rows; i++) {
            const int which = i / 2 + i % 2 * rows;
            if (which >= count) break;
            ImGui::TableNextColumn();
            coloured(ACCENT, input_bindings[shown[which]].label);
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(input_bindings[shown[which]].help);
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopStyleVar();
}

extern "C" void panel_draw(panel *p, panel_state *s) {
    const layout l = lay_out(p, s);
    if (l.size.x < 1 || l.size.y < 1) return;
    ImGui::SetCurrentContext(p->context);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    // ImGui itself closes popups by Esc only where keys move through the panel.
    if (window_take_escape(p->of)) ImGui::SetWindowFocus(nullptr);
    if (s->open) side_panel(p, s, l);
    bar(p, s, l);
    if (legend_shown(s)) legend(s, l);
    if (s->statistics) statistics(s, l.em);
    if (s->message && *s->message) message(s, l);
    if (s->help) help(s, l);
    window_mute_keys(p->of, ImGui::GetIO().WantTextInput,
                     ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
