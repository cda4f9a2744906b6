// The parameters of the matching, one control for each row of sv_parameters.
#include "render/panel/panel_side_parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <float.h>

static const char *short_unit(const char *unit) {
    return !strcmp(unit, "pixels") ? "px" : !strcmp(unit, "percent") ? "%" : unit;
}

static const char *number_format(const sv_parameter *q) {
    return q->kind == SV_INTEGER ? "%d" : q->max - q->min > 100 ? "%.0f" : "%.2f";
}

// The value of the slider that was drawn last, or the word that stands for it.
static void value_beside(const sv_parameter *q, double value, float em) {
    char number[32];
    const char *unit = q->unit ? short_unit(q->unit) : "";
    if (q->min_word && value <= q->min) {
        beside_slider(q->min_word, "", em);
        return;
    }
    snprintf(number, sizeof number, "%.*f", q->kind == SV_INTEGER || q->max - q->min > 100 ? 0 : 2, value);
    beside_slider(number, unit, em);
}

static void parameter_help(panel *p, const sv_params *params, const sv_parameter *q) {
    char text[640];
    panel_describe_parameter(params, q, text, sizeof text);
    tooltip(p, q->name, text);
}

static void parameter_control(panel *p, sv_params *params, const sv_parameter *q, float em) {
    const sv_params defaults = sv_window_params(static_cast<sv_method>(params->method));
    const double value = sv_get_used(params, q);
    char name[64], id[64];
    snprintf(name, sizeof name, "%s", q->name);
    for (char *c = name; *c; c++)
        if (*c == '-' && strncmp(c, "-right", 6) != 0) *c = ' '; // "left-right check"
    snprintf(id, sizeof id, "##%s", q->name);
    const ImGuiSliderFlags flags = panel_spans_decades(q) ? ImGuiSliderFlags_Logarithmic : 0;

    // What was changed stands out.
    label(name, value == sv_get(&defaults, q) ? TEXT : CHOSEN, em);
    if (q->kind == SV_SWITCH) {
        bool on = value != 0;
        if (ImGui::Checkbox(id, &on)) sv_set(params, q, on);
    } else if (q->kind == SV_CHOICE) {
        char chosen[32];
        if (ImGui::BeginCombo(id, sv_print(params, q, chosen, sizeof chosen))) {
            for (int i = 0; i < SV_MAX_CHOICES && q->choices[i]; i++)
                if (entry(q->choices[i], q->choice_values[i] == (int)value)) sv_set(params, q, q->choice_values[i]);
            ImGui::EndCombo();
        }
    } else if (q->kind == SV_FILE) {
        char file[SV_VALUE_BYTES] = "";
        sv_error error;
        if (value > 0) sv_print(params, q, file, sizeof file);
        if (ImGui::InputTextWithHint(id, q->min_word, file, sizeof file, ImGuiInputTextFlags_EnterReturnsTrue))
            sv_parse(params, q, *file ? file : q->min_word, &error);
    } else if (q->kind == SV_INTEGER) {
        const int min = q->above ? (int)sv_get(params, sv_find_parameter(q->above)) + 1 : (int)q->min,
                  max = (int)q->max;
        int whole = (int)value;
        if (slider(p, id, ImGuiDataType_S32, &whole, &min, &max, number_format(q), flags, em)) sv_set(params, q, whole);
    } else {
        const float min = (float)q->min, max = (float)q->max;
        float real = (float)value;
        if (slider(p, id, ImGuiDataType_Float, &real, &min, &max, number_format(q), flags, em)) sv_set(params, q, real);
    }
    if (q->kind == SV_INTEGER || q->kind == SV_REAL) value_beside(q, sv_get_used(params, q), em);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
        sv_reset(params, q);
        const double initial = sv_get(&defaults, q); // of a window
        if (sv_get(params, q) != initial) sv_set(params, q, initial);
    }
    parameter_help(p, params, q);
}

// Both ends of the range in one control, which keeps them in order.
static void disparities_control(panel *p, sv_params *params, float em) {
    int min = params->min_disparity, max = params->max_disparity;
    bool automatic = !sv_range_is_chosen(params);
    label("disparities", automatic ? TEXT : CHOSEN, em);
    if (checkbox("auto", &automatic)) sv_choose_range(params, !automatic);
    tooltip(p, "auto", "follows the disparities that the pictures have\n--disparities auto");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::DragIntRange2("##disparities", &min, &max, 0.25f, SV_MIN_DISPARITY, SV_MAX_DISPARITY, "%d px", "%d px",
                             ImGuiSliderFlags_AlwaysClamp))
        panel_move_range(params, min, max);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) sv_choose_range(params, false);
    tooltip(p, "disparities",
            "smallest and largest disparity that are searched, inclusive\n"
            "drag, or double click to type; right click: auto\n--disparities MIN:MAX");
}

// By how many frames the right side is moved, where it can be.
static void offset_control(panel *p, panel_offset *o, float em) {
    if (!o->movable) return;
    const int least = -100, most = 100;
    int frames = (int)lround(o->frames);
    char number[32];
    label("frame offset", o->frames == 0 ? TEXT : CHOSEN, em);
    if (slider(p, "##offset", ImGuiDataType_S32, &frames, &least, &most, "%d", 0, em)) o->frames = frames;
    snprintf(number, sizeof number, "%.4g", o->frames);
    beside_slider(number, "frames", em);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) o->frames = 0;
    char help[240];
    snprintf(help, sizeof help,
             "pairs each left picture with the right one that is this many frames later (%s and %s)\n"
             "right click: 0\n--offset N",
             keys_of(p, INPUT_RIGHT_LATER), keys_of(p, INPUT_RIGHT_EARLIER));
    tooltip(p, "frame offset", help);
}

// The controls of the method's rare parameters, or of the others; true if one is not at its default.
static bool parameter_controls(panel *p, sv_params *params, bool rare, bool draw, float em) {
    const sv_params defaults = sv_window_params(static_cast<sv_method>(params->method));
    bool changed = false;
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *q = &sv_parameters[i];
        const bool end_of_range =
            q->offset == offsetof(sv_params, min_disparity) || q->offset == offsetof(sv_params, max_disparity);
        if (!sv_uses(params->method, q) || end_of_range || q->rare != rare) continue;
        changed = changed || sv_get(params, q) != sv_get(&defaults, q);
        if (draw) parameter_control(p, params, q, em);
    }
    return changed;
}

static const char *help_of_method(int method) { return sv_methods[method].help; }

void parameters(panel *p, panel_params *m, panel_offset *offset, panel_qualities *qualities,
                const panel_compare *compare, int *compared, float em) {
    sv_params wanted = *m->now;
    if (!ImGui::CollapsingHeader("Matching", ImGuiTreeNodeFlags_DefaultOpen)) return;
    compare_controls(p, compare, compared, em);
    quality_list(p, qualities, em);
    int method = wanted.method;
    label("method", TEXT, em);
    if (choose("##method", &method, SV_METHOD_COUNT, sv_method_name, help_of_method)) {
        m->method = method;
        push(p, INPUT_METHOD_TO);
    }
    tooltip(p, "method", help_of_method(wanted.method), INPUT_METHOD);
    disparities_control(p, &wanted, em);
    parameter_controls(p, &wanted, false, true, em);
    // What was changed stands out, folded too.
    const bool changed = parameter_controls(p, &wanted, true, false, em) || offset->frames != 0;
    ImGui::PushStyleColor(ImGuiCol_Text, themed(changed ? CHOSEN : TEXT));
    // Not indented: the longest labels fill the room before their sliders.
    const bool open = ImGui::TreeNodeEx("More##matching", ImGuiTreeNodeFlags_NoTreePushOnOpen);
    ImGui::PopStyleColor();
    if (open) {
        parameter_controls(p, &wanted, true, true, em);
        offset_control(p, offset, em);
    }
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    char help[160];
    snprintf(help, sizeof help, "of all parameters but the disparity range and the row shift (%s undoes it)",
             keys_of(p, INPUT_UNDO));
    button(p, "Defaults", INPUT_DEFAULTS, half, ICON_RESET);
    tooltip(p, "Defaults", help);
    ImGui::SameLine();
    compare_button(p, compare, half);
    m->wants = memcmp(&wanted, m->now, sizeof wanted) != 0;
    m->wanted = wanted;
}
