/* Which of two maps of a pair, A and B, is shown where: side by side at a line, or one of them. */
#include <math.h>

#include "render/view/view_maps.h"
#include "render/view/view_units.h"
#include "render/view/view_words.h"

static bool shows_map(int kind) { return view_kind_needs(kind) & VIEW_NEEDS_MAP; }

/* The first column that shows B. */
static int line_of(const view_settings *settings, const view_rect *cell) {
    return cell->x + (int)lround(settings->split * cell->width);
}

bool view_is_split(const view *v, const view_settings *settings, int kind, const view_rect *cell, int *x) {
    *x = line_of(settings, cell);
    return view_has_map(v, 1) && settings->compared == VIEW_SPLIT && shows_map(kind) && kind != VIEW_CLOUD &&
           kind != VIEW_COST;
}

int view_map_at(const view *v, const view_settings *settings, int kind, const view_rect *cell, int x) {
    int line;
    if (view_is_split(v, settings, kind, cell, &line)) return x >= line;
    return view_has_map(v, 1) && settings->compared == VIEW_B;
}

void view_add_letters(const view *v, const view_settings *settings, const view_part *part, float apart,
                      view_word_list *list) {
    const view_rect *cell = &part->pane.cell;
    int line;
    if (!view_has_map(v, 1) || !shows_map(part->kind) || cell->width < 4 * apart || cell->height < 2 * apart) return;
    const bool split = view_is_split(v, settings, part->kind, cell, &line);
    for (int map = 0; map < 2; map++) {
        const double beside = line + (map ? 0.25 : -0.5) * (double)apart;
        const double x = split ? beside : cell->x + cell->width / 2.0;
        if (!split && map != view_map_at(v, settings, part->kind, cell, line)) continue;
        if (x > cell->x && x + (double)apart / 2 < cell->x + cell->width)
            view_add_word(list, x, cell->y + cell->height - (double)apart, NULL, map ? "B" : "A");
    }
}
