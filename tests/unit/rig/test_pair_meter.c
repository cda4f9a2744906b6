/* What is measured of two pictures, and how it is reported: rig/pair_meter, rig/state, app/calibrate/pair_report,
 * app/calibrate/pair_monitor. */
#include "app/calibrate/pair_monitor.h"
#include "app/calibrate/pair_report.h"
#include "rig/calibration.h"
#include "rig/pair_meter.h"
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

/* ---- Pictures of a smooth random texture ------------------------------------------------------- */

/* Draws the texture: pixel (x, y) shows its point (x + across, y + down), rotated by `angle` about the centre and
 * `near` times as large. Of a picture that is moved across, what is lower is moved further: it is nearer. */
static void paint_nearer(const sv_image *image, double middle, double down, double angle, double near) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double across = middle * (1 + (y - HEIGHT / 2) / (2.0 * HEIGHT));
            const double u = (x - WIDTH / 2) / near, v = (y - HEIGHT / 2) / near;
            const double turned_x = WIDTH / 2 + cos(angle) * u - sin(angle) * v;
            const double turned_y = HEIGHT / 2 + sin(angle) * u + cos(angle) * v;
            ((uint8_t *)sv_row(image, y))[x] = (uint8_t)(20 + 200 * texture_at(turned_x + across, turned_y + down));
        }
}

static void paint(const sv_image *image, double across, double down, double angle) {
    paint_nearer(image, across, down, angle, 1);
}

/* A pair with disparities of 9 at the upper edge to 15 at the lower one, in which everything is `lower` rows lower in
 * the right picture. */
static sv_pair new_pair(double lower, double angle) {
    const sv_pair pair = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    paint(&pair.left, 0, 0, 0);
    paint(&pair.right, 12, -lower, angle);
    return pair;
}

static rig_facts measure(const sv_pair *pair, const sv_rectification *rectification, int row_shift) {
    sv_params params = sv_default_params(SV_ZNCC);
    pair_meter *meter;
    rig_facts facts = {.measured = false};
    sv_error error;
    params.row_shift = row_shift;
    if (pair_meter_create(&meter, rectification, 1, &error) != SV_OK ||
        pair_meter_measure(meter, pair, &params, &facts, &error) != SV_OK)
        fail_msg("%s", error.text);
    pair_meter_free(meter);
    return facts;
}

static sv_rig_state judge(const rig_facts *facts) {
    sv_rig_state judged;
    rig_judge(facts, &judged);
    return judged;
}

/* What the pair says of its rows, and whether that is bad. */
static void assert_rows(const sv_pair *pair, double offset, bool swapped) {
    const rig_facts facts = measure(pair, NULL, 0);
    const sv_rig_state judged = judge(&facts);
    assert_near((double)facts.rows.offset, offset, 0.1);
    assert_near(judged.items[SV_RIG_ROWS].figure, offset, 0.1);
    assert_true(facts.rows.points > 100 && facts.rows.spread < 0.3f);
    assert_int_equal(facts.swapped, swapped);
    assert_int_equal(judged.items[SV_RIG_ORDER].grade, swapped ? SV_RIG_BAD : SV_RIG_GOOD);
    assert_int_equal(judged.items[SV_RIG_ROWS].grade == SV_RIG_BAD, fabs(offset) > 1);
    assert_int_equal(judged.items[SV_RIG_INPUT].grade, SV_RIG_GOOD);
}

TEST(rows_are_measured_near_and_far) {
    static const double offsets[] = {0, 0.4, -0.7, 1.6, -2.25, 8, -12.5, 20};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        const sv_pair pair = new_pair(offsets[i], 0), swapped = {.left = pair.right, .right = pair.left};
        assert_rows(&pair, offsets[i], false);
        assert_rows(&swapped, -offsets[i], true);
        free_grey_pair(&pair);
    }
}

TEST(a_row_shift_is_named_that_mends_it) {
    const sv_pair pair = new_pair(-8.6, 0);
    const rig_facts before = measure(&pair, NULL, 0), after = measure(&pair, NULL, -9);
    const sv_rig_state then = judge(&before), now = judge(&after);
    char text[320];
    assert_int_equal(then.items[SV_RIG_ROWS].values[0], -9);
    assert_has(pair_report_rows(&before, &then, text, sizeof text), "8.6 px higher");
    assert_has(text, "--row-shift -9");
    assert_near((double)after.rows.offset, 0.4, 0.1);
    assert_has(pair_report_rows(&after, &now, text, sizeof text), "vertical offset 0.4");
    free_grey_pair(&pair);
}

/* Turned by a quarter of a degree, a column u from the middle of the right picture is off by -u times the angle; where
 * the left one has it is about 12 pixels to the right of that. */
TEST(rows_are_measured_by_place) {
    const double angle = 0.0044;
    const sv_pair pair = new_pair(0, angle);
    const rig_facts facts = measure(&pair, NULL, 0);
    int known = 0;
    for (int row = 0; row < RIG_ROWS_DOWN; row++)
        for (int column = 0; column < RIG_ROWS_ACROSS; column++) {
            if (!facts.rows.part_points[row][column]) continue;
            const double u = (column + 0.5) * WIDTH / RIG_ROWS_ACROSS - 12 - WIDTH / 2;
            assert_near((double)facts.rows.parts[row][column], -angle * u, 0.15);
            known++;
        }
    assert_true(known > RIG_ROWS_DOWN * RIG_ROWS_ACROSS / 2);
    free_grey_pair(&pair);
}

/* Turned by two degrees, rows are off by 7 pixels to either side. */
TEST(rows_that_vary_are_to_be_aligned) {
    const sv_pair pair = new_pair(0, 0.035);
    const rig_facts facts = measure(&pair, NULL, 0);
    const sv_rig_state judged = judge(&facts);
    char text[320];
    assert_true(facts.rows.spread > 1);
    assert_int_equal(judged.items[SV_RIG_ROWS].grade, SV_RIG_BAD);
    assert_int_equal(judged.items[SV_RIG_ROWS].cure, SV_RIG_ALIGN);
    assert_has(pair_report_rows(&facts, &judged, text, sizeof text), "over the picture");
    free_grey_pair(&pair);
}

TEST(pictures_that_say_nothing_are_not_judged) {
    sv_pair pair = new_pair(0, 0);
    paint(&pair.right, 4000, 4000, 0);
    rig_facts facts = measure(&pair, NULL, 0);
    sv_rig_state judged = judge(&facts);
    assert_int_equal(judged.items[SV_RIG_INPUT].grade, SV_RIG_BAD); /* another scene */
    for (int i = SV_RIG_ORDER; i <= SV_RIG_RANGE; i++) assert_true(judged.items[i].grade <= SV_RIG_GOOD);
    memset(pair.left.data, 90, WIDTH * HEIGHT);
    facts = measure(&pair, NULL, 0);
    judged = judge(&facts);
    assert_int_equal(judged.items[SV_RIG_INPUT].grade, SV_RIG_UNKNOWN);
    assert_int_equal(facts.rows.points, 0);
    /* Pictures smaller than a window. */
    pair.left.width = pair.right.width = pair.left.height = pair.right.height = 1;
    facts = measure(&pair, NULL, 0);
    assert_int_equal(facts.rows.points, 0);
    free_grey_pair(&pair);
}

/* Rectification maps that move the right picture up by 3 1/2 rows. */
TEST(rows_are_those_after_rectification) {
    const sv_pair pair = new_pair(3, 0);
    sv_rectification r = {.width = WIDTH, .height = HEIGHT};
    for (int side = 0; side < 2; side++) {
        r.maps[side] = malloc(WIDTH * HEIGHT * 2 * sizeof(int32_t));
        assert_non_null(r.maps[side]);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const int row = y * SV_MAP_STEPS + side * 7 * SV_MAP_STEPS / 2;
                const bool outside = row > (HEIGHT - 1) * SV_MAP_STEPS;
                int32_t *place = r.maps[side] + 2 * (y * WIDTH + x);
                place[0] = outside ? SV_MAP_OUTSIDE : x * SV_MAP_STEPS;
                place[1] = outside ? SV_MAP_OUTSIDE : row;
            }
    }
    assert_near((double)measure(&pair, &r, 0).rows.offset, -0.5, 0.1);
    assert_near((double)measure(&pair, &r, 2).rows.offset, -2.5, 0.1);
    free(r.maps[0]);
    free(r.maps[1]);
    free_grey_pair(&pair);
}

/* ---- Moments ---------------------------------------------------------------------------------- */

enum { REACH = 6, MIDDLE = 9, FRAMES = 2 * MIDDLE + 1 };

/* A camera that goes ahead, by so much of the distance each frame; the right side is `late` frames late, and `lower`.
 */
static rig_moments compare(double ahead, int late, double lower, bool swapped, rig_facts *facts) {
    const sv_params params = sv_default_params(SV_SGM);
    sv_pair pair = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    const sv_pair exchanged = {.left = pair.right, .right = pair.left};
    pair_meter *meter;
    rig_moments moments;
    sv_error error;
    assert_int_equal(pair_meter_create(&meter, NULL, 1, &error), SV_OK);
    for (int pass = 0; pass < 2; pass++)
        for (int i = pass ? MIDDLE - REACH : MIDDLE; i <= (pass ? MIDDLE + REACH : MIDDLE); i++) {
            const sv_pair *given = swapped ? &exchanged : &pair;
            paint_nearer(&pair.left, 0, 0, 0, pow(1 + ahead, i));
            const double near = pow(1 + ahead, i - late);
            paint_nearer(&pair.right, 12, -lower / near, 0, near);
            const sv_status status = pass ? pair_meter_add_moment(meter, given, 0, i, i == MIDDLE, &error)
                                          : pair_meter_measure(meter, given, &params, facts, &error);
            if (status != SV_OK) fail_msg("%s", error.text);
        }
    assert_int_equal(pair_meter_compare_moments(meter, REACH, facts, &moments, &error), SV_OK);
    facts->moments = moments;
    pair_meter_free(meter);
    free_grey_pair(&pair);
    return moments;
}

TEST(the_right_moment_is_found) {
    static const int late[] = {0, 1, -2, 5};
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        rig_facts facts;
        const rig_moments moments = compare(0.04, late[i], 0, false, &facts);
        assert_near(rig_find_offset(&moments), late[i], 0);
        const sv_rig_state judged = judge(&facts);
        assert_int_equal(judged.items[SV_RIG_TIME].grade, late[i] ? SV_RIG_BAD : SV_RIG_GOOD);
        for (int item = 0; item < SV_RIG_ITEM_COUNT; item++)
            if (item != SV_RIG_TIME) assert_true(judged.items[item].grade != SV_RIG_BAD);
    }
}

TEST(a_still_scene_has_no_right_moment) {
    rig_facts facts;
    const rig_moments moments = compare(0, 3, 0, false, &facts);
    assert_true(isnan(rig_find_offset(&moments)));
    assert_int_equal(judge(&facts).items[SV_RIG_TIME].grade, SV_RIG_UNKNOWN);
}

/* The first of two faults is named, and the other one, unless it depends on it. */
TEST(two_faults_are_told_apart) {
    rig_facts facts;
    compare(0.04, 3, 0, true, &facts);
    sv_rig_state judged = judge(&facts);
    assert_int_equal(judged.items[SV_RIG_ORDER].cure, SV_RIG_SWAP);
    assert_int_equal(judged.items[SV_RIG_TIME].values[0], -3);
    compare(0.04, 2, 3, false, &facts);
    judged = judge(&facts);
    assert_int_equal(judged.items[SV_RIG_TIME].values[0], 2);
    assert_int_equal(judged.items[SV_RIG_ROWS].grade, SV_RIG_UNKNOWN);
    compare(0.04, 0, 9, false, &facts);
    judged = judge(&facts);
    assert_int_equal(judged.items[SV_RIG_TIME].grade, SV_RIG_GOOD);
    assert_int_equal(judged.items[SV_RIG_ROWS].values[0], 9);
}

/* ---- Real pictures ---------------------------------------------------------------------------- */

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
    const brightness seen = measure(&pair, NULL, 0).brightness, alike = {104, 97}, swapped = {seen.right, seen.left};
    assert_near((float)seen.left, 104, 0.01);
    assert_near((float)seen.right, 62, 0.01);
    char text[256];
    sv_params params = sv_default_params(SV_SSD);
    assert_false(brightness_harms(&seen, &params)); /* its filter evens it out */
    params.prefilter = SV_PREFILTER_NONE;
    assert_true(brightness_harms(&seen, &params));
    assert_has(pair_report_brightness(&seen, &params, text, sizeof text), "the right picture is 40 % darker");
    assert_has(pair_report_brightness(&swapped, &params, text, sizeof text), "the left picture is 40 % darker");
    assert_false(brightness_harms(&alike, &params));
    assert_null(pair_report_brightness(&alike, &params, text, sizeof text));
}

/* ---- The thread ------------------------------------------------------------------------------- */

static frame_pair new_frames(pool *pool, int number, double near) {
    frame_pair pair = {frame_create(pool, WIDTH, HEIGHT, true, false), frame_create(pool, WIDTH, HEIGHT, true, false)};
    pair.left->index = pair.right->index = number;
    pair.left->time = pair.right->time = number / 25.0;
    paint_nearer(&pair.left->grey, 0, 0, 0, near);
    return pair;
}

TEST(pairs_that_go_by_are_measured) {
    const sv_params params = sv_default_params(SV_SGM);
    pair_monitor *a = pair_monitor_open(&(pair_monitor_options){.rate = 25});
    rig_facts facts;
    sv_rig_state judged;
    pool *pool = pool_create((pool_memory){NULL, NULL});
    assert_false(pair_monitor_judge_last(a, &params, &facts, &judged));
    frame_pair pair = new_frames(pool, 0, 1);
    paint(&pair.right->grey, 12, -2, 0);
    const double start = sv_seconds();
    pair_monitor_offer(a, &pair, &params);
    frame_pair_release(&pair); /* the frames live on until they are measured */
    assert_true(pair_monitor_judge_last(a, &params, &facts, &judged));
    assert_near(judged.items[SV_RIG_ROWS].figure, 2, 0.1);
    assert_true(facts.brightness.left > 0 && facts.brightness.right > 0);
    /* What was measured with other parameters says nothing about these. */
    sv_params other = params;
    other.row_shift = 2;
    other.max_disparity++;
    assert_true(pair_monitor_judge(a, &other, &facts, &judged));
    assert_int_equal(judged.items[SV_RIG_ROWS].grade, SV_RIG_UNKNOWN);
    assert_int_equal(judged.items[SV_RIG_RANGE].grade, SV_RIG_UNKNOWN);

    /* At most once a second, and then the newest pair. */
    pair = new_frames(pool, 1, 1);
    paint(&pair.right->grey, 12, 5, 0);
    pair_monitor_offer(a, &pair, &params);
    while (pair_monitor_judge(a, &params, &facts, &judged) && facts.rows.offset > 0 && sv_seconds() < start + PATIENCE)
        usleep(10000);
    assert_near((double)facts.rows.offset, -5, 0.1);
    assert_true(sv_seconds() > start + 1);
    pair_monitor_offer(a, &pair, &params); /* is not measured any more */
    frame_pair_release(&pair);
    pair_monitor_close(a);
    pair_monitor_close(NULL);
    pool_close(pool);
}

/* Offers frames of a camera that goes ahead, the right side `late` frames late, until the time is known. */
static int find_offset(pair_monitor *a, pool *pool, int *frame, int late) {
    const sv_params params = sv_default_params(SV_SGM);
    const double start = sv_seconds();
    rig_facts facts;
    sv_rig_state judged;
    do {
        const int phase = *frame % 20, of_right = (*frame - late) % 20; /* a way back would be late and early alike */
        frame_pair pair = new_frames(pool, ++*frame, pow(1.04, phase));
        paint_nearer(&pair.right->grey, 12, 0, 0, pow(1.04, of_right));
        pair_monitor_offer(a, &pair, &params);
        frame_pair_release(&pair);
        usleep(20000);
        if (sv_seconds() > start + 600) fail_msg("no offset was found in 600 seconds");
    } while (!pair_monitor_judge(a, &params, &facts, &judged) || judged.items[SV_RIG_TIME].grade == SV_RIG_UNKNOWN);
    return (int)judged.items[SV_RIG_TIME].figure;
}

TEST(moments_that_go_by_are_compared) {
    pair_monitor *a = pair_monitor_open(&(pair_monitor_options){.rate = 25, .reach = 5});
    pool *pool = pool_create((pool_memory){NULL, NULL});
    int frame = 100;
    assert_int_equal(find_offset(a, pool, &frame, 3), 3);
    pair_monitor_close(a);
    pool_close(pool);
}
