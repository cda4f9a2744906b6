/* A rendered stereo scene whose disparity is known exactly: see synthetic.h.
 *
 * Both cameras are pinholes with parallel axes: the left one sees a point (X, Y, Z) of its system at x = cx + f X / Z,
 * the right one, moved by the baseline b along X, at x - f b / Z. Rays have length 1 along Z: a hit's distance is its
 * depth. */
#include "capture/synthetic/synthetic.h"

#include "capture/synthetic/world.h"
#include "stereo/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double BASELINE = 0.16; /* metres */

/* Focal length in pixels: the view is never wider or higher than that of the demo. */
static double focal_length(const scene *scene) { return 0.9 * fmax(scene->width, 4.0 / 3.0 * scene->height); }

scene scene_of_size(int width, int height) {
    scene scene = {.width = width, .height = height, .rate = 25, .frames = 150};
    double scale = focal_length(&scene) / 576; /* of the demo */
    scene.min_disparity = 5 * scale;
    scene.max_disparity = 60 * scale;
    return scene;
}

scene scene_demo(void) { return scene_of_size(640, 480); }

typedef struct view {
    world world;
    double focal; /* pixels */
    double centre_x, centre_y;
    vec eye;
} view;

static view view_of(const scene *scene, int64_t index, scene_side side) {
    view view = {.world = world_at((double)(index % scene->frames) / (double)scene->frames),
                 .focal = focal_length(scene),
                 .centre_x = 0.5 * (scene->width - 1),
                 .centre_y = 0.5 * (scene->height - 1)};
    double shift = side == SCENE_RIGHT ? BASELINE : 0;
    view.eye = vec_add(view.world.eye, vec_scale(view.world.camera.x, shift));
    return view;
}

static ray ray_of(const view *view, double x, double y) {
    vec direction = {(x - view->centre_x) / view->focal, (y - view->centre_y) / view->focal, 1};
    return (ray){view->eye, rotate_out(&view->world.camera, direction)};
}

static colour shade(const view *view, ray ray, hit hit) {
    vec point = vec_add(ray.origin, vec_scale(ray.direction, hit.distance));
    vec normal = world_normal(&view->world, hit, point);
    double slant = fabs(vec_dot(normal, ray.direction)) / sqrt(vec_dot(ray.direction, ray.direction));
    return paint(&view->world, hit, point, hit.distance / view->focal / fmax(slant, 0.1));
}

/* An edge runs through the pixel: the mean of SAMPLES x SAMPLES rays. */
static colour shade_edge(const view *view, unsigned candidates, int x, int y) {
    enum { SAMPLES = 4 };
    colour sum = {0, 0, 0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        ray ray = ray_of(view, x + (i % SAMPLES + 0.5) / SAMPLES - 0.5, y + (i / SAMPLES + 0.5) / SAMPLES - 0.5);
        colour c = shade(view, ray, world_hit(&view->world, ray, candidates));
        sum = (colour){sum.r + c.r, sum.g + c.g, sum.b + c.b};
    }
    const float share = 1.0f / (SAMPLES * SAMPLES);
    return (colour){sum.r * share, sum.g * share, sum.b * share};
}

static uint8_t to_byte(float value) { return (uint8_t)(value <= 0 ? 0 : value >= 1 ? 255 : 255 * value + 0.5f); }

static bool same(hit a, hit b) { return a.solid == b.solid && a.face == b.face; }

enum { TILE = 32 }; /* pixels on a side */

/* Tests the corners of the tile's pixels first: a pixel whose corners all see one face needs only one ray. */
static void render_tile(const view *view, sv_image to, int left, int top) {
    hit corners[TILE + 1][TILE + 1];
    int width = to.width - left < TILE ? to.width - left : TILE;
    int height = to.height - top < TILE ? to.height - top : TILE;
    /* Half the tile's diagonal, and a pixel more. */
    double spread = (0.7072 * TILE + 1) / view->focal;
    unsigned candidates = world_candidates(&view->world, ray_of(view, left + TILE / 2, top + TILE / 2), spread);
    for (int y = 0; y <= height; y++)
        for (int x = 0; x <= width; x++)
            corners[y][x] = world_hit(&view->world, ray_of(view, left + x - 0.5, top + y - 0.5), candidates);
    for (int y = 0; y < height; y++) {
        uint8_t *pixel = (uint8_t *)sv_row(&to, top + y) + 4 * left;
        for (int x = 0; x < width; x++, pixel += 4) {
            hit corner = corners[y][x];
            bool one_face = same(corner, corners[y][x + 1]) && same(corner, corners[y + 1][x]) &&
                            same(corner, corners[y + 1][x + 1]);
            ray ray = ray_of(view, left + x, top + y);
            colour c = one_face ? shade(view, ray, world_hit_one(&view->world, ray, corner.solid))
                                : shade_edge(view, candidates, left + x, top + y);
            pixel[0] = to_byte(c.r);
            pixel[1] = to_byte(c.g);
            pixel[2] = to_byte(c.b);
            pixel[3] = 255;
        }
    }
}

void scene_render(const scene *scene, int64_t index, scene_side side, sv_image colour) {
    const view view = view_of(scene, index, side);
#pragma omp parallel for schedule(dynamic)
    for (int y = 0; y < colour.height; y += TILE)
        for (int x = 0; x < colour.width; x += TILE) render_tile(&view, colour, x, y);
}

void scene_truth(const scene *scene, int64_t index, sv_image disparity, sv_image occluded) {
    view left = view_of(scene, index, SCENE_LEFT), right = view_of(scene, index, SCENE_RIGHT);
    const double unit = left.focal * BASELINE; /* disparity times depth */
    for (int y = 0; y < disparity.height; y++) {
        float *to = sv_row(&disparity, y);
        uint8_t *hidden = occluded.data ? sv_row(&occluded, y) : NULL;
        for (int x = 0; x < disparity.width; x++) {
            double d = unit / world_hit(&left.world, ray_of(&left, x, y), ALL_SOLIDS).distance;
            to[x] = (float)d;
            if (!hidden) continue;
            double there = unit / world_hit(&right.world, ray_of(&right, x - d, y), ALL_SOLIDS).distance;
            hidden[x] = x - d < 0 || x - d > disparity.width - 1 || there > d + 1e-6 ? SV_BORDER : SV_VALID;
        }
    }
}

/* ---- The scene as a source -------------------------------------------------------------------- */

typedef struct synthetic_source {
    source base;
    scene scene;
    scene_side side;
    source_options options;
    pool *pool;
    sv_image unseen; /* a colour picture to render into if only its grey is needed */
    int64_t next;
} synthetic_source;

/* Luma of full range, as the decoder of the demo files gives it (ITU-R BT.601). */
static void to_grey(sv_image colour, sv_image grey) {
    for (int y = 0; y < grey.height; y++) {
        const uint8_t *from = sv_row(&colour, y);
        uint8_t *to = sv_row(&grey, y);
        for (int x = 0; x < grey.width; x++, from += 4)
            to[x] = (uint8_t)((19595 * from[0] + 38470 * from[1] + 7471 * from[2] + 32768) >> 16);
    }
}

static sv_status synthetic_read(source *base, frame **out, sv_error *error) {
    synthetic_source *self = (synthetic_source *)base;
    if (atomic_load(&base->interrupted) || self->next >= self->scene.frames) return SV_END;
    double start = sv_seconds();
    const bool coloured = source_wants_colour(&self->options);
    if (!coloured && !self->unseen.data) self->unseen.data = malloc(self->unseen.stride * (size_t)self->scene.height);
    frame *frame = coloured || self->unseen.data
                       ? frame_create(self->pool, self->scene.width, self->scene.height, true, coloured)
                       : NULL;
    if (!frame) return sv_fail(error, SV_FAILED, "%s: out of memory for a frame", base->name);
    const sv_image colour = coloured ? frame->colour : self->unseen;
    scene_render(&self->scene, self->next, self->side, colour);
    to_grey(colour, frame->grey);
    frame->index = self->next++;
    frame->time = (double)frame->index / self->scene.rate;
    frame->decoded = sv_seconds();
    frame->decode_ms = (float)(1e3 * (frame->decoded - start));
    *out = frame;
    return SV_OK;
}

static sv_status synthetic_seek(source *base, double seconds, sv_error *error) {
    (void)error;
    ((synthetic_source *)base)->next = source_frame_at(&base->info, seconds);
    return SV_OK;
}

static void synthetic_close(source *base) {
    synthetic_source *self = (synthetic_source *)base;
    pool_close(self->pool);
    free(self->unseen.data);
    free(base->name);
    free(base);
}

static const source_operations synthetic_operations = {synthetic_read, synthetic_seek, NULL, NULL, synthetic_close};

source *source_open_synthetic(const scene *scene, scene_side side, const source_options *options) {
    synthetic_source *self = sv_alloc(1, sizeof *self);
    self->base.name = sv_strdup(side == SCENE_LEFT ? "synthetic left" : "synthetic right");
    self->base.operations = &synthetic_operations;
    self->base.info = (source_info){.width = scene->width,
                                    .height = scene->height,
                                    .rate = scene->rate,
                                    .duration = (double)scene->frames / scene->rate,
                                    .frames = scene->frames,
                                    .seekable = true};
    snprintf(self->base.info.description, sizeof self->base.info.description, "synthetic %dx%d %.4g fps", scene->width,
             scene->height, scene->rate);
    self->scene = *scene;
    self->side = side;
    self->options = *options;
    self->unseen = (sv_image){NULL, 4 * (size_t)scene->width, scene->width, scene->height, SV_COLOUR8, SV_HOST};
    self->pool = pool_create(options->memory);
    return &self->base;
}
