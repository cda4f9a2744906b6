/* Learned models: the maps of the reference model in all variants, against the definition; what is guessed for the
 * graphs of published models; what is refused; cancelling. The models are made by tests/support/make_models.py, which
 * defines the reference model. */
#include "net/elements.h"
#include "net/net.h"
#include "net/onnx_file.h"
#include "net/ort.h"
#include "net/session.h"
#include "net/tensors.h"
#include "stereo/cancel.h"
#include "stereo/clock.h"
#include "stereo/costs.h"
#include "tests/support/backend.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"
#include "tests/support/reference_net.h"
#include "tests/support/test.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_include) && __has_include(<onnxruntime/onnxruntime_c_api.h>)
#include <onnxruntime/onnxruntime_c_api.h>
#define HAS_HEADER 1
#endif

#define FOLDER "build-models/"

/* ---- What the log says -------------------------------------------------------------------------- */

static char logged[8192];
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(sv_level level, const char *line) {
    if (level > SV_LOG_INFO) return;
    pthread_mutex_lock(&log_lock);
    snprintf(logged + strlen(logged), sizeof logged - strlen(logged), "%s\n", line);
    pthread_mutex_unlock(&log_lock);
}

static void need_models(void) {
    if (!access(FOLDER "made", F_OK)) {
        setenv("ONNXRUNTIME", FOLDER "libonnxruntime.so", 0);
        sv_set_log(keep);
        return;
    }
    print_message("there are no models; 'make models' makes them, with Python's pip\n");
    skip();
}

/* The same on a backend; skips the test where the runtime has no CUDA, unless SV_TEST_BACKEND asks for it. */
static const sv_backend *on = &sv_cpu;

static void need_models_on(const sv_backend *backend) {
    sv_error error;
    need_models();
    on = backend;
    if (!backend->check_models || backend->check_models(&error) == SV_OK) return;
    if (getenv("SV_TEST_BACKEND")) fail_msg("%s", error.text);
    print_message("%s\n", error.text);
    on = &sv_cpu;
    skip();
}

/* ---- Pairs -------------------------------------------------------------------------------------- */

typedef struct scene {
    picture pictures[4], maps[3];
    sv_pair pair;
    sv_output output;
} scene;

/* Random pictures, whose right one is the left one moved by 4 pixels in its upper half and 9 in its lower one, and
 * otherwise noisy, so that every disparity is found somewhere. */
static scene make_scene(int width, int height, unsigned seed) {
    scene s;
    static const sv_format formats[] = {SV_GREY8, SV_GREY8, SV_COLOUR8, SV_COLOUR8},
                           out[] = {SV_FLOAT32, SV_REASON8, SV_GREY8};
    seed_random(seed);
    for (int i = 0; i < 4; i++) s.pictures[i] = new_picture(formats[i], width, height, i);
    for (int i = 0; i < 3; i++) s.maps[i] = new_picture(out[i], width, height, 3 - i);
    for (int i = 0; i < 4; i += 2)
        for (int y = 0; y < height; y++) {
            const int per = i ? 4 : 1, moved = y < height / 2 ? 4 : 9;
            uint8_t *left = sv_row(&s.pictures[i].image, y), *right = sv_row(&s.pictures[i + 1].image, y);
            for (int k = 0; k < width * per; k++) left[k] = k % per == 3 ? 255 : (uint8_t)random_below(256);
            for (int k = 0; k < width * per; k++) {
                const uint8_t same = left[(k / per + moved < width ? k / per + moved : width - 1) * per + k % per];
                right[k] = k % per == 3 || random_below(4) ? same : (uint8_t)random_below(256);
            }
        }
    s.pair = (sv_pair){s.pictures[0].image, s.pictures[1].image, s.pictures[2].image, s.pictures[3].image, 0};
    s.output = (sv_output){s.maps[0].image, s.maps[1].image, s.maps[2].image};
    return s;
}

static void free_scene(scene *s) {
    for (int i = 0; i < 4; i++) free_picture(&s->pictures[i]);
    for (int i = 0; i < 3; i++) free_picture(&s->maps[i]);
}

static sv_params params_of(const char *name) {
    char path[128];
    sv_error error;
    sv_params params = sv_default_params(SV_NET);
    snprintf(path, sizeof path, FOLDER "%s.onnx", name);
    assert_int_equal(sv_parse(&params, sv_find_parameter("model"), path, &error), SV_OK);
    return params;
}

/* Matches once, with a matcher of its own. */
static sv_status match_with(const scene *s, const sv_params *params, const sv_cancel *cancel, bool has_confidence,
                            sv_times *times, sv_error *error) {
    const sv_matcher_options options = {.threads = 1, .cancel = cancel};
    sv_output output = s->output;
    if (!has_confidence) output.confidence = (sv_image){0};
    sv_matcher *matcher;
    assert_int_equal(sv_matcher_create(on, &options, &matcher, error), SV_OK);
    const sv_status status = sv_submit(matcher, &s->pair, params, &output, error);
    if (status == SV_OK) assert_int_equal(sv_wait(matcher, times, error), SV_OK);
    sv_matcher_destroy(matcher);
    return status;
}

static float at(const scene *s, int x, int y) { return ((float *)sv_row(&s->output.disparity, y))[x]; }
static int reason_at(const scene *s, int x, int y) { return ((uint8_t *)sv_row(&s->output.reason, y))[x]; }

/* ---- Maps --------------------------------------------------------------------------------------- */

TEST_BACKENDS(all_variants_are_as_defined) {
    need_models_on(backend);
    /* The last one divides evenly; 33 x 9 is below each model's size, and 61 x 47 is no multiple. */
    static const int sizes[][2] = {{33, 9}, {61, 47}, {48, 32}};
    for (int n = 0; n < variant_count; n++)
        for (int size = 0; size < 3; size++) {
            const variant *v = &variants[n];
            const int width = sizes[size][0], height = sizes[size][1];
            /* Between pixels only steps of 1/2 and 1/4 are exact; others could change who is least. */
            if (v->padding == NOWHERE && (size != 2 || 2 * width != v->width) && strcmp(v->name, "of_width")) continue;
            if (!strcmp(v->name, "of_width") && size != 2) continue;
            scene s = make_scene(v->width == 64 ? 32 : width, height, 7 + (unsigned)n);
            sv_error error = {""};
            const sv_params params = params_of(v->name);
            if (match_with(&s, &params, NULL, false, NULL, &error) != SV_OK) fail_msg("%s: %s", v->name, error.text);
            double *map = reference_net(&s.pair, v->name);
            for (int y = 0; y < s.pair.left.height; y++)
                for (int x = 0; x < s.pair.left.width; x++) {
                    const double is = map[y * s.pair.left.width + x];
                    if (!(fabs(at(&s, x, y) - is) <= v->bound) || reason_at(&s, x, y) != SV_VALID)
                        fail_msg("%s, %d x %d, (%d, %d): %.9g, not %.9g, %s", v->name, width, height, x, y,
                                 (double)at(&s, x, y), is, sv_reason_name(reason_at(&s, x, y)));
                }
            free(map);
            free_scene(&s);
        }
    on = &sv_cpu;
}

TEST_BACKENDS(grey_pictures_replace_colour) {
    need_models_on(backend);
    scene s = make_scene(48, 32, 3);
    sv_error error = {""};
    const sv_params params = params_of("plain");
    s.pair.left_colour = s.pair.right_colour = (sv_image){0};
    assert_int_equal(match_with(&s, &params, NULL, false, NULL, &error), SV_OK);
    /* Three equal channels of weights 1, 2 and 4 choose as one does. */
    double *map = reference_net(&s.pair, "grey");
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) assert_true((double)at(&s, x, y) == map[y * 48 + x]);
    free(map);
    free_scene(&s);
    on = &sv_cpu;
}

TEST_BACKENDS(the_model_judges_its_matches) {
    need_models_on(backend);
    scene s = make_scene(48, 32, 4);
    sv_error error = {""};
    const sv_params params = params_of("judged");
    assert_int_equal(match_with(&s, &params, NULL, true, NULL, &error), SV_OK);
    double *map = reference_net(&s.pair, "plain");
    int hidden = 0;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) {
            const float d = (float)map[y * 48 + x];
            const int confidence = ((uint8_t *)sv_row(&s.output.confidence, y))[x];
            hidden += d < 3;
            assert_true(d < 3 ? isinf(at(&s, x, y)) : at(&s, x, y) == d);
            assert_int_equal(reason_at(&s, x, y), d < 3 ? SV_LEFT_RIGHT_CONFLICT : SV_VALID);
            assert_int_equal(confidence, d < 3 ? 0 : (int)(255 * d / 16 + 0.5f));
        }
    assert_true(hidden > 50);
    free(map);
    free_scene(&s);
    on = &sv_cpu;
}

TEST_BACKENDS(what_is_no_number_has_no_disparity) {
    need_models_on(backend);
    scene s = make_scene(48, 32, 5);
    sv_error error = {""};
    const sv_params params = params_of("holes");
    assert_int_equal(match_with(&s, &params, NULL, false, NULL, &error), SV_OK);
    int holes = 0;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) {
            holes += isinf(at(&s, x, y)) != 0;
            assert_int_equal(reason_at(&s, x, y), isinf(at(&s, x, y)) ? SV_POOR_MATCH : SV_VALID);
            assert_true(isinf(at(&s, x, y)) || at(&s, x, y) != 4);
        }
    assert_true(holes > 10);
    free_scene(&s);
    on = &sv_cpu;
}

/* The check compares with the map of the right picture: that of the model on the mirrored pair. */
TEST_BACKENDS(the_check_uses_the_mirrored_pair) {
    need_models_on(backend);
    scene s = make_scene(48, 32, 6), mirrored = make_scene(48, 32, 6);
    for (int i = 0; i < 4; i++)
        for (int y = 0; y < 32; y++)
            for (int x = 0; x < 48; x++) {
                const size_t per = sv_pixel_size(s.pictures[i].image.format);
                memcpy((char *)sv_row(&mirrored.pictures[i ^ 1].image, y) + per * (size_t)(47 - x),
                       (char *)sv_row(&s.pictures[i].image, y) + per * (size_t)x, per);
            }
    sv_error error = {""};
    sv_params params = params_of("plain");
    assert_int_equal(match_with(&mirrored, &params, NULL, false, NULL, &error), SV_OK);
    float right[32][48], left[32][48];
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) right[y][x] = at(&mirrored, 47 - x, y);
    assert_int_equal(match_with(&s, &params, NULL, false, NULL, &error), SV_OK);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) left[y][x] = at(&s, x, y);
    params.left_right_check = 1;
    assert_int_equal(match_with(&s, &params, NULL, false, NULL, &error), SV_OK);
    int failed = 0;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) {
            const int match = x - (int)left[y][x];
            const bool agrees = match >= 0 && fabsf(right[y][match] - left[y][x]) <= 1;
            failed += !agrees;
            assert_int_equal(reason_at(&s, x, y), agrees ? SV_VALID : SV_LEFT_RIGHT_CONFLICT);
        }
    assert_true(failed > 20 && failed < 48 * 32 / 2);
    /* Without a confidence of the model's own, it follows from both maps. */
    params.left_right_check = -1;
    assert_int_equal(match_with(&s, &params, NULL, true, NULL, &error), SV_OK);
    double confidence[2] = {0}; /* of those that fail the check, and of those that pass it */
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 48; x++) {
            const int match = x - (int)left[y][x], judged = ((uint8_t *)sv_row(&s.output.confidence, y))[x];
            confidence[match >= 0 && fabsf(right[y][match] - left[y][x]) <= 1] += judged;
        }
    assert_true(confidence[1] / (48 * 32 - failed) > confidence[0] / failed + 50);
    free_scene(&s);
    free_scene(&mirrored);
    on = &sv_cpu;
}

/* Of IEEE 754: to the nearest, ties to the even one. */
TEST(floats_are_halved) {
    static const struct {
        float value;
        unsigned half;
    } some[] = {
        {1, 0x3c00},
        {-2, 0xc000},
        {65504, 0x7bff},
        {65519.996f, 0x7bff},
        {65520, 0x7c00},
        {-INFINITY, 0xfc00},
        {0x1.002p0f, 0x3c00},
        {0x1.006p0f, 0x3c02},
        {0x1.00201p0f, 0x3c01},
        {0x1.ffep0f, 0x4000},
        {0x1p-14f, 0x0400},
        {0x1.ffep-15f, 0x0400},
        {0x1p-24f, 0x0001},
        {0x1.8p-24f, 0x0002},
        {0x1.4p-23f, 0x0002},
        {0x1p-25f, 0x0000},
        {0x1.00001p-25f, 0x0001},
        {-0.0f, 0x8000},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (net_half_of(some[i].value) != some[i].half)
            fail_msg("%a: %#x, not %#x", (double)some[i].value, net_half_of(some[i].value), some[i].half);
    assert_true(net_half_of(NAN) == 0x7e00 && isnan(net_of_half(0x7e00)));
    for (unsigned half = 0; half < 0x10000; half++)
        if ((half & 0x7c00) != 0x7c00 || !(half & 0x3ff))
            assert_int_equal(net_half_of(net_of_half((uint16_t)half)), half);
    assert_true(net_of_half(0x0001) == 0x1p-24f && net_of_half(0xbe00) == -1.5f);
}

/* Byte for byte, of pictures between whose pixels the model sees, too. */
TEST_BACKENDS(tensors_are_those_of_the_cpu) {
    need_models_on(backend);
    static const char *const names[] = {"seen", "seen_resized", "seen_float16", "fixed", "quarter", "halves"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scene cpu = make_scene(61, 47, 20 + (unsigned)i), card = make_scene(61, 47, 20 + (unsigned)i);
        sv_error error = {""};
        sv_params params = params_of(names[i]);
        params.left_right_check = i % 2 ? 1 : -1; /* the mirrored pair is run, too */
        on = backend;
        if (match_with(&card, &params, NULL, false, NULL, &error) != SV_OK) fail_msg("%s: %s", names[i], error.text);
        on = &sv_cpu;
        if (match_with(&cpu, &params, NULL, false, NULL, &error) != SV_OK) fail_msg("%s: %s", names[i], error.text);
        double sum = 0;
        for (int y = 0; y < 47; y++)
            for (int x = 0; x < 61; x++) {
                const float a = at(&cpu, x, y), b = at(&card, x, y);
                if (memcmp(&a, &b, sizeof a) || reason_at(&cpu, x, y) != reason_at(&card, x, y))
                    fail_msg("%s, (%d, %d): %.9g on the CPU, %.9g on %s", names[i], x, y, (double)a, (double)b,
                             backend->name);
                sum += isfinite(a) ? fabsf(a) : 0;
            }
        assert_true(sum > 100);
        free_scene(&cpu);
        free_scene(&card);
    }
}

/* ---- What is guessed and said -------------------------------------------------------------------- */

/* Matches the demo's kind of pair and returns what was logged. */
static const char *logged_of(const char *name, int width, int height) {
    scene s = make_scene(width, height, 9);
    sv_error error = {""};
    const sv_params params = params_of(name);
    pthread_mutex_lock(&log_lock);
    logged[0] = 0;
    pthread_mutex_unlock(&log_lock);
    const sv_status status = match_with(&s, &params, NULL, false, NULL, &error);
    if (status != SV_OK) fail_msg("%s: %s", name, error.text);
    free_scene(&s);
    return logged;
}

TEST(families_are_guessed) {
    need_models();
    static const struct {
        const char *name, *is;
    } families[] = {
        {"crestereo",
         "inputs: init_left, init_right, next_left, next_right; layout: nchw; channels: rgb; values: 0:255; "
         "size: 640x480; multiple: 1; fit: resize; padding: bottom-right; pad-with: edge; output: output; "
         "output-channel: 0; sign: positive; scale: 1 "},
        {"hitnet",
         "inputs: input; layout: nchw; channels: rgb; mean: 0, 0, 0; deviation: 1, 1, 1; size: 640x480; "
         "multiple: 1; fit: resize; padding: bottom-right; pad-with: edge; output: reference_output_disparity; "
         "output-channel: 0; sign: positive; scale: 1 "},
        {"hitnet_grey",
         "inputs: input; layout: nchw; channels: grey; mean: 0, 0, 0; deviation: 1, 1, 1; size: 320x240; "},
        {"raft_stereo",
         "inputs: image1, image2; layout: nchw; channels: rgb; values: 0:255; size: any; multiple: 32; fit: "
         "pad; padding: centre; pad-with: edge; output: flow_up; output-channel: 0; sign: negative; scale: 1 "},
        {"igev", "inputs: image1, image2; layout: nchw; channels: rgb; values: 0:255; size: 640x480; multiple: 1; fit: "
                 "resize; padding: centre; pad-with: edge; output: disp; output-channel: 0; sign: positive; scale: 1 "},
        {"foundation_stereo",
         "inputs: left, right; layout: nchw; channels: rgb; values: 0:255; size: 640x448; multiple: "
         "1; fit: resize; padding: bottom-right; pad-with: edge; output: disp; output-channel: 0; "
         "sign: positive; scale: 1 "},
        {"ess",
         "inputs: input_left, input_right; layout: nchw; channels: rgb; mean: 0.5, 0.5, 0.5; deviation: 0.5, 0.5, "
         "0.5; size: 960x576; multiple: 1; fit: resize; padding: bottom-right; pad-with: edge; output: "
         "output_left; output-channel: 0; sign: positive; scale: 1; confidence: output_conf "},
        {"s2m2",
         "inputs: input_left, input_right; layout: nchw; channels: rgb; values: 0:255; size: 1280x736; multiple: "
         "1; fit: resize; padding: bottom-right; pad-with: edge; output: output_disp; output-channel: 0; sign: "
         "positive; scale: 1; confidence: output_conf; visible: output_occ "},
        {"stereo_matching",
         "inputs: left_values, right_values; layout: nchw; channels: rgb; mean: 0.485, 0.456, 0.406; deviation: "
         "0.229, 0.224, 0.225; size: 640x384; multiple: 1; fit: resize; padding: bottom-right; pad-with: edge; "
         "output: disparity; output-channel: 0; sign: positive; scale: 1 "},
        {"light_stereo",
         "inputs: left_img, right_img; layout: nchw; channels: rgb; mean: 0.485, 0.456, 0.406; deviation: "
         "0.229, 0.224, 0.225; size: any; multiple: 32; fit: pad; padding: top-right; pad-with: edge; "
         "output: disp_pred; output-channel: 0; sign: positive; scale: 1 "},
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strstr(logged_of(families[i].name, 64, 48), families[i].is))
            fail_msg("%s: '%s' was guessed, not '%s'", families[i].name, logged, families[i].is);
}

TEST(wrong_signs_and_scales_are_reported) {
    need_models();
    assert_non_null(strstr(logged_of("wrong_sign", 150, 100), "with 'sign: positive' in its sidecar"));
    assert_non_null(strstr(logged_of("wrong_scale", 150, 100), "with 'scale: 1' in its sidecar"));
    assert_null(strstr(logged_of("plain", 150, 100), "in its sidecar"));
    assert_null(strstr(logged_of("flow", 150, 100), "in its sidecar"));
}

TEST(what_is_no_model_is_refused) {
    need_models();
    static const struct {
        const char *name, *why;
    } refused[] = {
        {"three_inputs", "has 3 inputs, not the two pictures"},
        {"no_picture", "the input left 3x?x? is not a picture"},
        {"five_channels", "the input left 1x5x?x? does not take 3 channels"},
        {"whole_numbers", "is not float, float16 or uint8"},
        {"part_of_two", "It may be one part of a model of several"},
        {"plugin", "Operators of plug-ins"},
        {"too_small", "the output is not a map of the model's pictures"},
        {"two_files", "keeps its weights in another file"},
        {"missing", "cannot read the model " FOLDER "missing.onnx: No such file"},
    };
    scene s = make_scene(48, 32, 10);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sv_error error = {""};
        const sv_params params = params_of(refused[i].name);
        assert_int_equal(match_with(&s, &params, NULL, false, NULL, &error), SV_FAILED);
        if (!strstr(error.text, refused[i].why)) fail_msg("%s: %s", refused[i].name, error.text);
    }
    free_scene(&s);
}

TEST(there_are_no_costs) {
    scene s = make_scene(48, 32, 12);
    const sv_matcher_options options = {.threads = 1};
    const sv_params params = params_of("plain");
    sv_matcher *matcher;
    sv_error error;
    assert_int_equal(sv_matcher_create(&sv_cpu, &options, &matcher, &error), SV_OK);
    assert_int_equal(sv_match_costs(matcher, &s.pair, &params, 1, 1, NULL, NULL, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "compares no costs"));
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

TEST(maps_may_be_smaller_by_a_power_of_two) {
    static const struct {
        int64_t height, width;
        bool fits;
    } cases[] = {{48, 96, true},  {24, 48, true},  {12, 24, true},  {6, 12, true},   {3, 6, false},
                 {16, 32, false}, {48, 48, false}, {24, 96, false}, {96, 192, false}};
    const net_frame frame = {.width = 96, .height = 48};
    const float data[1] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t shape[] = {1, cases[i].height, cases[i].width};
        net_plane plane;
        sv_error error;
        const sv_status status = net_find_plane(&frame, data, ORT_FLOAT, shape, 3, 0, &plane, &error);
        assert_int_equal(status, cases[i].fits ? SV_OK : SV_FAILED);
    }
}

TEST(pictures_that_do_not_fit_are_refused) {
    need_models();
    static const int sizes[][2] = {{97, 64}, {96, 65}}; /* of fixed_padded: 96 x 64 */
    for (int i = 0; i < 2; i++) {
        scene s = make_scene(sizes[i][0], sizes[i][1], 13);
        sv_error error = {""};
        const sv_params params = params_of("fixed_padded");
        assert_int_equal(match_with(&s, &params, NULL, false, NULL, &error), SV_FAILED);
        assert_non_null(strstr(error.text, "do not fit into the model's 96 x 64"));
        free_scene(&s);
    }
}

TEST(what_is_open_is_shared) {
    need_models();
    char folder[] = "/tmp/stereoview-net-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.onnx", folder);
    const net_place one = {.threads = 1}, two = {.threads = 2};
    net_session *first, *second, *other, *changed;
    sv_error error;
    for (int i = 0; i < 2; i++) { /* again after all are closed */
        FILE *from = fopen(FOLDER "plain.onnx", "rb"), *to = fopen(path, "wb");
        for (int c; (c = getc(from)) != EOF;) putc(c, to);
        fclose(from);
        fclose(to);
        assert_int_equal(net_open_session(path, &one, &first, &error), SV_OK);
        assert_int_equal(net_open_session(path, &one, &second, &error), SV_OK);
        assert_int_equal(net_open_session(path, &two, &other, &error), SV_OK);
        assert_ptr_equal(first, second);
        assert_ptr_not_equal(first, other);
        net_close_session(first);
        assert_int_equal(net_open_session(path, &one, &first, &error), SV_OK);
        assert_ptr_equal(first, second);
        /* Not a file that has been replaced. */
        unlink(path);
        assert_int_equal(net_open_session(path, &one, &changed, &error), SV_FAILED);
        net_close_session(first);
        net_close_session(second);
        net_close_session(other);
    }
    net_close_session(NULL);
    rmdir(folder);
}

/* ---- Sidecars ------------------------------------------------------------------------------------ */

TEST(sidecars_are_checked) {
    static const struct {
        const char *line, *why;
    } wrong[] = {
        {"sing: negative", "there is no key 'sing'"},
        {"sign: minus", "sign cannot be 'minus'; it takes positive, negative"},
        {"inputs: left", "these are 1 of the model's 2"},
        {"inputs: left, middle", "the model has no input 'middle'"},
        {"inputs: left, right, left", "has no further input 'left'"},
        {"layout: nhwc", "does not take 3 channels"},
        {"channels: grey", "does not take 1 channels"},
        {"values: 0:2", "values cannot be '0:2'"},
        {"mean: a", "mean cannot be 'a'"},
        {"deviation: 0", "deviation cannot be '0'"},
        {"size: 640", "size cannot be '640'"},
        {"size: 20000x20", "size cannot be '20000x20'"},
        {"size: 640x480", "does not take pictures of this size"},
        {"multiple: 0", "multiple cannot be '0'"},
        {"fit: stretch", "fit cannot be 'stretch'"},
        {"padding: left", "padding cannot be 'left'"},
        {"pad-with: noise", "pad-with cannot be 'noise'"},
        {"output: depth", "the model has no output 'depth'; it has disp"},
        {"output: none", "the model has no output 'none'"},
        {"output-channel: -1", "output-channel cannot be '-1'"},
        {"scale: 0", "scale cannot be '0'"},
        {"scale: nan", "scale cannot be 'nan'"},
        {"confidence: conf", "the model has no output 'conf'"},
    };
    const net_graph graph = {2,
                             1,
                             {{"left", ORT_FLOAT, 4, {1, 3, 100, 200}}, {"right", ORT_FLOAT, 4, {1, 3, 100, 200}}},
                             {{"disp", ORT_FLOAT, 4, {1, 1, 100, 200}}}};
    char folder[] = "/tmp/stereoview-net-XXXXXX", path[64], sidecar[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.onnx", folder);
    snprintf(sidecar, sizeof sidecar, "%s/m.yaml", folder);
    net_conventions c;
    sv_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FILE *file = fopen(sidecar, "w");
        fprintf(file, "%s\n", wrong[i].line);
        fclose(file);
        assert_int_equal(net_find_conventions(path, &graph, &c, &error), SV_FAILED);
        if (!strstr(error.text, wrong[i].why)) fail_msg("'%s': %s", wrong[i].line, error.text);
    }
    /* What is printed reads back as the same. */
    net_conventions again;
    char text[1024];
    unlink(sidecar);
    assert_int_equal(net_find_conventions(path, &graph, &c, &error), SV_OK);
    c.negative = c.pads_with_zero = c.of_width = true;
    c.padding = NET_CENTRE;
    c.channels = NET_BGR;
    FILE *file = fopen(sidecar, "w");
    fprintf(file, "%s\n", net_print_conventions(&graph, &c, "\n", text, sizeof text));
    fclose(file);
    if (net_find_conventions(path, &graph, &again, &error) != SV_OK) fail_msg("%s", error.text);
    char second[1024];
    assert_string_equal(net_print_conventions(&graph, &again, "\n", second, sizeof second), text);
    unlink(sidecar);
    rmdir(folder);
}

/* ---- Cancelling ---------------------------------------------------------------------------------- */

static double used(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* With one thread the runtime works in the caller's, so what it uses says how far it came, on a busy machine, too. */
TEST(a_run_ends_early_and_the_next_one_does_not) {
    need_models();
    scene s = make_scene(48, 32, 11);
    sv_error error = {""};
    sv_cancel *cancel = sv_cancel_new();
    net_model *model;
    net_times times;
    const net_maps maps = {.disparity = s.output.disparity};
    const net_place place = {.threads = 1};
    if (net_open(FOLDER "slow.onnx", &place, &model, &error) != SV_OK) fail_msg("%s", error.text);
    double begun = used();
    assert_int_equal(net_run(model, &s.pair, false, cancel, &maps, &times, &error), SV_OK);
    const double whole = used() - begun;
    sv_cancel_ask(cancel, true);
    begun = used();
    assert_int_equal(net_run(model, &s.pair, false, cancel, &maps, &times, &error), SV_CANCELLED);
    if (!(used() - begun < whole / 2)) fail_msg("%.3f s of %.3f", used() - begun, whole);
    sv_cancel_ask(cancel, false);
    assert_int_equal(net_run(model, &s.pair, false, cancel, &maps, &times, &error), SV_OK);
    net_close(model);
    sv_cancel_free(cancel);
    free_scene(&s);
}

TEST(a_matcher_goes_on_after_a_request) {
    need_models();
    scene s = make_scene(48, 32, 11);
    sv_error error = {""};
    sv_cancel *cancel = sv_cancel_new();
    sv_matcher *matcher;
    const sv_matcher_options options = {.threads = 1, .cancel = cancel};
    assert_int_equal(sv_matcher_create(&sv_cpu, &options, &matcher, &error), SV_OK);
    const sv_params slow = params_of("slow"), quick = params_of("plain");
    sv_output output = s.output;
    output.confidence = (sv_image){0};
    sv_cancel_ask(cancel, true);
    assert_int_equal(sv_submit(matcher, &s.pair, &slow, &output, &error), SV_CANCELLED);
    sv_cancel_ask(cancel, false);
    assert_int_equal(sv_submit(matcher, &s.pair, &quick, &output, &error), SV_OK);
    assert_int_equal(sv_wait(matcher, NULL, &error), SV_OK);
    sv_matcher_destroy(matcher);
    sv_cancel_free(cancel);
    free_scene(&s);
}

/* ---- The runtime ----------------------------------------------------------------------------------- */

TEST(the_table_is_that_of_the_header) {
#ifdef HAS_HEADER
#define SAME(name) assert_int_equal(offsetof(OrtApi, name), offsetof(ort_api, name));
    SAME(GetErrorMessage)
    SAME(CreateEnvWithCustomLogger)
    SAME(CreateSessionFromArray)
    SAME(CreateSessionOptions)
    SAME(SetIntraOpNumThreads)
    SAME(SessionGetInputCount)
    SAME(SessionGetOutputCount)
    SAME(SessionGetInputTypeInfo)
    SAME(SessionGetOutputTypeInfo)
    SAME(SessionGetInputName)
    SAME(SessionGetOutputName)
    SAME(CreateRunOptions)
    SAME(RunOptionsSetTerminate)
    SAME(RunOptionsUnsetTerminate)
    SAME(CreateTensorWithDataAsOrtValue)
    SAME(GetTensorMutableData)
    SAME(CastTypeInfoToTensorInfo)
    SAME(GetTensorElementType)
    SAME(GetDimensionsCount)
    SAME(GetDimensions)
    SAME(GetTensorTypeAndShape)
    SAME(CreateMemoryInfo)
    SAME(CreateCpuMemoryInfo)
    SAME(AllocatorFree)
    SAME(GetAllocatorWithDefaultOptions)
    SAME(ReleaseStatus)
    SAME(ReleaseMemoryInfo)
    SAME(ReleaseSession)
    SAME(ReleaseValue)
    SAME(ReleaseRunOptions)
    SAME(ReleaseTypeInfo)
    SAME(ReleaseTensorTypeAndShapeInfo)
    SAME(ReleaseSessionOptions)
    SAME(GetAvailableProviders)
    SAME(ReleaseAvailableProviders)
    SAME(AddSessionConfigEntry)
    SAME(RunWithBinding)
    SAME(CreateIoBinding)
    SAME(ReleaseIoBinding)
    SAME(BindInput)
    SAME(BindOutputToDevice)
    SAME(GetBoundOutputValues)
    SAME(AddRunConfigEntry)
    SAME(SessionOptionsAppendExecutionProvider_CUDA_V2)
    SAME(CreateCUDAProviderOptions)
    SAME(UpdateCUDAProviderOptions)
    SAME(ReleaseCUDAProviderOptions)
    assert_true(ORT_API_VERSION >= ORT_VERSION_ASKED_FOR);
    assert_int_equal(ORT_FLOAT, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    assert_int_equal(ORT_UINT8, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8);
    assert_int_equal(ORT_FLOAT16, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16);
    assert_int_equal(ORT_DEVICE_ALLOCATOR, OrtDeviceAllocator);
    assert_int_equal(ORT_MEMORY_DEFAULT, OrtMemTypeDefault);
#else
    print_message("there is no onnxruntime_c_api.h here\n");
    skip();
#endif
}
