/* The state of a rig, rig/state: which faults the measured facts mean, and what fixes them. */
#include "rig/state.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 10 };

/* A pair that is right: both sides of one moment of a scene that moves. */
static rig_facts fine(void) {
    rig_facts f = {.measured = true,
                   .params = sv_default_params(SV_SGM),
                   .probe = {.share = 90, .median = 20, .least = 3, .most = 50},
                   .share = 90,
                   .rows = {.points = 900, .offset = 0.1f, .spread = 0.2f},
                   .brightness = {.left = 100, .right = 98},
                   .moments = {.reach = REACH}};
    for (int i = 0; i <= 2 * REACH; i++) {
        f.moments.shares[i] = 90 - 15 * fminf(4, fabsf((float)(i - REACH)));
        f.moments.medians[i] = 20 - (float)abs(i - REACH);
    }
    return f;
}

/* Moves the peak, so that the right pictures are to be `frames` later. */
static void delay(rig_facts *f, int frames) {
    for (int i = 0; i <= 2 * REACH; i++) f->moments.shares[i] = 90 - 15 * fminf(4, fabsf((float)(i - REACH - frames)));
    f->share = f->probe.share = f->moments.shares[REACH];
}

static sv_rig_finding judge(const rig_facts *f, sv_rig_item item) {
    sv_rig_state judged;
    rig_judge(f, &judged);
    return judged.items[item];
}

static void assert_finding(const rig_facts *f, sv_rig_item item, sv_rig_grade grade, sv_rig_cure cure, int value) {
    const sv_rig_finding found = judge(f, item);
    if (found.grade != grade || found.cure != cure || (cure && found.values[0] != value))
        fail_msg("%s: grade %d, cure %d with %d, not %d, %d with %d", sv_rig_item_name(item), found.grade, found.cure,
                 found.values[0], grade, cure, value);
}

TEST(nothing_is_known_before_a_measurement) {
    const rig_facts none = {.measured = false};
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++) {
        assert_finding(&none, (sv_rig_item)i, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
        assert_true(isnan(judge(&none, (sv_rig_item)i).figure));
    }
}

TEST(a_right_pair_is_good) {
    rig_facts f = fine();
    f.calibrated = true;
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++) assert_finding(&f, (sv_rig_item)i, SV_RIG_GOOD, SV_RIG_NO_CURE, 0);
    f.calibrated = false;
    assert_finding(&f, SV_RIG_CALIBRATION, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}

TEST(pictures_of_two_scenes_are_bad_input) {
    rig_facts f = fine();
    f.moments.reach = 0;
    f.share = f.probe.share = 12;
    assert_finding(&f, SV_RIG_INPUT, SV_RIG_BAD, SV_RIG_NO_CURE, 0);
    f.half = true; /* the two halves of one: that is its layout */
    assert_finding(&f, SV_RIG_INPUT, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_BAD, SV_RIG_LAYOUT, 0);
    f.half = false;
    f.share = f.probe.share = 40;
    assert_finding(&f, SV_RIG_INPUT, SV_RIG_DOUBTFUL, SV_RIG_NO_CURE, 0);
    f.share = f.probe.share = 0; /* no texture */
    assert_finding(&f, SV_RIG_INPUT, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    f = fine();
    f.probe = (probe_result){.share = 99};
    f.share = 99;
    assert_finding(&f, SV_RIG_INPUT, SV_RIG_DOUBTFUL, SV_RIG_NO_CURE, 0); /* one picture twice */
}

TEST(swapped_sides_are_bad_unless_a_turn_may_be_the_cause) {
    rig_facts f = fine();
    f.swapped = true;
    for (int i = 0; i <= 2 * REACH; i++) f.moments.medians[i] = -f.moments.medians[i];
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_BAD, SV_RIG_SWAP, 0);
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    /* Without a peak: the camera turns, so at other moments the disparities are positive. */
    for (int i = 0; i <= 2 * REACH; i++) f.moments.shares[i] = 90;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_BAD, SV_RIG_SWAP, 0);
    f.moments.medians[3] = 15;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_DOUBTFUL, SV_RIG_SWAP, 0);
    f.calibrated = true;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}

/* Toed-in cameras have negative disparities, too: where nearness does not decide, it is a question. */
TEST(negative_disparities_ask_for_the_order) {
    rig_facts f = fine();
    f.either = true;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_GOOD, SV_RIG_NO_CURE, 0);
    f.probe.negative = 92;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_DOUBTFUL, SV_RIG_SWAP, 0);
    f.calibrated = true;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_GOOD, SV_RIG_NO_CURE, 0);
    f.calibrated = f.either = false;
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_GOOD, SV_RIG_NO_CURE, 0);
}

TEST(a_peak_at_another_moment_is_the_offset) {
    for (int frames = -REACH + 1; frames < REACH; frames++) {
        rig_facts f = fine();
        delay(&f, frames);
        if (frames)
            assert_finding(&f, SV_RIG_TIME, SV_RIG_BAD, SV_RIG_OFFSET, frames);
        else
            assert_finding(&f, SV_RIG_TIME, SV_RIG_GOOD, SV_RIG_NO_CURE, 0);
        assert_true(judge(&f, SV_RIG_TIME).figure == frames);
    }
    rig_facts f = fine();
    delay(&f, REACH); /* at the end of what was compared: it may still rise */
    assert_finding(&f, SV_RIG_TIME, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    delay(&f, 3);
    f.moments.shares[REACH + 4] = NAN; /* a neighbour that is not known */
    assert_finding(&f, SV_RIG_TIME, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    delay(&f, 3);
    f.moments.ambiguous = true;
    assert_finding(&f, SV_RIG_TIME, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}

TEST(no_peak_claims_nothing) {
    rig_facts f = fine();
    for (int i = 0; i <= 2 * REACH; i++) f.moments.shares[i] = 90 + (float)(i % 2); /* a still scene */
    assert_finding(&f, SV_RIG_TIME, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    delay(&f, 4);
    f.moments.shares[REACH] = 81; /* nearly as good as the peak's 90 */
    assert_finding(&f, SV_RIG_TIME, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    delay(&f, 4);
    for (int i = 0; i <= 2 * REACH; i++) f.moments.shares[i] /= 2; /* 45 at the peak: noise */
    assert_finding(&f, SV_RIG_TIME, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}

TEST(other_moments_are_not_called_rows_or_range_or_order) {
    rig_facts f = fine();
    delay(&f, 5);
    f.rows.offset = 15;
    f.outside = 30;
    f.swapped = true; /* as noise has it */
    assert_finding(&f, SV_RIG_ORDER, SV_RIG_GOOD, SV_RIG_NO_CURE, 0);
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    f = fine();
    f.waits = true; /* moments are not known yet */
    f.moments.reach = 0;
    f.rows.offset = 15;
    f.share = f.probe.share = 65;
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
    f.share = 85; /* once they are shifted: too well for another moment */
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_BAD, SV_RIG_ROW_SHIFT, 15);
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}

TEST(rows_are_shifted_or_aligned) {
    rig_facts f = fine();
    f.rows.offset = -2.6f;
    f.rows.row_shift = f.params.row_shift = 5;
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_BAD, SV_RIG_ROW_SHIFT, 2);
    f.rows.row_shift = f.params.row_shift = sv_find_parameter("row-shift")->min;
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_BAD, SV_RIG_ALIGN, 0);
    f.rows.spread = 3; /* no shift would help */
    f.rows.row_shift = f.params.row_shift = 0;
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_BAD, SV_RIG_ALIGN, 0);
    f.calibrated = true;
    assert_finding(&f, SV_RIG_CALIBRATION, SV_RIG_BAD, SV_RIG_ALIGN, 0);
    f.rows = (rig_rows){.points = 500, .offset = 0.4f};
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_DOUBTFUL, SV_RIG_ALIGN, 0);
    sv_rig_state all;
    char text[SV_RIG_TEXT];
    rig_judge(&f, &all);
    assert_string_equal(sv_rig_describe(&all, SV_RIG_CALIBRATION, text),
                        "the calibration leaves the rows slightly off");
    assert_string_equal(sv_rig_describe(&all, SV_RIG_ROWS, text), "the right picture lies 0.40 px lower");
    f.rows = (rig_rows){.points = 500, .size = 0.4f}; /* tilted */
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_DOUBTFUL, SV_RIG_ALIGN, 0);
    rig_judge(&f, &all); /* a median of 0 would not explain the grade */
    assert_string_equal(sv_rig_describe(&all, SV_RIG_ROWS, text), "the rows are slightly off in parts of the picture");
    f.rows = (rig_rows){.points = RIG_ROWS_POINTS - 1, .offset = 9};
    assert_finding(&f, SV_RIG_ROWS, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}

/* Whether the row correction may be measured on it. */
TEST(rows_are_shown_by_a_pair_that_goes_together_as_it_is) {
    rig_facts f = fine();
    f.probe.share = 45; /* its rows are three pixels off: it goes together once they are shifted */
    assert_true(rig_shows_rows(&f));
    f.share = 45;
    assert_false(rig_shows_rows(&f));
    f = fine();
    f.swapped = true;
    assert_false(rig_shows_rows(&f));
    f = fine();
    f.outside = 25;
    assert_true(rig_shows_rows(&f));
    f.outside = 35; /* the map has nothing right at a third of the pixels, and may have something wrong */
    assert_false(rig_shows_rows(&f));
}

TEST(brightness_is_bad_where_the_method_compares_it) {
    rig_facts f = fine();
    f.brightness.right = 60;
    assert_finding(&f, SV_RIG_BRIGHTNESS, SV_RIG_GOOD, SV_RIG_NO_CURE, 0); /* sgm */
    assert_true(judge(&f, SV_RIG_BRIGHTNESS).figure == 40);
    f.params = sv_default_params(SV_SSD);
    f.params.prefilter = SV_PREFILTER_NONE;
    assert_finding(&f, SV_RIG_BRIGHTNESS, SV_RIG_BAD, SV_RIG_METHOD, 0);
}

TEST(a_range_is_widened_to_the_disparities_there_are) {
    rig_facts f = fine();
    f.params.min_disparity = 8;
    f.params.max_disparity = 31;
    f.outside = 1;
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_DOUBTFUL, SV_RIG_WIDEN, 0);
    f.outside = 20;
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_BAD, SV_RIG_WIDEN, 0);
    assert_int_equal(judge(&f, SV_RIG_RANGE).values[1], 55); /* 50 and 4, in eights */
    f.params.max_disparity = 200;
    f.params.min_disparity = 9;
    assert_int_equal(judge(&f, SV_RIG_RANGE).values[1], 200); /* not narrowed */
    f.params.min_disparity = 0;
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_GOOD, SV_RIG_NO_CURE, 0); /* nothing to widen it to */
    f.rows.offset = 3;                                                /* then the disparities are not sure */
    assert_finding(&f, SV_RIG_RANGE, SV_RIG_UNKNOWN, SV_RIG_NO_CURE, 0);
}
