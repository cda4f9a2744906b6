/* What the window says about the match under way. */
#include "app/play/waiting.h"
#include "tests/support/test.h"

static char line[256];

TEST(first_map_is_awaited) {
    player_state player = {.params = sv_default_params(SV_GFD), .since = 10};
    assert_true(waiting_describe(NULL, NULL, &player, 13.14, line, sizeof line));
    assert_string_equal(line, "waiting for the first pictures");
    player.matching = true;
    assert_true(waiting_describe(NULL, NULL, &player, 13.14, line, sizeof line));
    assert_string_equal(line, "matching the first pair: gfd, 3.1 s");
    assert_true(
        waiting_describe(NULL, NULL, &player, 10.1, line, sizeof line)); /* at once: there is nothing else to see */
    assert_string_equal(line, "matching the first pair: gfd, 0.1 s");
    player.failed = true;
    assert_false(waiting_describe(NULL, NULL, &player, 13.14, line, sizeof line));
    player.failed = false;
    player.ended = true;
    assert_false(waiting_describe(NULL, NULL, &player, 13.14, line, sizeof line));
}

TEST(other_parameters_are_named) {
    sv_params shown = sv_default_params(SV_SSD);
    player_state player = {.params = shown, .matching = true, .since = 10};
    assert_false(waiting_describe(&shown, NULL, &player, 13, line, sizeof line)); /* the same, for the next frame */
    player.params.rho = 0;
    player.params.tau = 7; /* which ssd does not use */
    assert_false(waiting_describe(&shown, NULL, &player, 10.2, line, sizeof line));
    assert_true(waiting_describe(&shown, NULL, &player, 13.14, line, sizeof line));
    assert_string_equal(line, "matching: rho 0, 3.1 s");
    player.params.subpixel = !shown.subpixel;
    assert_true(waiting_describe(&shown, NULL, &player, 13.14, line, sizeof line));
    assert_string_equal(line, shown.subpixel ? "matching: rho 0, subpixel off, 3.1 s"
                                             : "matching: rho 0, subpixel on, 3.1 s");
    player.matching = false;
    assert_false(waiting_describe(&shown, NULL, &player, 13, line, sizeof line));
    player.matching = true;
    player.params = sv_default_params(SV_GFD);
    assert_true(waiting_describe(&shown, NULL, &player, 10.5, line, sizeof line));
    assert_string_equal(line, "matching: gfd, 0.5 s");
}
