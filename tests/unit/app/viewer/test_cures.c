/* What the strip says of each item of the rig and of the speed, and what cures it. */
#include "app/viewer/cures.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

static rig_case fine(void) { return (rig_case){.params = sv_default_params(SV_SGM), .rate = 25}; }

static void blame(rig_case *of, sv_rig_item item, double figure, sv_rig_cure cure, int value, int other) {
    of->state.items[item] = (sv_rig_finding){SV_RIG_BAD, figure, cure, {value, other}};
}

static cell describe(const rig_case *of, int which) {
    cell c;
    cures_describe(of, which, &c);
    return c;
}

TEST(what_is_not_known_has_no_figure_and_no_button) {
    const rig_case of = fine();
    for (int i = 0; i < CELL_COUNT; i++) {
        const cell c = describe(&of, i);
        assert_int_equal(c.grade, PANEL_UNKNOWN);
        assert_true(isnan(c.value) && !c.words[0]);
        if (i != SV_RIG_RANGE) assert_string_equal(c.figure, "");
        assert_true(strlen(cures_meaning(i)) > 20 && *cures_name(i));
    }
}

TEST(what_is_good_has_no_button) {
    rig_case of = fine();
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++) of.state.items[i] = (sv_rig_finding){.grade = SV_RIG_GOOD, .figure = 0};
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++) {
        const cell c = describe(&of, i);
        assert_int_equal(c.grade, PANEL_GOOD);
        assert_null(c.words[0]);
    }
    assert_string_equal(describe(&of, SV_RIG_TIME).figure, "same");
    assert_string_equal(describe(&of, SV_RIG_ROWS).figure, "+0.00 px");
    assert_string_equal(describe(&of, SV_RIG_RANGE).figure, "0 to 63");
}

TEST(rows_are_shifted_where_that_helps) {
    rig_case of = fine();
    of.params.row_shift = 5;
    blame(&of, SV_RIG_ROWS, -2.6, SV_RIG_ROW_SHIFT, 2, 0);
    cell c = describe(&of, SV_RIG_ROWS);
    assert_string_equal(c.words[0], "Shift it");
    assert_null(c.words[1]);
    assert_string_equal(c.finding, "The right picture lies 2.6 px too high.");
    assert_string_equal(c.figure, "-2.60 px");
    assert_int_equal(cures_apply(c.cures[0], &of).row_shift, 2);
    blame(&of, SV_RIG_ROWS, 3, SV_RIG_ALIGN, 0, 0); /* no shift would help */
    assert_string_equal(describe(&of, SV_RIG_ROWS).words[0], "Align them");
    of.aligned = true; /* that is being done, or a calibration does it */
    assert_null(describe(&of, SV_RIG_ROWS).words[0]);
}

TEST(a_late_side_is_moved_or_named) {
    rig_case of = fine();
    blame(&of, SV_RIG_TIME, 5, SV_RIG_OFFSET, 5, 0);
    of.moves_right = true;
    cell c = describe(&of, SV_RIG_TIME);
    assert_string_equal(c.finding, "The right picture of the same moment is 5 frames later.");
    assert_string_equal(c.words[0], "Pair with that");
    assert_string_equal(c.figure, "+5");
    blame(&of, SV_RIG_TIME, -1, SV_RIG_OFFSET, -1, 0);
    assert_string_equal(describe(&of, SV_RIG_TIME).finding, "The right picture of the same moment is 1 frame earlier.");
    of.live = true;
    of.moves_right = false;
    c = describe(&of, SV_RIG_TIME);
    assert_string_equal(c.finding, "The left camera is 40 ms late.");
    assert_string_equal(c.figure, "-40 ms");
    assert_null(c.words[0]);
}

TEST(a_chosen_range_is_widened) {
    rig_case of = fine();
    blame(&of, SV_RIG_RANGE, 21, SV_RIG_WIDEN, -8, 95);
    of.params.min_disparity = 0;
    of.params.max_disparity = 63;
    assert_null(describe(&of, SV_RIG_RANGE).words[0]); /* it follows by itself */
    sv_choose_range(&of.params, true);
    const cell c = describe(&of, SV_RIG_RANGE);
    assert_string_equal(c.words[0], "Widen the range");
    assert_string_equal(c.finding, "21.0 % of the disparities are outside the range, 0 to 63.");
    const sv_params cured = cures_apply(c.cures[0], &of);
    assert_int_equal(cured.min_disparity, -8);
    assert_int_equal(cured.max_disparity, 95);
}

TEST(a_darker_picture_asks_for_another_method) {
    rig_case of = fine();
    of.params = sv_default_params(SV_GFD);
    blame(&of, SV_RIG_BRIGHTNESS, 40, SV_RIG_METHOD, 0, 0);
    const cell c = describe(&of, SV_RIG_BRIGHTNESS);
    assert_string_equal(c.figure, "-40 %");
    assert_int_equal(cures_apply(c.cures[0], &of).method, SV_SGM);
    of.params.prefilter = SV_PREFILTER_NONE;
    const sv_params cured = cures_apply(c.cures[1], &of);
    assert_int_equal(cured.method, SV_GFD);
    assert_int_equal(cured.prefilter, SV_PREFILTER_EXPOSURE);
}

TEST(what_was_found_of_the_layout_can_be_undone) {
    rig_case of = fine();
    of.offer = "Left and right were swapped, and have been exchanged.";
    of.offer_cure = "Undo";
    cell c = describe(&of, SV_RIG_ORDER);
    assert_string_equal(c.finding, of.offer);
    assert_int_equal(c.cures[0], CURE_ARRANGE);
    assert_null(c.words[1]);
    blame(&of, SV_RIG_ORDER, 99, SV_RIG_SWAP, 0, 0);
    c = describe(&of, SV_RIG_ORDER);
    assert_string_equal(c.words[1], "Swap them");
    of.offer = NULL;
    assert_int_equal(describe(&of, SV_RIG_ORDER).cures[0], CURE_SWAP);
}

/* 100 ms of matching become 12.5 at half the size, and 1.6 at a quarter. */
TEST(what_is_too_slow_becomes_smaller) {
    rig_case of = fine();
    of.rates = (pace_rates){.source = 25, .matched = 9.85, .match_ms = 100};
    assert_int_equal(describe(&of, CELL_SPEED).grade, PANEL_GOOD);
    of.behind = true;
    cell c = describe(&of, CELL_SPEED);
    assert_int_equal(c.grade, PANEL_DOUBTFUL);
    assert_string_equal(c.finding, "This computer matches 9.8 of the 25 pairs a second.");
    assert_string_equal(c.words[0], "Skip late frames");
    assert_string_equal(c.words[1], "Match at half size");
    assert_int_equal(cures_apply(c.cures[0], &of).scale, 1);
    assert_int_equal(cures_apply(c.cures[1], &of).scale, 2);
    of.rates.matched = 0.0431; /* a minute for three pairs */
    assert_string_equal(describe(&of, CELL_SPEED).finding, "This computer matches 0.043 of the 25 pairs a second.");
    of.rates.matched = 9.85;
    of.rates.source = 200;
    c = describe(&of, CELL_SPEED);
    assert_string_equal(c.words[1], "Match at quarter size");
    assert_int_equal(cures_apply(c.cures[1], &of).scale, 4);
    of.rates.source = 5000; /* which no size would reach */
    assert_null(describe(&of, CELL_SPEED).words[1]);
    of.real_time = true;
    assert_null(describe(&of, CELL_SPEED).words[0]);
    /* A live source does not wait: the smallest size comes nearest. */
    of.live = true;
    of.params.scale = 2;
    c = describe(&of, CELL_SPEED);
    assert_int_equal(c.grade, PANEL_BAD);
    assert_string_equal(c.words[0], "Match at quarter size");
    assert_null(c.words[1]);
    of.params.scale = 4;
    assert_null(describe(&of, CELL_SPEED).words[0]);
}
