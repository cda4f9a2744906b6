/* Where views lie, and how the screen and the picture correspond. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/layout.h"
#include "tests/support/test.h"

static void assert_rect(view_rect r, int x, int y, int width, int height) {
    if (r.x != x || r.y != y || r.width != width || r.height != height)
        fail_msg("%d, %d, %d x %d is not %d, %d, %d x %d", r.x, r.y, r.width, r.height, x, y, width, height);
}

TEST(cells_divide_the_area) {
    const view_rect area = {10, 20, 306, 206};
    view_rect cells[VIEW_MOST];
    assert_int_equal(layout_cells(VIEW_ONE, area, 0, cells), 1);
    assert_rect(cells[0], 10, 20, 306, 206);
    assert_int_equal(layout_cells(VIEW_SIDE_BY_SIDE, area, 0, cells), 2);
    assert_rect(cells[0], 10, 20, 150, 206);
    assert_rect(cells[1], 166, 20, 150, 206);
    assert_int_equal(layout_cells(VIEW_OVER_UNDER, area, 0, cells), 2);
    assert_rect(cells[0], 10, 126, 306, 100); /* above */
    assert_rect(cells[1], 10, 20, 306, 100);
    assert_int_equal(layout_cells(VIEW_FOUR, area, 0, cells), 4);
    assert_rect(cells[1], 166, 126, 150, 100);
    assert_rect(cells[2], 10, 20, 150, 100);
    assert_int_equal(layout_find(cells, 4, 166, 20), 3);
    assert_int_equal(layout_find(cells, 4, 162, 30), -1);
    layout_cells(VIEW_FOUR, (view_rect){0, 0, 7, 300}, 0, cells);
    assert_rect(cells[0], 0, 0, 0, 0);
}

/* Two views lie in the way that shows more of a picture of that shape. */
TEST(two_views_show_large_pictures) {
    static const view_rect areas[] = {{0, 0, 830, 730}, {0, 0, 3000, 900}, {0, 0, 700, 1500}, {5, 7, 1606, 806}};
    static const double aspects[] = {0.5, 1, 4.0 / 3, 16.0 / 9, 3.3};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            double sizes[3];
            static const int layouts[3] = {VIEW_TWO, VIEW_SIDE_BY_SIDE, VIEW_OVER_UNDER};
            for (int l = 0; l < 3; l++) {
                view_rect cells[VIEW_MOST];
                assert_int_equal(layout_cells(layouts[l], areas[i], aspects[k], cells), 2);
                sizes[l] = fmin(cells[1].height * aspects[k], cells[1].width);
            }
            assert_true(sizes[0] == fmax(sizes[1], sizes[2]));
        }
}

/* A picture that fits touches two opposite edges, is centred, and shows all of itself. */
TEST(pictures_fit) {
    static const int sizes[][2] = {{1, 1}, {33, 9}, {641, 479}, {16384, 3}, {40, 20}};
    static const view_rect cells[] = {{0, 0, 300, 200}, {50, 60, 301, 97}, {3, 3, 1, 1}};
    for (int s = 0; s < 5; s++)
        for (int c = 0; c < 3; c++) {
            const view_rect cell = cells[c];
            const view_pane pane = layout_pane(cell, sizes[s][0], sizes[s][1], (view_zoom){0});
            const view_rect r = pane.shown;
            assert_true(r.width == cell.width || r.height == cell.height);
            assert_true(abs(2 * r.x + r.width - 2 * cell.x - cell.width) <= 1);
            assert_true(abs(2 * r.y + r.height - 2 * cell.y - cell.height) <= 1);
            assert_true(fabs(pane.scale_x * sizes[s][0] - r.width) < 1e-9);
            assert_true(fabs(pane.scale_y * sizes[s][1] - r.height) < 1e-9);
            assert_true(pane.left == r.x && pane.top == r.y + r.height);
        }
    assert_int_equal(layout_pane((view_rect){0}, 40, 20, (view_zoom){0}).shown.width, 0);
}

TEST(positions_correspond) {
    static const view_zoom zooms[] = {{0},         {1, 20, 10},    {7.3, 33, 2}, {64, 0, 20},
                                      {0.5, 0, 0}, {1.0125, 0, 0}, {1.125, 0, 0}};
    const view_rect cell = {50, 60, 301, 97};
    for (int z = 0; z < 7; z++) {
        const view_pane pane = layout_pane(cell, 40, 20, zooms[z]);
        int seen = 0;
        for (int y = 50; y < 170; y++)
            for (int x = 40; x < 360; x++) {
                double px, py, sx, sy;
                if (!layout_to_picture(&pane, x, y, &px, &py)) continue;
                seen++;
                assert_true(layout_to_screen(&pane, px, py, &sx, &sy));
                assert_true(fabs(sx - x - 0.5) < 1e-9 && fabs(sy - y - 0.5) < 1e-9);
                assert_true(x >= cell.x && y >= cell.y && x < cell.x + cell.width && y < cell.y + cell.height);
                /* Also where the picture ends in the middle of a pixel of the screen. */
                assert_true(px >= 0 && px < 40 && py >= 0 && py < 20);
            }
        assert_int_equal(seen, pane.shown.width * pane.shown.height);
    }
    /* The corners by hand: one to one, the top left pixel is at the top left of the centred picture. */
    const view_pane pane = layout_pane(cell, 40, 20, (view_zoom){1, 20, 10});
    double px, py;
    assert_rect(pane.shown, 180, 99, 40, 20); /* 130 of 261 pixels at the left, 38 of 77 above */
    assert_true(layout_to_picture(&pane, 180, 118, &px, &py) && px == 0.5 && py == 0.5);
    assert_false(layout_to_picture(&pane, 179, 118, &px, &py));
}

/* A picture that is larger than its cell leaves none of it empty, wherever it is dragged. */
TEST(large_pictures_cover_their_cell) {
    const view_rect cell = {50, 60, 301, 97};
    for (double scale = 7.6; scale < 64; scale *= 1.7)
        for (double x = -10; x < 60; x += 7)
            for (double y = -10; y < 40; y += 7) {
                const view_pane pane = layout_pane(cell, 40, 20, (view_zoom){scale, x, y});
                assert_rect(pane.shown, 50, 60, 301, 97);
                assert_true(pane.left == floor(pane.left) && pane.top == floor(pane.top));
            }
}

/* What is under the mouse stays there, to half a pixel of the screen, in the middle of a large picture. */
TEST(zoom_stays_at_the_mouse) {
    const view_rect cell = {10, 20, 300, 200};
    const int width = 1200, height = 800, x = 140, y = 101; /* a picture that fits at 1/4 */
    view_zoom zoom = {0};
    double before_x, before_y, after_x, after_y;
    view_pane pane = layout_pane(cell, width, height, zoom);
    assert_true(layout_to_picture(&pane, x, y, &before_x, &before_y));
    int at_one = 0;
    for (int i = 0; i < 60; i++) {
        zoom = layout_zoom_at(&pane, width, height, zoom, x, y, 1.25);
        pane = layout_pane(cell, width, height, zoom);
        assert_true(layout_to_picture(&pane, x, y, &after_x, &after_y));
        assert_true(fabs(after_x - before_x) * pane.scale_x < 0.6 * (i + 2));
        before_x = after_x;
        before_y = after_y;
        at_one += zoom.scale == 1;
    }
    assert_int_equal(at_one, 1); /* it stops there */
    assert_true(zoom.scale == VIEW_LARGEST_SCALE);
    for (int i = 0; i < 60; i++) {
        zoom = layout_zoom_at(&pane, width, height, zoom, x, y, 1 / 1.25);
        pane = layout_pane(cell, width, height, zoom);
        at_one += zoom.scale == 1;
    }
    assert_int_equal(at_one, 2);
    assert_true(zoom.scale == 0); /* as large as fits */
    /* A small picture ends at one to one, and passes by where it fits. */
    bool fitted = false;
    zoom = (view_zoom){20, 5, 5};
    for (int i = 0; i < 40; i++) {
        pane = layout_pane(cell, 40, 20, zoom);
        zoom = layout_zoom_at(&pane, 40, 20, zoom, x, y, 1 / 1.25);
        fitted |= zoom.scale == 0;
    }
    assert_true(fitted && zoom.scale == 1);
    /* The same zoom in a cell of another place shows the same part. */
    const view_zoom some = {3, 600, 300};
    const view_pane first = layout_pane(cell, width, height, some);
    const view_pane second = layout_pane((view_rect){416, 20, 300, 200}, width, height, some);
    assert_true(second.left - first.left == 406 && second.top == first.top);
}
