/* Which side of a pair is the left one, and whether two views go together; rig/arrangement and rig/probe: on made
 * scenes with any offset of their disparities, and on real ones if ../shared/data has them. */
#include "rig/arrangement.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 360, FAR = 8, NEAR = 44, FLOOR = 16 };

/* A floor that comes nearer by FLOOR pixels from the top row to the bottom, and a darker board before it. The
 * disparities are `offset` less, as with toed-in cameras. */
static int scene_at(int x, int y, bool right, int offset) {
    const int floor = right ? FAR + FLOOR * y / HEIGHT - offset : 0, near = right ? NEAR - offset : 0;
    const bool board = x + near >= WIDTH / 3 && x + near < WIDTH / 2 && y >= HEIGHT / 3 && y < 2 * HEIGHT / 3;
    return board ? texture_grey(x + near, y, 2) / 2 : 80 + texture_grey(x + floor, y, 1) * 2 / 3;
}

/* The right picture is `lower` rows lower. */
static sv_pair new_pair_with_rows(int offset, int lower) {
    const sv_pair pair = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)scene_at(x, y, false, offset);
            ((uint8_t *)sv_row(&pair.right, y))[x] = (uint8_t)scene_at(x, y - lower, true, offset);
        }
    return pair;
}

static sv_pair new_pair(int offset) { return new_pair_with_rows(offset, 0); }

static arrangement_trial try_shifted(const sv_pair *pair, int row_shift) {
    probe *p;
    arrangement_trial trial;
    sv_error error;
    if (probe_create(&p, NULL, 1, &error) != SV_OK) fail_msg("%s", error.text);
    if (arrangement_try(p, pair, row_shift, &trial, &error) != SV_OK) fail_msg("%s", error.text);
    probe_free(p);
    return trial;
}

static arrangement_trial try(const sv_pair *pair) { return try_shifted(pair, 0); }

static arrangement_order order_of(const sv_pair *pair) {
    const arrangement_trial trial = try(pair);
    return arrangement_order_of(&trial, 1);
}

TEST(the_order_of_parallel_cameras_is_found) {
    const sv_pair pair = new_pair(0), swapped = {.left = pair.right, .right = pair.left};
    assert_int_equal(order_of(&pair), ORDER_AS_IS);
    assert_int_equal(order_of(&swapped), ORDER_SWAPPED);
    free_grey_pair(&pair);
}

/* With the sides swapped, the other picture is shifted. */
TEST(a_row_shift_turns_with_the_sides) {
    const sv_pair pair = new_pair_with_rows(0, 9), swapped = {.left = pair.right, .right = pair.left};
    const arrangement_trial t = try_shifted(&swapped, -9);
    assert_true(t.as_is.share >= PROBE_RIGHT && t.swapped.share >= PROBE_RIGHT);
    assert_int_equal(arrangement_order_of(&t, 1), ORDER_SWAPPED);
    free_grey_pair(&pair);
}

/* Whatever is taken off the disparities: some of them, most of them or all of them are negative then. */
TEST(toed_in_cameras_are_not_swapped) {
    static const int offsets[] = {-30, 10, 18, 30, 60};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        const sv_pair pair = new_pair(offsets[i]), swapped = {.left = pair.right, .right = pair.left};
        assert_int_not_equal(order_of(&pair), ORDER_SWAPPED);
        assert_int_not_equal(order_of(&swapped), ORDER_AS_IS);
        free_grey_pair(&pair);
    }
}

/* All disparities are negative, but nothing says that the sides are swapped: a flat wall far behind the screen. */
TEST(signs_alone_decide_nothing) {
    const sv_pair pair = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)texture_grey(x, y, 1);
            ((uint8_t *)sv_row(&pair.right, y))[x] = (uint8_t)texture_grey(x - 20, y, 1);
        }
    assert_int_equal(order_of(&pair), ORDER_UNKNOWN);
    free_grey_pair(&pair);
}

TEST(pictures_that_show_nothing_decide_nothing) {
    const sv_pair pair = new_pair(0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)texture_grey(x, y, 9);
    const arrangement_trial unlike = try(&pair);
    assert_int_equal(arrangement_order_of(&unlike, 1), ORDER_UNKNOWN);
    assert_true(arrangement_share(&unlike, 1) >= 0 && arrangement_share(&unlike, 1) <= PROBE_WRONG);
    memset(pair.left.data, 70, (size_t)WIDTH * HEIGHT);
    memset(pair.right.data, 70, (size_t)WIDTH * HEIGHT);
    const arrangement_trial flat = try(&pair);
    assert_int_equal(arrangement_order_of(&flat, 1), ORDER_UNKNOWN);
    assert_true(arrangement_share(&flat, 1) < 0);
    assert_int_equal(arrangement_order_of(NULL, 0), ORDER_UNKNOWN);
    assert_true(arrangement_share(NULL, 0) < 0);
    free_grey_pair(&pair);
}

TEST(a_layout_is_sure_if_the_other_one_is_far_from_it) {
    assert_true(arrangement_is_sure(75, 13));
    assert_true(arrangement_is_sure(90, -1));
    assert_true(arrangement_is_sure(51, 10)); /* rows that are three pixels off */
    assert_false(arrangement_is_sure(39, 0));
    assert_false(arrangement_is_sure(59, 20));
    assert_false(arrangement_is_sure(95, 60));
    assert_false(arrangement_is_sure(-1, -1));
}

/* ---- Real pictures ---------------------------------------------------------------------------- */

#define DATA "../shared/data/"

static sv_image part(const sv_image *image, int x, int width) {
    return (sv_image){(uint8_t *)image->data + x, image->stride, width, image->height, SV_GREY8, SV_HOST};
}

/* With offsets of up to 9 % of the width to either side, no order is ever the wrong one; without, it is found unless
 * `open`. */
TEST(real_pairs_are_never_ordered_wrongly) {
    static const struct {
        const char *left, *right;
        bool open;
    } real[] = {
        {DATA "middlebury_v2/tsukuba/left.png", DATA "middlebury_v2/tsukuba/right.png", false},
        {DATA "middlebury_v2/venus/left.png", DATA "middlebury_v2/venus/right.png", false},
        {DATA "middlebury_v2/cones/left.png", DATA "middlebury_v2/cones/right.png", false},
        {DATA "middlebury_2005/Reindeer/left.png", DATA "middlebury_2005/Reindeer/right.png", false},
        {DATA "middlebury_2005/Art_third/left.png", DATA "middlebury_2005/Art_third/right.png", false},
        {DATA "middlebury_2006/Cloth3/left.png", DATA "middlebury_2006/Cloth3/right.png", false},
        {DATA "middlebury_2014/Motorcycle_Q/left.png", DATA "middlebury_2014/Motorcycle_Q/right.png", false},
        {DATA "eth3d/playground/left.png", DATA "eth3d/playground/right.png", true},
        {DATA "kitti_2012/000070/left.png", DATA "kitti_2012/000070/right.png", false},
        {DATA "pairs_nogt/kitti_2015_000010/left_10.png", DATA "pairs_nogt/kitti_2015_000010/right_10.png", false},
    };
    if (access(real[0].left, R_OK)) skip_without("../shared/data");
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        frame *left = read_first(real[i].left), *right = read_first(real[i].right);
        for (int ninths = -6; ninths <= 9; ninths += 3) {
            const int shift = abs(ninths) * left->grey.width / 100, width = left->grey.width - shift;
            const sv_image l = part(&left->grey, ninths > 0 ? shift : 0, width);
            const sv_image r = part(&right->grey, ninths > 0 ? 0 : shift, width);
            const sv_pair pair = {.left = l, .right = r}, swapped = {.left = r, .right = l};
            const arrangement_order order = order_of(&pair), other = order_of(&swapped);
            if (order == ORDER_SWAPPED || other == ORDER_AS_IS ||
                (!ninths && !real[i].open && (order != ORDER_AS_IS || other != ORDER_SWAPPED)))
                fail_msg("%s, shifted by %d %%: %d, and swapped %d", real[i].left, ninths, (int)order, (int)other);
        }
        frame_release(left);
        frame_release(right);
    }
}
