/* The panel: that it draws in every state, and its legend. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/split.h"
#include "render/panel/panel.h"
#include "render/panel/panel_reading.h"
#include "render/panel/panel_words.h"
#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

static sv_params ssd; /* with its defaults */

static void draw(panel *p, panel_state *s) {
    panel_build(p, s);
    panel_render(p);
}

/* The panel in many states: draws without complaint, changes nothing unasked, leaves room. */
TEST(panel_draws_in_every_state) {
    NEEDS_WINDOW();
    panel *p;
    sv_error error;
    input_event event;
    int width, height;
    assert_int_equal(panel_create(&p, shown, &error), SV_OK);
    window_size(shown, &width, &height);
    const view_pixel pixels[] = {{.x = 3, .y = 4, .disparity = INFINITY, .reason = SV_SPECKLE},
                                 {.x = 3, .y = 4, .disparity = 20}};
    const sv_rectification metric = {.focal = 500, .baseline = 0.1, .doffs = -3, .metric = true};
    trace times = {.newest = 0};
    static const panel_history history = {.values = {1, 2}, .at = {1, 2}, .count = 2};
    static const char *const words[PANEL_MOST_CELLS] = {"a", "b", "c", "%s", "e", "f", "g", "h"};
    for (int i = 0; i < 128; i++) {
        const sv_params params = sv_default_params((sv_method)(i % SV_METHOD_COUNT));
        panel_state s = {.params.now = &params, .status.params = &params, .view = view_default()};
        s.looks.open = i & 1;
        s.looks.width = PANEL_WIDTH;
        s.looks.theme = i / 2 % PANEL_THEME_COUNT;
        s.looks.statistics = i & 2;
        s.looks.help = i & 4;
        s.playback.seekable = i & 8;
        s.playback.live = i & 16;
        s.playback.pictures = i & 32;
        s.playback.speed = 1;
        s.playback.duration = i & 8 ? 60 : 0;
        s.view.layout = i % VIEW_LAYOUT_COUNT;
        s.view.range = i % VIEW_RANGE_COUNT;
        s.view.colour.show_reasons = i & 64;
        s.view.metres = i % 5 < 3;
        if (i % 5 % 2) s.metric = &metric;
        s.controls = (panel_controls){.has_cameras = i & 4, .has_two = i & 8, .shown = i & 16, .count = 2};
        s.controls.each[0] = (panel_control){.name = "mute", .max = 1, .is_switch = true};
        s.controls.each[1] = (panel_control){.name = "any_number", .min = INT_MIN, .max = INT_MAX};
        s.source.layout = i % (SPLIT_LAYOUT_COUNT + 1) - 1;
        s.source.layout_count = SPLIT_LAYOUT_COUNT;
        s.source.layout_name = split_layout_name;
        if (i % 3) {
            s.figures.rows[0][0] = s.figures.rows[0][1] = "100 % of %s %n";
            s.strip.count = PANEL_MOST_CELLS;
            s.strip.opened = i % (PANEL_MOST_CELLS + 1) - 1;
            for (int k = 0; k < PANEL_MOST_CELLS; k++)
                s.strip.cells[k] = (panel_cell){.name = words[k],
                                                .brief = words[k],
                                                .figure = "100 % of %s %n",
                                                .grade = (panel_grade)(k % 4),
                                                .finding = "100 % of %s %n",
                                                .meaning = "100 % of %s %n",
                                                .cures = {k % 2 ? "100 % of %s %n" : NULL},
                                                .history = &history,
                                                .unit = "%s"};
            s.figures.row_count = i % 2;
            s.source.names[0] = s.source.names[1] = s.source.device = "100 % of %s %n";
            s.status.backend = s.message.text = "100 % of %s %n";
            s.pixel = &pixels[i % 2];
            trace_add(&times, i, i % 4);
            s.figures.figures[0] = (panel_figure){.name = "100 % of %s %n", .unit = "ms", .trace = &times};
            s.figures.figures[1] =
                (panel_figure){.name = "late", .unit = "", .trace = &times, .counts = true, .total = 1};
            s.figures.count = 2;
            s.figures.now = i;
        }
        const panel_state before = s;
        window_poll(shown, 0);
        window_clear(shown);
        draw(p, &s);
        window_swap(shown);
        assert_false(s.params.wants);
        assert_memory_equal(&s.playback, &before.playback, sizeof s.playback);
        assert_memory_equal(&s.view, &before.view, sizeof s.view);
        const view_rect area = panel_picture_area(p, &s);
        assert_true(area.x == 0 && area.y > 0 && area.width > width / 5 && area.height > height / 2);
        assert_true(s.strip.count ? area.y + area.height < height : area.y + area.height == height);
        assert_true(s.looks.open ? area.width < width / 2 + 1 : area.width <= width);
    }
    assert_false(window_next_event(shown, &event));
    panel_destroy(p);
    panel_destroy(NULL);
    assert_no_complaints();
}

TEST(status_is_of_the_map) {
    char text[256];
    sv_params of_map = sv_default_params(SV_SSD);
    panel_status s = {.params = &of_map, .backend = "cpu", .matched_rate = 7};
    of_map.min_disparity = -2;
    of_map.max_disparity = 77;
    panel_describe_map(&s, text, sizeof text);
    assert_non_null(strstr(text, "ssd on cpu     disparities -2:77 px"));
    of_map = sv_default_params(SV_NET); /* searches none */
    s.range[0] = -1.25f;
    s.range[1] = 100.25f;
    panel_describe_map(&s, text, sizeof text);
    assert_non_null(strstr(text, "net on cpu     disparities -2:101 px"));
    of_map = sv_default_params(SV_NCC);
    panel_describe_map(&s, text, sizeof text);
    assert_null(strstr(text, "real time"));
    s.of_real_time = 7 / 30.0;
    panel_describe_map(&s, text, sizeof text);
    assert_non_null(strstr(text, "7.0 matched (0.23x of real time)"));
    s.of_real_time = 0.0069;
    panel_describe_map(&s, text, sizeof text);
    assert_non_null(strstr(text, "(1/145 of real time)"));
    s = (panel_status){.params = &of_map, .backend = "cpu", .still = true}; /* no rates, which would be 0 */
    panel_describe_map(&s, text, sizeof text);
    assert_int_equal(strncmp(text, "ncc on cpu", 10), 0);
    s.match_ms = 34.4;
    panel_describe_map(&s, text, sizeof text);
    assert_int_equal(strncmp(text, "matched in 34 ms     ncc on cpu", 31), 0);
    s.match_ms = 3.44;
    panel_describe_map(&s, text, sizeof text);
    assert_int_equal(strncmp(text, "matched in 3.4 ms ", 18), 0);
}

static const panel_value *value_of(const panel_value *values, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (!strcmp(values[i].name, name)) return &values[i];
    return NULL;
}

/* The last decimal of a depth is at most its deviation, Z^2 / (f B) times that of the disparity, and ten times of it is
 * more: 2.297 m with f B = 100 and 0.05 px is known to 2.6 mm. */
TEST(depth_has_the_digits_that_it_deserves) {
    assert_int_equal(panel_depth_decimals(2.297, 100, 0.05), 3);
    assert_int_equal(panel_depth_decimals(2.297, 10, 0.05), 2);
    for (double depth = 0.2; depth < 300; depth *= 1.37)
        for (double product = 5; product < 2000; product *= 3.1) {
            const int decimals = panel_depth_decimals(depth, product, 0.05);
            const double spread = depth * depth / product * 0.05, last = pow(10, -decimals);
            assert_in_range(decimals, 0, 4);
            if (decimals > 0) assert_true(10 * last > spread);
            if (decimals < 4 && decimals > 0) assert_true(last <= spread * (1 + 1e-6));
        }
    /* As tests/bench/deviation.py has measured them; a model, which it has not, rounds. */
    const double measured[SV_METHOD_COUNT] = {
        [SV_SSD] = 0.25, [SV_NCC] = 0.24, [SV_ZNCC] = 0.24, [SV_GFD] = 0.30, [SV_SGM] = 0.25, [SV_NET] = 1 / sqrt(12)};
    for (int method = 0; method < SV_METHOD_COUNT; method++) {
        sv_params params = sv_default_params((sv_method)method);
        params.subpixel = true;
        assert_true(fabs(panel_deviation(&params) - measured[method]) < 1e-9);
        params.scale = 2;
        assert_true(fabs(panel_deviation(&params) - 2 * measured[method]) < 1e-9);
        params.subpixel = false;
        assert_true(fabs(panel_deviation(&params) - 2 / sqrt(12)) < 1e-9);
    }
}

/* Every value of a pixel, with fixed decimals. */
TEST(readings_have_fixed_decimals) {
    static const struct {
        const char *name, *text;
    } expected[] = {{"x", "200"},          {"y", "30"},       {"Disparity", "40.00"}, {"Z", "1.250"},
                    {"X", "−0.300"},       {"Y", "−0.525"},   {"Confidence", "212"},  {"Left grey", "176"},
                    {"Right grey", "179"}, {"Truth", "39.9"}, {"Error", "+0.10"}};
    const sv_rectification metric = {.width = 640,
                                     .height = 480,
                                     .focal = 500,
                                     .baseline = 0.1,
                                     .metric = true,
                                     .pinholes[0] = {.fx = 500, .fy = 500, .cx = 320, .cy = 240}};
    const view_pixel pixel = {.x = 200, .y = 30, .disparity = 40, .has_confidence = true, .confidence = 212};
    const sv_params params = sv_default_params(SV_SGM);
    panel_reading r = {.pixel = &pixel,
                       .metric = &metric,
                       .params = {&params},
                       .channels = 1,
                       .left = {176},
                       .right = {{179}},
                       .matches = {true},
                       .truth = 39.9};
    panel_value values[PANEL_MAX_VALUES];
    int count = panel_read(&r, values);
    assert_int_equal(count, 11);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const panel_value *v = value_of(values, count, expected[i].name);
        assert_non_null(v);
        assert_memory_equal(v->text[0], expected[i].text, strlen(expected[i].text));
        assert_string_equal(v->text[1], "");
    }
    assert_false(value_of(values, count, "Error")->is_error[0]);
    char line[40];
    panel_describe(&r, line, sizeof line);
    assert_memory_equal(line, "x 200, y 30, d 40.00 px, Z ", 27);
    r.truth = 45;
    count = panel_read(&r, values);
    assert_string_equal(value_of(values, count, "Error")->text[0], "−5.00");
    assert_true(value_of(values, count, "Error")->is_error[0]);
    r.pixel = NULL;
    assert_int_equal(panel_read(&r, values), 0);
}

/* Where there are two maps, both values; a pixel without a disparity has its reason, and neither depth nor error. */
TEST(readings_of_two_maps) {
    const view_pixel pixel = {.x = 3,
                              .y = 4,
                              .disparity = 20.25f,
                              .compared = true,
                              .second_disparity = INFINITY,
                              .second_reason = SV_SPECKLE};
    const sv_params params = sv_default_params(SV_SSD);
    const panel_reading r = {.pixel = &pixel, .params = {&params, &params}, .truth = 20.25};
    panel_value values[PANEL_MAX_VALUES];
    const int count = panel_read(&r, values);
    assert_string_equal(value_of(values, count, "Disparity")->text[0], "20.25");
    assert_string_equal(value_of(values, count, "Disparity")->text[1], "none");
    assert_string_equal(value_of(values, count, "Error")->text[0], "0.00");
    assert_string_equal(value_of(values, count, "Error")->text[1], "");
    assert_string_equal(value_of(values, count, "Reason")->text[0], "valid");
    assert_string_equal(value_of(values, count, "Reason")->text[1], "speckle");
    assert_null(value_of(values, count, "Z"));
}

/* The panel's defaults are those of a window, which averages over frames. */
TEST(a_parameter_is_described_with_the_default_of_a_window) {
    char text[640];
    const sv_params params = sv_default_params(SV_SGM);
    panel_describe_parameter(&params, sv_find_parameter("temporal"), text, sizeof text);
    assert_non_null(strstr(text, "\ndefault 5 (right click)"));
    panel_describe_parameter(&params, sv_find_parameter("p1"), text, sizeof text);
    assert_non_null(strstr(text, "\ndefault 6 (right click)"));
}

/* Each map has its own error. */
TEST(only_a_wrong_map_is_marked) {
    const view_pixel pixel = {.disparity = 20, .compared = true, .second_disparity = 25};
    const sv_params params = sv_default_params(SV_SSD);
    const panel_reading r = {.pixel = &pixel, .params = {&params, &params}, .truth = 20.25};
    panel_value values[PANEL_MAX_VALUES];
    const panel_value *error = value_of(values, panel_read(&r, values), "Error");
    assert_false(error->is_error[0]);
    assert_true(error->is_error[1]);
}

/* The plot of the costs has the value of the map of which the costs are, and none that is older or newer. */
TEST(costs_are_of_one_map) {
    char pixel[96], winner[96], second[96];
    const sv_params of_map = sv_default_params(SV_SSD);
    static const sv_costs costs = {
        .x = 3, .y = 4, .count = 8, .step = 1, .winner = 5, .second = -1, .costs = {[5] = 12}};
    const view_pixel at = {.x = 3,
                           .y = 4,
                           .disparity = 20.25f,
                           .compared = true,
                           .second_disparity = INFINITY,
                           .second_reason = SV_SPECKLE};
    panel_costs s = {.params = &of_map, .costs = &costs};
    panel_describe_costs(&s, &at, pixel, winner, second, sizeof pixel);
    assert_string_equal(pixel, "(3, 4): 20.25 px, valid");
    assert_string_equal(winner, "winner 5 px: cost 12 grey²");
    assert_string_equal(second, "");
    s.compared = true;
    panel_describe_costs(&s, &at, pixel, winner, second, sizeof pixel);
    assert_string_equal(pixel, "A (3, 4): 20.25 px, valid");
    s.second = true;
    panel_describe_costs(&s, &at, pixel, winner, second, sizeof pixel);
    assert_string_equal(pixel, "B (3, 4): none, speckle");
    s.age = "of frame 7";
    panel_describe_costs(&s, &at, pixel, winner, second, sizeof pixel);
    assert_string_equal(pixel, "B (3, 4), of frame 7");
}

/* Frames are counted from 0, and the last one is the last. */
TEST(position_has_the_last_frame) {
    char text[96];
    panel_playback s = {.pictures = true, .frame = 23, .frames = 24};
    panel_describe_position(&s, text, sizeof text);
    assert_string_equal(text, "frame 23 / 23");
    s = (panel_playback){.pictures = true, .frames = 1}; /* is not played */
    panel_describe_position(&s, text, sizeof text);
    assert_string_equal(text, "");
    s = (panel_playback){.frame = 1900, .frames = 2000, .position = 76, .duration = 80};
    panel_describe_position(&s, text, sizeof text);
    assert_string_equal(text, "1:16.0 / 1:20.0   frame 1900 / 1999");
    s.position = 59.96; /* which is a minute, to a tenth of a second */
    panel_describe_position(&s, text, sizeof text);
    assert_string_equal(text, "1:00.0 / 1:20.0   frame 1900 / 1999");
    s = (panel_playback){.live = true, .frame = 5};
    panel_describe_position(&s, text, sizeof text);
    assert_string_equal(text, "frame 5");
}

/* At most 1024 disparities are searched: of a longer range the end that was not moved follows. */
TEST(the_other_end_of_a_long_range_follows) {
    static const struct {
        int min, max, to_min, to_max, then_min, then_max;
    } cases[] = {
        {0, 63, 0, 1023, 0, 1023},     {0, 63, -960, 63, -960, 63},     {0, 63, -961, 63, -961, 62},
        {0, 63, -1024, 63, -1024, -1}, {-10, 63, -10, 1013, -10, 1013}, {-10, 63, -10, 1014, -9, 1014},
        {-10, 63, -10, 1023, 0, 1023}, {-1024, -1, -1024, 0, -1023, 0}, {0, 1023, -1, 1023, -1, 1022},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_params params = ssd;
        params.min_disparity = cases[i].min;
        params.max_disparity = cases[i].max;
        panel_move_range(&params, cases[i].to_min, cases[i].to_max);
        assert_int_equal(params.min_disparity, cases[i].then_min);
        assert_int_equal(params.max_disparity, cases[i].then_max);
    }
}

/* ---- The legend ------------------------------------------------------------------------------- */

enum { MOST_TICKS = 40 };

typedef struct legend {
    uint8_t pixels[SCREEN_HEIGHT][SCREEN_WIDTH][4]; /* from the top; magenta where nothing was drawn */
    int left;                                       /* column where the picture ends and the legend begins */
    double em;                                      /* height of the text, pixels */
    int top, bottom;                                /* rows of the colour bar, half open */
    double ticks[MOST_TICKS];                       /* their rows */
    int widths[MOST_TICKS];                         /* of what is written beside them, pixels */
    int tick_count;
} legend;

static bool is_drawn(const legend *l, int x, int y) {
    const uint8_t *p = l->pixels[y][x];
    return p[0] != 255 || p[1] != 0 || p[2] != 255;
}

/* How wide the text beside a tick is. */
static int text_width(const legend *l, double row) {
    const int begin = l->left + (int)(2.4 * l->em);
    int end = begin;
    for (int y = (int)(row - 0.4 * l->em); y <= (int)(row + 0.4 * l->em); y++)
        for (int x = begin; x < SCREEN_WIDTH; x++)
            if (y >= 0 && y < SCREEN_HEIGHT && is_drawn(l, x, y) && x >= end) end = x + 1;
    return end - begin;
}

/* Draws the panel, closed, and finds the parts of its legend. */
static void draw_legend(legend *l, panel *p, panel_state *s) {
    GLuint texture, framebuffer;
    int width, height;
    window_size(shown, &width, &height);
    assert_int_equal(width, SCREEN_WIDTH);
    assert_int_equal(height, SCREEN_HEIGHT);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(1, 0, 1, 1);
    glDisable(GL_SCISSOR_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    window_poll(shown, 0);
    draw(p, s);
    for (int y = 0; y < height; y++) glReadPixels(0, height - 1 - y, width, 1, GL_RGBA, GL_UNSIGNED_BYTE, l->pixels[y]);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);

    const view_rect area = panel_picture_area(p, s);
    l->left = area.width;
    l->em = (width - area.width) / 8.0;
    l->top = l->bottom = l->tick_count = 0;
    if (area.width == width) return;
    /* The bar is the longest run in its middle column, and ticks begin at its right edge. */
    const int middle = l->left + (int)(1.35 * l->em), beside = l->left + (int)(2.1 * l->em);
    for (int y = 0, from = 0; y < area.height; y++) {
        if (!is_drawn(l, middle, y)) from = y + 1;
        if (y + 1 - from > l->bottom - l->top) l->top = from, l->bottom = y + 1;
    }
    for (int y = 0; y < l->bottom + 3 && l->tick_count < MOST_TICKS; y++) {
        int rows = 0;
        while (y + rows < SCREEN_HEIGHT && is_drawn(l, beside, y + rows)) rows++;
        if (!rows) continue;
        l->ticks[l->tick_count] = y + rows / 2.0;
        l->widths[l->tick_count] = text_width(l, y + rows / 2.0);
        l->tick_count++;
        y += rows;
    }
}

/* The ticks, from the top, are at these disparities. */
static void assert_ticks(const legend *l, const colour_settings *c, const double *disparities, int count) {
    assert_int_equal(l->tick_count, count);
    for (int i = 0; i < count; i++) {
        const double row = l->top + (l->bottom - l->top) * (c->max - disparities[i]) / (c->max - c->min);
        if (fabs(l->ticks[i] - row) > 1.5)
            fail_msg("tick %d is in row %g, not %g, of %d to %d", i, l->ticks[i], row, l->top, l->bottom);
    }
}

/* The largest disparity is at the top, in its colour; the ticks are where their numbers say. */
TEST(legend_tells_the_colours) {
    NEEDS_WINDOW();
    static legend l;
    panel *p;
    panel_state s = {.params.now = &ssd, .status.params = &ssd, .view = view_default()};
    s.view.colour.min = -3;
    s.view.colour.max = 60;
    assert_int_equal(panel_create(&p, shown, NULL), SV_OK);
    for (int map = 0; map < COLOUR_MAP_COUNT; map++) {
        uint8_t table[COLOUR_ENTRIES][3];
        s.view.colour.map = map;
        colour_table(map, table);
        draw_legend(&l, p, &s);
        assert_true(l.bottom - l.top > SCREEN_HEIGHT / 2);
        for (int y = l.top + 1; y < l.bottom - 1; y++) {
            const double exact = 255 * (1 - (y + 0.5 - l.top) / (l.bottom - l.top));
            const uint8_t *got = l.pixels[y][l.left + (int)(1.35 * l.em)];
            /* Two entries a row at most, each up to 8 from the next. */
            for (int c = 0; c < 3; c++) assert_true(abs(got[c] - table[(int)exact][c]) <= 16);
        }
    }
    static const double tens[] = {60, 50, 40, 30, 20, 10, 0};
    assert_ticks(&l, &s.view.colour, tens, 7);
    /* One digit is narrower than two. */
    for (int i = 0; i < 6; i++) assert_true(l.widths[i] > l.widths[6] + 2);

    /* Depth is focal * baseline / (disparity + doffs): 50 / (disparity - 3) metres. */
    const sv_rectification metric = {.focal = 500, .baseline = 0.1, .doffs = -3, .metric = true};
    s.metric = &metric;
    s.view.metres = true;
    s.view.colour.min = 0;
    draw_legend(&l, p, &s);
    static const double metres[] = {1, 1.2, 1.5, 2, 3, 5, 15};
    double disparities[7];
    for (int i = 0; i < 7; i++) disparities[i] = 50 / metres[i] + 3;
    assert_ticks(&l, &s.view.colour, disparities, 7);

    s.view.legend = false;
    draw_legend(&l, p, &s);
    assert_int_equal(l.left, SCREEN_WIDTH);
    panel_destroy(p);
    assert_no_complaints();
}

/* The bars beside the colours: where the disparity is, as long as its share of the most frequent one. */
TEST(legend_shows_the_distribution) {
    NEEDS_WINDOW();
    static legend l;
    panel *p;
    histogram h = {.min = 0, .count = 64, .pixels = 9000, .values = 5000};
    panel_state s = {.params.now = &ssd, .status.params = &ssd, .view = view_default(), .histogram = &h};
    s.view.colour.min = 0;
    s.view.colour.max = 63;
    h.bins[25] = 200;
    h.bins[45] = 100;
    assert_int_equal(panel_create(&p, shown, NULL), SV_OK);
    for (int pass = 0; pass < 2; pass++) {
        h.largest = h.bins[63] = pass ? 110 : 90; /* of 5000: more than 2 % means that nearer things are cut off */
        draw_legend(&l, p, &s);
        for (int i = 15; i < 64; i += 10) { /* between the ticks, that is 15, 25, ... */
            const int y = (int)(l.bottom - (l.bottom - l.top) * i / 63.0);
            const int lengths[] = {0, 26, 0, 13, 0}; /* tenths of an em; the bar of the colours ends at 1.9 */
            const int length = lengths[(i - 15) / 10];
            for (int tenths = 1; tenths < 30; tenths++) {
                if (abs(tenths - length) < 2) continue;
                const uint8_t *got = l.pixels[y][l.left + (int)((1.9 + tenths / 10.0) * l.em)];
                if ((got[0] == 72 && got[1] == 84) != (tenths < length))
                    fail_msg("at %d, %d tenths: %d %d %d", i, tenths, got[0], got[1], got[2]);
            }
        }
        int red = 0; /* of the status line, which says the same */
        for (int y = SCREEN_HEIGHT - (int)(4 * l.em); y < SCREEN_HEIGHT; y++)
            for (int x = 0; x < l.left; x++) red += l.pixels[y][x][0] == 255 && l.pixels[y][x][1] == 110;
        assert_int_equal(red > 0, pass);
        const int top = l.top + (l.bottom - l.top) / 63 / 4; /* of the largest, which ends there */
        const uint8_t *last = l.pixels[top][l.left + (int)(2.4 * l.em)];
        assert_int_equal(last[1], pass ? 110 : 84);
    }
    panel_destroy(p);
    assert_no_complaints();
}

/* The pointer at the left of the colours is at what is seen under the mouse: of two maps, that on its side. */
TEST(legend_marks_what_is_seen) {
    NEEDS_WINDOW();
    static legend l;
    panel *p;
    view_pixel pixel = {.disparity = 15, .compared = true, .second_disparity = 45};
    panel_state s = {.params.now = &ssd, .status.params = &ssd, .view = view_default(), .pixel = &pixel};
    s.view.colour.min = 0;
    s.view.colour.max = 63;
    assert_int_equal(panel_create(&p, shown, NULL), SV_OK);
    for (int second = 0; second < 2; second++) {
        pixel.shows_second = second;
        draw_legend(&l, p, &s);
        for (int value = 15; value <= 45; value += 30) {
            const uint8_t *got = l.pixels[l.bottom - (l.bottom - l.top) * value / 63][l.left + (int)(0.5 * l.em)];
            assert_int_equal(got[0] == 255 && got[1] == 255, value == (second ? 45 : 15));
        }
    }
    panel_destroy(p);
    assert_no_complaints();
}

static int open_all(void **state) {
    ssd = sv_default_params(SV_SSD);
    return open_screen(state);
}

FIXTURES(open_all, close_screen)
