/* The view under the mouse: zooming and dragging, the pixel that is picked, the crosses at it in the other views, and
 * the lines that join rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/canvas.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

/* The wheel zooms and a drag moves, over a view and nowhere else. */
TEST(mouse_moves_the_views) {
    NEEDS_WINDOW();
    const view_rect area = {50, 60, 306, 200};
    view *v = make_view(641, 479);
    view_settings s = view_default();
    s.layout = VIEW_SIDE_BY_SIDE;
    assert_false(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_WHEEL, .x = 49, .y = 100, .wheel = 1}));
    assert_false(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_PRESS, .x = 203, .y = 100})); /* between two */
    assert_true(s.zoom.scale == 0);
    for (int i = 0; i < 4; i++)
        assert_true(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_WHEEL, .x = 300, .y = 130, .wheel = 2}));
    assert_true(s.zoom.scale == 1); /* 150 / 641 * 1.25^6 is nearly 1, where it stops on its way */
    const view_zoom before = s.zoom;
    assert_false(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_MOVE, .x = 300, .y = 130}));
    assert_true(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_PRESS, .x = 300, .y = 130}));
    assert_true(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_MOVE, .x = 310, .y = 126}));
    assert_true(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_MOVE, .x = 200, .y = 126})); /* also outside */
    assert_true(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_MOVE, .x = 310, .y = 126}));
    assert_true(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_RELEASE, .x = 310, .y = 126}));
    assert_false(view_mouse(v, &s, area, &(mouse_event){.kind = MOUSE_MOVE, .x = 320, .y = 126}));
    assert_true(fabs(s.zoom.x - (before.x - 10)) <= 1 && fabs(s.zoom.y - (before.y - 4)) <= 1);
    s.zoom = (view_zoom){0};
    view_one_to_one(v, &s, area, -1, -1);
    assert_true(s.zoom.scale == 1 && fabs(s.zoom.x - 320.5) <= 3 && fabs(s.zoom.y - 239.5) <= 3);
    view_destroy(v);
    assert_no_complaints();
}

/* Asks for a place until the answer is that pixel of the map. */
static bool picks(view *v, const view_settings *s, view_rect area, int left, int bottom, int x, int y,
                  view_pixel *pixel) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + PATIENCE;)
        if (view_pick(v, s, area, left, bottom, pixel) && pixel->x == x && pixel->y == y) return true;
    return false;
}

/* The first answer never comes at once, since that would mean waiting for the GPU. */
TEST(pixels_are_picked) {
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
    s.layout = VIEW_SIDE_BY_SIDE; /* the map and the left picture */
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
        assert_true(sv_seconds() < begin + PATIENCE);
    assert_int_equal(pixel.x, 0);
    assert_int_equal(pixel.y, 8);
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    assert_no_complaints();
}

/* A map of one disparity, valid everywhere, and two grey pictures. */
static view *make_flat_view(int width, int height, float d, int left, int right) {
    sv_image grey = make_padded(width, height, SV_GREY8);
    view *v = make_view(width, height);
    show_map(v, 0, width, height, NULL, d);
    for (int side = 0; side < 2; side++) {
        for (int y = 0; y < height; y++) memset(sv_row(&grey, y), side ? right : left, (size_t)width);
        assert_int_equal(view_picture(v, side, &grey, 0, NULL), SV_OK);
    }
    free(grey.data);
    return v;
}

/* The cross is at the same pixel in other views, at its match in the right picture, and not under the mouse. */
TEST(cross_is_at_the_match) {
    NEEDS_WINDOW();
    static canvas on;
    const view_rect area = {20, 30, 326, 206},
                    cells[] = {{20, 136, 160, 100}, {186, 136, 160, 100}, {20, 30, 160, 100}};
    for (int none = 0; none < 2; none++) {
        view *v = make_flat_view(40, 25, none ? INFINITY : 7, 40, 60); /* four pixels of the screen for each */
        view_settings s = view_default();
        view_pixel pixel;
        s.layout = VIEW_FOUR;
        s.kinds[1] = VIEW_RIGHT;
        s.kinds[2] = VIEW_LEFT;
        s.kinds[3] = VIEW_DISPARITY;
        assert_true(picks(v, &s, area, 20 + 4 * 20 + 2, 235 - 4 * 12 - 2, 20, 12, &pixel)); /* in the first view */
        draw_on(&on, v, &s, area);
        for (int view = 0; view < 3; view++) {
            int left = CANVAS_WIDTH, right = -1, low = CANVAS_HEIGHT, high = -1;
            const view_rect r = cells[view];
            for (int y = r.y; y < r.y + r.height; y++)
                for (int x = r.x; x < r.x + r.width; x++) {
                    const uint8_t *p = on.pixels[y][x];
                    if (p[0] != 255 || p[1] != 255 || p[2] != 255) continue;
                    left = x < left ? x : left;
                    right = x > right ? x : right;
                    low = y < low ? y : low;
                    high = y > high ? y : high;
                }
            if (view == 0) {
                assert_int_equal(right, -1);
                continue;
            }
            assert_int_equal((low + high) / 2, r.y + r.height - 4 * 12 - 2);
            if (view == 1 && none) {
                assert_true(low == high && left == r.x && right == r.x + r.width - 1); /* it lies somewhere here */
                continue;
            }
            assert_true(high - low > 10 && high - low == right - left);
            assert_int_equal((left + right) / 2, r.x + 4 * (view == 1 ? 20 - 7 : 20) + 2);
        }
        assert_false(view_pick(v, &s, area, -1, -1, &pixel));
        draw_on(&on, v, &s, area); /* the mouse is elsewhere: no cross */
        for (int y = cells[2].y; y < 100; y++)
            for (int x = cells[2].x; x < 100; x++) assert_int_equal(on.pixels[y][x][0], 40);
        view_destroy(v);
    }
    assert_no_complaints();
}

/* Both pictures beside each other, with the same rows marked in both. */
TEST(pair_has_lines) {
    NEEDS_WINDOW();
    static canvas on;
    static const view_zoom zooms[] = {{0}, {1, 100, 80}, {5, 100, 80}};
    const view_rect area = {20, 30, 326, 200};
    view *v = make_flat_view(200, 160, 7, 40, 60);
    view_settings s = view_default();
    s.kinds[0] = VIEW_PAIR;
    for (int z = 0; z < 3; z++) {
        s.zoom = zooms[z];
        draw_on(&on, v, &s, area);
        int lines = 0, last = 0;
        for (int y = 70; y < 190; y++) { /* where all zooms show the pictures */
            const bool line = on.pixels[y][60][0] != 40;
            for (int x = 60; x < 140; x++) {
                assert_int_equal(on.pixels[y][x][0], line ? 255 : 40);
                assert_int_equal(on.pixels[y][x + 166][0], line ? 255 : 60);
            }
            if (!line) continue;
            if (lines++) assert_true(y - last >= 29 && y - last <= 61);
            last = y;
        }
        assert_true(lines >= 2);
    }
    view_destroy(v);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)
