/* Which pairs become views of a board, and what is still missing; rig/board_views, rig/board_look. */
#include "rig/board_views.h"
#include "tests/support/boards.h"
#include "tests/support/reading.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static board chess;
static board_views views;

/* Where the board is before the left camera, in radians and metres; the right camera is 60 mm beside it. */
typedef struct pose {
    double x, y, z, at[3];
} pose;

static const pose upright = {.at = {0.03, 0, 0.5}};

static placing placing_of(const pose *p, int side) {
    return place(&chess, p->x, p->y, p->z, (const double[]){p->at[0] - 0.06 * side, p->at[1], p->at[2]});
}

static void see(const pose *p) {
    for (int side = 0; side < 2; side++) {
        const placing of = placing_of(p, side);
        board_sight *s = &views.seen[side];
        s->count = board_points(&chess);
        for (int i = 0; i < s->count; i++) {
            double at[2], pixel[2];
            board_point(&chess, i, at);
            board_project(&of, at, pixel);
            s->points[i] = i;
            for (int k = 0; k < 2; k++) s->at[i][k] = (float)pixel[k];
        }
    }
}

/* A picture of squares of 4 x 4 pixels, which is sharp wherever one looks. */
static sv_image checked(void) {
    sv_image image = {
        malloc(BOARDS_WIDTH * BOARDS_HEIGHT), BOARDS_WIDTH, BOARDS_WIDTH, BOARDS_HEIGHT, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    for (int i = 0; i < BOARDS_WIDTH * BOARDS_HEIGHT; i++)
        ((uint8_t *)image.data)[i] = (i % BOARDS_WIDTH / 4 + i / BOARDS_WIDTH / 4) % 2 ? 220 : 30;
    return image;
}

static sv_image pictures[2];
static int64_t numbers;

static board_verdict judge_seen(double time) {
    const board_pair pair = {{&pictures[0], &pictures[1]}, numbers++, time};
    return board_views_add(&views, &pair);
}

static board_verdict judge(const pose *p, double time) {
    see(p);
    return judge_seen(time);
}

/* What becomes of a board that is held there for a second. */
static board_verdict hold(const pose *p, double time) {
    judge(p, time);
    return judge(p, time + 1);
}

static int begin(void **state) {
    (void)state;
    sv_error error;
    chess = board_of("9x6:25mm");
    for (int side = 0; side < 2; side++) pictures[side] = checked();
    numbers = 0;
    return board_views_open(&views, &chess, BOARDS_WIDTH, BOARDS_HEIGHT, false, &error) != SV_OK && board_opencv();
}

static int end(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) free(pictures[side].data);
    board_views_close(&views);
    return 0;
}

/* ---- Still ------------------------------------------------------------------------------------ */

TEST_WITH(a_board_is_taken_once_it_rests, begin, end) {
    skip_without_opencv();
    for (int i = 0; i < 3; i++) assert_int_equal(judge(&upright, 5 + i / 10.0), BOARD_MOVES);
    assert_int_equal(judge(&upright, 5.31), BOARD_TAKEN);
    assert_int_equal(judge(&upright, 5.4), BOARD_KNOWN);
    assert_int_equal(views.count, 1);
    assert_int_equal(views.views[0].frame, 3);
    assert_int_equal(views.views[0].sides[1].count, 54);
}

/* A slow machine looks at few pairs, a fast one at many: the time between them decides. */
TEST_WITH(how_often_it_is_looked_at_does_not_matter, begin, end) {
    skip_without_opencv();
    assert_int_equal(judge(&upright, 0), BOARD_MOVES);
    assert_int_equal(judge(&upright, 2), BOARD_TAKEN);
    pose other = upright;
    other.at[1] = 0.08;
    for (int i = 0; i < 29; i++) assert_int_equal(judge(&other, 3 + i / 100.0), BOARD_MOVES);
    assert_int_equal(judge(&other, 3.31), BOARD_TAKEN);
}

/* 10 mm a second, 1.2 pixels from one pair to the next: each step is small, and all together are not. */
TEST_WITH(a_slow_board_still_moves, begin, end) {
    skip_without_opencv();
    pose p = upright;
    for (int i = 0; i < 20; i++) {
        p.at[0] = 0.03 + 0.001 * i;
        assert_int_equal(judge(&p, i / 10.0), BOARD_MOVES);
    }
}

TEST_WITH(it_rests_in_both_pictures, begin, end) {
    skip_without_opencv();
    judge(&upright, 0);
    for (int i = 1; i < 10; i++) {
        see(&upright);
        for (int k = 0; k < views.seen[1].count; k++) views.seen[1].at[k][1] += (float)(4 * i);
        assert_int_equal(judge_seen(i), BOARD_MOVES);
    }
}

/* ---- Seen, sharp, new ------------------------------------------------------------------------- */

TEST_WITH(it_is_seen_in_both_pictures, begin, end) {
    skip_without_opencv();
    see(&upright);
    views.seen[0].count = 0;
    assert_int_equal(judge_seen(0), BOARD_NOT_LEFT);
    see(&upright);
    views.seen[1].count = 0;
    assert_int_equal(judge_seen(1), BOARD_NOT_RIGHT);
    see(&upright);
    for (int i = 0; i < 54; i++) views.seen[1].points[i] += 47; /* 7 in common */
    assert_int_equal(judge_seen(2), BOARD_NOT_BOTH);
    assert_int_equal(views.pairs, 3);
    assert_int_equal(views.count, 0);
}

/* The same picture with means of side x side pixels; what is near its border stays as it is. */
static sv_image blurred(const sv_image *image, int side) {
    const int reach = side / 2;
    sv_image mean = *image;
    mean.data = malloc(image->stride * BOARDS_HEIGHT);
    assert_non_null(mean.data);
    memcpy(mean.data, image->data, image->stride * BOARDS_HEIGHT);
    for (int y = reach; y < BOARDS_HEIGHT - reach; y++)
        for (int x = reach; x < BOARDS_WIDTH - reach; x++) {
            int sum = 0;
            for (int v = y - reach; v <= y + reach; v++)
                for (int u = x - reach; u <= x + reach; u++) sum += ((const uint8_t *)sv_row(image, v))[u];
            ((uint8_t *)mean.data)[(size_t)y * mean.stride + (size_t)x] = (uint8_t)(sum / (side * side));
        }
    return mean;
}

TEST_WITH(a_blurred_board_waits, begin, end) {
    skip_without_opencv();
    for (int side = 0; side < 2; side++) {
        const placing p = placing_of(&upright, side);
        free(pictures[side].data);
        pictures[side] = board_render(&chess, &p);
    }
    const sv_image sharp = pictures[1], soft = blurred(&sharp, 5), blunt = blurred(&sharp, 9);
    see(&upright);
    assert_true(board_sharpness(&sharp, &views.seen[1]) > 0.4);
    /* The slope of an edge that is spread over 5 and over 9 pixels. */
    assert_near(board_sharpness(&soft, &views.seen[1]), 1.0 / 5, 0.02);
    assert_near(board_sharpness(&blunt, &views.seen[1]), 1.0 / 9, 0.02);
    pictures[1] = blunt;
    assert_int_equal(hold(&upright, 0), BOARD_BLURRED);
    /* Soft will do only where it is not known to become sharper. */
    pictures[1] = soft;
    assert_int_equal(judge(&upright, 2), BOARD_TAKEN);
    pictures[1] = sharp;
    assert_int_equal(judge(&upright, 3), BOARD_KNOWN);
    views.count = 0;
    assert_int_equal(judge(&upright, 4), BOARD_TAKEN);
    views.count = 0;
    pictures[1] = soft;
    assert_int_equal(judge(&upright, 5), BOARD_BLURRED);
    pictures[1] = sharp;
    free(soft.data);
    free(blunt.data);
}

TEST_WITH(another_place_or_tilt_is_new, begin, end) {
    skip_without_opencv();
    assert_int_equal(hold(&upright, 0), BOARD_TAKEN);
    pose p = upright;
    p.at[0] += 0.02; /* 24 of 640 pixels */
    assert_int_equal(hold(&p, 10), BOARD_KNOWN);
    p.at[0] += 0.02;
    assert_int_equal(hold(&p, 20), BOARD_TAKEN);
    p = upright;
    p.at[2] = 0.46; /* 9 % larger */
    assert_int_equal(hold(&p, 30), BOARD_KNOWN);
    p = upright;
    p.y = 0.1;
    assert_int_equal(hold(&p, 40), BOARD_KNOWN);
    p.y = 0.35;
    assert_int_equal(hold(&p, 50), BOARD_TAKEN);
    assert_int_equal(hold(&p, 60), BOARD_KNOWN);
}

TEST_WITH(every_picture_counts_once, begin, end) {
    skip_without_opencv();
    views.pictures = true;
    memset(pictures[0].data, 100, BOARDS_WIDTH * BOARDS_HEIGHT);
    assert_int_equal(judge(&upright, 0), BOARD_TAKEN);
    assert_int_equal(judge(&upright, 1), BOARD_TAKEN);
    numbers = 1; /* but none twice */
    assert_int_equal(judge(&upright, 1), BOARD_KNOWN);
}

/* ---- What is missing -------------------------------------------------------------------------- */

/* The distance of a place on the board from the camera. */
static double depth(const placing *p, double x, double y) { return p->m[2][0] * x + p->m[2][1] * y + p->shift[2]; }

TEST_WITH(each_need_is_met_by_what_it_says, begin, end) {
    skip_without_opencv();
    double size[2];
    board_size(&chess, size);
    assert_int_equal(board_views_missing(&views), (1u << BOARD_NEED_COUNT) - 1);
    const pose near = {.at = {0.03, 0, 0.3}}, far = {.at = {0.03, 0, 0.9}};
    assert_int_equal(hold(&near, 0), BOARD_TAKEN);
    unsigned missing = board_views_missing(&views);
    assert_int_equal(missing, ((1u << BOARD_NEED_COUNT) - 1) & ~(1u << BOARD_NEED_NEAR));
    assert_int_equal(hold(&far, 10), BOARD_TAKEN);
    missing = board_views_missing(&views);
    assert_int_equal(missing, ((1u << BOARD_NEED_COUNT) - 1) & ~(1u << BOARD_NEED_NEAR | 1u << BOARD_NEED_FAR));
    const pose tilts[] = {{.y = 0.4, .at = {0.03, 0, 0.5}},
                          {.y = -0.4, .at = {0.03, 0, 0.5}},
                          {.x = 0.5, .at = {0.03, 0, 0.5}},
                          {.x = -0.5, .at = {0.03, 0, 0.5}}};
    for (int i = 0; i < 4; i++) {
        const placing p = placing_of(&tilts[i], 0);
        const double left = depth(&p, 0, size[1] / 2), right = depth(&p, size[0], size[1] / 2);
        const double upper = depth(&p, size[0] / 2, 0), lower = depth(&p, size[0] / 2, size[1]);
        const board_need need = left < right - 0.01   ? BOARD_NEED_LEFT
                                : right < left - 0.01 ? BOARD_NEED_RIGHT
                                : upper < lower       ? BOARD_NEED_UPPER
                                                      : BOARD_NEED_LOWER;
        assert_true(missing >> need & 1);
        assert_int_equal(hold(&tilts[i], 20 + 10 * i), BOARD_TAKEN);
        missing &= ~(1u << need);
        assert_int_equal(board_views_missing(&views), missing);
    }
    assert_int_equal(missing, 1u << BOARD_NEED_COVERAGE);
}

/* 60 of 100 parts of both pictures: the board is moved over them. */
TEST_WITH(the_pictures_are_to_be_covered, begin, end) {
    skip_without_opencv();
    double time = 0;
    for (int i = 0; i < 9; i++) {
        pose p = {.at = {0.03 + 0.16 * (i % 3 - 1), 0.13 * (i / 3 - 1), 0.55}};
        double covered = 1;
        for (int side = 0; side < 2; side++)
            covered = fmin(covered, board_coverage(views.views, views.count, side, BOARDS_WIDTH, BOARDS_HEIGHT));
        assert_int_equal(board_views_missing(&views) >> BOARD_NEED_COVERAGE & 1, covered < 0.6);
        hold(&p, time += 10);
    }
    assert_false(board_views_missing(&views) >> BOARD_NEED_COVERAGE & 1);
}

TEST_WITH(sizes_and_tilts_are_those_of_the_scene, begin, end) {
    skip_without_opencv();
    double size[2];
    board_size(&chess, size);
    board_posture p;
    see(&upright);
    assert_true(board_find_posture(&chess, &views.seen[0], BOARDS_WIDTH, BOARDS_HEIGHT, &p));
    const double area = 600 * size[0] / 0.5 * 600 * size[1] / 0.5;
    assert_near(p.size, sqrt(area / (BOARDS_WIDTH * BOARDS_HEIGHT)), 1e-3);
    assert_near(p.across, 0, 1e-3);
    assert_near(p.down, 0, 1e-3);
    const pose turned = {.y = 0.3, .at = {0, 0, 0.5}};
    const placing of = placing_of(&turned, 0);
    see(&turned);
    assert_true(board_find_posture(&chess, &views.seen[0], BOARDS_WIDTH, BOARDS_HEIGHT, &p));
    const double left = depth(&of, 0, size[1] / 2), right = depth(&of, size[0], size[1] / 2);
    assert_near(p.across, (1 / right - 1 / left) / (1 / depth(&of, size[0] / 2, size[1] / 2)), 0.03);
    assert_near(p.down, 0, 1e-3);
    views.seen[0].count = BOARD_LEAST_POINTS - 1;
    assert_false(board_find_posture(&chess, &views.seen[0], BOARDS_WIDTH, BOARDS_HEIGHT, &p));
    views.seen[0].count = 9; /* on one line */
    assert_false(board_find_posture(&chess, &views.seen[0], BOARDS_WIDTH, BOARDS_HEIGHT, &p));
}
