/* Pictures for the benchmark: see bench_pictures.h. */
#include "tests/bench/bench_pictures.h"

#include "capture/synthetic/synthetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pixel {
    uint8_t red, green, blue, full;
} pixel;

static void free_pairs(bench_pictures *p) {
    if (p->memory) p->backend->free(p->memory);
    p->memory = NULL;
    p->count = 0;
}

static void free_scene(bench_pictures *p) {
    free(p->scene.data);
    free(p->truth.data);
    p->scene.data = p->truth.data = NULL;
}

void bench_pictures_free(bench_pictures *p) {
    free_pairs(p);
    free_scene(p);
}

static sv_status render(bench_pictures *p, int width, int height, sv_error *error) {
    if (p->scene.data && p->scene.width == width && p->scene.height == height) return SV_OK;
    const scene scene = scene_of_size(width, height);
    const size_t stride = 4 * (size_t)width;
    free_scene(p);
    p->scene = (sv_image){malloc(stride * (size_t)height), stride, width, height, SV_COLOUR8, SV_HOST};
    p->truth = (sv_image){malloc(stride * (size_t)height), stride, width, height, SV_FLOAT32, SV_HOST};
    if (!p->scene.data || !p->truth.data) {
        free_scene(p);
        return sv_fail(error, SV_FAILED, "out of memory for pictures of %d x %d", width, height);
    }
    scene_render(&scene, 0, SCENE_LEFT, p->scene);
    scene_truth(&scene, 0, p->truth, (sv_image){0});
    return SV_OK;
}

/* Renders a row of the right picture. A left pixel goes to the nearest column; nearer pixels hide farther ones, and
 * columns that no left pixel reaches repeat the one to their left. */
static void warp_row(const bench_pictures *p, int y, float *nearest, pixel *to) {
    const scene scene = scene_of_size(p->width, p->height);
    const int width = p->width;
    const pixel *from = sv_row(&p->scene, y);
    const float *truth = sv_row(&p->truth, y);
    const double scale = (p->max_disparity - p->min_disparity) / (scene.max_disparity - scene.min_disparity);
    for (int x = 0; x < width; x++) nearest[x] = -INFINITY;
    for (int x = 0; x < width; x++) {
        const double d = p->min_disparity + (truth[x] - scene.min_disparity) * scale;
        const long column = x - lround(d);
        if (column < 0 || column >= width || d <= nearest[column]) continue;
        nearest[column] = (float)d;
        to[column] = from[x];
    }
    for (int x = 0; x < width; x++)
        if (isinf(nearest[x])) to[x] = x ? to[x - 1] : from[0];
}

/* Luma with one grey level of noise, like that of a camera. */
static uint8_t grey_of(pixel p, uint32_t *random) {
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    const int grey = (77 * p.red + 150 * p.green + 29 * p.blue) / 256 + (int)(*random % 3) - 1;
    return (uint8_t)(grey < 0 ? 0 : grey > 255 ? 255 : grey);
}

/* Fills in a row of both sides of the first pair. */
static void make_row(const bench_pictures *p, int y, float *nearest, pixel *right) {
    const sv_pair *pair = &p->pairs[0];
    const pixel *left = sv_row(&p->scene, y);
    uint8_t *grey_left = sv_row(&pair->left, y), *grey_right = sv_row(&pair->right, y);
    uint32_t random = (uint32_t)y + 1;
    warp_row(p, y, nearest, right);
    for (int x = 0; x < p->width; x++) {
        grey_left[x] = grey_of(left[x], &random);
        grey_right[x] = grey_of(right[x], &random);
    }
    if (!p->colour) return;
    memcpy(sv_row(&pair->left_colour, y), left, sizeof *left * (size_t)p->width);
    memcpy(sv_row(&pair->right_colour, y), right, sizeof *right * (size_t)p->width);
}

/* Copies `from` with its rows rotated by `rows`. */
static void copy_rotated(const sv_image *to, const sv_image *from, int rows) {
    for (int y = 0; from->data && y < from->height; y++)
        memcpy(sv_row(to, (y + rows) % to->height), sv_row(from, y), from->stride);
}

static sv_image carve(uint8_t **memory, int width, int height, sv_format format) {
    const sv_image image = {*memory, (size_t)width * sv_pixel_size(format), width, height, format, SV_HOST};
    *memory += image.stride * (size_t)height;
    return image;
}

sv_status bench_pictures_make(bench_pictures *p, const sv_backend *backend, int width, int height, int min_disparity,
                              int max_disparity, bool colour, sv_error *error) {
    if (p->memory && p->backend == backend && p->width == width && p->height == height && p->colour == colour &&
        p->min_disparity == min_disparity && p->max_disparity == max_disparity)
        return SV_OK;
    free_pairs(p);
    const sv_status status = render(p, width, height, error);
    if (status != SV_OK) return status;
    const size_t pixels = (size_t)width * (size_t)height;
    p->backend = backend;
    p->width = width;
    p->height = height;
    p->min_disparity = min_disparity;
    p->max_disparity = max_disparity;
    p->colour = colour;
    p->count = pixels > 1920 * 1080 ? BENCH_FRAMES / 2 : BENCH_FRAMES;
    uint8_t *memory = p->memory = backend->alloc(pixels * 2 * (colour ? 5 : 1) * (size_t)p->count);
    float *nearest = malloc(sizeof *nearest * (size_t)width);
    pixel *right = malloc(sizeof *right * (size_t)width);
    if (!memory || !nearest || !right) {
        free(nearest);
        free(right);
        free_pairs(p);
        return sv_fail(error, SV_FAILED, "out of memory for pictures of %d x %d", width, height);
    }
    for (int i = 0; i < p->count; i++) {
        sv_pair *pair = &p->pairs[i];
        *pair = (sv_pair){0};
        if (colour) {
            pair->left_colour = carve(&memory, width, height, SV_COLOUR8);
            pair->right_colour = carve(&memory, width, height, SV_COLOUR8);
        }
        pair->left = carve(&memory, width, height, SV_GREY8);
        pair->right = carve(&memory, width, height, SV_GREY8);
    }
    for (int y = 0; y < height; y++) make_row(p, y, nearest, right);
    free(nearest);
    free(right);
    const sv_pair *first = &p->pairs[0];
    for (int i = 1; i < p->count; i++) {
        const int rows = i * height / p->count;
        copy_rotated(&p->pairs[i].left, &first->left, rows);
        copy_rotated(&p->pairs[i].right, &first->right, rows);
        copy_rotated(&p->pairs[i].left_colour, &first->left_colour, rows);
        copy_rotated(&p->pairs[i].right_colour, &first->right_colour, rows);
    }
    return SV_OK;
}

static sv_status write_pgm(const sv_image *image, const char *folder, const char *side, int index, sv_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s_%d.pgm", folder, side, index);
    FILE *file = fopen(path, "wb");
    if (!file) return sv_fail(error, SV_FAILED, "cannot write %s; is there such a folder?", path);
    fprintf(file, "P5\n%d %d\n255\n", image->width, image->height);
    const size_t written = fwrite(image->data, image->stride, (size_t)image->height, file);
    if (fclose(file) || written != (size_t)image->height)
        return sv_fail(error, SV_FAILED, "cannot write all of %s; is the disk full?", path);
    return SV_OK;
}

sv_status bench_pictures_write(const bench_pictures *p, const char *folder, sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; status == SV_OK && i < p->count; i++) {
        status = write_pgm(&p->pairs[i].left, folder, "left", i, error);
        if (status == SV_OK) status = write_pgm(&p->pairs[i].right, folder, "right", i, error);
    }
    return status;
}
