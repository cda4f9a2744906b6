/* Two maps in the views: at the left and the right of the line, and at every pixel, they are what each map alone is;
 * the line follows the mouse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/canvas.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 33, HEIGHT = 19, SLOTS = 3 };

/* Shows a map of its own in each slot: A in 1, B in SLOTS + 1. `maps`: what they are, if not NULL. */
static void show_maps(view *v, sv_output maps[2]) {
    for (int which = 0; which < 2; which++) {
        sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
        fill_maps(&disparity, &reason);
        for (int i = 0; which && i < WIDTH * HEIGHT; i++) {
            float *d = (float *)sv_row(&disparity, i / WIDTH) + i % WIDTH;
            uint8_t *r = (uint8_t *)sv_row(&reason, i / WIDTH) + i % WIDTH;
            *d = isfinite(*d) ? 60 - *d : 5;
            *r = (uint8_t)((*r + 1) % SV_REASON_COUNT);
        }
        const int slot = 1 + which * SLOTS;
        assert_int_equal(view_write(v, slot, &disparity, &reason, NULL), SV_OK);
        view_show(v, slot);
        if (maps) {
            maps[which] = (sv_output){.disparity = disparity, .reason = reason};
        } else {
            free(disparity.data);
            free(reason.data);
        }
    }
}

static view *make_compared(sv_output maps[2]) {
    sv_error error = {""};
    view *v = make_view(WIDTH, HEIGHT);
    if (view_add_second(v, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(view_add_second(v, &error), SV_OK); /* which changes nothing */
    show_maps(v, maps);
    return v;
}

/* Two cells of 200 x 280 with 6 between them, in which the picture is 200 x 115, 6.06 for a pixel. */
static const view_rect area = {7, 9, 406, 280};

TEST(split_shows_both) {
    NEEDS_WINDOW();
    static canvas a, b, both;
    static const double places[] = {0, 0.123, 0.5, 0.77, 1};
    view *v = make_compared(NULL);
    view_settings s = view_default();
    s.layout = VIEW_SIDE_BY_SIDE;
    for (int zoomed = 0; zoomed < 2; zoomed++)
        for (int kind = 0; kind < VIEW_KIND_COUNT; kind++) {
            if (kind != VIEW_DISPARITY && kind != VIEW_REASONS && kind != VIEW_ERROR) continue;
            const sv_image truth = make_padded(WIDTH, HEIGHT, SV_FLOAT32);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) ((float *)sv_row(&truth, y))[x] = (float)(x + y);
            assert_int_equal(view_truth(v, &truth, NULL), SV_OK);
            free(truth.data);
            s.kinds[0] = s.kinds[1] = kind;
            s.zoom = zoomed ? (view_zoom){17.3, 20, 7} : (view_zoom){0};
            s.compared = VIEW_A;
            draw_on(&a, v, &s, area);
            s.compared = VIEW_B;
            draw_on(&b, v, &s, area);
            assert_true(memcmp(&a, &b, sizeof a) != 0);
            s.compared = VIEW_SPLIT;
            for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
                s.split = places[p];
                draw_on(&both, v, &s, area);
                for (int y = 0; y < CANVAS_HEIGHT; y++)
                    for (int x = 0; x < CANVAS_WIDTH; x++) {
                        const int cell = x < 7 + 203 ? 7 : 7 + 206, line = cell + (int)lround(places[p] * 200);
                        if (abs(x - line) <= 1) continue;
                        if (memcmp(both.pixels[y][x], x < line ? a.pixels[y][x] : b.pixels[y][x], 4))
                            fail_msg("kind %d, split at %g: %d, %d", kind, places[p], x, y);
                    }
            }
        }
    view_destroy(v);
    assert_no_complaints();
}

/* Without a B there is one map, whatever the settings say. */
TEST(one_map_is_not_split) {
    NEEDS_WINDOW();
    static canvas a, other;
    view_word words[4];
    view *v = make_compared(NULL);
    view_settings s = view_default();
    s.compared = VIEW_A;
    draw_on(&a, v, &s, area);
    s.compared = VIEW_SPLIT;
    assert_int_equal(view_words(v, &s, area, 1, words, 4), 2);
    assert_string_equal(words[0].text, "A");
    assert_string_equal(words[1].text, "B");
    assert_true(words[0].x < 7 + 203 && words[1].x > 7 + 203);
    s.compared = VIEW_B;
    assert_int_equal(view_words(v, &s, area, 1, words, 4), 1);
    assert_string_equal(words[0].text, "B");
    view_forget_second(v);
    for (int compared = 0; compared < VIEW_COMPARED_COUNT; compared++) {
        s.compared = compared;
        draw_on(&other, v, &s, area);
        assert_memory_equal(&a, &other, sizeof a);
        assert_int_equal(view_words(v, &s, area, 1, words, 4), 0);
    }
    view_destroy(v);
    assert_no_complaints();
}

/* Both maps are read, as a whole and at a pixel. */
TEST(both_maps_are_read) {
    NEEDS_WINDOW();
    sv_output maps[2];
    view *v = make_compared(maps);
    view_settings s = view_default();
    view_pixel pixel = {.x = -1};
    sv_error error;
    static float d[HEIGHT][WIDTH];
    static uint8_t r[HEIGHT][WIDTH];
    const sv_image disparity = {d, sizeof *d, WIDTH, HEIGHT, SV_FLOAT32, SV_HOST};
    const sv_image reason = {r, sizeof *r, WIDTH, HEIGHT, SV_REASON8, SV_HOST};
    for (int which = 0; which < 2; which++) {
        assert_int_equal(view_read_maps(v, which, &disparity, &reason, &error), SV_OK);
        for (int y = 0; y < HEIGHT; y++) {
            assert_memory_equal(r[y], sv_row(&maps[which].reason, y), WIDTH);
            for (int x = 0; x < WIDTH; x++)
                if (!isnan(d[y][x])) assert_true(d[y][x] == ((float *)sv_row(&maps[which].disparity, y))[x]);
        }
    }
    for (const double begin = sv_seconds(); pixel.x != 2 && sv_seconds() < begin + PATIENCE;)
        view_pick(v, &s, area, 7 + 31, 9 + 140, &pixel); /* 12.3 for a pixel */
    assert_int_equal(pixel.x, 2);
    assert_true(pixel.compared);
    assert_true(pixel.disparity == ((float *)sv_row(&maps[0].disparity, pixel.y))[2]);
    assert_true(pixel.second_disparity == ((float *)sv_row(&maps[1].disparity, pixel.y))[2]);
    assert_int_equal(pixel.second_reason, ((uint8_t *)sv_row(&maps[1].reason, pixel.y))[2]);
    /* Which of them is seen there. */
    assert_true(!pixel.shows_second && view_pixel_seen(&pixel) == pixel.disparity);
    s.split = 0.05;
    assert_true(view_pick(v, &s, area, 7 + 31, 9 + 140, &pixel));
    assert_true(pixel.shows_second && view_pixel_seen(&pixel) == pixel.second_disparity);
    s.compared = VIEW_A;
    assert_true(view_pick(v, &s, area, 7 + 31, 9 + 140, &pixel) && !pixel.shows_second);
    s.compared = VIEW_B;
    assert_true(view_pick(v, &s, area, 7 + 31, 9 + 140, &pixel) && pixel.shows_second);
    view_forget_second(v);
    assert_int_equal(view_read_maps(v, 1, &disparity, &reason, &error), SV_USAGE);
    for (int which = 0; which < 2; which++) {
        free(maps[which].disparity.data);
        free(maps[which].reason.data);
    }
    view_destroy(v);
    assert_no_complaints();
}

/* Pressed at the line, the mouse moves it, up to the edges; elsewhere it moves the picture. */
TEST(mouse_moves_the_line) {
    NEEDS_WINDOW();
    view *v = make_compared(NULL);
    view_settings s = view_default();
    const view_rect wide = {10, 0, 400, 300};
    s.zoom = (view_zoom){30, 16, 9};
    const view_zoom zoom = s.zoom;
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_PRESS, .x = 213, .y = 50});
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_MOVE, .x = 110, .y = 80});
    assert_true(fabs(s.split - 0.25) < 1e-9);
    assert_memory_equal(&s.zoom, &zoom, sizeof zoom);
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_MOVE, .x = 900, .y = 80});
    assert_true(s.split == 1);
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_MOVE, .x = 2, .y = 80});
    assert_true(s.split == 0);
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_RELEASE, .x = 2, .y = 80});
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_PRESS, .x = 100, .y = 80});
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_MOVE, .x = 105, .y = 80});
    view_mouse(v, &s, wide, &(mouse_event){.kind = MOUSE_RELEASE, .x = 105, .y = 80});
    assert_true(s.split == 0);
    assert_true(memcmp(&s.zoom, &zoom, sizeof zoom) != 0);
    view_destroy(v);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)
