/* Comparing in the window: whose turn it is while A and B blink. */
#include "app/viewer/viewer_compare.h"
#include "tests/support/test.h"

/* The other map comes first, so that something changes at once; then they take turns. */
TEST(blinking_begins_with_the_other_map) {
    static const int others[][2] = {{VIEW_A, VIEW_B}, {VIEW_B, VIEW_A}, {VIEW_SPLIT, VIEW_A}};
    for (int i = 0; i < 3; i++) {
        viewer_compare c = {.shown = true};
        const int first = others[i][1], second = first == VIEW_A ? VIEW_B : VIEW_A;
        for (int turn = 0; turn < 3; turn++) {
            int compared;
            double begun;
            do { /* a busy machine may need more than what is left of a turn, which lasts 0.4 s */
                compared = others[i][0];
                viewer_compare_blink(&c);
                begun = c.blinks_since -= 0.4 * turn + 0.1;
                assert_true(viewer_compare_take_turns(&c, true, &compared));
            } while (sv_seconds() - begun > 0.4 * turn + 0.3);
            assert_int_equal(compared, turn % 2 ? second : first);
        }
    }
}

TEST(blinking_ends_with_its_key_and_needs_a_b) {
    viewer_compare c = {.shown = true};
    int compared = VIEW_B;
    viewer_compare_blink(&c);
    assert_true(viewer_compare_blinks(&c));
    assert_false(viewer_compare_take_turns(&c, false, &compared));
    assert_false(viewer_compare_blinks(&c));
    assert_int_equal(compared, VIEW_B);
    c.shown = false;
    viewer_compare_blink(&c);
    assert_false(viewer_compare_blinks(&c));
}
