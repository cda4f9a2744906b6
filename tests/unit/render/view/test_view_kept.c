/* Views that are kept as they were drawn: after each change they look as if drawn for the first time, and what has not
 * changed is not drawn again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/view_state.h"
#include "tests/support/canvas.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 33, HEIGHT = 19, SLOTS = 3 };

typedef struct stage {
    view *view;
    view_settings settings;
    view_rect area;
} stage;

/* Shows a map in a slot, of which those from SLOTS on are B's. */
static void show_filled(view *v, int slot, float more) {
    sv_image disparity = make_padded(WIDTH, HEIGHT, SV_FLOAT32), reason = make_padded(WIDTH, HEIGHT, SV_REASON8);
    fill_maps(&disparity, &reason);
    for (int i = 0; i < WIDTH * HEIGHT; i++) ((float *)sv_row(&disparity, i / WIDTH))[i % WIDTH] += more;
    assert_int_equal(view_write(v, slot, &disparity, &reason, NULL), SV_OK);
    view_show(v, slot);
    free(disparity.data);
    free(reason.data);
}

static void show_picture(view *v, int side, int more, int row_shift) {
    sv_image grey = make_padded(WIDTH, HEIGHT, SV_GREY8);
    for (int i = 0; i < WIDTH * HEIGHT; i++) ((uint8_t *)sv_row(&grey, i / WIDTH))[i % WIDTH] = (uint8_t)(7 * i + more);
    assert_int_equal(view_picture(v, side, &grey, row_shift, NULL), SV_OK);
    free(grey.data);
}

static void show_values(view *v, sv_status (*show)(view *, const sv_image *, sv_error *), float factor) {
    sv_image values = make_padded(WIDTH, HEIGHT, SV_FLOAT32);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        ((float *)sv_row(&values, i / WIDTH))[i % WIDTH] = factor * (float)(i * 387 % 64);
    assert_int_equal(show(v, &values, NULL), SV_OK);
    free(values.data);
}

static void rectify(view *v, int shift) {
    int32_t map[HEIGHT][WIDTH][2];
    const sv_rectification r = {.width = WIDTH,
                                .height = HEIGHT,
                                .focal = 500,
                                .baseline = 0.1,
                                .doffs = shift,
                                .metric = true,
                                .maps = {&map[0][0][0], NULL}};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            map[y][x][0] = x < shift ? SV_MAP_OUTSIDE : SV_MAP_STEPS * (x - shift);
            map[y][x][1] = x < shift ? SV_MAP_OUTSIDE : SV_MAP_STEPS * y;
        }
    assert_int_equal(view_set_rectification(v, &r, NULL), SV_OK);
}

static void look_at(stage *s, int layout, int a, int b, int c, int d) {
    s->settings.layout = layout;
    memcpy(s->settings.kinds, (int[]){a, b, c, d}, sizeof s->settings.kinds);
}

/* Makes one of the changes, and returns how many parts it leaves to be drawn; -1 after the last one. */
static int change(stage *s, int number) {
    view_settings *t = &s->settings;
    switch (number) {
    case 0: return 0; /* there is nothing yet */
    case 1: show_picture(s->view, 0, 0, 0); return 1;
    case 2: show_filled(s->view, 0, 0); return 3;
    case 3: show_picture(s->view, 1, 90, 0); return 4;
    case 4: return 0;
    case 5: show_filled(s->view, 1, 9); return 4;
    case 6: show_filled(s->view, 1, 20); return 4; /* in the same slot */
    case 7: show_picture(s->view, 0, 30, 0); return 4;
    case 8: show_picture(s->view, 1, 90, 3); return 4;
    case 9: t->colour.map = COLOUR_GREY; return 2; /* of the map and the reasons */
    case 10: t->colour.min = 5; return 2;
    case 11: t->colour.max = 31; return 2;
    case 12: t->colour.empty[1] = 200; return 2;
    case 13: t->colour.show_reasons = true; return 2;
    case 14: t->zoom = (view_zoom){17.3, 20, 7}; return 4;
    case 15: t->zoom.x = 12; return 4;
    case 16: t->zoom = (view_zoom){0}; return 4;
    case 17: rectify(s->view, 2); return 4;
    case 18: rectify(s->view, 5); return 4;
    case 19: look_at(s, VIEW_FOUR, VIEW_DEPTH, VIEW_LEFT, VIEW_REASONS, VIEW_ANAGLYPH); return 2;
    case 20: assert_int_equal(view_set_rectification(s->view, NULL, NULL), SV_OK); return 3; /* there is no depth */
    case 21: look_at(s, VIEW_FOUR, VIEW_ERROR, VIEW_COST, VIEW_PAIR, VIEW_DISPARITY); return 3;
    case 22: show_values(s->view, view_truth, 1); return 4;
    case 23: show_values(s->view, view_truth, 0.5f); return 4;
    case 24: show_values(s->view, view_set_costs, 1); return 5;
    case 25: show_values(s->view, view_set_costs, 3); return 5;
    case 26: look_at(s, VIEW_ONE, VIEW_LEFT, VIEW_COST, VIEW_PAIR, VIEW_DISPARITY); return 1;
    case 27: look_at(s, VIEW_FOUR, VIEW_ERROR, VIEW_COST, VIEW_PAIR, VIEW_DISPARITY); return 5;
    case 28: assert_int_equal(view_truth(s->view, NULL, NULL), SV_OK); return 4;
    case 29: assert_int_equal(view_set_costs(s->view, NULL, NULL), SV_OK); return 3;
    case 30: s->area.x += 3; return 3;
    case 31: s->area.height -= 20; return 3;
    case 32: look_at(s, VIEW_FOUR, VIEW_CLOUD, VIEW_LEFT, VIEW_REASONS, VIEW_DISPARITY); return 3;
    case 33: look_at(s, VIEW_FOUR, VIEW_BLEND, VIEW_LEFT, VIEW_REASONS, VIEW_DISPARITY); return 1;
    case 34: assert_int_equal(view_add_second(s->view, NULL), SV_OK); return 0;
    case 35: show_filled(s->view, SLOTS, 13); return 4;
    case 36: t->split = 0.7; return 2; /* its line is part of the other views, too, but is not shown there */
    case 37: t->compared = VIEW_B; return 2;
    case 38: t->compared = VIEW_A; return 2;
    case 39: t->compared = VIEW_B; return 2;
    case 40: view_forget_second(s->view); return 2;
    case 41: look_at(s, VIEW_SIDE_BY_SIDE, VIEW_BLEND, VIEW_LEFT, VIEW_REASONS, VIEW_DISPARITY); return 2;
    case 42: look_at(s, VIEW_OVER_UNDER, VIEW_BLEND, VIEW_LEFT, VIEW_REASONS, VIEW_DISPARITY); return 2;
    default: return -1;
    }
}

static stage begin(void) {
    stage s = {.view = make_view(WIDTH, HEIGHT), .settings = view_default(), .area = {7, 9, 400, 280}};
    look_at(&s, VIEW_FOUR, VIEW_DISPARITY, VIEW_LEFT, VIEW_REASONS, VIEW_BLEND);
    return s;
}

TEST(kept_views_are_as_drawn_anew) {
    NEEDS_WINDOW();
    static canvas on, again, anew;
    stage s = begin();
    for (int number = 0, expected; (expected = change(&s, number)) >= 0; number++) {
        const long long before = view_drawn_parts(s.view);
        draw_on(&on, s.view, &s.settings, s.area);
        const long long drawn = view_drawn_parts(s.view) - before;
        if (drawn != expected) fail_msg("change %d: %lld parts were drawn, not %d", number, drawn, expected);
        draw_on(&again, s.view, &s.settings, s.area);
        assert_int_equal(view_drawn_parts(s.view) - before, drawn);
        assert_memory_equal(&again, &on, sizeof on);

        stage other = begin();
        for (int i = 0; i <= number; i++) change(&other, i);
        draw_on(&anew, other.view, &other.settings, other.area);
        if (memcmp(&anew, &on, sizeof on)) fail_msg("change %d is not seen", number);
        view_destroy(other.view);
    }
    view_destroy(s.view);
    assert_no_complaints();
}

/* What moves with the mouse, and what is measured, is drawn over views that stay. */
TEST(the_mouse_draws_no_view) {
    NEEDS_WINDOW();
    static canvas on, moved;
    stage s = begin();
    view_pixel pixel;
    change(&s, 1);
    change(&s, 2);
    change(&s, 3);
    draw_on(&on, s.view, &s.settings, s.area);
    assert_int_equal(view_drawn_parts(s.view), 4);
    for (const double begun = sv_seconds(); !view_pick(s.view, &s.settings, s.area, 60, 220, &pixel);)
        assert_true(sv_seconds() < begun + PATIENCE);
    draw_on(&moved, s.view, &s.settings, s.area);
    assert_true(memcmp(&moved, &on, sizeof on) != 0); /* the cross */
    view_pick(s.view, &s.settings, s.area, -1, -1, &pixel);
    draw_on(&moved, s.view, &s.settings, s.area);
    assert_memory_equal(&moved, &on, sizeof on);
    assert_int_equal(view_drawn_parts(s.view), 4);
    view_destroy(s.view);
    assert_no_complaints();
}

/* The pixels that a frame draws, other than copies. */
static unsigned pixels_of(stage *s, canvas *on) {
    GLuint query, pixels = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    draw_on(on, s->view, &s->settings, s->area);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &pixels);
    glDeleteQueries(1, &query);
    return pixels;
}

/* Where the line between A and B is moved, only the columns between its places are drawn, and look as if drawn anew. */
TEST(a_moved_line_draws_what_it_moved_over) {
    NEEDS_WINDOW();
    static canvas on, anew;
    static const double places[] = {0.5, 0.6, 0.25, 0.3, 1, 0, 0.02, 0.5};
    stage s = begin();
    look_at(&s, VIEW_SIDE_BY_SIDE, VIEW_DISPARITY, VIEW_REASONS, VIEW_LEFT, VIEW_BLEND);
    s.settings.compared = VIEW_SPLIT;
    assert_int_equal(view_add_second(s.view, NULL), SV_OK);
    show_filled(s.view, 0, 0);
    show_filled(s.view, SLOTS, 13);
    const unsigned whole = pixels_of(&s, &on); /* of two views, each as wide as its cell */
    assert_true(whole > 0);
    for (size_t i = 1; i < sizeof places / sizeof *places; i++) {
        s.settings.split = places[i];
        const unsigned expected = (unsigned)lround(fabs(places[i] - places[i - 1]) * whole);
        const unsigned drawn = pixels_of(&s, &on), column = whole / 100;
        if (drawn > expected + column || drawn + column < expected)
            fail_msg("from %g to %g: %u pixels, not %u", places[i - 1], places[i], drawn, expected);
        s.view->kept.width = 0; /* nothing is kept */
        assert_int_equal(pixels_of(&s, &anew), whole);
        assert_memory_equal(&anew, &on, sizeof on);
    }
    view_destroy(s.view);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)
