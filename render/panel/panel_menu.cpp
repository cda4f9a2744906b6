// The menu of a view, by the right mouse button: what can be done where the mouse was.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
#include <stdio.h>

static const float CLICK = 4; // points: a button let go within this distance has clicked

// The kinds that the view may show.
static void kinds(view_settings *view, int which, unsigned lacking) {
    char title[32];
    for (int kind = 0; kind < VIEW_KIND_COUNT; kind++) {
        if (view_kind_needs(kind) & lacking) continue;
        if (ImGui::MenuItem(capital(view_kind_name(kind), title, sizeof title), nullptr, kind == view->kinds[which]))
            view->kinds[which] = kind;
        report_place(title);
    }
}

// `at`: where the menu was opened.
static void item(panel *p, const char *name, input_action action, const panel::view_menu &at) {
    if (ImGui::MenuItem(name, has_keys(p, action) ? keys_of(p, action) : nullptr)) push(p, action, at.x, at.y);
    report_place(name);
}

// The menu opens where the right button is let go without having moved, which moves the cloud.
void view_menu_of(panel *p, view_settings *view, unsigned lacking, const view_rect &area, const panel_reading *reading,
                  int x, int y) {
    panel::view_menu *menu = &p->menu;
    const ImGuiIO &io = ImGui::GetIO();
    if (ImGui::IsMouseReleased(1) && !io.WantCaptureMouse && io.MouseDragMaxDistanceSqr[1] < CLICK * CLICK && x >= 0) {
        menu->x = x;
        menu->y = y;
        menu->view = view_find(view, area, menu->x, menu->y);
        panel_describe(reading, menu->value, sizeof menu->value);
        if (menu->view >= 0) ImGui::OpenPopup("view menu");
    }
    if (!ImGui::BeginPopup("view menu")) return;
    enter_layer("view menu");
    if (*menu->value) {
        coloured(DIM, menu->value);
        ImGui::Separator();
        if (ImGui::MenuItem("Copy value")) ImGui::SetClipboardText(menu->value);
        report_place("Copy value");
        item(p, "Pin here", INPUT_PIN, *menu);
    }
    item(p, "Remove pins", INPUT_UNPIN, *menu);
    item(p, "Save snapshot", INPUT_SNAPSHOT, *menu);
    item(p, "Whole picture", INPUT_FIT, *menu);
    item(p, "One to one", INPUT_ONE_TO_ONE, *menu);
    item(p, "Full screen", INPUT_FULL_SCREEN, *menu);
    ImGui::Separator();
    kinds(view, menu->view, lacking);
    ImGui::EndPopup();
}
