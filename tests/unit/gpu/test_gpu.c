/* The kernels of ssd, ncc and zncc on CUDA beyond the definitions that test_match.c checks: bit for bit the maps of the
 * CPU, at full size, with any parameters, by the fast kernels where there are any; pictures in device memory. Skipped
 * if there is no device, unless SV_TEST_BACKEND is cuda. With --probe it only prints the device, or why there is none
 * (exit status 3, like the program). */
#include "tests/support/gpu.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(test_probe) {
    need_device();
    char device[128] = "", narrow[4];
    sv_error error;
    assert_int_equal(sv_cuda.probe(0, device, sizeof device, &error), SV_OK);
    print_message("%s\n", device);
    assert_true(strlen(device) > 0);
    assert_int_equal(sv_cuda.probe(0, narrow, sizeof narrow, &error), SV_OK);
    assert_true(strlen(narrow) < sizeof narrow);
}

#if SV_CUDA

/* Every sample of a few bits, or random ones, in a plane whose rows are longer than the picture. */
TEST(test_luma) {
    static const int sizes[][2] = {{1, 1}, {15, 3}, {256, 5}, {641, 33}, {1242, 9}}, depths[] = {8, 10};
    need_device();
    seed_random(9);
    for (int i = 0; i < 20; i++) {
        const int width = sizes[i / 4][0], height = sizes[i / 4][1], depth = depths[i % 2];
        const bool full = i / 2 % 2;
        const int bytes = depth > 8 ? 2 : 1, top = (1 << depth) - 1;
        const size_t stride = (size_t)(width * bytes + 63) / 64 * 64 + 64 * (size_t)(i % 3), grey_stride = 2 * stride;
        uint8_t *samples = malloc(stride * (size_t)height), *grey = sv_cuda.alloc(grey_stride * (size_t)height);
        void *plane, *on_device = sv_cuda.alloc_on(0, grey_stride * (size_t)height);
        assert_non_null(samples);
        assert_non_null(grey);
        assert_non_null(on_device);
        for (size_t k = 0; k < stride * (size_t)height; k++) samples[k] = (uint8_t)random_below(256);
        CUDA(cudaMalloc(&plane, stride * (size_t)height));
        CUDA(cudaMemcpy(plane, samples, stride * (size_t)height, cudaMemcpyHostToDevice));
        const sv_luma luma = {plane, stride, width, height, depth, full, NULL};
        const sv_image to = {on_device, grey_stride, width, height, SV_GREY8, SV_DEVICE};
        const sv_image fetched = {grey, grey_stride, width, height, SV_GREY8, SV_HOST};
        sv_error error;
        if (sv_cuda.grey_of_luma(0, &luma, &to, &error) != SV_OK || sv_cuda.fetch(0, &to, &fetched, &error) != SV_OK)
            fail_msg("%s", error.text);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const uint8_t *at = samples + (size_t)y * stride + (size_t)(x * bytes);
                const int sample = bytes == 2 ? (at[1] << 8 | at[0]) >> 6 : at[0];
                const double black = full ? 0 : 16 << (depth - 8), white = full ? top : 235 << (depth - 8);
                const double wanted = 255 * (sample - black) / (white - black);
                assert_int_equal(grey[(size_t)y * grey_stride + (size_t)x], wanted < 0     ? 0
                                                                            : wanted > 255 ? 255
                                                                                           : (int)(wanted + 0.5));
            }
        CUDA(cudaFree(plane));
        sv_cuda.free(on_device);
        sv_cuda.free(grey);
        free(samples);
    }
}

TEST(test_random_cases) {
    need_device();
    seed_random(20171018);
    for (int i = 0; goes_on(i, quick() ? 18 : 300); i++) {
        const int width = ONE_OF(1, 19, 33, 64, 127, 200, 321), height = ONE_OF(1, 8, 9, 31, 64, 97);
        const sv_params params = random_params(gpu_methods[i % GPU_METHODS]);
        sv_pair pair = new_pair(width, height, random_below(9));
        fill_pair(&pair, ONE_OF(2, 4, 255));
        compare(&pair, &params, random_below(20));
        free_pair(&pair);
    }
}

TEST(test_full_size) {
    static const int sizes[][2] = {{641, 479}, {1242, 375}, {1920, 1080}}, quick_sizes[][2] = {{321, 97}};
    need_device();
    seed_random(2);
    for (int i = 0; goes_on(i, quick() ? 1 : (int)(sizeof sizes / sizeof *sizes)); i++)
        for (int method = 0; method < GPU_METHODS; method++) {
            sv_params params = sv_default_params(gpu_methods[method]);
            params.max_disparity = 70;
            const int *size = quick() ? quick_sizes[i] : sizes[i];
            sv_pair pair = new_pair(size[0], size[1], 14);
            fill_pair(&pair, 255);
            compare(&pair, &params, 0);
            params.left_right_check = -1;
            params.steps = 2;
            params.tau = 4;
            use_whole_chain(&params);
            if (!quick()) compare(&pair, &params, 6);
            free_pair(&pair);
        }
}

/* The specialised kernels give the same maps as the general ones; where there is none, this compares a kernel with
 * itself. */
TEST(test_general_kernels) {
    need_device();
    seed_random(20080118);
    for (int i = 0; goes_on(i, quick() ? 12 : 300); i++) {
        const int width = ONE_OF(1, 15, 16, 17, 65, 200, 321, 700);
        const int height = ONE_OF(1, 2, 15, 17, 64, 97);
        static const sv_method methods[] = {SV_ZNCC, SV_SSD, SV_NCC};
        sv_params params = random_params(methods[i % 3]);
        params.rho = random_below(i % 2 ? 8 : 16);
        params.rho_y = ONE_OF(-1, -1, 0, 1, 3, 7, 15);
        params.min_disparity = ONE_OF(0, 0, 1, -5, -8, 12, -100, 690, -700);
        params.max_disparity =
            params.min_disparity + ONE_OF(0, 3, 31, 32, 33, 70, 72, 111, 112, 128, 129, 220, 255, 256, 511, 800);
        if (params.max_disparity >= SV_MAX_DISPARITIES) params.max_disparity = SV_MAX_DISPARITIES - 1;
        params.max_cost = (float)ONE_OF(0, 0, 1, 100, 3000);
        params.steps = 1;
        if (params.method != SV_NCC) params.uniqueness = 0;
        sv_pair pair = new_pair(width, height, random_below(9));
        fill_pair(&pair, ONE_OF(1, 2, 4, 255));
        const sv_output got = new_device_output(width, height, random_below(20));
        sv_output want = new_host_output(width, height);
        sv_matcher *matcher = new_matcher(&sv_cuda, width, height, 0);
        setenv("SV_CUDA_GENERAL", "1", 1);
        sv_matcher *general = new_matcher(&sv_cuda, width, height, 0);
        unsetenv("SV_CUDA_GENERAL");
        submit_pair(general, &pair, &params, &want);
        submit_pair(matcher, &pair, &params, &got);
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
TEST(test_extreme_pictures) {
    enum { WIDTH = 200, HEIGHT = 97 };
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

/* Stripes of black and white, whose windows have the largest covariances, positive and negative. */
TEST(test_extreme_correlations) {
    enum { WIDTH = 200, HEIGHT = 97 };
    static const sv_method methods[] = {SV_NCC, SV_ZNCC};
    need_device();
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    for (int i = 0; i < 2; i++)
        for (int rho = 3; rho <= 15; rho += 4)
            for (int inverted = 0; inverted < 2; inverted++) {
                sv_params params = params_of(methods[i], rho, 0, 3 * rho);
                for (int y = 0; y < HEIGHT; y++)
                    for (int x = 0; x < WIDTH; x++) {
                        const int white = x / (rho + 1) % 2;
                        ((uint8_t *)sv_row(&pair.left, y))[x] = white ? 255 : 0;
                        ((uint8_t *)sv_row(&pair.right, y))[x] = white == inverted ? 0 : 255;
                    }
                compare(&pair, &params, 0);
            }
    free_pair(&pair);
}

/* ncc in windows above 7x7 processes as many rows at a time as there is memory for. With these candidates they are a
 * seventh and less of the picture, both where bands are independent and where rows follow one another. */
TEST(test_ncc_in_parts) {
    static const int reseed[] = {16, 0, 100, 32};
    need_device();
    if (quick()) {
        print_message("skipped: tools that watch the program make it too slow for pictures of this size\n");
        skip();
    }
    seed_random(14);
    sv_pair pair = new_pair(1920, 1080, 3);
    fill_pair(&pair, 255);
    for (int i = 0; goes_on(i, 4); i++) {
        sv_params params = params_of(SV_NCC, i % 2 ? 11 : 5, -20, 491);
        params.reseed = reseed[i];
        compare(&pair, &params, 0);
    }
    free_pair(&pair);
}

/* Candidates outside the other picture are never tried, whatever the kernel on tensor cores reads there: a window that
 * is black, and another picture whose columns are of medium grey from the second one on, make their costs the smallest
 * that there are. */
TEST(test_pixels_without_candidates) {
    enum { WIDTH = 200, HEIGHT = 97, FIRST = 64 };
    need_device();
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    for (int y = 0; y < HEIGHT; y++) {
        memset(sv_row(&pair.left, y), 0, WIDTH);
        memset(sv_row(&pair.right, y), 128, WIDTH);
        *(uint8_t *)sv_row(&pair.right, y) = 0;
    }
    for (int rho = 13; rho <= 15; rho++)
        for (int min = FIRST - 3; min <= FIRST; min++) { /* all places within a word of four pixels */
            sv_params params = params_of(SV_SSD, rho, min, min + 30);
            params.prefilter = SV_PREFILTER_NONE;
            compare(&pair, &params, 0);
            sv_output want = cpu_output(&pair, &params);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < min; x++)
                    assert_int_equal(((const uint8_t *)sv_row(&want.reason, y))[x], SV_BORDER);
            free_host_output(&want);
        }
    free_pair(&pair);
}

static char last_line[256];
static void keep_line(sv_level level, const char *line) {
    if (level == SV_LOG_DEBUG) snprintf(last_line, sizeof last_line, "%s", line);
}

/* The fast kernels run wherever they can. */
TEST(test_fast_kernels_run) {
    static const struct {
        sv_method method;
        int rho, candidates;
        const char *kernels;
    } cases[] = {
        {SV_SSD, 0, 71, "ssd on tensor cores"},
        {SV_SSD, 5, 512, "ssd on tensor cores"},
        {SV_SSD, 15, 71, "ssd on tensor cores"},
        {SV_SSD, 16, 71, "general"},
        {SV_ZNCC, 4, 71, "zncc on tensor cores"},
        {SV_ZNCC, 15, 71, "zncc on tensor cores"},
        {SV_ZNCC, 16, 71, "general"},
        {SV_NCC, 3, 71, "ncc for small windows"},
        {SV_NCC, 4, 71, "ncc on tensor cores"},
        {SV_NCC, 15, 512, "ncc on tensor cores"},
        {SV_NCC, 16, 71, "general"},
    };
    need_device();
    int major;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major < 8) {
        print_message("this card has no tensor cores for bytes\n");
        skip();
    }
    seed_random(12);
    sv_pair pair = new_pair(640, 60, 0);
    fill_pair(&pair, 255);
    sv_output output = new_host_output(640, 60);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_params params = sv_default_params(cases[i].method);
        params.rho = cases[i].rho;
        params.max_disparity = cases[i].candidates - 1;
        sv_matcher *matcher = new_matcher(&sv_cuda, 640, 60, 0);
        sv_set_log(keep_line);
        submit_pair(matcher, &pair, &params, &output);
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
TEST(test_pictures_on_device) {
    need_device();
    seed_random(21);
    for (int method = 0; method < WITHOUT_MODEL; method++)
        for (int sides = 1; sides <= 2; sides++) {
            sv_params params = sv_default_params((sv_method)method);
            sv_pair pair = new_pair(200, 60, 5);
            fill_pair(&pair, 255);
            give_colour(&pair);
            params.row_shift = sides == 1 ? 2 : 0; /* takes the way over the unrectified pictures */
            sv_output want = cpu_output(&pair, &params);
            const sv_output got = new_device_output(200, 60, 3);
            sv_pair on_device = pair;
            on_device.left = copy_to_device(&pair.left, 7);
            on_device.left_colour = copy_to_device(&pair.left_colour, 1);
            if (sides == 2) on_device.right = copy_to_device(&pair.right, 0);
            sv_matcher *matcher = new_matcher(&sv_cuda, 200, 60, 0);
            submit_pair(matcher, &on_device, &params, &got);
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
TEST(test_interpolation) {
    need_device();
    seed_random(3);
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
                for (int x = 0; x < 512; x++) ((uint8_t *)sv_row(&pair.left, y))[x] = (uint8_t)random_below(256);
            compare(&pair, &params, 0);
        }
    free_pair(&pair);
}

#endif

static int print_probe(void) {
    enum { NO_DEVICE = 3 };
    char device[128];
    sv_error error;
    const sv_status status = sv_cuda.probe(0, device, sizeof device, &error);
    puts(status == SV_OK ? device : error.text);
    return status == SV_OK ? 0 : status == SV_NO_DEVICE ? NO_DEVICE : 1;
}

int main(int count, char **arguments) {
    return count > 1 && !strcmp(arguments[1], "--probe") ? print_probe() : run_all_tests();
}
