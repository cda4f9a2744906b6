/* The views of the costs and of the confidence: their colours, and the costs' range. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/canvas.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 50, HEIGHT = 20 };

static view *make(view_settings *settings) {
    view *v = make_view(WIDTH, HEIGHT);
    sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    fill_maps(&disparity, &reason);
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    free(disparity.data);
    free(reason.data);
    *settings = view_default();
    settings->kinds[0] = VIEW_COST;
    settings->colour.show_reasons = true; /* which are of the map */
    return v;
}

/* The costs 0 to 999 in an order that has no runs: their 2nd percentile is 20, the 98th 979. */
static void fill(const sv_image *costs) {
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        ((float *)sv_row(costs, i / WIDTH))[i % WIDTH] = (float)(i * 387 % (WIDTH * HEIGHT));
}

TEST(costs_have_the_colours_of_their_range) {
    NEEDS_WINDOW();
    static canvas on;
    const view_rect area = {10, 30, WIDTH, HEIGHT};
    sv_image costs = make_padded(WIDTH, HEIGHT, SV_FLOAT32), expected = make_padded(WIDTH, HEIGHT, SV_COLOUR8);
    view_settings s;
    view *v = make(&s);
    float min, max;
    assert_false(view_costs_range(v, &min, &max));
    draw_on(&on, v, &s, area);
    assert_memory_equal(on.pixels[40][20], ((uint8_t[]){255, 0, 255}), 3); /* there are none yet */
    fill(&costs);
    ((float *)sv_row(&costs, 7))[3] = INFINITY;
    assert_int_equal(view_set_costs(v, &costs, NULL), SV_OK);
    assert_true(view_costs_range(v, &min, &max));
    assert_true(fabsf(min - 20) <= 1 && fabsf(max - 979) <= 1);
    draw_on(&on, v, &s, area);
    colour_settings colours = s.colour;
    colours.min = min;
    colours.max = max;
    assert_int_equal(colour_picture(&colours, &costs, NULL, &expected, NULL), SV_OK);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_memory_equal(on.pixels[area.y + HEIGHT - 1 - y][area.x + x], (uint8_t *)sv_row(&expected, y) + 4 * x,
                                3);
    assert_int_equal(view_set_costs(v, NULL, NULL), SV_OK);
    assert_false(view_costs_range(v, &min, &max));
    view_destroy(v);
    free(costs.data);
    free(expected.data);
    assert_no_complaints();
}

TEST(unsuitable_costs_are_refused_or_left_empty) {
    NEEDS_WINDOW();
    static canvas on;
    sv_image costs = make_padded(WIDTH, HEIGHT, SV_FLOAT32), small = make_padded(WIDTH - 1, HEIGHT, SV_FLOAT32);
    sv_image grey = make_padded(WIDTH, HEIGHT, SV_GREY8);
    view_settings s;
    view *v = make(&s);
    float min, max;
    assert_int_equal(view_set_costs(v, &small, NULL), SV_USAGE);
    assert_int_equal(view_set_costs(v, &grey, NULL), SV_USAGE);
    for (int i = 0; i < WIDTH * HEIGHT; i++) ((float *)sv_row(&costs, i / WIDTH))[i % WIDTH] = INFINITY;
    assert_int_equal(view_set_costs(v, &costs, NULL), SV_OK);
    assert_true(view_costs_range(v, &min, &max));
    assert_true(min == max);
    draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, HEIGHT});
    assert_memory_equal(on.pixels[5][5], s.colour.empty, 3);
    view_destroy(v);
    free(costs.data);
    free(small.data);
    free(grey.data);
    assert_no_complaints();
}

/* Confidence has the colours of a map from 0 to 255 while there is one, and is read under the mouse. */
TEST(confidence_has_the_colours_of_its_bytes) {
    NEEDS_WINDOW();
    static canvas on;
    const view_rect area = {10, 30, WIDTH, HEIGHT};
    sv_image values = make_padded(WIDTH, HEIGHT, SV_FLOAT32), expected = make_padded(WIDTH, HEIGHT, SV_COLOUR8);
    sv_image bytes = make_padded(WIDTH, HEIGHT, SV_GREY8);
    view_pixel pixel = {0};
    view_settings s;
    view *v = make(&s);
    s.kinds[0] = VIEW_CONFIDENCE;
    draw_on(&on, v, &s, area);
    assert_memory_equal(on.pixels[40][20], ((uint8_t[]){255, 0, 255}), 3); /* there is none yet */
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        ((uint8_t *)sv_row(&bytes, i / WIDTH))[i % WIDTH] = (uint8_t)(i * 7);
        ((float *)sv_row(&values, i / WIDTH))[i % WIDTH] = (float)(i * 7 % 256);
    }
    assert_int_equal(view_write_confidence(v, 0, &values, NULL), SV_USAGE);
    assert_int_equal(view_write_confidence(v, 0, &bytes, NULL), SV_OK);
    view_show(v, 0);
    view_show_confidence(v, 0);
    draw_on(&on, v, &s, area);
    colour_settings colours = s.colour;
    colours.min = 0;
    colours.max = 255;
    assert_int_equal(colour_picture(&colours, &values, NULL, &expected, NULL), SV_OK);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_memory_equal(on.pixels[area.y + HEIGHT - 1 - y][area.x + x], (uint8_t *)sv_row(&expected, y) + 4 * x,
                                3);
    for (int tries = 2000; tries && !view_pick(v, &s, area, area.x + 3, area.y + HEIGHT - 1 - 5, &pixel); tries--)
        draw_on(&on, v, &s, area);
    assert_int_equal(pixel.x, 3);
    assert_int_equal(pixel.y, 5);
    assert_true(pixel.has_confidence);
    assert_int_equal(pixel.confidence, (5 * WIDTH + 3) * 7 % 256);
    view_show(v, 0); /* without confidence */
    draw_on(&on, v, &s, area);
    assert_memory_equal(on.pixels[40][20], ((uint8_t[]){255, 0, 255}), 3);
    view_destroy(v);
    free(values.data);
    free(bytes.data);
    free(expected.data);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)
