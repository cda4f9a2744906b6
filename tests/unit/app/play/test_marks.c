/* A and B, between which it plays again and again. */
#include "app/play/marks.h"
#include "tests/support/test.h"

static const frame_range all = {.first = 3, .end = 50, .skip_damaged = true};

static void expect(const marks *m, int64_t first, int64_t end, bool loop) {
    const frame_range range = marks_range(m, &all);
    assert_int_equal(range.first, first);
    assert_int_equal(range.end, end);
    assert_int_equal(range.loop, loop);
    assert_true(range.skip_damaged);
}

TEST(a_then_b_then_neither) {
    marks m = {.count = 0};
    expect(&m, 3, 50, false);
    marks_next(&m, 12, 0.48);
    assert_int_equal(m.count, 1);
    expect(&m, 3, 50, false);
    marks_next(&m, 20, 0.8);
    assert_int_equal(m.count, 2);
    expect(&m, 12, 21, true);
    assert_true(m.positions[0] == 0.48 && m.positions[1] == 0.8);
    marks_next(&m, 15, 0.6);
    assert_int_equal(m.count, 0);
    expect(&m, 3, 50, false);
}

TEST(b_before_a_is_a) {
    marks m = {.count = 0};
    marks_next(&m, 20, 0.8);
    marks_next(&m, 12, 0.48);
    expect(&m, 12, 21, true);
    assert_true(m.positions[0] == 0.48 && m.positions[1] == 0.8);
}

TEST(one_frame_is_a_range) {
    marks m = {.count = 0};
    marks_next(&m, 7, 7);
    marks_next(&m, 7, 7);
    expect(&m, 7, 8, true);
}
