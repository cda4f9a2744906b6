/* What the window says of how fast pairs are matched. */
#include "app/media/media.h"
#include "app/options/command_line.h"
#include "app/viewer/viewer_pace.h"
#include "tests/support/test.h"

/* A video that is paused has no rates, which would be 0. */
TEST(what_is_paused_has_no_rates) {
    char *arguments[] = {"stereoview", "--headless", "-f", "assets/demo_left.mp4", "assets/demo_right.mp4"};
    const media_colour colour = {false, false};
    options o;
    session s = {.stats = NULL};
    sv_error error;
    viewer_pace pace = {0};
    panel_status status = {0};
    viewer_playing playing = {.speed = 1, .scale = 1};
    if (command_line_read(&o, sizeof arguments / sizeof *arguments, arguments, &error) != SV_OK ||
        media_open(&o, (pool_memory){NULL, NULL}, &colour, &s.pairing, &error) != SV_OK)
        fail_msg("%s", error.text);
    assert_true(viewer_pace_follow(&pace, &s, &playing, 20, NULL, &status) == 20);
    assert_false(status.still);
    assert_true(status.matched_rate == 20 && status.of_real_time == 20 / pairing_info(s.pairing)->rate);
    playing.paused = true;
    viewer_pace_follow(&pace, &s, &playing, 0, NULL, &status);
    assert_true(status.still && status.of_real_time == 0);
    pairing_close(s.pairing);
    options_free(&o);
}
