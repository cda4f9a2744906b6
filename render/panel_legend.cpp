// The legend beside the picture: the colours of disparities or depths, and of reasons.
#include "render/panel_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The step of ticks that are 1, 2 or 5 times a power of ten apart, at most `most` of them.
static double tick_step(double range, int most) {
    const double least = range / most, power = pow(10, floor(log10(least)));
    const double factor = least / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

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
    if (c->max > c->min && metres) metre_ticks(draw, c, s->rectification, place, size, em);
    if (c->max > c->min && !metres) pixel_ticks(draw, c, place, size, em);
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
