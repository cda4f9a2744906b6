/* The player with two sets of parameters: each result has both maps of one pair, B is turned, given up and ended like
 * A, and its failure leaves A alone. The rendered scene is matched by the CPU's backend, and each map is what a matcher
 * of its own makes of that frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/maps.h"
#include "app/player.h"
#include "capture/synthetic.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 48, HEIGHT = 32, FRAMES = 6, MAP_BYTES = WIDTH * HEIGHT * (sizeof(float) + 1) };

#define must(call)                                                                                                     \
    do {                                                                                                               \
        sv_error error = {""};                                                                                         \
        if ((call) != SV_OK) fail_msg("%s: %s", #call, error.text);                                                    \
    } while (0)

static const struct timespec moment = {.tv_nsec = 1000000};

/* What the second matcher does with its pairs: the CPU's backend behind a gate, or a failure. */
static struct {
    sv_cancel cancel;
    atomic_bool shut, fails;
    atomic_int begun;
} second;

static sv_status submit_second(void *context, const sv_pair *pair, const sv_params *params, const sv_output *output,
                               sv_error *error) {
    atomic_fetch_add(&second.begun, 1);
    if (atomic_load(&second.fails)) return sv_fail(error, SV_FAILED, "no memory for B");
    while (atomic_load(&second.shut)) {
        if (sv_cancelled(&second.cancel)) return SV_CANCELLED;
        nanosleep(&moment, NULL);
    }
    return sv_cpu.submit(context, pair, params, output, error);
}

typedef struct theatre {
    media_colour colour;
    pairing *pairing;
    sv_matcher *matchers[2];
    stats *stats;
    player *player;
    sv_output slots[2][SV_OUTPUTS];
} theatre;

static sv_params small_params(sv_method method, int rho) {
    sv_params params = sv_default_params(method);
    params.rho = rho;
    params.max_disparity = 7;
    return params;
}

static source *open_side(scene_side side, const atomic_bool *colour) {
    scene scene = scene_of_size(WIDTH, HEIGHT);
    source *source;
    scene.frames = FRAMES;
    must(source_open_synthetic(&source, &scene, side, &(source_options){.colour = true, .colour_now = colour}, &error));
    return source;
}

static void open_pairing(theatre *t) {
    must(pairing_open(&t->pairing, open_side(SCENE_LEFT, &t->colour.left), open_side(SCENE_RIGHT, &t->colour.right), 4,
                      &error));
}

static sv_matcher *make_matcher(const sv_backend *backend) {
    const sv_matcher_options how = {.width = WIDTH, .height = HEIGHT, .threads = 1, .cancel = &second.cancel};
    sv_matcher *matcher;
    must(sv_matcher_create(backend, &how, &matcher, &error));
    return matcher;
}

static void set_up(theatre *t, const sv_backend *backend, const sv_backend *backend_of_second, const sv_params *a) {
    *t = (theatre){.stats = stats_create(), .matchers = {make_matcher(backend), make_matcher(backend_of_second)}};
    open_pairing(t);
    atomic_store(&second.cancel.asked, false);
    atomic_store(&second.begun, 0);
    must(player_open(&t->player,
                     &(player_options){.pairing = t->pairing,
                                       .matcher = t->matchers[0],
                                       .colour = &t->colour,
                                       .stats = t->stats,
                                       .params = *a,
                                       .range = {.end = INT64_MAX},
                                       .cancel = &second.cancel},
                     &error));
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < SV_OUTPUTS; i++) must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, &t->slots[which][i], &error));
    for (int i = 0; i < SV_OUTPUTS; i++) player_lend_second(t->player, i, &t->slots[1][i]);
}

static void tear_down(theatre *t) {
    player_close(t->player);
    for (int which = 0; which < 2; which++) {
        sv_matcher_destroy(t->matchers[which]);
        for (int i = 0; i < SV_OUTPUTS; i++) maps_free(&sv_cpu, &t->slots[which][i]);
    }
    pairing_close(t->pairing);
    stats_destroy(t->stats);
}

/* Fails the test unless the maps are those of the frame and the parameters. */
static void check_maps(const sv_output *got, int64_t index, const sv_params *params) {
    theatre t = {.colour = {false, false}};
    sv_output want;
    frame_pair pair;
    open_pairing(&t);
    sv_matcher *matcher = make_matcher(&sv_cpu);
    must(pairing_seek_frame(t.pairing, index, &error));
    must(pairing_next(t.pairing, &pair, &error));
    must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, &want, &error));
    const sv_pair pictures = media_pictures(&pair);
    must(sv_submit(matcher, &pictures, params, &want, &error));
    must(sv_wait(matcher, NULL, &error));
    assert_memory_equal(got->disparity.data, want.disparity.data, MAP_BYTES);
    sv_matcher_destroy(matcher);
    maps_free(&sv_cpu, &want);
    frame_pair_release(&pair);
    pairing_close(t.pairing);
}

/* Waits for the next result, which is of `index`. As one slot is lent, none gives way to another. */
static player_result await(theatre *t, int64_t index) {
    player_result result;
    int tries = 20000;
    while (!player_take(t->player, &result) && --tries) nanosleep(&moment, NULL);
    if (!tries) fail_msg("no result of frame %d", (int)index);
    assert_int_equal(result.pair.left->index, index);
    return result;
}

/* Checks the next result, and lends its slot again. `b`: NULL if it is not compared. */
static void expect(theatre *t, int64_t index, const sv_params *a, const sv_params *b) {
    player_result result = await(t, index);
    assert_memory_equal(&result.params, a, sizeof *a);
    check_maps(&t->slots[0][result.slot], index, a);
    assert_int_equal(result.compared, b != NULL);
    if (b) {
        assert_memory_equal(&result.second_params, b, sizeof *b);
        check_maps(&t->slots[1][result.slot], index, b);
        assert_true(result.second_times.ms[SV_MATCH] > 0);
    }
    assert_true(result.times.ms[SV_MATCH] > 0);
    frame_pair_release(&result.pair);
    player_lend(t->player, result.slot, &t->slots[0][result.slot]);
}

static void each_result_has_both_maps(void **state) {
    (void)state;
    sv_backend overlapping = sv_cpu; /* as one that works on several pairs at once */
    overlapping.at_once = SV_IN_FLIGHT;
    const sv_backend *const backends[] = {&sv_cpu, &overlapping};
    const sv_params a = small_params(SV_SSD, 1), b = small_params(SV_ZNCC, 2);
    for (int i = 0; i < 2; i++) {
        theatre t;
        set_up(&t, backends[i], backends[i], &a);
        player_compare(t.player, t.matchers[1], &b);
        player_lend(t.player, 0, &t.slots[0][0]);
        for (int n = 0; n < FRAMES; n++) expect(&t, n, &a, &b);
        assert_int_equal(stats_count(t.stats, STATS_MATCHED), FRAMES); /* pairs */
        tear_down(&t);
    }
}

/* What stands is matched again when B begins, changes and ends. */
static void second_set_is_followed(void **state) {
    (void)state;
    theatre t;
    sv_error error;
    sv_params a = small_params(SV_SSD, 1), b = small_params(SV_ZNCC, 2);
    set_up(&t, &sv_cpu, &sv_cpu, &a);
    player_step(t.player, 0); /* which pauses it */
    player_lend(t.player, 0, &t.slots[0][0]);
    expect(&t, 0, &a, NULL);
    player_compare(t.player, t.matchers[1], &b);
    expect(&t, 0, &a, &b);
    b.rho = 3;
    player_compare(t.player, t.matchers[1], &b);
    expect(&t, 0, &a, &b);
    a.rho = 2;
    player_set_params(t.player, &a);
    expect(&t, 0, &a, &b);
    player_step(t.player, 2);
    expect(&t, 2, &a, &b);
    player_stop_comparing(t.player);
    expect(&t, 2, &a, NULL);
    assert_false(player_compare_failed(t.player, &error));
    tear_down(&t);
}

static void failure_leaves_the_first_alone(void **state) {
    (void)state;
    theatre t;
    sv_error error = {""};
    sv_backend backend = sv_cpu;
    const sv_params a = small_params(SV_SSD, 1), b = small_params(SV_ZNCC, 2);
    backend.submit = submit_second;
    set_up(&t, &sv_cpu, &backend, &a);
    atomic_store(&second.fails, true);
    player_compare(t.player, t.matchers[1], &b);
    player_lend(t.player, 0, &t.slots[0][0]);
    expect(&t, 0, &a, NULL);
    expect(&t, 1, &a, NULL);
    assert_int_equal(atomic_load(&second.begun), 1);
    assert_false(player_get_state(t.player).failed);
    assert_true(player_compare_failed(t.player, &error));
    assert_string_equal(error.text, "no memory for B");
    assert_false(player_compare_failed(t.player, &error)); /* told once */
    atomic_store(&second.fails, false);
    player_compare(t.player, t.matchers[1], &b); /* again; results of before may come first */
    bool compared = false;
    for (int tries = 20000; !compared && tries; tries--) {
        player_result result;
        nanosleep(&moment, NULL);
        if (!player_take(t.player, &result)) continue;
        compared = result.compared;
        frame_pair_release(&result.pair);
        player_lend(t.player, result.slot, &t.slots[0][result.slot]);
    }
    assert_true(compared);
    tear_down(&t);
}

/* A slow B is given up for other parameters, whosever they are, and at the end. */
static void slow_second_is_given_up(void **state) {
    (void)state;
    theatre t;
    sv_backend backend = sv_cpu;
    sv_params a = small_params(SV_SSD, 1), b = small_params(SV_ZNCC, 2);
    backend.submit = submit_second;
    set_up(&t, &sv_cpu, &backend, &a);
    atomic_store(&second.shut, true);
    player_compare(t.player, t.matchers[1], &b);
    player_lend(t.player, 0, &t.slots[0][0]);
    for (int i = 1; i < 4; i++) {
        for (int tries = 20000; atomic_load(&second.begun) < i && tries; tries--) nanosleep(&moment, NULL);
        assert_int_equal(atomic_load(&second.begun), i);
        const player_state now = player_get_state(t.player);
        assert_true(now.matching && now.compares && !now.failed);
        assert_memory_equal(&now.second_params, &b, sizeof b);
        if (i == 1) {
            b.rho = 3;
            player_compare(t.player, t.matchers[1], &b);
        } else if (i == 2) {
            a.rho = 2;
            player_set_params(t.player, &a);
        }
    }
    atomic_store(&second.shut, false);
    expect(&t, 0, &a, &b);
    atomic_store(&second.shut, true);
    tear_down(&t);
    atomic_store(&second.shut, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_result_has_both_maps),
        cmocka_unit_test(second_set_is_followed),
        cmocka_unit_test(failure_leaves_the_first_alone),
        cmocka_unit_test(slow_second_is_given_up),
    };
    return cmocka_run_group_tests_name("player_compare", tests, NULL, NULL);
}
