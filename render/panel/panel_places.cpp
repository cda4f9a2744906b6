// Where the parts of the panel lie: see panel_places.h.
#include "render/panel/panel_places.h"

#include "stereo/stereo.h"

#include <math.h>
#include <stdio.h>

void places_begin(panel_places *p, const char *layer) {
    p->count = 0;
    p->layer = layer;
}

void places_add(panel_places *p, const char *name, ImVec2 at, ImVec2 size, float needs) {
    if (p->count == PLACES_MOST) return;
    panel_place *place = &p->all[p->count++];
    *place = {"", p->layer, (int)at.x, (int)at.y, (int)size.x, (int)size.y, (int)ceilf(needs)};
    snprintf(place->name, sizeof place->name, "%s", name);
}

static unsigned hash_of(const panel_places *p) {
    unsigned hash = (unsigned)p->count;
    for (int i = 0; i < p->count; i++) {
        const panel_place *a = &p->all[i];
        const int numbers[] = {a->x, a->y, a->width, a->height, a->needs > a->width};
        for (int number : numbers) hash = 16777619 * hash + (unsigned)number;
        for (const char *c = a->name; *c; c++) hash = 16777619 * hash + (unsigned)*c;
    }
    return hash;
}

void places_end(panel_places *p, ImVec2 window) {
    const unsigned now = hash_of(p);
    const bool rests = now == p->last;
    p->last = now;
    if (!rests || now == p->logged) return;
    p->logged = now;
    sv_log(SV_LOG_DEBUG, "layout: begins %.0f %.0f", window.x, window.y);
    for (int i = 0; i < p->count; i++) {
        const panel_place *a = &p->all[i];
        sv_log(SV_LOG_DEBUG, "layout: %s | %s at %d %d %d %d needs %d", a->layer, a->name, a->x, a->y, a->width,
               a->height, a->needs);
    }
    sv_log(SV_LOG_DEBUG, "layout: ends");
}
