/* What is read off the map in the views: copies of it, pins, the rectangle, and the pixel that the cloud shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/view_measures.h"
#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 80, HEIGHT = 60, GAP = 6 };

/* Two views side by side, at one pixel of the screen for each of the pictures, which lie at the top. */
static const view_rect area = {30, 20, 2 * WIDTH + GAP, HEIGHT + 1};

/* A surface that leans, with a column of pixels without values and an object in front of it. */
static float disparity_at(int x, int y) {
    if (x % 16 == 5) return INFINITY;
    return x > 30 && x < 50 && y > 20 && y < 40 ? 30 : 10 + (float)y / 20;
}

/* Where the window shows a pixel of the picture in a view, from the bottom. */
static int screen_x(int view, int x) { return area.x + view * (WIDTH + GAP) + x; }
static int screen_y(int y) { return area.y + HEIGHT - y; }

static view *make(view_settings *settings, int kind) {
    view *v = make_view(WIDTH, HEIGHT);
    sv_image left = make_padded(WIDTH, HEIGHT, SV_GREY8);
    for (int y = 0; y < HEIGHT; y++) memset(sv_row(&left, y), 90, WIDTH);
    for (int i = 0; i < 2; i++) assert_int_equal(view_picture(v, i, &left, 0, NULL), SV_OK);
    free(left.data);
    *settings = view_default();
    settings->layout = VIEW_SIDE_BY_SIDE;
    settings->kinds[0] = VIEW_DISPARITY;
    settings->kinds[1] = kind;
    settings->cloud.grid = false;
    settings->cloud.edges = true;
    return v;
}

/* The newest copy; NULL if there is none. */
static const copied_map *newest_copy(view *v, int64_t frame) {
    const copied_maps *copies = view_copy_maps(v, frame);
    return copies ? &copies->maps[0] : NULL;
}

/* The copy of the map of a frame, while the map on the screen is that of `shows`. */
static const copied_map *copy_while(view *v, int64_t frame, int64_t shows) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + PATIENCE;) {
        const copied_map *map = newest_copy(v, shows);
        if (map && map->frame == frame) return map;
    }
    fail_msg("no copy of frame %d", (int)frame);
    return NULL;
}

static const copied_map *copy_of(view *v, int64_t frame) { return copy_while(v, frame, frame); }

static void assert_copied(const copied_map *map, float more) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            assert_true(((const float *)sv_row(&map->disparity, y))[x] == disparity_at(x, y) + more);
            assert_int_equal(((const uint8_t *)sv_row(&map->reason, y))[x],
                             isinf(disparity_at(x, y)) ? SV_SPECKLE : SV_VALID);
        }
}

/* A copy never comes at once, since that would mean waiting for the GPU. Until it comes, the one before stays. */
TEST(maps_are_copied) {
    NEEDS_WINDOW();
    view_settings settings;
    view *v = make(&settings, VIEW_LEFT);
    assert_null(newest_copy(v, 1));
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    assert_null(newest_copy(v, 7));
    assert_copied(copy_of(v, 7), 0);
    const unsigned long long version = copy_of(v, 7)->version;
    for (int i = 1; i < 5; i++) {
        show_map(v, i % 3, WIDTH, HEIGHT, disparity_at, (float)i);
        const copied_map *before = newest_copy(v, 7 + i);
        assert_int_equal(before->frame, 6 + i);
        assert_copied(before, (float)(i - 1));
        assert_copied(copy_of(v, 7 + i), (float)i);
    }
    assert_true(copy_of(v, 11)->version != version);
    view_destroy(v);
    assert_no_complaints();
}

/* Asks for a place in the second view until the answer is that pixel. */
static bool picks(view *v, const view_settings *s, int x, int y, view_pixel *pixel) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + PATIENCE;)
        if (view_pick(v, s, area, screen_x(1, x), screen_y(y), pixel) && pixel->x == x && pixel->y == y) return true;
    return false;
}

/* From the place of the left camera, the cloud shows each pixel where the picture does. */
TEST(pixels_of_the_cloud_are_picked) {
    NEEDS_WINDOW();
    view_settings settings;
    view_pixel pixel;
    view *v = make(&settings, VIEW_CLOUD);
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    view_cloud_follow(v, 12);
    for (int i = 0; i < 50; i++) view_draw(v, &settings, area);
    for (int i = 0; i < WIDTH * HEIGHT; i += 37) {
        const int x = i % WIDTH, y = i / WIDTH;
        if (isinf(disparity_at(x, y))) continue;
        if (!picks(v, &settings, x, y, &pixel)) fail_msg("(%d, %d) is not picked", x, y);
        assert_true(pixel.disparity == disparity_at(x, y));
        assert_int_equal(pixel.reason, SV_VALID);
    }
    /* Where no point is, none is picked. */
    bool picked = true;
    for (const double begin = sv_seconds(); picked && sv_seconds() < begin + PATIENCE;)
        picked = view_pick(v, &settings, area, screen_x(1, 21), screen_y(30), &pixel);
    assert_false(picked);
    view_destroy(v);
    assert_no_complaints();
}

/* A click and a key are of the place where they are, also if the mouse came there within the same frame. */
TEST(what_the_user_does_in_the_cloud_is_done_there) {
    NEEDS_WINDOW();
    view_settings settings;
    view_pixel pixel;
    char text[320];
    view *v = make(&settings, VIEW_CLOUD);
    const int x = screen_x(1, 60), y = screen_y(20);
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    view_cloud_follow(v, 12);
    for (int i = 0; i < 50; i++) view_draw(v, &settings, area);
    assert_true(picks(v, &settings, 40, 30, &pixel));
    assert_true(view_pin(v, &settings, area, x, y));
    view_measure(v, copy_of(v, 1), "");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 1 at (60, 20): 11.00 px");
    assert_true(picks(v, &settings, 40, 30, &pixel));
    const double far = view_depth_at(v, &settings, area, x, y);
    assert_true(far > 0 &&
                fabs(far / view_depth_at(v, &settings, area, screen_x(0, 40), screen_y(30)) - 30 / 11.0) < 1e-6);
    assert_true(view_depth_at(v, &settings, area, screen_x(1, 21), screen_y(30)) == 0); /* no point is there */
    view_destroy(v);
    assert_no_complaints();
}

static bool colour_at(int x, int y, const uint8_t rgb[3]) {
    uint8_t got[4];
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
    return !memcmp(got, rgb, 3);
}

static const uint8_t mark[] = {255, 191, 92};

TEST(pins_follow_the_map) {
    NEEDS_WINDOW();
    view_settings settings;
    view *v = make(&settings, VIEW_RIGHT);
    char text[320];
    view_word words[16];
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    assert_false(view_measures(v));
    assert_false(view_pin(v, &settings, area, screen_x(0, -3), screen_y(20)));
    assert_false(view_pin(v, &settings, area, screen_x(1, 20), screen_y(20))); /* the right picture has no map */
    assert_true(view_pin(v, &settings, area, screen_x(0, 40), screen_y(30)));
    assert_true(view_pin(v, &settings, area, screen_x(0, 60), screen_y(20)));
    assert_true(view_pin(v, &settings, area, screen_x(0, 21), screen_y(30)));
    assert_true(view_measures(v));
    assert_false(view_measures_news(v, text, sizeof text)); /* not measured yet */
    view_measure(v, copy_of(v, 1), "");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 1 at (40, 30): 30.00 px");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 2 at (60, 20): 11.00 px; 22.4 px in the picture from pin 1");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 3 at (21, 30): none: speckle; 40.3 px in the picture from pin 2");
    assert_false(view_measures_news(v, text, sizeof text));

    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    view_draw(v, &settings, area);
    assert_true(colour_at(screen_x(0, 40) - 4, screen_y(30), mark));
    assert_true(colour_at(screen_x(0, 60) + 4, screen_y(20), mark));
    /* In the right picture at the match; without a match, nowhere. */
    assert_true(colour_at(screen_x(1, 40 - 30) - 4, screen_y(30), mark));
    assert_true(colour_at(screen_x(1, 60 - 11), screen_y(20) + 4, mark));
    assert_int_equal(view_words(v, &settings, area, 10.f / 17, words, 16), 5);
    assert_string_equal(words[0].text, "1  30.00 px");

    show_map(v, 1, WIDTH, HEIGHT, disparity_at, 2);
    view_measure(v, copy_of(v, 2), "");
    assert_false(view_measures_news(v, text, sizeof text)); /* they have been reported */
    view_words(v, &settings, area, 10.f / 17, words, 16);
    assert_string_equal(words[0].text, "1  32.00 px");
    assert_string_equal(words[1].text, "2  13.00 px; 22.4 px in the picture from pin 1");

    show_map(v, 2, WIDTH, HEIGHT, disparity_at, 2);
    view_measure(v, copy_of(v, 3), "B "); /* of two maps */
    view_words(v, &settings, area, 10.f / 17, words, 16);
    assert_string_equal(words[0].text, "1  B 32.00 px");
    assert_string_equal(words[2].text, "3  B none: speckle; 40.3 px in the picture from pin 2");

    /* A second press removes the first pin, and the others move up. */
    assert_true(view_pin(v, &settings, area, screen_x(0, 42), screen_y(29)));
    assert_int_equal(view_words(v, &settings, area, 10.f / 17, words, 16), 3);
    assert_string_equal(words[0].text, "1  B 13.00 px");
    view_remove_measures(v);
    assert_false(view_measures(v));
    assert_int_equal(view_words(v, &settings, area, 10.f / 17, words, 16), 0);
    /* What is written of a pin in the first row is in the view, too. */
    assert_true(view_pin(v, &settings, area, screen_x(0, 40), screen_y(0)));
    view_words(v, &settings, area, 10.f / 17, words, 16);
    assert_true(words[0].y <= area.y + area.height - 10);
    view_destroy(v);
    assert_no_complaints();
}

/* While nothing is measured, maps are not copied: what is set then waits for a copy of the map on the screen. */
TEST(the_map_on_the_screen_is_measured) {
    NEEDS_WINDOW();
    view_settings settings;
    view *v = make(&settings, VIEW_RIGHT);
    char text[320];
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    for (int i = 0; i < 2; i++) assert_true(view_pin(v, &settings, area, screen_x(0, 40 + 20 * i), screen_y(30)));
    view_measure(v, copy_of(v, 1), "");
    while (view_measures_news(v, text, sizeof text)) continue;
    for (int i = 0; i < 2; i++) assert_true(view_pin(v, &settings, area, screen_x(0, 40 + 20 * i), screen_y(30)));
    assert_false(view_measures(v));
    show_map(v, 1, WIDTH, HEIGHT, disparity_at, 2);
    assert_true(view_pin(v, &settings, area, screen_x(0, 40), screen_y(30)));
    view_measure(v, newest_copy(v, 2), ""); /* the copy of the first map */
    assert_false(view_measures_news(v, text, sizeof text));
    view_measure(v, copy_of(v, 2), "");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 1 at (40, 30): 32.00 px");
    view_remove_measures(v);
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 4);
    assert_true(view_pin(v, &settings, area, screen_x(0, 40), screen_y(30)));
    view_measure(v, newest_copy(v, 3), "");
    assert_false(view_measures_news(v, text, sizeof text));
    view_measure(v, copy_of(v, 3), "");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 1 at (40, 30): 34.00 px");
    view_destroy(v);
    assert_no_complaints();
}

/* What is known over time is of one set of parameters. */
TEST(measurements_begin_anew) {
    NEEDS_WINDOW();
    view_settings settings;
    view *v = make(&settings, VIEW_RIGHT);
    measure_row rows[MEASURE_ROWS];
    assert_true(view_pin(v, &settings, area, screen_x(0, 40), screen_y(30)));
    for (int i = 0; i < 3; i++) {
        show_map(v, i & 1, WIDTH, HEIGHT, disparity_at, (float)i);
        view_measure(v, copy_of(v, i), "");
    }
    assert_int_equal(view_measure_rows(v, true, rows), 1);
    assert_int_equal(rows[0].frames, 3);
    assert_float_equal(rows[0].mean, 31, 0);
    view_measure_know(v, 0, 2);
    show_map(v, 1, WIDTH, HEIGHT, disparity_at, 3);
    newest_copy(v, 3);
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 5);
    view_measure_anew(v);
    view_measure(v, copy_while(v, 3, 4), ""); /* which was under way */
    assert_int_equal(view_measure_rows(v, true, rows), 1);
    assert_int_equal(rows[0].frames, 0);
    view_measure(v, copy_of(v, 4), "");
    assert_int_equal(view_measure_rows(v, true, rows), 1);
    assert_int_equal(rows[0].frames, 1);
    assert_float_equal(rows[0].mean, 35, 0);
    assert_float_equal(rows[0].known, 2, 0);
    show_map(v, 1, WIDTH, HEIGHT, disparity_at, 5);
    view_measure(v, copy_of(v, 5), "B "); /* another map of the pair */
    assert_int_equal(view_measure_rows(v, true, rows), 1);
    assert_int_equal(rows[0].frames, 1);
    view_destroy(v);
    assert_no_complaints();
}

static void press_and_release(view *v, view_settings *settings, mouse_event event, int moved) {
    event.kind = MOUSE_PRESS;
    assert_true(view_mouse(v, settings, area, &event));
    for (int i = 0; i < 2 * moved; i++) {
        event.x += i < moved ? 1 : -1;
        event.kind = MOUSE_MOVE;
        assert_true(view_mouse(v, settings, area, &event));
    }
    event.kind = MOUSE_RELEASE;
    assert_true(view_mouse(v, settings, area, &event));
}

/* Neither a drag that comes back nor another button is a click, and a double click leaves everything as it was. */
TEST(a_click_pins) {
    NEEDS_WINDOW();
    view_settings settings;
    view *v = make(&settings, VIEW_LEFT);
    char text[320];
    mouse_event at = {.x = screen_x(0, 40), .y = screen_y(30)};
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    press_and_release(v, &settings, at, 10);
    at.button = 1;
    press_and_release(v, &settings, at, 0);
    assert_false(view_measures(v));
    at.button = 0;
    press_and_release(v, &settings, at, 2); /* hands shake */
    assert_true(view_measures(v));
    view_measure(v, copy_of(v, 1), "");
    assert_true(view_measures_news(v, text, sizeof text));
    assert_string_equal(text, "pin 1 at (40, 30): 30.00 px");
    press_and_release(v, &settings, at, 0);
    assert_false(view_measures(v));
    press_and_release(v, &settings, at, 0);
    at.twice = true;
    press_and_release(v, &settings, at, 0);
    assert_false(view_measures(v));
    at.x = screen_x(0, 21);
    press_and_release(v, &settings, at, 0); /* only the second press came to the views */
    assert_false(view_measures(v));
    view_destroy(v);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)
