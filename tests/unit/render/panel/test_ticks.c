/* What a legend labels: round values at their places, never fewer than two. */
#include <math.h>

#include "render/panel/ticks.h"
#include "tests/support/test.h"

static const double spacing = 0.09; /* of a legend in a window of 400 pixels */

/* Upwards, or downwards: by `sign`. */
static void assert_in_order(const tick *ticks, int count, int sign) {
    for (int i = 0; i < count; i++) {
        assert_true(ticks[i].place >= 0 && ticks[i].place <= 1 + 1e-6);
        if (i) assert_true(sign * (ticks[i].place - ticks[i - 1].place) >= spacing - 1e-9);
    }
}

TEST(pixels_are_round) {
    tick ticks[TICKS_MOST];
    assert_int_equal(ticks_of_pixels(-3, 60, spacing, ticks), 7);
    for (int i = 0; i < 7; i++) {
        assert_true(fabs(ticks[i].value - 10 * i) < 1e-9);
        assert_true(fabs(ticks[i].place - (10 * i + 3) / 63.0) < 1e-9);
    }
    for (double width = 1; width < 2000; width *= 1.3)
        for (double min = -1024; min < 1000; min += 77) {
            const int count = ticks_of_pixels(min, min + width, spacing, ticks);
            assert_true(count >= 2);
            assert_in_order(ticks, count, 1);
        }
    assert_int_equal(ticks_of_pixels(5, 5, spacing, ticks), 0);
}

/* Depth is 386 / disparity metres, as KITTI's rig has it. */
TEST(metres_are_never_alone) {
    tick ticks[TICKS_MOST];
    for (int ratios = 0; ratios < 2; ratios++)
        for (double min = 1; min < 1000; min *= 1.4)
            for (double width = 1; width < 1000; width *= 1.5) {
                const tick_scale scale = {min, min + width, 386, 0, ratios};
                const int count = ticks_of_metres(&scale, spacing, ticks);
                assert_true(count >= 2);
                assert_in_order(ticks, count, -1);
                for (int i = 0; i < count; i++) {
                    const double d = 386 / ticks[i].value;
                    const double place = ratios ? log(d / min) / log((min + width) / min) : (d - min) / width;
                    assert_true(fabs(place - ticks[i].place) < 1e-9);
                }
            }
    /* A tick is at the place of its disparity, also where zero disparity is not at infinity. */
    for (int ratios = 0; ratios < 2; ratios++) {
        const tick_scale scale = {5, 60, 386, 12, ratios};
        const int count = ticks_of_metres(&scale, spacing, ticks);
        assert_true(count >= 2);
        for (int i = 0; i < count; i++)
            assert_true(fabs(ticks_place(&scale, 386 / ticks[i].value - 12) - ticks[i].place) < 1e-9);
    }
    /* The narrow range of which a legend had no label: from 6.03 to 8.21 metres. */
    const int count = ticks_of_metres(&(tick_scale){47, 64, 386, 0, false}, spacing, ticks);
    assert_true(count >= 2 && ticks[0].value >= 6 && ticks[count - 1].value <= 8.3);
    /* No depth at all, and one that ends at infinity. */
    assert_int_equal(ticks_of_metres(&(tick_scale){-64, -1, 386, 0, false}, spacing, ticks), 0);
    assert_true(ticks_of_metres(&(tick_scale){0, 63, 386, 0, false}, spacing, ticks) >= 5);
    assert_true(ticks_of_metres(&(tick_scale){0, 63, 50, -3, false}, spacing, ticks) >= 5);
}
