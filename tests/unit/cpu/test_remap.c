/* Remapping by given rectification maps, against its definition, and the results of matchers on both backends. */
#include "cpu/cpu.h"
#include "map/rectified.h"
#include "rig/rectify.h"
#include "stereo/pixel.h"
#include "tests/support/pairs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int32_t *entry(const sv_rectification *r, int side, int x, int y) {
    return r->maps[side] + 2 * (y * r->width + x);
}

/* ---- Remapping ---------------------------------------------------------------------------------- */

/* Random rectification maps, some entries in the last row and column, with empty areas if `holes` is set. */
static sv_rectification random_maps(int width, int height, bool holes) {
    sv_rectification r = {.width = width, .height = height};
    for (int side = 0; side < 2; side++) {
        r.maps[side] = malloc(2 * sizeof(int32_t) * (size_t)(width * height));
        for (int i = 0; i < width * height; i++) {
            int32_t *e = r.maps[side] + 2 * i;
            e[0] = random_below(8) ? random_below(SV_MAP_STEPS * (width - 1) + 1) : SV_MAP_STEPS * (width - 1);
            e[1] = random_below(8) ? random_below(SV_MAP_STEPS * (height - 1) + 1) : SV_MAP_STEPS * (height - 1);
        }
        for (int i = 0; holes && i < width * height; i++)
            if ((i / 7 + i / width / 5) % 4 == 0) r.maps[side][2 * i] = r.maps[side][2 * i + 1] = SV_MAP_OUTSIDE;
    }
    return r;
}

/* True if the rectified picture is empty at (x, y). */
static bool outside(const sv_rectification *r, int side, int x, int y) {
    return y < 0 || y >= r->height || (r->maps[side] && entry(r, side, x, y)[0] == SV_MAP_OUTSIDE);
}

/* Bilinear interpolation of one byte of a pixel, rounded to nearest, halves up. */
static uint8_t sample(const sv_image *image, double x, double y, int channel) {
    const int bytes = (int)sv_pixel_size(image->format), left = (int)floor(x), top = (int)floor(y);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const int column = left + i % 2, row = top + i / 2;
        const double weight = (1 - fabs(x - column)) * (1 - fabs(y - row));
        if (weight > 0) sum += weight * ((uint8_t *)sv_row(image, row))[column * bytes + channel];
    }
    return (uint8_t)floor(sum + 0.5); /* exact: weights are whole 1024ths */
}

static void remap(const sv_rectification *r, int side, int shift, const sv_image *from, const sv_image *to) {
    const int bytes = (int)sv_pixel_size(from->format);
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width * bytes; x++) {
            uint8_t *out = (uint8_t *)sv_row(to, y) + x;
            if (outside(r, side, x / bytes, y + shift))
                *out = 0;
            else if (!r->maps[side])
                *out = ((uint8_t *)sv_row(from, y + shift))[x];
            else {
                const int32_t *e = entry(r, side, x / bytes, y + shift);
                *out = sample(from, e[0] / (double)SV_MAP_STEPS, e[1] / (double)SV_MAP_STEPS, x % bytes);
            }
        }
}

/* Takes away the map of the left side, as that of a row correction alone. */
static void leave_left(sv_rectification *r) {
    free(r->maps[0]);
    r->maps[0] = NULL;
    r->rectified = true;
}

TEST(test_bilinear) {
    assert_int_equal(sv_bilinear(1, 2, 3, 4, 0, 0), 1);
    assert_int_equal(sv_bilinear(1, 2, 3, 4, 31, 0), 2);
    assert_int_equal(sv_bilinear(0, 1, 0, 1, 16, 5), 1); /* a half goes up */
    assert_int_equal(sv_bilinear(0, 0, 1, 1, 7, 15), 0);
    assert_int_equal(sv_bilinear(255, 255, 255, 255, 13, 29), 255);
    assert_int_equal(sv_matched_column(10, 2.5f, 20), 8);
    assert_int_equal(sv_matched_column(0, 0.75f, 20), 0);
    assert_int_equal(sv_matched_column(19, -0.75f, 20), 19);
}

/* The CPU backend remaps pictures of any width and stride to the byte. */
TEST(test_remap) {
    seed_random(8);
    for (int i = 0; i < 60; i++) {
        const int width = i < 20 ? 1 + i : 1 + random_below(200), height = 1 + random_below(40);
        sv_rectification r = random_maps(width, height, i % 2);
        if (i % 5 == 4) leave_left(&r);
        sv_params params = sv_default_params(SV_SSD);
        params.row_shift = i % 3 ? random_below(9) - 4 : 0;
        scene raw = new_scene(width, height, i % 5), flat = new_scene(width, height, 0);
        fill_noise(&raw.left.image, 256, 1);
        fill_noise(&raw.right.image, 256, 1);
        remap(&r, 0, 0, &raw.left.image, &flat.left.image);
        remap(&r, 1, params.row_shift, &raw.right.image, &flat.right.image);
        const cpu_job job = {.width = width, .height = height, .threads = 2, .params = &params, .rectification = &r};
        cpu_buffer buffer = {0};
        sv_pair pair = raw.pair;
        assert_int_equal(cpu_rectify(&job, &pair, &buffer, NULL), SV_OK);
        for (int y = 0; y < height; y++) {
            assert_memory_equal(sv_row(&pair.left, y), sv_row(&flat.left.image, y), (size_t)width);
            assert_memory_equal(sv_row(&pair.right, y), sv_row(&flat.right.image, y), (size_t)width);
        }
        free(buffer.data);
        free_scene(&raw);
        free_scene(&flat);
        sv_rectification_free(&r);
    }
}

/* Single pixels are those of remapped pictures. */
TEST(test_single_pixels) {
    seed_random(9);
    for (int i = 0; i < 12; i++) {
        const int width = 1 + random_below(50), height = 1 + random_below(20), shift = i % 3 ? random_below(9) - 4 : 0;
        const sv_format format = i % 2 ? SV_COLOUR8 : SV_GREY8;
        const int bytes = (int)sv_pixel_size(format);
        sv_rectification r = random_maps(width, height, i % 4 > 1), none = {0};
        if (i % 4 == 1) { /* the row shift alone */
            sv_rectification_free(&r);
            r = (sv_rectification){.width = width, .height = height};
        }
        picture raw = new_picture(format, width, height, i % 5), flat = new_picture(format, width, height, 0);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width * bytes; x++) ((uint8_t *)sv_row(&raw.image, y))[x] = (uint8_t)random_below(256);
        for (int side = 0; side < 2; side++) {
            remap(&r, side, side ? shift : 0, &raw.image, &flat.image);
            for (int at = 0; at < width * height; at++) {
                const int x = at % width, y = at / width;
                const uint8_t *expected = (uint8_t *)sv_row(&flat.image, y) + x * bytes;
                uint8_t rgb[3];
                rectified_pixel(&raw.image, r.maps[side] ? &r : &none, side, side ? shift : 0, x, y, rgb);
                for (int c = 0; c < 3; c++) assert_int_equal(rgb[c], expected[bytes > 1 ? c : 0]);
            }
        }
        free_picture(&raw);
        free_picture(&flat);
        sv_rectification_free(&r);
    }
}

/* ---- Matching ----------------------------------------------------------------------------------- */

/* Colour pictures for a scene, of noise. */
static void give_colour(scene *s, sv_image *left, sv_image *right) {
    sv_image *const images[] = {left, right};
    for (int i = 0; i < 2; i++) {
        const sv_image *grey = &s->pair.left;
        *images[i] = (sv_image){.width = grey->width, .height = grey->height, .format = SV_COLOUR8};
        images[i]->stride = 4 * (size_t)(grey->width + i);
        images[i]->data = malloc(images[i]->stride * (size_t)grey->height);
        for (size_t j = 0; j < images[i]->stride * (size_t)grey->height; j++)
            ((uint8_t *)images[i]->data)[j] = (uint8_t)random_below(256);
    }
    s->pair.left_colour = *left;
    s->pair.right_colour = *right;
}

static void match_rectified(const sv_backend *backend, const sv_rectification *r, const scene *s,
                            const sv_params *params) {
    sv_matcher *matcher;
    sv_error error;
    const sv_matcher_options options = {
        .width = s->pair.left.width, .height = s->pair.left.height, .threads = 2, .rectification = r};
    if (sv_matcher_create(backend, &options, &matcher, &error) != SV_OK) fail_msg("%s", error.text);
    submit(matcher, s, params);
    wait_for(matcher);
    sv_matcher_destroy(matcher);
}

static void check_pixel(const scene *s, int x, int y, float disparity, int reason) {
    const float got = disparity_at(s, x, y);
    if (reason_at(s, x, y) != reason || memcmp(&got, &disparity, sizeof got))
        fail_msg("pixel (%d, %d): disparity %.9g (%s), should be %.9g (%s)", x, y, (double)got,
                 sv_reason_name(reason_at(s, x, y)), (double)disparity, sv_reason_name(reason));
}

static void no_steps(sv_params *params) {
    params->speckle_size = params->holes = params->median = params->weighted_median = params->average = 0;
    params->fill = SV_FILL_NONE;
}

/* The result equals that of pictures rectified here, except for pixels and matches that are outside. */
TEST_BACKENDS(test_matching) {
    seed_random(9);
    for (int i = 0; goes_on(i, quick() ? 8 : 48); i++) {
        const int width = 8 + random_below(90), height = 6 + random_below(30), method = i % WITHOUT_MODEL;
        sv_rectification r = random_maps(width, height, i % 3);
        if (i % 5 == 4) leave_left(&r);
        if (i % 7 == 6) { /* the row shift alone */
            sv_rectification_free(&r);
            r = (sv_rectification){.width = width, .height = height, .rectified = true};
        }
        scene raw = new_scene(width, height, i % 4), flat = new_scene(width, height, 0);
        sv_image colours[4] = {{0}};
        fill_random(&raw);
        if (sv_methods[method].uses_colour && i % 8 == 3) {
            give_colour(&raw, &colours[0], &colours[1]);
            give_colour(&flat, &colours[2], &colours[3]);
        }
        sv_params params = sv_default_params((sv_method)method);
        params.rho = 1 + random_below(3);
        params.min_disparity = random_below(9) - 4;
        params.max_disparity = params.min_disparity + random_below(20);
        params.row_shift = i % 7 == 6 || i % 2 ? random_below(9) - 4 : 0;
        params.steps = ONE_OF(1, 2, 4);
        params.left_right_check = random_below(3) - 1;
        no_steps(&params);
        match_rectified(backend, &r, &raw, &params);

        sv_params plain = params;
        plain.row_shift = 0;
        remap(&r, 0, 0, &raw.left.image, &flat.left.image);
        remap(&r, 1, params.row_shift, &raw.right.image, &flat.right.image);
        if (colours[0].data) {
            remap(&r, 0, 0, &colours[0], &colours[2]);
            remap(&r, 1, params.row_shift, &colours[1], &colours[3]);
        }
        /* Pixels are marked before the left-right check, so this takes two runs, without the check and with it. */
        plain.left_right_check = -1;
        match(backend, &flat, &plain);
        bool *marked = malloc(sizeof *marked * (size_t)(width * height));
        bool *unknown = malloc(sizeof *unknown * (size_t)(width * height)); /* flat: its match was removed, too */
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const bool valid = reason_at(&flat, x, y) == SV_VALID;
                const float disparity = valid ? disparity_at(&flat, x, y) : 0;
                unknown[y * width + x] = reason_at(&flat, x, y) == SV_NO_TEXTURE;
                const int column = (int)floor((double)((float)x - disparity) + 0.5);
                marked[y * width + x] = outside(&r, 0, x, y) || (valid && outside(&r, 1,
                                                                                  column < 0        ? 0
                                                                                  : column >= width ? width - 1
                                                                                                    : column,
                                                                                  y + params.row_shift));
            }
        plain.left_right_check = params.left_right_check;
        match(backend, &flat, &plain);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                if (marked[y * width + x])
                    check_pixel(&raw, x, y, INFINITY, SV_BORDER);
                else if (unknown[y * width + x] && reason_at(&raw, x, y) == SV_BORDER)
                    check_pixel(&raw, x, y, INFINITY, SV_BORDER);
                else
                    check_pixel(&raw, x, y, disparity_at(&flat, x, y), reason_at(&flat, x, y));
        free(unknown);
        free(marked);
        for (int j = 0; j < 4; j++) free(colours[j].data);
        free_scene(&raw);
        free_scene(&flat);
        sv_rectification_free(&r);
    }
}

/* Whatever is filled and filtered, pixels that the left picture does not show have no value; if everything is shown,
 * the result equals that of pictures rectified here. The backends agree. */
TEST_BACKENDS(test_refinement) {
    seed_random(10);
    for (int i = 0; goes_on(i, quick() ? 4 : 24); i++) {
        const int width = 20 + random_below(60), height = 8 + random_below(20), method = i % WITHOUT_MODEL;
        const bool holes = i % 2;
        sv_rectification r = random_maps(width, height, holes);
        scene raw = new_scene(width, height, 0), flat = new_scene(width, height, 0);
        fill_random(&raw);
        sv_params params = sv_default_params((sv_method)method);
        params.max_disparity = 15;
        params.fill = ONE_OF(SV_FILL_NONE, SV_FILL_ROW, SV_FILL_CROSS, SV_FILL_SURFACE);
        params.median = ONE_OF(0, 3);
        params.weighted_median = ONE_OF(0, 2);
        params.average = ONE_OF(0, 3);
        params.scale = ONE_OF(1, 1, 2, 4);
        match_rectified(backend, &r, &raw, &params);
        if (holes) {
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++)
                    if (outside(&r, 0, x, y)) check_pixel(&raw, x, y, INFINITY, SV_BORDER);
            fill_flat(&flat.left.image, 0);
            for (int y = 0; y < height; y++) {
                memcpy(sv_row(&flat.left.image, y), sv_row(&raw.left.image, y), (size_t)width);
                memcpy(sv_row(&flat.right.image, y), sv_row(&raw.right.image, y), (size_t)width);
            }
            match_rectified(&sv_cpu, &r, &flat, &params);
        } else {
            remap(&r, 0, 0, &raw.left.image, &flat.left.image);
            remap(&r, 1, 0, &raw.right.image, &flat.right.image);
            match(backend, &flat, &params);
        }
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) check_pixel(&raw, x, y, disparity_at(&flat, x, y), reason_at(&flat, x, y));
        free_scene(&raw);
        free_scene(&flat);
        sv_rectification_free(&r);
    }
}

/* One matcher, with and without a shift, with colour and without, two pairs at a time; the stage has a time if it
 * runs. */
TEST_BACKENDS(test_changing_shift) {
    sv_matcher *matcher;
    seed_random(11);
    scene s[SV_IN_FLIGHT], flat = new_scene(50, 20, 0);
    const sv_rectification none = {.width = 50, .height = 20, .rectified = true};
    sv_params params[SV_IN_FLIGHT];
    assert_int_equal(sv_matcher_create(backend,
                                       &(sv_matcher_options){.width = 50, .height = 20, .rectification = &none},
                                       &matcher, NULL),
                     SV_OK);
    for (int i = 0; i < SV_IN_FLIGHT; i++) s[i] = new_scene(50, 20, i);
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < SV_IN_FLIGHT; i++) {
            params[i] = params_of((round + i) % METHODS, 2, 0, 9);
            params[i].row_shift = (round + i) % 3 * 2 - 2;
            fill_random(&s[i]);
            submit(matcher, &s[i], &params[i]);
        }
        for (int i = 0; i < SV_IN_FLIGHT; i++) {
            sv_times times;
            assert_int_equal(sv_wait(matcher, &times, NULL), SV_OK);
            assert_true(params[i].row_shift ? times.ms[SV_RECTIFY] > 0 : times.ms[SV_RECTIFY] == 0);
            if (params[i].row_shift) {
                /* Rows that the right picture does not have are not matched. */
                const int y = params[i].row_shift < 0 ? 0 : 19;
                for (int x = 0; x < 50; x++) assert_true(reason_at(&s[i], x, y) != SV_VALID);
            } else {
                check_maps(&s[i], &params[i]);
            }
        }
    }
    sv_matcher_destroy(matcher);
    free_scene(&flat);
    for (int i = 0; i < SV_IN_FLIGHT; i++) free_scene(&s[i]);
}
