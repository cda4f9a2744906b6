/* The player: pairs in flight, the order of results, seeking, stepping, parameters, colour, and the end. It plays the
 * rendered scene through the CPU's backend, and each result is what a matcher of its own makes of that frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/maps.h"
#include "app/player.h"
#include "capture/synthetic.h"

#include <time.h>

enum { WIDTH = 48, HEIGHT = 32, FRAMES = 12, MAP_BYTES = WIDTH * HEIGHT * (sizeof(float) + 1) };

/* The CPU's backend as one that works on several pairs at once: its results wait to be asked for. */
static sv_backend overlapping;

typedef struct theatre {
    options range;
    media_colour colour;
    pairing *pairing;
    sv_matcher *matcher;
    stats *stats;
    player *player;
    sv_output slots[PLAYER_SLOTS];
} theatre;

#define must(call)                                                                                                     \
    do {                                                                                                               \
        sv_error error = {""};                                                                                         \
        if ((call) != SV_OK) fail_msg("%s: %s", #call, error.text);                                                    \
    } while (0)

static sv_params small_params(sv_method method) {
    sv_params params = sv_default_params(method);
    params.rho = 1;
    params.max_disparity = 7;
    return params;
}

static source *open_side(scene_side side, const atomic_bool *colour) {
    scene scene = scene_of_size(WIDTH, HEIGHT);
    source *source;
    scene.frames = FRAMES;
    const source_options how = {.colour = true, .colour_now = colour};
    must(source_open_synthetic(&source, &scene, side, &how, &error));
    return source;
}

/* Begins to play, with all slots lent. */
static void open_theatre(theatre *t, const sv_backend *backend, sv_params params) {
    *t = (theatre){.range = {.end = INT64_MAX}, .stats = stats_create()};
    must(pairing_open(&t->pairing, open_side(SCENE_LEFT, &t->colour.left), open_side(SCENE_RIGHT, &t->colour.right), 4,
                      &error));
    must(sv_matcher_create(backend, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1}, &t->matcher,
                           &error));
    must(player_open(&t->player,
                     &(player_options){.pairing = t->pairing,
                                       .matcher = t->matcher,
                                       .colour = &t->colour,
                                       .stats = t->stats,
                                       .params = params,
                                       .range = &t->range},
                     &error));
    for (int i = 0; i < PLAYER_SLOTS; i++) {
        must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, &t->slots[i], &error));
        player_lend(t->player, i, &t->slots[i]);
    }
}

static void close_theatre(theatre *t) {
    player_close(t->player);
    sv_matcher_destroy(t->matcher);
    pairing_close(t->pairing);
    stats_destroy(t->stats);
    for (int i = 0; i < PLAYER_SLOTS; i++) maps_free(&sv_cpu, &t->slots[i]);
}

/* Fails the test unless the maps are those of the frame and the parameters. */
static void check_maps(const sv_output *got, int64_t index, const sv_params *params) {
    theatre *t = &(theatre){.colour = {true, true}};
    sv_output want;
    frame_pair pair;
    must(pairing_open(&t->pairing, open_side(SCENE_LEFT, &t->colour.left), open_side(SCENE_RIGHT, &t->colour.right), 1,
                      &error));
    must(pairing_seek_frame(t->pairing, index, &error));
    must(pairing_next(t->pairing, &pair, &error));
    assert_int_equal(pair.left->index, index);
    must(sv_matcher_create(&sv_cpu, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1}, &t->matcher,
                           &error));
    must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, &want, &error));
    const sv_pair pictures = media_pictures(&pair);
    must(sv_submit(t->matcher, &pictures, params, &want, &error));
    must(sv_wait(t->matcher, NULL, &error));
    assert_memory_equal(got->disparity.data, want.disparity.data, MAP_BYTES);
    sv_matcher_destroy(t->matcher);
    maps_free(&sv_cpu, &want);
    frame_pair_release(&pair);
    pairing_close(t->pairing);
}

static const struct timespec moment = {.tv_nsec = 1000000};

/* Checks the pictures, the parameters and the maps of a result, and lends its slot again. */
static void check_result(theatre *t, player_result *result, const sv_params *params) {
    assert_int_equal(result->pair.right->index, result->pair.left->index);
    assert_memory_equal(&result->params, params, sizeof *params);
    assert_false(media_lacks_colour(&result->pair, &t->colour));
    check_maps(&t->slots[result->slot], result->pair.left->index, params);
    frame_pair_release(&result->pair);
    player_lend(t->player, result->slot, &t->slots[result->slot]);
}

/* Waits for a result, and checks that it is of `index` with `params`. */
static void expect(theatre *t, int64_t index, const sv_params *params) {
    player_result result;
    int tries = 20000;
    while (!player_take(t->player, &result) && --tries) nanosleep(&moment, NULL);
    if (!tries) fail_msg("no result of frame %d", (int)index);
    assert_int_equal(result.pair.left->index, index);
    check_result(t, &result, params);
}

/* Takes results until the end has come. */
static void play_to_end(theatre *t) {
    player_result result;
    for (int tries = 20000; !player_get_state(t->player).ended && tries; tries--) {
        while (player_take(t->player, &result)) {
            frame_pair_release(&result.pair);
            player_lend(t->player, result.slot, &t->slots[result.slot]);
        }
        nanosleep(&moment, NULL);
    }
    assert_true(player_get_state(t->player).ended);
}

/* Every pair is matched, in order; the newest result is always there to be taken, so the last one is. */
static void matches_all_in_order(void **state) {
    (void)state;
    const sv_backend *const backends[] = {&sv_cpu, &overlapping};
    for (int i = 0; i < 2; i++) {
        theatre t;
        player_result result;
        int64_t last = -1;
        const sv_params params = small_params(SV_SSD);
        open_theatre(&t, backends[i], params);
        for (int tries = 20000; last < FRAMES - 1 && tries; tries--) {
            nanosleep(&moment, NULL);
            if (!player_take(t.player, &result)) continue;
            assert_in_range(result.pair.left->index, last + 1, FRAMES - 1);
            last = result.pair.left->index;
            check_result(&t, &result, &params);
        }
        assert_int_equal(last, FRAMES - 1);
        for (int tries = 20000; !player_get_state(t.player).ended && tries; tries--) nanosleep(&moment, NULL);
        assert_true(player_get_state(t.player).ended);
        assert_int_equal(stats_count(t.stats, STATS_MATCHED), FRAMES);
        close_theatre(&t);
    }
}

/* With all slots with the caller it stands. Lent again, they let it go on to the end, though nobody takes results: the
 * last of them waits, and the end is not there until it is taken. */
static void slots_go_round(void **state) {
    (void)state;
    theatre t;
    player_result kept[PLAYER_SLOTS], result;
    const sv_params params = small_params(SV_SSD);
    open_theatre(&t, &overlapping, params);
    for (int i = 0; i < PLAYER_SLOTS; i++)
        while (!player_take(t.player, &kept[i])) nanosleep(&moment, NULL);
    for (int i = 0; i < 50; i++) nanosleep(&moment, NULL);
    assert_false(player_take(t.player, &result));
    for (int i = 1; i < PLAYER_SLOTS; i++) {
        assert_true(kept[i].pair.left->index > kept[i - 1].pair.left->index);
        for (int j = 0; j < i; j++) assert_int_not_equal(kept[i].slot, kept[j].slot);
    }
    for (int i = 0; i < PLAYER_SLOTS; i++) {
        frame_pair_release(&kept[i].pair);
        player_lend(t.player, kept[i].slot, &t.slots[kept[i].slot]);
    }
    for (int tries = 20000; stats_count(t.stats, STATS_MATCHED) < FRAMES && tries; tries--) nanosleep(&moment, NULL);
    assert_int_equal(stats_count(t.stats, STATS_MATCHED), FRAMES);
    assert_false(player_get_state(t.player).ended);
    int taken = 0;
    int64_t last = -1;
    for (; player_take(t.player, &result); taken++) {
        last = result.pair.left->index;
        check_result(&t, &result, &params);
    }
    assert_in_range(taken, 1, PLAYER_SLOTS);
    assert_int_equal(last, FRAMES - 1);
    close_theatre(&t);
}

static void moves_and_parameters(void **state) {
    (void)state;
    theatre t;
    sv_params params = small_params(SV_SSD);
    open_theatre(&t, &overlapping, params);
    play_to_end(&t);
    player_step(t.player, -3);
    expect(&t, FRAMES - 4, &params);
    player_step(t.player, 2);
    expect(&t, FRAMES - 2, &params);
    player_seek(t.player, 0);
    expect(&t, 0, &params);
    params.rho = 2;
    player_set_params(t.player, &params);
    expect(&t, 0, &params);
    player_step(t.player, 1);
    expect(&t, 1, &params);
    close_theatre(&t);
}

/* Takes the result of frame `index`, whose right picture is `right`. */
static void expect_partner(theatre *t, int64_t index, int64_t right) {
    player_result result;
    int tries = 20000;
    while (!player_take(t->player, &result) && --tries) nanosleep(&moment, NULL);
    if (!tries) fail_msg("no result of frame %d", (int)index);
    assert_int_equal(result.pair.left->index, index);
    assert_int_equal(result.pair.right->index, right);
    frame_pair_release(&result.pair);
    player_lend(t->player, result.slot, &t->slots[result.slot]);
}

/* What stands is paired anew, and so is all that follows. */
static void right_side_is_moved_while_it_plays(void **state) {
    (void)state;
    theatre t;
    open_theatre(&t, &overlapping, small_params(SV_SSD));
    const double frame = 1 / pairing_info(t.pairing)->rate;
    play_to_end(&t);
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
    close_theatre(&t);
}

/* A pair that was read without colour is read again for a method that needs it. */
static void colour_is_read_when_it_is_wanted(void **state) {
    (void)state;
    theatre t;
    sv_params params = small_params(SV_SSD);
    open_theatre(&t, &sv_cpu, params);
    play_to_end(&t);
    player_step(t.player, -1); /* which pauses it */
    expect(&t, FRAMES - 2, &params);
    player_seek(t.player, 0.2);
    expect(&t, 5, &params);
    params = small_params(SV_GFD);
    params.alpha = 1;
    params.lambda = 0;
    atomic_store(&t.colour.left, true);
    atomic_store(&t.colour.right, true);
    player_set_params(t.player, &params);
    expect(&t, 5, &params);
    player_step(t.player, 1);
    expect(&t, 6, &params);
    close_theatre(&t);
}

static void closes_in_the_middle(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        theatre t;
        open_theatre(&t, &overlapping, small_params(SV_SSD));
        for (int j = 0; j < i; j++) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        close_theatre(&t);
    }
}

int main(void) {
    overlapping = sv_cpu;
    overlapping.at_once = SV_IN_FLIGHT;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_all_in_order),
        cmocka_unit_test(slots_go_round),
        cmocka_unit_test(moves_and_parameters),
        cmocka_unit_test(colour_is_read_when_it_is_wanted),
        cmocka_unit_test(right_side_is_moved_while_it_plays),
        cmocka_unit_test(closes_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
