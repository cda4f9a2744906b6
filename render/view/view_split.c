/* Which of two maps of a pair is shown where. */
#include "render/view/view_split.h"

#include <math.h>
#include <stdio.h>

#include "render/view/view_maps.h"
#include "render/view/view_units.h"

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

int view_split_words(const view *v, const view_settings *settings, view_rect area, float apart, view_word *list,
                     int most) {
    view_part parts[VIEW_MOST_PARTS];
    const int parts_count = view_parts(settings, area, v->width, v->height, parts);
    int count = 0;
    for (int i = 0; i < parts_count && view_has_map(v, 1); i++) {
        const view_rect *cell = &parts[i].pane.cell;
        int x;
        if (!shows_map(parts[i].kind) || cell->width < 4 * apart || cell->height < 2 * apart) continue;
        const bool split = view_is_split(v, settings, parts[i].kind, cell, &x);
        for (int map = 0; map < 2; map++) {
            const float beside = (float)x + (map ? apart / 4 : -apart / 2);
            const float middle = (float)cell->x + (float)cell->width / 2;
            if (count == most || (!split && map != view_map_at(v, settings, parts[i].kind, cell, x))) continue;
            list[count] = (view_word){.x = split ? beside : middle, .y = (float)(cell->y + cell->height) - apart};
            snprintf(list[count].text, sizeof list[count].text, "%s", map ? "B" : "A");
            count += list[count].x > (float)cell->x && list[count].x + apart / 2 < (float)(cell->x + cell->width);
        }
    }
    return count;
}
