// The legend beside the picture: the colours of disparities or depths, and of reasons.
#include "render/panel_parts.h"
#include "render/ticks.h"

#include <stdio.h>
#include <string.h>

static const double CUT_OFF = 0.02; // share of the values

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

// Ticks at the right of the bar.
static void draw_ticks(ImDrawList *draw, const tick *ticks, int count, ImVec2 place, ImVec2 size, float em) {
    const float x = place.x + size.x;
    for (int i = 0; i < count; i++) {
        char text[32];
        const float y = place.y + size.y * (1 - (float)ticks[i].place);
        draw->AddLine(ImVec2(x, y), ImVec2(x + 0.35f * em, y), DIM);
        snprintf(text, sizeof text, "%g", ticks[i].value);
        draw->AddText(ImVec2(x + 0.55f * em, y - 0.5f * em), TEXT, text);
    }
}

// The distribution of the disparities, beside the bar, to its scale. What lies at the largest one stands out: more than
// a little there means that nearer objects are cut off.
static void distribution(ImDrawList *draw, const histogram *h, const colour_settings *c, ImVec2 place, ImVec2 size,
                         float room) {
    int most = 1;
    for (int i = 0; i < h->count; i++) most = h->bins[i] > most ? h->bins[i] : most;
    const double pixels = size.y / ((double)c->max - c->min); // of the screen, for one of disparity
    draw->PushClipRect(ImVec2(place.x + size.x, place.y), ImVec2(place.x + size.x + room, place.y + size.y));
    for (int i = 0; i < h->count; i++) {
        const double bottom = place.y + size.y - (h->min + i - 0.5 - c->min) * pixels, top = bottom - pixels;
        const bool last = i == h->count - 1 && h->largest > CUT_OFF * h->values;
        draw->AddRectFilled(ImVec2(place.x + size.x, (float)top),
                            ImVec2(place.x + size.x + room * (float)h->bins[i] / (float)most, (float)bottom),
                            last ? ALARM : IM_COL32(72, 84, 104, 255));
    }
    draw->PopClipRect();
}

void legend(const panel_state *s, const layout &l) {
    const colour_settings *c = &s->view.colour;
    ImDrawList *draw = ImGui::GetBackgroundDrawList();
    const float em = l.em, left = l.picture.x + 0.8f * em, line = 1.6f * em;
    const bool coloured_by_reason = c->show_reasons || view_shows(&s->view, VIEW_REASONS);
    const float reasons = coloured_by_reason ? line * (SV_REASON_COUNT + 0.5f) : 0;
    const ImVec2 place(left, 2.6f * em), size(1.1f * em, l.picture.y - reasons - 3.6f * em);
    if (size.y < 4 * em) return;
    const bool metres = s->view.metres && s->rectification;
    draw->AddText(ImVec2(left, 0.8f * em), DIM, metres ? "m" : "px");
    colour_bar(draw, c, place, size);
    if (s->histogram && c->max > c->min) distribution(draw, s->histogram, c, place, size, 2.6f * em);
    tick ticks[TICKS_MOST];
    const sv_rectification *r = s->rectification;
    const double spacing = 2.4 * em / size.y;
    int count;
    if (metres) {
        const tick_scale scale = {c->min, c->max, r->focal * r->baseline, r->doffs, false};
        count = ticks_of_metres(&scale, spacing, ticks);
    } else {
        count = ticks_of_pixels(c->min, c->max, spacing, ticks);
    }
    draw_ticks(draw, ticks, count, place, size, em);
    if (!coloured_by_reason) return;
    for (int i = SV_VALID + 1; i <= SV_REASON_COUNT; i++) { // the last line is for no reason at all
        const bool named = i < SV_REASON_COUNT;
        const float y = place.y + size.y + line * i;
        uint8_t rgb[3];
        memcpy(rgb, c->empty, sizeof rgb);
        if (named) colour_of_reason(i, rgb);
        draw->AddRectFilled(ImVec2(left, y), ImVec2(left + em, y + em), opaque(rgb), 2);
        draw->AddRect(ImVec2(left, y), ImVec2(left + em, y + em), IM_COL32(90, 96, 108, 255), 2);
        draw->AddText(ImGui::GetFont(), 0.8f * ImGui::GetFontSize(), ImVec2(left + 1.4f * em, y + 0.1f * em), TEXT,
                      named ? sv_reason_name(i) : "no disparity");
    }
}
