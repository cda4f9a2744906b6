/* What looks wrong, in which order it is told, and what cures it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/advice.h"

#include <string.h>

static advice_facts fine(void) {
    return (advice_facts){.params = sv_default_params(SV_SGM),
                          .alignment = {.points = 100, .known = true, .offset = 0.4f, .spread = 0.3f},
                          .values = 1000,
                          .largest = 20};
}

static void nothing_is_wrong(void **state) {
    (void)state;
    advice_facts f = fine();
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    f.alignment = (alignment){.offset = 9};
    f.values = f.largest = 0;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

static void rows_are_shifted_where_that_helps(void **state) {
    (void)state;
    advice_facts f = fine();
    char text[128];
    f.alignment.offset = -2.6f;
    f.alignment.row_shift = f.params.row_shift = 5;
    assert_int_equal(advice_choose(&f, 0), ADVICE_ROWS);
    assert_string_equal(advice_describe(ADVICE_ROWS, &f, text, sizeof text), "Shift it");
    assert_string_equal(text, "The right picture is 2.6 rows too high.");
    assert_int_equal(advice_cure(ADVICE_ROWS, &f).row_shift, 2);
    f.alignment.spread = 3; /* no shift would help */
    assert_int_equal(advice_choose(&f, 0), ADVICE_ALIGN);
    assert_string_equal(advice_describe(ADVICE_ALIGN, &f, text, sizeof text), "Align them");
    assert_string_equal(text, "The rows are off by amounts that vary by 3.0 px over the picture.");
    f.aligned = true; /* that is being done, or a calibration does it */
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    f = fine();
    f.alignment.offset = 2;
    f.params.row_shift = 2; /* measured before it was applied */
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    f.alignment.row_shift = f.params.row_shift = 63;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

static void the_range_grows_by_a_half(void **state) {
    (void)state;
    advice_facts f = fine();
    char text[128];
    f.largest = 21;
    f.params.min_disparity = 0;
    f.params.max_disparity = 63;
    assert_int_equal(advice_choose(&f, 0), ADVICE_RANGE);
    assert_string_equal(advice_describe(ADVICE_RANGE, &f, text, sizeof text), "Raise the limit");
    assert_string_equal(text, "2 % of the disparities are at the limit, 63: nearer objects may be cut off.");
    assert_int_equal(advice_cure(ADVICE_RANGE, &f).max_disparity, 95);
    f.params.max_disparity = 7;
    assert_int_equal(advice_cure(ADVICE_RANGE, &f).max_disparity, 15);
    f.params.max_disparity = SV_MAX_DISPARITY;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

static void brightness_and_pace(void **state) {
    (void)state;
    advice_facts f = fine();
    f.params = sv_default_params(SV_GFD);
    f.darker = true;
    assert_int_equal(advice_choose(&f, 0), ADVICE_BRIGHTNESS);
    assert_int_equal(advice_cure(ADVICE_BRIGHTNESS, &f).method, SV_SGM);
    f = fine();
    f.behind = true;
    assert_int_equal(advice_choose(&f, 0), ADVICE_PACE);
    f.real_time = true;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    f.live = true;
    f.params.scale = 2;
    assert_int_equal(advice_choose(&f, 0), ADVICE_PACE);
    assert_int_equal(advice_cure(ADVICE_PACE, &f).scale, 4);
    f.params.scale = 4;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

static void causes_come_first_and_none_after_it_was_dismissed(void **state) {
    (void)state;
    advice_facts f = fine();
    f.swapped = f.darker = f.behind = true;
    f.alignment.offset = 5;
    f.largest = 500;
    unsigned dismissed = 0;
    for (int i = ADVICE_SWAPPED; i <= ADVICE_PACE; i++) {
        f.alignment.spread = i == ADVICE_ALIGN ? 5 : 0.3f;
        assert_int_equal(advice_choose(&f, dismissed), i);
        dismissed |= 1u << i;
    }
    assert_int_equal(advice_choose(&f, dismissed), ADVICE_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_wrong),
        cmocka_unit_test(rows_are_shifted_where_that_helps),
        cmocka_unit_test(the_range_grows_by_a_half),
        cmocka_unit_test(brightness_and_pace),
        cmocka_unit_test(causes_come_first_and_none_after_it_was_dismissed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
