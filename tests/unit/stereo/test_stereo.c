/* stereo/: the choice of a backend, and the checks of a matcher's arguments. */
#include "stereo/stereo.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

static int lines_logged;

static void count_line(sv_level level, const char *line) {
    (void)level, (void)line;
    lines_logged++;
}

TEST(test_find_backend) {
    const sv_backend *backend = NULL;
    sv_error error = {""};
    assert_int_equal(sv_find_backend("cpu", 0, &backend, &error), SV_OK);
    assert_ptr_equal(backend, &sv_cpu);
    assert_int_equal(sv_find_backend("opengl", 0, &backend, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "opengl"));

    const sv_backend *cuda = NULL;
    const sv_status status = sv_find_backend("cuda", 0, &cuda, &error);
    assert_true(status == SV_OK || status == SV_NO_DEVICE);
    if (status != SV_OK) assert_non_null(strstr(error.text, "cuda"));

    /* The first one that runs; the log says once that it is not the best one. */
    sv_set_log(count_line);
    lines_logged = 0;
    assert_int_equal(sv_find_backend("auto", 0, &backend, &error), SV_OK);
    sv_set_log(NULL);
    assert_ptr_equal(backend, status == SV_OK ? &sv_cuda : &sv_cpu);
    assert_int_equal(lines_logged, status == SV_OK ? 0 : 1);
    char device[64];
    assert_int_equal(sv_cpu.probe(0, device, sizeof device, &error), SV_OK);
    assert_int_equal(strncmp(device, "CPU, ", 5), 0);

    /* A device that is not there. */
    for (int i = 0; sv_backends[i]; i++) {
        const int beyond = sv_backends[i]->count();
        assert_true(beyond >= (sv_backends[i] == &sv_cpu));
        assert_int_equal(sv_backends[i]->probe(beyond, device, sizeof device, &error), SV_NO_DEVICE);
        assert_int_equal(sv_backends[i]->probe(-1, device, sizeof device, &error), SV_NO_DEVICE);
        assert_int_equal(sv_find_backend(sv_backends[i]->name, beyond, &backend, &error), SV_NO_DEVICE);
    }
    assert_int_equal(sv_find_backend("auto", 1000, &backend, &error), SV_NO_DEVICE);
}

TEST(test_create_checks_its_arguments) {
    static const struct {
        int width, height, threads;
    } wrong[] = {
        {0, 10, 1}, {10, 0, 1}, {-1, 10, 1}, {16385, 10, 1}, {10, 16385, 1}, {10, 10, -1}, {10, 10, 5000},
    };
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
    uint8_t left[HEIGHT][WIDTH], right[HEIGHT][WIDTH], reason[HEIGHT][WIDTH], confidence[HEIGHT][WIDTH];
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
    f->output.confidence = (sv_image){f->confidence, WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
}

static sv_matcher *new_matcher(void) {
    sv_matcher *matcher;
    assert_int_equal(sv_matcher_create(&sv_cpu, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1},
                                       &matcher, NULL),
                     SV_OK);
    return matcher;
}

TEST(test_submit_checks_its_arguments) {
    sv_matcher *matcher = new_matcher();
    const sv_params params = sv_default_params(SV_SSD);
    frame f;
    sv_error error;
    /* One thing wrong at a time, in each of the five pictures; the last one may be without data. */
    for (int picture = 0; picture < 5; picture++)
        for (int fault = picture == 4; fault < 8; fault++) {
            set_up(&f);
            sv_image *const images[] = {&f.pair.left, &f.pair.right, &f.output.disparity, &f.output.reason,
                                        &f.output.confidence};
            static const char *const names[] = {"left picture", "right picture", "disparity map", "reason map",
                                                "confidence map"};
            sv_image *image = images[picture];
            switch (fault) {
            case 0: image->data = NULL; break;
            case 1: image->format = SV_COLOUR8; break;
            case 2: image->width--; break;
            case 3: image->height++; break;
            case 4: image->stride = WIDTH - 1; break;
            case 5: image->stride = SIZE_MAX / HEIGHT / sizeof(float) * sizeof(float); break;
            case 6: image->memory = (sv_memory)7; break;
            case 7: image->memory = SV_DEVICE; break;
            }
            error.text[0] = 0;
            assert_int_equal(sv_submit(matcher, &f.pair, &params, &f.output, &error), SV_USAGE);
            if (fault < 7) assert_non_null(strstr(error.text, names[picture]));
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

TEST(test_pairs_under_way_are_counted) {
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
