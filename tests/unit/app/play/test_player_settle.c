/* The player with the temporal filter: a frame has the same map by a straight run, a seek, a step or a change of
 * parameters; where that takes other frames, the map of the pair alone comes first. */
#include "app/play/maps.h"
#include "tests/support/player_fixture.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum { AVERAGED = 4, MAP_BYTES = FIXTURE_WIDTH * FIXTURE_HEIGHT * (sizeof(float) + 1), ALL = SV_MAX_TEMPORAL };

static sv_params averaged(int temporal) {
    sv_params params = fixture_params(SV_SSD);
    params.temporal = temporal;
    return params;
}

/* Waits for a result, checks it, and that it looks back over `frames`. */
static void expect(player_fixture *t, int64_t index, const sv_params *params, int frames) {
    player_result result = fixture_await(t, index);
    assert_int_equal(result.averaged, frames);
    fixture_check_result(t, &result, params);
}

/* Waits for the map of the pair alone, and for the one that looks back. */
static void expect_both(player_fixture *t, int64_t index, const sv_params *params) {
    expect(t, index, params, 1);
    expect(t, index, params, ALL);
}

static void expect_nothing(player_fixture *t) {
    player_result result;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    assert_false(player_take(t->player, &result));
}

TEST(every_way_leads_to_the_same_map) {
    const sv_params params = averaged(AVERAGED);
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    fixture_lend_one(&t);
    for (int i = 0; i < FIXTURE_FRAMES; i++) expect(&t, i, &params, ALL);
    expect_nothing(&t); /* the last one has looked back over all */
    player_step(t.player, -1);
    expect_both(&t, FIXTURE_FRAMES - 2, &params);
    player_seek_frame(t.player, 7);
    expect_both(&t, 7, &params);
    player_step(t.player, 1); /* which goes on from there */
    expect(&t, 8, &params, ALL);
    player_step(t.player, 2);
    expect_both(&t, 10, &params);
    player_seek_frame(t.player, 1); /* with one frame before it */
    expect_both(&t, 1, &params);
    player_seek_frame(t.player, 0);
    expect(&t, 0, &params, ALL);
    expect_nothing(&t);
    player_toggle_pause(t.player); /* it goes on after the current pair */
    for (int i = 1; i < FIXTURE_FRAMES; i++) expect(&t, i, &params, ALL);
    fixture_close(&t);
}

/* While it plays, the frames that follow a seek look back over those since, and are not delayed by others. */
TEST(nothing_is_repeated_while_playing) {
    const sv_params params = averaged(AVERAGED);
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    player_seek_frame(t.player, 5);
    fixture_lend_one(&t);
    for (int i = 5; i < FIXTURE_FRAMES; i++) expect(&t, i, &params, i - 5 < AVERAGED - 1 ? i - 5 + 1 : ALL);
    fixture_close(&t);
}

/* The pairs before the current one are kept: they are not read again for other parameters. */
TEST(parameters_act_at_once_and_then_exactly) {
    sv_params params = averaged(AVERAGED);
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    player_step(t.player, 0); /* which pauses it */
    fixture_lend_one(&t);
    expect(&t, 0, &params, ALL);
    const int64_t shown = 6;
    for (int i = 1; i <= shown; i++) {
        player_step(t.player, 1);
        expect(&t, i, &params, ALL);
    }
    const int64_t read = stats_count(t.stats, STATS_CAPTURED);
    for (int rho = 2; rho < 4; rho++) {
        params.rho = rho;
        player_set_params(t.player, &params);
        expect_both(&t, shown, &params);
    }
    params.temporal = 2;
    player_set_params(t.player, &params);
    expect_both(&t, shown, &params);
    assert_int_equal(stats_count(t.stats, STATS_CAPTURED), read);
    params.temporal = 1;
    player_set_params(t.player, &params);
    expect(&t, shown, &params, ALL);
    expect_nothing(&t);
    params.temporal = AVERAGED + 1; /* one more than are kept */
    player_set_params(t.player, &params);
    expect_both(&t, shown, &params);
    params.temporal = SV_MAX_TEMPORAL; /* many more */
    player_set_params(t.player, &params);
    expect_both(&t, shown, &params);
    fixture_close(&t);
}

/* Waits for the map of the pair alone. The one before may have looked back first, on a busy machine. */
static void expect_alone(player_fixture *t, int64_t index, const sv_params *params) {
    player_result result = fixture_take(t);
    if (result.averaged == ALL) {
        fixture_give_back(t, &result);
        result = fixture_take(t);
    }
    assert_int_equal(result.pair.left->index, index);
    assert_int_equal(result.averaged, 1);
    fixture_check_result(t, &result, params);
}

/* Orders that come before the map has looked back lead away from it. */
TEST(orders_do_not_wait) {
    sv_params params = averaged(SV_MAX_TEMPORAL);
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, params, (fixture_options){0});
    player_step(t.player, 0);
    fixture_lend_one(&t);
    expect(&t, 0, &params, ALL);
    for (int i = 11; i > 7; i--) {
        player_seek_frame(t.player, i);
        expect_alone(&t, i, &params);
    }
    for (int rho = 2; rho < 4; rho++) {
        params.rho = rho;
        player_set_params(t.player, &params);
        expect_alone(&t, 8, &params);
    }
    expect(&t, 8, &params, ALL);
    fixture_close(&t);
}

/* After frames without a partner the filter begins anew, on every way. */
TEST(gaps_are_those_of_a_straight_run) {
    const sv_params params = averaged(AVERAGED);
    const fixture_options gap = {.missing = 2};
    char *straight[FIXTURE_FRAMES] = {NULL};
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, params, gap);
    fixture_lend_one(&t);
    for (int i = 0; i < FIXTURE_FRAMES; i++) {
        if (i >= FIXTURE_MISSING_AT && i < FIXTURE_MISSING_AT + gap.missing) continue;
        player_result result = fixture_await(&t, i);
        assert_int_equal(result.averaged, ALL);
        straight[i] = malloc(MAP_BYTES);
        memcpy(straight[i], t.slots[0].disparity.data, MAP_BYTES);
        fixture_give_back(&t, &result);
    }
    player_step(t.player, 0);
    for (int i = FIXTURE_FRAMES - 2; i >= 0; i--) {
        if (!straight[i]) continue;
        player_seek_frame(t.player, i);
        player_result result = fixture_await(&t, i);
        if (result.averaged < ALL) {
            fixture_give_back(&t, &result);
            result = fixture_await(&t, i);
        }
        assert_int_equal(result.averaged, ALL);
        assert_memory_equal(t.slots[0].disparity.data, straight[i], MAP_BYTES);
        fixture_give_back(&t, &result);
    }
    for (int i = 0; i < FIXTURE_FRAMES; i++) free(straight[i]);
    fixture_close(&t);
}

/* Both sets look back over as many frames as they average. */
TEST(second_set_looks_back_too) {
    const sv_params a = averaged(2), b = averaged(AVERAGED);
    sv_matcher *matcher;
    sv_output slot;
    player_fixture t;
    fixture_set_up(&t, &sv_cpu, a, (fixture_options){0});
    const sv_matcher_options how = {.width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .threads = 1};
    must(sv_matcher_create(&sv_cpu, &how, &matcher, &error));
    must(maps_alloc(&sv_cpu, FIXTURE_WIDTH, FIXTURE_HEIGHT, false, &slot, &error));
    player_lend_second(t.player, 0, &slot);
    player_compare(t.player, matcher, &b);
    player_step(t.player, 0);
    player_seek_frame(t.player, 9);
    fixture_lend_one(&t);
    for (int i = 0; i < 2; i++) {
        player_result result = fixture_await(&t, 9);
        sv_params second = b;
        if (!i) second.temporal = 1;
        assert_true(result.compared);
        assert_int_equal(result.averaged, i ? ALL : 1);
        fixture_check_maps(&slot, 9, &second);
        fixture_check_result(&t, &result, &a);
    }
    fixture_close(&t);
    sv_matcher_destroy(matcher);
    maps_free(&sv_cpu, &slot);
}
