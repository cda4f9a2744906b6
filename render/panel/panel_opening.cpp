// The box that asks for another input: names to type, or to choose from a list of the folder, with small pictures of
// both sides; and the box of a dropped file that waits for its other side.
#include "render/panel/panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <GLFW/glfw3.h>

static const float WIDTH = 48, WAITING_WIDTH = 40; // em
static const float VIEWS_WIDTH = 15;               // em
static const float LEAST_LIST = 6, MOST_LIST = 20; // em: heights of the list
static const float OTHER_HEIGHT = 17.4f;           // em: of the box without the list
static const char *const FIELDS[] = {"left", "right", "calibration", "truth"};
static const char *const HINTS[] = {"video, picture, %06d pattern, folder, address, camera, settings",
                                    "the other side, unless the first holds both", "if there is one",
                                    "ground truth of the left picture, if it is known: .pfm, KITTI .png"};
static const char *const ORDERS[] = {"automatic order", "left first", "right first"};

// ---- What can be chosen -------------------------------------------------------------------------

enum choice_kind { RECENT, CAMERA, PARENT, ENTRY };
struct choice {
    choice_kind kind;
    int at; // in its list
};

// Writes the folder to list, as it is typed, and returns the beginning of a name in it.
static const char *typed_part(const panel_opening *o, const opening_box *box, char *folder, size_t size) {
    const char *begins = completion_split(o->names[box->field], folder, size);
    if (!*folder && box->field != PANEL_OPEN_LEFT) completion_split(o->names[PANEL_OPEN_LEFT], folder, size);
    if (!*folder) snprintf(folder, size, "%s", o->start);
    return begins;
}

static bool is_listed(const panel_opening *o, const char *folder) {
    return !strcmp(o->folder, folder) && !o->folder_text;
}

// Finds what fits what is typed, in the order of the list; everything while a selected name waits to be replaced.
static void find_choices(const panel_opening *o, const opening_box *box, const char *folder, const char *begins,
                         ImVector<choice> *choices) {
    const bool empty = box->whole || !*o->names[box->field];
    if (box->whole) begins = "";
    choices->resize(0);
    for (int i = 0; i < o->recent_count && empty && box->field == PANEL_OPEN_LEFT; i++) choices->push_back({RECENT, i});
    for (int i = 0; i < o->camera_count && empty && box->field <= PANEL_OPEN_RIGHT; i++)
        choices->push_back({CAMERA, i});
    if (!*begins && strcmp(folder, "/") != 0) choices->push_back({PARENT, 0});
    for (int i = 0; i < o->entry_count && is_listed(o, folder); i++)
        if (completion_fits(o->entries[i], begins)) choices->push_back({ENTRY, i});
}

// `whole`: what is in the field is selected, so that typing replaces it; otherwise the cursor goes to its end.
static void go_to(opening_box *box, int field, bool whole) {
    box->field = field;
    box->mark = -1;
    box->enters = true;
    box->whole = whole;
}

// Another left side is another input: what belonged to the open one is cleared.
static void forget_others(panel_opening *o, const opening_box *box) {
    if (box->field != PANEL_OPEN_LEFT || !box->whole || o->again) return;
    for (int i = PANEL_OPEN_RIGHT; i < PANEL_OPEN_FIELDS; i++) o->names[i][0] = 0;
}

static void open_names(panel *p, panel_opening *o, const char *left, const char *right) {
    if (left != o->names[0]) snprintf(o->names[0], PANEL_MAX_NAME, "%s", left);
    if (right != o->names[1]) snprintf(o->names[1], PANEL_MAX_NAME, "%s", right ? right : "");
    if (o->names[0][0]) push(p, INPUT_OPEN_NAMES);
}

// What a click on a choice does, or Enter.
static void take(panel *p, panel_opening *o, const choice &c, const char *folder) {
    char name[2 * PANEL_MAX_NAME] = "";
    const int next = p->opening.field == PANEL_OPEN_LEFT ? PANEL_OPEN_RIGHT : p->opening.field;
    switch (c.kind) {
    case RECENT: open_names(p, o, o->recent[c.at][0], o->recent[c.at][1]); return;
    case CAMERA: snprintf(name, sizeof name, "%s", o->cameras[c.at]); break;
    case PARENT: completion_parent(folder, name, sizeof name); break;
    case ENTRY: snprintf(name, sizeof name, "%s%s%s", folder, o->entries[c.at], c.at < o->folder_count ? "/" : "");
    }
    forget_others(o, &p->opening);
    if (strlen(name) < PANEL_MAX_NAME) memcpy(o->names[p->opening.field], name, strlen(name) + 1);
    const bool complete = c.kind == CAMERA || (c.kind == ENTRY && c.at >= o->folder_count);
    go_to(&p->opening, complete ? next : p->opening.field, complete);
}

// ---- The fields ---------------------------------------------------------------------------------

struct field_keys {
    panel *p;
    panel_opening *o;
    int choices; // how many the list has
    bool next;   // Tab leads to the next field
};

// Finds what Tab adds to what is typed, up to where it is ambiguous: `common` replaces the beginning of the name. False
// if there is nothing to add, where Tab leads to the next field.
static bool find_completion(const panel_opening *o, const opening_box *box, const char **begins, char *common,
                            size_t size) {
    char folder[PANEL_MAX_NAME];
    *begins = typed_part(o, box, folder, sizeof folder);
    if (!**begins || !is_listed(o, folder)) return false;
    for (int i = 0; i < o->entry_count; i++)
        if (!strcmp(o->entries[i], *begins)) return false;
    const int count = completion_common(o->entries, o->entry_count, *begins, common, size);
    for (int i = 0; i < o->folder_count && count == 1; i++)
        if (!strcmp(o->entries[i], common)) snprintf(common + strlen(common), size - strlen(common), "/");
    return count > 0 && strlen(common) >= strlen(*begins) && strcmp(common, *begins) != 0;
}

static void complete(ImGuiInputTextCallbackData *data, field_keys *keys) {
    char common[PANEL_MAX_NAME];
    const char *begins;
    keys->next = !find_completion(keys->o, &keys->p->opening, &begins, common, sizeof common);
    if (keys->next) return;
    const int typed = (int)strlen(begins);
    data->DeleteChars(data->BufTextLen - typed, typed);
    data->InsertChars(data->BufTextLen, common);
}

// Takes what was typed since the last frame. ImGui itself does so only after on_key, which needs it where Tab comes in
// the same frame.
static void take_typed(const ImGuiInputTextCallbackData *data, panel_opening *o, opening_box *box) {
    char *name = o->names[box->field];
    if (!strcmp(data->Buf, name)) return;
    snprintf(name, PANEL_MAX_NAME, "%s", data->Buf);
    box->mark = -1;
    forget_others(o, box);
    box->whole = false;
}

static int on_key(ImGuiInputTextCallbackData *data) {
    field_keys *keys = static_cast<field_keys *>(data->UserData);
    opening_box *box = &keys->p->opening;
    take_typed(data, keys->o, box);
    switch (data->EventFlag) {
    case ImGuiInputTextFlags_CallbackCompletion: complete(data, keys); break;
    case ImGuiInputTextFlags_CallbackHistory:
        box->mark += data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
        box->mark = box->mark < -1 ? -1 : box->mark < keys->choices ? box->mark : keys->choices - 1;
        box->moves = true;
        break;
    default: // ImGui selects what is in a field that it gives the keyboard to, unless it had it before
        if (!box->enters) break;
        data->CursorPos = data->SelectionEnd = data->BufTextLen;
        data->SelectionStart = box->whole ? 0 : data->BufTextLen;
        box->enters = false;
    }
    return 0;
}

// True if Enter was pressed in it.
static bool field(panel *p, panel_opening *o, int which, field_keys *keys, float em) {
    opening_box *box = &p->opening;
    char id[24];
    snprintf(id, sizeof id, "##%s", FIELDS[which]);
    label(FIELDS[which], TEXT, em);
    if (box->enters && box->field == which) give_keyboard(p);
    const bool entered =
        ImGui::InputTextWithHint(id, HINTS[which], o->names[which], PANEL_MAX_NAME,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                                     ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways,
                                 on_key, keys);
    const bool activated = ImGui::IsItemActivated();
    tooltip(p, FIELDS[which], HINTS[which]);
    if (activated) {
        sv_log(SV_LOG_DEBUG, "panel: keys go to %s", FIELDS[which]); // for tests
        if (box->field != which) box->mark = -1;
        box->field = which;
    }
    if (keys->next) {
        go_to(box, (which + 1) % PANEL_OPEN_FIELDS, true);
        if (box->field) ImGui::SetKeyboardFocusHere(); // at once: other keys may follow soon
        keys->next = false;
    }
    return entered;
}

// ---- The list -----------------------------------------------------------------------------------

static void choice_row(panel *p, panel_opening *o, const choice &c, int row, const char *folder, float em) {
    static const char *const kinds[] = {"recent", "camera", "folder above", "folder"};
    const bool is_folder = c.kind == ENTRY && c.at < o->folder_count;
    const char *kind = c.kind == ENTRY && !is_folder ? "" : kinds[c.kind];
    const char *text = c.kind == RECENT   ? o->recent_short[c.at]
                       : c.kind == CAMERA ? o->cameras[c.at]
                       : c.kind == PARENT ? ".."
                                          : o->entries[c.at];
    ImGui::PushID(row);
    const float right = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(kind).x;
    char shown[PANEL_MAX_NAME];
    panel_shorten(text, (int)(1.8f * right / em), shown, sizeof shown);
    if (entry(shown, row == p->opening.mark)) take(p, o, c, folder);
    if (c.kind == RECENT) {
        char whole[2 * PANEL_MAX_NAME + 2];
        snprintf(whole, sizeof whole, "%s%s%s", o->recent[c.at][0], o->recent[c.at][1] ? "\n" : "",
                 o->recent[c.at][1] ? o->recent[c.at][1] : "");
        tooltip(p, text, whole);
    }
    ImGui::SameLine(right - 0.2f * em);
    coloured(DIM, kind);
    ImGui::PopID();
}

static void list(panel *p, panel_opening *o, const ImVector<choice> &choices, const char *folder, ImVec2 size,
                 float em) {
    char shown[160];
    panel_shorten(folder, (int)(1.6f * size.x / em), shown, sizeof shown);
    ImGui::BeginGroup();
    coloured(DIM, shown);
    ImGui::BeginChild("list", ImVec2(size.x, size.y - ImGui::GetTextLineHeightWithSpacing()), true);
    if (o->folder_text) wrapped(DIM, o->folder_text);
    ImGuiListClipper clipper;
    clipper.Begin(choices.Size, ImGui::GetTextLineHeightWithSpacing());
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) choice_row(p, o, choices[i], i, folder, em);
    if (p->opening.moves) {
        const float line = ImGui::GetTextLineHeightWithSpacing();
        ImGui::SetScrollY(fmaxf(0, (float)p->opening.mark * line - ImGui::GetWindowHeight() / 2));
    }
    p->opening.moves = false;
    ImGui::EndChild();
    ImGui::EndGroup();
}

// ---- The pictures -------------------------------------------------------------------------------

static void upload(opening_box *box, const panel_opening *o) {
    if (box->version == o->version) return;
    box->version = o->version;
    for (int i = 0; i < 2; i++) {
        if (!o->views[i].data) continue;
        if (!box->textures[i]) {
            glGenTextures(1, &box->textures[i]);
            glBindTexture(GL_TEXTURE_2D, box->textures[i]);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
            gl_label(GL_TEXTURE, box->textures[i], "preview");
        }
        glBindTexture(GL_TEXTURE_2D, box->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, o->views[i].width, o->views[i].height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     o->views[i].data);
    }
}

// True if a function key was pressed: 2 is F2.
static bool function_key(int number) {
#if IMGUI_VERSION_NUM < 18700
    return ImGui::IsKeyPressed(GLFW_KEY_F1 + number - 1, false);
#else
    return ImGui::IsKeyPressed((ImGuiKey)(ImGuiKey_F1 + number - 1), false);
#endif
}

static const char *layout_of(const panel_opening *o, int layout) {
    return layout ? o->layout_name(layout - 1) : "automatic layout";
}

static void arrangement(panel_opening *o) {
    char text[48];
    if (function_key(2)) o->layout = (o->layout + 1) % (1 + o->layout_count);
    if (function_key(3)) o->order = (o->order + 1) % 3;
    snprintf(text, sizeof text, "%s (F2)", layout_of(o, o->layout));
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::BeginCombo("##layout", text)) {
        for (int i = 0; i <= o->layout_count; i++)
            if (entry(layout_of(o, i), i == o->layout)) o->layout = i;
        ImGui::EndCombo();
    }
    report_place("layout of both views");
    snprintf(text, sizeof text, "%s (F3)", ORDERS[o->order]);
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::BeginCombo("##order", text)) {
        for (int i = 0; i < 3; i++)
            if (entry(ORDERS[i], i == o->order)) o->order = i;
        ImGui::EndCombo();
    }
    report_place("order of the sides");
}

static void views(panel *p, panel_opening *o, ImVec2 size, float em) {
    static const char *const names[] = {"Left", "Right"};
    ImGui::BeginGroup();
    ImGui::BeginChild("views", size);
    upload(&p->opening, o);
    arrangement(o);
    const float text = 2 * ImGui::GetTextLineHeightWithSpacing();
    const float room =
        (ImGui::GetContentRegionAvail().y - text) / 2 - ImGui::GetTextLineHeightWithSpacing() - 0.4f * em;
    for (int i = 0; i < 2; i++) {
        if (!o->views[i].data) continue;
        const float width = fminf(size.x, fmaxf(1, room) * o->aspect);
        if (o->views[1].data) coloured(DIM, names[i]);
        ImGui::Image((ImTextureID)(intptr_t)p->opening.textures[i], ImVec2(width, width / o->aspect));
        report_place(i ? "right view" : "left view");
    }
    if (o->views_text) wrapped(DIM, o->views_text);
    ImGui::EndChild();
    ImGui::EndGroup();
}

// ---- The box ------------------------------------------------------------------------------------

static void box(panel *p, panel_opening *o, bool empty, ImVec2 area, float em) {
    opening_box *own = &p->opening;
    ImVector<choice> choices;
    const float width = fminf(WIDTH * em, area.x);
    const float height = fminf(MOST_LIST * em, fmaxf(LEAST_LIST * em, area.y - OTHER_HEIGHT * em));
    char folder[PANEL_MAX_NAME];
    bool entered = false;
    if (own->times != o->times || own->lists) go_to(own, PANEL_OPEN_LEFT, !own->lists);
    own->times = o->times;
    own->lists = false;
    find_choices(o, own, folder, typed_part(o, own, folder, sizeof folder), &choices);
    begin_box("Open", ImVec2(area.x / 2, area.y / 2), ImVec2(0.5f, 0.5f), width);
    wrapped(TEXT, "Type names, choose them below, or drop files onto the window.");
    field_keys keys = {p, o, choices.Size, false};
    for (int i = 0; i < PANEL_OPEN_FIELDS; i++) entered |= field(p, o, i, &keys, em);
    // Enter may come in the frame of what was typed before it.
    find_choices(o, own, folder, typed_part(o, own, folder, sizeof folder), &choices);
    if (entered && own->mark >= 0 && own->mark < choices.Size)
        take(p, o, choices[own->mark], folder);
    else if (entered)
        open_names(p, o, o->names[0], o->names[1]);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float list_width = ImGui::GetContentRegionAvail().x - VIEWS_WIDTH * em - spacing;
    typed_part(o, own, o->folder, sizeof o->folder);
    list(p, o, choices, folder, ImVec2(list_width, height), em);
    ImGui::SameLine();
    views(p, o, ImVec2(VIEWS_WIDTH * em, height), em);
    wrapped(DIM, "Tab completes or moves on; Up and Down choose; Enter takes the choice or opens.");
    if (plain_button("Open", 0)) open_names(p, o, o->names[0], o->names[1]);
    ImGui::SameLine();
    button(p, "Demo", INPUT_OPEN_DEMO, 0);
    if (!empty) {
        ImGui::SameLine();
        button(p, "Cancel", INPUT_OPEN, 0);
    }
    end_box();
}

void open_at(panel *p, panel_opening *o, const char *folder) {
    for (char *name : o->names) name[0] = 0;
    snprintf(o->names[PANEL_OPEN_LEFT], PANEL_MAX_NAME, "%s", folder);
    p->opening.lists = true;
    push(p, INPUT_MESSAGES);
    if (!o->shown) push(p, INPUT_OPEN);
}

bool asks_for_input(const panel_opening *o) { return o->shown; }

void opening(panel *p, panel_opening *o, bool empty, ImVec2 area, float em) {
    if (o->shown) box(p, o, empty, area, em);
}

void waiting_file(panel *p, const panel_opening *o, ImVec2 area, float em) {
    char name[256], text[400];
    if (!o->waiting) return;
    panel_shorten(o->waiting, 60, name, sizeof name);
    snprintf(text, sizeof text, "%s is one side; now drop the other.", name);
    begin_box("One side", ImVec2(area.x / 2, 2 * em), ImVec2(0.5f, 0), fminf(WAITING_WIDTH * em, area.x));
    wrapped(TEXT, text);
    snprintf(text, sizeof text, "It has both pictures (%s)", keys_of(p, INPUT_OPEN_ALONE));
    button(p, text, INPUT_OPEN_ALONE, 0);
    ImGui::SameLine();
    snprintf(text, sizeof text, "Cancel (%s)", keys_of(p, INPUT_LEAVE));
    button(p, text, INPUT_LEAVE, 0);
    end_box();
}
