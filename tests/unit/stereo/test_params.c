/* The parameters: their table, defaults and ranges, and values as text. */
#include "stereo/quality.h"
#include "stereo/sgm.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Every value that is worth trying. */
static int sample_values(const sv_parameter *p, double *values) {
    int count = 0;
    if (p->kind == SV_CHOICE) {
        for (int i = 0; i < SV_MAX_CHOICES && p->choices[i]; i++) values[count++] = p->choice_values[i];
        return count;
    }
    values[count++] = p->min;
    values[count++] = p->max;
    if (p->kind == SV_REAL) {
        values[count++] = (float)(p->min + 0.125 * (p->max - p->min));
        values[count++] = 0.3f;
    } else if (p->max - p->min > 2) {
        values[count++] = p->min + 1;
        values[count++] = p->max - 1;
    }
    return count;
}

TEST(test_table) {
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        char methods[64];
        assert_ptr_equal(sv_find_parameter(p->name), p);
        assert_non_null(p->help);
        assert_true(p->min < p->max);
        assert_true(*sv_print_methods(p, methods, sizeof methods));
        for (int j = 0; j < i; j++) assert_true(sv_parameters[j].offset != p->offset);
    }
    assert_null(sv_find_parameter("disparities"));
    assert_null(sv_find_parameter(""));
}

static const sv_parameter *parameter_at(size_t offset) {
    for (int i = 0; i < sv_parameter_count; i++)
        if (sv_parameters[i].offset == offset) return &sv_parameters[i];
    fail_msg("there is no parameter at %zu", offset);
    return NULL;
}

/* A method lists parameters that not all methods use, and defaults, in range, of those that it uses. */
TEST(test_methods_have_their_parameters) {
    for (int method = 0; method < SV_METHOD_COUNT; method++) {
        const sv_method_traits *m = &sv_methods[method];
        const sv_params params = sv_default_params((sv_method)method);
        assert_int_equal(sv_check_params(&params, NULL), SV_OK);
        for (int i = 0; i < sv_parameter_count; i++) assert_false(sv_is_chosen(&params, i));
        for (size_t i = 0; i < 64; i++)
            if (m->uses >> i & 1) assert_false(parameter_at(i * sizeof(int))->common);
        for (int i = 0; i < SV_MAX_DEFAULTS && m->defaults[i].offset; i++) {
            const sv_parameter *p = parameter_at(m->defaults[i].offset);
            if (!sv_uses(method, p)) fail_msg("%s has a default of %s, which it does not use", m->name, p->name);
            if (sv_get(&params, p) != m->defaults[i].value || m->defaults[i].value == p->initial)
                fail_msg("the default %g of %s of %s is out of range, or that of all methods", m->defaults[i].value,
                         p->name, m->name);
        }
        if (sv_uses(method, sv_find_parameter("min-correlation"))) assert_true(m->correlates);
        if (sv_uses(method, sv_find_parameter("max-cost"))) assert_true(m->sums_squares);
    }
}

/* The parameters of each method and their defaults, as measured in BENCHMARKS.md; if you change one, measure
 * again. */
TEST(test_defaults) {
    static const char *const defaults[SV_METHOD_COUNT] = {
        [SV_SSD] =
            "rho 5, rho-y same, min-disparity 0, max-disparity 63, prefilter contrast, step 1, max-cost off, "
            "subpixel on, uniqueness off, left-right-check 2, min-confidence off, speckle-size 100, "
            "speckle-range 1, "
            "holes off, hole-passes 1, fill none, median 5, weighted-median off, average off, temporal off, scale 1, "
            "row-shift 0",
        [SV_NCC] =
            "rho 3, rho-y same, min-disparity 0, max-disparity 63, tau 1, reseed 16, min-correlation off, "
            "subpixel on, uniqueness off, left-right-check 1, min-confidence off, speckle-size 100, "
            "speckle-range 1, holes off, "
            "hole-passes 1, fill none, median 5, weighted-median off, average off, temporal off, scale 1, row-shift 0",
        [SV_ZNCC] =
            "rho 4, rho-y same, min-disparity 0, max-disparity 64, min-correlation off, subpixel on, "
            "uniqueness off, left-right-check 2, min-confidence off, speckle-size 100, speckle-range 1, holes off, "
            "hole-passes 1, "
            "fill cross, median 5, weighted-median 2, average off, temporal off, scale 1, row-shift 0",
        [SV_GFD] =
            "rho 1, min-disparity 0, max-disparity 63, prefilter exposure, alpha 0.09375, lambda 3, aggregate 1, "
            "subpixel off, uniqueness off, left-right-check 1, min-confidence off, speckle-size off, speckle-range 1, "
            "holes off, "
            "hole-passes 1, fill none, median off, weighted-median 5, average off, temporal off, scale 1, row-shift 0",
        [SV_SGM] = "min-disparity 0, max-disparity 63, census 5, p1 6, p2 38, subpixel on, uniqueness off, "
                   "left-right-check 2, min-confidence off, speckle-size 50, speckle-range 2, holes 10, hole-passes 1, "
                   "fill none, median 3, "
                   "weighted-median off, average off, temporal off, scale 1, row-shift 0",
        [SV_NET] =
            "min-disparity 0, max-disparity 63, left-right-check off, min-confidence off, speckle-size off, "
            "speckle-range 1, holes off, hole-passes 1, fill none, median off, weighted-median off, average off, "
            "temporal off, scale 1, row-shift 0, model none",
    };
    for (int method = 0; method < SV_METHOD_COUNT; method++) {
        const sv_params params = sv_default_params((sv_method)method);
        char text[1024] = "", value[32];
        for (int i = 0; i < sv_parameter_count; i++) {
            const sv_parameter *p = &sv_parameters[i];
            if (!sv_uses(method, p)) continue;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s", text[0] ? ", " : "", p->name,
                     sv_print(&params, p, value, sizeof value));
        }
        if (!defaults[method]) fail_msg("test_defaults has no defaults of %s", sv_method_name(method));
        assert_string_equal(text, defaults[method]);
    }
}

TEST(test_values_are_printed_as_they_are_read) {
    char text[64];
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        if (p->kind == SV_FILE) continue; /* see test_files_are_known_by_number */
        double values[SV_MAX_CHOICES];
        const int count = sample_values(p, values);
        for (int j = 0; j < count; j++) {
            sv_params params = sv_default_params(SV_SSD), again = params;
            sv_set(&params, p, values[j]);
            assert_true(sv_get(&params, p) == values[j]);
            assert_ptr_equal(sv_print(&params, p, text, sizeof text), text);
            assert_int_equal(sv_parse(&again, p, text, NULL), SV_OK);
            assert_memory_equal(&again, &params, sizeof params);
        }
    }
    sv_params params = sv_default_params(SV_SSD);
    assert_string_equal(sv_print(&params, sv_find_parameter("rho-y"), text, sizeof text), "same");
    assert_string_equal(sv_print(&params, sv_find_parameter("max-cost"), text, sizeof text), "off");
    assert_string_equal(sv_print(&params, sv_find_parameter("subpixel"), text, sizeof text), "on");
    params.steps = 4;
    assert_string_equal(sv_print(&params, sv_find_parameter("step"), text, sizeof text), "1/4");
    assert_int_equal(sv_parse(&params, sv_find_parameter("median"), "0", NULL), SV_OK);
    assert_int_equal(params.median, 0);
    assert_int_equal(sv_parse(&params, sv_find_parameter("min-correlation"), "0.75", NULL), SV_OK);
    assert_true(params.min_correlation == 0.75f);
}

static void refuse(const char *name, const char *text) {
    sv_params params = sv_default_params(SV_NCC);
    const sv_params before = params;
    sv_error error = {""};
    if (sv_parse(&params, sv_find_parameter(name), text, &error) != SV_USAGE) fail_msg("--%s took '%s'", name, text);
    assert_memory_equal(&params, &before, sizeof params);
    assert_memory_equal(error.text, name, strlen(name)); /* as in the table, without the dashes of an option */
    assert_non_null(strstr(error.text, text));
}

TEST(test_wrong_values_are_refused) {
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        char text[32];
        refuse(p->name, "");
        if (p->kind == SV_FILE) continue;
        refuse(p->name, "much");
        refuse(p->name, "1x");
        refuse(p->name, "nan");
        refuse(p->name, "inf");
        refuse(p->name, "1e999");
        snprintf(text, sizeof text, "%g", p->min - 1);
        refuse(p->name, text);
        snprintf(text, sizeof text, "%g", p->max + 1);
        refuse(p->name, text);
        if (p->kind == SV_INTEGER) refuse(p->name, "2.5");
    }
    refuse("step", "1/3");
    refuse("step", "0");
    refuse("median", "4");
    refuse("subpixel", "yes");
    refuse("subpixel", "0.5");
}

TEST(test_set_clamps) {
    sv_params params = sv_default_params(SV_SSD);
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        sv_set(&params, p, p->min - 5);
        assert_true(sv_get(&params, p) == p->min);
        sv_set(&params, p, p->max + 5);
        assert_true(sv_get(&params, p) == (p->kind == SV_FILE ? 0 : p->max));
    }
    sv_set(&params, sv_find_parameter("median"), 4);
    assert_int_equal(params.median, 3);
    sv_set(&params, sv_find_parameter("step"), 3);
    assert_int_equal(params.steps, 2);
    sv_set(&params, sv_find_parameter("rho"), 4.6);
    assert_int_equal(params.rho, 5);
}

TEST(test_disparities) {
    static const char *const wrong[] = {"",        "5",       ":",      "1:",    ":1",  "9:3",   "0:1024",
                                        "-1025:0", "-1:1023", "0:63:1", "0.5:7", "a:b", "0:63 ", "0x:3"};
    sv_params params = sv_default_params(SV_SSD);
    assert_int_equal(sv_parse_disparities(&params, "-12:40", NULL), SV_OK);
    assert_int_equal(params.min_disparity, -12);
    assert_int_equal(params.max_disparity, 40);
    assert_int_equal(sv_parse_disparities(&params, "-1024:-1", NULL), SV_OK);
    assert_int_equal(sv_candidates(&params), 1024);
    assert_int_equal(sv_parse_disparities(&params, "7:7", NULL), SV_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sv_error error = {""};
        if (sv_parse_disparities(&params, wrong[i], &error) != SV_USAGE) fail_msg("took '%s'", wrong[i]);
        assert_memory_equal(error.text, "disparities ", strlen("disparities "));
        assert_int_equal(params.min_disparity, 7);
        assert_int_equal(params.max_disparity, 7);
    }
}

TEST(test_candidates) {
    sv_params params = sv_default_params(SV_SSD);
    params.min_disparity = -3;
    params.max_disparity = 5;
    params.steps = 4;
    assert_int_equal(sv_candidates(&params), 33);
    params.method = SV_NCC; /* which knows whole pixels alone */
    assert_int_equal(sv_candidates(&params), 9);
    params.rho = 6;
    params.rho_y = -1;
    assert_int_equal(sv_rho_y(&params), 6);
    params.rho_y = 0;
    assert_int_equal(sv_rho_y(&params), 0);
}

TEST(test_check_params) {
    sv_error error;
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        const double wrong[] = {p->min - 1, p->max + 1};
        for (int j = 0; j < 2; j++) {
            sv_params params = sv_default_params(SV_SSD);
            void *field = (char *)&params + p->offset;
            if (p->kind == SV_REAL)
                *(float *)field = (float)wrong[j];
            else
                *(int *)field = (int)wrong[j];
            assert_int_equal(sv_check_params(&params, &error), SV_USAGE);
            assert_non_null(strstr(error.text, p->name));
        }
    }
    sv_params params = sv_default_params(SV_SSD);
    params.max_cost = NAN;
    assert_int_equal(sv_check_params(&params, NULL), SV_USAGE);
    params = sv_default_params(SV_SSD);
    params.steps = 3;
    assert_int_equal(sv_check_params(&params, NULL), SV_USAGE);
    params = sv_default_params(SV_SSD);
    params.method = SV_METHOD_COUNT;
    assert_int_equal(sv_check_params(&params, NULL), SV_USAGE);
    params = sv_default_params(SV_SSD);
    params.min_disparity = 64;
    assert_int_equal(sv_check_params(&params, NULL), SV_USAGE);
    params.min_disparity = -1024;
    params.max_disparity = 0;
    assert_int_equal(sv_check_params(&params, NULL), SV_USAGE);
    params.max_disparity = -1;
    assert_int_equal(sv_check_params(&params, NULL), SV_OK);
}

TEST(test_a_found_range_is_not_chosen) {
    sv_params p = sv_default_params(SV_SGM);
    assert_false(sv_range_is_chosen(&p));
    sv_set_found_range(&p, -8, 111);
    assert_false(sv_range_is_chosen(&p));
    const sv_params other = sv_with_method(p, SV_ZNCC), unfound = sv_with_method(sv_default_params(SV_SGM), SV_ZNCC);
    assert_int_equal(other.min_disparity, -8);
    assert_int_equal(other.max_disparity, 111);
    assert_int_equal(unfound.max_disparity, 64);
    sv_choose_range(&p, true);
    assert_true(sv_range_is_chosen(&p));
    assert_int_equal(p.max_disparity, 111);
    sv_choose_range(&p, false);
    assert_false(sv_range_is_chosen(&p));
    assert_int_equal(p.min_disparity, 0);
    assert_int_equal(p.max_disparity, 63);
    sv_set(&p, sv_find_parameter("max-disparity"), 63); /* an explicit value counts, even the default */
    assert_true(sv_range_is_chosen(&p));
}

TEST(test_another_method_brings_its_defaults) {
    const sv_params ssd = sv_default_params(SV_SSD), ncc = sv_default_params(SV_NCC);
    assert_true(ssd.rho != ncc.rho); /* or this test shows nothing */
    sv_params params = sv_with_method(ssd, SV_NCC);
    assert_memory_equal(&params, &ncc, sizeof params);
    params = ssd;
    sv_set(&params, sv_find_parameter("rho"), 9);
    sv_error error;
    assert_int_equal(sv_parse_disparities(&params, "0:40", &error), SV_OK);
    params = sv_with_method(params, SV_NCC);
    assert_int_equal(params.method, SV_NCC);
    assert_int_equal(params.rho, 9);
    assert_int_equal(params.max_disparity, 40);
    /* Chosen values are kept through all methods, even those that equal a method's default. */
    params = ssd;
    sv_set(&params, sv_find_parameter("rho"), ncc.rho);
    for (int m = 0; m < SV_METHOD_COUNT; m++) params = sv_with_method(params, (sv_method)m);
    params = sv_with_method(params, SV_SSD);
    assert_int_equal(params.rho, ncc.rho);
    assert_int_equal(params.left_right_check, ssd.left_right_check);
    sv_reset(&params, sv_find_parameter("rho"));
    assert_memory_equal(&params, &ssd, sizeof params);
}

/* sgm charges more for a large change than for a small one, so p2 is at least p1 + 1, and the panel shows that. */
TEST(what_is_matched_with_is_known) {
    sv_params params = sv_default_params(SV_SGM);
    const sv_parameter *p1 = sv_find_parameter("p1"), *p2 = sv_find_parameter("p2");
    assert_true(sv_get_used(&params, p2) == sv_get(&params, p2));
    sv_set(&params, p1, 40);
    sv_set(&params, p2, 5);
    assert_true(sv_get(&params, p2) == 5 && sv_get_used(&params, p2) == 41);
    assert_int_equal(sv_sgm_jump(params.p1, params.p2, 0), 41);
    assert_true(sv_get_used(&params, p1) == 40);
}

/* The range, the row shift and the averaging belong to the scene: whatever they are, the quality stays what it was. */
TEST(a_scene_is_no_other_quality) {
    static const char *const of_scene[] = {"min-disparity", "max-disparity", "row-shift", "temporal"};
    for (int i = 0; i < SV_QUALITY_COUNT; i++) {
        sv_params params = sv_default_params(SV_DEFAULT_METHOD);
        sv_set_quality(&params, i);
        for (int k = 0; k < 4; k++) {
            sv_set(&params, sv_find_parameter(of_scene[k]), k == 1 ? 200 : 3);
            assert_int_equal(sv_find_quality(&params), i);
        }
        sv_set_found_range(&params, -5, 90);
        assert_int_equal(sv_find_quality(&params), i);
    }
}

/* The last test, because it uses up all numbers. */
TEST(test_files_are_known_by_number) {
    const sv_parameter *p = sv_find_parameter("model");
    sv_params params = sv_default_params(SV_NET), other = params;
    char text[SV_VALUE_BYTES], longest[SV_VALUE_BYTES + 1];
    sv_error error;
    assert_int_equal(sv_parse(&params, p, "folder/a model.onnx", &error), SV_OK);
    assert_int_equal(sv_parse(&other, p, "folder/a model.onnx", &error), SV_OK);
    assert_memory_equal(&other, &params, sizeof params);
    assert_string_equal(sv_print(&params, p, text, sizeof text), "folder/a model.onnx");
    assert_int_equal(sv_parse(&other, p, "b.onnx", &error), SV_OK);
    assert_true(other.model != params.model);
    assert_int_equal(sv_check_params(&other, &error), SV_OK);
    assert_int_equal(sv_parse(&other, p, "none", &error), SV_OK);
    assert_int_equal(other.model, 0);
    assert_null(sv_file_name(0));
    assert_null(sv_file_name(-1));
    assert_null(sv_file_name(SV_MAX_FILES + 1));
    other.model = SV_MAX_FILES; /* which nobody has named */
    assert_int_equal(sv_check_params(&other, &error), SV_USAGE);
    memset(longest, 'x', sizeof longest);
    longest[SV_VALUE_BYTES] = 0;
    assert_int_equal(sv_parse(&params, p, longest, &error), SV_USAGE);
    assert_int_equal(sv_parse(&params, p, longest + 1, &error), SV_OK);
    assert_string_equal(sv_print(&params, p, text, sizeof text), longest + 1);
    for (int i = 0; i < SV_MAX_FILES; i++) {
        snprintf(text, sizeof text, "%d.onnx", i);
        const int number = sv_file_number(text);
        assert_true(number == -1 || !strcmp(sv_file_name(number), text));
    }
    assert_int_equal(sv_parse(&params, p, "one too many.onnx", &error), SV_USAGE);
}
