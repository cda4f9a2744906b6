/* The view of the point cloud: its camera, drawing, and the numbers of the grid. */
#include "render/view/view_cloud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/view/view_maps.h"
#include "render/view/view_units.h"
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
    const orbit_fit fit = orbit_fit_of(s, cell.width, cell.height);
    const double distance = v->cloud->orbit.distance;
    orbit_fly(&v->cloud->orbit, -dx * distance / (s->fx * fit.scale_x), dy * distance / (s->fy * fit.scale_y), 0);
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

typedef struct words {
    view_word *list;
    int count, most;
    float apart; /* as of view_cloud_words */
} words;

/* How much room a word takes, generously: the size of the letters is the panel's. */
static float width_of(const view_word *word, float apart) { return (float)strlen(word->text) * apart / 4; }
static float height_of(float apart) { return apart / 2; }

static bool overlap(const view_word *a, const view_word *b, float apart) {
    return a->x < b->x + width_of(b, apart) && b->x < a->x + width_of(a, apart) &&
           fabsf(a->y - b->y) < height_of(apart);
}

/* Adds a word if there is room for it. */
static void add(words *w, const view_word *word) {
    for (int i = 0; i < w->count; i++)
        if (overlap(&w->list[i], word, w->apart)) return;
    if (w->count < w->most) w->list[w->count++] = *word;
}

/* The lines of the grid that x or z numbers: their far ends, or along its middle. */
typedef struct number_line {
    const space_grid *grid;
    const float *matrix;
    view_rect cell;
    bool of_x;
} number_line;

/* The number of a line at its place in the window. False if that is behind the camera. */
static bool number(const number_line *l, int line, view_word *word) {
    const space_grid *g = l->grid;
    const double point[] = {l->of_x ? line * g->step : 0, g->floor, (l->of_x ? g->ahead : line) * g->step};
    double x, y;
    if (!orbit_project(l->matrix, point, l->cell.width, l->cell.height, &x, &y)) return false;
    *word = (view_word){.x = (float)(l->cell.x + x), .y = (float)(l->cell.y + y)};
    snprintf(word->text, sizeof word->text, "%.6g", line * g->step);
    return true;
}

/* How round a line is: it is a multiple of this, of which each is a multiple of those before it. */
static int roundness(int line) {
    static const int every[] = {20, 10, 2, 1};
    int i = 0;
    while (line % every[i]) i++;
    return every[i];
}

/* False where the next numbers that are as round would be too close: only rounder ones remain there. */
static bool is_numbered(const number_line *l, int line, const view_word *word, float apart) {
    const int step = roundness(line);
    view_word next;
    for (int side = -1; side <= 1; side += 2)
        if (line && number(l, line + side * step, &next) && overlap(word, &next, apart)) return false;
    return true;
}

static void number_lines(words *w, const number_line *l) {
    const space_grid *g = l->grid;
    const view_rect *c = &l->cell;
    const int first = l->of_x ? -g->across : 1, last = l->of_x ? g->across : g->ahead;
    for (int i = first; i <= last; i++) {
        view_word word;
        if (!number(l, i, &word) || word.x < (float)c->x || word.x > (float)(c->x + c->width) - w->apart ||
            word.y < (float)c->y + w->apart || word.y > (float)(c->y + c->height) - w->apart)
            continue;
        if (is_numbered(l, i, &word, w->apart)) add(w, &word);
    }
}

/* What a cell of the grid measures. */
static void describe_grid(words *w, const view_cloud *c, view_rect cell) {
    view_word word = {.x = (float)cell.x + w->apart / 4, .y = (float)cell.y + w->apart / 4};
    const int length =
        snprintf(word.text, sizeof word.text, "grid: %.6g %s", c->grid.step, space_unit_name(c->space.unit));
    if (c->space.assumed)
        snprintf(word.text + length, sizeof word.text - (size_t)length, ", if the field of view is %d degrees",
                 SPACE_ASSUMED_FIELD);
    add(w, &word);
}

int view_cloud_words(const view *v, const view_settings *settings, view_rect area, float apart, view_word *list,
                     int most) {
    const view_cloud *c = v->cloud;
    view_part parts[VIEW_MOST_PARTS];
    words w = {list, 0, most, apart};
    const int count = view_parts(settings, area, v->width, v->height, parts);
    for (int i = 0; i < count; i++) {
        const view_rect cell = parts[i].pane.cell;
        float matrix[16];
        if (parts[i].kind != VIEW_CLOUD || cell.width < 1 || cell.height < 1 || !view_has_map(v, 0)) continue;
        describe_grid(&w, c, cell);
        if (!settings->cloud.grid) continue;
        orbit_matrix(&c->orbit, &c->space, cell.width, cell.height, matrix);
        for (int of_x = 1; of_x >= 0; of_x--) number_lines(&w, &(number_line){&c->grid, matrix, cell, of_x});
    }
    return w.count;
}
