/* What the views show, without drawing it: see view_settings.h. */
#include "render/view/view_settings.h"

view_settings view_default(void) {
    return (view_settings){.layout = VIEW_ONE,
                           .kinds = {VIEW_DISPARITY, VIEW_LEFT, VIEW_REASONS, VIEW_BLEND},
                           .range = VIEW_RANGE_SEARCHED,
                           .legend = true,
                           .compared = VIEW_SPLIT,
                           .split = 0.5,
                           .cloud = cloud_default(),
                           .colour = colour_default()};
}

const char *view_range_name(int range) {
    static const char *const names[VIEW_RANGE_COUNT] = {"searched", "automatic", "fixed"};
    return range >= 0 && range < VIEW_RANGE_COUNT ? names[range] : "?";
}

bool view_shows(const view_settings *settings, int kind) {
    view_rect cells[VIEW_MOST];
    const int count = layout_cells(settings->layout, (view_rect){0}, 0, cells);
    for (int i = 0; i < count; i++)
        if (settings->kinds[i] == kind) return true;
    return false;
}

unsigned view_needs(const view_settings *settings) {
    view_rect cells[VIEW_MOST];
    const int count = layout_cells(settings->layout, (view_rect){0}, 0, cells);
    unsigned needs = 0;
    for (int i = 0; i < count; i++) needs |= view_kind_needs(settings->kinds[i]);
    return needs;
}

int view_parts(const view_settings *settings, view_rect area, int width, int height, view_part parts[VIEW_MOST_PARTS]) {
    view_rect cells[VIEW_MOST];
    const int views = layout_cells(settings->layout, area, settings->aspect, cells);
    int count = 0;
    for (int i = 0; i < views; i++) {
        view_rect halves[2] = {cells[i]};
        const bool pair = settings->kinds[i] == VIEW_PAIR;
        if (pair) layout_halves(cells[i], halves);
        for (int half = 0; half <= pair; half++) {
            const int kind = !pair ? settings->kinds[i] : half ? VIEW_RIGHT : VIEW_LEFT;
            parts[count++] = (view_part){i, kind, layout_pane(halves[half], width, height, settings->zoom)};
        }
    }
    return count;
}

int view_find(const view_settings *settings, view_rect area, int x, int y) {
    view_rect cells[VIEW_MOST];
    const int count = layout_cells(settings->layout, area, settings->aspect, cells);
    return layout_find(cells, count, x, y);
}
