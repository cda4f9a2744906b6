// The panel as a whole: making it, where its parts lie, and drawing them. Made with Dear ImGui 1.86 or later.
#include "render/panel/panel_picture_parts.h"
#include "render/panel/panel_side_parts.h"

extern "C" {
#include "render/panel/panel.h"
}

#include "stereo/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>

static const float EM = 15;               // points on a screen of plain density
static const float LEGEND_WIDTH = 8;      // em
static const float STATISTICS_WIDTH = 19; // em
static const float BAR_HEIGHT = 4.7f;     // em
static const float STRIP_HEIGHT = 1.9f;   // em
static const float SEEK_HEIGHT = 1.8f;    // em: a line of the bar
static const float BAR_WIDTH = 52;        // em: has room for the position as a slider and as a number

// ---- Making and freeing -------------------------------------------------------------------------

// Framebuffer pixels for a point: 1 under X11, more where the system scales windows.
static ImVec2 pixels_per_point(const panel *p) {
    int width, height, pixels_x, pixels_y;
    glfwGetWindowSize(static_cast<GLFWwindow *>(window_handle(p->of)), &width, &height);
    window_size(p->of, &pixels_x, &pixels_y);
    if (width < 1 || height < 1 || pixels_x < 1 || pixels_y < 1) return ImVec2(1, 1);
    return ImVec2((float)pixels_x / width, (float)pixels_y / height);
}

sv_status panel_create(panel **out, window *of, sv_error *error) {
    *out = nullptr;
    panel *p = static_cast<panel *>(sv_alloc(1, sizeof *p));
    p->of = of;
    p->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(p->context);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // nothing of ours is written beside the user's files
    io.LogFilename = nullptr;
    io.UserData = p;
    const float ratio = pixels_per_point(p).x;
    p->em_pixels = roundf(EM * window_scale(of));
    load_fonts(p->em_pixels);
    io.FontGlobalScale = 1 / ratio;
    io.FontDefault = io.Fonts->Fonts[NORMAL_TEXT];
    p->style_scale = window_scale(of) / ratio;
    set_style(PANEL_DARK, p->style_scale);
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

void panel_destroy(panel *p) {
    if (!p) return;
    ImGui::SetCurrentContext(p->context);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    p->held.clear();
    ImGui::DestroyContext(p->context);
    free(p);
}

bool panel_has_mouse(const panel *p) {
    ImGui::SetCurrentContext(p->context);
    return ImGui::GetIO().WantCaptureMouse;
}

// Not by ImGui's WantCaptureMouse, which is of where the mouse was in the last frame.
bool panel_covers(const panel *p, int x, int y) {
    int width, height;
    window_size(p->of, &width, &height);
    const ImVec2 ratio = pixels_per_point(p), at((float)x / ratio.x, (float)(height - 1 - y) / ratio.y);
    ImGui::SetCurrentContext(p->context);
    const ImGuiContext *context = ImGui::GetCurrentContext();
    if (context->OpenPopupStack.Size) return true;
    for (const ImGuiWindow *w : context->Windows)
        if (w->Active && !w->Hidden && !(w->Flags & ImGuiWindowFlags_NoMouseInputs) && w->OuterRectClipped.Contains(at))
            return true;
    return false;
}

void panel_toggle(panel_state *s, input_action action) {
    panel_looks *looks = &s->looks;
    bool *of = action == INPUT_PANEL      ? &looks->open
               : action == INPUT_HELP     ? &looks->help
               : action == INPUT_READINGS ? &looks->readings
                                          : &looks->statistics;
    *of = !*of;
}

bool panel_close_help(panel_state *s) {
    const bool shown = s->looks.help;
    s->looks.help = false;
    return shown;
}

bool panel_shows_statistics(const panel_state *s) { return s->looks.statistics; }

// ---- Where everything goes ----------------------------------------------------------------------

// In points, the unit of the window's coordinates.
struct layout {
    ImVec2 size; // of the window
    float em;
    float panel_width, legend_width, statistics_width, bar_height;
    float table_height; // of measurements, below the picture
    bool seeks_above;   // the bar is so narrow that the slider of the position has a line of its own
    float top;          // height of the strip
    ImVec2 picture;     // size of the picture's area, which begins at the left below the strip
};

static bool legend_shown(const panel_state *s) { return s->view.legend && view_needs(&s->view) & VIEW_NEEDS_MAP; }

static layout lay_out(const panel *p, const panel_state *s) {
    const ImVec2 ratio = pixels_per_point(p);
    const panel_looks *looks = &s->looks;
    int width, height;
    window_size(p->of, &width, &height);
    layout l;
    l.size = ImVec2(width / ratio.x, height / ratio.y);
    l.em = p->em_pixels / ratio.x;
    // In a window that is too small for everything, each part gets at most half of what is left, so that the picture
    // keeps some.
    l.panel_width = looks->open ? fminf((float)looks->width * l.em, l.size.x / 2) : 0;
    l.legend_width = legend_shown(s) ? fminf(LEGEND_WIDTH * l.em, (l.size.x - l.panel_width) / 2) : 0;
    const float rest = l.size.x - l.panel_width - l.legend_width;
    l.statistics_width = looks->statistics && !s->empty ? fminf(STATISTICS_WIDTH * l.em, rest / 3) : 0;
    l.seeks_above = has_position_slider(&s->playback) && l.size.x - l.panel_width < BAR_WIDTH * l.em;
    l.top = has_strip(&s->strip) && !looks->full_screen ? floorf(fminf(STRIP_HEIGHT * l.em, l.size.y / 2)) : 0;
    l.bar_height = fminf((BAR_HEIGHT + (l.seeks_above ? SEEK_HEIGHT : 0)) * l.em, (l.size.y - l.top) / 2);
    const float above_bar = l.size.y - l.top - (looks->full_screen ? 0 : l.bar_height);
    l.table_height = fminf(measures_height(&s->measures, l.em), above_bar / 2);
    l.picture = ImVec2(rest - l.statistics_width, above_bar - l.table_height);
    return l;
}

view_rect panel_picture_area(const panel *p, const panel_state *s) {
    const layout l = lay_out(p, s);
    const ImVec2 ratio = pixels_per_point(p);
    int width, height;
    window_size(p->of, &width, &height);
    view_rect area = {0, 0, (int)roundf(l.picture.x * ratio.x), (int)roundf(l.picture.y * ratio.y)};
    area.y = height - area.height - (int)roundf(l.top * ratio.y);
    return area;
}

view_rect panel_snapshot_area(const panel *p, const panel_state *s) {
    view_rect area = panel_picture_area(p, s);
    area.width += (int)roundf(lay_out(p, s).legend_width * pixels_per_point(p).x);
    return area;
}

// ---- Drawing ------------------------------------------------------------------------------------

// Shows ImGui every key that was pressed, also one that was released before this frame; from 1.87 on it does so itself.
static void see_short_keys(panel *p) {
    for (int key = window_take_key(p->of); key >= 0; key = window_take_key(p->of)) {
#if IMGUI_VERSION_NUM < 18700
        if (key >= 0 && key < IM_ARRAYSIZE(ImGui::GetIO().KeysDown)) ImGui::GetIO().KeysDown[key] = true;
#endif
    }
}

// And releases those that are not held.
static void forget_short_keys(panel *p) {
#if IMGUI_VERSION_NUM < 18700
    GLFWwindow *glfw = static_cast<GLFWwindow *>(window_handle(p->of));
    for (int key = GLFW_KEY_SPACE; key <= GLFW_KEY_LAST; key++)
        if (ImGui::GetIO().KeysDown[key]) ImGui::GetIO().KeysDown[key] = glfwGetKey(glfw, key) == GLFW_PRESS;
#endif
    (void)p;
}

// Shows ImGui each press and release of the left button in a frame of its own, where the mouse was then; from 1.87 on
// it does so itself. `pressed`: as it was in the frame before.
static void see_short_clicks(panel *p, bool pressed) {
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO &io = ImGui::GetIO();
    double x, y;
    if (window_take_button(p->of, &x, &y, &pressed)) io.MousePos = ImVec2((float)x, (float)y);
    io.MouseDown[0] = pressed;
#endif
    (void)p, (void)pressed;
}

static void side_panel(panel *p, panel_state *s, const layout &l) {
    enter_layer("panel");
    const place side = {ImVec2(l.size.x - l.panel_width, l.top), ImVec2(l.panel_width, l.size.y - l.top)};
    side_begin(side, l.em, &s->looks.width);
    source_controls(p, &s->source, l.em);
    action_buttons(p);
    if (s->score) wrapped(TEXT, s->score);
    camera_controls(p, &s->controls, l.em);
    if (s->board) board_controls(p, s->board, &s->rig, l.em);
    // Until there is a result, nothing is matched that these would change.
    if (s->board && !has_result(s->board)) {
        side_end();
        return;
    }
    ImGui::Spacing();
    parameters(p, &s->params, &s->offset, &s->qualities, &s->compare, &s->view.compared, l.em);
    display_controls(p, &s->view, &s->looks.readings, s->metric, l.em);
    cloud_controls(p, &s->view, l.em);
    side_end();
}

static void bar(panel *p, panel_state *s, const layout &l) {
    enter_layer("bar");
    begin_fixed("bar", ImVec2(0, l.size.y - l.bar_height), ImVec2(l.size.x - l.panel_width, l.bar_height), FIXED,
                s->looks.full_screen);
    playback_controls(p, &s->playback, l.seeks_above, !s->looks.open, l.em);
    // While a board is looked for, its figures alone count.
    if (!s->board || has_result(s->board)) status_lines(&s->status, &s->reading, s->histogram, l.em);
    ImGui::End();
}

// All that belongs to an input.
static void around_picture(panel *p, panel_state *s, const layout &l) {
    const float ratio = pixels_per_point(p).x;
    if (s->looks.open) side_panel(p, s, l);
    if (!s->looks.full_screen || !s->looks.bar_hidden) bar(p, s, l);
    const ImVec2 above_table = ImVec2(l.picture.x, l.top + l.picture.y);
    const place table = {ImVec2(0, above_table.y), ImVec2(l.size.x - l.panel_width, l.table_height)};
    enter_layer("table");
    measures_table(p, &s->measures, table, l.em);
    enter_layer("picture");
    if (legend_shown(s)) legend(p, &s->view, s->metric, s->histogram, s->errors, s->pixel, l.picture, l.top, l.em);
    enter_layer("picture");
    words_in_picture(s->words, s->word_count, l.size.y, ratio);
    if (s->board) board_marks(s->board, l.size.y, l.em, ratio);
    if (s->board) board_guidance(s->board, ImVec2(0, l.top), l.picture, l.em);
    view_labels(p, &s->view, &s->cost_view, s->lacking, l.picture, panel_picture_area(p, s), l.top, l.em);
    const bool box = asks_for_input(&s->opening) || asks_for_settings(&s->settings) || asks_for_export(&s->exported) ||
                     s->looks.help || has_messages(&s->messages) || has_pane(&s->strip);
    if (!box) { // which they would cover
        const bool hidden = s->looks.full_screen && s->looks.bar_hidden;
        costs_plot(&s->costs, s->pixel, panel_truth(&s->reading), above_table, l.em);
        enter_layer("pointer");
        if (!s->board && (s->looks.readings || hidden))
            reading_pill(&s->reading, plots_costs(&s->costs), above_table, l.em);
    }
    enter_layer("statistics");
    if (s->looks.statistics)
        statistics(&s->figures, {ImVec2(l.picture.x + l.legend_width, l.top), ImVec2(l.statistics_width, l.picture.y)},
                   l.em);
    int x, y;
    if (!window_mouse(p->of, &x, &y)) x = y = -1;
    view_menu_of(p, &s->view, s->lacking, panel_picture_area(p, s), &s->reading, x, y);
}

// What is typed before a field has the keyboard waits for it: ImGui would forget it.
static void hand_over_typed(panel *p) {
    ImVector<ImWchar> &typed = ImGui::GetIO().InputQueueCharacters;
    if (!p->awaits && !p->held.Size) return;
    for (ImWchar character : typed) p->held.push_back(character);
    typed.resize(0);
    if (ImGui::GetIO().WantTextInput)
        typed.swap(p->held);
    else if (!p->awaits)
        p->held.clear();
}

static void hold_typed(panel *p) {
    const ImVector<ImWchar> &typed = ImGui::GetIO().InputQueueCharacters;
    for (int i = 0; i < typed.Size && p->awaits; i++)
        if (i >= typed.Size - window_characters(p->of)) p->held.push_back(typed[i]);
}

void panel_build(panel *p, panel_state *s) {
    const layout l = lay_out(p, s);
    p->is_built = l.size.x >= 1 && l.size.y >= 1;
    if (!p->is_built) return;
    ImGui::SetCurrentContext(p->context);
    if (s->looks.theme != p->theme) set_style(p->theme = s->looks.theme, p->style_scale);
    ImGui_ImplOpenGL3_NewFrame();
    const bool pressed = ImGui::GetIO().MouseDown[0];
    ImGui_ImplGlfw_NewFrame();
    see_short_keys(p);
    see_short_clicks(p, pressed);
    ImGui::NewFrame();
    places_begin(&p->places, "panel");
    hand_over_typed(p);
    p->awaits = false;
    // ImGui itself closes popups by Esc only where keys move through the panel.
    if (window_take_escape(p->of)) ImGui::SetWindowFocus(nullptr);
    if (!s->empty) around_picture(p, s, l);
    const ImVec2 box_area = s->empty ? l.size : l.picture;
    enter_layer("message"); // it lies over what else is in the picture, for some seconds
    message(&s->message, ImVec2(0, l.size.y - l.bar_height - l.table_height), l.picture.x, l.em);
    const place above = {ImVec2(0, 0), ImVec2(l.size.x, l.top)};
    enter_layer("strip");
    if (!s->empty && l.top > 0) strip(p, &s->strip, above, l.em);
    enter_layer("box");
    if (!s->empty) strip_pane(p, &s->strip, &s->rig, &s->board_choice, s->board, above, l.em);
    opening(p, &s->opening, s->empty, l.size, l.em);
    waiting_file(p, &s->opening, box_area, l.em);
    if (!s->empty) export_box(p, &s->exported, l.picture, l.em);
    if (!s->empty) settings(p, &s->settings, &s->qualities, &s->looks.theme, l.picture, l.em);
    message_list(p, &s->messages, &s->opening, box_area, l.em);
    key_list(p, &s->looks.help, l.picture, l.size, l.em);
    // In a control, Esc ends the typing of a value; in what is open above the picture, which begins in a field, it
    // closes that.
    // Not io.WantTextInput, which is of the frame before.
    const bool typing = p->awaits || ImGui::GetCurrentContext()->WantTextInputNextFrame > 0,
               in_box = asks_for_input(&s->opening) || asks_for_settings(&s->settings) || asks_for_export(&s->exported);
    const bool popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    window_mute_keys(p->of, typing,
                     popup               ? WINDOW_ESCAPE_TAKEN
                     : typing && !in_box ? WINDOW_ESCAPE_NOTHING
                                         : WINDOW_ESCAPE_ACTS);
    places_end(&p->places, l.size);
    hold_typed(p);
    ImGui::Render();
}

void panel_render(panel *p) {
    if (!p->is_built) return;
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    forget_short_keys(p);
}

static bool is_of_picture(const ImDrawList *list) {
    const char *owner = list->_OwnerName;
    return owner && (!strcmp(owner, "##Background") || !strncmp(owner, "view ", 5));
}

void panel_render_picture(panel *p) {
    if (!p->is_built) return;
    ImDrawData *data = ImGui::GetDrawData();
    std::vector<ImVector<ImDrawCmd>> kept((size_t)data->CmdListsCount); // of the lists that are left out
    for (int i = 0; i < data->CmdListsCount; i++)
        if (!is_of_picture(data->CmdLists[i])) data->CmdLists[i]->CmdBuffer.swap(kept[(size_t)i]);
    ImGui_ImplOpenGL3_RenderDrawData(data);
    // What has been drawn is left out by panel_render: it lets the picture shine through, but not twice.
    for (int i = 0; i < data->CmdListsCount; i++) data->CmdLists[i]->CmdBuffer.swap(kept[(size_t)i]);
}
