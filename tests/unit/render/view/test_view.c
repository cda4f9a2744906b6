/* The view: maps and pictures on the screen, against the exporter and by their places.
 * tests/unit/render/view/test_view_mouse.c has what the mouse does to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/canvas.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

TEST(screen_and_export_agree) {
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
        assert_int_equal(view_confidence_offset(v) % 256, 0);
        assert_true(view_confidence_offset(v) >= view_reason_offset(v) + (size_t)width * height);
        assert_int_equal(view_buffer_size(v), view_confidence_offset(v) + (size_t)width * height);
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
                    draw_map_into(&got, v, &s);
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

/* What the view reads and draws of a map are the values within the limits, of that map and of those after it. */
TEST(depths_are_limited) {
    NEEDS_WINDOW();
    enum { WIDTH = 641, HEIGHT = 9 };
    sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    sv_image got = make_padded(WIDTH, HEIGHT, SV_FLOAT32), why = make_padded(WIDTH, HEIGHT, SV_REASON8);
    got.stride = WIDTH * sizeof(float);
    why.stride = WIDTH;
    view *v = make_view(WIDTH, HEIGHT);
    fill_maps(&disparity, &reason);
    /* Without a calibration the depth of a disparity d is f / d baselines, with a field of view of 60 degrees. */
    const double focal = WIDTH / (2 * tan(M_PI / 6));
    const space_limits each[] = {{0, 0}, {focal / 40, 0}, {0, focal / 10}, {focal / 40, focal / 10}, {0, 0}};
    for (int i = 0; i < 5; i++)
        for (int again = 0; again < 2; again++) { /* the map that is there, and the next one */
            if (!i || again) assert_int_equal(view_write(v, again, &disparity, &reason, NULL), SV_OK);
            if (!i || again) view_show(v, again);
            const unsigned long long before = view_map_version(v);
            view_limit(v, &each[i]);
            assert_true((view_map_version(v) != before) == (i && !again));
            assert_int_equal(view_read_maps(v, 0, &got, &why, NULL), SV_OK);
            int kept = 0, values = 0;
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    const float d = ((const float *)sv_row(&disparity, y))[x];
                    const float seen = ((const float *)sv_row(&got, y))[x];
                    const bool out = (each[i].nearest > 0 && d > 40) || (each[i].farthest > 0 && d < 10);
                    assert_true(isfinite(d) && !out ? seen == d : !isfinite(seen));
                    kept += isfinite(seen);
                    values += isfinite(d);
                }
            assert_true(i == 0 || i == 4 ? kept == values : kept > 0 && kept < values);
        }
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(got.data);
    free(why.data);
    assert_no_complaints();
}

static bool inside(view_rect r, int x, int y) {
    return x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
}

/* Each view has its kind's colour, and the rest is untouched. `colours`: of the kinds; NULL: nothing is drawn. */
static void assert_drawn(const canvas *on, const view_rect *rects, const int *kinds, int count,
                         const uint8_t (*colours)[3]) {
    const uint8_t clear[] = {255, 0, 255};
    for (int y = 0; y < CANVAS_HEIGHT; y++)
        for (int x = 0; x < CANVAS_WIDTH; x++) {
            int view = 0;
            while (view < count && !inside(rects[view], x, y)) view++;
            const uint8_t *expected = view < count ? colours[kinds[view]] : clear;
            if (memcmp(on->pixels[y][x], expected, 3))
                fail_msg("%d, %d in view %d: %d %d %d, not %d %d %d", x, y, view, on->pixels[y][x][0],
                         on->pixels[y][x][1], on->pixels[y][x][2], expected[0], expected[1], expected[2]);
        }
}

/* Every kind of view in every layout, of pictures of one colour. */
TEST(views_are_letterboxed) {
    NEEDS_WINDOW();
    enum { WIDTH = 40, HEIGHT = 20 };
    /* In 300 x 200 at 50, 60: 300 x 150 alone; 147 x 74 twice with 6 between; 194 x 97 twice; 147 x 74 four times. */
    static const struct {
        int layout, count;
        view_rect rects[4];
    } expected[] = {
        {VIEW_ONE, 1, {{50, 85, 300, 150}}},
        {VIEW_SIDE_BY_SIDE, 2, {{50, 123, 147, 74}, {203, 123, 147, 74}}},
        {VIEW_OVER_UNDER, 2, {{103, 163, 194, 97}, {103, 60, 194, 97}}},
        {VIEW_FOUR, 4, {{50, 175, 147, 74}, {203, 175, 147, 74}, {50, 72, 147, 74}, {203, 72, 147, 74}}},
    };
    /* The largest disparity of turbo; grey 70 at the left, red 200, green 100, blue 50 at the right; an empty pixel. */
    const uint8_t colours[VIEW_KIND_COUNT][3] = {
        [VIEW_DISPARITY] = {122, 4, 3}, [VIEW_LEFT] = {70, 70, 70},      [VIEW_RIGHT] = {200, 100, 50},
        [VIEW_BLEND] = {135, 85, 60},   [VIEW_ANAGLYPH] = {70, 100, 50}, [VIEW_REASONS] = {112, 160, 152},
        [VIEW_ROWS] = {70, 70, 70}};
    const view_rect area = {50, 60, 300, 200};
    sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    sv_image left = make_padded(WIDTH, HEIGHT, SV_GREY8), right = make_padded(WIDTH, HEIGHT, SV_COLOUR8);
    const uint8_t of_right[] = {200, 100, 50, 255};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((float *)sv_row(&disparity, y))[x] = 63;
            ((uint8_t *)sv_row(&reason, y))[x] = SV_FILLED;
            ((uint8_t *)sv_row(&left, y))[x] = 70;
            memcpy((uint8_t *)sv_row(&right, y) + 4 * x, of_right, 4);
        }
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    static canvas on;
    draw_on(&on, v, &s, area); /* nothing to draw yet */
    assert_drawn(&on, NULL, NULL, 0, NULL);
    assert_int_equal(view_picture(v, 0, &left, 0, NULL), SV_OK);
    draw_on(&on, v, &s, area); /* the left picture takes the place of the first map */
    assert_drawn(&on, expected[0].rects, (const int[]){VIEW_LEFT}, 1, colours);
    assert_int_equal(view_picture(v, 1, &right, 0, NULL), SV_OK);
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    for (int i = 0; i < 4; i++)
        for (int kind = 0; kind < VIEW_KIND_COUNT; kind++) {
            s.layout = expected[i].layout;
            for (int k = 0; k < 4; k++) {
                s.kinds[k] = (kind + k) % VIEW_KIND_COUNT;
                /* These have tests of their own: the cloud in test_view_cloud.c, costs and confidence in
                 * test_view_costs.c. */
                if (s.kinds[k] == VIEW_CLOUD || s.kinds[k] == VIEW_PAIR || s.kinds[k] == VIEW_DEPTH ||
                    s.kinds[k] == VIEW_ERROR || s.kinds[k] == VIEW_COST || s.kinds[k] == VIEW_CONFIDENCE)
                    s.kinds[k] = VIEW_LEFT;
            }
            draw_on(&on, v, &s, area);
            assert_drawn(&on, expected[i].rects, s.kinds, expected[i].count, colours);
            draw_on(&on, v, &s, (view_rect){10, 10, 0, 0});
            draw_on(&on, v, &s, (view_rect){10, 10, 1, 1});
        }
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(left.data);
    free(right.data);
    assert_no_complaints();
}

static float pattern_at(int x, int y) { return (float)((x * 37 + y * 11) % 256); }

/* Zoomed, each pixel of the screen has the colour of the one pixel that is there, in maps and pictures. */
TEST(zoom_shows_single_pixels) {
    NEEDS_WINDOW();
    enum { WIDTH = 40, HEIGHT = 20 };
    static const view_zoom zooms[] = {{1, 20, 10}, {5, 12, 9}, {7.3, 33, 2}, {64, 17.5, 3.2}};
    const view_rect area = {50, 60, 300, 200};
    sv_image grey = make_padded(WIDTH, HEIGHT, SV_GREY8);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) ((uint8_t *)sv_row(&grey, y))[x] = (uint8_t)pattern_at(x, y);
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    s.colour = (colour_settings){.map = COLOUR_GREY, .min = 0, .max = 255};
    show_map(v, 0, WIDTH, HEIGHT, pattern_at, 0);
    for (int i = 0; i < 2; i++) assert_int_equal(view_picture(v, i, &grey, 0, NULL), SV_OK);
    static canvas on;
    static const int kinds[] = {VIEW_DISPARITY, VIEW_LEFT, VIEW_RIGHT, VIEW_BLEND};
    for (int z = 0; z < 4; z++)
        for (int k = 0; k < 4; k++) {
            s.zoom = zooms[z];
            s.kinds[0] = kinds[k];
            draw_on(&on, v, &s, area);
            const view_pane pane = layout_pane(area, WIDTH, HEIGHT, s.zoom);
            for (int y = 0; y < CANVAS_HEIGHT; y++)
                for (int x = 0; x < CANVAS_WIDTH; x++) {
                    double px, py;
                    if (!layout_to_picture(&pane, x, y, &px, &py)) continue;
                    /* Where the edge of a pixel runs through, the shader may round to its neighbour. */
                    if (fabs(px - round(px)) * pane.scale_x < 0.01 || fabs(py - round(py)) * pane.scale_y < 0.01)
                        continue;
                    const int expected = ((int)px * 37 + (int)py * 11) % 256;
                    if (abs(on.pixels[y][x][0] - expected) > (kinds[k] == VIEW_BLEND))
                        fail_msg("zoom %d, kind %d: %d, %d is %d, not %d", z, kinds[k], x, y, on.pixels[y][x][0],
                                 expected);
                }
        }
    view_destroy(v);
    free(grey.data);
    assert_no_complaints();
}

static float place_of(int x, int y) { return (float)(60 * (2 * y + x)); }

/* Rows and columns stand as in memory, in both pictures, and the left one may change its format. */
TEST(pictures_stand_upright) {
    NEEDS_WINDOW();
    sv_image grey = make_padded(2, 2, SV_GREY8), colour = make_padded(2, 2, SV_COLOUR8);
    for (int i = 0; i < 4; i++) {
        ((uint8_t *)sv_row(&grey, i / 2))[i % 2] = (uint8_t)(60 * i);
        const uint8_t rgba[] = {(uint8_t)(60 * i), 10, 200, 255};
        memcpy((uint8_t *)sv_row(&colour, i / 2) + 4 * (i % 2), rgba, 4);
    }
    view *v = make_view(2, 2);
    view_settings s = view_default();
    s.colour = (colour_settings){.map = COLOUR_GREY, .min = 0, .max = 255};
    show_map(v, 0, 2, 2, place_of, 0);
    const view_rect area = {0, 0, 300, 300};
    static canvas on;
    for (int pass = 0; pass < 4; pass++) {
        s.kinds[0] = pass ? VIEW_LEFT : VIEW_DISPARITY;
        if (pass) assert_int_equal(view_picture(v, 0, pass == 2 ? &colour : &grey, 0, NULL), SV_OK);
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
    free(grey.data);
    free(colour.data);
    assert_no_complaints();
}

/* Each pixel of a picture is what its place in the map says, to what a texture's filter rounds; the right one is moved
 * up by the row shift. */
/* A picture in which single pixels are black and white in turns becomes grey: what is left of the pattern is at most
 * what would be left if each pixel of the screen averaged all that it covers, whose mean differs from grey by a square
 * with sides of 2 - `reduced`. */
TEST(reduced_pictures_are_averaged) {
    NEEDS_WINDOW();
    enum { SIDE = 600, PART = 270 };
    static canvas on;
    sv_image grey = make_padded(SIDE, SIDE, SV_GREY8);
    for (int i = 0; i < SIDE * SIDE; i++) ((uint8_t *)sv_row(&grey, i / SIDE))[i % SIDE] = (i + i / SIDE) % 2 ? 255 : 0;
    view *v = make_view(SIDE, SIDE);
    assert_int_equal(view_picture(v, 0, &grey, 0, NULL), SV_OK);
    view_settings s = view_default();
    s.layout = VIEW_ONE;
    s.kinds[0] = VIEW_LEFT;
    for (double reduced = 1.25; reduced < 2.15; reduced += 0.05) {
        s.zoom = (view_zoom){1 / reduced, SIDE / 2, SIDE / 2};
        draw_on(&on, v, &s, (view_rect){0, 0, PART, PART});
        const double side = fmax(0, 2 - reduced) / reduced, most = 127.5 * side * side + 3; /* two roundings */
        for (int i = 0; i < PART * PART; i++) {
            const int value = on.pixels[i / PART][i % PART][0];
            if (fabs(value - 127.5) > most) fail_msg("reduced by %.2f: %d, not within %.1f", reduced, value, most);
        }
    }
    view_destroy(v);
    free(grey.data);
}

TEST(pictures_are_rectified) {
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
    r.maps[1] = r.maps[0];
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    static canvas on;
    for (int pass = 0; pass < 8; pass++) {
        const int side = pass / 4, shift = pass % 4 == 3 ? -2 : pass % 4 == 2 ? 3 : 0, up = side ? shift : 0;
        const bool rectified = pass % 4;
        s.kinds[0] = side ? VIEW_RIGHT : VIEW_LEFT;
        assert_int_equal(view_picture(v, side, &grey, up, NULL), SV_OK);
        assert_int_equal(view_set_rectification(v, rectified ? &r : NULL, NULL), SV_OK);
        draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, HEIGHT});
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const int row = y + up;
                const bool outside = row < 0 || row >= HEIGHT || (rectified && map[row][x][0] == SV_MAP_OUTSIDE);
                const double expected = outside ? 0
                                        : !rectified
                                            ? 20 + 3 * x + 4 * row
                                            : 20 + (3 * map[row][x][0] + 4 * map[row][x][1]) / (double)SV_MAP_STEPS;
                for (int c = 0; c < 3; c++)
                    if (!(fabs(on.pixels[HEIGHT - 1 - y][x][c] - expected) < 1.5))
                        fail_msg("pass %d: %d, %d is %d, not %g", pass, x, y, on.pixels[HEIGHT - 1 - y][x][c],
                                 expected);
            }
    }
    other.maps[0] = &map[0][0][0];
    assert_int_equal(view_set_rectification(v, &other, &error), SV_USAGE);
    view_destroy(v);
    free(grey.data);
    assert_no_complaints();
}

static float ramp_at(int x, int y) { return y || x == 7 ? INFINITY : (float)(x - 20) / 3; }

/* Equal ratios of depth are equal steps of the table, from the definition; to one entry, as logarithms are rounded. */
TEST(depth_is_coloured_by_ratios) {
    NEEDS_WINDOW();
    enum { WIDTH = 300, HEIGHT = 1 };
    static canvas on;
    const double doffs = 3, ends[][2] = {{0, 61}, {20, 60}, {-10, 61}};
    const sv_rectification r = {
        .width = WIDTH, .height = HEIGHT, .focal = 500, .baseline = 0.1, .doffs = doffs, .metric = true};
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    show_map(v, 0, WIDTH, HEIGHT, ramp_at, 0);
    assert_true(view_lacks(v) & VIEW_NEEDS_METRES);
    assert_int_equal(view_set_rectification(v, &r, NULL), SV_OK);
    assert_false(view_lacks(v) & VIEW_NEEDS_METRES);
    s.kinds[0] = VIEW_DEPTH;
    for (int n = 0; n < 3; n++) {
        s.colour = (colour_settings){.map = COLOUR_GREY, .min = (float)ends[n][0], .max = (float)ends[n][1]};
        draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, HEIGHT});
        const double nearest = 50 / (ends[n][1] + doffs),
                     farthest = fmin(64 * nearest, fabs(50 / (ends[n][0] + doffs)));
        for (int x = 0; x < WIDTH; x++) {
            const double d = (x - 20) / 3.0, depth = d + doffs > 0 ? 50 / (d + doffs) : INFINITY;
            const double share = 1 - log(depth / nearest) / log((n == 2 ? 64 * nearest : farthest) / nearest);
            const double expected = x == 7 ? 0 : 255 * fmin(1, fmax(0, share));
            if (fabs(on.pixels[0][x][0] - expected) > 1.5)
                fail_msg("range %d, %g px is %d, not %g", n, d, on.pixels[0][x][0], expected);
        }
    }
    view_destroy(v);
    assert_no_complaints();
}

/* The classes of errors are those of the figures' bounds: 0.5, 1, 2 and 4 pixels, inclusive. */
TEST(errors_have_their_colours) {
    NEEDS_WINDOW();
    enum { WIDTH = 16 };
    static const struct {
        float d, t;
        int expected;
    } cases[] = {{10, 10.5f, COLOUR_ERROR_HALF},
                 {10, 9.49f, COLOUR_ERROR_1},
                 {11, 10, COLOUR_ERROR_1},
                 {8, 10, COLOUR_ERROR_2},
                 {12.01f, 10, COLOUR_ERROR_4},
                 {6, 10, COLOUR_ERROR_4},
                 {-4.5f, 0, COLOUR_ERROR_MORE},
                 {INFINITY, 10, COLOUR_ERROR_NONE},
                 {10, INFINITY, COLOUR_ERROR_UNKNOWN},
                 {INFINITY, NAN, COLOUR_ERROR_UNKNOWN}};
    static canvas on;
    sv_image disparity = make_padded(WIDTH, 1, SV_FLOAT32), reason = make_padded(WIDTH, 1, SV_REASON8);
    sv_image truth = make_padded(WIDTH, 1, SV_FLOAT32), small = make_padded(WIDTH - 1, 1, SV_FLOAT32);
    const int count = sizeof cases / sizeof *cases;
    for (int x = 0; x < WIDTH; x++) {
        ((float *)sv_row(&disparity, 0))[x] = cases[x % count].d;
        ((float *)sv_row(&truth, 0))[x] = cases[x % count].t;
        ((uint8_t *)sv_row(&reason, 0))[x] = SV_VALID;
    }
    view *v = make_view(WIDTH, 1);
    view_settings s = view_default();
    s.kinds[0] = VIEW_ERROR;
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    assert_true(view_lacks(v) & VIEW_NEEDS_TRUTH);
    draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, 1});
    assert_int_equal(on.pixels[0][0][1], 0); /* nothing is drawn */
    assert_int_equal(view_truth(v, &small, NULL), SV_USAGE);
    assert_int_equal(view_truth(v, &truth, NULL), SV_OK);
    assert_false(view_lacks(v) & VIEW_NEEDS_TRUTH);
    draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, 1});
    for (int x = 0; x < WIDTH; x++) {
        uint8_t rgb[3];
        colour_of_error(cases[x % count].expected, rgb);
        /* No disparity looks as it does in the map. */
        if (cases[x % count].expected == COLOUR_ERROR_NONE) memcpy(rgb, s.colour.empty, sizeof rgb);
        assert_memory_equal(on.pixels[0][x], rgb, 3);
        assert_int_equal(colour_error_of(cases[x % count].d, cases[x % count].t), cases[x % count].expected);
    }
    assert_int_equal(view_truth(v, NULL, NULL), SV_OK);
    assert_true(view_lacks(v) & VIEW_NEEDS_TRUTH);
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(truth.data);
    free(small.data);
    assert_no_complaints();
}

/* As many pixels as are looked at for the range. One column in 64 is an outlier, at either end, and the next is what
 * the second per cent falls on: 10 and 90, and `more`. */
enum { RANGE_WIDTH = 64, RANGE_HEIGHT = 48 };
static float range_at(int x, int y) {
    const float d = x == 0                 ? -1000
                    : x == 1               ? 10
                    : x == RANGE_WIDTH - 2 ? 90
                    : x == RANGE_WIDTH - 1 ? 5000
                                           : 20 + (float)x;
    return y % 2 ? d : INFINITY;
}
static void show_range(view *v, int slot, float more) { show_map(v, slot, RANGE_WIDTH, RANGE_HEIGHT, range_at, more); }

static void range_step(view *v, view_settings *s, bool searched) {
    sv_params params = sv_default_params(SV_NCC);
    params.min_disparity = -10;
    params.max_disparity = 900;
    view_follow_range(v, s, view_histogram(v, 0, &params), searched, -10, 900);
}

/* Follows the map until the range, which ends at `max`, is another one. */
static void follow_range(view *v, view_settings *s, bool searched, float max) {
    for (const double begun = sv_seconds(); s->colour.max == max && sv_seconds() < begun + PATIENCE;) {
        range_step(v, s, searched);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

TEST(ranges_are_followed) {
    NEEDS_WINDOW();
    view *v = make_view(RANGE_WIDTH, RANGE_HEIGHT);
    view_settings s = view_default();
    show_range(v, 0, 0);
    s.range = VIEW_RANGE_FIXED;
    s.colour.min = 3;
    s.colour.max = 4;
    range_step(v, &s, true);
    assert_true(s.colour.min == 3 && s.colour.max == 4);
    s.range = VIEW_RANGE_SEARCHED;
    range_step(v, &s, true);
    assert_true(s.colour.min == -10 && s.colour.max == 900);
    follow_range(v, &s, false, 900);
    assert_true(s.colour.min == 10 && s.colour.max == 90);
    range_step(v, &s, true);
    assert_true(s.colour.max == 900);
    s.range = VIEW_RANGE_AUTOMATIC;
    follow_range(v, &s, true, 900);
    assert_true(s.colour.min == 10);
    assert_true(s.colour.max == 90);
    /* Another map moves it by degrees, so that colours do not jump. */
    show_range(v, 1, 20);
    follow_range(v, &s, true, 90);
    assert_true(s.colour.min > 10 && s.colour.min < 29);
    assert_true(s.colour.max > 90 && s.colour.max < 109);
    for (int i = 0; i < 100 && s.colour.max < 109.5f; i++) follow_range(v, &s, true, s.colour.max);
    assert_true(s.colour.min > 29.5f && s.colour.min <= 30);
    assert_true(s.colour.max > 109.5f && s.colour.max <= 110);
    view_destroy(v);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)

/* An arrow from the middle of each part that is known, down where the right picture lies lower, as long as its error,
 * with the number beside it; nothing where rows are not known. */
TEST(row_errors_are_arrows) {
    NEEDS_WINDOW();
    enum { WIDTH = 320, HEIGHT = 240 };
    sv_image left = make_padded(WIDTH, HEIGHT, SV_GREY8);
    for (int y = 0; y < HEIGHT; y++) memset(sv_row(&left, y), 70, WIDTH);
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    s.kinds[0] = VIEW_ROWS;
    assert_int_equal(view_picture(v, 0, &left, 0, NULL), SV_OK);
    view_row_errors errors;
    for (int i = 0; i < VIEW_ROWS_DOWN * VIEW_ROWS_ACROSS; i++) (&errors.of[0][0])[i] = NAN;
    errors.of[1][2] = 2;     /* its middle is at 100, 60: down by 0.45 of 40 rows */
    errors.of[1][5] = -0.5f; /* 220, 60: up by a quarter of that */
    errors.of[4][0] = 0.1f;  /* 20, 180 */
    static canvas on;
    const view_rect area = {0, 0, WIDTH, HEIGHT};
    const uint8_t grey[3] = {70, 70, 70}, red[3] = {255, 107, 97}, amber[3] = {255, 191, 92}, green[3] = {92, 212, 125};
    const struct {
        int x, y;
        const uint8_t *colour;
    } expected[] = {{100, 60, red},   {100, 75, red},  {100, 45, grey},  {220, 60, amber},
                    {220, 57, amber}, {220, 70, grey}, {20, 180, green}, {60, 60, grey}};
    view_word words[8];
    for (int known = 0; known < 2; known++) {
        view_set_rows(v, known ? &errors : NULL);
        draw_on(&on, v, &s, area);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            assert_memory_equal(on.pixels[HEIGHT - 1 - expected[i].y][expected[i].x], known ? expected[i].colour : grey,
                                3);
        assert_int_equal(view_words(v, &s, area, 10.f / 15, words, 8), known ? 3 : 0);
    }
    assert_string_equal(words[0].text, "+2.00");
    assert_string_equal(words[1].text, "-0.50");
    assert_int_equal(view_words(v, &s, (view_rect){0, 0, 304, 228}, 10.f / 15, words, 8), 0); /* parts of 38 pixels */
    view_destroy(v);
    free(left.data);
    assert_no_complaints();
}
