/* What a quantity was over the last seconds: render/panel/trace. */
#include "render/panel/trace.h"
#include "tests/support/test.h"

#include <math.h>

enum { A_SECOND = TRACE_BINS / TRACE_SECONDS };

TEST(values_move_and_leave) {
    trace t = {.newest = 0};
    float values[TRACE_BINS];
    assert_true(isnan(trace_mean(&t, 5000, 2)));
    trace_add(&t, 5000, 3);
    trace_add(&t, 5000, 5);
    trace_add(&t, 5001, 10);
    assert_true(trace_mean(&t, 5001, 2) == 6); /* of all three */
    assert_true(trace_mean(&t, 5001, 0.5) == 10);
    trace_values(&t, 5001, 0, values);
    for (int i = 0; i < TRACE_BINS; i++) {
        if (i == TRACE_BINS - 1)
            assert_true(values[i] == 10);
        else if (i == TRACE_BINS - 1 - A_SECOND)
            assert_true(values[i] == 4);
        else
            assert_true(isnan(values[i]));
    }
    /* Nothing comes, and time goes on: what was there is no figure of now, and then not in the plot either. */
    assert_true(isnan(trace_mean(&t, 5004, 2)));
    trace_values(&t, 5004, 0, values);
    assert_true(values[TRACE_BINS - 1 - 3 * A_SECOND] == 10 && isnan(values[TRACE_BINS - 1]));
    trace_values(&t, 5012, 0, values);
    for (int i = 0; i < TRACE_BINS; i++) assert_true(isnan(values[i]));
    /* After a long rest, old bins are not counted as new ones. */
    trace_add(&t, 6000, 1);
    assert_true(trace_mean(&t, 6000, TRACE_SECONDS) == 1);
}

TEST(counts_add_up) {
    trace t = {.newest = 0};
    float values[TRACE_BINS];
    for (int i = 0; i < 40; i++) trace_add(&t, 100 + i / 4.0, 2);
    trace_values(&t, 109.75, 1, values);
    double sum = 0;
    for (int i = 0; i < TRACE_BINS; i++) sum += (double)values[i];
    assert_true(sum == 80);
}
