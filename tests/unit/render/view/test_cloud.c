/* The point cloud on the screen, against pixels that are computed from the definitions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/cloud.h"
#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

enum { WIDTH = 40, HEIGHT = 30, CANVAS_WIDTH = 200, CANVAS_HEIGHT = 160 };

/* What the cloud is drawn from, and onto: a canvas that was cleared to magenta. */
static struct {
    float disparity[HEIGHT][WIDTH];
    uint8_t picture[HEIGHT][WIDTH][4];
    float places[HEIGHT][WIDTH][2];
    uint8_t colours[COLOUR_MAP_COUNT][COLOUR_ENTRIES][3];
    GLuint textures[4], canvas, framebuffer;
    uint8_t pixels[CANVAS_HEIGHT][CANVAS_WIDTH][4]; /* from the bottom */
    cloud *cloud;
    cloud_scene scene;
} it;

static const uint8_t magenta[] = {255, 0, 255};
static const int everywhere[] = {0, 0, CANVAS_WIDTH, CANVAS_HEIGHT};

static void upload(void) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    const struct {
        GLint internal;
        GLenum format, type;
        int width, height;
        const void *data;
    } all[4] = {{GL_R32F, GL_RED, GL_FLOAT, WIDTH, HEIGHT, it.disparity},
                {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, WIDTH, HEIGHT, it.picture},
                {GL_RG32F, GL_RG, GL_FLOAT, WIDTH, HEIGHT, it.places},
                {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, COLOUR_ENTRIES, COLOUR_MAP_COUNT, it.colours}};
    for (int i = 0; i < 4; i++) {
        glBindTexture(GL_TEXTURE_2D, it.textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, all[i].internal, all[i].width, all[i].height, 0, all[i].format, all[i].type,
                     all[i].data);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, i == 1 ? GL_LINEAR : GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, i == 1 ? GL_LINEAR : GL_NEAREST);
    }
    it.scene.textures.version++;
}

/* A map without any value, a picture in which each pixel has a colour of its own. */
static void begin(void) {
    memset(&it, 0, sizeof it);
    sv_error error;
    if (cloud_create(&it.cloud, &error) != SV_OK) fail_msg("%s", error.text);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            it.disparity[y][x] = INFINITY;
            const uint8_t colour[] = {(uint8_t)(40 + 5 * x), (uint8_t)(40 + 7 * y), (uint8_t)(x * y), 255};
            memcpy(it.picture[y][x], colour, 4);
        }
    for (int i = 0; i < COLOUR_MAP_COUNT; i++) colour_table(i, it.colours[i]);
    glGenTextures(4, it.textures);
    glGenTextures(1, &it.canvas);
    glBindTexture(GL_TEXTURE_2D, it.canvas);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, CANVAS_WIDTH, CANVAS_HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &it.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, it.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, it.canvas, 0);
    it.scene = (cloud_scene){
        .textures = {it.textures[0], it.textures[1], 0, it.textures[3], 0},
        .space = {.width = WIDTH,
                  .height = HEIGHT,
                  .fx = 40,
                  .fy = 44,
                  .cx = 19,
                  .cy = 15,
                  .unit_depth = 40,
                  .doffs = 0,
                  .baseline = 1,
                  .unit = SPACE_METRES},
        .orbit = orbit_home(4),
        .settings = {.colours = CLOUD_PICTURE, .size = 1, .grid = false, .edges = true},
        .colour = {.map = COLOUR_TURBO, .min = 3, .max = 23},
    };
    it.scene.grid = space_grid_of(&it.scene.space, 4);
}

static void end(void) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    cloud_destroy(it.cloud);
    glDeleteFramebuffers(1, &it.framebuffer);
    glDeleteTextures(1, &it.canvas);
    glDeleteTextures(4, it.textures);
    assert_no_complaints();
}

static void draw_in(const int rectangle[4]) {
    sv_error error;
    GLint bound;
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    for (const double begun = sv_seconds(); sv_seconds() < begun + PATIENCE;) {
        if (cloud_draw(it.cloud, &it.scene, rectangle, &error) != SV_OK) fail_msg("%s", error.text);
        if (cloud_complete(it.cloud)) break;
    }
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    assert_int_equal(bound, it.framebuffer);
    glReadPixels(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, it.pixels);
}

/* The colour of the background: that of a cloud without points. */
static const uint8_t *background(void) {
    static const uint8_t colour[] = {9, 10, 13};
    return colour;
}

static void assert_colour(int x, int y, const uint8_t *expected) {
    for (int c = 0; c < 3; c++)
        if (it.pixels[y][x][c] != expected[c])
            fail_msg("(%d, %d): %d %d %d, not %d %d %d", x, y, it.pixels[y][x][0], it.pixels[y][x][1],
                     it.pixels[y][x][2], expected[0], expected[1], expected[2]);
}

static int count_lit(void) {
    int lit = 0;
    for (int y = 0; y < CANVAS_HEIGHT; y++)
        for (int x = 0; x < CANVAS_WIDTH; x++) lit += memcmp(it.pixels[y][x], background(), 3) != 0;
    return lit;
}

/* Values of every kind; a third of the pixels has none. */
static void fill(void) {
    unsigned random = 7;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            random = random * 1664525u + 1013904223u;
            const int kind = random >> 16 & 7;
            it.disparity[y][x] = kind == 0   ? INFINITY
                                 : kind == 1 ? NAN
                                 : kind == 2 ? -1.5f /* beyond infinity */
                                 : kind == 3 ? 0     /* at infinity */
                                 : kind == 4 ? 0.01f
                                             : (float)(random >> 8) / (1 << 24) * 30;
        }
    upload();
}

/* From the left camera's place the cloud is the left picture, where there are values, at any size. */
TEST(from_home_it_is_the_picture) {
    NEEDS_WINDOW();
    static const struct {
        int rectangle[4], scale, left, bottom;
    } views[] = {
        {{0, 0, 40, 30}, 1, 0, 0}, {{7, 5, 47, 30}, 1, 3, 0}, {{20, 30, 85, 60}, 2, 2, 0}, {{0, 0, 200, 160}, 5, 0, 5}};
    begin();
    fill();
    for (int pass = 0; pass < 2; pass++) {
        it.scene.settings.colours = pass ? CLOUD_DEPTH : CLOUD_PICTURE;
        for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
            const int *r = views[i].rectangle, scale = views[i].scale;
            draw_in(r);
            for (int y = 0; y < CANVAS_HEIGHT; y++)
                for (int x = 0; x < CANVAS_WIDTH; x++) {
                    const uint8_t *expected = background();
                    const int u = x - r[0] - views[i].left, v = y - r[1] - views[i].bottom;
                    if (x < r[0] || y < r[1] || x >= r[0] + r[2] || y >= r[1] + r[3]) {
                        expected = magenta;
                    } else if (u >= 0 && v >= 0 && u < scale * WIDTH && v < scale * HEIGHT) {
                        const int column = u / scale, row = HEIGHT - 1 - v / scale;
                        const float d = it.disparity[row][column];
                        if (isfinite(d) && d >= 0)
                            expected = pass ? it.colours[COLOUR_TURBO][colour_index(&it.scene.colour, d)]
                                            : it.picture[row][column];
                    }
                    assert_colour(x, y, expected);
                }
        }
    }
    end();
}

/* The picture is sampled where the rectification says, and black where the camera saw nothing. */
TEST(the_picture_is_rectified) {
    NEEDS_WINDOW();
    begin();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            it.disparity[y][x] = 8;
            it.places[y][x][0] = y < 4 ? -1 : (WIDTH - 1 - x + 0.5f) / WIDTH; /* mirrored */
            it.places[y][x][1] = y < 4 ? -1 : (y + 0.5f) / HEIGHT;
        }
    it.scene.textures.places = it.textures[2];
    upload();
    draw_in((const int[]){0, 0, WIDTH, HEIGHT});
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_colour(x, HEIGHT - 1 - y, y < 4 ? (const uint8_t[]){0, 0, 0} : it.picture[y][WIDTH - 1 - x]);
    end();
}

/* Single points, seen from elsewhere: turned by hand about the pivot, and projected with the lens. */
TEST(points_are_where_geometry_puts_them) {
    NEEDS_WINDOW();
    static const struct { double yaw, pitch; } turns[] = {{0.5, 0}, {-0.4, 0}, {0, 0.3}, {0.35, -0.25}};
    static const struct {
        int x, y;
        float disparity;
    } points[] = {{10, 8, 10}, {25, 20, 8}, {30, 12, 13.5f}};
    begin();
    for (size_t t = 0; t < sizeof turns / sizeof *turns; t++)
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            it.disparity[points[i].y][points[i].x] = points[i].disparity;
            upload();
            it.disparity[points[i].y][points[i].x] = INFINITY;
            it.scene.orbit = orbit_home(4);
            orbit_turn(&it.scene.orbit, turns[t].yaw, turns[t].pitch);
            it.scene.settings.size = 0.2f; /* of a pixel of 4 x 4: one pixel of the screen */
            draw_in((const int[]){0, 0, 4 * WIDTH, 4 * HEIGHT});

            const double z = 40 / points[i].disparity, x = (points[i].x - 19) / 40.0 * z,
                         y = (points[i].y - 15) / 44.0 * z;
            /* About (0, 0, 4): the yaw is undone first, then the pitch. */
            const double a = turns[t].yaw, b = turns[t].pitch, x1 = x * cos(a) - (z - 4) * sin(a),
                         z1 = x * sin(a) + (z - 4) * cos(a), y2 = y * cos(b) + z1 * sin(b),
                         z2 = z1 * cos(b) - y * sin(b) + 4;
            const int column = (int)floor(4 * (40 * x1 / z2 + 19 + 0.5));
            const int row = (int)floor(4 * (HEIGHT - 0.5 - 15 - 44 * y2 / z2));
            assert_in_range(column, 0, 4 * WIDTH - 1);
            assert_in_range(row, 0, 4 * HEIGHT - 1);
            assert_colour(column, row, it.picture[points[i].y][points[i].x]);
            int lit = 0;
            for (int v = 0; v < 4 * HEIGHT; v++)
                for (int u = 0; u < 4 * WIDTH; u++) lit += memcmp(it.pixels[v][u], background(), 3) != 0;
            assert_int_equal(lit, 1);
        }
    end();
}

/* Moved half a unit to either side, the camera sees one point behind the other. The farther one is drawn first on one
 * side and last on the other. */
TEST(nearer_points_hide_farther_ones) {
    NEEDS_WINDOW();
    for (int side = -1; side <= 1; side += 2) {
        begin();
        /* At x = 0 and depth 2, and at x = -side / 2 and depth 4: the moved camera sees both at -side / 4 of the
         * depth. */
        it.disparity[15][19] = 20;
        it.disparity[15][19 - 5 * side] = 10;
        upload();
        orbit_fly(&it.scene.orbit, side * 0.5, 0, 0);
        draw_in(everywhere);
        assert_colour(5 * (19 - 10 * side) + 2, 5 + 5 * (HEIGHT - 1 - 15) + 2, it.picture[15][19]);
        assert_int_equal(count_lit(), 25); /* five pixels wide and high */
        end();
    }
}

/* A point grows as the camera comes nearer: it covers what its pixel covers on the surface, times the chosen size. */
TEST(points_have_a_size) {
    NEEDS_WINDOW();
    begin();
    it.disparity[15][19] = 10; /* depth 4 */
    upload();
    const int rectangle[] = {0, 0, WIDTH, HEIGHT};
    int lit[4];
    for (int i = 0; i < 4; i++) {
        it.scene.settings.size = i == 1 ? 4 : i == 3 ? CLOUD_MAX_SIZE : 1;
        if (i == 2) orbit_zoom(&it.scene.orbit, 0.2);
        draw_in(rectangle);
        lit[i] = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) lit[i] += !memcmp(it.pixels[y][x], it.picture[15][19], 3);
    }
    assert_int_equal(lit[0], 1);
    assert_in_range(lit[1], 16, 25);          /* 4 x 4, and what points overlap */
    assert_in_range(lit[2], 25, 36);          /* five times as near */
    assert_int_equal(lit[3], WIDTH * HEIGHT); /* 42 x 42: all of it */
    end();
}

TEST(edges_can_be_left_out) {
    NEEDS_WINDOW();
    begin();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) it.disparity[y][x] = (x < 15 ? 4 : 9) + 0.9f * (float)(y % 2); /* slanted */
    it.disparity[3][5] = INFINITY; /* no neighbour at all is no edge */
    upload();
    for (int pass = 0; pass < 2; pass++) {
        it.scene.settings.edges = pass == 1;
        draw_in((const int[]){0, 0, WIDTH, HEIGHT});
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const bool left_out = (!pass && (x == 14 || x == 15)) || (x == 5 && y == 3);
                assert_colour(x, HEIGHT - 1 - y, left_out ? background() : it.picture[y][x]);
            }
    }
    end();
}

/* A crossing of the grid's lines, on the screen; a wall in front of it hides it. */
TEST(grid_is_drawn_and_hidden) {
    NEEDS_WINDOW();
    begin();
    upload();
    it.scene.settings.grid = true;
    it.scene.grid = (space_grid){.step = 2, .floor = 2, .across = 3, .ahead = 8};
    draw_in(everywhere);
    const uint8_t grey[] = {69, 77, 87};
    int hits = 0;
    for (int line = 4; line <= 7; line++) {
        const double z = 2 * line; /* the line across at that depth is a row of the screen */
        const int row = (int)floor(5 + 5 * (HEIGHT - 0.5 - 15 - 44 * 2 / z));
        for (int x = 60; x < 140; x++) hits += !memcmp(it.pixels[row][x], grey, 3);
    }
    assert_int_equal(hits, 4 * 80);
    const int lit = count_lit();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) it.disparity[y][x] = 40 / 13.f; /* a wall at depth 13 */
    upload();
    draw_in(everywhere);
    for (int line = 4; line <= 7; line++) {
        const int row = (int)floor(5 + 5 * (HEIGHT - 0.5 - 15 - 44 * 2 / (2.0 * line)));
        assert_int_equal(!memcmp(it.pixels[row][100], grey, 3), 2 * line < 13);
    }
    assert_true(lit > 400);
    end();
}

/* What stands still is not drawn again; what changes is. */
TEST(changes_are_drawn) {
    NEEDS_WINDOW();
    begin();
    it.disparity[15][19] = 10;
    upload();
    draw_in(everywhere);
    assert_int_equal(count_lit(), 25);
    it.disparity[15][25] = 10;
    upload();
    it.scene.textures.version--; /* the version does not show it */
    draw_in(everywhere);
    assert_int_equal(count_lit(), 25);
    it.scene.textures.version++;
    draw_in(everywhere);
    assert_int_equal(count_lit(), 50);
    it.scene.settings.size = 0.2f;
    draw_in(everywhere);
    assert_int_equal(count_lit(), 2);
    orbit_fly(&it.scene.orbit, 100, 0, 0);
    draw_in(everywhere);
    assert_int_equal(count_lit(), 0);
    draw_in((const int[]){10, 10, 0, 5});
    for (int i = 0; i < 3; i++) assert_int_equal(it.pixels[10][10][i], magenta[i]);
    draw_in((const int[]){10, 10, 1, 1});
    end();
    cloud_destroy(NULL);
}

/* A map of a million pixels is drawn from a part of them first, without gaps, and then from all. */
TEST(large_clouds_are_drawn_in_parts) {
    NEEDS_WINDOW();
    enum { LARGE_WIDTH = 1250, LARGE_HEIGHT = 800, SHARE = 10 }; /* pixels of the map for one of the screen */
    float *wall = malloc(sizeof *wall * LARGE_WIDTH * LARGE_HEIGHT);
    assert_non_null(wall);
    for (int i = 0; i < LARGE_WIDTH * LARGE_HEIGHT; i++) wall[i] = 13;
    begin();
    upload();
    glBindTexture(GL_TEXTURE_2D, it.textures[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, LARGE_WIDTH, LARGE_HEIGHT, 0, GL_RED, GL_FLOAT, wall);
    free(wall);
    it.scene.space = (space){.width = LARGE_WIDTH, .height = LARGE_HEIGHT, .fx = 1000, .fy = 1000, .unit_depth = 40};
    it.scene.settings.colours = CLOUD_DEPTH;
    const int rectangle[] = {0, 0, LARGE_WIDTH / SHARE, LARGE_HEIGHT / SHARE};
    const uint8_t *expected = it.colours[COLOUR_TURBO][colour_index(&it.scene.colour, 13)];
    int calls = 0;
    do {
        sv_error error;
        assert_int_equal(cloud_draw(it.cloud, &it.scene, rectangle, &error), SV_OK);
        if (!calls) assert_false(cloud_complete(it.cloud));
        assert_int_equal(cloud_points(it.cloud) == LARGE_WIDTH * LARGE_HEIGHT, cloud_complete(it.cloud));
        glReadPixels(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, it.pixels);
        for (int y = 0; y < rectangle[3]; y++)
            for (int x = 0; x < rectangle[2]; x++) assert_colour(x, y, expected);
    } while (!cloud_complete(it.cloud) && ++calls < 10000);
    assert_true(cloud_complete(it.cloud));
    end();
}

FIXTURES(open_screen, close_screen)
