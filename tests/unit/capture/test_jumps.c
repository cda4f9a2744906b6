/* Jumps of a file's clock, from the rules in capture/jumps.c. */
#include "capture/jumps.h"

#include "tests/support/test.h"

#include <math.h>

/* Reads frames at 0, 1 / rate and then `gap` seconds late, of a file that is `excess` seconds longer than the other.
 * Returns by how much the last one's time was reduced. */
static double reduced_by(double rate, double gap, double excess) {
    source file = {.name = (char *)"left.mp4", .info = {.rate = rate}};
    jumps jumps = {.last = -INFINITY, .known = -INFINITY};
    frame frame = {.time = 0};
    assert_true(jumps_take_out(&jumps, &file, &frame, excess));
    frame.time = 1 / rate;
    assert_true(jumps_take_out(&jumps, &file, &frame, excess));
    frame.time = 2 / rate + gap;
    assert_true(jumps_take_out(&jumps, &file, &frame, excess));
    assert_true(fabs(jumps_sum(&jumps) - (2 / rate + gap - frame.time)) < 1e-9);
    return 2 / rate + gap - frame.time;
}

/* It must last a second and ten frames, so that neither a fast camera's pause nor a slow one's missing pictures are
 * taken for a jump. */
TEST(a_jump_is_long_in_seconds_and_in_frames) {
    assert_true(fabs(reduced_by(30, 20, 20) - 20) < 1e-9);
    assert_true(fabs(reduced_by(10, 1.01, 1.01) - 1.01) < 1e-9);
    assert_true(reduced_by(10, 0.99, 0.99) == 0);
    assert_true(reduced_by(100, 0.5, 0.5) == 0);
    assert_true(fabs(reduced_by(2, 5.01, 5.01) - 5.01) < 1e-9);
    assert_true(reduced_by(2, 4.99, 4.99) == 0);
}

/* It is a jump only if the files then end together, or if it is so long that nothing else explains it. */
TEST(a_gap_that_both_files_have_is_no_jump) {
    assert_true(reduced_by(30, 20, 0) == 0);
    assert_true(reduced_by(30, 20, 9.9) == 0);
    assert_true(fabs(reduced_by(30, 20, 10.1) - 20) < 1e-9);
    assert_true(reduced_by(30, 9.9, NAN) == 0);
    assert_true(fabs(reduced_by(30, 10.1, NAN) - 10.1) < 1e-9);
}
