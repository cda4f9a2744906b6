/* The view of the point cloud: its camera, drawing, and the numbers of the grid. */
#include "render/view/view_cloud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/view/view_maps.h"
#include "render/view/view_units.h"
#include "render/view/view_words.h"
#include "stereo/alloc.h"

#include <stdlib.h>

static const double notch = 1.15;      /* the factor of a notch of the wheel */
static const double flight = 1.0 / 20; /* of the distance to the pivot, a step */
static const double change = 1.3; /* the factor by which the depth of the scene must change for the grid to follow */

/* The point cloud, and from where it is seen. */
typedef struct view_cloud {
    cloud *cloud;
    space space;
    double middle; /* depth that the grid and the camera's home are made for; 0: none yet */
    space_grid grid;
    orbit orbit;
    bool moved;  /* the user has moved the camera */
    bool failed; /* it was reported that it cannot be drawn */
} view_cloud;

sv_status view_cloud_create(view *v, sv_error *error) {
    v->cloud = sv_alloc(1, sizeof *v->cloud);
    v->cloud->space = space_of(NULL, v->width, v->height);
    return cloud_create(&v->cloud->cloud, error);
}

void view_cloud_destroy(view *v) {
    if (v->cloud) cloud_destroy(v->cloud->cloud);
    free(v->cloud);
}

void view_cloud_set_rectification(view *v, const sv_rectification *r) {
    v->cloud->space = space_of(r, v->width, v->height);
    v->cloud->middle = 0; /* the grid and the camera start over, in other units */
    v->cloud->moved = false;
}

const space *view_space(const view *v) { return &v->cloud->space; }

void view_limit(view *v, const space_limits *limits) {
    float range[2];
    space_limit_disparities(&v->cloud->space, limits, range);
    view_limit_maps(v, range);
}

bool view_cloud_place(const view *v, const view_rect *cell, const view_pixel *pixel, double *x, double *y) {
    const view_cloud *c = v->cloud;
    double point[3];
    float matrix[16];
    if (cell->width < 1 || !space_point(&c->space, pixel->x, pixel->y, pixel->disparity, point)) return false;
    orbit_matrix(&c->orbit, &c->space, cell->width, cell->height, matrix);
    if (!orbit_project(matrix, point, cell->width, cell->height, x, y)) return false;
    if (*x < 0 || *y < 0 || *x >= cell->width || *y >= cell->height) return false;
    *x += cell->x;
    *y += cell->y;
    return true;
}

bool view_cloud_read_pixel(const view *v, int x, int y) { return cloud_read_pixel(v->cloud->cloud, x, y); }

void view_cloud_follow(view *v, double disparity) {
    view_cloud *c = v->cloud;
    const double depth = space_depth(&c->space, disparity);
    if (c->moved || (depth < change * c->middle && c->middle < change * depth)) return;
    c->middle = depth;
    c->grid = space_grid_of(&c->space, depth);
    c->orbit = orbit_home(depth);
}

void view_cloud_home(view *v) {
    v->cloud->orbit = orbit_home(v->cloud->middle);
    v->cloud->moved = false;
}

void view_cloud_fly(view *v, int right, int down, int ahead) {
    const double step = flight * v->cloud->orbit.distance;
    orbit_fly(&v->cloud->orbit, step * right, step * down, step * ahead);
    v->cloud->moved = true;
}

/* Points in front of the pivot follow the mouse. */
void view_cloud_turn(view *v, view_rect cell, int dx, int dy) {
    const double angle = M_PI / fmax(1, cell.height);
    orbit_turn(&v->cloud->orbit, angle * dx, angle * dy);
    v->cloud->moved = true;
}

/* Points at the pivot's distance stay under the mouse. */
void view_cloud_pan(view *v, view_rect cell, int dx, int dy) {
    const space *s = &v->cloud->space;
    const view_pane pane = orbit_pane(s, cell.width, cell.height);
    const double distance = v->cloud->orbit.distance;
    orbit_fly(&v->cloud->orbit, -dx * distance / (s->fx * pane.scale_x), dy * distance / (s->fy * pane.scale_y), 0);
    v->cloud->moved = true;
}

void view_cloud_zoom(view *v, double notches) {
    orbit_zoom(&v->cloud->orbit, pow(notch, -notches));
    v->cloud->moved = true;
}

void view_draw_cloud(view *v, const view_settings *settings, const cloud_textures *textures, view_rect cell) {
    view_cloud *c = v->cloud;
    cloud_scene scene;
    sv_error error;
    if (c->failed) return;
    memset(&scene, 0, sizeof scene); /* its padding too */
    memcpy(&scene.textures, textures, sizeof scene.textures);
    memcpy(&scene.space, &c->space, sizeof scene.space);
    memcpy(&scene.grid, &c->grid, sizeof scene.grid);
    memcpy(&scene.orbit, &c->orbit, sizeof scene.orbit);
    memcpy(&scene.settings, &settings->cloud, sizeof scene.settings);
    memcpy(&scene.colour, &settings->colour, sizeof scene.colour);
    const int rectangle[] = {cell.x, cell.y, cell.width, cell.height};
    c->failed = cloud_draw(c->cloud, &scene, rectangle, &error) != SV_OK;
    if (c->failed) sv_log(SV_LOG_ERROR, "the point cloud cannot be drawn: %s", error.text);
}

int view_cloud_points(const view *v) { return cloud_points(v->cloud->cloud); }

/* ---- Words ------------------------------------------------------------------------------------ */

static bool overlap(const view_word *a, const view_word *b, float apart) {
    const float letter = apart / 4; /* generously: its size is the panel's */
    return a->x < b->x + letter * (float)strlen(b->text) && b->x < a->x + letter * (float)strlen(a->text) &&
           fabsf(a->y - b->y) < apart / 2;
}

/* Adds a word if there is room for it. */
static void add(view_word_list *list, double x, double y, const char *text, float apart) {
    const int before = list->count;
    view_add_word(list, x, y, NULL, text);
    for (int i = 0; i < before && list->count > before; i++)
        if (overlap(&list->words[i], &list->words[before], apart)) list->count = before;
}

/* Numbers the lines of the grid along x, at their far ends, or along z, in its middle: rounder ones first. */
static void number_lines(const view_cloud *c, const view_rect *cell, bool of_x, float apart, view_word_list *list) {
    static const int multiples[] = {20, 10, 2, 1};
    const space_grid *g = &c->grid;
    const int first = of_x ? -g->across : 1, last = of_x ? g->across : g->ahead;
    float matrix[16];
    orbit_matrix(&c->orbit, &c->space, cell->width, cell->height, matrix);
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
        for (int line = first; line <= last; line++) {
            const double point[] = {of_x ? line * g->step : 0, g->floor, (of_x ? g->ahead : line) * g->step};
            double x, y;
            char text[32];
            if (line % multiples[i] || !orbit_project(matrix, point, cell->width, cell->height, &x, &y)) continue;
            if (x < 0 || x > cell->width - apart || y < apart || y > cell->height - apart) continue;
            snprintf(text, sizeof text, "%.6g", line * g->step);
            add(list, cell->x + x, cell->y + y, text, apart);
        }
}

void view_add_grid(const view *v, const view_settings *settings, const view_part *part, float apart,
                   view_word_list *list) {
    const view_cloud *c = v->cloud;
    const view_rect *cell = &part->pane.cell;
    char text[96];
    if (part->kind != VIEW_CLOUD || cell->width < 1 || cell->height < 1 || !view_has_map(v, 0)) return;
    const int length = snprintf(text, sizeof text, "grid: %.6g %s", c->grid.step, space_unit_name(c->space.unit));
    if (c->space.assumed)
        snprintf(text + length, sizeof text - (size_t)length, ", if the field of view is %d degrees",
                 SPACE_ASSUMED_FIELD);
    add(list, cell->x + (double)apart / 4, cell->y + (double)apart / 4, text, apart);
    for (int of_x = 1; of_x >= 0 && settings->cloud.grid; of_x--) number_lines(c, cell, of_x, apart, list);
}
