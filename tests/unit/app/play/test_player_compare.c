/* The player with two sets of parameters: each result has both maps of one pair, B is turned, given up and ended like
 * A, and its failure leaves A alone. The rendered scene is matched by the CPU's backend, and each map is what a matcher
 * of its own makes of that frame. */
#include "app/play/maps.h"
#include "tests/support/player_fixture.h"
#include "tests/support/test.h"

/* What the second matcher does with its pairs: the CPU's backend behind a gate, or a failure. */
static struct {
    sv_cancel cancel;
    atomic_bool shut, fails;
    atomic_int begun;
} second;

static sv_status submit_second(void *context, const sv_pair *pair, const sv_params *params, int follows,
                               const sv_output *output, sv_error *error) {
    atomic_fetch_add(&second.begun, 1);
    if (atomic_load(&second.fails)) return sv_fail(error, SV_FAILED, "no memory for B");
    while (atomic_load(&second.shut)) {
        if (sv_cancelled(&second.cancel)) return SV_CANCELLED;
        nanosleep(&fixture_moment, NULL);
    }
    return sv_cpu.submit(context, pair, params, follows, output, error);
}

/* A player with a second matcher, and the outputs of that. */
typedef struct stage {
    player_fixture player_fixture;
    player *player; /* the player_fixture's */
    sv_matcher *matcher;
    sv_output slots[SV_OUTPUTS];
} stage;

static void set_up(stage *s, const sv_backend *backend, const sv_backend *backend_of_second, const sv_params *a) {
    const sv_matcher_options how = {
        .width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .threads = 1, .cancel = &second.cancel};
    atomic_store(&second.cancel.asked, false);
    atomic_store(&second.begun, 0);
    fixture_set_up(&s->player_fixture, backend, *a, (fixture_options){.cancel = &second.cancel});
    s->player = s->player_fixture.player;
    must(sv_matcher_create(backend_of_second, &how, &s->matcher, &error));
    for (int i = 0; i < SV_OUTPUTS; i++) {
        must(maps_alloc(&sv_cpu, FIXTURE_WIDTH, FIXTURE_HEIGHT, false, &s->slots[i], &error));
        player_lend_second(s->player, i, &s->slots[i]);
    }
}

static void tear_down(stage *s) {
    fixture_close(&s->player_fixture);
    sv_matcher_destroy(s->matcher);
    for (int i = 0; i < SV_OUTPUTS; i++) maps_free(&sv_cpu, &s->slots[i]);
}

/* Checks the next result, and lends its slot again. `b`: NULL if it is not compared. */
static void expect(stage *s, int64_t index, const sv_params *a, const sv_params *b) {
    player_result result = fixture_await(&s->player_fixture, index);
    assert_int_equal(result.compared, b != NULL);
    assert_true(result.times.ms[SV_MATCH] > 0);
    if (b) {
        assert_memory_equal(&result.second_params, b, sizeof *b);
        fixture_check_maps(&s->slots[result.slot], index, b);
        assert_true(result.second_times.ms[SV_MATCH] > 0);
    }
    fixture_check_result(&s->player_fixture, &result, a);
}

TEST(each_result_has_both_maps) {
    sv_backend overlapping = sv_cpu; /* as one that works on several pairs at once */
    overlapping.at_once = SV_IN_FLIGHT;
    const sv_backend *const backends[] = {&sv_cpu, &overlapping};
    const sv_params a = fixture_params(SV_SSD), b = fixture_params(SV_ZNCC);
    for (int i = 0; i < 2; i++) {
        stage s;
        set_up(&s, backends[i], backends[i], &a);
        player_compare(s.player, s.matcher, &b);
        fixture_lend_one(&s.player_fixture);
        for (int n = 0; n < FIXTURE_FRAMES; n++) expect(&s, n, &a, &b);
        assert_int_equal(stats_count(s.player_fixture.stats, STATS_MATCHED), FIXTURE_FRAMES); /* pairs */
        tear_down(&s);
    }
}

/* The current pair is matched again when B begins, changes and ends. */
TEST(second_set_is_followed) {
    stage s;
    sv_error error;
    sv_params a = fixture_params(SV_SSD), b = fixture_params(SV_ZNCC);
    set_up(&s, &sv_cpu, &sv_cpu, &a);
    player_step(s.player, 0); /* which pauses it */
    fixture_lend_one(&s.player_fixture);
    expect(&s, 0, &a, NULL);
    player_compare(s.player, s.matcher, &b);
    expect(&s, 0, &a, &b);
    b.rho = 3;
    player_compare(s.player, s.matcher, &b);
    expect(&s, 0, &a, &b);
    a.rho = 2;
    player_set_params(s.player, &a);
    expect(&s, 0, &a, &b);
    player_step(s.player, 2);
    expect(&s, 2, &a, &b);
    player_stop_comparing(s.player);
    expect(&s, 2, &a, NULL);
    assert_false(player_compare_failed(s.player, &error));
    tear_down(&s);
}

TEST(failure_leaves_the_first_alone) {
    stage s;
    sv_error error = {""};
    sv_backend backend = sv_cpu;
    const sv_params a = fixture_params(SV_SSD), b = fixture_params(SV_ZNCC);
    backend.submit = submit_second;
    set_up(&s, &sv_cpu, &backend, &a);
    atomic_store(&second.fails, true);
    player_compare(s.player, s.matcher, &b);
    fixture_lend_one(&s.player_fixture);
    expect(&s, 0, &a, NULL);
    expect(&s, 1, &a, NULL);
    assert_int_equal(atomic_load(&second.begun), 1);
    assert_false(player_get_state(s.player).failed);
    assert_true(player_compare_failed(s.player, &error));
    assert_string_equal(error.text, "no memory for B");
    assert_false(player_compare_failed(s.player, &error)); /* it is reported once */
    atomic_store(&second.fails, false);
    player_compare(s.player, s.matcher, &b); /* again; results of before may come first */
    bool compared = false;
    for (int tries = 20000; !compared && tries; tries--) {
        player_result result;
        nanosleep(&fixture_moment, NULL);
        if (!player_take(s.player, &result)) continue;
        compared = result.compared;
        fixture_give_back(&s.player_fixture, &result);
    }
    assert_true(compared);
    tear_down(&s);
}

/* A slow B is given up for other parameters, be they A's or B's, and at the end. */
TEST(slow_second_is_given_up) {
    stage s;
    sv_backend backend = sv_cpu;
    sv_params a = fixture_params(SV_SSD), b = fixture_params(SV_ZNCC);
    backend.submit = submit_second;
    set_up(&s, &sv_cpu, &backend, &a);
    atomic_store(&second.shut, true);
    player_compare(s.player, s.matcher, &b);
    fixture_lend_one(&s.player_fixture);
    for (int i = 1; i < 4; i++) {
        for (int tries = 20000; atomic_load(&second.begun) < i && tries; tries--) nanosleep(&fixture_moment, NULL);
        assert_int_equal(atomic_load(&second.begun), i);
        const player_state now = player_get_state(s.player);
        assert_true(now.matching && now.compares && !now.failed);
        assert_memory_equal(&now.second_params, &b, sizeof b);
        if (i == 1) {
            b.rho = 3;
            player_compare(s.player, s.matcher, &b);
        } else if (i == 2) {
            a.rho = 2;
            player_set_params(s.player, &a);
        }
    }
    atomic_store(&second.shut, false);
    expect(&s, 0, &a, &b);
    atomic_store(&second.shut, true);
    tear_down(&s);
    atomic_store(&second.shut, false);
}
