// The legend next to the picture: the colours of disparities or depths, and of reasons.
#include "render/panel/panel_picture_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float LINE_HEIGHT = 2.1f; // em

static void colour_bar(ImDrawList *draw, const colour_settings *c, ImVec2 place, ImVec2 size) {
    uint8_t table[COLOUR_ENTRIES][3];
    colour_table(c->map, table);
    for (int i = 0; i + 1 < COLOUR_ENTRIES; i++) {
        const float bottom = place.y + size.y * (1 - i / 255.f), top = place.y + size.y * (1 - (i + 1) / 255.f);
        const ImU32 below = opaque(table[i]), above = opaque(table[i + 1]);
        draw->AddRectFilledMultiColor(ImVec2(place.x, top), ImVec2(place.x + size.x, bottom), above, above, below,
                                      below);
    }
}

void colour_bar_across(ImDrawList *draw, int map, ImVec2 place, ImVec2 size) {
    uint8_t table[COLOUR_ENTRIES][3];
    colour_table(map, table);
    for (int i = 0; i + 1 < COLOUR_ENTRIES; i++) {
        const float left = place.x + size.x * i / 255.f, right = place.x + size.x * (i + 1) / 255.f;
        const ImU32 from = opaque(table[i]), to = opaque(table[i + 1]);
        draw->AddRectFilledMultiColor(ImVec2(left, place.y), ImVec2(right, place.y + size.y), from, to, to, from);
    }
}

// Ticks at the right of the bar.
static void draw_ticks(ImDrawList *draw, const tick *ticks, int count, ImVec2 place, ImVec2 size, float em) {
    const float x = place.x + size.x;
    for (int i = 0; i < count; i++) {
        char text[32], shown[40];
        const float y = place.y + size.y * (1 - (float)ticks[i].place);
        draw->AddLine(ImVec2(x, y), ImVec2(x + 0.35f * em, y), DIM);
        snprintf(text, sizeof text, "%g", ticks[i].value);
        draw->AddText(ImVec2(x + 0.55f * em, y - 0.5f * em), TEXT, minus_signs(text, shown, sizeof shown));
    }
}

// The histogram of the disparities, beside the bar and to its scale. The largest disparity stands out: more than a
// little there means that nearer objects are cut off.
static void distribution(ImDrawList *draw, const histogram *h, const colour_settings *c, ImVec2 place, ImVec2 size,
                         float room) {
    int most = 1;
    for (int i = 0; i < h->count; i++) most = h->bins[i] > most ? h->bins[i] : most;
    const double pixels = size.y / ((double)c->max - c->min); // of the screen, for one of disparity
    draw->PushClipRect(ImVec2(place.x + size.x, place.y), ImVec2(place.x + size.x + room, place.y + size.y));
    for (int i = 0; i < h->count; i++) {
        const double bottom = place.y + size.y - (h->min + i - 0.5 - c->min) * pixels, top = bottom - pixels;
        const bool last = i == h->count - 1 && histogram_is_cut_off(h->largest, h->values);
        draw->AddRectFilled(ImVec2(place.x + size.x, (float)top),
                            ImVec2(place.x + size.x + room * (float)h->bins[i] / (float)most, (float)bottom),
                            last ? ALARM : IM_COL32(72, 84, 104, 255));
    }
    draw->PopClipRect();
}

// The pointer at the left of the bar to the value under the mouse.
static void mark(ImDrawList *draw, double value, ImVec2 place, ImVec2 size, float em) {
    const float y = place.y + size.y * (1 - (float)value), tip = place.x + 0.25f * em, half = 0.35f * em;
    const ImVec2 a(place.x - 0.5f * em, y - half), b(tip, y), c(a.x, y + half);
    draw->AddTriangleFilled(a, b, c, IM_COL32(255, 255, 255, 255));
    draw->AddTriangle(a, b, c, IM_COL32(0, 0, 0, 255));
}

// A share in percent; empty while the whole is not known.
static void share_of(int part, int whole, char *text, size_t size) {
    *text = 0;
    if (whole) snprintf(text, size, "%.1f %%", 100.0 * part / whole);
}

// A colour with its name and its share of pixels, at `place`, which moves to the next line.
static void line(ImDrawList *draw, ImVec2 &place, const uint8_t rgb[3], const char *name, const char *share, float em) {
    begin_text(SMALL_TEXT);
    const ImVec2 beside(place.x + 1.2f * em, place.y + 0.85f * em);
    draw->AddRectFilled(place, ImVec2(place.x + em, place.y + em), opaque(rgb), 2);
    draw->AddRect(place, ImVec2(place.x + em, place.y + em), IM_COL32(90, 96, 108, 255), 2);
    draw->AddText(ImVec2(beside.x, place.y), TEXT, name);
    draw->AddText(beside, DIM, share);
    end_text();
    place.y += LINE_HEIGHT * em;
}

// A line for each reason, and one for pixels without a disparity, unless the list of errors has it.
static void list_of_reasons(ImDrawList *draw, const colour_settings *c, const histogram *h, bool by_error,
                            ImVec2 &place, float em) {
    for (int i = SV_VALID + 1; i < SV_REASON_COUNT + !by_error; i++) {
        const bool named = i < SV_REASON_COUNT;
        char share[32];
        uint8_t rgb[3];
        memcpy(rgb, c->empty, sizeof rgb);
        if (named) colour_of_reason(i, rgb);
        share_of(!h ? 0 : named ? h->reasons[i] : h->pixels - h->values, h ? h->pixels : 0, share, sizeof share);
        line(draw, place, rgb, named ? sv_reason_name(i) : "no disparity", share, em);
    }
}

// A line for each class of errors, with its share of the pixels whose truth is known.
static void list_of_errors(ImDrawList *draw, const colour_settings *c, const view_errors *e, ImVec2 &place, float em) {
    int known = 0;
    for (int i = 0; e && i < COLOUR_ERROR_UNKNOWN; i++) known += e->counts[i];
    for (int i = 0; i < COLOUR_ERROR_UNKNOWN; i++) {
        char share[32];
        uint8_t rgb[3];
        colour_of_error(i, rgb);
        if (i == COLOUR_ERROR_NONE) memcpy(rgb, c->empty, sizeof rgb);
        share_of(e ? e->counts[i] : 0, known, share, sizeof share);
        line(draw, place, rgb, colour_error_name(i), share, em);
    }
}

// A bar with its unit and ticks: of disparities, in metres too, or of depths in equal ratios.
static void bar_with_ticks(ImDrawList *draw, const view_settings *view, const sv_rectification *r, const histogram *h,
                           const view_pixel *pixel, bool by_depth, place at, float em) {
    const colour_settings *c = &view->colour;
    const ImVec2 place = at.at, size = at.size;
    const bool metres = r && (by_depth || view->metres);
    const double spacing = 2.4 * em / size.y;
    tick ticks[TICKS_MOST];
    int count = 0;
    draw->AddText(ImVec2(place.x, place.y - 1.8f * em), DIM, metres ? "m" : "px");
    colour_bar(draw, c, place, size);
    if (h && c->max > c->min && !by_depth) distribution(draw, h, c, place, size, 2.6f * em);
    tick_scale scale = {c->min, c->max, 0, 0, false};
    if (metres) {
        const double high = c->max + r->doffs, low = by_depth ? fmax(c->min + r->doffs, high / 64) : c->min + r->doffs;
        scale = {low - r->doffs, c->max, r->focal * r->baseline, r->doffs, by_depth};
        count = ticks_of_metres(&scale, spacing, ticks);
    } else {
        count = ticks_of_pixels(c->min, c->max, spacing, ticks);
    }
    draw_ticks(draw, ticks, count, place, size, em);
    const float seen = pixel ? view_pixel_seen(pixel) : INFINITY;
    if (isfinite(seen) && c->max > c->min) mark(draw, ticks_place(&scale, seen), place, size, em);
}

// The ends of the bar can be dragged: its upper half moves the largest disparity of the colours, its lower half the
// smallest, by the scale that it had at the beginning; a double click returns to the searched range.
static void drag_ends(panel *p, view_settings *view, place at, float em) {
    static const char *const names[] = {"legend maximum", "legend minimum"};
    static const char *const help[] = {"drag: the largest disparity of the colours; double click: the searched range",
                                       "drag: the smallest disparity of the colours; double click: the searched range"};
    enter_layer("legend"); // they lie over the bar
    const ImVec2 half(at.size.x + 1.4f * em, at.size.y / 2);
    colour_settings *c = &view->colour;
    ImGui::SetNextWindowPos(ImVec2(at.at.x - 0.7f * em, at.at.y));
    ImGui::SetNextWindowSize(ImVec2(half.x, at.size.y));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Begin("legend", nullptr, FIXED | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
    ImGuiStorage *before = ImGui::GetStateStorage();
    for (int i = 0; i < 2; i++) {
        ImGui::SetCursorScreenPos(ImVec2(at.at.x - 0.7f * em, at.at.y + (float)i * half.y));
        ImGui::InvisibleButton(names[i], half);
        const bool held = ImGui::IsItemActive(), twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
        if (ImGui::IsItemActivated()) {
            before->SetFloat(1, c->min);
            before->SetFloat(2, c->max);
        }
        if (held || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        const float moved = ImGui::GetMouseDragDelta(0, 1).y, min = before->GetFloat(1), max = before->GetFloat(2);
        const float by = moved * (max - min) / at.size.y;
        if (held && fabsf(moved) > 0 && i == 0) c->max = fminf(fmaxf(max - by, c->min + 1), SV_MAX_DISPARITY);
        if (held && fabsf(moved) > 0 && i == 1) c->min = fmaxf(fminf(min - by, c->max - 1), SV_MIN_DISPARITY);
        if (held && fabsf(moved) > 0) view->range = VIEW_RANGE_FIXED;
        if (twice) view->range = VIEW_RANGE_SEARCHED;
        tooltip(p, names[i], help[i]);
    }
    ImGui::End();
}

void legend(panel *p, view_settings *view, const sv_rectification *metric, const histogram *h,
            const view_errors *errors, const view_pixel *pixel, ImVec2 area, float top, float em) {
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const float left = area.x + 0.8f * em;
    const bool by_reason = view->colour.show_reasons || view_shows(view, VIEW_REASONS);
    const bool by_depth = view_shows(view, VIEW_DEPTH) && metric;
    const bool by_disparity = view_shows(view, VIEW_DISPARITY) || !by_depth;
    const bool by_error = view_shows(view, VIEW_ERROR);
    const int lines = (by_reason ? SV_REASON_COUNT - by_error : 0) + (by_error ? COLOUR_ERROR_UNKNOWN : 0);
    place at = {ImVec2(left, top + 2.6f * em), ImVec2(1.1f * em, area.y - LINE_HEIGHT * em * lines - 3.6f * em)};
    const bool has_bar = at.size.y >= 4 * em; // otherwise the list alone, if that fits
    if (!has_bar && (!lines || at.size.y < -2 * em)) return;
    report_place("legend", ImVec2(area.x, 0), ImVec2(6 * em, area.y));
    ImVec2 below(left, has_bar ? at.at.y + at.size.y + 0.8f * em : top + em);
    if (has_bar && by_disparity) {
        bar_with_ticks(draw, view, metric, h, pixel, false, at, em);
        drag_ends(p, view, at, em);
        at.at.x += 3.8f * em; // beside the other one
    }
    if (has_bar && by_depth) bar_with_ticks(draw, view, metric, h, pixel, true, at, em);
    if (by_reason) list_of_reasons(draw, &view->colour, h, by_error, below, em);
    if (by_error) list_of_errors(draw, &view->colour, errors, below, em);
}
