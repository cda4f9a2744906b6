/* The player: pairs in flight, the order of results, seeking, stepping, parameters, colour, and the end.
 * tests/unit/app/play/test_player_times.c has its time table. */
#include "app/play/player_parts.h"
#include "tests/support/player_fixture.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The CPU's backend as one that works on several pairs at once: its results wait to be asked for. */
static sv_backend overlapping;

/* Every pair is matched, in order; the newest result is always there to be taken, so the last one is. */
TEST(matches_all_in_order) {
    const sv_backend *const backends[] = {&sv_cpu, &overlapping};
    for (int i = 0; i < 2; i++) {
        player_fixture t;
        player_result result;
        int64_t last = -1;
        const sv_params params = fixture_params(SV_SSD);
        fixture_open(&t, backends[i], params);
        for (int tries = 20000; last < FIXTURE_FRAMES - 1 && tries; tries--) {
            nanosleep(&fixture_moment, NULL);
            if (!player_take(t.player, &result)) continue;
            assert_in_range(result.pair.left->index, last + 1, FIXTURE_FRAMES - 1);
            last = result.pair.left->index;
            fixture_check_result(&t, &result, &params);
        }
        assert_int_equal(last, FIXTURE_FRAMES - 1);
        for (int tries = 20000; !player_get_state(t.player).ended && tries; tries--) nanosleep(&fixture_moment, NULL);
        assert_true(player_get_state(t.player).ended);
        assert_int_equal(stats_count(t.stats, STATS_MATCHED), FIXTURE_FRAMES);
        fixture_close(&t);
    }
}

/* The confidence is computed while it is wanted; wanting it matches the current pair again. */
TEST(confidence_comes_and_goes) {
    player_fixture t;
    const sv_params params = fixture_params(SV_SSD);
    uint8_t unwritten[FIXTURE_WIDTH * FIXTURE_HEIGHT];
    memset(unwritten, 77, sizeof unwritten);
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    uint8_t *const confidence = t.slots[0].confidence.data;
    memcpy(confidence, unwritten, sizeof unwritten);
    player_toggle_pause(t.player);
    fixture_lend_one(&t);
    player_result result = fixture_await(&t, 0);
    assert_false(result.has_confidence);
    assert_memory_equal(confidence, unwritten, sizeof unwritten);
    fixture_check_result(&t, &result, &params);
    player_want_confidence(t.player, true);
    result = fixture_await(&t, 0);
    assert_true(result.has_confidence);
    fixture_check_result(&t, &result, &params);
    player_step(t.player, 1);
    result = fixture_await(&t, 1);
    assert_true(result.has_confidence);
    memcpy(confidence, unwritten, sizeof unwritten);
    player_want_confidence(t.player, false);
    fixture_give_back(&t, &result);
    player_step(t.player, 1);
    result = fixture_await(&t, 2);
    assert_false(result.has_confidence);
    assert_memory_equal(confidence, unwritten, sizeof unwritten);
    fixture_give_back(&t, &result);
    fixture_close(&t);
}

/* The player stands still while the caller has all slots. When they are lent to it again, it goes on to the last frame,
 * though nobody takes results: the last result waits, and the end is not reached until it is taken. */
TEST(slots_go_round) {
    player_fixture t;
    player_result kept[SV_OUTPUTS], result;
    const sv_params params = fixture_params(SV_SSD);
    fixture_open(&t, &overlapping, params);
    for (int i = 0; i < SV_OUTPUTS; i++)
        while (!player_take(t.player, &kept[i])) nanosleep(&fixture_moment, NULL);
    for (int i = 0; i < 50; i++) nanosleep(&fixture_moment, NULL);
    assert_false(player_take(t.player, &result));
    for (int i = 1; i < SV_OUTPUTS; i++) {
        assert_true(kept[i].pair.left->index > kept[i - 1].pair.left->index);
        for (int j = 0; j < i; j++) assert_int_not_equal(kept[i].slot, kept[j].slot);
    }
    for (int i = 0; i < SV_OUTPUTS; i++) {
        frame_pair_release(&kept[i].pair);
        player_lend(t.player, kept[i].slot, &t.slots[kept[i].slot]);
    }
    for (int tries = 20000; stats_count(t.stats, STATS_MATCHED) < FIXTURE_FRAMES && tries; tries--)
        nanosleep(&fixture_moment, NULL);
    assert_int_equal(stats_count(t.stats, STATS_MATCHED), FIXTURE_FRAMES);
    assert_false(player_get_state(t.player).ended);
    int taken = 0;
    int64_t last = -1;
    for (; player_take(t.player, &result); taken++) {
        last = result.pair.left->index;
        fixture_check_result(&t, &result, &params);
    }
    assert_in_range(taken, 1, SV_OUTPUTS);
    assert_int_equal(last, FIXTURE_FRAMES - 1);
    fixture_close(&t);
}

TEST(moves_and_parameters_are_followed) {
    player_fixture t;
    sv_params params = fixture_params(SV_SSD);
    fixture_open(&t, &overlapping, params);
    fixture_play_to_end(&t);
    player_step(t.player, -3);
    fixture_expect(&t, FIXTURE_FRAMES - 4, &params);
    player_step(t.player, 2);
    fixture_expect(&t, FIXTURE_FRAMES - 2, &params);
    player_step(t.player, 7); /* more than there are frames ends at the last one */
    fixture_expect(&t, FIXTURE_FRAMES - 1, &params);
    player_step(t.player, -1);
    fixture_expect(&t, FIXTURE_FRAMES - 2, &params);
    player_seek(t.player, 0);
    fixture_expect(&t, 0, &params);
    params.rho = 2;
    player_set_params(t.player, &params);
    fixture_expect(&t, 0, &params);
    player_step(t.player, 1);
    fixture_expect(&t, 1, &params);
    fixture_close(&t);
}

/* Plays to the end, and keeps the only slot there, so that orders wait for it. */
static player_result stand_at_end(player_fixture *t, sv_params *params) {
    fixture_play_to_end(t);
    params->rho++;
    player_set_params(t->player, params);
    return fixture_await(t, FIXTURE_FRAMES - 1);
}

/* A pause at the end that comes before the player has followed the order before it is a pause all the same. */
TEST(a_pause_follows_an_order_that_waits) {
    player_fixture t;
    sv_params params = fixture_params(SV_SSD);
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    fixture_lend_one(&t);
    for (int which = 0; which < 3; which++) {
        player_result last = stand_at_end(&t, &params), next;
        if (which == 0) player_toggle_pause(t.player); /* which plays it again */
        if (which == 1) player_seek_frame(t.player, 3);
        if (which == 2) player_seek_by(t.player, -1000);
        assert_false(player_get_state(t.player).paused);
        player_toggle_pause(t.player);
        assert_true(player_get_state(t.player).paused);
        fixture_give_back(&t, &last);
        fixture_expect(&t, which == 1 ? 3 : 0, &params);
        for (int i = 0; i < 50; i++) nanosleep(&fixture_moment, NULL);
        assert_false(player_take(t.player, &next));
        player_toggle_pause(t.player);
    }
    fixture_close(&t);
}

/* Frames without a partner are stepped over, back as ahead. */
TEST(steps_lead_over_a_gap) {
    const sv_params params = fixture_params(SV_SSD);
    const int after[] = {FIXTURE_MISSING_AT + 1, FIXTURE_MISSING_AT + 5};
    for (int i = 0; i < 2; i++) {
        player_fixture t;
        fixture_set_up(&t, &sv_cpu, params, (fixture_options){.missing = after[i] - FIXTURE_MISSING_AT});
        fixture_lend_all(&t);
        fixture_play_to_end(&t);
        player_step(t.player, 0); /* which pauses it */
        player_seek_frame(t.player, after[i] + 1);
        fixture_expect(&t, after[i] + 1, &params);
        const int last = FIXTURE_MISSING_AT - 1; /* before the gap */
        static const int steps[] = {-1, -1, -1, 1, 1, 1, -2, -1, -1, -1, -1, 1, 1, 1};
        const int way[] = {after[i], last, last - 1, last, after[i], after[i] + 1, after[i],
                           last,     1,    0,        0,    1,        last,         after[i]};
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            player_step(t.player, steps[j]);
            fixture_expect(&t, way[j], &params);
        }
        assert_true(stats_recent_rate(t.stats, STATS_CAPTURED, sv_seconds()) > 0); /* frames are captured */
        fixture_close(&t);
    }
}

/* Takes the result of frame `index`, whose right picture is `right`. */
static void expect_partner(player_fixture *t, int64_t index, int64_t right) {
    player_result result = fixture_await(t, index);
    assert_int_equal(result.pair.right->index, right);
    fixture_give_back(t, &result);
}

/* A seek beyond the last pair shows that, wherever the files end. */
TEST(seeks_end_at_the_last_pair) {
    player_fixture t;
    fixture_open(&t, &overlapping, fixture_params(SV_SSD));
    fixture_play_to_end(&t);
    player_step(t.player, 0); /* which pauses it */
    for (int moved = 1; moved < 6; moved += 2) {
        player_seek(t.player, 0);
        player_result result = fixture_take(&t);
        fixture_give_back(&t, &result);
        player_set_offset(t.player, moved * fixture_interval);
        expect_partner(&t, 0, moved);
        player_seek(t.player, 100);
        expect_partner(&t, FIXTURE_FRAMES - 1 - moved, FIXTURE_FRAMES - 1);
        player_step(t.player, -1);
        expect_partner(&t, FIXTURE_FRAMES - 2 - moved, FIXTURE_FRAMES - 2);
        player_seek_frame(t.player, FIXTURE_FRAMES);
        expect_partner(&t, FIXTURE_FRAMES - 1 - moved, FIXTURE_FRAMES - 1);
    }
    const frame_range range = {.first = 2, .end = 5};
    player_set_offset(t.player, 0);
    player_result result = fixture_take(&t);
    fixture_give_back(&t, &result);
    player_set_range(t.player, &range);
    player_seek_frame(t.player, 8);
    expect_partner(&t, 4, 4);
    fixture_close(&t);
}

/* What stands is paired anew, and so is all that follows. */
TEST(right_side_is_moved_while_it_plays) {
    player_fixture t;
    fixture_open(&t, &overlapping, fixture_params(SV_SSD));
    const double frame = 1 / pairing_info(t.pairing)->rate;
    fixture_play_to_end(&t);
    player_step(t.player, 0); /* which pauses it */
    player_seek(t.player, 4 * frame);
    expect_partner(&t, 4, 4);
    player_set_offset(t.player, 2 * frame);
    expect_partner(&t, 4, 6);
    player_step(t.player, 1);
    expect_partner(&t, 5, 7);
    player_set_offset(t.player, -3 * frame);
    expect_partner(&t, 5, 2);
    player_set_offset(t.player, 0);
    expect_partner(&t, 5, 5);
    fixture_close(&t);
}

/* A pair that was read without colour is read again for a method that needs it. */
TEST(colour_is_read_when_it_is_wanted) {
    player_fixture t;
    sv_params params = fixture_params(SV_SSD);
    fixture_open(&t, &sv_cpu, params);
    fixture_play_to_end(&t);
    player_step(t.player, -1); /* which pauses it */
    fixture_expect(&t, FIXTURE_FRAMES - 2, &params);
    player_seek(t.player, 0.2);
    fixture_expect(&t, 5, &params);
    params = fixture_params(SV_GFD);
    params.alpha = 1;
    params.lambda = 0;
    atomic_store(&t.colour.left, true);
    atomic_store(&t.colour.right, true);
    player_set_params(t.player, &params);
    fixture_expect(&t, 5, &params);
    player_step(t.player, 1);
    fixture_expect(&t, 6, &params);
    fixture_close(&t);
}

TEST(closes_in_the_middle) {
    for (int i = 0; i < 20; i++) {
        player_fixture t;
        fixture_open(&t, &overlapping, fixture_params(SV_SSD));
        for (int j = 0; j < i; j++) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        fixture_close(&t);
    }
}

/* From a seek that is under way, or from the frame that is shown; never beyond the ends. */
TEST(distances_are_added_to_the_position) {
    player_fixture t;
    const sv_params params = fixture_params(SV_SSD);
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    player_seek_frame(t.player, 5);
    player_seek_by(t.player, 2 * fixture_interval);
    player_seek_by(t.player, 2 * fixture_interval);
    fixture_lend_one(&t); /* until now it could not go anywhere */
    for (int i = 9; i < FIXTURE_FRAMES; i++) fixture_expect(&t, i, &params);
    player_step(t.player, -1); /* which pauses it */
    fixture_expect(&t, FIXTURE_FRAMES - 2, &params);
    player_seek_by(t.player, -5 * fixture_interval);
    fixture_expect(&t, FIXTURE_FRAMES - 7, &params);
    player_seek_by(t.player, 2 * fixture_interval);
    fixture_expect(&t, FIXTURE_FRAMES - 5, &params);
    player_seek_by(t.player, 1000);
    fixture_expect(&t, FIXTURE_FRAMES - 1, &params);
    player_seek_by(t.player, -1000);
    fixture_expect(&t, 0, &params);
    fixture_close(&t);
}

/* Orders that come while the player cannot follow them are followed in their order, and none is lost: a seek and then
 * steps from there, steps and then a seek, which leads away from them, parameters and a step beyond the end. */
TEST(orders_add_up) {
    player_fixture t;
    sv_params params = fixture_params(SV_SSD);
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    fixture_lend_one(&t);
    for (int i = 0; i < FIXTURE_FRAMES - 1; i++) fixture_expect(&t, i, &params);
    player_result result = fixture_take(&t);
    static const int steps[] = {1, 3, -1, -3, 100, -100};
    static const int way[] = {6, 8, 4, 2, FIXTURE_FRAMES - 1, 0};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        player_seek_frame(t.player, 5);
        player_step(t.player, steps[i]);
        fixture_give_back(&t, &result);
        result = fixture_await(&t, way[i]);
    }
    player_seek(t.player, 1000);
    player_step(t.player, -2);
    fixture_give_back(&t, &result);
    result = fixture_await(&t, FIXTURE_FRAMES - 3);
    player_step(t.player, 2);
    player_seek_frame(t.player, 3);
    fixture_give_back(&t, &result);
    result = fixture_await(&t, 3);
    player_step(t.player, -2);
    player_seek(t.player, 1000);
    fixture_give_back(&t, &result);
    result = fixture_await(&t, FIXTURE_FRAMES - 1);
    params.rho = 3;
    player_set_params(t.player, &params);
    player_step(t.player, 1);
    fixture_give_back(&t, &result);
    fixture_expect(&t, FIXTURE_FRAMES - 1, &params);
    fixture_close(&t);
}

/* ---- Giving up --------------------------------------------------------------------------------- */

/* The CPU's backend, slowed down: a match lasts until the gate is open, or until it is asked to give up. */
static struct {
    sv_cancel cancel;
    atomic_bool open;
    atomic_int begun;
} gate;

static sv_status submit_at_gate(void *context, const sv_pair *pair, const sv_params *params, int follows,
                                const sv_output *output, sv_error *error) {
    atomic_fetch_add(&gate.begun, 1);
    while (!atomic_load(&gate.open)) {
        if (sv_cancelled(&gate.cancel)) return SV_CANCELLED;
        nanosleep(&fixture_moment, NULL);
    }
    return sv_cpu.submit(context, pair, params, follows, output, error);
}

static void await_match(int number) {
    for (int tries = 20000; atomic_load(&gate.begun) < number && tries; tries--) nanosleep(&fixture_moment, NULL);
    assert_int_equal(atomic_load(&gate.begun), number);
}

/* How long the last match took, as the backend reports it. */
static _Atomic double told_ms;

static sv_status wait_as_told(void *context, sv_times *times, sv_error *error) {
    sv_times took;
    const sv_status status = sv_cpu.wait(context, &took, error);
    if (times) *times = (sv_times){.ms = {[SV_MATCH] = (float)atomic_load(&told_ms)}};
    return status;
}

static void turn(player_fixture *t, sv_params *params) {
    params->rho = params->rho % 4 + 1;
    player_set_params(t->player, params);
}

/* Waits for the match after the one of that number, which would last for ever. */
static void await_after(player_fixture *t, int number) {
    for (int tries = 20000; atomic_load(&gate.begun) == number && tries; tries--) {
        player_hurry(t->player);
        nanosleep(&fixture_moment, NULL);
    }
    assert_int_equal(atomic_load(&gate.begun), number + 1);
}

/* A turn that comes before a match as quick as the last should have ended lets it end, so that there is something to
 * see while a slider moves. On a busy machine it takes some tries to be as fast. */
static void assert_quick_is_finished(player_fixture *t, sv_params params) {
    for (int tries = 0; tries < 1000; tries++) {
        const double since = player_get_state(t->player).since;
        const int begun = atomic_load(&gate.begun);
        turn(t, &params);
        if (sv_seconds() - since < 0.03) {
            assert_false(sv_cancelled(&gate.cancel));
            return;
        }
        await_after(t, begun);
    }
    fail_msg("the machine is too busy");
}

/* Parameters never wait for 50 ms if the match before shows how long one takes. */
TEST(nothing_waits_for_50_ms) {
    for (int last = 0; last <= 400; last++)
        for (int begun = 0; begun <= last; begun++) {
            const double left = 1e-3 * (last - begun);
            if (left > 0.045) assert_true(player_cancel_is_due(1e-3 * last, 1e-3 * begun, 0));
            /* Results of quick matches are shown while a slider moves, 30 times a second. */
            if (left < 1 / 30.0) assert_false(player_cancel_is_due(1e-3 * last, 1e-3 * begun, 0));
        }
}

TEST(nothing_is_known_of_another_match) {
    assert_true(player_cancel_is_due(INFINITY, 0, 0));
    assert_true(player_cancel_is_due(INFINITY, 5, 0));
    assert_true(player_cancel_is_due(0.005, 1, 0)); /* it should have ended long ago */
    assert_false(player_cancel_is_due(0.005, 0.007, 0));
    assert_true(player_cancel_is_due(0.005, 0.047, 0.045)); /* when parameters have waited for it already */
}

/* A changed parameter does not wait for a slow match, which is reported meanwhile; nor does the end. Neither does it
 * wait for longer than it should where the last match was quick. */
TEST(slow_matches_are_given_up) {
    player_fixture t;
    sv_params params = fixture_params(SV_SSD);
    sv_backend slow = sv_cpu;
    slow.submit = submit_at_gate;
    slow.wait = wait_as_told;
    fixture_set_up(&t, &slow, params, (fixture_options){.paced = true, .cancel = &gate.cancel});
    player_set_pace(t.player, fixture_standstill, false);
    assert_false(player_get_state(t.player).matching);
    assert_null(player_matched_pair(t.player).left);
    fixture_lend_one(&t);
    await_match(1);
    const player_state now = player_get_state(t.player);
    assert_true(now.matching && !now.failed && now.since <= sv_seconds());
    assert_memory_equal(&now.params, &params, sizeof params);
    frame_pair pair = player_matched_pair(t.player);
    assert_true(pair.left && pair.right);
    assert_int_equal(pair.left->index, 0);
    frame_pair_release(&pair);
    for (int i = 2; i < 5; i++) {
        params.rho = i;
        player_set_params(t.player, &params);
        await_match(i);
        const player_state next = player_get_state(t.player);
        assert_int_equal(next.params.rho, i);
        assert_false(next.failed);
    }
    /* The last match was slow; or quick, but this one is not. */
    for (int i = 0; i < 2; i++) {
        atomic_store(&told_ms, i ? 1 : 70);
        atomic_store(&gate.open, true);
        fixture_expect(&t, 0, &params);
        atomic_store(&gate.open, false);
        const int begun = atomic_load(&gate.begun);
        turn(&t, &params);
        await_match(begun + 1);
        turn(&t, &params);
        await_after(&t, begun + 1);
    }
    assert_quick_is_finished(&t, params);
    fixture_close(&t);
}

static int set_up(void **state) {
    (void)state;
    overlapping = sv_cpu;
    overlapping.at_once = SV_IN_FLIGHT;
    return 0;
}

FIXTURES(set_up, NULL)
