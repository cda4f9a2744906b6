/* Draws the views, each kind with its program. */
#include "render/view/view_lines.h"
#include "render/view/view_maps.h"
#include "render/view/view_units.h"
#include "render/view/view_words.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static GLint at(GLuint program, const char *name) { return glGetUniformLocation(program, name); }

/* Pixels of the map that one of the screen averages, along one axis. */
static int taps(double scale) { return (int)fmax(1, fmin(VIEW_MOST_TAPS, ceil(1 / scale - 1e-9))); }

static void draw_map(view *v, const view_map *maps, const colour_settings *s, view_map_mode mode,
                     const view_pane *pane) {
    const float width = s->max - s->min;
    const GLuint p = view_map_program(v, mode, taps(pane->scale_x), taps(pane->scale_y));
    if (!p) return;
    view_begin_drawing(v, p, pane);
    glUniform1i(at(p, "map"), s->map);
    glUniform1i(at(p, "reasons"), COLOUR_MAP_COUNT);
    glUniform3f(at(p, "empty"), s->empty[0] / 255.f, s->empty[1] / 255.f, s->empty[2] / 255.f);
    glUniform1f(at(p, "minimum"), s->min);
    glUniform1f(at(p, "width"), width > 0 ? width : 0);
    glUniform1f(at(p, "scale"), width > 0 ? (COLOUR_ENTRIES - 1) / width : 0);
    float bounds[COLOUR_ERROR_MORE];
    for (int i = 0; i < COLOUR_ERROR_MORE; i++) bounds[i] = colour_error_bound(i);
    glUniform1fv(at(p, "bounds"), COLOUR_ERROR_MORE, bounds);
    const colour_ratios ratios = colour_ratios_of(s, (float)view_space(v)->doffs);
    glUniform3f(at(p, "ratios"), ratios.offset, ratios.low, ratios.scale);
    glUniform2f(at(p, "footprint"), (float)(1 / (pane->scale_x * v->width)), (float)(1 / (pane->scale_y * v->height)));
    view_bind(3, v->truth ? v->truth : maps->disparity); /* some drivers warn of a unit without a texture */
    view_bind(2, v->colours);
    view_bind(1, maps->reason);
    view_bind(0, maps->disparity);
    view_end_drawing();
}

static view_map_mode mode_of(const colour_settings *s) {
    return s->show_reasons ? VIEW_REASONS_OVER_IT : VIEW_BY_DISPARITY;
}

static bool is_seen(const float weights[3]) { return weights[0] > 0 || weights[1] > 0 || weights[2] > 0; }

static void set_filters(GLint small, GLint large) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, small);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, large);
}

/* Binds a picture with the filters that its pane needs. In an enlarged one each pixel has one colour, that of its
 * middle unless it is rectified, and no level of its mipmap is used: without these, OpenGL in software takes half of
 * the time. */
static void bind_picture(int unit, const view_side *s, const view_pane *pane) {
    const bool enlarged = pane->scale_x > 1 && pane->scale_y > 1;
    const GLint filter = enlarged && !s->places ? GL_NEAREST : GL_LINEAR;
    view_bind(unit, s->texture);
    set_filters(enlarged ? filter : GL_LINEAR_MIPMAP_LINEAR, filter);
}

/* From a scale of 1 down to 1/2, a picture is blended from itself and its first level, which averages 2 x 2 pixels.
 * With weights from the distances alone, too much of the picture itself is left, and fine patterns turn into coarse
 * ones; this factor leaves about as much as if each screen pixel averaged what it covers. */
static float spread_of(const view_pane *pane) {
    const double reduced = 1 / fmax(pane->scale_x, pane->scale_y);
    return reduced > 1 && reduced < 2 ? (float)fmin(reduced, 2 / reduced) : 1;
}

/* Draws the pictures, each channel weighted. */
static void draw_pictures(view *v, const float of_left[3], const float of_right[3], const view_pane *pane) {
    static const char *const rectified[2] = {"left_rectified", "right_rectified"};
    const unsigned sides = (is_seen(of_left) ? 1u : 0) | (is_seen(of_right) ? 2u : 0);
    const GLuint p = view_picture_program(v, sides, pane->scale_x > 1 || pane->scale_y > 1);
    if (!p) return;
    view_begin_drawing(v, p, pane);
    glUniform3fv(at(p, "of_left"), 1, of_left);
    glUniform3fv(at(p, "of_right"), 1, of_right);
    glUniform1f(at(p, "spread"), spread_of(pane));
    glUniform1f(at(p, "lower"), (float)v->sides[1].row_shift / (float)v->height);
    /* Some drivers warn of a unit without a texture. */
    for (int i = 1; i >= 0; i--) {
        const view_side *s = &v->sides[i];
        glUniform1i(at(p, rectified[i]), s->places != 0);
        view_bind(2 + i, s->places ? s->places : view_map_of(v, 0)->disparity);
    }
    for (int i = 1; i >= 0; i--) bind_picture(i, &v->sides[v->sides[i].known ? i : !i], pane);
    view_end_drawing();
    for (int i = 1; i >= 0; i--) { /* the cloud uses them, too */
        view_bind(0, v->sides[i].texture);
        set_filters(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    }
}

/* In the colours of a map, which they replace. */
static void draw_costs(view *v, const colour_settings *s, const view_pane *pane) {
    const view_map costs = {.disparity = v->costs.texture, .reason = view_map_of(v, 0)->reason};
    colour_settings colours = *s;
    colours.min = v->costs.min;
    colours.max = v->costs.max;
    draw_map(v, &costs, &colours, VIEW_BY_DISPARITY, pane);
}

/* In the colours of a map, from 0 to 255, which OpenGL reads as 1. */
static void draw_confidence(view *v, const view_map *maps, const colour_settings *s, const view_pane *pane) {
    const view_map confidence = {.disparity = maps->confidence, .reason = maps->reason};
    colour_settings colours = *s;
    colours.min = 0;
    colours.max = 1;
    draw_map(v, &confidence, &colours, VIEW_BY_DISPARITY, pane);
}

/* `maps`: of which a view of the map is drawn; `s`: the colours of a map or of costs. */
static void draw_kind(view *v, int kind, const view_map *maps, const colour_settings *s, const view_pane *pane) {
    static const float none[3] = {0, 0, 0}, all[3] = {1, 1, 1}, half[3] = {0.5f, 0.5f, 0.5f};
    static const float red[3] = {1, 0, 0}, cyan[3] = {0, 1, 1};
    switch (kind) {
    case VIEW_DISPARITY: draw_map(v, maps, s, mode_of(s), pane); break;
    case VIEW_DEPTH: draw_map(v, maps, s, VIEW_BY_DEPTH, pane); break;
    case VIEW_REASONS: draw_map(v, maps, s, VIEW_BY_REASON, pane); break;
    case VIEW_LEFT:
    case VIEW_ROWS: draw_pictures(v, all, none, pane); break;
    case VIEW_RIGHT: draw_pictures(v, none, all, pane); break;
    case VIEW_BLEND: draw_pictures(v, half, half, pane); break;
    case VIEW_ANAGLYPH: draw_pictures(v, red, cyan, pane); break;
    case VIEW_ERROR: draw_map(v, maps, s, VIEW_BY_ERROR, pane); break;
    case VIEW_COST: draw_costs(v, s, pane); break;
    case VIEW_CONFIDENCE: draw_confidence(v, maps, s, pane); break;
    default: break;
    }
}

/* The columns `from` to `to` - 1 of `r`. */
static view_rect columns_of(const view_rect *r, int from, int to) {
    const int first = from > r->x ? from : r->x, end = to < r->x + r->width ? to : r->x + r->width;
    return (view_rect){first, r->y, end > first ? end - first : 0, r->height};
}

/* What a part is drawn from. */
static void describe(const view *v, int kind, const view_settings *settings, const view_pane *pane, view_made *made) {
    const unsigned needs = view_kind_needs(kind);
    int line;
    made->version = v->version;
    made->kind = kind;
    made->second_from = INT_MAX;
    if (view_is_split(v, settings, kind, &pane->cell, &line))
        made->second_from = line;
    else if (needs & VIEW_NEEDS_MAP && view_map_at(v, settings, kind, &pane->cell, 0))
        made->second_from = INT_MIN;
    memcpy(&made->pane, pane, sizeof made->pane);
    if (needs & VIEW_NEEDS_MAP) memcpy(&made->colour, &settings->colour, sizeof made->colour);
}

/* True if a part differs from what is kept of it only in where the line is. */
static bool is_moved_line(const view_made *made, const view_made *kept) {
    view_made moved;
    memcpy(&moved, made, sizeof moved); /* with its padding */
    moved.second_from = kept->second_from;
    return !memcmp(&moved, kept, sizeof moved);
}

/* Draws a part, of each map on its side of the line. `kept`: what is there already, NULL if nothing is: where only the
 * line has moved, the columns that it moved over are drawn. */
static void draw_part(view *v, const view_made *made, const view_made *kept) {
    const int line = made->second_from;
    int from = INT_MIN, to = INT_MAX;
    if (kept && is_moved_line(made, kept)) {
        from = line < kept->second_from ? line : kept->second_from;
        to = line < kept->second_from ? kept->second_from : line;
    }
    for (int i = 0; i < 2; i++) {
        v->clip = columns_of(&made->pane.shown, i ? line : from, i ? to : line);
        if (v->clip.width) draw_kind(v, made->kind, view_map_of(v, i), &made->colour, &made->pane);
    }
    v->clip = (view_rect){0};
    v->kept.drawn++;
}

/* The line between A and B. */
static void draw_line(const view_made *made) {
    view_pane whole = made->pane;
    whole.shown = whole.cell;
    if (made->second_from == INT_MAX || made->second_from == INT_MIN) return;
    view_fill(&whole, (view_rect){made->second_from - 1, whole.cell.y, 3, whole.cell.height}, 0, 0, 0);
    view_fill(&whole, (view_rect){made->second_from, whole.cell.y, 1, whole.cell.height}, 1, 1, 1);
}

/* The pixel under the mouse in the other parts: in the right picture where its match is. */
static void draw_crosses(const view *v, const view_part *parts, int count) {
    int picked_part;
    const view_pixel *p = view_picked(v, &picked_part);
    for (int i = 0; p && i < count; i++) {
        if (i == picked_part || parts[i].kind == VIEW_CLOUD || !parts[i].pane.shown.width) continue;
        const double moved = parts[i].kind == VIEW_RIGHT ? (double)view_pixel_seen(p) : 0;
        view_draw_cross(&parts[i].pane, p->x + 0.5 - moved, p->y + 0.5);
    }
}

unsigned view_lacks(const view *v) {
    return (view_space(v)->unit == SPACE_METRES ? 0 : VIEW_NEEDS_METRES) | (v->truth ? 0 : VIEW_NEEDS_TRUTH);
}

void view_draw(view *v, const view_settings *settings, view_rect area) {
    view_part parts[VIEW_MOST_PARTS];
    view_made made[VIEW_MOST_PARTS];
    GLint window;
    const unsigned has = (view_has_map(v, 0) ? VIEW_NEEDS_MAP : 0) | (v->sides[0].known ? VIEW_NEEDS_LEFT : 0) |
                         (v->sides[1].known ? VIEW_NEEDS_RIGHT : 0) | (v->costs.texture ? VIEW_NEEDS_COSTS : 0) |
                         (view_has_confidence(v, 0) ? VIEW_NEEDS_CONFIDENCE : 0) |
                         ((VIEW_NEEDS_METRES | VIEW_NEEDS_TRUTH) & ~view_lacks(v));
    if (area.width < 1 || area.height < 1) return;
    const int count = view_parts(settings, area, v->width, v->height, parts);
    const bool keeps = view_keep(&v->kept, area);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &window);
    memset(made, 0, sizeof made); /* its padding too; and what is not drawn is not kept */
    for (int i = 0; i < count; i++) {
        const view_pane *pane = &parts[i].pane;
        int kind = parts[i].kind;
        if (!view_has_map(v, 0) && count == 1 && view_kind_needs(kind) & VIEW_NEEDS_MAP) kind = VIEW_LEFT;
        if (!pane->shown.width || view_kind_needs(kind) & ~has) continue;
        if (kind == VIEW_CLOUD) { /* which keeps what it has drawn */
            const cloud_textures textures = {
                .disparity = view_map_of(v, view_map_at(v, settings, kind, &pane->cell, 0))->disparity,
                .picture = v->sides[0].texture,
                .places = v->sides[0].places,
                .colours = v->colours,
                .version = v->version};
            view_draw_cloud(v, settings, &textures, pane->cell);
            continue;
        }
        describe(v, kind, settings, pane, &made[i]);
        if (!keeps || memcmp(&made[i], &v->kept.parts[i], sizeof *made) != 0) {
            if (keeps) glBindFramebuffer(GL_FRAMEBUFFER, v->kept.framebuffer);
            draw_part(v, &made[i], keeps ? &v->kept.parts[i] : NULL);
        }
        if (keeps) view_copy_kept(&v->kept, &pane->shown, (GLuint)window);
        draw_line(&made[i]);
        if (settings->kinds[parts[i].view] == VIEW_PAIR) view_draw_lines(pane);
        if (kind == VIEW_ROWS) view_draw_rows(v, pane);
    }
    memcpy(v->kept.parts, made, sizeof made);
    if (!settings->no_cross) draw_crosses(v, parts, count);
    view_draw_measures(v, parts, count);
}

int view_words(const view *v, const view_settings *settings, view_rect area, float scale, view_word *words, int most) {
    const float apart = 40 * scale; /* pixels between what is easy to tell apart */
    view_part parts[VIEW_MOST_PARTS];
    view_word_list list = {words, 0, most};
    const int count = view_parts(settings, area, v->width, v->height, parts);
    for (int i = 0; i < count; i++) view_add_grid(v, settings, &parts[i], apart, &list);
    for (int i = 0; i < count; i++) view_add_letters(v, settings, &parts[i], apart, &list);
    for (int i = 0; i < count; i++) view_add_rows(v, &parts[i], 15 * scale, &list);
    for (int i = 0; i < count; i++) view_add_measures(v, &parts[i], 17 * scale, &list);
    return list.count;
}

sv_status view_grab(view_rect area, const sv_image *colour, sv_error *error) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    /* OpenGL's first row is the lowest. */
    for (int y = 0; y < area.height; y++)
        glReadPixels(area.x, area.y + area.height - 1 - y, area.width, 1, GL_RGBA, GL_UNSIGNED_BYTE, sv_row(colour, y));
    return gl_check("reading the window", error);
}

long long view_drawn_parts(const view *v) { return v->kept.drawn; }
