/* gfd and sgm on CUDA, at sizes and ranges for which their definitions are too slow: bit for bit the maps of the CPU.
 * Skipped if there is no device, unless SV_TEST_BACKEND is cuda. */
#include "tests/support/gpu.h"
#include "tests/support/test.h"

#if SV_CUDA

/* gfd, whose reference is too slow for such sizes, against the CPU: in grey and in colour, with the kernels for up to
 * 64, 128, 256, 512 and 1024 candidates. */
TEST(test_gfd) {
    static const struct {
        int width, height, min, max;
    } sizes[] = {{641, 479, 0, 399},
                 {641, 479, -20, 235},
                 {1242, 375, 0, 70},
                 {1920, 1080, 0, 127},
                 {700, 97, -300, 299}},
      quick_sizes[] = {{150, 20, 0, 255}, {150, 20, -20, 300}, {321, 20, 0, 70}, {65, 20, 0, 63}};
    need_device();
    seed_random(11);
    for (int i = 0; goes_on(i, quick() ? 4 : 5); i++) {
        const int width = quick() ? quick_sizes[i].width : sizes[i].width;
        const int height = quick() ? quick_sizes[i].height : sizes[i].height;
        sv_params params = sv_default_params(SV_GFD);
        params.min_disparity = quick() ? quick_sizes[i].min : sizes[i].min;
        params.max_disparity = quick() ? quick_sizes[i].max : sizes[i].max;
        sv_pair pair = new_pair(width, height, 3);
        fill_pair(&pair, 255);
        compare(&pair, &params, 0);
        give_colour(&pair);
        params.left_right_check = i % 2 ? -1 : 1;
        params.uniqueness = 5;
        compare(&pair, &params, 2);
        free_pair(&pair);
    }
    for (int i = 0; goes_on(i, quick() ? 6 : 60); i++) {
        const int width = ONE_OF(1, 33, 127, 200, 321, 700), height = ONE_OF(1, 8, 31, 64);
        sv_params params = sv_default_params(SV_GFD);
        const int count = ONE_OF(1, 64, 65, 128, 129, 200, 256, 257, 300, 512, 513, 900);
        params.min_disparity = ONE_OF(0, 0, -5, 12, -100);
        params.max_disparity = params.min_disparity + count - 1;
        params.rho = ONE_OF(0, 1, 1, 2, 3, 5, 12);
        params.aggregate = ONE_OF(0, 1, 2, 4, 15);
        params.prefilter = ONE_OF(SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE);
        params.lambda = (float)ONE_OF(0, 1, 3, 20, 100);
        params.alpha = (float)ONE_OF(0, 1, 4) / 4;
        params.scale = ONE_OF(1, 1, 2, 4);
        params.subpixel = random_below(2);
        params.uniqueness = ONE_OF(0, 0, 10, 100);
        params.left_right_check = ONE_OF(-1, 0, 1);
        sv_pair pair = new_pair(width, height, random_below(9));
        fill_pair(&pair, ONE_OF(2, 4, 255));
        if (random_below(2)) give_colour(&pair);
        compare(&pair, &params, random_below(20));
        free_pair(&pair);
    }
}

/* sgm at sizes and ranges for which its reference is too slow, with every width of its kernels. */
TEST(test_sgm) {
    static const struct {
        int width, height, min, max;
    } sizes[] = {{641, 479, 0, 15},    {641, 479, -20, 43},  {1242, 375, 0, 127}, {1241, 376, -1, 79},
                 {1920, 1080, 0, 255}, {700, 97, -300, 211}, {333, 64, 0, 599}},
      quick_sizes[] = {{150, 20, 0, 63}, {150, 20, -20, 100}, {321, 20, 0, 255}, {65, 20, 0, 400}, {65, 9, 0, 599}};
    need_device();
    seed_random(12);
    for (int i = 0; goes_on(i, quick() ? 5 : 7); i++) {
        const int width = quick() ? quick_sizes[i].width : sizes[i].width;
        const int height = quick() ? quick_sizes[i].height : sizes[i].height;
        sv_pair pair = new_pair(width, height, 3);
        fill_pair(&pair, 255);
        sv_params params = sv_default_params(SV_SGM);
        params.min_disparity = quick() ? quick_sizes[i].min : sizes[i].min;
        params.max_disparity = quick() ? quick_sizes[i].max : sizes[i].max;
        compare(&pair, &params, 0);
        params.uniqueness = 5;
        params.left_right_check = -1;
        params.fill = SV_FILL_ROW;
        compare(&pair, &params, 2);
        free_pair(&pair);
    }
    for (int i = 0; goes_on(i, quick() ? 8 : 80); i++) {
        const int width = ONE_OF(1, 2, 33, 127, 200, 321, 700), height = ONE_OF(1, 2, 8, 31, 64);
        const int count = ONE_OF(1, 16, 63, 64, 65, 128, 129, 200, 256, 257, 300, 512, 513, 900);
        sv_params params = sv_default_params(SV_SGM);
        params.min_disparity = ONE_OF(0, 0, -5, 12, -100);
        params.max_disparity = params.min_disparity + count - 1;
        params.census = ONE_OF(3, 5, 7);
        params.p1 = ONE_OF(0, 1, 6, 54);
        params.p2 = ONE_OF(1, 38, 55);
        params.subpixel = random_below(2);
        params.uniqueness = ONE_OF(0, 0, 10, 100);
        params.left_right_check = ONE_OF(-1, 0, 1);
        params.holes = ONE_OF(0, 1, 10, 24);
        params.hole_passes = ONE_OF(1, 1, 2, 3);
        params.scale = ONE_OF(1, 1, 2, 4);
        sv_pair pair = new_pair(width, height, random_below(9));
        fill_pair(&pair, ONE_OF(2, 4, 255));
        compare(&pair, &params, random_below(20));
        free_pair(&pair);
    }
}

/* A volume of 1920 x 1080 pixels and 1024 candidates has more than 2^31 bytes, and all volumes together nearly five
 * times as many. */
TEST(test_sgm_beyond_32_bits) {
    need_device();
    size_t available, total;
    CUDA(cudaMemGetInfo(&available, &total));
    if (quick() || available >> 30 < 12) {
        print_message("skipped: the card has %zu GB free of the 12 that this takes, or is watched\n", available >> 30);
        skip();
    }
    seed_random(13);
    sv_params params = sv_default_params(SV_SGM);
    params.max_disparity = SV_MAX_DISPARITIES - 1;
    sv_pair pair = new_pair(1920, 1080, 0);
    fill_pair(&pair, 255);
    compare(&pair, &params, 0);
    free_pair(&pair);
}

#else

TEST(cuda_is_there) { need_device(); }

#endif
