/* The steps of the refinement on every backend, one at a time, on given maps: with a window of one pixel and a right
 * picture whose grey values repeat every PERIOD columns, the grey value of each left pixel selects its disparity, or
 * none. test_match.c tests chains of all steps on random maps. */
#include "tests/support/pairs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD = 8, STEP = 30, MOST = 6 };

/* A map is written as rows of digits, '.' where there is no value; a digit is at most its column. */
static scene scene_of(const char *const *rows, int height) {
    const int width = (int)strlen(rows[0]);
    const scene s = new_scene(width, height, 3);
    for (int y = 0; y < height; y++) {
        assert_int_equal(strlen(rows[y]), width);
        for (int x = 0; x < width; x++) {
            const int none = rows[y][x] == '.', d = none ? 0 : rows[y][x] - '0';
            assert_true(d <= x && d <= MOST);
            *grey_at(&s.left.image, x, y) = none ? 255 : (uint8_t)(STEP * ((x - d) % PERIOD));
            *grey_at(&s.right.image, x, y) = (uint8_t)(STEP * (x % PERIOD));
        }
    }
    return s;
}

/* No step but the threshold. */
static sv_params bare(void) {
    sv_params params = params_of(SV_SSD, 0, 0, MOST);
    params.left_right_check = -1;
    params.subpixel = 0;
    params.max_cost = 50;
    return params;
}

/* Checks that refining the map `before` gives `after`. Pixels that lose their value have the reason `lost`; those that
 * gain one are SV_FILLED. */
static void refines_to(const sv_backend *backend, const sv_params *params, const char *const *before,
                       const char *const *after, int height, int lost) {
    scene s = scene_of(before, height);
    match_and_check(backend, &s, params);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < s.left.image.width; x++) {
            const float want = after[y][x] == '.' ? INFINITY : (float)(after[y][x] - '0');
            const int had = before[y][x] != '.', has = after[y][x] != '.';
            const int reason = had ? has ? SV_VALID : lost : has ? SV_FILLED : SV_POOR_MATCH;
            /* The definition says which of these are filled anew; column 0 has one candidate of seven. */
            const int beside_a_gap = (x > 0 && before[y][x - 1] == '.') || before[y][x + 1] == '.';
            const int either = params->fill == SV_FILL_SURFACE && had && (beside_a_gap || x == 0);
            if (disparity_at(&s, x, y) != want || (reason_at(&s, x, y) != reason && !either))
                fail_msg("(%d, %d) is %g (%s), should be %g (%s)", x, y, (double)disparity_at(&s, x, y),
                         sv_reason_name(reason_at(&s, x, y)), (double)want, sv_reason_name(reason));
        }
    free_scene(&s);
}
#define REFINES(backend, params, height, lost, before, after)                                                          \
    refines_to(backend, params, (const char *const[]){before}, (const char *const[]){after}, height, lost)
#define AND ,

TEST_BACKENDS(test_made_up_maps) {
    const sv_params params = bare();
    REFINES(backend, &params, 2, 0, "0123456..6" AND "0.1.2.3.45", "0123456..6" AND "0.1.2.3.45");
}

TEST_BACKENDS(test_speckles) {
    sv_params params = bare();
    params.speckle_size = 3;
    params.speckle_range = 0;
    /* Three pixels are a speckle, four are not, and pixels that touch at a corner are not connected. */
    REFINES(backend, &params, 4, SV_SPECKLE, "00000000000" AND "00022000330" AND "00020000330" AND "00000400000",
            "00000000000" AND "000..000330" AND "000.0000330" AND "00000.00000");
    params.speckle_size = 1;
    REFINES(backend, &params, 2, SV_SPECKLE, "0.1.2.3.4" AND ".1.2.3.4.", "........." AND ".........");
    /* A chain of small steps is one region, although its ends differ much. */
    params.speckle_size = 6;
    params.speckle_range = 1;
    REFINES(backend, &params, 1, SV_SPECKLE, "0123456.6", "0123456..");
    params.speckle_size = 7;
    REFINES(backend, &params, 1, SV_SPECKLE, "0123456.6", ".........");
    /* Two branches that are connected only in the last row. */
    params.speckle_size = 8;
    params.speckle_range = 0;
    REFINES(backend, &params, 4, SV_SPECKLE, "...1.1..." AND "...1.1..." AND "...1.1..." AND "...111..0",
            "...1.1..." AND "...1.1..." AND "...1.1..." AND "...111...");
    params.speckle_size = 9;
    REFINES(backend, &params, 4, SV_SPECKLE, "...1.1..." AND "...1.1..." AND "...1.1..." AND "...111..0",
            "........." AND "........." AND "........." AND ".........");
}

/* A region that winds through the whole picture is one region, however many bands and blocks it crosses. */
TEST_BACKENDS(test_winding_patch) {
    enum { WIDTH = 150, HEIGHT = 201 };
    char rows[HEIGHT][WIDTH + 1];
    const char *map[HEIGHT];
    int pixels = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const int end = y % 4 == 1 ? WIDTH - 1 : 0;
            rows[y][x] = y % 2 == 0 || x == end ? '0' : '.';
            pixels += rows[y][x] == '0';
        }
        rows[y][WIDTH] = 0;
        map[y] = rows[y];
    }
    scene s = scene_of(map, HEIGHT);
    sv_params params = bare();
    params.speckle_size = pixels - 1;
    match_and_check(backend, &s, &params);
    assert_int_equal(reason_at(&s, WIDTH / 2, HEIGHT - 1), SV_VALID);
    params.speckle_size = pixels;
    match_and_check(backend, &s, &params);
    assert_int_equal(reason_at(&s, WIDTH / 2, HEIGHT - 1), SV_SPECKLE);
    free_scene(&s);
}

TEST_BACKENDS(test_holes) {
    sv_params params = bare();
    params.holes = 7;
    params.speckle_range = 1;
    /* Seven values of one surface are enough, six are not, nor are values of two surfaces. The lower of two medians. */
    REFINES(backend, &params, 3, 0, "000......" AND "00......." AND "001......",
            "000......" AND "000......" AND "001......");
    REFINES(backend, &params, 3, 0, "000......" AND "00......." AND "00.......",
            "000......" AND "000......" AND "000......");
    REFINES(backend, &params, 3, 0, "000......" AND "00......." AND "002......",
            "000......" AND "00......." AND "002......");
    params.holes = 8;
    REFINES(backend, &params, 3, 0, "000......" AND "00......." AND "00.......",
            "000......" AND "00......." AND "00.......");
    REFINES(backend, &params, 3, 0, "001......" AND "01......." AND "011......",
            "001......" AND "010......" AND "011......");
    /* Filled values fill no others, and values two rows and columns away count. */
    params.holes = 12;
    REFINES(backend, &params, 5, 0, "00000" AND "0...0" AND "0...0" AND "0...0" AND "00000",
            "00000" AND "0...0" AND "0.0.0" AND "0...0" AND "00000");
    /* Unless there is another pass. */
    params.holes = 3;
    params.hole_passes = 2;
    REFINES(backend, &params, 3, 0, "0........" AND "0........" AND "0........",
            "00000...." AND "00000...." AND "00000....");
    params.hole_passes = 3;
    REFINES(backend, &params, 3, 0, "0........" AND "0........" AND "0........",
            "0000000.." AND "0000000.." AND "0000000..");
}

TEST_BACKENDS(test_fill_row) {
    sv_params params = bare();
    params.fill = SV_FILL_ROW;
    /* The smaller side, or the only one. */
    REFINES(backend, &params, 1, 0, "..1...4.2....", "1111114222222");
    /* Empty rows: from above, from below where there is nothing above. */
    REFINES(backend, &params, 6, 0, "......" AND "......" AND "0.1..2" AND "......" AND "......" AND "011.11",
            "001112" AND "001112" AND "001112" AND "001112" AND "001112" AND "011111");
    REFINES(backend, &params, 2, 0, "...." AND "....", "...." AND "....");
}

TEST_BACKENDS(test_fill_cross) {
    sv_params params = bare();
    params.fill = SV_FILL_CROSS;
    /* The nearest one, of two the left one. */
    REFINES(backend, &params, 1, 0, "..1...4.2....5", "11111444222555");
    /* Then the nearest row, of two the one above. */
    REFINES(backend, &params, 7, 0,
            "......" AND "0.1..2" AND "......" AND "......" AND "......" AND "......" AND "011.11",
            "001122" AND "001122" AND "001122" AND "001122" AND "011111" AND "011111" AND "011111");
    REFINES(backend, &params, 5, 0, "..1.." AND "....." AND "....." AND "....." AND "..2..",
            "11111" AND "11111" AND "11111" AND "22222" AND "22222");
}

/* Between a surface at 0, up to column 7, and one at `digit`, from `begin` on, `split` is the first pixel of the
 * latter.
 */
static void splits_at(const sv_backend *backend, char digit, int begin, int split) {
    enum { MOST_COLUMNS = 910 };
    char before[MOST_COLUMNS + 1] = "", after[MOST_COLUMNS + 1] = "";
    sv_params params = bare();
    params.fill = SV_FILL_SURFACE;
    for (int x = 0; x < begin + 3; x++) {
        before[x] = x < 4 ? '.' : x < 8 ? '0' : x < begin ? '.' : digit;
        after[x] = x < split ? '0' : digit;
    }
    refines_to(backend, &params, (const char *const[]){before}, (const char *const[]){after}, 1, 0);
}

TEST_BACKENDS(test_fill_surface) {
    sv_params params = bare();
    params.fill = SV_FILL_SURFACE;
    /* The picture decides: empty pixels are white, those at 2 have a similar grey value here, those at 0 are darker. */
    REFINES(backend, &params, 1, 0, "0000...........222", "000022222222222222");
    /* Columns count as rows do; what neither reaches is filled by SV_FILL_ROW. */
    REFINES(backend, &params, 3, 0, ".....000...." AND "............" AND ".........111",
            "000000000000" AND "000000000111" AND "111110011111");
    /* Values without a right neighbour are not sure, but SV_FILL_ROW takes them. */
    REFINES(backend, &params, 1, 0, "0.1.2.3.", "00112233");
    REFINES(backend, &params, 2, 0, "000.1111" AND "........", "00011111" AND "00001111");
    REFINES(backend, &params, 2, 0, "...." AND "....", "...." AND "....");
    /* Pixel x costs x - 6 + 45 + 30 from the left, where two steps change the grey value, and begin - x + 105 from the
     * right, and 20 more if the disparity there is larger by more than 1. Of equal ones, the left one. */
    splits_at(backend, '1', 78, 58);
    splits_at(backend, '2', 95, 76);
    /* 500 is the limit: up to column 431 from the left, from 508 on from the right; SV_FILL_ROW fills the rest. */
    splits_at(backend, '2', 903, 508);
}

/* A square 8 pixels in front of a wall hides the 8 columns of the wall beside it from the right camera. They belong to
 * the wall, however near and alike the square is: with its disparity they would hide the wall in the right picture,
 * where the wall is seen. */
TEST_BACKENDS(test_fill_surface_behind) {
    seed_random(31);
    scene s = new_scene(120, 40, 0);
    sv_params params = params_of(SV_SGM, 0, 0, 15);
    params.left_right_check = 1;
    params.fill = SV_FILL_SURFACE;
    fill_noise(&s.left.image, 200, 2);
    fill_shifted(&s.right.image, &s.left.image, 0);
    for (int y = 10; y < 30; y++) {
        for (int x = 60; x < 90; x++) *grey_at(&s.right.image, x - 8, y) = *grey_at(&s.left.image, x, y);
        for (int x = 82; x < 90; x++) *grey_at(&s.right.image, x, y) = (uint8_t)random_below(200);
        for (int x = 54; x < 60; x++) *grey_at(&s.left.image, x, y) = *grey_at(&s.left.image, 60, y);
    }
    match_and_check(backend, &s, &params);
    for (int y = 12; y < 28; y++)
        for (int x = 53; x < 60; x++)
            if (!(disparity_at(&s, x, y) < 4)) fail_msg("(%d, %d) is %g", x, y, (double)disparity_at(&s, x, y));
    free_scene(&s);
}

/* Maps with every reason, in which values that the right map does not confirm exactly are replaced. */
TEST_BACKENDS(test_fill_surface_of_noise) {
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 9}, {9, 33}, {65, 2}, {63, 17}, {64, 8}, {129, 70}, {600, 3}};
    int replaced = 0;
    seed_random(29);
    for (int i = 0; i < 72; i++) {
        scene s = new_scene(sizes[i % 9][0], sizes[i % 9][1], i % 4);
        sv_params params = params_of(i % 3 ? SV_SGM : SV_SSD, i % 3 ? 0 : 1, random_below(9) - 4, 5 + random_below(30));
        fill_noise(&s.left.image, 1 + random_below(90), 1 + random_below(7));
        if (i % 2)
            fill_noise(&s.right.image, 90, 2);
        else
            fill_shifted(&s.right.image, &s.left.image, 3);
        params.steps = i % 3 ? 1 : 1 << random_below(3);
        params.uniqueness = random_below(3) * 5;
        params.left_right_check = random_below(5) - 1;
        params.speckle_size = random_below(2) * 10;
        params.holes = random_below(2) * 8;
        params.median = params.weighted_median = 0;
        match_and_check(backend, &s, &params);
        const size_t pixels = (size_t)(sizes[i % 9][0] * sizes[i % 9][1]);
        uint8_t *reasons = malloc(pixels);
        for (int n = 0; n < (int)pixels; n++)
            reasons[n] = (uint8_t)reason_at(&s, n % sizes[i % 9][0], n / sizes[i % 9][0]);
        params.fill = SV_FILL_SURFACE;
        match_and_check(backend, &s, &params);
        for (int n = 0; n < (int)pixels; n++)
            replaced += reasons[n] == SV_VALID && reason_at(&s, n % sizes[i % 9][0], n / sizes[i % 9][0]) == SV_FILLED;
        free(reasons);
        free_scene(&s);
    }
    assert_true(replaced > 100);
}

/* What is flat has no value: a square, one in a corner, what varies by a level; not what varies by two. */
TEST_BACKENDS(test_flat_parts) {
    static const struct {
        int x, y, levels, gone;
    } squares[] = {{20, 10, 1, 9 * 9}, {0, 0, 2, 21 * 21}, {33, 13, 3, 0}};
    seed_random(41);
    for (int i = 0; i < 6; i++) {
        scene s = new_scene(67, 47, 3);
        sv_params params = params_of(i % 2 ? SV_SGM : SV_SSD, i % 2 ? 0 : 1, 0, 6);
        params.left_right_check = -1;
        params.max_cost = 0;
        fill_noise(&s.left.image, 90, 2);
        for (int j = 0; j < 33 * 33; j++)
            *grey_at(&s.left.image, squares[i / 2].x + j % 33, squares[i / 2].y + j / 33) =
                (uint8_t)(250 + random_below(squares[i / 2].levels));
        fill_shifted(&s.right.image, &s.left.image, 3);
        match_and_check(backend, &s, &params);
        int gone = 0;
        for (int n = 0; n < 67 * 47; n++) gone += reason_at(&s, n % 67, n / 67) == SV_NO_TEXTURE;
        assert_int_equal(gone, squares[i / 2].gone);
        free_scene(&s);
    }
}

TEST_BACKENDS(test_median) {
    sv_params params = bare();
    params.median = 3;
    /* Of an even number the lower one; pixels without a value stay so and do not count. */
    REFINES(backend, &params, 1, 0, "00001.5.233", "00000.5.233");
    REFINES(backend, &params, 3, 0, "000004444" AND "000004644" AND "000004444",
            "000004444" AND "000004444" AND "000004444");
}

TEST_BACKENDS(test_weighted_median) {
    sv_params params = bare();
    params.weighted_median = 4;
    /* By number, pixel 10 would stay at 6; but the two at 2, four columns off, have its grey value, which the
     * others differ from. */
    static const char *const map[] = {"......2666666626......"};
    scene s = scene_of(map, 1);
    assert_int_equal(*grey_at(&s.left.image, 10, 0), *grey_at(&s.left.image, 6, 0));
    assert_int_equal(*grey_at(&s.left.image, 10, 0), *grey_at(&s.left.image, 14, 0));
    match_and_check(backend, &s, &params);
    assert_true(disparity_at(&s, 10, 0) == 2);
    assert_true(disparity_at(&s, 9, 0) == 6);
    assert_true(isinf(disparity_at(&s, 5, 0)));
    free_scene(&s);
}

TEST_BACKENDS(test_average) {
    sv_params params = bare();
    params.average = 3;
    static const char *const map[] = {"00003.6", "0000330", ".....30"};
    scene s = scene_of(map, 3);
    match_and_check(backend, &s, &params);
    assert_true(disparity_at(&s, 1, 0) == 0);
    assert_true(disparity_at(&s, 4, 0) == 9.0f / 5); /* 0 3, 0 3 3 */
    assert_true(isinf(disparity_at(&s, 5, 0)));
    assert_true(disparity_at(&s, 6, 2) == 6.0f / 4); /* 3 0, 3 0 */
    assert_int_equal(reason_at(&s, 6, 2), SV_VALID);
    free_scene(&s);
}

/* The median comes before the weighted median. On its own, the median turns this map into 0000033355 and the weighted
 * median, which each pixel's own grey value restrains, into 0000053535; the other order would give 0000035353. */
TEST_BACKENDS(test_order_of_the_medians) {
    sv_params params = bare();
    params.median = 3;
    REFINES(backend, &params, 1, 0, "0000053355", "0000033355");
    params.weighted_median = 2;
    REFINES(backend, &params, 1, 0, "0000053355", "0000033335");
    params.median = 0;
    REFINES(backend, &params, 1, 0, "0000053355", "0000053535");
}

/* ---- Threshold and uniqueness ------------------------------------------------------------------- */

/* A texture that repeats has many matches; the neighbours of the best one do not count. */
TEST_BACKENDS(test_uniqueness) {
    for (int method = 0; method < METHODS; method++) {
        scene s = new_scene(60, 9, 1);
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 60; x++)
                *grey_at(&s.left.image, x, y) = *grey_at(&s.right.image, x, y) = (uint8_t)(40 * (x % 5 * 3 % 5) + y);
        sv_params params = params_of(method, 2, 0, 7);
        params.left_right_check = -1;
        params.tau = 16; /* so that ncc tries them all */
        match_and_check(backend, &s, &params);
        assert_int_equal(reason_at(&s, 30, 4), SV_VALID);
        params.uniqueness = 1;
        match_and_check(backend, &s, &params);
        assert_int_equal(reason_at(&s, 30, 4), SV_AMBIGUOUS);
        assert_true(isinf(disparity_at(&s, 30, 4)));
        params.max_disparity = 1; /* neighbours alone */
        match_and_check(backend, &s, &params);
        assert_int_equal(reason_at(&s, 30, 4), SV_VALID);
        free_scene(&s);
    }
}

/* If every row is searched over the full range, ncc equals zncc; if only one is, it does not cross a depth edge. */
TEST_BACKENDS(test_reseeded_rows) {
    seed_random(22);
    scene s = new_scene(90, 41, 2), full = new_scene(90, 41, 2);
    fill_noise(&s.left.image, 256, 1);
    fill_shifted(&s.right.image, &s.left.image, 2);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x + 20 < 90; x++) *grey_at(&s.right.image, x, y) = *grey_at(&s.left.image, x + 20, y);
    full.pair = s.pair;
    sv_params params = params_of(SV_NCC, 2, 0, 30);
    params.reseed = 1;
    match_and_check(backend, &s, &params);
    params.method = SV_ZNCC;
    match_and_check(backend, &full, &params);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 90; x++) {
            assert_int_equal(reason_at(&s, x, y), reason_at(&full, x, y));
            assert_true(disparity_at(&s, x, y) == disparity_at(&full, x, y));
        }
    params.method = SV_NCC;
    params.left_right_check = -1;
    for (int reseed = 0; reseed <= 8; reseed += 8) {
        int found = 0;
        params.reseed = reseed;
        match_and_check(backend, &s, &params);
        for (int x = 30; x < 70; x++) found += fabsf(disparity_at(&s, x, 5) - 20) < 1;

        assert_true(reseed ? found == 40 : found < 10);
    }
    free_scene(&s);
    free_scene(&full);
}
