/* What the CUDA backend does beyond the definitions that test_match.c checks: results in device memory, which are bit
 * for bit those of the CPU at full size; matchers in two threads; the release of memory; failures. Skipped if there is
 * no device, unless SV_TEST_BACKEND is cuda. With --probe it only prints the device, or why there is none (exit status
 * 3, like the program). */
#include "stereo/stereo.h"
#include "tests/backend.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Skips the test if there is no device. */
static void need_device(void) {
    const char *wanted = getenv("SV_TEST_BACKEND");
    char device[128];
    sv_error error;
    const sv_status status = sv_cuda.probe(device, sizeof device, &error);
    if (status == SV_NO_DEVICE && !(wanted && !strcmp(wanted, "cuda"))) {
        print_message("%s\n", error.text);
        skip();
    }
    if (status != SV_OK) fail_msg("%s", error.text);
}

static void test_probe(void **state) {
    (void)state;
    need_device();
    char device[128] = "", narrow[4];
    sv_error error;
    assert_int_equal(sv_cuda.probe(device, sizeof device, &error), SV_OK);
    print_message("%s\n", device);
    assert_true(strlen(device) > 0);
    assert_int_equal(sv_cuda.probe(narrow, sizeof narrow, &error), SV_OK);
    assert_true(strlen(narrow) < sizeof narrow);
}

#if SV_CUDA
#include <cuda_runtime_api.h>

static const sv_method methods[] = {SV_SSD, SV_NCC, SV_ZNCC, SV_SGM};
enum { METHODS = sizeof methods / sizeof *methods };

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t code = (call);                                                                               \
        if (code != cudaSuccess) fail_msg("%s: %s", #call, cudaGetErrorString(code));                                  \
    } while (0)

/* ---- Pictures --------------------------------------------------------------------------------- */

/* xorshift32: 0..limit - 1. Each caller has its own state, so that threads can call it. */
static int random_below(uint32_t *state, int limit) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (int)(*state % (uint32_t)limit);
}
#define ONE_OF(state, ...)                                                                                             \
    ((const int[]){__VA_ARGS__}[random_below(state, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))])

static sv_image new_picture(int width, int height, int padding) {
    const size_t stride = (size_t)(width + padding);
    sv_image image = {sv_cuda.alloc(stride * (size_t)height), stride, width, height, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    return image;
}

static sv_pair new_pair(int width, int height, int padding) {
    return (sv_pair){.left = new_picture(width, height, padding), .right = new_picture(width, height, 2 * padding)};
}

static void free_pair(sv_pair *pair) {
    sv_cuda.free(pair->left.data);
    sv_cuda.free(pair->right.data);
    sv_cuda.free(pair->left_colour.data);
    sv_cuda.free(pair->right_colour.data);
}

/* Noise of `levels` grey levels in the right picture; the left one shows it shifted by disparities that increase from
 * row to row and jump in the middle, slightly brighter in places, and flat in one corner. */
static void fill_pair(const sv_pair *pair, uint32_t *state, int levels) {
    const int width = pair->left.width, height = pair->left.height;
    for (int y = 0; y < height; y++) {
        uint8_t *left = sv_row(&pair->left, y), *right = sv_row(&pair->right, y);
        for (int x = 0; x < width; x++) right[x] = (uint8_t)(random_below(state, levels) * 255 / levels);
        for (int x = 0; x < width; x++) {
            const int from = x - y * 40 / height - (x > width / 2 ? 9 : 0);
            const int value = from < 0 ? random_below(state, 256) : right[from] + random_below(state, 3);
            left[x] = x < width / 4 && y < height / 4 ? 90 : (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

/* Colours that follow the grey values, with some noise. */
static void give_colour(sv_pair *pair, uint32_t *state) {
    const sv_image *const grey[] = {&pair->left, &pair->right};
    sv_image *const colour[] = {&pair->left_colour, &pair->right_colour};
    for (int side = 0; side < 2; side++) {
        const int width = grey[side]->width, height = grey[side]->height;
        const size_t stride = 4 * (size_t)(width + side);
        *colour[side] = (sv_image){sv_cuda.alloc(stride * (size_t)height), stride, width, height, SV_COLOUR8, SV_HOST};
        assert_non_null(colour[side]->data);
        for (int y = 0; y < height; y++)
            for (int i = 0; i < 4 * width; i++) {
                const int value = ((const uint8_t *)sv_row(grey[side], y))[i / 4];
                ((uint8_t *)sv_row(colour[side], y))[i] = (uint8_t)(value >> i % 3 ^ random_below(state, 3));
            }
    }
}

static sv_params random_params(uint32_t *state, sv_method method) {
    sv_params params = sv_default_params(method);
    params.rho = ONE_OF(state, 0, 1, 2, 3, 3, 4, 5, 5, 8, 9, 15, 31);
    params.rho_y = ONE_OF(state, -1, -1, -1, 0, 1, 7);
    params.min_disparity = ONE_OF(state, 0, 0, -5, 12, -100);
    params.max_disparity = params.min_disparity + ONE_OF(state, 0, 3, 16, 63, 70, 127);
    params.prefilter = ONE_OF(state, SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE);
    params.steps = ONE_OF(state, 1, 1, 2, 4);
    params.max_cost = (float)ONE_OF(state, 0, 0, 100, 3000);
    params.tau = ONE_OF(state, 0, 1, 1, 2, 5, 16);
    params.min_correlation = (float)ONE_OF(state, -4, -4, 0, 3) / 4;
    params.subpixel = random_below(state, 2);
    params.reseed = ONE_OF(state, 0, 0, 1, 2, 7, 16, 32, 33, 100);
    params.uniqueness = ONE_OF(state, 0, 0, 1, 10, 40, 100);
    params.left_right_check = ONE_OF(state, -1, 0, 1, 2);
    params.speckle_size = ONE_OF(state, 0, 0, 1, 20, 300, 100000);
    params.speckle_range = (float)ONE_OF(state, 0, 1, 2, 8) / 2;
    params.fill = ONE_OF(state, SV_FILL_NONE, SV_FILL_NONE, SV_FILL_ROW, SV_FILL_CROSS);
    params.median = ONE_OF(state, 0, 0, 3, 5);
    params.weighted_median = ONE_OF(state, 0, 0, 1, 2, 7);
    params.average = ONE_OF(state, 0, 0, 3, 5, 9);
    return params;
}

/* Every step of the refinement chain but the left-right check. */
static void use_whole_chain(sv_params *params) {
    params->uniqueness = 10;
    params->speckle_size = 100;
    params->fill = SV_FILL_ROW;
    params->median = 5;
    params->weighted_median = 3;
    params->average = 5;
}

/* ---- Maps ------------------------------------------------------------------------------------- */

enum { GUARD = 256, GUARD_BYTE = 0xa5 }; /* bytes before and behind a map in device memory, and between its rows */

/* A map in device memory; its stride is `padding` pixels wider. */
static sv_image new_device_map(sv_format format, int width, int height, int padding) {
    const size_t stride = (size_t)(width + padding) * sv_pixel_size(format), bytes = stride * (size_t)height;
    void *memory;
    CUDA(cudaMalloc(&memory, bytes + 2 * GUARD));
    CUDA(cudaMemset(memory, GUARD_BYTE, bytes + 2 * GUARD));
    return (sv_image){(char *)memory + GUARD, stride, width, height, format, SV_DEVICE};
}

static sv_output new_device_output(int width, int height, int padding) {
    return (sv_output){new_device_map(SV_FLOAT32, width, height, padding),
                       new_device_map(SV_REASON8, width, height, 3 * padding)};
}

static void free_device_output(const sv_output *output) {
    CUDA(cudaFree((char *)output->disparity.data - GUARD));
    CUDA(cudaFree((char *)output->reason.data - GUARD));
}

static sv_output new_host_output(int width, int height) {
    const size_t pixels = (size_t)width * (size_t)height;
    return (sv_output){{malloc(4 * pixels), 4 * (size_t)width, width, height, SV_FLOAT32, SV_HOST},
                       {malloc(pixels), (size_t)width, width, height, SV_REASON8, SV_HOST}};
}

static void free_host_output(sv_output *output) {
    free(output->disparity.data);
    free(output->reason.data);
}

/* The number of bytes in which a map in device memory differs from the dense map `want`, guards included; and where the
 * first one is. */
static size_t count_wrong(const sv_image *map, const sv_image *want, int *x, int *y) {
    const size_t bytes = map->stride * (size_t)map->height, pixel = sv_pixel_size(map->format);
    const size_t line = (size_t)map->width * pixel;
    uint8_t *got = malloc(bytes + 2 * GUARD);
    size_t wrong = 0;
    CUDA(cudaMemcpy(got, (const char *)map->data - GUARD, bytes + 2 * GUARD, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < bytes + 2 * GUARD; i++) {
        const size_t at = i - GUARD, row = at / map->stride, column = at % map->stride;
        const int inside = i >= GUARD && at < bytes && column < line;
        if (got[i] == (inside ? ((const uint8_t *)want->data)[row * line + column] : GUARD_BYTE)) continue;
        if (!wrong++) *x = inside ? (int)(column / pixel) : -1, *y = inside ? (int)row : -1;
    }
    free(got);
    return wrong;
}

static void check_output(const sv_output *got, const sv_output *want, const sv_params *params) {
    int x = 0, y = 0;
    size_t wrong = count_wrong(&got->reason, &want->reason, &x, &y);
    const char *what = "reason";
    if (!wrong) {
        wrong = count_wrong(&got->disparity, &want->disparity, &x, &y);
        what = "disparity";
    }
    if (wrong)
        fail_msg("%zu bytes of the %s map are not the CPU's, the first at (%d, %d) of %d x %d (-1: a guard byte); %s "
                 "rho %d rho-y %d disparities %d:%d steps %d max-cost %g tau %d reseed %d min-correlation %g subpixel "
                 "%d uniqueness %d check %d speckles %d, %g fill %d median %d weighted %d average %d",
                 wrong, what, x, y, got->reason.width, got->reason.height, sv_method_name(params->method), params->rho,
                 sv_rho_y(params), params->min_disparity, params->max_disparity, params->steps,
                 (double)params->max_cost, params->tau, params->reseed, (double)params->min_correlation,
                 params->subpixel, params->uniqueness, params->left_right_check, params->speckle_size,
                 (double)params->speckle_range, params->fill, params->median, params->weighted_median, params->average);
}

/* ---- Matching --------------------------------------------------------------------------------- */

static sv_matcher *new_matcher(const sv_backend *backend, int width, int height) {
    sv_matcher *matcher;
    sv_error error;
    if (sv_matcher_create(backend, &(sv_matcher_options){.width = width, .height = height}, &matcher, &error) != SV_OK)
        fail_msg("%s", error.text);
    return matcher;
}

static void submit(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output) {
    sv_error error;
    if (sv_submit(matcher, pair, params, output, &error) != SV_OK) fail_msg("%s", error.text);
}

static void wait_for(sv_matcher *matcher) {
    sv_error error;
    if (sv_wait(matcher, NULL, &error) != SV_OK) fail_msg("%s", error.text);
}

/* The maps of the CPU backend for a pair. */
static sv_output cpu_output(const sv_pair *pair, const sv_params *params) {
    sv_output output = new_host_output(pair->left.width, pair->left.height);
    sv_matcher *matcher = new_matcher(&sv_cpu, pair->left.width, pair->left.height);
    submit(matcher, pair, params, &output);
    wait_for(matcher);
    sv_matcher_destroy(matcher);
    return output;
}

/* Checks that both backends give the same maps. */
static void compare(const sv_pair *pair, const sv_params *params, int padding) {
    const int width = pair->left.width, height = pair->left.height;
    sv_output want = cpu_output(pair, params);
    const sv_output got = new_device_output(width, height, padding);
    sv_matcher *matcher = new_matcher(&sv_cuda, width, height);
    submit(matcher, pair, params, &got);
    wait_for(matcher);
    sv_matcher_destroy(matcher);
    check_output(&got, &want, params);
    free_device_output(&got);
    free_host_output(&want);
}

static void test_random_cases(void **state) {
    (void)state;
    need_device();
    uint32_t random = 20171018;
    for (int i = 0; goes_on(i, quick() ? 18 : 300); i++) {
        const int width = ONE_OF(&random, 1, 19, 33, 64, 127, 200, 321), height = ONE_OF(&random, 1, 8, 9, 31, 64, 97);
        const sv_params params = random_params(&random, methods[i % METHODS]);
        sv_pair pair = new_pair(width, height, random_below(&random, 9));
        fill_pair(&pair, &random, ONE_OF(&random, 2, 4, 255));
        compare(&pair, &params, random_below(&random, 20));
        free_pair(&pair);
    }
}

static void test_full_size(void **state) {
    static const int sizes[][2] = {{641, 479}, {1242, 375}, {1920, 1080}}, quick_sizes[][2] = {{321, 97}};
    (void)state;
    need_device();
    uint32_t random = 2;
    for (int i = 0; goes_on(i, quick() ? 1 : (int)(sizeof sizes / sizeof *sizes)); i++)
        for (int method = 0; method < METHODS; method++) {
            sv_params params = sv_default_params(methods[method]);
            params.max_disparity = 70;
            const int *size = quick() ? quick_sizes[i] : sizes[i];
            sv_pair pair = new_pair(size[0], size[1], 14);
            fill_pair(&pair, &random, 255);
            compare(&pair, &params, 0);
            params.left_right_check = -1;
            params.steps = 2;
            params.tau = 4;
            use_whole_chain(&params);
            if (!quick()) compare(&pair, &params, 6);
            free_pair(&pair);
        }
}

/* gfd, whose reference is too slow for such sizes, against the CPU: in grey and in colour, with the kernels for up to
 * 64, 128, 256, 512 and 1024 candidates. */
static void test_gfd(void **state) {
    static const struct {
        int width, height, min, max;
    } sizes[] = {{641, 479, 0, 399},
                 {641, 479, -20, 235},
                 {1242, 375, 0, 70},
                 {1920, 1080, 0, 127},
                 {700, 97, -300, 299}},
      quick_sizes[] = {{150, 20, 0, 255}, {150, 20, -20, 300}, {321, 20, 0, 70}, {65, 20, 0, 63}};
    (void)state;
    need_device();
    uint32_t random = 11;
    for (int i = 0; goes_on(i, quick() ? 4 : 5); i++) {
        const int width = quick() ? quick_sizes[i].width : sizes[i].width;
        const int height = quick() ? quick_sizes[i].height : sizes[i].height;
        sv_params params = sv_default_params(SV_GFD);
        params.min_disparity = quick() ? quick_sizes[i].min : sizes[i].min;
        params.max_disparity = quick() ? quick_sizes[i].max : sizes[i].max;
        sv_pair pair = new_pair(width, height, 3);
        fill_pair(&pair, &random, 255);
        compare(&pair, &params, 0);
        give_colour(&pair, &random);
        params.left_right_check = i % 2 ? -1 : 1;
        params.uniqueness = 5;
        compare(&pair, &params, 2);
        free_pair(&pair);
    }
    for (int i = 0; goes_on(i, quick() ? 6 : 60); i++) {
        const int width = ONE_OF(&random, 1, 33, 127, 200, 321, 700), height = ONE_OF(&random, 1, 8, 31, 64);
        sv_params params = sv_default_params(SV_GFD);
        const int count = ONE_OF(&random, 1, 64, 65, 128, 129, 200, 256, 257, 300, 512, 513, 900);
        params.min_disparity = ONE_OF(&random, 0, 0, -5, 12, -100);
        params.max_disparity = params.min_disparity + count - 1;
        params.rho = ONE_OF(&random, 0, 1, 1, 2, 5, 12);
        params.aggregate = ONE_OF(&random, 0, 1, 2, 4, 15);
        params.prefilter = ONE_OF(&random, SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE);
        params.lambda = (float)ONE_OF(&random, 0, 1, 3, 20, 100);
        params.alpha = (float)ONE_OF(&random, 0, 1, 4) / 4;
        params.scale = ONE_OF(&random, 1, 1, 2, 4);
        params.subpixel = random_below(&random, 2);
        params.uniqueness = ONE_OF(&random, 0, 0, 10, 100);
        params.left_right_check = ONE_OF(&random, -1, 0, 1);
        sv_pair pair = new_pair(width, height, random_below(&random, 9));
        fill_pair(&pair, &random, ONE_OF(&random, 2, 4, 255));
        if (random_below(&random, 2)) give_colour(&pair, &random);
        compare(&pair, &params, random_below(&random, 20));
        free_pair(&pair);
    }
}

/* sgm at sizes and ranges for which its reference is too slow, with every width of its kernels. */
static void test_sgm(void **state) {
    static const struct {
        int width, height, min, max;
    } sizes[] = {{641, 479, 0, 15},    {641, 479, -20, 43},  {1242, 375, 0, 127}, {1241, 376, -1, 79},
                 {1920, 1080, 0, 255}, {700, 97, -300, 211}, {333, 64, 0, 599}},
      quick_sizes[] = {{150, 20, 0, 63}, {150, 20, -20, 100}, {321, 20, 0, 255}, {65, 20, 0, 400}, {65, 9, 0, 599}};
    (void)state;
    need_device();
    uint32_t random = 12;
    for (int i = 0; goes_on(i, quick() ? 5 : 7); i++) {
        const int width = quick() ? quick_sizes[i].width : sizes[i].width;
        const int height = quick() ? quick_sizes[i].height : sizes[i].height;
        sv_pair pair = new_pair(width, height, 3);
        fill_pair(&pair, &random, 255);
        for (int paths = 4; paths <= 8; paths += 4) {
            sv_params params = sv_default_params(SV_SGM);
            params.min_disparity = quick() ? quick_sizes[i].min : sizes[i].min;
            params.max_disparity = quick() ? quick_sizes[i].max : sizes[i].max;
            params.paths = paths;
            compare(&pair, &params, 0);
            params.uniqueness = 5;
            params.left_right_check = -1;
            params.fill = SV_FILL_ROW;
            compare(&pair, &params, 2);
        }
        free_pair(&pair);
    }
    for (int i = 0; goes_on(i, quick() ? 8 : 80); i++) {
        const int width = ONE_OF(&random, 1, 2, 33, 127, 200, 321, 700), height = ONE_OF(&random, 1, 2, 8, 31, 64);
        const int count = ONE_OF(&random, 1, 16, 63, 64, 65, 128, 129, 200, 256, 257, 300, 512, 513, 900);
        sv_params params = sv_default_params(SV_SGM);
        params.min_disparity = ONE_OF(&random, 0, 0, -5, 12, -100);
        params.max_disparity = params.min_disparity + count - 1;
        params.census = ONE_OF(&random, 3, 5, 7);
        params.paths = ONE_OF(&random, 4, 4, 8);
        params.p1 = ONE_OF(&random, 0, 1, 6, 54);
        params.p2 = ONE_OF(&random, 1, 38, 55);
        params.subpixel = random_below(&random, 2);
        params.uniqueness = ONE_OF(&random, 0, 0, 10, 100);
        params.left_right_check = ONE_OF(&random, -1, 0, 1);
        params.holes = ONE_OF(&random, 0, 1, 10, 24);
        params.hole_passes = ONE_OF(&random, 1, 1, 2, 3);
        params.scale = ONE_OF(&random, 1, 1, 2, 4);
        sv_pair pair = new_pair(width, height, random_below(&random, 9));
        fill_pair(&pair, &random, ONE_OF(&random, 2, 4, 255));
        compare(&pair, &params, random_below(&random, 20));
        free_pair(&pair);
    }
}

/* A volume of 1920 x 1080 pixels and 1024 candidates has more than 2^31 bytes, and all volumes together ten times as
 * many. */
static void test_sgm_beyond_32_bits(void **state) {
    (void)state;
    need_device();
    size_t available, total;
    CUDA(cudaMemGetInfo(&available, &total));
    if (quick() || available >> 30 < 20) {
        print_message("skipped: the card has %zu GB free of the 20 that this takes, or is watched\n", available >> 30);
        skip();
    }
    uint32_t random = 13;
    sv_params params = sv_default_params(SV_SGM);
    params.paths = 8;
    params.max_disparity = SV_MAX_DISPARITIES - 1;
    sv_pair pair = new_pair(1920, 1080, 0);
    fill_pair(&pair, &random, 255);
    compare(&pair, &params, 0);
    free_pair(&pair);
}

/* The specialised kernels give the same maps as the general ones; where there is none, this compares a kernel with
 * itself. */
static void test_general_kernels(void **state) {
    (void)state;
    need_device();
    uint32_t random = 20080118;
    for (int i = 0; goes_on(i, quick() ? 12 : 300); i++) {
        const int width = ONE_OF(&random, 1, 15, 16, 17, 65, 200, 321, 700);
        const int height = ONE_OF(&random, 1, 2, 15, 17, 64, 97);
        sv_params params = random_params(&random, i % 2 ? SV_SSD : SV_ZNCC);
        params.rho = random_below(&random, i % 4 == 1 ? 16 : 8);
        params.rho_y = ONE_OF(&random, -1, -1, 0, 1, 3, 7, 15);
        params.min_disparity = ONE_OF(&random, 0, 0, 1, -5, -8, 12, -100, 690, -700);
        params.max_disparity = params.min_disparity +
                               ONE_OF(&random, 0, 3, 31, 32, 33, 70, 72, 111, 112, 128, 129, 220, 255, 256, 511, 800);
        if (params.max_disparity >= SV_MAX_DISPARITIES) params.max_disparity = SV_MAX_DISPARITIES - 1;
        params.max_cost = (float)ONE_OF(&random, 0, 0, 1, 100, 3000);
        params.steps = 1;
        params.uniqueness = 0;
        sv_pair pair = new_pair(width, height, random_below(&random, 9));
        fill_pair(&pair, &random, ONE_OF(&random, 1, 2, 4, 255));
        const sv_output got = new_device_output(width, height, random_below(&random, 20));
        sv_output want = new_host_output(width, height);
        sv_matcher *matcher = new_matcher(&sv_cuda, width, height);
        setenv("SV_CUDA_GENERAL", "1", 1);
        sv_matcher *general = new_matcher(&sv_cuda, width, height);
        unsetenv("SV_CUDA_GENERAL");
        submit(general, &pair, &params, &want);
        submit(matcher, &pair, &params, &got);
        wait_for(general);
        wait_for(matcher);
        sv_matcher_destroy(general);
        sv_matcher_destroy(matcher);
        check_output(&got, &want, &params);
        free_device_output(&got);
        free_host_output(&want);
        free_pair(&pair);
    }
}

/* Pictures with the extremes of brightness, whose sums are the largest and the smallest that there are. */
static void test_extreme_pictures(void **state) {
    enum { WIDTH = 200, HEIGHT = 97 };
    (void)state;
    need_device();
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    for (int kind = 0; kind < 4; kind++)
        for (int rho = 7; rho <= 15; rho += 8) {
            sv_params params = sv_default_params(SV_SSD);
            params.prefilter = SV_PREFILTER_NONE;
            params.rho = rho;
            params.max_disparity = 150;
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    ((uint8_t *)sv_row(&pair.left, y))[x] = kind & 1 ? 255 : 0;
                    ((uint8_t *)sv_row(&pair.right, y))[x] = kind & 2 ? 0 : x < WIDTH / 2 ? 255 : 127;
                }
            compare(&pair, &params, 0);
        }
    free_pair(&pair);
}

static char last_line[256];
static void keep_line(sv_level level, const char *line) {
    if (level == SV_LOG_DEBUG) snprintf(last_line, sizeof last_line, "%s", line);
}

/* The fast kernels run wherever they can. */
static void test_fast_kernels_run(void **state) {
    static const struct {
        sv_method method;
        int rho, candidates;
        const char *kernels;
    } cases[] = {
        {SV_SSD, 0, 71, "ssd on tensor cores"},   {SV_SSD, 5, 512, "ssd on tensor cores"},
        {SV_SSD, 15, 71, "ssd on tensor cores"},  {SV_SSD, 16, 71, "general"},
        {SV_ZNCC, 4, 71, "zncc on tensor cores"}, {SV_NCC, 3, 71, "ncc for small windows"},
    };
    (void)state;
    need_device();
    int major;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major < 8) {
        print_message("this card has no tensor cores for bytes\n");
        skip();
    }
    uint32_t random = 12;
    sv_pair pair = new_pair(640, 60, 0);
    fill_pair(&pair, &random, 255);
    sv_output output = new_host_output(640, 60);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_params params = sv_default_params(cases[i].method);
        params.rho = cases[i].rho;
        params.max_disparity = cases[i].candidates - 1;
        sv_matcher *matcher = new_matcher(&sv_cuda, 640, 60);
        sv_set_log(keep_line);
        submit(matcher, &pair, &params, &output);
        sv_set_log(NULL);
        wait_for(matcher);
        sv_matcher_destroy(matcher);
        if (!strstr(last_line, cases[i].kernels)) fail_msg("%s, not %s", last_line, cases[i].kernels);
    }
    free_host_output(&output);
    free_pair(&pair);
}

static sv_image copy_to_device(const sv_image *image, int padding) {
    const sv_image copy = new_device_map(image->format, image->width, image->height, padding);
    CUDA(cudaMemcpy2D(copy.data, copy.stride, image->data, image->stride,
                      (size_t)image->width * sv_pixel_size(image->format), (size_t)image->height,
                      cudaMemcpyHostToDevice));
    return copy;
}

/* Pictures in device memory give the maps that the same pictures in host memory do, also where only one of them is. */
static void test_pictures_on_device(void **state) {
    (void)state;
    need_device();
    uint32_t random = 21;
    for (int method = 0; method < SV_METHOD_COUNT; method++)
        for (int sides = 1; sides <= 2; sides++) {
            sv_params params = sv_default_params((sv_method)method);
            sv_pair pair = new_pair(200, 60, 5);
            fill_pair(&pair, &random, 255);
            give_colour(&pair, &random);
            params.row_shift = sides == 1 ? 2 : 0; /* takes the way over the unrectified pictures */
            sv_output want = cpu_output(&pair, &params);
            const sv_output got = new_device_output(200, 60, 3);
            sv_pair on_device = pair;
            on_device.left = copy_to_device(&pair.left, 7);
            on_device.left_colour = copy_to_device(&pair.left_colour, 1);
            if (sides == 2) on_device.right = copy_to_device(&pair.right, 0);
            sv_matcher *matcher = new_matcher(&sv_cuda, 200, 60);
            submit(matcher, &on_device, &params, &got);
            wait_for(matcher);
            sv_matcher_destroy(matcher);
            check_output(&got, &want, &params);
            CUDA(cudaFree((char *)on_device.left.data - GUARD));
            CUDA(cudaFree((char *)on_device.left_colour.data - GUARD));
            if (sides == 2) CUDA(cudaFree((char *)on_device.right.data - GUARD));
            free_device_output(&got);
            free_host_output(&want);
            free_pair(&pair);
        }
}

/* The texture unit's interpolation is exact for any two neighbours: row y has the pairs (y, i) and (i, y) of all i. */
static void test_interpolation(void **state) {
    (void)state;
    need_device();
    uint32_t random = 3;
    sv_pair pair = new_pair(512, 256, 0);
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < 512; x++) ((uint8_t *)sv_row(&pair.right, y))[x] = (uint8_t)(x % 2 ? x / 2 : y);
    for (int i = 0; i < (quick() ? 1 : 8); i++)
        for (int steps = 2; steps <= 4; steps += 2) {
            sv_params params = sv_default_params(SV_SSD);
            params.rho = 0;
            params.max_disparity = 2;
            params.steps = steps;
            params.left_right_check = -1;
            params.max_cost = 40;
            for (int y = 0; y < 256; y++)
                for (int x = 0; x < 512; x++)
                    ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)random_below(&random, 256);
            compare(&pair, &params, 0);
        }
    free_pair(&pair);
}

/* Pairs overlap in flight, each with different parameters, some written to device memory and some to host memory. */
static void test_in_flight(void **state) {
    enum { PAIRS = 12, WIDTH = 200, HEIGHT = 60 };
    (void)state;
    need_device();
    uint32_t random = 4;
    sv_pair pairs[PAIRS];
    sv_params params[PAIRS];
    sv_output outputs[PAIRS], wants[PAIRS];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, i);
        fill_pair(&pairs[i], &random, 255);
        params[i] = random_params(&random, methods[random_below(&random, METHODS)]);
        wants[i] = cpu_output(&pairs[i], &params[i]);
        outputs[i] = i % 3 ? new_device_output(WIDTH, HEIGHT, i) : new_host_output(WIDTH, HEIGHT);
    }
    for (int i = 0; i < PAIRS + SV_IN_FLIGHT; i++) {
        if (i >= SV_IN_FLIGHT) wait_for(matcher);
        if (i < PAIRS) submit(matcher, &pairs[i], &params[i], &outputs[i]);
    }
    sv_matcher_destroy(matcher);
    for (int i = 0; i < PAIRS; i++) {
        if (i % 3) {
            check_output(&outputs[i], &wants[i], &params[i]);
            free_device_output(&outputs[i]);
        } else {
            assert_memory_equal(outputs[i].disparity.data, wants[i].disparity.data, 4 * WIDTH * HEIGHT);
            assert_memory_equal(outputs[i].reason.data, wants[i].reason.data, WIDTH * HEIGHT);
            free_host_output(&outputs[i]);
        }
        free_host_output(&wants[i]);
        free_pair(&pairs[i]);
    }
}

/* Frames with equal parameters become graphs, one for each combination of pictures and output; frames with other
 * parameters and larger buffers come in between. */
static void test_frames_alike(void **state) {
    enum { WIDTH = 200, HEIGHT = 60, PAIRS = 3, OUTPUTS = 4 };
    static const struct {
        sv_method method;
        int max_disparity;
        bool whole_chain;
    } turns[] = {{SV_NCC, 30, false}, {SV_SSD, 90, true}, {SV_NCC, 30, false}, {SV_SSD, 300, true},
                 {SV_GFD, 20, false}, {SV_NCC, 90, true}, {SV_ZNCC, 31, true}, {SV_SGM, 31, false}};
    (void)state;
    need_device();
    uint32_t random = 8;
    sv_pair pairs[PAIRS];
    sv_output outputs[OUTPUTS], wants[PAIRS];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, i);
        fill_pair(&pairs[i], &random, 255);
    }
    for (int i = 0; i < OUTPUTS; i++) outputs[i] = new_device_output(WIDTH, HEIGHT, i);
    /* Two frames as launches, four graphs, and some that find theirs. */
    const int frames = quick() ? 8 : 14;
    for (int turn = 0; goes_on(turn, (int)(sizeof turns / sizeof *turns)); turn++) {
        sv_params params = sv_default_params(turns[turn].method);
        params.max_disparity = turns[turn].max_disparity;
        if (turns[turn].whole_chain) use_whole_chain(&params);
        for (int i = 0; i < PAIRS; i++) wants[i] = cpu_output(&pairs[i], &params);
        for (int i = 0; i < frames + SV_IN_FLIGHT; i++) {
            if (i >= SV_IN_FLIGHT) {
                const int done = i - SV_IN_FLIGHT;
                wait_for(matcher);
                check_output(&outputs[done % OUTPUTS], &wants[done % PAIRS], &params);
            }
            if (i < frames) submit(matcher, &pairs[i % PAIRS], &params, &outputs[i % OUTPUTS]);
        }
        for (int i = 0; i < PAIRS; i++) free_host_output(&wants[i]);
    }
    sv_matcher_destroy(matcher);
    for (int i = 0; i < OUTPUTS; i++) free_device_output(&outputs[i]);
    for (int i = 0; i < PAIRS; i++) free_pair(&pairs[i]);
}

/* With two pairs in flight, the next one is uploaded and the one before downloaded while a pair is matched. The profile
 * of some of them is printed. */
static void test_overlap(void **state) {
    enum { WIDTH = 1242, HEIGHT = 375, FRAMES = 8, PAIRS = 100, SHOWN_FROM = 60, SHOWN_TO = 64 };
    (void)state;
    need_device();
    if (quick()) {
        print_message("skipped: tools that watch the program change its times\n");
        skip();
    }
    uint32_t random = 7;
    const sv_params params = sv_default_params(SV_NCC);
    sv_pair pairs[FRAMES];
    sv_output outputs[SV_IN_FLIGHT];
    sv_times times[PAIRS];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT);
    for (int i = 0; i < FRAMES; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, 38);
        fill_pair(&pairs[i], &random, 255);
    }
    for (int i = 0; i < SV_IN_FLIGHT; i++) {
        char *memory = sv_cuda.alloc((size_t)5 * WIDTH * HEIGHT);
        assert_non_null(memory);
        outputs[i] = (sv_output){{memory, 4 * WIDTH, WIDTH, HEIGHT, SV_FLOAT32, SV_HOST},
                                 {memory + 4 * WIDTH * HEIGHT, WIDTH, WIDTH, HEIGHT, SV_REASON8, SV_HOST}};
    }
    for (int i = 0; i < PAIRS + SV_IN_FLIGHT; i++) {
        sv_error error;
        if (i >= SV_IN_FLIGHT && sv_wait(matcher, &times[i - SV_IN_FLIGHT], &error) != SV_OK)
            fail_msg("%s", error.text);
        if (i < PAIRS) submit(matcher, &pairs[i % FRAMES], &params, &outputs[i % SV_IN_FLIGHT]);
    }
    int uploads = 0, downloads = 0;
    for (int i = PAIRS / 2; i < PAIRS - 1; i++) {
        const sv_times *t = &times[i], *next = &times[i + 1];
        const float kernels_end = t->begin[SV_REFINE] + t->ms[SV_REFINE];
        uploads += next->begin[SV_UPLOAD] < kernels_end;
        downloads += t->begin[SV_DOWNLOAD] + t->ms[SV_DOWNLOAD] > next->begin[SV_MATCH];
        assert_true(next->begin[SV_MATCH] >= kernels_end - 0.002f);
    }
    for (int i = SHOWN_FROM; i < SHOWN_TO; i++) {
        print_message("pair %d, us:", i);
        for (int stage = 0; stage < SV_STAGE_COUNT; stage++) {
            const double begin = 1e3 * ((double)times[i].begin[stage] - (double)times[SHOWN_FROM].begin[SV_UPLOAD]);
            if (times[i].ms[stage] > 0)
                print_message("  %s %.0f to %.0f", sv_stage_name(stage), begin,
                              begin + 1e3 * (double)times[i].ms[stage]);
        }
        print_message("\n");
    }
    print_message("of %d pairs, %d were uploaded and %d downloaded during the work on another\n", PAIRS / 2 - 1,
                  uploads, downloads);
    assert_true(uploads > PAIRS / 4);
    assert_true(downloads > PAIRS / 4);
    sv_matcher_destroy(matcher);
    for (int i = 0; i < FRAMES; i++) free_pair(&pairs[i]);
    for (int i = 0; i < SV_IN_FLIGHT; i++) sv_cuda.free(outputs[i].disparity.data);
}

/* One of two threads that match at the same time. Assertions may only fail in the main thread, so this one counts. */
typedef struct job {
    sv_pair pair;
    sv_params params;
    sv_output got, want;
    int rounds, failures;
    sv_error error;
} job;

static void *run_job(void *argument) {
    job *j = argument;
    const size_t pixels = (size_t)j->pair.left.width * (size_t)j->pair.left.height;
    for (int i = 0; i < j->rounds; i++) {
        sv_matcher *matcher = NULL;
        const sv_matcher_options options = {.width = j->pair.left.width, .height = j->pair.left.height};
        if (sv_matcher_create(&sv_cuda, &options, &matcher, &j->error) != SV_OK ||
            sv_submit(matcher, &j->pair, &j->params, &j->got, &j->error) != SV_OK ||
            sv_wait(matcher, NULL, &j->error) != SV_OK ||
            memcmp(j->got.disparity.data, j->want.disparity.data, 4 * pixels) != 0 ||
            memcmp(j->got.reason.data, j->want.reason.data, pixels) != 0)
            j->failures++;
        sv_matcher_destroy(matcher);
    }
    return NULL;
}

static void test_two_threads(void **state) {
    (void)state;
    need_device();
    uint32_t random = 5;
    job jobs[2] = {{.failures = 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        job *j = &jobs[i];
        j->pair = new_pair(321 + 40 * i, 97, 0);
        fill_pair(&j->pair, &random, 255);
        j->params = sv_default_params(methods[i % METHODS]);
        j->want = cpu_output(&j->pair, &j->params);
        j->got = new_host_output(j->pair.left.width, j->pair.left.height);
        j->rounds = quick() ? 2 : 20;
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        if (jobs[i].failures) fail_msg("%d of %d wrong; %s", jobs[i].failures, jobs[i].rounds, jobs[i].error.text);
        free_host_output(&jobs[i].want);
        free_host_output(&jobs[i].got);
        free_pair(&jobs[i].pair);
    }
}

static size_t free_memory(void) {
    size_t available, total;
    CUDA(cudaMemGetInfo(&available, &total));
    return available;
}

/* A matcher frees all the memory that it allocated, and allocates nothing while its parameters stay the same. */
static void test_memory(void **state) {
    enum { WIDTH = 640, HEIGHT = 480, MEBIBYTE = 1 << 20 };
    (void)state;
    need_device();
    if (quick()) {
        print_message("skipped: tools that watch the program, and others at the same time, take memory too\n");
        skip();
    }
    uint32_t random = 6;
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    sv_output output = new_host_output(WIDTH, HEIGHT);
    fill_pair(&pair, &random, 255);
    size_t before = 0;
    for (int i = 0; i < 20; i++) {
        sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT);
        size_t taken = 0;
        for (int j = 0; j < 2 * METHODS; j++) {
            sv_params params = sv_default_params(methods[j % METHODS]);
            use_whole_chain(&params);
            submit(matcher, &pair, &params, &output);
            wait_for(matcher);
            if (j == METHODS - 1) taken = free_memory(); /* every method and both pairs have run */
        }
        assert_true(free_memory() + MEBIBYTE > taken);
        sv_matcher_destroy(matcher);
        /* The first round loads the kernels, which stay. One matcher has more than 10 MiB. */
        if (i == 0) before = free_memory();
        assert_true(free_memory() + MEBIBYTE > before);
    }
    free_host_output(&output);
    free_pair(&pair);
}

/* ---- Failures --------------------------------------------------------------------------------- */

/* Creates a matcher with SV_CUDA_FAULT set. */
static sv_matcher *new_faulty_matcher(const char *fault, int width, int height) {
    setenv("SV_CUDA_FAULT", fault, 1);
    sv_matcher *matcher = new_matcher(&sv_cuda, width, height);
    unsetenv("SV_CUDA_FAULT");
    return matcher;
}

static int warnings;
static char warning[1024];

static void count_warnings(sv_level level, const char *line) {
    if (level > SV_LOG_WARNING) return;
    warnings++;
    snprintf(warning, sizeof warning, "%s", line);
}

/* If no graph can be built, frames are launched kernel by kernel: the maps are right, and one warning says why. A
 * buffer that would have to grow is such a case, and keeps its size. */
static void test_graphs_that_fail(void **state) {
    static const struct {
        const char *fault, *why;
    } faults[] = {{"", NULL}, {"capture", "cudaStreamEndCapture"}, {"reserve", "while kernels are captured"}};
    enum { WIDTH = 200, HEIGHT = 60, FRAMES = 7 };
    (void)state;
    need_device();
    uint32_t random = 9;
    sv_pair pair = new_pair(WIDTH, HEIGHT, 3);
    const sv_output output = new_device_output(WIDTH, HEIGHT, 0);
    fill_pair(&pair, &random, 255);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (quick() && !strcmp(faults[i].fault, "capture")) continue; /* memcheck would report the call that fails */
        sv_matcher *matcher = new_faulty_matcher(faults[i].fault, WIDTH, HEIGHT);
        warnings = 0;
        sv_set_log(count_warnings);
        for (int method = 0; method < METHODS; method++) {
            sv_params params = sv_default_params(methods[method]);
            use_whole_chain(&params);
            sv_output want = cpu_output(&pair, &params);
            for (int frame = 0; frame < FRAMES; frame++) {
                submit(matcher, &pair, &params, &output);
                wait_for(matcher);
                check_output(&output, &want, &params);
            }
            free_host_output(&want);
        }
        sv_set_log(NULL);
        assert_int_equal(warnings, faults[i].why ? 1 : 0);
        if (faults[i].why && !strstr(warning, faults[i].why)) fail_msg("the warning is: %s", warning);
        sv_matcher_destroy(matcher);
    }
    free_device_output(&output);
    free_pair(&pair);
}

/* A part of ncc's fast path that never answers its neighbours: that pair soon fails, and the matcher continues to be
 * right with others. */
static void test_lost_strip(void **state) {
    enum { WIDTH = 700, HEIGHT = 97 };
    (void)state;
    need_device();
    uint32_t random = 10;
    sv_error error;
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    const sv_output output = new_device_output(WIDTH, HEIGHT, 0);
    fill_pair(&pair, &random, 255);
    const sv_params whole = sv_default_params(SV_SSD);
    sv_params exchanging = sv_default_params(SV_NCC);
    exchanging.rho = 3;
    exchanging.reseed = 0;
    sv_output want = cpu_output(&pair, &whole);
    sv_matcher *matcher = new_faulty_matcher("strip", WIDTH, HEIGHT);
    for (int round = 0; round < 3; round++) {
        submit(matcher, &pair, &whole, &output);
        wait_for(matcher);
        check_output(&output, &want, &whole);
        submit(matcher, &pair, &exchanging, &output);
        submit(matcher, &pair, &whole, &output);
        error.text[0] = 0;
        assert_int_equal(sv_wait(matcher, NULL, &error), SV_FAILED);
        assert_non_null(strstr(error.text, "waited in vain"));
        wait_for(matcher);
        check_output(&output, &want, &whole);
    }
    sv_matcher_destroy(matcher);
    compare(&pair, &exchanging, 0);
    free_host_output(&want);
    free_device_output(&output);
    free_pair(&pair);
}

static void test_unknown_fault(void **state) {
    (void)state;
    need_device();
    sv_matcher *matcher = NULL;
    sv_error error = {""};
    setenv("SV_CUDA_FAULT", "nonsense", 1);
    const sv_status status =
        sv_matcher_create(&sv_cuda, &(sv_matcher_options){.width = 8, .height = 8}, &matcher, &error);
    unsetenv("SV_CUDA_FAULT");
    assert_int_equal(status, SV_USAGE);
    assert_null(matcher);
    assert_non_null(strstr(error.text, "nonsense"));
}

#endif

static int print_probe(void) {
    enum { NO_DEVICE = 3 };
    char device[128];
    sv_error error;
    const sv_status status = sv_cuda.probe(device, sizeof device, &error);
    puts(status == SV_OK ? device : error.text);
    return status == SV_OK ? 0 : status == SV_NO_DEVICE ? NO_DEVICE : 1;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),
#if SV_CUDA
        cmocka_unit_test(test_random_cases),
        cmocka_unit_test(test_full_size),
        cmocka_unit_test(test_gfd),
        cmocka_unit_test(test_sgm),
        cmocka_unit_test(test_sgm_beyond_32_bits),
        cmocka_unit_test(test_general_kernels),
        cmocka_unit_test(test_extreme_pictures),
        cmocka_unit_test(test_fast_kernels_run),
        cmocka_unit_test(test_pictures_on_device),
        cmocka_unit_test(test_interpolation),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_frames_alike),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_graphs_that_fail),
        cmocka_unit_test(test_lost_strip),
        cmocka_unit_test(test_unknown_fault),
#endif
    };
    if (argc > 1 && !strcmp(argv[1], "--probe")) return print_probe();
    choose_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
