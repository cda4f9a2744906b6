/* What looks wrong, the order in which it is reported, and what cures it. */
#include "app/viewer/advice.h"
#include "tests/support/test.h"

#include <string.h>

static advice_facts fine(void) {
    return (advice_facts){.params = sv_default_params(SV_SGM),
                          .alignment = {.points = 100, .known = true, .offset = 0.4f, .spread = 0.3f},
                          .values = 1000,
                          .largest = 20};
}

TEST(nothing_is_wrong) {
    advice_facts f = fine();
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    f.alignment = (row_offset){.offset = 9};
    f.values = f.largest = 0;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

TEST(rows_are_shifted_where_that_helps) {
    advice_facts f = fine();
    char text[128];
    const char *buttons[2];
    f.alignment.offset = -2.6f;
    f.alignment.row_shift = f.params.row_shift = 5;
    assert_int_equal(advice_choose(&f, 0), ADVICE_ROWS);
    advice_describe(ADVICE_ROWS, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Shift it");
    assert_null(buttons[1]);
    assert_string_equal(text, "The right picture is 2.6 rows too high.");
    assert_int_equal(advice_cure(ADVICE_ROWS, &f, 0).row_shift, 2);
    f.alignment.spread = 3; /* no shift would help */
    assert_int_equal(advice_choose(&f, 0), ADVICE_ALIGN);
    advice_describe(ADVICE_ALIGN, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Align them");
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

TEST(the_range_grows_by_a_half) {
    advice_facts f = fine();
    char text[128];
    const char *buttons[2];
    f.largest = 21;
    f.params.min_disparity = 0;
    f.params.max_disparity = 63;
    assert_int_equal(advice_choose(&f, 0), ADVICE_RANGE);
    advice_describe(ADVICE_RANGE, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Raise the limit");
    assert_string_equal(text, "2 % of the disparities are at the limit, 63: nearer objects may be cut off.");
    assert_int_equal(advice_cure(ADVICE_RANGE, &f, 0).max_disparity, 95);
    f.params.max_disparity = 7;
    assert_int_equal(advice_cure(ADVICE_RANGE, &f, 0).max_disparity, 15);
    f.params.max_disparity = SV_MAX_DISPARITY;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

TEST(a_darker_picture_asks_for_another_method) {
    advice_facts f = fine();
    f.params = sv_default_params(SV_GFD);
    f.darker = true;
    assert_int_equal(advice_choose(&f, 0), ADVICE_BRIGHTNESS);
    assert_int_equal(advice_cure(ADVICE_BRIGHTNESS, &f, 0).method, SV_SGM);
    f.params.prefilter = SV_PREFILTER_NONE;
    const sv_params cured = advice_cure(ADVICE_BRIGHTNESS, &f, 1);
    assert_int_equal(cured.method, SV_GFD);
    assert_int_equal(cured.prefilter, SV_PREFILTER_EXPOSURE);
}

/* 100 ms of matching become 12.5 at half the size, and 1.6 at a quarter. */
TEST(what_is_too_slow_becomes_smaller) {
    advice_facts f = fine();
    char text[128];
    const char *buttons[2];
    f.behind = true;
    f.rates = (pace_rates){.source = 25, .matched = 9.85, .match_ms = 100};
    assert_int_equal(advice_choose(&f, 0), ADVICE_PACE);
    advice_describe(ADVICE_PACE, &f, text, sizeof text, buttons);
    assert_string_equal(text, "This computer matches 9.8 of the 25 pairs a second.");
    assert_string_equal(buttons[0], "Skip late frames");
    assert_string_equal(buttons[1], "Match at half size");
    assert_int_equal(advice_cure(ADVICE_PACE, &f, 0).scale, 1);
    assert_int_equal(advice_cure(ADVICE_PACE, &f, 1).scale, 2);
    f.rates.matched = 0.0431; /* a minute for three pairs */
    advice_describe(ADVICE_PACE, &f, text, sizeof text, buttons);
    assert_string_equal(text, "This computer matches 0.043 of the 25 pairs a second.");
    f.rates.matched = 9.85;
    f.rates.source = 200;
    advice_describe(ADVICE_PACE, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[1], "Match at quarter size");
    assert_int_equal(advice_cure(ADVICE_PACE, &f, 1).scale, 4);
    f.rates.source = 5000; /* which no size would reach */
    advice_describe(ADVICE_PACE, &f, text, sizeof text, buttons);
    assert_null(buttons[1]);
    f.real_time = true;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    /* A live source does not wait: the smallest size comes nearest. */
    f.live = true;
    f.params.scale = 2;
    assert_int_equal(advice_choose(&f, 0), ADVICE_PACE);
    advice_describe(ADVICE_PACE, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Match at quarter size");
    assert_null(buttons[1]);
    assert_int_equal(advice_cure(ADVICE_PACE, &f, 0).scale, 4);
    f.params.scale = 4;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

TEST(causes_come_first_and_none_after_it_was_dismissed) {
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
