/* Maps of 16 bits: in KITTI's format a disparity of d pixels is round(256 d), from 1 to 65535, and 0 is none. */
#include <math.h>
#include <string.h>

#include "map/export.h"
#include "tests/support/test.h"

TEST(values_are_rounded_and_what_does_not_fit_is_none) {
    static const struct {
        float disparity;
        uint16_t value;
        bool fits;
    } cases[] = {
        {INFINITY, 0, true},
        {0, 0, false},
        {-3, 0, false},
        {0.001f, 0, false},
        {0.002f, 1, true},
        {1, 256, true},
        {12.3125f, 3152, true},
        {65535 / 256.0f, 65535, true},
        {65535.4f / 256, 65535, true},
        {65535.6f / 256, 0, false},
        {256, 0, false},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    float disparities[COUNT];
    uint16_t values[COUNT];
    int64_t unfit = 0, expected = 0;
    for (int i = 0; i < COUNT; i++) {
        disparities[i] = cases[i].disparity;
        expected += !cases[i].fits;
    }
    const sv_image map = {disparities, sizeof disparities, COUNT, 1, SV_FLOAT32, SV_HOST};
    export_kitti_values("map.png", &map, values, &unfit);
    for (int i = 0; i < COUNT; i++) assert_int_equal(values[i], cases[i].value);
    assert_int_equal(unfit, expected);
}
