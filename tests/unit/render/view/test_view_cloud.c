/* The view of the point cloud: beside the left picture, moved by mouse and keys, with the numbers of its grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/view_cloud.h"
#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 80, HEIGHT = 60, GAP = 6 };

/* Two views side by side, at one pixel of the screen for each of the pictures, which lie at the top. */
static const view_rect area = {30, 20, 2 * WIDTH + GAP, HEIGHT + 1};

static uint8_t pixels[2][HEIGHT][WIDTH][4]; /* of each view, from the bottom */

/* A surface that leans, with a column of pixels without values and an object in front of it. */
static float disparity_at(int x, int y) {
    if (x % 16 == 5) return INFINITY;
    return x > 30 && x < 50 && y > 20 && y < 40 ? 30 : 10 + (float)y / 20;
}

static view *make(view_settings *settings) {
    view *v = make_view(WIDTH, HEIGHT);
    sv_image left = make_padded(WIDTH, HEIGHT, SV_COLOUR8);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t colour[] = {(uint8_t)(60 + 2 * x), (uint8_t)(60 + 3 * y), (uint8_t)(200 - x), 255};
            memcpy((uint8_t *)sv_row(&left, y) + 4 * x, colour, 4);
        }
    show_map(v, 0, WIDTH, HEIGHT, disparity_at, 0);
    assert_int_equal(view_picture(v, 0, &left, 0, NULL), SV_OK);
    free(left.data);
    *settings = view_default();
    settings->layout = VIEW_SIDE_BY_SIDE;
    settings->kinds[0] = VIEW_LEFT;
    settings->kinds[1] = VIEW_CLOUD;
    settings->cloud.grid = false;
    settings->cloud.edges = true;
    view_cloud_follow(v, 12);
    return v;
}

/* What the window shows, after as many frames as the cloud may take. */
static void draw(view *v, const view_settings *settings) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    for (int i = 0; i < 50; i++) view_draw(v, settings, area);
    for (int i = 0; i < 2; i++)
        glReadPixels(area.x + i * (WIDTH + GAP), area.y + 1, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels[i]);
}

static bool shows_the_left_picture(void) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (isfinite(disparity_at(x, y)) &&
                memcmp(pixels[1][HEIGHT - 1 - y][x], pixels[0][HEIGHT - 1 - y][x], 3) != 0)
                return false;
    return true;
}

static void send(view *v, view_settings *s, mouse_event event) {
    event.x += area.x;
    event.y += area.y;
    assert_true(view_mouse(v, s, area, &event));
}

static void drag(view *v, view_settings *s, int button, bool shift, int dx, int dy) {
    const int x = WIDTH + GAP + 40, y = 30;
    send(v, s, (mouse_event){.kind = MOUSE_PRESS, .x = x, .y = y, .button = button, .shift = shift});
    send(v, s, (mouse_event){.kind = MOUSE_MOVE, .x = x + dx, .y = y + dy});
    send(v, s, (mouse_event){.kind = MOUSE_RELEASE, .x = x + dx, .y = y + dy, .button = button});
}

static int count_lit(void) {
    int lit = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) lit += pixels[1][y][x][0] > 30;
    return lit;
}

TEST(mouse_and_keys_move_its_camera) {
    NEEDS_WINDOW();
    view_settings s;
    view *v = make(&s);
    s.cloud.size = 0.25f;
    draw(v, &s);
    const int all = count_lit();
    for (int way = 0; way < 6; way++) {
        switch (way) {
        case 0: drag(v, &s, 0, false, 15, -8); break;
        case 1: drag(v, &s, 1, false, 15, -8); break;
        case 2: drag(v, &s, 0, true, 15, -8); break;
        case 3: send(v, &s, (mouse_event){.kind = MOUSE_WHEEL, .x = WIDTH + GAP + 40, .y = 30, .wheel = -3}); break;
        case 4: view_cloud_fly(v, 2, 0, 0); break;
        case 5: view_cloud_fly(v, 0, -1, -4); break;
        default: break;
        }
        assert_true(s.zoom.scale == 0); /* not that of the pictures */
        draw(v, &s);
        assert_false(shows_the_left_picture());
        assert_in_range(count_lit(), 1, all);
        view_cloud_follow(v, 40); /* what the user looks at stays */
        view_cloud_home(v);
        s.cloud.size = 1;
        draw(v, &s);
        assert_true(shows_the_left_picture());
        s.cloud.size = 0.25f;
    }
    view_destroy(v);
    assert_no_complaints();
}

/* Panning keeps what is as far as the pivot under the mouse; here that is all of a wall. */
TEST(panning_follows_the_mouse) {
    NEEDS_WINDOW();
    view_settings s;
    view *v = make(&s);
    show_map(v, 1, WIDTH, HEIGHT, NULL, 16);
    view_cloud_follow(v, 16);
    for (int way = 0; way < 3; way++) {
        drag(v, &s, way, way == 0, 20, -10);
        draw(v, &s);
        for (int y = 0; y < HEIGHT - 10; y++)
            for (int x = 20; x < WIDTH; x++) assert_memory_equal(pixels[1][y][x], pixels[0][y + 10][x - 20], 3);
        view_cloud_home(v);
    }
    view_destroy(v);
    assert_no_complaints();
}

FIXTURES(open_screen, close_screen)
