/* What the rig strip reports about each item of the rig and the speed, and what fixes it. */
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

TEST(a_late_side_is_moved_or_named) {
    rig_case of = fine();
    blame(&of, SV_RIG_TIME, 5, SV_RIG_OFFSET, 5, 0);
    of.moves_right = true;
    cell c = describe(&of, SV_RIG_TIME);
    assert_string_equal(c.finding, "The right picture of the same moment is 5 frames later.");
    assert_string_equal(c.words[0], "Pair with that");
    assert_string_equal(c.figure, "+5 frames");
    blame(&of, SV_RIG_TIME, -1, SV_RIG_OFFSET, -1, 0);
    assert_string_equal(describe(&of, SV_RIG_TIME).figure, "-1 frame");
    assert_string_equal(describe(&of, SV_RIG_TIME).finding, "The right picture of the same moment is 1 frame earlier.");
    of.live = true;
    of.moves_right = false;
    c = describe(&of, SV_RIG_TIME);
    assert_string_equal(c.finding, "The left camera is 40 ms late.");
    assert_string_equal(c.figure, "-40 ms");
    assert_null(c.words[0]);
}

TEST(rows_that_are_off_are_shifted_or_aligned) {
    rig_case of = fine();
    blame(&of, SV_RIG_ROWS, 13, SV_RIG_ROW_SHIFT, 13, 0);
    cell c = describe(&of, SV_RIG_ROWS);
    assert_string_equal(c.finding, "The right picture is 13.0 px too low.");
    assert_string_equal(c.words[0], "Shift it");
    assert_string_equal(c.words[1], "Align them");
    of.aligned = true;
    assert_null(describe(&of, SV_RIG_ROWS).words[1]);
    /* Parts are off, the median is not. */
    of.state.items[SV_RIG_ROWS] = (sv_rig_finding){SV_RIG_DOUBTFUL, -0.01, SV_RIG_ALIGN, {0}};
    assert_string_equal(describe(&of, SV_RIG_ROWS).figure, "uneven");
    of.state.items[SV_RIG_ROWS].figure = -0.4;
    assert_string_equal(describe(&of, SV_RIG_ROWS).figure, "-0.40 px");
}

TEST(what_has_no_number_has_a_word) {
    rig_case of = fine();
    assert_string_equal(describe(&of, SV_RIG_CALIBRATION).figure, "none");
    of.aligned = true;
    assert_string_equal(describe(&of, SV_RIG_CALIBRATION).figure, ""); /* not judged yet */
    blame(&of, SV_RIG_CALIBRATION, 1.5, SV_RIG_ALIGN, 0, 0);
    assert_string_equal(describe(&of, SV_RIG_CALIBRATION).figure, "off");
    of.state.items[SV_RIG_CALIBRATION].grade = SV_RIG_DOUBTFUL;
    assert_string_equal(describe(&of, SV_RIG_CALIBRATION).figure, "off?");
    blame(&of, SV_RIG_ORDER, NAN, SV_RIG_LAYOUT, 0, 0);
    assert_string_equal(describe(&of, SV_RIG_ORDER).figure, "layout?");
    of.state.items[SV_RIG_ORDER] = (sv_rig_finding){.grade = SV_RIG_GOOD, .figure = 0};
    assert_string_equal(describe(&of, SV_RIG_ORDER).figure, "ok");
    of.state.items[SV_RIG_ORDER] = (sv_rig_finding){.grade = SV_RIG_DOUBTFUL, .figure = 80, .cure = SV_RIG_SWAP};
    assert_string_equal(describe(&of, SV_RIG_ORDER).figure, "swapped?");
}

/* 100 ms of matching become 12.5 at half the size, and 1.6 at a quarter. */
TEST(what_is_too_slow_becomes_smaller) {
    rig_case of = fine();
    of.rates = (pace_rates){.source = 25, .matched = 9.85, .match_ms = 100};
    assert_int_equal(describe(&of, CELL_SPEED).grade, PANEL_GOOD);
    of.paused = true;
    assert_string_equal(describe(&of, CELL_SPEED).finding, "Playback is paused.");
    assert_string_equal(describe(&of, CELL_SPEED).figure, "");
    of.paused = false;
    of.behind = true;
    cell c = describe(&of, CELL_SPEED);
    assert_int_equal(c.grade, PANEL_DOUBTFUL);
    assert_string_equal(c.finding, "This computer matches 9.8 of the 25 pairs per second.");
    assert_string_equal(c.words[0], "Skip late frames");
    assert_string_equal(c.words[1], "Match at half size");
    assert_int_equal(cures_apply(c.cures[0], &of).scale, 1);
    assert_int_equal(cures_apply(c.cures[1], &of).scale, 2);
    of.rates.matched = 0.0431; /* a minute for three pairs */
    assert_string_equal(describe(&of, CELL_SPEED).finding, "This computer matches 0.043 of the 25 pairs per second.");
    of.rates.matched = 9.85;
    of.rates.source = 200;
    c = describe(&of, CELL_SPEED);
    assert_string_equal(c.words[1], "Match at quarter size");
    assert_int_equal(cures_apply(c.cures[1], &of).scale, 4);
    of.rates.source = 5000; /* which no size would reach */
    assert_null(describe(&of, CELL_SPEED).words[1]);
    of.real_time = true;
    assert_null(describe(&of, CELL_SPEED).words[0]);
    /* A live source does not wait: the smallest size is closest to real time. */
    of.live = true;
    of.params.scale = 2;
    c = describe(&of, CELL_SPEED);
    assert_int_equal(c.grade, PANEL_BAD);
    assert_string_equal(c.words[0], "Match at quarter size");
    assert_null(c.words[1]);
    of.params.scale = 4;
    assert_null(describe(&of, CELL_SPEED).words[0]);
}
