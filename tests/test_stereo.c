/* stereo/: parameters, the checks of arguments, the choice of a backend, and the per-pixel arithmetic against
 * doubles. */
#include "stereo/pixel.h"
#include "stereo/stereo.h"
#include "stereo/weights.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Errors and messages ---------------------------------------------------------------------- */

static void test_fail_writes_the_message(void **state) {
    (void)state;
    sv_error error;
    assert_int_equal(sv_fail(&error, SV_USAGE, "%s is %d", "rho", 7), SV_USAGE);
    assert_string_equal(error.text, "rho is 7");
    assert_int_equal(sv_fail(NULL, SV_FAILED, "nobody reads this"), SV_FAILED);

    char longer[2 * sizeof error.text];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    sv_fail(&error, SV_FAILED, "%s", longer);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

static int lines_logged;
static char last_line[256];

static void keep_line(sv_level level, const char *line) {
    (void)level;
    lines_logged++;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static void test_log_goes_to_the_handler(void **state) {
    (void)state;
    sv_set_log(keep_line);
    sv_log(SV_LOG_WARNING, "%d of %s", 3, "them");
    sv_set_log(NULL);
    assert_string_equal(last_line, "3 of them");
}

static void test_names(void **state) {
    (void)state;
    for (int i = 0; i < SV_METHOD_COUNT; i++) assert_int_equal(sv_method_of(sv_method_name(i)), i);
    for (int i = 0; i < SV_METHOD_COUNT; i++) assert_true(strlen(sv_methods[i].help) > 1 && sv_methods[i].paper);
    assert_int_equal(sv_method_of("bm"), -1);
    assert_string_equal(sv_method_name(-1), "?");
    assert_string_equal(sv_method_name(SV_METHOD_COUNT), "?");
    for (int i = 0; i < SV_REASON_COUNT; i++) assert_true(strlen(sv_reason_name(i)) > 1);
    assert_string_equal(sv_reason_name(SV_REASON_COUNT), "?");
    for (int i = 0; i < SV_STAGE_COUNT; i++) assert_true(strlen(sv_stage_name(i)) > 1);
    assert_string_equal(sv_stage_name(-1), "?");
    assert_int_equal(sv_pixel_size(SV_GREY8), 1);
    assert_int_equal(sv_pixel_size(SV_COLOUR8), 4);
    assert_int_equal(sv_pixel_size(SV_FLOAT32), 4);
    assert_int_equal(sv_pixel_size(SV_REASON8), 1);
}

/* ---- Parameters ------------------------------------------------------------------------------- */

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

static void test_table(void **state) {
    (void)state;
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        assert_ptr_equal(sv_find_parameter(p->name), p);
        assert_non_null(p->help);
        assert_true(p->min < p->max);
        assert_true(p->methods != 0 && p->methods < 1u << SV_METHOD_COUNT);
        for (int j = 0; j < i; j++) assert_true(sv_parameters[j].offset != p->offset);
        for (int method = 0; method < SV_METHOD_COUNT; method++) {
            const sv_params params = sv_default_params((sv_method)method);
            assert_true(sv_get(&params, p) == p->initial[method]);
            assert_int_equal(sv_check_params(&params, NULL), SV_OK);
        }
    }
    assert_null(sv_find_parameter("disparities"));
    assert_null(sv_find_parameter(""));
}

/* The entries of the methods and those of the parameters agree on which method uses which parameter. */
static void test_methods_have_their_parameters(void **state) {
    (void)state;
    for (int method = 0; method < SV_METHOD_COUNT; method++) {
        assert_int_equal(sv_methods[method].has_steps, sv_find_parameter("step")->methods >> method & 1);
        assert_int_equal(sv_methods[method].compares_brightness, sv_find_parameter("prefilter")->methods >> method & 1);
        assert_int_equal(sv_methods[method].has_pyramid, sv_find_parameter("pyramid")->methods >> method & 1);
        if (sv_find_parameter("min-correlation")->methods >> method & 1) assert_true(sv_methods[method].correlates);
    }
}

/* The defaults by method, as measured in BENCHMARKS.md; whoever changes one must measure again. */
static void test_defaults(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *values[SV_METHOD_COUNT]; /* ssd, ncc, zncc, gfd, sgm */
    } defaults[] = {
        {"rho", {"5", "3", "4", "1", "0"}},
        {"rho-y", {"same", "same", "same", "same", "same"}},
        {"min-disparity", {"0", "0", "0", "0", "0"}},
        {"max-disparity", {"63", "63", "64", "63", "63"}},
        {"prefilter", {"contrast", "none", "none", "exposure", "none"}},
        {"step", {"1", "1", "1", "1", "1"}},
        {"max-cost", {"off", "off", "off", "off", "off"}},
        {"tau", {"1", "1", "1", "1", "1"}},
        {"reseed", {"off", "16", "off", "off", "off"}},
        {"min-correlation", {"off", "off", "off", "off", "off"}},
        {"alpha", {"0.09375", "0.09375", "0.09375", "0.09375", "0.09375"}},
        {"lambda", {"3", "3", "3", "3", "3"}},
        {"aggregate", {"1", "1", "1", "1", "1"}},
        {"census", {"5", "5", "5", "5", "5"}},
        {"paths", {"4", "4", "4", "4", "4"}},
        {"p1", {"6", "6", "6", "6", "6"}},
        {"p2", {"38", "38", "38", "38", "38"}},
        {"pyramid", {"off", "off", "off", "off", "off"}},
        {"subpixel", {"on", "on", "on", "off", "on"}},
        {"uniqueness", {"off", "off", "off", "off", "off"}},
        {"left-right-check", {"2", "1", "2", "1", "2"}},
        {"speckle-size", {"100", "100", "100", "off", "50"}},
        {"speckle-range", {"1", "1", "1", "1", "2"}},
        {"holes", {"off", "off", "off", "off", "10"}},
        {"hole-passes", {"1", "1", "1", "1", "1"}},
        {"scale", {"1", "1", "1", "1", "1"}},
        {"fill", {"none", "none", "cross", "none", "none"}},
        {"median", {"5", "5", "5", "off", "3"}},
        {"weighted-median", {"off", "off", "2", "5", "off"}},
        {"average", {"off", "off", "off", "off", "off"}},
        {"row-shift", {"0", "0", "0", "0", "0"}},
    };
    assert_int_equal(sv_parameter_count, sizeof defaults / sizeof *defaults);
    for (int i = 0; i < sv_parameter_count; i++)
        for (int method = 0; method < SV_METHOD_COUNT; method++) {
            const sv_parameter *p = sv_find_parameter(defaults[i].name);
            const sv_params params = sv_default_params((sv_method)method);
            char text[32];
            if (!p) fail_msg("there is no parameter %s", defaults[i].name);
            if (strcmp(sv_print(&params, p, text, sizeof text), defaults[i].values[method]))
                fail_msg("%s of %s is %s by default, not %s", p->name, sv_method_name(method), text,
                         defaults[i].values[method]);
        }
}

static void test_values_are_printed_as_they_are_read(void **state) {
    (void)state;
    char text[64];
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
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
    assert_non_null(strstr(error.text, name));
    assert_non_null(strstr(error.text, text));
}

static void test_wrong_values_are_refused(void **state) {
    (void)state;
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        char text[32];
        refuse(p->name, "");
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

static void test_set_clamps(void **state) {
    (void)state;
    sv_params params = sv_default_params(SV_SSD);
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        sv_set(&params, p, p->min - 5);
        assert_true(sv_get(&params, p) == p->min);
        sv_set(&params, p, p->max + 5);
        assert_true(sv_get(&params, p) == p->max);
    }
    sv_set(&params, sv_find_parameter("median"), 4);
    assert_int_equal(params.median, 3);
    sv_set(&params, sv_find_parameter("step"), 3);
    assert_int_equal(params.steps, 2);
    sv_set(&params, sv_find_parameter("rho"), 4.6);
    assert_int_equal(params.rho, 5);
}

static void test_disparities(void **state) {
    static const char *const wrong[] = {"",        "5",       ":",      "1:",    ":1",  "9:3",   "0:1024",
                                        "-1025:0", "-1:1023", "0:63:1", "0.5:7", "a:b", "0:63 ", "0x:3"};
    (void)state;
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
        assert_non_null(strstr(error.text, "--disparities"));
        assert_int_equal(params.min_disparity, 7);
        assert_int_equal(params.max_disparity, 7);
    }
}

static void test_candidates(void **state) {
    (void)state;
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

static void test_check_params(void **state) {
    (void)state;
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

static void test_another_method_brings_its_defaults(void **state) {
    (void)state;
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

/* ---- Backends and matchers -------------------------------------------------------------------- */

static void test_find_backend(void **state) {
    (void)state;
    const sv_backend *backend = NULL;
    sv_error error = {""};
    assert_int_equal(sv_find_backend("cpu", &backend, &error), SV_OK);
    assert_ptr_equal(backend, &sv_cpu);
    assert_int_equal(sv_find_backend("opengl", &backend, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "opengl"));

    const sv_backend *cuda = NULL;
    const sv_status status = sv_find_backend("cuda", &cuda, &error);
    assert_true(status == SV_OK || status == SV_NO_DEVICE);
    if (status != SV_OK) assert_non_null(strstr(error.text, "cuda"));

    /* The first one that runs; the log says once that it is not the best one. */
    sv_set_log(keep_line);
    lines_logged = 0;
    assert_int_equal(sv_find_backend("auto", &backend, &error), SV_OK);
    sv_set_log(NULL);
    assert_ptr_equal(backend, status == SV_OK ? &sv_cuda : &sv_cpu);
    assert_int_equal(lines_logged, status == SV_OK ? 0 : 1);
    char device[64];
    assert_int_equal(sv_cpu.probe(device, sizeof device, &error), SV_OK);
    assert_int_equal(strncmp(device, "CPU, ", 5), 0);
}

static void test_pinned_memory(void **state) {
    (void)state;
    char *memory = sv_cpu.alloc(1000);
    assert_non_null(memory);
    memset(memory, 1, 1000);
    sv_cpu.free(memory);
    sv_cpu.free(NULL);
}

static void test_create_checks_its_arguments(void **state) {
    static const struct {
        int width, height, threads;
    } wrong[] = {
        {0, 10, 1}, {10, 0, 1}, {-1, 10, 1}, {16385, 10, 1}, {10, 16385, 1}, {10, 10, -1}, {10, 10, 5000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sv_matcher *matcher = (sv_matcher *)&wrong;
        sv_error error = {""};
        const sv_matcher_options options = {
            .width = wrong[i].width, .height = wrong[i].height, .threads = wrong[i].threads};
        assert_int_equal(sv_matcher_create(&sv_cpu, &options, &matcher, &error), SV_USAGE);
        assert_null(matcher);
        assert_true(strlen(error.text) > 0);
    }
    sv_matcher_destroy(NULL);
}

enum { WIDTH = 8, HEIGHT = 4 };

typedef struct frame {
    uint8_t left[HEIGHT][WIDTH], right[HEIGHT][WIDTH], reason[HEIGHT][WIDTH];
    float disparity[HEIGHT][WIDTH];
    sv_pair pair;
    sv_output output;
} frame;

static void set_up(frame *f) {
    memset(f, 0, sizeof *f);
    f->pair.left = (sv_image){f->left, WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    f->pair.right = (sv_image){f->right, WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    f->output.disparity = (sv_image){f->disparity, sizeof f->disparity[0], WIDTH, HEIGHT, SV_FLOAT32, SV_HOST};
    f->output.reason = (sv_image){f->reason, WIDTH, WIDTH, HEIGHT, SV_REASON8, SV_HOST};
}

static sv_matcher *new_matcher(void) {
    sv_matcher *matcher;
    assert_int_equal(sv_matcher_create(&sv_cpu, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1},
                                       &matcher, NULL),
                     SV_OK);
    return matcher;
}

static void test_submit_checks_its_arguments(void **state) {
    (void)state;
    sv_matcher *matcher = new_matcher();
    const sv_params params = sv_default_params(SV_SSD);
    frame f;
    sv_error error;
    /* One thing wrong at a time, in each of the four pictures. */
    for (int picture = 0; picture < 4; picture++)
        for (int fault = 0; fault < 6; fault++) {
            set_up(&f);
            sv_image *const images[] = {&f.pair.left, &f.pair.right, &f.output.disparity, &f.output.reason};
            static const char *const names[] = {"left picture", "right picture", "disparity map", "reason map"};
            sv_image *image = images[picture];
            switch (fault) {
            case 0: image->data = NULL; break;
            case 1: image->format = SV_COLOUR8; break;
            case 2: image->width--; break;
            case 3: image->height++; break;
            case 4: image->stride = WIDTH - 1; break;
            case 5: image->memory = SV_DEVICE; break;
            }
            error.text[0] = 0;
            assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_USAGE);
            if (fault < 5) assert_non_null(strstr(error.text, names[picture]));
        }
    /* A row of floats must begin at a float. */
    set_up(&f);
    f.output.disparity.stride = sizeof f.disparity[0] + 2;
    assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_USAGE);
    /* The cpu backend does not reach device memory. */
    set_up(&f);
    f.output.disparity.memory = f.output.reason.memory = SV_DEVICE;
    assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "cpu"));
    /* Parameters are checked as well. */
    set_up(&f);
    sv_params wrong = params;
    wrong.rho = 32;
    assert_int_equal(sv_submit(matcher, &f.pair, &wrong, &f.output, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "rho"));
    /* None of these was accepted as a pair. */
    assert_int_equal(sv_wait(matcher, NULL, &error), SV_USAGE);
    sv_matcher_destroy(matcher);
}

/* Only the cpu backend has pyramids; a method without them ignores the parameter on every backend. */
static void test_pyramids_by_backend(void **state) {
    (void)state;
    sv_params params = sv_default_params(SV_SSD);
    sv_error error = {""};
    params.pyramid = 3;
    assert_int_equal(sv_check_backend(&sv_cpu, &params, &error), SV_OK);
    assert_int_equal(sv_check_backend(&sv_cuda, &params, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "--backend cpu"));
    params.pyramid = 1;
    assert_int_equal(sv_check_backend(&sv_cuda, &params, &error), SV_OK);
    params = sv_default_params(SV_NCC);
    params.pyramid = 3;
    assert_int_equal(sv_check_backend(&sv_cuda, &params, &error), SV_OK);
}

static void test_pairs_under_way_are_counted(void **state) {
    (void)state;
    sv_matcher *matcher = new_matcher();
    const sv_params params = sv_default_params(SV_SSD);
    frame f;
    sv_error error;
    set_up(&f);
    for (int i = 0; i < SV_IN_FLIGHT; i++)
        assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_OK);
    assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_USAGE);
    for (int i = 0; i < SV_IN_FLIGHT; i++) assert_int_equal(sv_wait(matcher, NULL, &error), SV_OK);
    assert_int_equal(sv_wait(matcher, NULL, &error), SV_USAGE);
    assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_OK);
    sv_matcher_destroy(matcher);
}

/* ---- Per-pixel arithmetic --------------------------------------------------------------------- */

static void test_clamp_and_columns(void **state) {
    (void)state;
    assert_int_equal(sv_clamp(-3, 10), 0);
    assert_int_equal(sv_clamp(0, 10), 0);
    assert_int_equal(sv_clamp(9, 10), 9);
    assert_int_equal(sv_clamp(10, 10), 9);
    for (int steps = 1; steps <= 4; steps *= 2)
        for (int position = -100; position <= 100; position++)
            assert_int_equal(sv_nearest_column(position, steps), (int)floor((double)position / steps + 0.5));
}

static void test_between(void **state) {
    (void)state;
    for (int steps = 1; steps <= 4; steps *= 2)
        for (int part = 0; part < steps; part++)
            for (int left = 0; left < 256; left += 5)
                for (int right = 0; right < 256; right += 3) {
                    const double want = left + (double)(right - left) * part / steps;
                    assert_true((double)sv_between(left, right, part, steps) / steps == want);
                }
}

static void test_range_of_candidates(void **state) {
    static const int ranges[][2] = {{0, 5}, {-4, 3}, {3, 9}, {-30, 30}, {12, 20}, {-20, -12}};
    const int width = 11;
    (void)state;
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int steps = 1; steps <= 4; steps *= 2)
            for (int right = 0; right < 2; right++)
                for (int x = 0; x < width; x++) {
                    const int min = ranges[r][0], count = (ranges[r][1] - min) * steps + 1;
                    const int first = sv_first_candidate(x, width, min, steps, right);
                    const int last = sv_last_candidate(x, width, min, steps, count, right);
                    for (int k = 0; k < count; k++) {
                        const double d = min + (double)k / steps, other = right ? x + d : x - d;
                        assert_int_equal(k >= first && k <= last, other >= 0 && other <= width - 1);
                    }
                    assert_true(first >= 0 && last < count);
                }
}

static void test_cost_limit(void **state) {
    (void)state;
    assert_true(sv_cost_limit(0, 121, 4) == UINT32_MAX);
    assert_true(sv_cost_limit(2.5f, 3, 1) == 7);
    assert_true(sv_cost_limit(2.5f, 3, 2) == 30);
    assert_true(sv_cost_limit(65025, 3969, 4) == 65025u * 3969u * 16u);
    assert_true(sv_cost_limit(1e9f, 3969, 4) == UINT32_MAX);
}

static void test_correlation(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 1000; round++) {
        const int n = 1 + rand() % (round % 3 ? 3969 : SV_FEW), range = 1 + rand() % 256;
        int a_sum = 0, b_sum = 0;
        int64_t a_squares = 0, b_squares = 0, products = 0;
        for (int i = 0; i < n; i++) {
            const int a = rand() % range, b = round % 2 ? a / 2 + rand() % 40 : rand() % 256;
            a_sum += a;
            b_sum += b;
            a_squares += a * a;
            b_squares += b * b;
            products += a * b;
        }
        const double a_variance = (double)n * (double)a_squares - (double)a_sum * a_sum;
        const double b_variance = (double)n * (double)b_squares - (double)b_sum * b_sum;
        const float a_inverse = sv_inverse_deviation(n, a_sum, a_squares);
        const float b_inverse = sv_inverse_deviation(n, b_sum, b_squares);
        if (a_variance == 0 || b_variance == 0) {
            assert_true(a_variance == 0 ? a_inverse == 0 : b_inverse == 0);
            continue;
        }
        if (n <= 363)
            assert_true(a_inverse == sv_inverse_deviation_of_few((uint32_t)n, (uint32_t)a_sum, (uint32_t)a_squares));
        /* A few roundings to 24 bits each. */
        assert_true(fabs(a_inverse * sqrt(a_variance) - 1) < 4e-7);
        const double want =
            ((double)n * (double)products - (double)a_sum * b_sum) / sqrt(a_variance) / sqrt(b_variance);
        const float got = sv_correlation(n, products, a_sum, b_sum, a_inverse, b_inverse);
        assert_true(fabs(got - want) < 1e-6);
        assert_true(got == sv_correlation(n, products, b_sum, a_sum, b_inverse, a_inverse));
        if (n <= SV_FEW)
            assert_true(got == sv_correlation_of_few(n, (int)products, a_sum, b_sum, a_inverse, b_inverse));
    }
    assert_true(sv_inverse_deviation(3969, 3969 * 255, (int64_t)3969 * 65025) == 0);
    /* Half black, half white: no variance is larger. */
    assert_true(sv_inverse_deviation_of_few(363, 181 * 255, 181 * 65025) ==
                sv_inverse_deviation(363, 181 * 255, 181 * 65025));
}

static void test_ambiguous(void **state) {
    (void)state;
    /* The best is 10 % or 11 % below the second. */
    assert_true(sv_ambiguous_costs(90, 100, 10));
    assert_false(sv_ambiguous_costs(89, 100, 10));
    assert_true(sv_ambiguous_costs(0, 0, 1));
    assert_false(sv_ambiguous_costs(0, 1, 99));
    assert_true(sv_ambiguous_costs(0, UINT32_MAX - 1, 100));
    assert_true(sv_ambiguous_correlations(0.5f, 0.4f, 20));
    assert_false(sv_ambiguous_correlations(0.5f, 0.3f, 20));
    assert_true(sv_ambiguous_correlations(1.0000001f, 1.0000001f, 1));
}

static void test_weights(void **state) {
    (void)state;
    uint8_t weights[SV_WEIGHTS];
    sv_make_weights(weights);
    assert_int_equal(weights[0], 255);
    assert_int_equal(weights[12], 94); /* 255 / e */
    assert_int_equal(weights[255], 1);
    for (int i = 1; i < SV_WEIGHTS; i++) assert_true(weights[i] <= weights[i - 1]);
}

static void test_parabolas(void **state) {
    (void)state;
    /* Costs of 1000 (x - p)^2, x = -1, 0, 1, and correlations that peak where these are least. */
    for (int i = -50; i <= 50; i++) {
        const double p = i / 100.0;
        const int64_t before = llround(1000 * (1 + p) * (1 + p)), best = llround(1000 * p * p),
                      after = llround(1000 * (1 - p) * (1 - p));
        assert_true(fabs((double)sv_parabola_of_costs(before, best, after) - p) < 1e-3);
        const float offset = sv_parabola_of_correlations((float)(1 - 0.1 * (1 + p) * (1 + p)), (float)(1 - 0.1 * p * p),
                                                         (float)(1 - 0.1 * (1 - p) * (1 - p)));
        assert_true(fabs((double)offset - p) < 1e-5);
    }
    assert_true(sv_parabola_of_costs(7, 7, 7) == 0);
    assert_true(sv_parabola_of_costs(7, 7, 9) == -0.5f);
    assert_true(sv_parabola_of_costs(UINT32_MAX, 0, UINT32_MAX) == 0);
    assert_true(sv_parabola_of_correlations(0.5f, 0.5f, 0.5f) == 0);
    /* A neighbour that was not searched may be better than the winner. */
    assert_true(sv_parabola_of_correlations(0.9f, 0.5f, 0.9f) == 0);
    assert_true(sv_parabola_of_correlations(0.0f, 0.5f, 0.6f) == 0.5f);
    assert_true(sv_parabola_of_correlations(0.6f, 0.5f, 0.0f) == -0.5f);
}

static void test_disparity(void **state) {
    (void)state;
    for (int steps = 1; steps <= 4; steps *= 2)
        for (int k = 0; k < 50; k++) {
            assert_true((double)sv_disparity(-7, k, 0, steps) == -7 + (double)k / steps);
            assert_true((double)sv_disparity(-7, k, 0.25f, steps) == -7 + (k + 0.25) / steps);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_writes_the_message),
        cmocka_unit_test(test_log_goes_to_the_handler),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_methods_have_their_parameters),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_values_are_printed_as_they_are_read),
        cmocka_unit_test(test_wrong_values_are_refused),
        cmocka_unit_test(test_set_clamps),
        cmocka_unit_test(test_disparities),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_check_params),
        cmocka_unit_test(test_another_method_brings_its_defaults),
        cmocka_unit_test(test_find_backend),
        cmocka_unit_test(test_pinned_memory),
        cmocka_unit_test(test_create_checks_its_arguments),
        cmocka_unit_test(test_submit_checks_its_arguments),
        cmocka_unit_test(test_pyramids_by_backend),
        cmocka_unit_test(test_pairs_under_way_are_counted),
        cmocka_unit_test(test_clamp_and_columns),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_range_of_candidates),
        cmocka_unit_test(test_cost_limit),
        cmocka_unit_test(test_correlation),
        cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_parabolas),
        cmocka_unit_test(test_disparity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
