// Where the parts of the panel lie, for the log of a run with -v: tests/support/window.sh clicks there, and
// tests/support/places.py finds what overlaps or is cut off. C++.
#ifndef RENDER_PANEL_PANEL_PLACES_H
#define RENDER_PANEL_PANEL_PLACES_H

#include <imgui.h>

enum { PLACES_MOST = 320 };

// A part in a layer, points from the top left of the window; `needs`: the width of its text, 0: it has none.
struct panel_place {
    char name[56];
    const char *layer;
    int x, y, width, height, needs;
};

// The parts of a frame. Parts of one layer must not overlap; those of another lie over or beside them.
struct panel_places {
    panel_place all[PLACES_MOST];
    int count;
    const char *layer;     // of the parts that follow
    unsigned last, logged; // hashes of the frame before, and of the one that was logged
};

void places_begin(panel_places *places, const char *layer);
void places_add(panel_places *places, const char *name, ImVec2 at, ImVec2 size, float needs);

// Logs all parts if they have moved and come to rest: "layout: LAYER | NAME at X Y WIDTH HEIGHT needs N" for each one,
// between "layout: begins WIDTH HEIGHT" of the window and "layout: ends".
void places_end(panel_places *places, ImVec2 window);

#endif
