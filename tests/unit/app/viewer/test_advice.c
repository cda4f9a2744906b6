/* What looks wrong, the order in which it is reported, and what cures it. */
#include "app/viewer/advice.h"
#include "tests/support/test.h"

#include <string.h>

static advice_facts fine(void) { return (advice_facts){.params = sv_default_params(SV_SGM), .rate = 25}; }

static void blame(advice_facts *f, sv_rig_item item, double figure, sv_rig_cure cure, int value, int other) {
    f->state.items[item] = (sv_rig_finding){SV_RIG_BAD, figure, cure, {value, other}};
}

TEST(nothing_is_wrong) {
    advice_facts f = fine();
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++) {
        blame(&f, (sv_rig_item)i, 9, SV_RIG_NO_CURE, 0, 0); /* what nothing here cures */
        f.state.items[i].grade = SV_RIG_DOUBTFUL;
    }
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

TEST(rows_are_shifted_where_that_helps) {
    advice_facts f = fine();
    char text[128];
    const char *buttons[2];
    f.params.row_shift = 5;
    blame(&f, SV_RIG_ROWS, -2.6, SV_RIG_ROW_SHIFT, 2, 0);
    assert_int_equal(advice_choose(&f, 0), ADVICE_ROWS);
    advice_describe(ADVICE_ROWS, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Shift it");
    assert_null(buttons[1]);
    assert_string_equal(text, "The right picture is 2.6 rows too high.");
    assert_int_equal(advice_cure(ADVICE_ROWS, &f, 0).row_shift, 2);
    blame(&f, SV_RIG_ROWS, 3, SV_RIG_ALIGN, 0, 0); /* no shift would help */
    assert_int_equal(advice_choose(&f, 0), ADVICE_ALIGN);
    advice_describe(ADVICE_ALIGN, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Align them");
    f.aligned = true; /* that is being done, or a calibration does it */
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE);
}

TEST(a_late_side_is_moved_or_named) {
    advice_facts f = fine();
    char text[128];
    const char *buttons[2];
    blame(&f, SV_RIG_TIME, 5, SV_RIG_OFFSET, 5, 0);
    f.moves_right = true;
    assert_int_equal(advice_choose(&f, 0), ADVICE_TIME);
    advice_describe(ADVICE_TIME, &f, text, sizeof text, buttons);
    assert_string_equal(text, "The right picture of the same moment is 5 frames later.");
    assert_string_equal(buttons[0], "Pair with that");
    blame(&f, SV_RIG_TIME, -1, SV_RIG_OFFSET, -1, 0);
    advice_describe(ADVICE_TIME, &f, text, sizeof text, buttons);
    assert_string_equal(text, "The right picture of the same moment is 1 frame earlier.");
    f.live = true;
    f.moves_right = false;
    advice_describe(ADVICE_TIME, &f, text, sizeof text, buttons);
    assert_string_equal(text, "The left camera is 40 ms late.");
    assert_null(buttons[0]);
}

TEST(a_chosen_range_is_widened) {
    advice_facts f = fine();
    char text[128];
    const char *buttons[2];
    blame(&f, SV_RIG_RANGE, 21, SV_RIG_WIDEN, -8, 95);
    f.params.min_disparity = 0;
    f.params.max_disparity = 63;
    assert_int_equal(advice_choose(&f, 0), ADVICE_NONE); /* it follows by itself */
    sv_choose_range(&f.params, true);
    assert_int_equal(advice_choose(&f, 0), ADVICE_RANGE);
    advice_describe(ADVICE_RANGE, &f, text, sizeof text, buttons);
    assert_string_equal(buttons[0], "Widen the range");
    assert_string_equal(text, "21 % of the disparities are outside the range, 0 to 63.");
    const sv_params cured = advice_cure(ADVICE_RANGE, &f, 0);
    assert_int_equal(cured.min_disparity, -8);
    assert_int_equal(cured.max_disparity, 95);
}

TEST(a_darker_picture_asks_for_another_method) {
    advice_facts f = fine();
    f.params = sv_default_params(SV_GFD);
    blame(&f, SV_RIG_BRIGHTNESS, 40, SV_RIG_METHOD, 0, 0);
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
    sv_choose_range(&f.params, true);
    f.behind = true;
    blame(&f, SV_RIG_ORDER, 99, SV_RIG_SWAP, 0, 0);
    blame(&f, SV_RIG_TIME, 3, SV_RIG_OFFSET, 3, 0);
    blame(&f, SV_RIG_BRIGHTNESS, 40, SV_RIG_METHOD, 0, 0);
    blame(&f, SV_RIG_RANGE, 40, SV_RIG_WIDEN, 0, 99);
    unsigned dismissed = 0;
    for (int i = ADVICE_SWAPPED; i <= ADVICE_PACE; i++) {
        blame(&f, SV_RIG_ROWS, 5, i == ADVICE_ALIGN ? SV_RIG_ALIGN : SV_RIG_ROW_SHIFT, 5, 0);
        assert_int_equal(advice_choose(&f, dismissed), i);
        dismissed |= 1u << i;
    }
    assert_int_equal(advice_choose(&f, dismissed), ADVICE_NONE);
}
