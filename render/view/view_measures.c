/* Pins and the rectangle: what they measure, and how they are drawn. */
#include "render/view/view_measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/measure_series.h"
#include "render/view/view_lines.h"
#include "render/view/view_maps.h"
#include "render/view/view_units.h"
#include "render/view/view_words.h"
#include "stereo/alloc.h"

enum { REACH = 8 }; /* framebuffer pixels from a pin at which it is hit */
enum { MOST_PINS = MEASURE_PINS };

/* What was measured of a pin, or of the rectangle, over time. */
typedef struct history {
    measure_series values;      /* depths in metres or, without these, disparities */
    measure_series shares;      /* of the pixels with a value */
    double known;               /* the true distance, metres; NAN: it is not known */
    unsigned long long version; /* of the map that was added last */
} history;

/* What the user measures with. */
typedef struct view_measurements {
    history of_pins[MOST_PINS], of_box;
    measure_noise noise;          /* of the rectangle */
    view_pixel pins[MOST_PINS];   /* with the values of the map that was copied last */
    int pin_count, measured_pins; /* how many there are; the first of them that have their values */
    int reported_pins;            /* the first of them that view_measures_news has reported */
    bool has_box, reported_box;
    measure_box box;
    int corner_x, corner_y; /* of the picture, where dragging it began */
    bool has_region;        /* `region` is what it measures */
    measure_region region;
    bool changed;                  /* pins or rectangle, since the last measurement, */
    unsigned long long changed_at; /* in maps of this version on: copies of older ones do not have them */
    unsigned long long version;    /* of the map that was measured last, */
    const char *set;               /* and of two maps which one it was, as in view_measure; NULL: none was measured */
    unsigned long long begins_at;  /* maps of this version on count over time */
} view_measurements;

void view_measures_create(view *v) { v->measured = sv_alloc(1, sizeof *v->measured); }

void view_measures_destroy(view *v) {
    if (v->measured) measure_noise_free(&v->measured->noise);
    free(v->measured);
}

/* ---- Setting ---------------------------------------------------------------------------------- */

/* Call it before pins or rectangle change. Does not postpone a pending measurement: while each frame brings a map and
 * the mouse moves, every copy is of an older one. */
static void note_change(view *v) {
    view_measurements *m = v->measured;
    if (!m->changed || !view_measures(v)) m->changed_at = view_version_of_map(v, 0);
    m->changed = true;
}

/* Where a pin is in a part, framebuffer pixels; false if the part does not show it. */
static bool place_of(const view *v, const view_part *part, const view_pixel *pin, double *x, double *y) {
    if (part->kind == VIEW_CLOUD) return view_cloud_place(v, &part->pane.cell, pin, x, y);
    const double moved = part->kind == VIEW_RIGHT ? (double)pin->disparity : 0;
    return part->pane.shown.width && isfinite(moved) &&
           layout_to_screen(&part->pane, pin->x + 0.5 - moved, pin->y + 0.5, x, y);
}

static void remove_pin(view_measurements *m, int which) {
    memmove(m->pins + which, m->pins + which + 1, sizeof *m->pins * (size_t)(m->pin_count - which - 1));
    memmove(m->of_pins + which, m->of_pins + which + 1, sizeof *m->of_pins * (size_t)(m->pin_count - which - 1));
    m->pin_count--;
    if (m->reported_pins > which) m->reported_pins--;
    if (m->measured_pins > which) m->measured_pins--;
}

/* The pixel of a picture at position x, y; false if the part has none there. */
static bool pixel_at(const view_part *part, int x, int y, view_pixel *at) {
    double at_x, at_y;
    if (part->kind == VIEW_CLOUD || part->kind == VIEW_RIGHT || !layout_to_picture(&part->pane, x, y, &at_x, &at_y))
        return false;
    *at = (view_pixel){.x = (int)at_x, .y = (int)at_y};
    return true;
}

bool view_pin(view *v, const view_settings *settings, view_rect area, int x, int y) {
    view_measurements *m = v->measured;
    view_part parts[VIEW_MOST_PARTS];
    const int count = view_parts(settings, area, v->width, v->height, parts);
    for (int i = 0; i < count; i++)
        for (int pin = 0; pin < m->pin_count; pin++) {
            double at_x, at_y;
            if (!place_of(v, &parts[i], &m->pins[pin], &at_x, &at_y) || hypot(at_x - x, at_y - y) > REACH) continue;
            remove_pin(m, pin);
            return true;
        }
    view_pixel at;
    bool found = false;
    for (int i = 0; i < count && !found; i++) found = pixel_at(&parts[i], x, y, &at);
    if (m->pin_count == MOST_PINS || (!found && !view_pick_now(v, settings, area, x, y, &at))) return false;
    note_change(v);
    m->of_pins[m->pin_count] = (history){.known = NAN};
    m->pins[m->pin_count++] = (view_pixel){.x = at.x, .y = at.y, .disparity = INFINITY};
    return true;
}

void view_remove_measures(view *v) {
    measure_noise_free(&v->measured->noise);
    *v->measured = (view_measurements){0};
}

void view_drag_box(view *v, const view_pane *pane, int x, int y, bool begins) {
    view_measurements *m = v->measured;
    const int at_x = (int)floor((x + 0.5 - pane->left) / pane->scale_x);
    const int at_y = (int)floor((pane->top - y - 0.5) / pane->scale_y);
    if (begins) {
        m->corner_x = at_x;
        m->corner_y = at_y;
        m->has_box = false; /* until the mouse moves: a click removes the rectangle */
        return;
    }
    note_change(v);
    m->of_box = (history){.known = m->has_box ? m->of_box.known : NAN};
    measure_noise_free(&m->noise);
    m->box = measure_box_of(m->corner_x, m->corner_y, at_x, at_y, v->width, v->height);
    m->has_box = true;
    m->reported_box = false;
}

/* ---- Measuring -------------------------------------------------------------------------------- */

static void begin_anew(history *h) { *h = (history){.known = h->known}; }

static void begin_all_anew(view_measurements *m) {
    for (int i = 0; i < m->pin_count; i++) begin_anew(&m->of_pins[i]);
    begin_anew(&m->of_box);
    measure_noise_free(&m->noise);
}

void view_measure_anew(view *v) {
    v->measured->begins_at = view_version_of_map(v, 0);
    begin_all_anew(v->measured);
}

bool view_measures(const view *v) { return v->measured->pin_count || v->measured->has_box; }

/* The depth of a disparity in metres, NAN if it is not known. */
static double depth_of(const view *v, double disparity) {
    const space *s = view_space(v);
    const double d = disparity + s->doffs;
    return s->unit == SPACE_METRES && isfinite(d) && d > 0 ? s->unit_depth / d : NAN;
}

/* True once for each map. */
static bool is_new(history *h, unsigned long long version) {
    const bool is = !h->values.count || h->version != version;
    h->version = version;
    return is;
}

static void remember_value(const view *v, history *h, double disparity, double share) {
    const bool metres = view_space(v)->unit == SPACE_METRES;
    measure_series_add(&h->values, metres ? depth_of(v, disparity) : isfinite(disparity) ? disparity : NAN);
    measure_series_add(&h->shares, share);
}

/* Of the rectangle it takes pixels in even steps: as many rows and columns as fit. */
static void remember_noise(view_measurements *m, const sv_image *disparity) {
    const measure_box *b = &m->box;
    float values[NOISE_PIXELS];
    int step = 1, count = 0;
    while (((b->width + step - 1) / step) * ((b->height + step - 1) / step) > NOISE_PIXELS) step++;
    for (int y = 0; y < b->height; y += step) {
        const float *row = (const float *)sv_row(disparity, b->y + y) + b->x;
        for (int x = 0; x < b->width; x += step) values[count++] = row[x];
    }
    measure_noise_add(&m->noise, values, count);
}

/* What the map adds to what is known over time. */
static void remember(view *v, const copied_map *map) {
    view_measurements *m = v->measured;
    if (map->version < m->begins_at) return;
    for (int i = 0; i < m->pin_count; i++)
        if (is_new(&m->of_pins[i], map->version))
            remember_value(v, &m->of_pins[i], m->pins[i].disparity, isfinite(m->pins[i].disparity));
    if (!m->has_box || !is_new(&m->of_box, map->version)) return;
    remember_value(v, &m->of_box, m->region.has_plane ? m->region.middle : m->region.mean,
                   (double)m->region.values / (double)m->region.pixels);
    remember_noise(m, &map->disparity);
}

/* What both kinds of rows have. */
static measure_row row_of(const view *v, const history *h, double disparity) {
    measure_row r = {.disparity = isfinite(disparity) ? disparity : NAN,
                     .nearest = NAN,
                     .closest = NAN,
                     .spread = NAN,
                     .depth = depth_of(v, disparity),
                     .residual = NAN,
                     .flatness = NAN,
                     .distance = NAN,
                     .frames = h->values.count,
                     .mean = measure_series_mean(&h->values),
                     .deviation = measure_series_deviation(&h->values),
                     .noise = NAN,
                     .fill = measure_series_mean(&h->shares),
                     .known = h->known,
                     .accuracy = NAN,
                     .precision = NAN};
    if (view_space(v)->unit != SPACE_METRES) return r;
    r.accuracy = (measure_series_median(&h->values) - h->known) / h->known;
    if (r.frames > 1) r.precision = r.deviation / r.mean;
    return r;
}

int view_measure_rows(const view *v, bool noise, measure_row rows[MEASURE_ROWS]) {
    const view_measurements *m = v->measured;
    const space *s = view_space(v);
    for (int i = 0; i < m->measured_pins; i++) {
        const view_pixel *p = &m->pins[i];
        double a[3], b[3];
        rows[i] = row_of(v, &m->of_pins[i], p->disparity);
        rows[i].number = i + 1;
        rows[i].box = (measure_box){p->x, p->y, 1, 1};
        rows[i].reason = p->reason;
        if (i && s->unit == SPACE_METRES && space_point(s, p->x, p->y, p->disparity, a) &&
            space_point(s, p[-1].x, p[-1].y, p[-1].disparity, b))
            rows[i].distance = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    }
    if (!m->has_box || !m->has_region) return m->measured_pins;
    measure_row *r = &rows[m->measured_pins];
    *r = row_of(v, &m->of_box, m->region.has_plane ? m->region.middle : m->region.mean);
    r->box = m->box;
    r->disparity = m->region.mean;
    r->spread = m->region.deviation;
    r->nearest = m->region.nearest;
    r->closest = depth_of(v, m->region.nearest);
    r->nearest_x = m->region.nearest_x;
    r->nearest_y = m->region.nearest_y;
    r->precision = NAN;
    if (m->region.has_plane) {
        r->residual = m->region.residual;
        r->flatness = m->region.metres;
        r->precision = m->region.metres / r->depth;
    }
    if (noise) r->noise = measure_noise_median(&m->noise);
    return m->measured_pins + 1;
}

void view_measure_know(view *v, int row, double metres) {
    view_measurements *m = v->measured;
    history *h = row < m->measured_pins ? &m->of_pins[row] : &m->of_box;
    h->known = metres > 0 ? metres : NAN;
}

void view_measure(view *v, const copied_map *map, const char *set) {
    view_measurements *m = v->measured;
    if (!map || (m->changed ? map->version < m->changed_at : map->version == m->version)) return;
    if (m->set && strcmp(m->set, set) != 0) begin_all_anew(m);
    m->version = map->version;
    m->set = set;
    m->changed = false;
    for (int i = 0; i < m->pin_count; i++) {
        view_pixel *p = &m->pins[i];
        p->disparity = ((const float *)sv_row(&map->disparity, p->y))[p->x];
        p->reason = ((const uint8_t *)sv_row(&map->reason, p->y))[p->x];
    }
    m->measured_pins = m->pin_count;
    m->has_region = m->has_box;
    if (m->has_box) m->region = measure_region_of(&map->disparity, m->box, view_space(v));
    remember(v, map);
}

/* The value of a pin that was measured: "31.25 px, 2.31 m". */
static void describe_pin(const view *v, const view_pixel *p, char *text, size_t size) {
    const space *s = view_space(v);
    const char *set = v->measured->set;
    const double d = p->disparity + s->doffs;
    char depth[32];
    if (!isfinite(p->disparity))
        snprintf(text, size, "%snone: %s", set, sv_reason_name(p->reason));
    else if (s->unit == SPACE_METRES && d > 0)
        snprintf(text, size, "%s%.2f px, %s m", set, p->disparity,
                 measure_number(s->unit_depth / d, 4, depth, sizeof depth));
    else
        snprintf(text, size, "%s%.2f px", set, p->disparity);
}

/* The distance from the previous pin: "; 0.532 m from pin 1", "" if there is none. */
static void describe_distance(const view *v, int which, char *text, size_t size) {
    const view_measurements *m = v->measured;
    char distance[48] = "";
    *text = 0;
    if (which) measure_distance(view_space(v), &m->pins[which - 1], &m->pins[which], distance, sizeof distance);
    if (*distance) snprintf(text, size, "; %s from pin %d", distance, which);
}

bool view_measures_news(view *v, char *text, size_t size) {
    view_measurements *m = v->measured;
    char value[64], more[96];
    if (m->reported_pins < m->pin_count && m->measured_pins > m->reported_pins) {
        const int i = m->reported_pins++;
        const view_pixel *p = &m->pins[i];
        describe_pin(v, p, value, sizeof value);
        describe_distance(v, i, more, sizeof more);
        snprintf(text, size, "pin %d at (%d, %d): %s%s", i + 1, p->x, p->y, value, more);
        return true;
    }
    if (m->has_box && m->has_region && !m->reported_box && !m->changed && !v->dragging) {
        const measure_box *b = &m->box;
        char lines[MEASURE_LINES][MEASURE_LINE_BYTES];
        m->reported_box = true;
        measure_describe(&m->region, view_space(v), lines);
        snprintf(text, size, "rectangle %d x %d at (%d, %d): %s%s%s%s%s%s", b->width, b->height, b->x, b->y, m->set,
                 lines[0], *lines[1] ? "; " : "", lines[1], *lines[2] ? "; " : "", lines[2]);
        return true;
    }
    return false;
}

/* ---- Drawing ---------------------------------------------------------------------------------- */

/* The corners of the rectangle on the screen: x of its left, y of its upper edge, and of the others. */
static void corners_of(const view_pane *pane, const measure_box *b, double corners[4]) {
    corners[0] = pane->left + b->x * pane->scale_x;
    corners[1] = pane->top - b->y * pane->scale_y;
    corners[2] = pane->left + (b->x + b->width) * pane->scale_x;
    corners[3] = pane->top - (b->y + b->height) * pane->scale_y;
}

/* False also where all of the rectangle is outside of what is zoomed in on. */
static bool shows_box(const view_part *part, const measure_box *b) {
    const view_rect *shown = &part->pane.shown;
    double c[4];
    if (part->kind == VIEW_RIGHT || part->kind == VIEW_CLOUD || !shown->width) return false;
    corners_of(&part->pane, b, c);
    return c[0] < shown->x + shown->width && c[2] > shown->x && c[1] > shown->y && c[3] < shown->y + shown->height;
}

void view_draw_measures(const view *v, const view_part *parts, int count) {
    const view_measurements *m = v->measured;
    for (int i = 0; i < count; i++) {
        const view_rect *clip = parts[i].kind == VIEW_CLOUD ? &parts[i].pane.cell : &parts[i].pane.shown;
        if (m->has_box && shows_box(&parts[i], &m->box)) {
            double c[4];
            corners_of(&parts[i].pane, &m->box, c);
            view_draw_frame(clip, c[0], c[3], c[2], c[1]);
            if (m->has_region && isfinite(m->region.nearest))
                view_draw_cross(&parts[i].pane, m->region.nearest_x + 0.5, m->region.nearest_y + 0.5);
        }
        for (int pin = 0; pin < m->pin_count; pin++) {
            double x, y;
            if (place_of(v, &parts[i], &m->pins[pin], &x, &y)) view_draw_pin(clip, x, y);
        }
    }
}

void view_add_measures(const view *v, const view_part *part, float line, view_word_list *list) {
    const view_measurements *m = v->measured;
    const view_rect *cell = &part->pane.cell;
    for (int pin = 0; pin < m->pin_count; pin++) {
        char text[96], value[64] = "", more[96] = "";
        double x, y;
        if (!place_of(v, part, &m->pins[pin], &x, &y)) continue;
        if (pin < m->measured_pins) {
            describe_pin(v, &m->pins[pin], value, sizeof value);
            describe_distance(v, pin, more, sizeof more);
        }
        snprintf(text, sizeof text, "%d  %.40s%.40s", pin + 1, value, more);
        const double below_label = cell->y + cell->height - 2.75 * (double)line; /* of the view */
        view_add_word(list, x + (double)line / 2, fmin(y + (double)line / 4, below_label), cell, text);
    }
    if (!m->has_box || !m->has_region || !shows_box(part, &m->box)) return;
    double c[4];
    char lines[MEASURE_LINES][MEASURE_LINE_BYTES];
    corners_of(&part->pane, &m->box, c);
    measure_describe(&m->region, view_space(v), lines);
    /* Under the rectangle, or above the lower edge of the view. */
    const double x = fmax(c[0], part->pane.shown.x), y = fmax(c[3], cell->y + MEASURE_LINES * (double)line);
    for (int i = 0; i < MEASURE_LINES; i++) {
        char text[96];
        snprintf(text, sizeof text, "%s%.90s", i ? "" : m->set, lines[i]);
        view_add_word(list, x, y - (i + 1) * (double)line, cell, text);
    }
}
