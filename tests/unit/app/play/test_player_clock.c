/* When the player shows what, to the moment: by a clock of the test's own, which replaces that of stereo/clock.c and
 * goes on only while the player waits for a time. However busy the machine is, nothing comes too late by it. */
#include "stereo/clock.h"
#include "tests/support/player_fixture.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdatomic.h>

static _Atomic double now = 1000; /* seconds */

double sv_seconds(void) { return atomic_load(&now); }

void sv_condition_init(pthread_cond_t *condition) { pthread_cond_init(condition, NULL); }

/* The time is there at once. */
bool sv_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, double at) {
    (void)condition;
    (void)mutex;
    if (at > atomic_load(&now)) atomic_store(&now, at);
    return false;
}

/* Each frame of two rounds comes `distance` seconds after the one before it, also the first after the last. */
static void rounds_come_every(double distance, fixture_options how, double speed) {
    player_fixture t;
    const sv_params params = fixture_params(SV_SSD);
    how.paced = how.loop = true;
    fixture_set_up(&t, &sv_cpu, params, how);
    player_set_pace(t.player, speed, false);
    fixture_lend_one(&t); /* so that the player waits until a frame is taken */
    double first = 0;
    for (int i = 0; i < 2 * FIXTURE_FRAMES + 2; i++) {
        player_result result = fixture_take(&t);
        const double shown = sv_seconds();
        if (!i) first = shown;
        assert_int_equal(result.pair.left->index, i % FIXTURE_FRAMES);
        if (fabs(shown - first - i * distance) > 1e-6)
            fail_msg("frame %d came %.6f s after the first, not %.6f", i, shown - first, i * distance);
        fixture_give_back(&t, &result);
    }
    fixture_close(&t);
}

TEST(frames_of_a_video_come_in_time) {
    rounds_come_every(fixture_interval, (fixture_options){.gap = 0}, 1);
    rounds_come_every(fixture_interval / 4, (fixture_options){.gap = 0}, 4);
}

/* Which have no times of their own: ten a second. */
TEST(pictures_come_ten_a_second) {
    rounds_come_every(0.1, (fixture_options){.pictures = true}, 1);
    rounds_come_every(0.2, (fixture_options){.pictures = true}, 0.5);
}

/* What came too late is not caught up with: the frames after it keep their distance. */
TEST(delay_is_not_caught_up_with) {
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, fixture_params(SV_SSD), (fixture_options){.paced = true});
    fixture_lend_one(&t);
    player_result result = fixture_take(&t);
    const double late = sv_seconds() + FIXTURE_FRAMES * fixture_interval; /* all would have been due */
    atomic_store(&now, late);
    for (int i = 1; i < FIXTURE_FRAMES; i++) {
        fixture_give_back(&t, &result);
        result = fixture_take(&t);
        assert_near(sv_seconds(), late + (i - 1) * fixture_interval, 1e-6);
    }
    fixture_give_back(&t, &result);
    fixture_close(&t);
}

/* In real time what came too late is left out and counted, and what comes then is in time again. The last frame is
 * shown however late it is. */
TEST(real_time_leaves_out) {
    player_fixture t;
    const sv_params params = fixture_params(SV_SSD);
    const double distance = 10 * fixture_interval; /* far more than what is tolerated */
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){.paced = true});
    player_set_pace(t.player, fixture_interval / distance, true);
    fixture_lend_one(&t);
    player_result result = fixture_await(&t, 0); /* now it stands: no slot is free */
    const double first = sv_seconds();
    atomic_store(&now, first + 4.5 * distance);
    fixture_give_back(&t, &result);
    result = fixture_await(&t, 5);
    assert_near(sv_seconds(), first + 5 * distance, 1e-6);
    assert_int_equal(player_get_state(t.player).skipped, 4);
    atomic_store(&now, first + 1000 * distance);
    fixture_check_result(&t, &result, &params);
    fixture_expect(&t, FIXTURE_FRAMES - 1, &params);
    assert_int_equal(player_get_state(t.player).skipped, FIXTURE_FRAMES - 3);
    fixture_play_to_end(&t);
    fixture_close(&t);
}
