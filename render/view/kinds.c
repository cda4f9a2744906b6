/* The kinds of views. */
#include "render/view/kinds.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned needs;
} kinds[VIEW_KIND_COUNT] = {
    [VIEW_DISPARITY] = {"disparity", VIEW_NEEDS_MAP},
    [VIEW_LEFT] = {"left picture", VIEW_NEEDS_LEFT},
    [VIEW_RIGHT] = {"right picture", VIEW_NEEDS_RIGHT},
    [VIEW_BLEND] = {"blend", VIEW_NEEDS_LEFT | VIEW_NEEDS_RIGHT},
    [VIEW_ANAGLYPH] = {"anaglyph", VIEW_NEEDS_LEFT | VIEW_NEEDS_RIGHT},
    [VIEW_PAIR] = {"rectified pair", VIEW_NEEDS_LEFT | VIEW_NEEDS_RIGHT},
    [VIEW_DEPTH] = {"depth", VIEW_NEEDS_MAP | VIEW_NEEDS_METRES},
    [VIEW_REASONS] = {"reasons", VIEW_NEEDS_MAP},
    [VIEW_ERROR] = {"error", VIEW_NEEDS_MAP | VIEW_NEEDS_TRUTH},
    [VIEW_COST] = {"cost", VIEW_NEEDS_MAP | VIEW_NEEDS_COSTS},
    [VIEW_CONFIDENCE] = {"confidence", VIEW_NEEDS_MAP | VIEW_NEEDS_CONFIDENCE},
    [VIEW_ROWS] = {"rows", VIEW_NEEDS_LEFT},
    [VIEW_CLOUD] = {"cloud", VIEW_NEEDS_MAP | VIEW_NEEDS_LEFT},
};

const char *view_kind_name(int kind) { return kind >= 0 && kind < VIEW_KIND_COUNT ? kinds[kind].name : "?"; }

int view_kind_of(const char *name) {
    for (int i = 0; i < VIEW_KIND_COUNT; i++)
        if (!strcmp(name, kinds[i].name)) return i;
    return -1;
}

unsigned view_kind_needs(int kind) { return kind >= 0 && kind < VIEW_KIND_COUNT ? kinds[kind].needs : 0; }

int view_kind_beside(int kind, int by, unsigned lacking) {
    do {
        kind = (kind + by + VIEW_KIND_COUNT) % VIEW_KIND_COUNT;
    } while (view_kind_needs(kind) & lacking);
    return kind;
}
