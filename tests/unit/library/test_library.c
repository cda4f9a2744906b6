/* What the library adds for its users: parameters by name, matchers of any size, their memory before it is taken,
 * rectified pictures and false colours. */
#include "stereo/rig.h"
#include "tests/support/pairs.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SV_CUDA
#include <cuda_runtime_api.h>
#endif

/* ---- Parameters -------------------------------------------------------------------------------- */

static const char *value_of(const sv_params *params, const char *name) {
    static char value[64];
    assert_int_equal(sv_params_get(params, name, value, sizeof value, NULL), SV_OK);
    return value;
}

TEST(parameters_have_names) {
    sv_params *params = sv_params_new();
    sv_error error;
    assert_string_equal(value_of(params, "method"), "sgm");
    assert_int_equal(sv_params_set(params, "disparities", "3:70", NULL), SV_OK);
    assert_int_equal(sv_params_set(params, "method", "ssd", NULL), SV_OK);
    assert_string_equal(value_of(params, "disparities"), "3:70");
    assert_string_equal(value_of(params, "rho"), "5");
    assert_int_equal(sv_params_set(params, "quality", "fast", NULL), SV_OK);
    assert_string_equal(value_of(params, "quality"), "fast");
    assert_int_equal(sv_params_set(params, "speckle-size", "off", NULL), SV_OK);
    assert_string_equal(value_of(params, "speckle-size"), "off");

    assert_int_equal(sv_params_set(params, "method", "bm", &error), SV_USAGE);
    assert_non_null(strstr(error.text, "'bm'; there are ssd, ncc"));
    assert_int_equal(sv_params_set(params, "quality", "good", &error), SV_USAGE);
    assert_int_equal(sv_params_set(params, "windowsize", "5", &error), SV_USAGE);
    assert_non_null(strstr(error.text, "no parameter 'windowsize'; there are method, "));
    assert_non_null(strstr(error.text, sv_parameters[sv_parameter_count - 1].name)); /* and the others are named */
    assert_int_equal(sv_params_set(params, "median", "4", &error), SV_USAGE);
    assert_non_null(strstr(error.text, "off, 3, 5"));
    char value[8];
    assert_int_equal(sv_params_get(params, "windowsize", value, sizeof value, &error), SV_USAGE);
    sv_params_free(params);
}

/* ---- Matchers ---------------------------------------------------------------------------------- */

TEST_BACKENDS(sizes_may_change) {
    const sv_matcher_options any = {.threads = 2};
    const int sizes[][2] = {{33, 9}, {121, 40}, {121, 40}, {1, 1}, {64, 64}};
    const sv_params params = params_of(SV_SSD, 2, 0, 7);
    sv_matcher *matcher;
    sv_error error;
    assert_int_equal(sv_matcher_create(backend, &any, &matcher, NULL), SV_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scene s = new_scene(sizes[i][0], sizes[i][1], 3);
        fill_random(&s);
        submit(matcher, &s, &params);
        wait_for(matcher);
        check_maps(&s, &params);
        free_scene(&s);
    }

    scene one = new_scene(20, 10, 0), other = new_scene(10, 20, 0);
    fill_random(&one);
    fill_random(&other);
    submit(matcher, &one, &params);
    assert_int_equal(sv_submit(matcher, &other.pair, &params, &other.output, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "20 x 10 pixels is in flight"));
    wait_for(matcher);
    check_maps(&one, &params);
    other.pair.right = one.pair.right;
    assert_int_equal(sv_submit(matcher, &other.pair, &params, &other.output, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "right picture has 20 x 10 pixels"));
    const sv_pair none = {.left = {.format = SV_GREY8}};
    assert_int_equal(sv_submit(matcher, &none, &params, &other.output, &error), SV_USAGE);
    free_scene(&one);
    free_scene(&other);
    sv_matcher_destroy(matcher);
}

TEST_CPU(cpu_has_no_streams) {
    scene s = new_scene(20, 10, 0);
    fill_random(&s);
    sv_matcher *matcher = new_matcher(backend, 20, 10, 1);
    const sv_params params = params_of(SV_SSD, 1, 0, 7);
    sv_error error;
    assert_int_equal(sv_submit_in_stream(matcher, &s.pair, &params, &s.output, NULL, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "cpu backend has no streams"));
    assert_int_equal(sv_wait(matcher, NULL, &error), SV_USAGE);
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

TEST_CPU(requests_cancel_until_they_are_withdrawn) {
    sv_cancel *cancel = sv_cancel_new();
    assert_non_null(cancel);
    const sv_matcher_options options = {.threads = 2, .cancel = cancel};
    const sv_params params = params_of(SV_SSD, 2, 0, 7);
    sv_matcher *matcher;
    scene s = new_scene(121, 40, 3);
    fill_random(&s);
    assert_int_equal(sv_matcher_create(backend, &options, &matcher, NULL), SV_OK);
    for (int i = 0; i < 2; i++) {
        sv_cancel_ask(cancel, true);
        assert_int_equal(sv_submit(matcher, &s.pair, &params, &s.output, NULL), SV_CANCELLED);
        sv_cancel_ask(cancel, false);
        submit(matcher, &s, &params);
        wait_for(matcher);
        check_maps(&s, &params);
    }
    sv_matcher_destroy(matcher);
    sv_cancel_free(cancel);
    sv_cancel_free(NULL);
    free_scene(&s);
}

/* ---- Rectification ------------------------------------------------------------------------------ */

/* The file of a calibration for pictures of that size: cameras 0.1 m apart, a little turned, with some distortion. */
static const char *write_calibration(int width, int height) {
    char text[1024];
    const double f = 0.8 * width, cx = 0.5 * width, cy = 0.5 * height;
    snprintf(text, sizeof text,
             "%%YAML:1.0\n"
             "M1: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [%g, 0., %g, 0., %g, %g, 0., 0., 1.] }\n"
             "D1: !!opencv-matrix { rows: 1, cols: 5, dt: d, data: [-0.1, 0.02, 0., 0., 0.] }\n"
             "M2: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [%g, 0., %g, 0., %g, %g, 0., 0., 1.] }\n"
             "D2: !!opencv-matrix { rows: 1, cols: 5, dt: d, data: [-0.12, 0.02, 0., 0., 0.] }\n"
             "R: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [0.9992, 0., 0.04, 0., 1., 0., -0.04, 0., 0.9992] }\n"
             "T: !!opencv-matrix { rows: 3, cols: 1, dt: d, data: [-0.1, 0., 0.] }\nunit: m\n",
             f, cx, f, cy, f, cx, f, cy);
    return scratch_write_text("calibration.yml", text);
}

static sv_rectification *load(int width, int height, double alpha) {
    sv_rectification *r;
    sv_error error;
    if (sv_rectification_load(write_calibration(width, height), width, height, alpha, &r, &error) != SV_OK)
        fail_msg("%s", error.text);
    return r;
}

/* ---- Memory ------------------------------------------------------------------------------------ */

/* What makes stages ask for memory: pairs of a parameter and its value, the method first. */
static const char *const settings[][12] = {
    {"method", "sgm"},
    {"method", "sgm", "left-right-check", "off", "median", "off", "holes", "off"},
    {"method", "sgm", "scale", "1/2", "average", "9"},
    {"method", "sgm", "row-shift", "2", "disparities", "0:200"},
    {"method", "ssd"},
    {"method", "ssd", "prefilter", "exposure", "step", "1/4", "uniqueness", "10"},
    {"method", "ssd", "prefilter", "none", "median", "off", "speckle-size", "off"},
    {"method", "ssd", "rho", "12", "scale", "1/4", "fill", "row"},
    {"method", "ncc"},
    {"method", "ncc", "reseed", "off", "rho", "6"},
    {"method", "zncc"},
    {"method", "zncc", "uniqueness", "5", "left-right-check", "off"},
    {"method", "sgm", "min-confidence", "100", "left-right-check", "off"},
    {"method", "gfd", "disparities", "0:20"},
    {"method", "gfd", "scale", "1/2", "prefilter", "contrast"},
    {"method", "sgm", "temporal", "8"},
    {"method", "ncc", "temporal", "3", "scale", "1/2"},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Bytes that are taken at the moment. */
static size_t taken(const sv_backend *backend) {
#if SV_CUDA
    size_t available, all;
    if (backend->memory_of) {
        assert_int_equal(cudaMemGetInfo(&available, &all), cudaSuccess);
        return all - available;
    }
#endif
    (void)backend;
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static sv_image colour_picture_of(const sv_image *grey) {
    const size_t width = (size_t)grey->width, height = (size_t)grey->height;
    const sv_image colour = {malloc(4 * width * height), 4 * width, grey->width, grey->height, SV_COLOUR8, SV_HOST};
    for (size_t i = 0; i < 4 * width * height; i++) ((uint8_t *)colour.data)[i] = (uint8_t)random_below(256);
    return colour;
}

/* Matches one pair, and compares what the matcher then holds with what it said that it would take. */
static void compare_memory(const sv_backend *backend, const scene *s, const sv_params *params,
                           const sv_rectification *rectification, size_t slack) {
    const sv_matcher_options options = {s->pair.left.width, s->pair.left.height, 2, 0, rectification, NULL};
    sv_output output = s->output;
    sv_footprint footprint;
    sv_matcher *matcher;
    size_t used = 0;
    if (params->min_confidence) output.confidence = (sv_image){0}; /* so that the matcher needs one of its own */
    assert_int_equal(sv_matcher_memory(backend, &options, params, &footprint, NULL), SV_OK);
    const size_t said = backend->memory_of ? footprint.device : footprint.host;
    /* The first one loads code and starts threads. */
    for (int i = 0; i < 2; i++) {
        const size_t before = taken(backend);
        assert_int_equal(sv_matcher_create(backend, &options, &matcher, NULL), SV_OK);
        for (int k = 0; k < SV_IN_FLIGHT; k++) {
            assert_int_equal(sv_submit(matcher, &s->pair, params, &output, NULL), SV_OK);
            assert_int_equal(sv_wait(matcher, NULL, NULL), SV_OK);
        }
        used = taken(backend) - before;
        sv_matcher_destroy(matcher);
    }
    /* `slack` holds what allocators add to each block, and the matcher's small structures. */
    if (used + slack / 4 < said || used > said + slack)
        fail_msg("%s, %d disparities: %zu bytes taken, %zu said", sv_method_name(params->method),
                 params->max_disparity - params->min_disparity + 1, used, said);
}

TEST_BACKENDS(memory_is_known_beforehand) {
    const bool device = backend->memory_of;
    if (!device && !taken(backend)) {
        print_message("a sanitizer's own memory takes the library's place\n");
        skip();
    }
    const size_t slack = device ? 48 << 20 : 128 << 10;
    scene s = new_scene(device ? 1280 : 320, device ? 960 : 240, 0);
    want_confidence(&s); /* what is said is the most */
    fill_random(&s);
    s.pair.left_colour = colour_picture_of(&s.pair.left);
    s.pair.right_colour = colour_picture_of(&s.pair.right);
    sv_rectification *rectification = load(s.pair.left.width, s.pair.left.height, -1);
    for (int i = 0; i < SETTINGS; i++) {
        sv_params *params = sv_params_new();
        for (int k = 0; settings[i][k]; k += 2)
            assert_int_equal(sv_params_set(params, settings[i][k], settings[i][k + 1], NULL), SV_OK);
        compare_memory(backend, &s, params, i % 2 ? rectification : NULL, slack);
        sv_params_free(params);
    }
    sv_rectification_unload(rectification);
    free(s.pair.left_colour.data);
    free(s.pair.right_colour.data);
    free_scene(&s);
}

/* ---- Pictures and colours ------------------------------------------------------------------ */

/* What sv_rectify_pictures makes is matched to the same map as the raw pictures by a matcher that rectifies, where no
 * pixel is empty. */
TEST(pictures_are_rectified_as_by_the_matcher) {
    const int width = 160, height = 120;
    scene raw = new_scene(width, height, 5), even = new_scene(width, height, 2);
    const sv_params params = params_of(SV_SSD, 2, 0, 7);
    sv_rectification *r = load(width, height, 0), *none;
    sv_geometry g;
    sv_error error;
    fill_random(&raw);
    sv_rectification_geometry(r, &g);
    assert_true(g.width == width && g.height == height && g.metric && g.doffs == 0);
    assert_true(fabs(g.baseline - 0.1) < 1e-9);
    assert_int_equal(sv_rectify_pictures(r, &raw.pair, &even.pair, &error), SV_OK);

    sv_matcher *plain = new_matcher(&sv_cpu, width, height, 1), *rectifying;
    const sv_matcher_options options = {.width = width, .height = height, .threads = 1, .rectification = r};
    assert_int_equal(sv_matcher_create(&sv_cpu, &options, &rectifying, NULL), SV_OK);
    submit(plain, &even, &params);
    wait_for(plain);
    submit(rectifying, &raw, &params);
    wait_for(rectifying);
    int same = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (reason_at(&raw, x, y) == SV_BORDER) continue;
            const float a = disparity_at(&raw, x, y), b = disparity_at(&even, x, y);
            assert_memory_equal(&a, &b, sizeof a);
            same++;
        }
    assert_true(same > width * height / 2);

    sv_pair wrong = even.pair;
    wrong.left.width--;
    assert_int_equal(sv_rectify_pictures(r, &raw.pair, &wrong, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "159 x 120"));
    wrong = raw.pair;
    wrong.right.data = NULL;
    assert_int_equal(sv_rectify_pictures(r, &wrong, &even.pair, &error), SV_USAGE);
    sv_matcher_destroy(plain);
    sv_matcher_destroy(rectifying);
    sv_rectification_unload(r);
    assert_int_equal(sv_rectification_load("tests/nowhere.yaml", width, height, 0, &none, &error), SV_FAILED);
    assert_null(none);
    assert_int_equal(sv_rectification_load(write_calibration(8, 8), 0, height, 0, &none, &error), SV_USAGE);
    free_scene(&raw);
    free_scene(&even);
}

FIXTURES(scratch_setup, scratch_teardown)
