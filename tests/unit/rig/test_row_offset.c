/* The row offset of two pictures and their brightness: rig/row_offset, app/calibrate/pair_report,
 * app/calibrate/pair_monitor.
 */
#include "app/calibrate/pair_monitor.h"
#include "rig/calibration.h"
#include "rig/rectify.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 400, HEIGHT = 300 };

static void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) fail_msg("%.3f is not within %.3f of %.3f", value, most, expected);
}

/* ---- Pictures of a smooth random texture ------------------------------------------------------- */

static sv_image new_picture(void) {
    sv_image image = {malloc(WIDTH * HEIGHT), WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    return image;
}

/* Draws the texture: pixel (x, y) shows its point (x + across, y + down), rotated by `angle` about the centre. */
static void paint(const sv_image *image, double across, double down, double angle) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double u = x - WIDTH / 2, v = y - HEIGHT / 2;
            const double turned_x = WIDTH / 2 + cos(angle) * u - sin(angle) * v;
            const double turned_y = HEIGHT / 2 + sin(angle) * u + cos(angle) * v;
            ((uint8_t *)sv_row(image, y))[x] = (uint8_t)(20 + 200 * texture_at(turned_x + across, turned_y + down));
        }
}

/* A pair in which everything has the disparity 12 and is `lower` rows lower in the right picture. */
static sv_pair new_pair(double lower, double angle) {
    const sv_pair pair = {.left = new_picture(), .right = new_picture()};
    paint(&pair.left, 0, 0, 0);
    paint(&pair.right, 12, -lower, angle);
    return pair;
}

static void free_pair(const sv_pair *pair) {
    free(pair->left.data);
    free(pair->right.data);
}

static row_offset measure(const sv_pair *pair, const sv_rectification *rectification, int row_shift) {
    sv_params params = sv_default_params(SV_ZNCC);
    row_offset figure;
    sv_error error;
    params.row_shift = row_shift;
    if (row_offset_measure(pair, rectification, &params, &figure, &error) != SV_OK) fail_msg("%s", error.text);
    return figure;
}

/* ---- The figure ------------------------------------------------------------------------------- */

TEST(the_offset_is_found) {
    const double offsets[] = {0, 0.3, -0.5, 0.9, 1.1, 3.25, -8.6, 20, -23};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        const sv_pair pair = new_pair(offsets[i], 0);
        const row_offset figure = measure(&pair, NULL, 0);
        assert_true(figure.known && figure.points > 50);
        assert_near((double)figure.offset, offsets[i], 0.1);
        assert_true(figure.spread < 0.2f);
        assert_int_equal(row_offset_is_large(&figure), fabs(offsets[i]) > 1);
        free_pair(&pair);
    }
}

TEST(disparities_beyond_the_matchers_are_searched) {
    const sv_pair pair = new_pair(4, 0);
    sv_params params = sv_default_params(SV_ZNCC);
    row_offset figure;
    for (int i = 0; i < 3; i++) {
        params.min_disparity = (int[]){0, -1024, 500}[i];
        params.max_disparity = (int[]){2, -1, 1023}[i];
        assert_int_equal(row_offset_measure(&pair, NULL, &params, &figure, NULL), SV_OK);
        assert_true(figure.points > 50);
        assert_near((double)figure.offset, 4, 0.1);
    }
    free_pair(&pair);
}

TEST(a_shift_by_rows_cures_it) {
    const sv_pair pair = new_pair(-8.6, 0);
    const row_offset before = measure(&pair, NULL, 0), after = measure(&pair, NULL, -9);
    char text[256];
    assert_has(row_report_describe(&before, false, false, text, sizeof text), "8.6 rows higher");
    assert_has(text, "--row-shift -9");
    assert_has(text, "--calibration");
    assert_near((double)after.offset, 0.4, 0.1);
    assert_false(row_offset_is_large(&after));
    assert_has(row_report_describe(&after, false, false, text, sizeof text), "vertical offset 0.4");
    const row_offset none = {.offset = -0.004f, .points = 75, .known = true};
    assert_has(row_report_describe(&none, false, false, text, sizeof text), "vertical offset 0.00 px");
    /* With a row shift, the remaining offset is reported as the total shift that is needed. */
    const row_offset too_far = measure(&pair, NULL, -20);
    assert_has(row_report_describe(&too_far, false, false, text, sizeof text), "11.4 rows lower");
    assert_has(text, "--row-shift -9");
    free_pair(&pair);
}

TEST(a_turned_picture_is_recognised) {
    const sv_pair pair = new_pair(0, 0.04); /* 8 rows at the left and right edge */
    const row_offset figure = measure(&pair, NULL, 0);
    char text[256];
    assert_true(figure.known);
    assert_near((double)figure.offset, 0, 1);
    assert_true(figure.spread > 2);
    assert_true(row_offset_is_large(&figure));
    assert_has(row_report_describe(&figure, true, false, text, sizeof text), "over the picture");
    free_pair(&pair);
}

TEST(pictures_without_a_common_scene_say_nothing) {
    sv_pair pair = new_pair(0, 0);
    char text[320];
    paint(&pair.right, 5000, 3000, 0);
    row_offset figure = measure(&pair, NULL, 0);
    assert_false(figure.known);
    assert_false(row_offset_is_large(&figure));
    assert_has(row_report_describe(&figure, false, false, text, sizeof text), "unknown");
    assert_null(strstr(text, "one picture and not two"));
    assert_has(row_report_describe(&figure, false, true, text, sizeof text), "one picture and not two");
    memset(pair.left.data, 90, WIDTH * HEIGHT);
    figure = measure(&pair, NULL, 0);
    assert_int_equal(figure.points, 0);
    /* Pictures smaller than a window. */
    pair.left.width = pair.right.width = pair.left.height = pair.right.height = 1;
    assert_int_equal(measure(&pair, NULL, 0).points, 0);
    free_pair(&pair);
}

TEST(a_few_points_are_not_enough) {
    const sv_pair pair = new_pair(2, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (x < 160 || x >= 230 || y < 120 || y >= 190)
                ((uint8_t *)sv_row(&pair.left, y))[x] = ((uint8_t *)sv_row(&pair.right, y))[x] = 90;
    const row_offset figure = measure(&pair, NULL, 0);
    if (figure.points < 1 || figure.points > 7) fail_msg("%d points", figure.points);
    assert_false(figure.known || row_offset_is_large(&figure));
    free_pair(&pair);
}

TEST(repeated_patterns_are_left_out) {
    const sv_pair pair = new_pair(0, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t grey = (uint8_t)(40 + 150 * ((x / 9 + y / 9) % 2));
            ((uint8_t *)sv_row(&pair.left, y))[x] = ((uint8_t *)sv_row(&pair.right, y))[x] = grey;
        }
    assert_int_equal(measure(&pair, NULL, 0).points, 0);
    free_pair(&pair);
}

/* Rectification maps that move the right picture up by 3 1/2 rows, and show only some squares of both pictures. */
TEST(the_maps_are_used) {
    const sv_pair pair = new_pair(3, 0);
    sv_rectification r = {.width = WIDTH, .height = HEIGHT};
    for (int side = 0; side < 2; side++) {
        r.maps[side] = malloc(WIDTH * HEIGHT * 2 * sizeof(int32_t));
        assert_non_null(r.maps[side]);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const int row = y * SV_MAP_STEPS + side * 7 * SV_MAP_STEPS / 2;
                const bool outside =
                    row > (HEIGHT - 1) * SV_MAP_STEPS || texture_noise((x + 12 * side) / 60, y / 60) < 0.5;
                int32_t *place = r.maps[side] + 2 * (y * WIDTH + x);
                place[0] = outside ? SV_MAP_OUTSIDE : x * SV_MAP_STEPS;
                place[1] = outside ? SV_MAP_OUTSIDE : row;
            }
    }
    const row_offset figure = measure(&pair, &r, 0);
    assert_true(figure.known);
    assert_near((double)figure.offset, -0.5, 0.1);
    assert_true(figure.spread < 0.1f);
    assert_near((double)measure(&pair, &r, 2).offset, -2.5, 0.1); /* after rectification */
    /* The corners of the squares do not belong to the scene. */
    memset(pair.left.data, 90, WIDTH * HEIGHT);
    memset(pair.right.data, 90, WIDTH * HEIGHT);
    assert_int_equal(measure(&pair, &r, 0).points, 0);
    free(r.maps[0]);
    free(r.maps[1]);
    free_pair(&pair);
}

/* ---- Real pictures ---------------------------------------------------------------------------- */

/* EuRoC's unrectified pictures. The median row offset of other features (OpenCV's ORB, matched both ways) is 12.96. */
TEST(real_pictures_before_and_after) {
#define EUROC "../shared/data/seq_euroc_v101_micro/"
    if (access(EUROC "cam0_sensor.yaml", R_OK)) skip_without("../shared/data");
    static const char *const files[] = {EUROC "left/1403715273262142976.png", EUROC "right/1403715273262142976.png"};
    frame *frames[2];
    for (int i = 0; i < 2; i++) {
        source *source = open_file(files[i]);
        frames[i] = read_frame(source);
        source_close(source);
    }
    const sv_pair pair = {.left = frames[0]->grey, .right = frames[1]->grey};
    sv_rig rig;
    sv_rectification r;
    sv_error error;
    if (calibration_read(EUROC "cam0_sensor.yaml," EUROC "cam1_sensor.yaml", 752, 480, &rig, NULL, &error) != SV_OK ||
        sv_rectify(&rig, 752, 480, -1, &r, &error) != SV_OK)
        fail_msg("%s", error.text);
    const row_offset before = measure(&pair, NULL, 0), after = measure(&pair, &r, 0);
    assert_near((double)before.offset, 12.96, 1);
    assert_true(after.known);
    assert_near((double)after.offset, 0, 0.3);
    assert_false(row_offset_is_large(&after));
    sv_rectification_free(&r);
    for (int i = 0; i < 2; i++) frame_release(frames[i]);
}

/* ---- Brightness ------------------------------------------------------------------------------- */

TEST(a_darker_picture_is_reported) {
    uint8_t left[6][8], right[6][8];
    const sv_pair pair = {.left = {left, 8, 7, 6, SV_GREY8, SV_HOST}, .right = {right, 8, 7, 6, SV_GREY8, SV_HOST}};
    memset(right, 255, sizeof right); /* behind each row, too, which does not count */
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 7; x++) {
            left[y][x] = (uint8_t)(x < 3 ? 80 : 122);
            right[y][x] = (uint8_t)(left[y][x] / 2 + 10);
        }
    const brightness seen = brightness_measure(&pair), alike = {104, 97}, swapped = {seen.right, seen.left};
    assert_near((float)seen.left, 104, 0.01);
    assert_near((float)seen.right, 62, 0.01);
    char text[256];
    sv_params params = sv_default_params(SV_GFD);
    params.prefilter = SV_PREFILTER_NONE;
    assert_string_equal(brightness_describe(&seen, &params, text, sizeof text),
                        "the right picture is 40 % darker than the other, and gfd compares brightness: use -m "
                        "sgm or --prefilter exposure");
    assert_ptr_equal(strstr(brightness_describe(&swapped, &params, text, sizeof text), "the left picture"), text);
    assert_null(brightness_describe(&alike, &params, text, sizeof text));
    params = sv_default_params(SV_SSD);
    params.prefilter = SV_PREFILTER_NONE;
    assert_non_null(
        strstr(brightness_describe(&seen, &params, text, sizeof text), "use -m sgm or --prefilter contrast"));
    assert_true(brightness_harms(&seen, &params));
    assert_false(brightness_harms(&alike, &params));
    for (int method = 0; method < SV_METHOD_COUNT; method++) {
        params = sv_default_params((sv_method)method);
        char expected[256];
        snprintf(expected, sizeof expected, "the right picture is 40 %% darker than the other, which %s tolerates",
                 sv_method_name(method));
        assert_string_equal(brightness_describe(&seen, &params, text, sizeof text), expected);
        assert_null(brightness_describe(&alike, &params, text, sizeof text));
        assert_false(brightness_harms(&seen, &params));
    }
}

/* ---- The thread ------------------------------------------------------------------------------- */

TEST(pairs_that_go_by_are_measured) {
    const sv_params params = sv_default_params(SV_SSD);
    pair_monitor *a = pair_monitor_open(NULL, 0);
    row_offset figure;
    pool *pool = pool_create((pool_memory){NULL, NULL});
    assert_false(pair_monitor_last(a, &figure));
    frame_pair pair = {frame_create(pool, WIDTH, HEIGHT, true, false), frame_create(pool, WIDTH, HEIGHT, true, false)};
    paint(&pair.left->grey, 0, 0, 0);
    paint(&pair.right->grey, 12, -2, 0);
    const double start = sv_seconds();
    pair_monitor_offer(a, &pair, &params);
    frame_pair_release(&pair); /* the frames live on until they are measured */
    assert_true(pair_monitor_last(a, &figure));
    assert_near((double)figure.offset, 2, 0.1);
    brightness bright;
    assert_true(pair_monitor_brightness(a, &bright));
    assert_true(bright.left > 0 && bright.right > 0);

    /* At most once a second, and then the newest pair. */
    pair = (frame_pair){frame_create(pool, WIDTH, HEIGHT, true, false), frame_create(pool, WIDTH, HEIGHT, true, false)};
    paint(&pair.left->grey, 0, 0, 0);
    paint(&pair.right->grey, 12, 5, 0);
    pair_monitor_offer(a, &pair, &params);
    while (pair_monitor_latest(a, &figure) && figure.offset > 0 && sv_seconds() < start + 60) usleep(10000);
    assert_near((double)figure.offset, -5, 0.1);
    assert_true(sv_seconds() > start + 1);
    pair_monitor_offer(a, &pair, &params); /* is not measured any more */
    frame_pair_release(&pair);
    pair_monitor_close(a);
    pair_monitor_close(NULL);
    pool_close(pool);
}
