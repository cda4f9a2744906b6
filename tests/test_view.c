/* The view: maps and pictures on the screen, against the exporter and by their places. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "render/gl.h"
#include "tests/screen.h"

static void screen_and_export_agree(void **state) {
    (void)state;
    NEEDS_WINDOW();
    const float ranges[][2] = {{0, 63}, {-16.3f, 47.7f}, {5, 5}, {-1024, 1023}};
    for (int n = 0; n < SIZES; n++) {
        const int width = sizes[n][0], height = sizes[n][1];
        sv_image disparity = make_padded(width, height, SV_FLOAT32), reason = make_padded(width, height, SV_REASON8);
        sv_image expected = make_padded(width, height, SV_COLOUR8), got = make_padded(width, height, SV_COLOUR8);
        view *v = make_view(width, height);
        fill_maps(&disparity, &reason);
        assert_int_equal(view_reason_offset(v) % 256, 0);
        assert_true(view_reason_offset(v) >= (size_t)width * height * 4);
        assert_int_equal(view_buffer_size(v), view_reason_offset(v) + (size_t)width * height);
        for (int slot = 0; slot < 3; slot++) {
            assert_int_equal(view_write(v, slot, &disparity, &reason, NULL), SV_OK);
            view_show(v, slot);
            for (int map = 0; map < COLOUR_MAP_COUNT; map++)
                for (int r = 0; r < 4; r++) {
                    view_settings s = view_default();
                    s.colour = (colour_settings){.map = map,
                                                 .min = ranges[r][0],
                                                 .max = ranges[r][1],
                                                 .empty = {200, 101, 3},
                                                 .show_reasons = r % 2};
                    assert_int_equal(view_read_back(v, &s, &got, NULL), SV_OK);
                    assert_int_equal(colour_picture(&s.colour, &disparity, &reason, &expected, NULL), SV_OK);
                    assert_memory_equal(got.data, expected.data, got.stride * (size_t)height);
                }
            /* The next slot holds another map. */
            ((float *)disparity.data)[0] += 7;
        }
        view_destroy(v);
        free(disparity.data);
        free(reason.data);
        free(expected.data);
        free(got.data);
    }
    assert_no_complaints();
}

/* A canvas: RGBA8, cleared to magenta, from which nothing is drawn. */
enum { CANVAS_WIDTH = 400, CANVAS_HEIGHT = 300 };
typedef struct canvas {
    GLuint texture, framebuffer;
    uint8_t pixels[CANVAS_HEIGHT][CANVAS_WIDTH][4]; /* from the bottom */
} canvas;

static void draw_on(canvas *on, view *v, const view_settings *settings, view_rect area) {
    glGenTextures(1, &on->texture);
    glBindTexture(GL_TEXTURE_2D, on->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, CANVAS_WIDTH, CANVAS_HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &on->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, on->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, on->texture, 0);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    view_draw(v, settings, area);
    glReadPixels(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, on->pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &on->framebuffer);
    glDeleteTextures(1, &on->texture);
}

static bool inside(view_rect r, int x, int y) {
    return x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
}

/* All of `map` has one colour, all of `left` another, the rest is untouched. */
static void assert_placed(const canvas *on, view_rect map, const uint8_t *map_colour, view_rect left,
                          const uint8_t *left_colour) {
    const uint8_t clear[] = {255, 0, 255};
    for (int y = 0; y < CANVAS_HEIGHT; y++)
        for (int x = 0; x < CANVAS_WIDTH; x++)
            assert_memory_equal(on->pixels[y][x],
                                inside(map, x, y)    ? map_colour
                                : inside(left, x, y) ? left_colour
                                                     : clear,
                                3);
}

static void layouts_are_letterboxed(void **state) {
    (void)state;
    NEEDS_WINDOW();
    enum { WIDTH = 40, HEIGHT = 20 };
    static const struct {
        int layout;
        view_rect map, left;
    } expected[] = {
        /* In 300 x 200 at 50, 60: 300 x 150 alone; 147 x 74 twice with 6 between; 194 x 97 twice. */
        {VIEW_DISPARITY, {50, 85, 300, 150}, {0, 0, 0, 0}},
        {VIEW_LEFT, {0, 0, 0, 0}, {50, 85, 300, 150}},
        {VIEW_SIDE_BY_SIDE, {203, 123, 147, 74}, {50, 123, 147, 74}},
        {VIEW_OVER_UNDER, {103, 163, 194, 97}, {103, 60, 194, 97}},
    };
    const view_rect area = {50, 60, 300, 200};
    sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    sv_image grey = make_padded(WIDTH, HEIGHT, SV_GREY8);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((float *)sv_row(&disparity, y))[x] = 63;
            ((uint8_t *)sv_row(&reason, y))[x] = SV_VALID;
            ((uint8_t *)sv_row(&grey, y))[x] = 77;
        }
    const uint8_t nearest[] = {122, 4, 3}, of_left[] = {77, 77, 77};
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    static canvas on;
    draw_on(&on, v, &s, area); /* nothing to draw yet */
    assert_placed(&on, (view_rect){0}, nearest, (view_rect){0}, of_left);
    assert_int_equal(view_left(v, &grey, NULL), SV_OK);
    for (int i = 0; i < VIEW_LAYOUT_COUNT; i++) { /* before the first map, the left picture is there */
        s.layout = expected[i].layout;
        draw_on(&on, v, &s, area);
        assert_placed(&on, (view_rect){0}, nearest, expected[i].left.width ? expected[i].left : expected[i].map,
                      of_left);
    }
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    for (int i = 0; i < VIEW_LAYOUT_COUNT; i++) {
        s.layout = expected[i].layout;
        draw_on(&on, v, &s, area);
        assert_placed(&on, expected[i].map, nearest, expected[i].left, of_left);
        draw_on(&on, v, &s, (view_rect){10, 10, 0, 0});
        draw_on(&on, v, &s, (view_rect){10, 10, 1, 1});
    }
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(grey.data);
    assert_no_complaints();
}

/* Rows and columns stand as in memory, in both pictures, and the left one may change its format. */
static void pictures_stand_upright(void **state) {
    (void)state;
    NEEDS_WINDOW();
    sv_image disparity = make_padded(2, 2, SV_FLOAT32), reason = make_padded(2, 2, SV_REASON8);
    sv_image grey = make_padded(2, 2, SV_GREY8), colour = make_padded(2, 2, SV_COLOUR8);
    for (int i = 0; i < 4; i++) {
        ((float *)sv_row(&disparity, i / 2))[i % 2] = (float)(60 * i);
        ((uint8_t *)sv_row(&reason, i / 2))[i % 2] = SV_VALID;
        ((uint8_t *)sv_row(&grey, i / 2))[i % 2] = (uint8_t)(60 * i);
        const uint8_t rgba[] = {(uint8_t)(60 * i), 10, 200, 255};
        memcpy((uint8_t *)sv_row(&colour, i / 2) + 4 * (i % 2), rgba, 4);
    }
    view *v = make_view(2, 2);
    view_settings s = view_default();
    s.colour = (colour_settings){.map = COLOUR_GREY, .min = 0, .max = 255};
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    const view_rect area = {0, 0, 300, 300};
    static canvas on;
    for (int pass = 0; pass < 4; pass++) {
        s.layout = pass ? VIEW_LEFT : VIEW_DISPARITY;
        if (pass) assert_int_equal(view_left(v, pass == 2 ? &colour : &grey, NULL), SV_OK);
        draw_on(&on, v, &s, area);
        for (int i = 0; i < 4; i++) {
            /* In the outer quarter, where no neighbour is blended in. */
            const uint8_t *got = on.pixels[i / 2 ? 20 : 280][i % 2 ? 280 : 20];
            assert_int_equal(got[0], 60 * i);
            assert_int_equal(got[1], pass == 2 ? 10 : 60 * i);
            assert_int_equal(got[2], pass == 2 ? 200 : 60 * i);
        }
    }
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(grey.data);
    free(colour.data);
    assert_no_complaints();
}

/* Each pixel of the left picture is what its place in the map says, to what a texture's filter rounds. */
static void left_picture_is_rectified(void **state) {
    (void)state;
    NEEDS_WINDOW();
    enum { WIDTH = 40, HEIGHT = 30 };
    int32_t map[HEIGHT][WIDTH][2];
    sv_rectification r = {.width = WIDTH, .height = HEIGHT, .maps = {&map[0][0][0], NULL}},
                     other = {.width = 1, .height = 1};
    sv_image grey = make_padded(WIDTH, HEIGHT, SV_GREY8);
    sv_error error;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const bool outside = x < 3 || y > 24;
            *((uint8_t *)sv_row(&grey, y) + x) = (uint8_t)(20 + 3 * x + 4 * y); /* nowhere black, as outside is */
            map[y][x][0] = outside ? SV_MAP_OUTSIDE : SV_MAP_STEPS * (x - 3) + y % SV_MAP_STEPS;
            map[y][x][1] = outside ? SV_MAP_OUTSIDE : SV_MAP_STEPS * y + SV_MAP_STEPS / 2;
        }
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    s.layout = VIEW_LEFT;
    static canvas on;
    assert_int_equal(view_left(v, &grey, NULL), SV_OK);
    for (int pass = 0; pass < 3; pass++) {
        assert_int_equal(view_set_rectification(v, pass == 1 ? &r : NULL, NULL), SV_OK);
        draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, HEIGHT});
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const bool outside = map[y][x][0] == SV_MAP_OUTSIDE;
                const double expected = pass != 1 ? 20 + 3 * x + 4 * y
                                        : outside ? 0
                                                  : 20 + (3 * map[y][x][0] + 4 * map[y][x][1]) / (double)SV_MAP_STEPS;
                for (int c = 0; c < 3; c++) assert_true(fabs(on.pixels[HEIGHT - 1 - y][x][c] - expected) < 1.5);
            }
    }
    other.maps[0] = &map[0][0][0];
    assert_int_equal(view_set_rectification(v, &other, &error), SV_USAGE);
    view_destroy(v);
    free(grey.data);
    assert_no_complaints();
}

/* Asks for a place until the answer is that pixel of the map, for 10 seconds at most. */
static bool picks(view *v, const view_settings *s, view_rect area, int left, int bottom, int x, int y,
                  view_pixel *pixel) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + 10;)
        if (view_pick(v, s, area, left, bottom, pixel) && pixel->x == x && pixel->y == y) return true;
    return false;
}

/* The first answer never comes at once, since that would be to wait for the GPU. */
static void pixels_are_picked(void **state) {
    (void)state;
    NEEDS_WINDOW();
    sv_image disparity = make_padded(33, 9, SV_FLOAT32), reason = make_padded(33, 9, SV_REASON8);
    fill_maps(&disparity, &reason);
    view *v = make_view(33, 9);
    view_settings s = view_default();
    view_pixel pixel;
    const view_rect area = {7, 11, 33 * 4 * 2 + 6, 9 * 4}; /* two pictures, 4 x 4 for a pixel */
    assert_false(view_pick(v, &s, area, 50, 20, &pixel));
    assert_int_equal(view_write(v, 1, &disparity, &reason, NULL), SV_OK);
    view_show(v, 1);
    s.layout = VIEW_SIDE_BY_SIDE;
    for (int picture = 0; picture < 2; picture++)
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 33; x++) {
                const float *d = (float *)sv_row(&disparity, y) + x;
                const int left = 7 + picture * (33 * 4 + 6) + 4 * x + 3, bottom = 11 + 9 * 4 - 1 - 4 * y;
                if (!picture && !x && !y) assert_false(view_pick(v, &s, area, left, bottom, &pixel));
                assert_true(picks(v, &s, area, left, bottom, x, y, &pixel));
                assert_int_equal(pixel.reason, ((uint8_t *)sv_row(&reason, y))[x]);
                assert_memory_equal(&pixel.disparity, d, isnan(*d) ? 0 : sizeof *d);
            }
    assert_false(view_pick(v, &s, area, 6, 20, &pixel));              /* left of it */
    assert_false(view_pick(v, &s, area, 7 + 33 * 4 + 2, 20, &pixel)); /* between them */
    assert_false(view_pick(v, &s, area, 50, 10, &pixel));             /* below */
    /* Back in the map it does not begin with the place where it left. */
    for (const double begin = sv_seconds(); !view_pick(v, &s, area, 8, 12, &pixel);)
        assert_true(sv_seconds() < begin + 10);
    assert_int_equal(pixel.x, 0);
    assert_int_equal(pixel.y, 8);
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    assert_no_complaints();
}

static void ranges_are_followed(void **state) {
    (void)state;
    NEEDS_WINDOW();
    /* As many pixels as are looked at. One column in 64 is an outlier, at either end, and the next is what the second
     * per cent falls on. */
    enum { WIDTH = 64, HEIGHT = 48 };
    sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float d = x == 0           ? -1000
                            : x == 1         ? 10
                            : x == WIDTH - 2 ? 90
                            : x == WIDTH - 1 ? 5000
                                             : (float)(20 + x);
            ((float *)sv_row(&disparity, y))[x] = y % 2 ? d : INFINITY;
            ((uint8_t *)sv_row(&reason, y))[x] = 0;
        }
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    s.range = VIEW_RANGE_FIXED;
    s.colour.min = 3;
    s.colour.max = 4;
    view_follow_range(v, &s, -10, 900);
    assert_true(s.colour.min == 3 && s.colour.max == 4);
    s.range = VIEW_RANGE_SEARCHED;
    view_follow_range(v, &s, -10, 900);
    assert_true(s.colour.min == -10 && s.colour.max == 900);
    s.range = VIEW_RANGE_AUTOMATIC;
    for (int i = 0; i < 400 && s.colour.max == 900; i++) {
        view_follow_range(v, &s, -10, 900);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_true(s.colour.min == 10);
    assert_true(s.colour.max == 90);
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    assert_no_complaints();
}

static void misuse_of_a_view_is_refused(void **state) {
    (void)state;
    NEEDS_WINDOW();
    view *v;
    sv_error error;
    assert_int_equal(view_create(&v, 0, 5, 3, &error), SV_FAILED);
    assert_int_equal(view_create(&v, 1 << 20, 5, 3, &error), SV_FAILED);
    assert_non_null(strstr(error.text, "1048576"));
    assert_int_equal(view_create(&v, 5, 5, 0, &error), SV_USAGE);
    v = make_view(5, 5);
    sv_image disparity = make_padded(5, 4, SV_FLOAT32), reason = make_padded(5, 5, SV_REASON8),
             colour = make_padded(5, 5, SV_COLOUR8);
    const view_settings s = view_default();
    assert_int_equal(view_write(v, 0, &disparity, &reason, &error), SV_USAGE);
    assert_int_equal(view_write(v, 0, &reason, &reason, &error), SV_USAGE);
    assert_int_equal(view_left(v, &disparity, &error), SV_USAGE);
    assert_int_equal(view_read_back(v, &s, &colour, &error), SV_USAGE); /* nothing shown yet */
    view_destroy(v);
    view_destroy(NULL);
    free(disparity.data);
    free(reason.data);
    free(colour.data);
    assert_no_complaints();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screen_and_export_agree),     cmocka_unit_test(layouts_are_letterboxed),
        cmocka_unit_test(pictures_stand_upright),      cmocka_unit_test(left_picture_is_rectified),
        cmocka_unit_test(pixels_are_picked),           cmocka_unit_test(ranges_are_followed),
        cmocka_unit_test(misuse_of_a_view_is_refused),
    };
    return cmocka_run_group_tests_name("view", tests, open_screen, close_screen);
}
