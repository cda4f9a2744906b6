/* When a match is given up for other parameters: they never wait for 50 ms if the match before tells how long it takes.
 */
#include <math.h>

#include "app/play/cancelling.h"
#include "tests/test.h"

TEST(nothing_waits_for_50_ms) {
    for (int last = 0; last <= 400; last++)
        for (int begun = 0; begun <= last; begun++) {
            const double left = 1e-3 * (last - begun);
            if (left > 0.045) assert_true(cancelling_is_due(1e-3 * last, 1e-3 * begun, 0));
            /* Results of quick matches are shown while a slider moves, 30 times a second. */
            if (left < 1 / 30.0) assert_false(cancelling_is_due(1e-3 * last, 1e-3 * begun, 0));
        }
}

TEST(nothing_is_known_of_another_match) {
    assert_true(cancelling_is_due(INFINITY, 0, 0));
    assert_true(cancelling_is_due(INFINITY, 5, 0));
    assert_true(cancelling_is_due(0.005, 1, 0)); /* it should have ended long ago */
    assert_false(cancelling_is_due(0.005, 0.007, 0));
    assert_true(cancelling_is_due(0.005, 0.047, 0.045)); /* when parameters have waited for it already */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_waits_for_50_ms),
                                       cmocka_unit_test(nothing_is_known_of_another_match)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
