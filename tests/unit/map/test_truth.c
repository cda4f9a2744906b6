/* Ground truth and scores: map/truth and map/score, against figures made by hand, and real ground truth. */
#include "map/export.h"
#include "map/score.h"
#include "map/truth.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Truth in --------------------------------------------------------------------------------- */

TEST(all_kinds_of_pfm_are_read) {
    static const struct {
        const char *header, *bytes;
        size_t size;
    } kinds[] = {
        {"Pf\n2 2\n-1.0\n", "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x80\x7f\x00\x00\x80\xbf", 16},
        {"Pf\n2 2\n1\n", "\x3f\x80\x00\x00\x40\x00\x00\x00\x7f\xc0\x00\x00\xbf\x80\x00\x00", 16},
        {"Pf 2 2 -0.5\r\n", "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x80\xff\x00\x00\x80\xbf", 16},
        {"PF\n2 2\n+1e0\n",
         "\x3f\x80\x00\x00********\x40\x00\x00\x00********\x7f\x80\x00\x00********\xbf\x80\x00\x00********", 48},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char file[128];
        const size_t header = strlen(kinds[i].header);
        memcpy(file, kinds[i].header, header);
        memcpy(file + header, kinds[i].bytes, kinds[i].size);
        const char *path = scratch_write("kind.pfm", file, header + kinds[i].size);
        sv_image truth;
        sv_error error = {""};
        if (truth_read(path, 0, 0, &truth, &error) != SV_OK) fail_msg("kind %zu: %s", i, error.text);
        const float *d = truth.data; /* the file begins at the bottom */
        assert_true(isinf(d[0]) && d[0] > 0);
        assert_true(d[1] == -1 && d[2] == 1 && d[3] == 2);
        free(truth.data);
    }
}

TEST(broken_truth_is_refused) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "neither PFM nor PNG"},
        {"P5\n2 2\n255\nabcd", "neither PFM nor PNG"},
        {"Pf\n", "header"},
        {"Pf\n2.5 2\n-1\n0123456789abcdef", "header"},
        {"Pf\n2 2\n0\n0123456789abcdef", "header"},
        {"Pf\n2 2\nlittle\n0123456789abcdef", "header"},
        {"Pf\n2 2\n-1\n0123456789abcde", "cut short"},
        {"PF\n2 2\n-1\n0123456789abcdef", "cut short"},
        {"Pf\n0 2\n-1\n", "0 x 2"},
        {"Pf\n2000000000 2\n-1\n0123456789abcdef", "2000000000 x 2"},
        {"\x89PNG\r\n\x1a\n", "broken or cut short"},
        {"\x89PNG\r\n\x1a\nIHDR and so on and so forth", "broken or cut short"},
    };
    sv_image truth;
    sv_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_write_text("broken", cases[i].text);
        assert_int_equal(truth_read(path, 0, 0, &truth, &error), SV_FAILED);
        assert_has(error.text, path);
        assert_has(error.text, cases[i].says);
        assert_null(truth.data);
    }
    assert_int_equal(truth_read(scratch_path("gone_%03d.pfm"), 5, 0, &truth, &error), SV_FAILED);
    assert_has(error.text, "gone_005.pfm");
    assert_has(error.text, "No such file");
    assert_int_equal(truth_read(scratch_path("."), 0, 0, &truth, &error), SV_FAILED);
}

static const char *write_png_of(const char *name, png_uint_32 format, const void *pixels, const void *palette) {
    png_image image = {.version = PNG_IMAGE_VERSION, .width = 4, .height = 1, .format = format, .colormap_entries = 4};
    const char *path = scratch_path(name);
    if (!png_image_write_to_file(&image, path, 0, pixels, 0, palette)) fail_msg("%s: %s", name, image.message);
    return path;
}

static void expect_truth(const char *path, double scale, float first, float last) {
    sv_image truth;
    sv_error error;
    if (truth_read(path, 0, scale, &truth, &error) != SV_OK) fail_msg("%s", error.text);
    const float *d = truth.data;
    assert_int_equal(truth.width, 4);
    assert_true(isinf(d[0]) && d[0] > 0);
    assert_true(d[1] == first && d[3] == last);
    free(truth.data);
}

static void expect_no_truth(const char *path, double scale, const char *says) {
    sv_image truth;
    sv_error error = {""};
    assert_int_equal(truth_read(path, 0, scale, &truth, &error), SV_FAILED);
    assert_has(error.text, path);
    assert_has(error.text, says);
    assert_null(truth.data);
}

TEST(truth_may_have_a_scale) {
    static const uint8_t grey[] = {0, 1, 90, 255}, indices[] = {0, 1, 2, 3};
    static const uint8_t same[] = {0, 0, 0, 1, 1, 1, 90, 90, 90, 255, 255, 255};
    static const uint8_t coloured[] = {0, 0, 0, 1, 1, 1, 90, 90, 90, 255, 255, 254};
    const uint16_t sixteen[] = {0, 50, 100, 40000};
    const char *path = write_png_of("grey.png", PNG_FORMAT_GRAY, grey, NULL);
    expect_truth(path, 4, 0.25f, 63.75f);
    expect_truth(path, 1, 1, 255);
    expect_truth(path, 0.5, 2, 510);
    expect_no_truth(path, 0, "--truth-scale");
    expect_truth(write_png_of("three.png", PNG_FORMAT_RGB, same, NULL), 4, 0.25f, 63.75f);
    expect_truth(write_png_of("palette.png", PNG_FORMAT_RGB_COLORMAP, indices, same), 4, 0.25f, 63.75f);
    path = write_png_of("sixteen.png", PNG_FORMAT_LINEAR_Y, sixteen, NULL);
    expect_truth(path, 100, 0.5f, 400);
    expect_truth(path, 0, 50 / 256.0f, 156.25f);
    expect_no_truth(write_png_of("colours.png", PNG_FORMAT_RGB, coloured, NULL), 4, "colours");
    expect_no_truth(write_png_of("alpha.png", PNG_FORMAT_GA, same, NULL), 4, "not grey");
    expect_no_truth(scratch_write_text("scaled.pfm", "Pf\n1 1\n-1\nabcd"), 4, "leave out --truth-scale");
}

/* ---- Scores ----------------------------------------------------------------------------------- */

TEST(scores_are_those_computed_by_hand) {
    /* Ten pixels whose truth is known and two where it is not; eight of the ten have a value. */
    float truth[] = {10, 10, 10, 10, 10, 100, 100, 10, 10, 10, INFINITY, NAN};
    float map[] = {10, 11, 11.5f, 13, 15, 104.5f, 106, 6, INFINITY, NAN, 3, INFINITY};
    /* wrong by 0, 1, 1.5, 3, 5, 4.5 (4.5 %), 6 (6 %), 4 */
    const sv_image t = map_of(truth, 4, 3, 4), d = map_of(map, 4, 3, 4);
    score s;
    assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.density, 80, 1e-9);
    assert_near(s.bad1, 80, 1e-9); /* 1.5 3 5 4.5 6 4 and two without */
    assert_near(s.bad2, 70, 1e-9);
    assert_near(s.bad4, 50, 1e-9); /* 5 4.5 6 */
    assert_near(s.v1, 75, 1e-9);
    assert_near(s.v2, 62.5, 1e-9);
    assert_near(s.d1, 50, 1e-9); /* 5, 6, 4 and two without; 4.5 is within 5 % */
    assert_near(s.average, 25.0 / 8, 1e-9);
}

/* An error of exactly the limit does not count; one that is larger by the smallest float does. */
TEST(an_error_of_exactly_the_limit_is_right) {
    static const struct {
        float wrong;
        double bad1, bad2, bad4, d1;
    } cases[] = {{1, 0, 0, 0, 0}, {2, 100, 0, 0, 0}, {3, 100, 100, 0, 0}, {4, 100, 100, 0, 100}};
    for (int i = 0; i < 4; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float truth = 8, at = 8 + (float)sign * cases[i].wrong, beyond = nextafterf(at, (float)sign * INFINITY);
            const sv_image t = map_of(&truth, 1, 1, 1);
            sv_image d = map_of(&at, 1, 1, 1);
            score s;
            assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
            assert_near(s.bad1, cases[i].bad1, 1e-9);
            assert_near(s.bad2, cases[i].bad2, 1e-9);
            assert_near(s.bad4, cases[i].bad4, 1e-9);
            assert_near(s.d1, cases[i].d1, 1e-9);
            assert_near(s.v1, cases[i].bad1, 1e-9);
            assert_near(s.v2, cases[i].bad2, 1e-9);
            d.data = &beyond;
            assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
            assert_near(s.bad1, 100, 1e-9);
            assert_near(s.bad2, cases[i].wrong >= 2 ? 100 : 0, 1e-9);
            assert_near(s.bad4, cases[i].wrong >= 4 ? 100 : 0, 1e-9);
            assert_near(s.d1, cases[i].wrong >= 3 ? 100 : 0, 1e-9);
            assert_near(s.v1, 100, 1e-9);
            assert_near(s.v2, cases[i].wrong >= 2 ? 100 : 0, 1e-9);
        }
    float truth = 100, map = 105; /* 5 % */
    const sv_image t = map_of(&truth, 1, 1, 1), d = map_of(&map, 1, 1, 1);
    score s;
    assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.d1, 0, 1e-9);
    map = nextafterf(105, 200);
    assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.d1, 100, 1e-9);
    /* Disparities may be negative; 5 % are of their size. */
    truth = -100;
    map = -105;
    assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.d1, 0, 1e-9);
    map = nextafterf(-105, -200);
    assert_int_equal(sv_score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.d1, 100, 1e-9);
}

TEST(maps_and_truths_may_be_empty) {
    float none[] = {INFINITY, NAN}, some[] = {1, 2};
    const sv_image empty = map_of(none, 2, 1, 2), full = map_of(some, 2, 1, 2), tall = map_of(some, 1, 2, 1);
    score s;
    sv_error error;
    assert_int_equal(sv_score_map(&empty, &full, &s, NULL), SV_OK);
    assert_near(s.density, 0, 1e-9);
    assert_near(s.bad4, 100, 1e-9);
    assert_near(s.d1, 100, 1e-9);
    assert_near(s.v1, 0, 1e-9);
    assert_true(isnan(s.average));
    assert_int_equal(sv_score_map(&full, &empty, &s, NULL), SV_OK);
    assert_true(isnan(s.density));
    assert_true(isnan(s.bad1) && isnan(s.bad2) && isnan(s.bad4));
    assert_true(isnan(s.d1) && isnan(s.average));
    assert_int_equal(sv_score_map(&full, &tall, &s, &error), SV_FAILED);
    assert_has(error.text, "2 x 1");
    assert_has(error.text, "1 x 2");
}

TEST(means_are_of_each_figure) {
    const score a = {100, 1, 2, 3, 4, 5, 6, 7}, b = {50, 3, 4, 5, 6, 7, 8, 9};
    score_sum sum = {0};
    assert_true(isnan(score_mean(&sum).density));
    score_add(&sum, &a);
    score_add(&sum, &b);
    const score mean = score_mean(&sum);
    const double expected[] = {75, 2, 3, 4, 5, 6, 7, 8};
    const double got[] = {mean.density, mean.bad1, mean.bad2, mean.bad4, mean.v1, mean.v2, mean.d1, mean.average};
    for (int i = 0; i < 8; i++) assert_near(got[i], expected[i], 1e-9);

    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    score_print_header(stream);
    score_print(stream, "mean of 2", &mean);
    fclose(stream);
    assert_string_equal(text, "frame             density    bad1    bad2    bad4      v1      v2      D1  avg px\n"
                              "mean of 2           75.00    2.00    3.00    4.00    5.00    6.00    7.00   8.000\n");
    free(text);
}

#define DATA "../shared/data/"

FIXTURES(scratch_setup, scratch_teardown)
