/* How two maps differ, and the second set of parameters as text: map/compare, app/options/second_set. */
#include "app/options/command_line.h"
#include "app/options/second_set.h"
#include "map/compare.h"
#include "stereo/quality.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A map with padding behind each row, which would count as different. */
static sv_image make_map(int width, int height, float padding) {
    enum { PADDED = 3 };
    sv_image map = {
        .stride = (size_t)(width + PADDED) * sizeof(float), .width = width, .height = height, .format = SV_FLOAT32};
    map.data = malloc(map.stride * (size_t)height);
    assert_non_null(map.data);
    for (size_t i = 0; i < map.stride / sizeof(float) * (size_t)height; i++) ((float *)map.data)[i] = padding;
    return map;
}

/* Every pair of these values occurs; each pixel is judged alone, by hand below. */
static const float values[] = {INFINITY, -INFINITY, NAN, 0, 1, 2, 3, -1, 0.5f, 2.0000002f, 1.0000001f, 1000.25f};
enum { VALUES = sizeof values / sizeof *values };

/* Whether two values differ by more than this many pixels, without a subtraction that rounds. */
static int more_than(float a, float b, int pixels) {
    const long double low = a < b ? a : b, high = a < b ? b : a;
    return high > low + pixels;
}

TEST(figures_follow_their_definition) {
    static const int sizes[][2] = {{1, 1}, {33, 9}, {641, 479}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        const int width = sizes[n][0], height = sizes[n][1];
        sv_image a = make_map(width, height, 5), b = make_map(width, height, 50);
        int64_t both = 0, over1 = 0, over2 = 0, only_a = 0, only_b = 0;
        for (int i = 0; i < width * height; i++) {
            const float of_a = values[i % VALUES], of_b = values[i / VALUES % VALUES];
            ((float *)sv_row(&a, i / width))[i % width] = of_a;
            ((float *)sv_row(&b, i / width))[i % width] = of_b;
            const bool has_a = i % VALUES > 2, has_b = i / VALUES % VALUES > 2; /* the first three are no values */
            both += has_a && has_b;
            only_a += has_a && !has_b;
            only_b += !has_a && has_b;
            over1 += has_a && has_b && more_than(of_a, of_b, 1);
            over2 += has_a && has_b && more_than(of_a, of_b, 2);
        }
        comparison c;
        assert_int_equal(compare_maps(&a, &b, &c, NULL), SV_OK);
        assert_int_equal(c.pixels, width * height);
        assert_int_equal(c.both, both);
        assert_int_equal(c.only[0], only_a);
        assert_int_equal(c.only[1], only_b);
        assert_int_equal(c.over1, over1);
        assert_int_equal(c.over2, over2);
        b.width--;
        if (b.width) assert_int_equal(compare_maps(&a, &b, &c, NULL), SV_USAGE);
        free(a.data);
        free(b.data);
    }
}

TEST(shares_have_the_right_whole) {
    char text[192];
    const comparison c = {.pixels = 1000, .both = 400, .over1 = 100, .over2 = 30, .only = {50, 200}};
    const compare_shares s = compare_shares_of(&c);
    assert_true(s.both == 40 && s.only[0] == 5 && s.only[1] == 20); /* of all */
    assert_true(s.over1 == 25 && s.over2 == 7.5);                   /* of those with both */
    assert_string_equal(compare_describe(&c, text, sizeof text),
                        "40.0 % in both: 25.0 % of them differ by over 1 px, 7.5 % by over 2; only A 5.0 %, B 20.0 %");
    const comparison apart = {.pixels = 10, .only = {10, 0}};
    assert_true(isnan(compare_shares_of(&apart).over1));
    assert_string_equal(compare_describe(&apart, text, sizeof text),
                        "no pixel has a value in both; only A 100.0 %, only B 0.0 %");
    assert_true(compare_time(&(sv_times){.ms = {1, 2, 4, 8, 16}}) == 31);
}

static sv_params parse(const sv_params *a, const char *text) {
    sv_params b;
    sv_error error = {""};
    if (second_set_parse(text, a, &b, &error) != SV_OK) fail_msg("%s: %s", text, error.text);
    return b;
}

static sv_params with(sv_params params, const char *name, double value) {
    sv_set(&params, sv_find_parameter(name), value);
    return params;
}

/* B is A with another method, as the panel would change it, and with the values that are named. */
TEST(second_set_is_the_first_but_for_what_is_named) {
    sv_params a = with(with(sv_default_params(SV_SSD), "max-disparity", 80), "uniqueness", 33);
    sv_params expected = with(a, "rho", 2), b = parse(&a, "rho=2");
    assert_memory_equal(&b, &expected, sizeof b);
    b = parse(&a, "ssd,rho=2");
    assert_memory_equal(&b, &expected, sizeof b);
    b = parse(&a, "ncc");
    expected = sv_with_method(a, SV_NCC);
    assert_memory_equal(&b, &expected, sizeof b);
    assert_int_equal(b.uniqueness, 33);
    b = parse(&a, "ncc,tau=3,left-right-check=off");
    expected = with(with(expected, "tau", 3), "left-right-check", -1);
    assert_memory_equal(&b, &expected, sizeof b);
    b = parse(&a, "best,holes=7");
    expected = a;
    sv_set_quality(&expected, sv_quality_of("best"));
    expected = with(expected, "holes", 7);
    assert_memory_equal(&b, &expected, sizeof b);
    assert_int_equal(b.max_disparity, 80);
}

TEST(mistakes_are_named) {
    static const char *const wrong[][2] = {
        {"zcc", "not 'zcc'"},
        {"", "not ''"},
        {"ncc,rho", "'rho' needs a value"},
        {"ncc,roh=3", "no parameter 'roh'"},
        {"ncc,rho=99", "--compare: rho cannot be '99'"},
        {"sgm,rho=3", "sgm has no rho"},
        {"disparities=0:9", "belongs to the scene"},
        {"ncc,max-disparity=9", "belongs to the scene"},
        {"row-shift=1", "belongs to the scene"},
        {"rho=3,ncc", "'ncc' needs a value"},
    };
    const sv_params a = sv_default_params(SV_SSD);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sv_params b = a;
        sv_error error = {""};
        assert_int_equal(second_set_parse(wrong[i][0], &a, &b, &error), SV_USAGE);
        assert_has(error.text, "--compare");
        assert_has(error.text, wrong[i][1]);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* What is written is read again, whichever parameter differs. */
TEST(text_is_read_again) {
    char text[SECOND_SET_BYTES];
    const sv_params a = with(with(sv_default_params(SV_SGM), "uniqueness", 12), "max-disparity", 90);
    for (int m = 0; m < SV_METHOD_COUNT; m++) {
        sv_params all = sv_with_method(a, (sv_method)m);
        for (int i = 0; i < sv_parameter_count; i++) {
            const sv_parameter *p = &sv_parameters[i];
            sv_params b = sv_with_method(a, (sv_method)m);
            if (p->of_scene || !sv_uses(m, p)) continue;
            const double other = p->kind == SV_FILE        ? sv_file_number("a.onnx")
                                 : sv_get(&b, p) == p->max ? p->min
                                                           : p->max;
            sv_set(&b, p, p->kind == SV_REAL ? other / 3 : other);
            sv_set(&all, p, sv_get(&b, p));
            const sv_params again = parse(&a, second_set_print(&a, &b, text, sizeof text));
            assert_memory_equal(&again, &b, sizeof b);
        }
        const sv_params again = parse(&a, second_set_print(&a, &all, text, sizeof text));
        for (int i = 0; i < sv_parameter_count; i++)
            assert_true(sv_get(&again, &sv_parameters[i]) == sv_get(&all, &sv_parameters[i]));
    }
    assert_string_equal(second_set_print(&a, &a, text, sizeof text), "sgm");
    const sv_params wider = with(a, "max-disparity", 127); /* A's scene is B's */
    assert_string_equal(second_set_print(&a, &wider, text, sizeof text), "sgm");
}

/* The second set of the settings file is for the window; the command line's replaces it, wherever the source is from.
 */
TEST(second_set_is_in_the_settings) {
    const char *file = scratch_write_text("both.yaml", "method: ssd\nuniqueness: 7\ncompare: \"zncc,rho=2\"\n");
    char *arguments[] = {"stereoview", "--demo", "--settings", (char *)file, NULL, NULL, NULL};
    options o;
    sv_error error = {""};
    if (command_line_read(&o, 4, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(o.match.params.method, SV_SSD);
    assert_non_null(o.match.compare);
    assert_int_equal(o.match.second.method, SV_ZNCC);
    assert_int_equal(o.match.second.rho, 2);
    assert_int_equal(o.match.second.uniqueness, 7);
    options_free(&o);
    arguments[4] = "--headless";
    assert_int_equal(command_line_read(&o, 5, arguments, &error), SV_OK);
    assert_null(o.match.compare);
    options_free(&o);
    arguments[4] = "--compare";
    arguments[5] = "tau=3";
    assert_int_equal(command_line_read(&o, 6, arguments, &error), SV_USAGE); /* ssd has no tau */
    options_free(&o);
    arguments[5] = "ncc,tau=3";
    assert_int_equal(command_line_read(&o, 6, arguments, &error), SV_OK);
    assert_int_equal(o.match.second.method, SV_NCC);
    assert_int_equal(o.match.second.tau, 3);
    options_free(&o);
}

FIXTURES(scratch_setup, scratch_teardown)
