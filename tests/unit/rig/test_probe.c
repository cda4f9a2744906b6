/* The probe, rig/probe: on made scenes whose disparities are known, and on real ones if ../shared/data has them. */
#include "rig/probe.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 360, FAR = 12, NEAR = 40 };

static void assert_within(const char *what, double value, double low, double high) {
    if (!(value >= low && value <= high)) fail_msg("%s: %.2f is not from %.2f to %.2f", what, value, low, high);
}

/* ---- A scene: a wall with the disparity FAR, and before it a board with NEAR -------------------- */

/* `x` in the left picture; `far`, `near`: how far left both are in the other one. */
static int scene_at(int x, int y, int far, int near, int scene) {
    const bool board = x + near >= WIDTH / 3 && x + near < WIDTH / 2 && y >= HEIGHT / 3 && y < 2 * HEIGHT / 3;
    return board ? texture_grey(x + near, y, scene + 1) : texture_grey(x + far, y, scene);
}

/* The right picture is `lower` rows lower, and shows grey * gain / 100. */
static sv_pair new_pair(int lower, int gain) {
    const sv_pair pair = {.left = grey_picture(WIDTH, HEIGHT), .right = grey_picture(WIDTH, HEIGHT)};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)scene_at(x, y, 0, 0, 1);
            ((uint8_t *)sv_row(&pair.right, y))[x] = (uint8_t)(scene_at(x, y - lower, FAR, NEAR, 1) * gain / 100);
        }
    return pair;
}

static probe *new_probe(const sv_rectification *rectification) {
    probe *p;
    sv_error error;
    if (probe_create(&p, rectification, 1, &error) != SV_OK) fail_msg("%s", error.text);
    return p;
}

static probe_result ask(probe *p, const sv_pair *pair, int row_shift) {
    probe_result result;
    sv_error error;
    if (probe_pair(p, pair, row_shift, &result, &error) != SV_OK) fail_msg("%s", error.text);
    return result;
}

static probe_result ask_once(const sv_pair *pair, int row_shift) {
    probe *p = new_probe(NULL);
    const probe_result result = ask(p, pair, row_shift);
    probe_free(p);
    return result;
}

TEST(a_right_pair_is_confirmed_with_its_disparities) {
    const sv_pair pair = new_pair(0, 100);
    const probe_result r = ask_once(&pair, 0);
    assert_within("share", (double)r.share, 85, 100);
    assert_within("median", (double)r.median, FAR - 0.5, FAR + 0.5);
    assert_within("least", (double)r.least, FAR - 4, FAR + 0.5); /* one candidate of the reduced size */
    assert_within("most", (double)r.most, NEAR - 1, NEAR + 2);
    assert_within("negative", (double)r.negative, 0, 0.1);
    free_grey_pair(&pair);
}

TEST(swapped_sides_have_negative_disparities) {
    const sv_pair pair = new_pair(0, 100), swapped = {.left = pair.right, .right = pair.left};
    const probe_result r = ask_once(&swapped, 0);
    assert_within("share", (double)r.share, 85, 100);
    assert_within("median", (double)r.median, -FAR - 0.5, -FAR + 0.5);
    assert_within("least", (double)r.least, -NEAR - 2, -NEAR + 1);
    assert_within("negative", (double)r.negative, 99, 100);
    free_grey_pair(&pair);
}

TEST(pictures_of_two_scenes_are_not_confirmed) {
    const sv_pair pair = new_pair(0, 100);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) ((uint8_t *)sv_row(&pair.right, y))[x] = (uint8_t)scene_at(x, y, 0, 0, 7);
    assert_within("share", (double)ask_once(&pair, 0).share, 0, PROBE_WRONG);
    free_grey_pair(&pair);
}

/* A lens cap, a blank wall: every disparity fits, and none is confirmed. */
TEST(pictures_without_texture_are_not_confirmed) {
    const sv_pair pair = new_pair(0, 100);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)(20 + 7 * texture_noise(x, y));
            ((uint8_t *)sv_row(&pair.right, y))[x] = (uint8_t)(20 + 7 * texture_noise(x, y + HEIGHT));
        }
    assert_within("share of noise", ask_once(&pair, 0).share, 0, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            ((uint8_t *)sv_row(&pair.left, y))[x] = ((uint8_t *)sv_row(&pair.right, y))[x] = 128;
    assert_within("share of grey", ask_once(&pair, 0).share, 0, 0);
    free_grey_pair(&pair);
}

TEST(rows_are_moved_and_rectified_first) {
    const sv_pair pair = new_pair(9, 100);
    const probe_result off = ask_once(&pair, 0), level = ask_once(&pair, 9);
    assert_within("share, rows off", (double)off.share, 0, 60);
    assert_within("share, rows level", (double)level.share, 85, 100);
    assert_within("most", (double)level.most, NEAR - 1, NEAR + 2);
    /* A rectification that moves the right picture up by 9 rows. */
    sv_rectification r = {.width = WIDTH, .height = HEIGHT};
    for (int side = 0; side < 2; side++) {
        r.maps[side] = malloc((size_t)WIDTH * HEIGHT * 2 * sizeof(int32_t));
        assert_non_null(r.maps[side]);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const int row = y + (side ? 9 : 0);
                int32_t *place = r.maps[side] + 2 * ((size_t)y * WIDTH + (size_t)x);
                place[0] = row < HEIGHT ? x * SV_MAP_STEPS : SV_MAP_OUTSIDE;
                place[1] = row < HEIGHT ? row * SV_MAP_STEPS : SV_MAP_OUTSIDE;
            }
    }
    probe *p = new_probe(&r);
    const probe_result rectified = ask(p, &pair, 0);
    assert_within("share, rectified", (double)rectified.share, 85, 100);
    probe_free(p);
    free(r.maps[0]);
    free(r.maps[1]);
    free_grey_pair(&pair);
}

/* A few pixels that match far away are not what the range is chosen for. */
TEST(a_spot_does_not_become_a_percentile) {
    const sv_pair pair = new_pair(0, 100);
    for (int y = 40; y < 64; y++)
        for (int x = 0; x < 24; x++) {
            ((uint8_t *)sv_row(&pair.left, y))[x + 400] = (uint8_t)texture_grey(x, y, 20);
            ((uint8_t *)sv_row(&pair.right, y))[x + 200] = (uint8_t)texture_grey(x, y, 20);
        }
    assert_within("most", (double)ask_once(&pair, 0).most, NEAR - 1, NEAR + 2);
    free_grey_pair(&pair);
}

/* One probe measures pictures of any sizes, and each as if it were the first. */
TEST(sizes_may_change) {
    const sv_pair pair = new_pair(0, 100);
    const sv_image tall = {pair.left.data, WIDTH, 70, HEIGHT, SV_GREY8, SV_HOST},
                   dot = {pair.left.data, 1, 1, 1, SV_GREY8, SV_HOST};
    const sv_pair others[] = {{.left = tall, .right = tall}, {.left = dot, .right = dot}};
    const probe_result once = ask_once(&pair, 0);
    probe *p = new_probe(NULL);
    for (int i = 0; i < 2; i++) {
        assert_within("share", (double)ask(p, &others[i], 0).share, 0, 100);
        const probe_result again = ask(p, &pair, 0);
        assert_memory_equal(&again, &once, sizeof once);
    }
    assert_within("disparity of a picture with itself", (double)ask(p, &others[0], 0).median, -0.25, 0.25);
    probe_free(p);
    free_grey_pair(&pair);
}

/* ---- The range -------------------------------------------------------------------------------- */

TEST(the_range_has_a_margin_and_whole_eights) {
    static const struct {
        probe_result result;
        int min, max;
    } cases[] = {
        {{.share = 90, .most = 3}, 0, 7},                                      /* 4 more are 7 */
        {{.share = 90, .most = 3.25f}, 0, 15},                                 /* 7.25 */
        {{.share = 90, .most = 59}, 0, 63},                                    /* 63 */
        {{.share = 90, .most = 100}, 0, 111},                                  /* 5 % are 5: 105 */
        {{.share = 90, .least = -30, .most = 10, .negative = 0.9f}, 0, 15},    /* too few to be true */
        {{.share = 90, .least = -30, .most = 10, .negative = 1}, -40, 15},     /* -34 */
        {{.share = 90, .least = -100, .most = -10, .negative = 100}, -112, 7}, /* -105 */
        {{.share = 90, .least = -64, .most = 1000, .negative = 2}, 0, 1023},   /* no more than 1024 */
    };
    int min, max;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(probe_range(&cases[i].result, 1, &min, &max));
        assert_int_equal(min, cases[i].min);
        assert_int_equal(max, cases[i].max);
    }
    const probe_result several[] = {{.share = 90, .least = -20, .most = 20, .negative = 5},
                                    {.share = 49, .least = -500, .most = 500, .negative = 50},
                                    {.share = 51, .most = 30}};
    assert_true(probe_range(several, 3, &min, &max));
    assert_int_equal(min, -24);
    assert_int_equal(max, 39);
    min = max = 5;
    assert_false(probe_range(several + 1, 1, &min, &max));
    assert_false(probe_range(several, 0, &min, &max));
    assert_int_equal(min, 5);
    assert_int_equal(max, 5);
}

TEST(the_library_finds_the_range) {
    sv_params *params = sv_params_new();
    const sv_pair pair = new_pair(0, 100), lower = new_pair(9, 100),
                  flat = {.left = grey_picture(WIDTH, HEIGHT), .right = pair.right};
    char value[64];
    bool found;
    sv_error error;
    memset(flat.left.data, 90, WIDTH * HEIGHT);
    assert_int_equal(sv_find_range(&flat, 1, NULL, params, &found, &error), SV_OK);
    assert_false(found);
    assert_int_equal(sv_params_get(params, "disparities", value, sizeof value, &error), SV_OK);
    assert_string_equal(value, "0:63");
    assert_int_equal(sv_find_range((const sv_pair[]){flat, pair}, 2, NULL, params, &found, &error), SV_OK);
    assert_true(found);
    assert_true(params->min_disparity == 0);
    assert_within("largest", params->max_disparity, NEAR + 3, NEAR + 15);
    /* It is kept by another method, and applies what the parameters say of the rows. */
    const int most = params->max_disparity;
    assert_int_equal(sv_params_set(params, "method", "ssd", &error), SV_OK);
    assert_int_equal(params->max_disparity, most);
    assert_int_equal(sv_find_range(&lower, 1, NULL, params, &found, &error), SV_OK);
    assert_false(found);
    assert_int_equal(sv_params_set(params, "row-shift", "9", &error), SV_OK);
    assert_int_equal(sv_find_range(&lower, 1, NULL, params, &found, &error), SV_OK);
    assert_true(found);
    assert_int_equal(params->max_disparity, most);

    assert_int_equal(sv_find_range(&pair, 0, NULL, params, &found, &error), SV_USAGE);
    sv_pair wrong = pair;
    wrong.right.width--;
    assert_int_equal(sv_find_range(&wrong, 1, NULL, params, &found, &error), SV_USAGE);
    wrong.right.memory = SV_DEVICE;
    assert_int_equal(sv_find_range(&wrong, 1, NULL, params, &found, &error), SV_USAGE);
    sv_params_free(params);
    free_grey_pair(&pair);
    free_grey_pair(&lower);
    free(flat.left.data);
}

/* ---- Real pictures ---------------------------------------------------------------------------- */

#define DATA "../shared/data/"

/* A part of a picture. */
static sv_image part(const sv_image *image, int x, int y, int width, int height) {
    return (sv_image){(uint8_t *)sv_row(image, y) + x, image->stride, width, height, SV_GREY8, SV_HOST};
}

/* `truth`: the largest disparity of the ground truth, or that of a search over the whole width where there is none. */
static const struct {
    const char *left, *right;
    double share, truth;
} real[] = {
    {DATA "middlebury_v2/tsukuba/left.png", DATA "middlebury_v2/tsukuba/right.png", 96.3, 14},
    {DATA "middlebury_v2/venus/left.png", DATA "middlebury_v2/venus/right.png", 97.5, 19},
    {DATA "middlebury_v2/cones/left.png", DATA "middlebury_v2/cones/right.png", 88.6, 55},
    {DATA "middlebury_2005/Reindeer/left.png", DATA "middlebury_2005/Reindeer/right.png", 83.5, 100},
    {DATA "middlebury_2005/Art_third/left.png", DATA "middlebury_2005/Art_third/right.png", 75.3, 75},
    {DATA "middlebury_2006/Cloth3/left.png", DATA "middlebury_2006/Cloth3/right.png", 90.3, 83},
    {DATA "middlebury_2006/Aloe_full/left.pgm", DATA "middlebury_2006/Aloe_full/right.pgm", 85.7, 211},
    {DATA "middlebury_2014/Motorcycle_Q/left.png", DATA "middlebury_2014/Motorcycle_Q/right.png", 93.3, 60},
    {DATA "eth3d/playground/left.png", DATA "eth3d/playground/right.png", 98.0, 20},
    {DATA "kitti_2012/000070/left.png", DATA "kitti_2012/000070/right.png", 89.8, 111}, /* but for one near post */
    {DATA "pairs_nogt/kitti_2015_000010/left_10.png", DATA "pairs_nogt/kitti_2015_000010/right_10.png", 96.5, 70},
};

/* The shares are those of an independent implementation, which shrinks the pictures in another way. */
TEST(real_pairs_have_the_share_and_range_that_they_should) {
    if (access(real[0].left, R_OK)) skip_without("../shared/data");
    probe *p = new_probe(NULL);
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        frame *left = read_first(real[i].left), *right = read_first(real[i].right);
        const sv_image *l = &left->grey, *r = &right->grey;
        const int width = l->width, height = l->height;
        const sv_pair pair = {.left = *l, .right = *r}, swapped = {.left = *r, .right = *l};
        const probe_result as_it_is = ask(p, &pair, 0), other_way = ask(p, &swapped, 0);
        assert_within(real[i].left, (double)as_it_is.share, real[i].share - 1.5, real[i].share + 1.5);
        assert_within(real[i].left, (double)as_it_is.most, 0.92 * real[i].truth - 1, 1.05 * real[i].truth + 1);
        assert_within(real[i].left, (double)as_it_is.negative, 0, 0.1);
        assert_within(real[i].left, (double)other_way.negative, 90, 100);
        int min, max;
        assert_true(probe_range(&as_it_is, 1, &min, &max));
        assert_int_equal(min, 0);
        assert_within(real[i].left, max, real[i].truth, 2 * real[i].truth);
        /* One picture alone, taken as a pair in either layout. */
        const sv_pair beside = {.left = part(l, 0, 0, width / 2, height),
                                .right = part(l, width - width / 2, 0, width / 2, height)};
        const sv_pair above = {.left = part(l, 0, 0, width, height / 2),
                               .right = part(l, 0, height - height / 2, width, height / 2)};
        assert_within(real[i].left, (double)ask(p, &beside, 0).share, 0, PROBE_WRONG);
        assert_within(real[i].left, (double)ask(p, &above, 0).share, 0, PROBE_WRONG);
        frame_release(left);
        frame_release(right);
    }
    probe_free(p);
}
