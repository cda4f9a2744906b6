/* The view of the point cloud: its camera, drawing, and the numbers of the grid. */
#include "render/view_cloud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/view_state.h"

static const double notch = 1.15;      /* the factor of a notch of the wheel */
static const double flight = 1.0 / 20; /* of the distance to the pivot, a step */
static const double change = 1.3; /* the factor by which the depth of the scene must change for the grid to follow */

void view_cloud_follow(view *v, double disparity) {
    view_cloud *c = &v->cloud;
    const double depth = space_depth(&c->space, disparity);
    if (c->moved || (depth < change * c->middle && c->middle < change * depth)) return;
    c->middle = depth;
    c->grid = space_grid_of(&c->space, depth);
    c->orbit = orbit_home(depth);
}

void view_cloud_home(view *v) {
    v->cloud.orbit = orbit_home(v->cloud.middle);
    v->cloud.moved = false;
}

void view_cloud_fly(view *v, int right, int down, int ahead) {
    const double step = flight * v->cloud.orbit.distance;
    orbit_fly(&v->cloud.orbit, step * right, step * down, step * ahead);
    v->cloud.moved = true;
}

/* What is in front of the pivot follows the mouse. */
void view_cloud_turn(view *v, view_rect cell, int dx, int dy) {
    const double angle = M_PI / fmax(1, cell.height);
    orbit_turn(&v->cloud.orbit, angle * dx, angle * dy);
    v->cloud.moved = true;
}

/* What is as far as the pivot stays under the mouse. */
void view_cloud_pan(view *v, view_rect cell, int dx, int dy) {
    const space *s = &v->cloud.space;
    const orbit_fit fit = orbit_fit_of(s, cell.width, cell.height);
    const double distance = v->cloud.orbit.distance;
    orbit_fly(&v->cloud.orbit, -dx * distance / (s->fx * fit.scale_x), dy * distance / (s->fy * fit.scale_y), 0);
    v->cloud.moved = true;
}

void view_cloud_zoom(view *v, double notches) {
    orbit_zoom(&v->cloud.orbit, pow(notch, -notches));
    v->cloud.moved = true;
}

void view_draw_cloud(view *v, const view_settings *settings, const view_maps *maps, view_rect cell) {
    view_cloud *c = &v->cloud;
    cloud_scene scene;
    sv_error error;
    if (c->failed) return;
    memset(&scene, 0, sizeof scene); /* its padding too */
    scene.textures.disparity = maps->disparity;
    scene.textures.picture = v->sides[0].texture;
    scene.textures.places = v->sides[0].places;
    scene.textures.colours = v->colours;
    scene.textures.version = v->version;
    memcpy(&scene.space, &c->space, sizeof scene.space);
    memcpy(&scene.grid, &c->grid, sizeof scene.grid);
    memcpy(&scene.orbit, &c->orbit, sizeof scene.orbit);
    memcpy(&scene.settings, &settings->cloud, sizeof scene.settings);
    memcpy(&scene.colour, &settings->colour, sizeof scene.colour);
    const int rectangle[] = {cell.x, cell.y, cell.width, cell.height};
    c->failed = cloud_draw(c->cloud, &scene, rectangle, &error) != SV_OK;
    if (c->failed) sv_log(SV_LOG_ERROR, "the point cloud cannot be drawn: %s", error.text);
}

int view_cloud_points(const view *v) { return cloud_points(v->cloud.cloud); }

/* ---- Words ------------------------------------------------------------------------------------ */

typedef struct words {
    view_word *list;
    int count, most;
} words;

static view_word *add(words *w, double x, double y) {
    if (w->count == w->most) return NULL;
    view_word *word = &w->list[w->count++];
    *word = (view_word){.x = (float)x, .y = (float)y};
    return word;
}

/* The place of a line's number in the cell: of x at the far end of the grid, of z along its middle. */
static bool place(const view_cloud *c, const float matrix[16], view_rect cell, bool of_x, int line, double *x,
                  double *y) {
    const space_grid *g = &c->grid;
    const double point[] = {of_x ? line * g->step : 0, g->floor, (of_x ? g->ahead : line) * g->step};
    return orbit_project(matrix, point, cell.width, cell.height, x, y);
}

/* Numbers the lines with their coordinates; where they are close to each other, every second, fifth, tenth ... only. */
static void number_lines(words *w, const view_cloud *c, const float matrix[16], view_rect cell, float apart,
                         bool of_x) {
    static const int every[] = {1, 2, 5, 10, 20};
    const space_grid *g = &c->grid;
    const int first = of_x ? -g->across : 1, last = of_x ? g->across : g->ahead;
    double x, y, last_x = -INFINITY, last_y = -INFINITY;
    size_t e = 0;
    for (double x0, y0; of_x && e + 1 < sizeof every / sizeof *every; e++)
        if (place(c, matrix, cell, of_x, 0, &x0, &y0) && place(c, matrix, cell, of_x, every[e], &x, &y) &&
            hypot(x - x0, y - y0) >= apart)
            break;
    for (int i = first; i <= last; i++) {
        if (i % every[e] || !place(c, matrix, cell, of_x, i, &x, &y)) continue;
        if (x < 0 || y < apart || x > cell.width - apart || y > cell.height - apart) continue;
        if (hypot(x - last_x, y - last_y) < apart) continue;
        view_word *word = add(w, cell.x + x, cell.y + y);
        if (word) snprintf(word->text, sizeof word->text, "%.6g", i * g->step);
        last_x = x;
        last_y = y;
    }
}

int view_cloud_words(const view *v, const view_settings *settings, view_rect area, float apart, view_word *list,
                     int most) {
    const view_cloud *c = &v->cloud;
    view_part parts[VIEW_MOST_PARTS];
    words w = {list, 0, most};
    const int count = view_parts(settings, area, v->width, v->height, parts);
    for (int i = 0; i < count; i++) {
        const view_rect cell = parts[i].pane.cell;
        float matrix[16];
        if (parts[i].kind != VIEW_CLOUD || cell.width < 1 || cell.height < 1 || !v->maps[0].known) continue;
        view_word *word = add(&w, cell.x + apart / 4, cell.y + apart / 4);
        if (word && c->space.assumed)
            snprintf(word->text, sizeof word->text, "grid: %.6g %s, if the field of view is %d degrees", c->grid.step,
                     space_unit_name(c->space.unit), SPACE_ASSUMED_FIELD);
        else if (word)
            snprintf(word->text, sizeof word->text, "grid: %.6g %s", c->grid.step, space_unit_name(c->space.unit));
        if (!settings->cloud.grid) continue;
        orbit_matrix(&c->orbit, &c->space, cell.width, cell.height, matrix);
        number_lines(&w, c, matrix, cell, apart, false);
        number_lines(&w, c, matrix, cell, apart, true);
    }
    return w.count;
}
