/* The player's time table: when frames are shown, and which are left out. Times are bounded from below alone, so a busy
 * machine fails nothing; test_player_clock has those that are exact. */
#include "tests/support/player_fixture.h"
#include "tests/support/test.h"

#include <string.h>

/* A new speed, going on after a pause, and a seek: the next frame is due at once, and the table begins with it. */
TEST(table_begins_anew) {
    player_fixture t;
    player_result kept;
    const sv_params params = fixture_params(SV_SSD);
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){.paced = true});
    fixture_lend_one(&t);
    kept = fixture_await(&t, 0); /* now it stands: no slot is free */
    player_set_pace(t.player, fixture_standstill, false);
    fixture_check_result(&t, &kept, &params);
    fixture_expect(&t, 1, &params);
    player_toggle_pause(t.player);
    player_toggle_pause(t.player);
    fixture_expect(&t, 2, &params);
    player_seek(t.player, 8 * fixture_interval);
    fixture_expect(&t, 8, &params);
    fixture_expect(&t, 9, &params);
    fixture_close(&t);
}

/* A range may come to end before the pair that waits until it is due. */
TEST(pair_behind_the_end_of_a_new_range_is_not_shown) {
    player_fixture t;
    player_result result;
    const sv_params params = fixture_params(SV_SSD);
    const frame_range range = {.first = 0, .end = 1};
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){.paced = true});
    player_set_pace(t.player, fixture_standstill, false);
    fixture_lend_one(&t);
    fixture_expect(&t, 0, &params);
    for (int tries = 20000; pairing_count(t.pairing).pairs < 2 && tries; tries--) nanosleep(&fixture_moment, NULL);
    player_set_range(t.player, &range);
    player_set_pace(t.player, 1, false); /* the next pair is due at once */
    for (int tries = 20000; !player_get_state(t.player).ended && tries; tries--) {
        assert_false(player_take(t.player, &result));
        nanosleep(&fixture_moment, NULL);
    }
    assert_true(player_get_state(t.player).ended);
    assert_false(player_take(t.player, &result));
    fixture_close(&t);
}

/* A seek beyond the end leads to the last pair, not to one that was left out before. */
TEST(real_time_seeks_the_end) {
    player_fixture t;
    const sv_params params = fixture_params(SV_SSD);
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){.paced = true, .gap = 9});
    player_set_pace(t.player, 1, true);
    fixture_lend_one(&t);
    player_result result = fixture_await(&t, 0);
    nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL); /* all before the gap are late now */
    fixture_give_back(&t, &result);
    for (int tries = 20000; player_get_state(t.player).skipped < FIXTURE_GAP_AT - 1 && tries; tries--)
        nanosleep(&fixture_moment, NULL);
    player_toggle_pause(t.player);
    player_set_range(t.player, &(frame_range){.end = 4});
    player_seek_frame(t.player, 8);
    fixture_expect(&t, 3, &params);
    fixture_close(&t);
}

/* If reading itself is too slow, pairs are shown all the same. */
TEST(real_time_never_stands_still) {
    player_fixture t;
    player_result result;
    int shown = 0;
    fixture_set_up(&t, &sv_cpu, fixture_params(SV_SSD), (fixture_options){.paced = true, .loop = true});
    player_set_pace(t.player, 1e6, true); /* every pair is late as soon as it is read */
    fixture_lend_one(&t);
    for (int tries = 20000; shown < 3 && tries; tries--) {
        nanosleep(&fixture_moment, NULL);
        if (!player_take(t.player, &result)) continue;
        fixture_give_back(&t, &result);
        shown++;
    }
    assert_int_equal(shown, 3);
    fixture_close(&t);
}

static int jumps_told;

static void count_jumps(sv_level level, const char *line) {
    if (level == SV_LOG_WARNING && strstr(line, "continuing without the pause"))
        __atomic_add_fetch(&jumps_told, 1, __ATOMIC_RELAXED);
}

/* A gap of up to ten seconds is waited for, a longer one is reported and is not. */
TEST(gaps_are_waited_for_within_reason) {
    static const double gaps[] = {9, 1000}; /* seconds */
    const double speed = 10;
    const sv_params params = fixture_params(SV_SSD);
    for (int i = 0; i < 2; i++) {
        player_fixture t;
        jumps_told = 0;
        sv_set_log(count_jumps);
        fixture_set_up(&t, &sv_cpu, params, (fixture_options){.paced = true, .gap = gaps[i]});
        player_set_pace(t.player, speed, false);
        const double start = sv_seconds();
        fixture_lend_one(&t);
        for (int n = 0; n < FIXTURE_FRAMES; n++) {
            player_result result = fixture_await(&t, n);
            if (i == 0 && n >= FIXTURE_GAP_AT)
                assert_true(sv_seconds() >= start + (gaps[i] + n * fixture_interval) / speed);
            fixture_give_back(&t, &result);
        }
        fixture_close(&t);
        sv_set_log(NULL);
        assert_int_equal(jumps_told, i);
    }
}
